"""What a learner plays against: worlds (`world`), adversaries (`adversary`), adversarial contexts (`contexts`).

`reference_run` plays the readable learner in a world, and `trajectory` holds the sums of such a run.
"""
