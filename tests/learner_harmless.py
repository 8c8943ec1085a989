"""Mutants of the learner and of the simulation that survive, and why that is no loss.

By file within `core`; an entry is otherwise one of `tests.core_harmless`, which takes these over.
"""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "a tolerance or a level: half as much again decides the same": {
        "learner/logs": ("decisions_of_table: Gt becomes GtE | ROUNDED",)
    },
    "another name for a stream that nothing else draws from": {
        "simulation/attack_search": ("search: 0 becomes 1 | stream(",)
    },
}

# What runs in hundreds of tests is tried with the fastest of them; here is the one to try first.
FIRST: dict[str, str] = {
    "learner/front.py: Learner.choose_batch: -np.inf": "a_batch_spreads_over_arms_that_tie",
    "learner/front.py: Learner._norms": "a_batch_spreads_over_arms_that_tie",
    "learner/front.py: Learner.regret_bound: Add": "the_bound_of_a_learner_has_what_proposals",
}
