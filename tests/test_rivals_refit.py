"""The rivals that fit all their data again: reference against engine, special cases, coverage, refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from glbcheck.core import adversary, catalog, competitors
from glbcheck.core.arrays import Floats
from glbcheck.core.binomial import alarm_threshold
from glbcheck.core.competitors import cr_eluder_ucb as compiled_eluder
from glbcheck.core.competitors import gadaoful as compiled_huber
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import Outcome, Player, played
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.rivals import cr_eluder_ucb, gadaoful
from glbcheck.core.rivals.cr_eluder_ucb import CREluderUCB
from glbcheck.core.rivals.gadaoful import GAdaOFUL
from glbcheck.core.world import ARMS, Blocks, World, changing, piece, sphere, stream
from scipy import optimize

Rival: TypeAlias = GAdaOFUL | CREluderUCB
D, K = 3, 5
SEED, KEY = 3, (2,)


def decades(rng: np.random.Generator, first: int, count: int) -> Floats:
    return np.asarray(10 ** rng.uniform(-1, 1, count))


def world_of(C: float = 0.0, moving: bool = True, g: float | Blocks = 1.0, d: int = D) -> World:
    rng = np.random.default_rng(6)
    theta = 0.8 * sphere(rng, 1, d)[0]
    arms = changing(K, d, 0.999) if moving else 0.999 * sphere(rng, K, d)
    return World(theta, arms, g, adversary.front_loaded(C))


def arms_of(world: World, rounds: int, d: int = D) -> Floats:
    if world.arms_stay:
        return np.broadcast_to(np.asarray(world.arms), (rounds, K, d))
    return piece(world.arms, stream(SEED, KEY, ARMS), 0, rounds)


def recorded(player: Player, p: Parameters, course: Course) -> tuple[Outcome, dict[str, Floats]]:
    outcome = played(player, p, course, (), True)
    assert outcome.record is not None
    return outcome, outcome.record


def huber(p: Parameters, course: Course, growth: float = 0.0, **changed: float) -> tuple[GAdaOFUL, Player]:
    """The reference and the compiled learner, with some constants changed."""
    g = course.dispersion_range()
    use = replace(gadaoful.constants(p, course.rounds, g, growth), **changed)
    slow = GAdaOFUL(p.family, p.d, p.S, p.delta, p.C, horizon=course.rounds, dispersions=g, radius_scale=p.radius_scale)
    slow.tuned(use)
    return slow, compiled_huber.player(p, use, course.rounds)


def eluder(p: Parameters, course: Course, growth: float = 0.0, **changed: float) -> tuple[CREluderUCB, Player]:
    g = course.dispersion_range()
    use = replace(cr_eluder_ucb.constants(p, course.rounds, g, growth), **changed)
    slow = CREluderUCB(
        p.family, p.d, p.S, p.delta, p.C, horizon=course.rounds, dispersions=g, radius_scale=p.radius_scale
    )
    slow.tuned(use)
    return slow, compiled_eluder.player(p, use, course)


MAKERS: dict[str, Callable[..., tuple[Any, Player]]] = {"gadaoful": huber, "cr-eluder-ucb": eluder}


# --- the reference and the engine -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rival", "name", "moving", "C", "g", "growth"), [
    ("gadaoful", "gaussian", True, 0.0, decades, 0.0), ("gadaoful", "gaussian", False, 60.0, 1.0, 0.0),
    ("gadaoful", "bernoulli", True, 30.0, 1.0, 0.0), ("gadaoful", "poisson", False, 200.0, 1.0, 0.1),
    ("cr-eluder-ucb", "gaussian", True, 60.0, decades, 0.0), ("cr-eluder-ucb", "gaussian", False, 0.0, 1.0, 0.0),
    ("cr-eluder-ucb", "bernoulli", True, 30.0, 1.0, 0.0), ("cr-eluder-ucb", "bernoulli", False, 30.0, 1.0, 0.1),
])  # fmt: skip
def test_the_engine_plays_the_reference(
    rival: str, name: str, moving: bool, C: float, g: float | Blocks, growth: float
) -> None:
    rounds = 270  # more than one block of a pass
    p = parameters(catalog.get(name), D, 1.0, 0.05, C, radius_scale=0.1)  # so small that the index has to be solved
    world = world_of(C, moving, g)
    course = Course(world, rounds, SEED, KEY)
    slow, player = MAKERS[rival](p, course, growth)
    outcome, rows = recorded(player, p, course)
    arms = arms_of(world, rounds)
    for t in range(rounds):
        k = int(rows["arm"][t])
        assert slow.select(arms[t]) == k
        assert slow.radius == pytest.approx(rows["radius"][t], rel=1e-9)
        off = slow.theta - world.theta_star
        assert math.sqrt(off @ slow.H @ off) == pytest.approx(rows["error"][t], rel=1e-9)
        assert slow.weight(arms[t, k], rows["dispersion"][t]) == pytest.approx(rows["weight"][t], rel=1e-9)
        slow.update(arms[t, k], rows["reward"][t] + rows["corruption"][t], rows["dispersion"][t])
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(outcome.H, slow.H, rtol=1e-9, atol=1e-10)
