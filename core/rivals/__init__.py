"""All bandit algorithms on the same instances: the same arms, dispersions and streams of rewards.

| name                 | estimate                                   | arm                                           |
|----------------------|--------------------------------------------|-----------------------------------------------|
| `hcw-glb-omd`        | the paper's                                | the paper's                                   |
| `hcw-glb-omd-scout`  | the same                                   | a scout's, within an allowance (`core.scout`) |
| `glb-omd`            | the same without weights, one dispersion   | optimistic, with the λ, η and β of its source |
| `glb-omd-tuned`      | the same without weights                   | optimistic, with our best radius for C = 0    |
| `oful`               | ridge regression; linear link              | optimistic, with a radius that ignores C      |
| `cw-oful`            | ridge regression, weighted; linear link    | optimistic, with a radius that knows C        |
| `weighted-oful-plus` | the same, weighted by variance and norm    | optimistic, with a Bernstein-type radius      |
| `mor-ucb`            | regularised leaders by layers of variance  | the least of the layers' optimistic values    |
| `glm-ucb`            | maximum likelihood on the ball, in batches | optimistic, with a radius that carries κ      |
| `cr-eluder-ucb`      | least squares, weighted by uncertainty     | optimistic, with a radius for the whole class |
| `gadaoful`           | Huber regression, weighted                 | optimistic, with a radius that carries κ      |
| `greedy`             | that of `glb-omd-tuned`                    | the best one under the estimate               |
| `uniform`            | none                                       | any                                           |

Every module says where its algorithms come from and the standing of every constant, "as published" or "derived here";
each refuses what its theorem does not cover.  `NAME+unknown-C` is a learner that is not told C and has those of this
name as base learners (`unknown_budget`).  Another one is a module like `glm_ucb`: constants, `observe` and where needed
`choose` as kernels (`core.engine` has the contract), a `start`, and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, play
from glbcheck.core.environment.world import World
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.names import OURS, SCOUTED, SUFFIX
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import Algorithm
from glbcheck.core.rivals.cr_eluder_ucb import CR_ELUDER_UCB
from glbcheck.core.rivals.gadaoful import GADAOFUL
from glbcheck.core.rivals.glm_ucb import GLM_UCB
from glbcheck.core.rivals.linear import CW_OFUL, OFUL, WEIGHTED_OFUL_PLUS
from glbcheck.core.rivals.mirror_descent import (
    GLB_OMD,
    GLB_OMD_TUNED,
    GREEDY,
    HCW_GLB_OMD,
    HCW_GLB_OMD_SCOUT,
    UNIFORM,
)  # fmt: skip
from glbcheck.core.rivals.mor_ucb import MOR_UCB
from glbcheck.core.rivals.unknown_budget import check_base, select

ALGORITHMS: Mapping[str, Algorithm] = {
    OURS: HCW_GLB_OMD,
    SCOUTED: HCW_GLB_OMD_SCOUT,
    "glb-omd": GLB_OMD,
    "glb-omd-tuned": GLB_OMD_TUNED,
    "oful": OFUL,
    "cw-oful": CW_OFUL,
    "weighted-oful-plus": WEIGHTED_OFUL_PLUS,
    "mor-ucb": MOR_UCB,
    "glm-ucb": GLM_UCB,
    "cr-eluder-ucb": CR_ELUDER_UCB,
    "gadaoful": GADAOFUL,
    "greedy": GREEDY,
    "uniform": UNIFORM,
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
    if name != base:
        check_base(name, ALGORITHMS[base])
    return ALGORITHMS[base]


def run(
    name: str,
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...] = (),
    checkpoints: Sequence[int] = (),
    record: bool = False,
) -> Outcome:
    """Play `rounds` rounds; `p` is told to each algorithm as far as it listens.

    What has no meaning for an algorithm is NaN, or 0 where it counts rounds; of a run without an estimate
    there is no record.
    """
    return play_episode(name, p, Episode(world, rounds, seed, key), checkpoints, record)


def play_episode(
    name: str, p: Parameters, episode: Episode, checkpoints: Sequence[int] = (), record: bool = False
) -> Outcome:
    """The same for an episode."""
    chosen = check(name, p)
    if chosen.one_dispersion:
        low, high = episode.dispersion_range
        check(name, p, varies=low < high)
    if name.endswith(SUFFIX):
        found = select(chosen, p, episode, checkpoints).outcome
        return replace(chosen, confident=False).masked(found)
    return chosen.masked(play(chosen.start(p, episode), p, episode, checkpoints, record))
