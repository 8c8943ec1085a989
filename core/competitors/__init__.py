"""All bandit algorithms on the same instances: the same arms, dispersions and streams of rewards.

| name          | estimate                                   | arm                                           |
|---------------|--------------------------------------------|-----------------------------------------------|
| `hcw-glb-omd` | the paper's                                | the paper's                                   |
| `glb-omd`     | the same without weights                   | optimistic, with the best radius for C = 0    |
| `cw-oful`     | ridge regression, weighted; linear link    | optimistic, with a radius that knows C        |
| `glm-ucb`     | maximum likelihood on the ball, in batches | optimistic, with a radius that carries κ      |
| `greedy`      | that of `glb-omd`                          | the best one under the estimate               |
| `uniform`     | none                                       | any                                           |

`NAME+unknown-C` is a learner that is not told C and has those of this name as base learners (`unknown_budget`).
Another one is a file like `ridge`: a compiled `learn` for `core.engine.rounds`, a `start`, and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.glm_ucb import GLM_UCB
from glbcheck.core.competitors.mirror_descent import GLB_OMD, GREEDY, HCW_GLB_OMD
from glbcheck.core.competitors.ridge import CW_OFUL
from glbcheck.core.competitors.uniform import UNIFORM
from glbcheck.core.competitors.unknown_budget import SUFFIX, refuse, select
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import Outcome, played
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters
from glbcheck.core.world import World

COMPETITORS: Mapping[str, Competitor] = {
    "hcw-glb-omd": HCW_GLB_OMD,
    "glb-omd": GLB_OMD,
    "cw-oful": CW_OFUL,
    "glm-ucb": GLM_UCB,
    "greedy": GREEDY,
    "uniform": UNIFORM,
}
NAMES = tuple(COMPETITORS)


def check(name: str, p: Parameters) -> Competitor:
    """The algorithm of this name; refused if it does not exist or does not fit the family."""
    base = name.removesuffix(SUFFIX)
    if base not in COMPETITORS:
        raise BadInput("algorithm", name, "one of " + ", ".join(NAMES) + f", with {SUFFIX} or without")
    COMPETITORS[base].refuse(p)
    if name != base:
        refuse(name, COMPETITORS[base])
    return COMPETITORS[base]


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
    chosen, course = check(name, p), Course(world, rounds, seed, key)
    if name.endswith(SUFFIX):
        found = select(chosen, p, course, checkpoints).outcome
        return replace(chosen, confident=False).honest(found)
    return chosen.honest(played(chosen.start(p, course), p, course, checkpoints, record))
