"""The fits of the refitting rivals: steps that overshoot, Hessians that bend down, minima on the sphere."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.rivals import descent
from glbcheck.core.rivals.cr_eluder_ucb import CREluderUCB
from glbcheck.core.rivals.descent import minimise_on_ball
from glbcheck.core.world import sphere


def dish(theta: Floats) -> tuple[Floats, Floats]:
    """Of √(1 + θ²): gradient and Hessian."""
    size = np.sqrt(1 + theta**2)
    return theta / size, np.diag(size**-3)


def test_a_step_that_overshoots_is_cut_short() -> None:
    """From 1.2 Newton's method goes to the other end of the ball, and from there back again."""
    assert minimise_on_ball(dish, np.array([1.2]), 1.2, 0.1) == pytest.approx([0.0], abs=1e-7)


def slope_of(learner: CREluderUCB, theta: Floats, h: float = 1e-5) -> Floats:
    return np.array([(learner.loss(theta + h * e) - learner.loss(theta - h * e)) / (2 * h) for e in np.eye(2)])


def test_the_fit_of_cr_eluder_ucb_goes_down_also_where_its_loss_bends_down() -> None:
    rng = np.random.default_rng(2)
    learner = CREluderUCB(catalog.get("bernoulli"), 2, 5.0, horizon=100)
    for x in sphere(rng, 12, 2):
        learner.update(x, float(rng.random() < 0.5))
    least, bent = learner.loss(learner.theta), 0
    for start in 4.75 * sphere(rng, 10, 2):
        h = 1e-3
        slopes = [(slope_of(learner, start + h * e) - slope_of(learner, start - h * e)) / (2 * h) for e in np.eye(2)]
        values = np.linalg.eigvalsh(np.array(slopes))
        bent += values[0] < 0 < values[1]
        learner._become(start)
        end = learner._fit()
        assert learner.loss(end) <= learner.loss(start)
        assert learner.loss(end) == pytest.approx(least)
    assert bent


def test_a_descent_whose_steps_run_out_ends_where_it_has_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "STEPS", 1)
    assert minimise_on_ball(dish, np.array([1.2]), 1.2, 0.1) == pytest.approx([0.0])  # half of the first step


def test_a_fit_on_the_sphere_is_stationary_there_although_one_direction_is_hardly_known() -> None:
    learner = CREluderUCB(catalog.get("gaussian"), 2, 1.0, horizon=9)
    X, r = np.array([[1.0, 0.0], [0.9, 0.05]]), 40.0
    for x in X:
        learner.update(x, r)
    theta = learner.theta
    slope = learner.constants.ridge * theta + X.T @ (X @ theta - r)
    assert np.linalg.norm(theta) == pytest.approx(1.0)
    np.testing.assert_allclose(slope, (slope @ theta) * theta, atol=1e-7)
    assert slope @ theta < 0
