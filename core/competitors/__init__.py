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

The readable versions of all but `glm-ucb` and the last two, with the source and the standing of every constant, are in
`core.rivals`; each refuses what its theorem does not cover.  `NAME+unknown-C` is a learner that is not told C and has
those of this name as base learners (`unknown_budget`).  Another one is a file like `ridge`: a compiled `learn` for
`core.engine.rounds`, a `start`, and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.cr_eluder_ucb import CR_ELUDER_UCB
from glbcheck.core.competitors.gadaoful import GADAOFUL
from glbcheck.core.competitors.glm_ucb import GLM_UCB
from glbcheck.core.competitors.mirror_descent import GLB_OMD, GLB_OMD_TUNED, GREEDY, HCW_GLB_OMD, HCW_GLB_OMD_SCOUT
from glbcheck.core.competitors.mor_ucb import MOR_UCB
from glbcheck.core.competitors.ridge import CW_OFUL, OFUL
from glbcheck.core.competitors.uniform import UNIFORM
from glbcheck.core.competitors.unknown_budget import refuse, select
from glbcheck.core.competitors.weighted_ridge import WEIGHTED_OFUL_PLUS
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.replicates import play_together
from glbcheck.core.engine.run import Outcome, played
from glbcheck.core.environment.world import World
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.names import OURS, SCOUTED, SUFFIX
from glbcheck.core.parameters import Parameters

COMPETITORS: Mapping[str, Competitor] = {
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
NAMES = tuple(COMPETITORS)


def known(name: str) -> str:
    """The name without a suffix; refused if no algorithm has it."""
    base = name.removesuffix(SUFFIX)
    if base not in COMPETITORS:
        raise BadInput("algorithm", name, f"{meant(base, NAMES)}one of {', '.join(NAMES)}, with {SUFFIX} or without")
    return base


def check(name: str, p: Parameters, varies: bool = False) -> Competitor:
    """The algorithm of this name; refused if it does not exist or does not fit the family, or dispersions that vary."""
    base = known(name)
    if varies and COMPETITORS[base].one_dispersion:
        raise BadInput("algorithm", name, "rewards that all have the same dispersion, not dispersions that vary")
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
    course = Course(world, rounds, seed, key)
    chosen = _checked(name, p, course)
    if name.endswith(SUFFIX):
        found = select(chosen, p, course, checkpoints).outcome
        return replace(chosen, confident=False).honest(found)
    return chosen.honest(played(chosen.start(p, course), p, course, checkpoints, record))


def run_several(name: str, p: Parameters, courses: Sequence[Course], checkpoints: Sequence[int] = ()) -> list[Outcome]:
    """Runs of one length against the same kind of world, in lockstep where the engine can.

    The numbers of a run do not depend on those beside it; in lockstep they are those of `run` up to the order of sums.
    """
    if name.endswith(SUFFIX):
        return [run(name, p, its.world, its.rounds, its.seed, its.key, checkpoints) for its in courses]
    chosen, *_ = [_checked(name, p, course) for course in courses]
    found = play_together(p, lambda course: chosen.start(p, course), courses, checkpoints)
    return [chosen.honest(outcome) for outcome in found]


def _checked(name: str, p: Parameters, course: Course) -> Competitor:
    chosen = check(name, p)
    if chosen.one_dispersion:
        low, high = course.dispersion_range()
        check(name, p, varies=low < high)
    return chosen
