"""One update of the engine's learner, against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link, mirror_descent, state
from glbcheck.core.engine.factor import factorise
from glbcheck.core.engine.mirror_descent import grow, is_due, update
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.parameters import RadiusForm, parameters
from scipy.optimize import brentq

FAMILY = catalog.get("bernoulli")
X, G = np.array([0.6, 0.8]), 0.5


def begun(variant: Variant = CORRECT, radius_form: RadiusForm = "sum") -> state.Learner:
    p = parameters(FAMILY, 2, 1.0, 0.05, 0.0, reading="repaired", radius_form=radius_form)
    learner = state.views(state.initial(p, variant))
    learner.theta[:] = (0.5, -0.1)
    return learner


def updated(learner: state.Learner, reward: float, x: Floats = X) -> float:
    return float(update(learner, link.pack(FAMILY, 1.0), x, reward, G))


def H_of(learner: state.Learner) -> Floats:
    L = np.tril(learner.lower, -1) + np.eye(2)
    return L.T @ np.diag(1 / learner.inverse_d) @ L


def on_sphere(learner: state.Learner, reward: float) -> Floats:
    """The minimiser of the loss at the coming update, on the sphere."""
    z, eta, theta = float(X @ learner.theta), learner.facts.eta, np.array(learner.theta)
    slope, curvature = (float(FAMILY.mu(z)) - reward) / G, float(FAMILY.dmu(z)) / G
    M = learner.H / eta + curvature * np.outer(X, X)
    b = M @ theta - slope * X

    def at(nu: float) -> Floats:
        return np.asarray(np.linalg.solve(M + nu * np.eye(2), b))

    return at(brentq(lambda nu: np.linalg.norm(at(nu)) - 1.0, 0.0, 1e9, xtol=1e-12, rtol=1e-14))


@pytest.mark.parametrize("scale", [1.0, 30.0])
@pytest.mark.parametrize("reward", [4.0, 1e4])
def test_a_step_that_leaves_the_ball_ends_in_the_minimiser_on_the_sphere(scale: float, reward: float) -> None:
    learner = begun()
    learner.theta[:] = (0.79, 0.59)
    learner.H[:] = scale * learner.facts.lam * np.eye(2)
    factorise(learner.H, 0.0, learner.facts.lam, learner.lower, learner.inverse_d)
    expected = on_sphere(learner, reward * scale)
    updated(learner, reward * scale)
    np.testing.assert_allclose(learner.theta, expected, rtol=1e-9)
    assert learner.facts.projected == 1.0


@pytest.mark.parametrize("old", [True, False])
def test_the_curvature_is_that_of_the_new_iterate_or_of_the_old_one(old: bool) -> None:
    learner = begun(Variant(old_hessian=old))
    before = np.array(learner.theta)
    c = updated(learner, 1.0)
    at = before if old else learner.theta
    assert c == pytest.approx(float(FAMILY.dmu(float(X @ at))) / G, rel=1e-9)
    assert float(FAMILY.dmu(float(X @ before))) != pytest.approx(float(FAMILY.dmu(float(X @ learner.theta))), rel=1e-6)


def test_the_determinant_is_followed() -> None:
    learner = begun(radius_form="determinant")
    first = np.linalg.slogdet(learner.H)[1]
    for reward in (1.0, 0.0, 1.0):
        updated(learner, reward)
    assert learner.facts.logdet == pytest.approx(np.linalg.slogdet(learner.H)[1] - first, rel=1e-9)


@pytest.mark.parametrize(("before", "due"), [(1, True), (2, False), (0, False), (-1, False)])
def test_factors_are_made_afresh_at_every_multiple_of_their_period(before: int, due: bool) -> None:
    learner = begun()
    learner.facts.rounds = float(mirror_descent.REFRESH - before)
    assert bool(is_due(learner.facts)) == due
    learner.inverse_d[0] *= 1.25  # a drift
    learner.work[state.REDUCED][:] = 0.0
    grow(learner, np.zeros(2), 0.0, 0.0)
    assert np.allclose(H_of(learner), learner.H, rtol=1e-12) == due
