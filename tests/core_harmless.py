"""Mutants of `core` that survive, and why that is no loss; and tests that notice one but come too late to be tried.

An entry is the path, the name of the function or constant, and words of the edit where others of it matter.
"""

from __future__ import annotations

from tests.core_changes import Mutant

HARMLESS: dict[str, tuple[str, ...]] = {
    "a limit of work, the length of a block or of a period: one more is as good": (
        "engine/optimism.py: _ITERATIONS", "engine/feed.py: BLOCK", "engine/feed.py: STACK", "engine/laws.py: _LONGEST",
        "engine/mirror_descent.py: _NEWTON", "engine/mirror_descent.py: REFRESH", "competitors/descent.py: BLOCK",
        "competitors/mirror_descent.py: _BISECTIONS", "simulation/grid.py: MOST_", "spd.py: NEWTON_STEPS",
        "learner/states.py: MOST_ROUNDS", "informative.py: FARTHEST",
    ),
    "a tolerance or a level: half as much again decides the same": (
        "tolerances.py", "engine/arms.py: _EPS", "learner/monitor.py: LATTICE", "simulation/instances.py: ROUNDING",
        "simulation/tables.py: ALARM",
    ),
    "a choice of the search for attacks: every value gives an attack within the budget": (
        "simulation/plans.py: (_LEAST_SPREAD", "simulation/plans.py: _ANY_TRUST", "simulation/plans.py: Law.draw: 60.0",
    ),
    "any value is in accord with the theorem": ("local_constants.py: (TRIED", "rivals/mor_ucb.py: ridge"),
    "norms are computed afresh more often": ("engine/arms.py: measure_one: Mult becomes Add",),
    "what is left of a budget is rounded down where it need not be": ("adversary.py: _pay: Lt becomes LtE",),
    "steps between safeguards: another step, the same value": ("engine/optimism.py: _both_bind: Div becomes Mult",),
    "never called: `specialised` puts another function there": (
        "competitors/descent.py: score", "engine/rounds.py: learn",
    ),
    "runs when its module is imported, which fails with the edit in the file": (
        "competitors/descent.py: fit_by", "simulation/defaults.py: CHEAP",
    ),
    "the length of a value in a message": ("learner/states.py: _short",),
    "the lists have one length": ("simulation/conclusions.py: Contender.against: False becomes True",),
    "equality has probability 0": ("learner/monitor.py: Monitor._decided: Lt becomes LtE",),
}  # fmt: skip

# What runs in hundreds of tests is tried with the fastest of them; here is the one to try first.
FIRST: dict[str, str] = {
    "observed.py: checked_vector": "a_bad_observation_is_refused_by_name",
    "learner/saving.py: (FORMAT": "what_is_not_a_state_is_refused_by_name[another version]",
    "learner/saving.py: _document": "what_is_not_a_state_is_refused_by_name[another format]",
    "parameters.py: Parameters.promised": "outside_the_promised_range_is_refused",
    "simulation/grid.py: Grid.narrowed": "families_and_algorithms_choose_a_part",
    "simulation/conclusions.py: _best": "go_to_a_guarantee_before_luck",
    "engine/tally.py: RECORDED": "the_record_has_the_columns",
}


def _words(mutant: Mutant) -> str:
    return f"{mutant.path}: {mutant.owner}: {mutant.edit}"


def reason_for(mutant: Mutant) -> str:
    """Why this mutant may survive; empty if nobody has said."""
    return next((why for why, ones in HARMLESS.items() if _words(mutant).startswith(ones)), "")


def noticed_first(mutant: Mutant) -> str:
    """Part of the name of the test that notices."""
    return next((test for start, test in FIRST.items() if _words(mutant).startswith(start)), "")
