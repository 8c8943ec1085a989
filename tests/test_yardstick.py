"""The numpy learner that the engine is timed against plays what the references play."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.competitors.mirror_descent import published
from glbcheck.core.parameters import parameters
from glbcheck.core.rivals.glb_omd import GLBOMD
from glbcheck.core.world import sphere

from benchmarks.numpy_learner import NumpyLearner

D, S, K, ROUNDS, SCALE = 3, 1.0, 12, 400, 0.02


@pytest.mark.parametrize("weighs", [True, False], ids=["the paper's learner", "GLB-OMD as published"])
@pytest.mark.parametrize("change", [True, False], ids=["arms that change", "arms that stay"])
def test_the_yardstick_plays_what_its_reference_plays(weighs: bool, change: bool) -> None:
    family, rng = catalog.get("bernoulli"), np.random.default_rng(4)
    p = parameters(family, D, S, 0.05, 0.0, 0.05, index="closed-form", radius_scale=SCALE)
    p = p if weighs else published(p, 1.0)
    quick = NumpyLearner(p, weighs)
    reference = (
        HCWGLBOMD(family, D, S, 0.05, 0.0, 0.05, index="closed-form", radius_scale=SCALE)
        if weighs
        else GLBOMD(family, D, S, 0.05, radius_scale=SCALE)
    )
    theta_star, sets = S * sphere(rng, 1, D)[0], 0.999 * sphere(rng, K * ROUNDS, D).reshape(ROUNDS, K, D)
    actions, weights = set(), set()
    for t in range(ROUNDS):
        arms = sets[t] if change else sets[0]
        k = quick.select(arms)
        assert reference.select(arms) == k
        weights.add(reference.weight(arms[k], 1.0))
        reward = float(rng.random() < family.mu(arms[k] @ theta_star))
        quick.update(arms[k], reward)
        reference.update(arms[k], reward)
        actions.add(k)
    np.testing.assert_allclose(quick.theta, reference.theta, rtol=1e-9)
    np.testing.assert_allclose(quick.H, reference.H, rtol=1e-9)
    assert quick.rho == pytest.approx(reference.radius, rel=1e-12)
    assert len(actions) > 2
    assert (min(weights) < 1) == weighs
