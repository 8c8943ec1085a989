"""A whole run of a learner against a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import mirror_descent, scouting
from glbcheck.core.engine.feed import Course, Feed, beyond
from glbcheck.core.engine.rounds import REFUSED, Rounds
from glbcheck.core.engine.state import initial, views
from glbcheck.core.engine.tally import RECORDED, SUMS, Tape, blank
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.environment.world import World
from glbcheck.core.parameters import Parameters


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind, in constant memory; `record` only if it was asked for.

    `worst_ratio` is the largest ‖θ_t - θ*‖ / radius_t, above 1 if and only if θ* was ever missed.
    `first_informative` is the first round in which C_t does not contain all of Θ (0: never).  The arrays
    hold one number per checkpoint: the regret after that round, and the radius, the error ‖θ_t - θ*‖ and the
    weight in it.  `optimal_variance` is Σ g μ' at the best arms, `inverse_g` is Σ 1/g.
    """

    rounds: int
    regret: float
    regret_at: Floats
    radius_at: Floats
    error_at: Floats
    weight_at: Floats
    worst_ratio: float
    misses: int
    first_miss: int
    first_informative: int
    discounted: int
    smallest_weight: float
    projected: int
    corruption: float
    optimal_variance: float
    inverse_g: float
    g_min: float
    g_max: float
    theta: Floats
    H: Floats
    radius: float
    record: dict[str, Floats] | None


@dataclass(frozen=True)
class Player:
    """A learner before its first round: its compiled rounds, its state, and whatever else they work on."""

    rounds: Rounds
    state: Floats
    memory: Any = ()
    picks: bool = False  # does it draw arms at random?


def run(
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...] = (),
    checkpoints: Sequence[int] = (),
    record: bool = False,
    variant: Variant = CORRECT,
) -> Outcome:
    """Play `rounds` rounds of the paper's learner; `key` names the run among those of the same seed."""
    course = Course(world, rounds, seed, key)
    return played(player(p, course, variant), p, course, checkpoints, record)


def player(p: Parameters, course: Course, variant: Variant = CORRECT) -> Player:
    """The paper's learner, with a scout if the parameters say so."""
    if not p.scout:
        return Player(mirror_descent.ROUNDS[p.index], initial(p, variant))
    return Player(scouting.ROUNDS, initial(p, variant), scouting.company(p, course.rounds))


def played(player: Player, p: Parameters, course: Course, checkpoints: Sequence[int], record: bool) -> Outcome:
    """All rounds of the course, block after block."""
    feed = Feed(p, course, player.picks)
    places = np.array(sorted(set(checkpoints)), dtype=np.int64)
    tape = blank(p.d, places, course.rounds if record else 0)
    done = 0
    while done < course.rounds:
        block = feed.block(done, goes_on=done > 0)
        first = 0
        while first < block.dispersions.size:
            feed.refill()
            first = player.rounds(player.state, player.memory, feed.truth, block, tape, first)
            if first == REFUSED:
                raise beyond()
        done += first
    return outcome_of(player.state, tape, record)


_SUMS = {
    field.name: (place, int if field.type == "int" else float)
    for field in fields(Outcome)
    for place, name in enumerate(SUMS.names or ())
    if name == field.name
}


def outcome_of(state: Floats, tape: Tape, record: bool) -> Outcome:
    """What the rounds wrote down, by name."""
    learner, values = views(state), cast("np.record", tape.sums).tolist()
    sums: dict[str, Any] = {name: kind(values[place]) for name, (place, kind) in _SUMS.items()}
    regret_at, radius_at, error_at, weight_at = tape.marks.T.copy()
    return Outcome(
        **sums,
        regret_at=regret_at,
        radius_at=radius_at,
        error_at=error_at,
        weight_at=weight_at,
        theta=np.array(learner.theta),
        H=np.array(learner.H),
        radius=float(learner.facts.radius),
        record=dict(zip(RECORDED, tape.record.T.copy(), strict=True)) if record else None,
    )
