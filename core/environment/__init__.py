"""What a learner plays against: worlds (`world`), adversaries (`adversary`), adversarial contexts (`contexts`)."""
