"""All bandit algorithms on the same instances: the same arms, dispersions and streams of rewards (docs/rivals.md).

Every module says where its algorithms come from and the standing of every constant, "as published" or "derived here";
each refuses what its theorem does not cover.  `NAME+unknown-C` is a learner that is not told C and has those of this
name as base learners (`unknown_budget`).  Another one is constants, `observe` and where needed `choose` as kernels
(`core.engine` has the contract), a function that starts it, and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, play
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.names import OURS, SCOUTED, SUFFIX
from glbcheck.core.rivals import cr_eluder_ucb, gadaoful, likelihood, linear, mirror_descent
from glbcheck.core.rivals.algorithm import Algorithm
from glbcheck.core.rivals.unknown_budget import select
from glbcheck.core.theory.parameters import Parameters

ALGORITHMS: Mapping[str, Algorithm] = {
    OURS: mirror_descent.HCW_GLB_OMD,
    SCOUTED: mirror_descent.HCW_GLB_OMD_SCOUT,
    "glb-omd": mirror_descent.GLB_OMD,
    "glb-omd-tuned": mirror_descent.GLB_OMD_TUNED,
    "oful": linear.OFUL,
    "cw-oful": linear.CW_OFUL,
    "weighted-oful-plus": linear.WEIGHTED_OFUL_PLUS,
    "mor-ucb": likelihood.MOR_UCB,
    "glm-ucb": likelihood.GLM_UCB,
    "cr-eluder-ucb": cr_eluder_ucb.CR_ELUDER_UCB,
    "gadaoful": gadaoful.GADAOFUL,
    "greedy": mirror_descent.GREEDY,
    "uniform": mirror_descent.UNIFORM,
}
NAMES = tuple(ALGORITHMS)


def known(name: str) -> str:
    """The name without a suffix; refused if no algorithm has it."""
    base = name.removesuffix(SUFFIX)
    if base not in ALGORITHMS:
        raise BadInput("algorithm", name, f"{meant(base, NAMES)}one of {', '.join(NAMES)}, with {SUFFIX} or without")
    return base


def check(name: str, p: Parameters, varies: bool = False) -> Algorithm:
    """The algorithm of this name; refused if it does not exist or does not fit the family, or dispersions that vary."""
    base = known(name)
    if varies and ALGORITHMS[base].one_dispersion:
        raise BadInput("algorithm", name, "rewards that all have the same dispersion, not dispersions that vary")
    ALGORITHMS[base].check_applicable(p)
    if name != base and not (ALGORITHMS[base].confident and ALGORITHMS[base].optimistic):  # it has the bound to compare
        raise BadInput("algorithm", name, f"base learners that pull by a confidence set alone before {SUFFIX}")
    return ALGORITHMS[base]


def run(name: str, p: Parameters, episode: Episode, checkpoints: Sequence[int] = (), record: bool = False) -> Outcome:
    """Play the episode; `p` is told to each algorithm as far as it listens.

    What has no meaning for an algorithm is NaN, or 0 where it counts rounds; of a run without an estimate there is no
    record.
    """
    chosen = check(name, p)
    if chosen.one_dispersion:
        low, high = episode.dispersion_range
        check(name, p, varies=low < high)
    if name.endswith(SUFFIX):
        found = select(chosen, p, episode, checkpoints).outcome
        return replace(chosen, confident=False).masked(found)
    return chosen.masked(play(chosen.start(p, episode), p, episode, checkpoints, record))
