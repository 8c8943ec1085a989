"""The fits of the refitting rivals: steps that overshoot, Hessians that bend down, minima on the sphere."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import play
from glbcheck.core.engine.state import THETA, vector
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.rivals import cr_eluder_ucb
from glbcheck.core.rivals.algorithm import OWN
from glbcheck.core.rivals.constrained_fit import DATA, FILLED

from tests.oracles.rivals.cr_eluder_ucb import CREluderUCB
from tests.oracles.rivals.descent import minimise_on_ball


def dish(theta: Floats) -> tuple[Floats, Floats]:
    """Of √(1 + θ²): gradient and Hessian."""
    size = np.sqrt(1 + theta**2)
    return theta / size, np.diag(size**-3)


def test_a_step_that_overshoots_is_cut_short() -> None:
    """From 1.2 Newton's method goes to the other end of the ball, and from there back again."""
    assert minimise_on_ball(dish, np.array([1.2]), 1.2, 0.1) == pytest.approx([0.0], abs=1e-7)


def slope_of(learner: CREluderUCB, theta: Floats, h: float = 1e-5) -> Floats:
    return np.array([(learner.loss(theta + h * e) - learner.loss(theta - h * e)) / (2 * h) for e in np.eye(2)])


def bent_down() -> CREluderUCB:
    """With data for which the loss bends down in many places."""
    rng = np.random.default_rng(2)
    learner = CREluderUCB(catalog.get("bernoulli"), 2, 5.0, horizon=100)
    for x in sphere(rng, 12, 2):
        learner.update(x, float(rng.random() < 0.5))
    return learner


WEAK, LARGE = np.array([[1.0, 0.0], [0.9, 0.05]]), 40.0


def hardly_known() -> CREluderUCB:
    """With rewards that ask for more than the ball has, of arms in nearly one direction."""
    learner = CREluderUCB(catalog.get("gaussian"), 2, 1.0, horizon=9)
    for x in WEAK:
        learner.update(x, LARGE)
    return learner


def test_a_fit_on_the_sphere_is_stationary_there_although_one_direction_is_hardly_known() -> None:
    learner = hardly_known()
    theta = learner.theta
    slope = learner.constants.ridge * theta + WEAK.T @ (WEAK @ theta - LARGE)
    assert np.linalg.norm(theta) == pytest.approx(1.0)
    np.testing.assert_allclose(slope, (slope @ theta) * theta, atol=1e-7)
    assert slope @ theta < 0


def test_where_a_fit_ends_inside_the_ball_the_loss_is_flat() -> None:
    learner = CREluderUCB(catalog.get("gaussian"), 2, 1.0, horizon=9)
    for x in WEAK:
        learner.update(x, 0.4)
    assert 0.1 < np.linalg.norm(learner.theta) < 0.9
    assert slope_of(learner, learner.theta) == pytest.approx([0.0, 0.0], abs=1e-8)


# --- compiled ---------------------------------------------------------------------------------------------------------


def fitted(learner: CREluderUCB, start: Floats) -> Floats:
    """The compiled fit of the same data from the same start: all but the last are put there, the last is played."""
    p, use, (X, r, w) = learner.parameters, learner.constants, (np.array(c) for c in zip(*learner._rows, strict=True))
    n = len(r) - 1
    agent = cr_eluder_ucb.agent(p, use, Episode(World(np.zeros(2), X[:, None]), n + 1, 1))
    now = agent.state[int(agent.state[OWN]) :]
    t = int(now[OWN])
    vector(now, THETA)[:], now[t + FILLED] = start, n
    data = int(now[t + DATA])
    now[data : data + 4 * n] = np.column_stack([X, w, w * r])[:n].ravel()
    pays = World(np.zeros(2), X[n:][None], rewards=lambda rng, first, count: r[n:][None])
    return play(agent, p, Episode(pays, 1, 1)).theta


def test_the_compiled_fit_goes_down_also_where_the_loss_bends_down() -> None:
    learner = bent_down()
    for start in 4.75 * sphere(np.random.default_rng(2), 10, 2):
        np.testing.assert_allclose(fitted(learner, start), learner.theta, atol=1e-6)


def test_a_compiled_fit_on_the_sphere_is_that_of_the_reference() -> None:
    learner = hardly_known()
    np.testing.assert_allclose(fitted(learner, np.zeros(2)), learner.theta, rtol=1e-9)
