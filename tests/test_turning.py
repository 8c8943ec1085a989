"""The end of an arm that is turned into C_t: nearly the maximiser, and checked to be there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.engine.state import POINT, SPARE, TARGET
from glbcheck.core.engine.turning import is_inside, turn_to_centre
from glbcheck.core.world import sphere

from tests.test_relaxation import Fair


@pytest.mark.parametrize(("length", "size"), [(0.6, 0.5), (0.9, 0.3), (0.97, 0.4), (1.0, 0.2)])
@pytest.mark.parametrize("S", [0.5, 2.0])
def test_a_turned_end_is_nearly_the_maximiser_and_just_in_C_t(length: float, size: float, S: float) -> None:
    below, beside, many = [], [], 0
    for seed in range(60):
        fair = Fair(seed, length, size, 4, S)
        now, x = fair.learner, 0.8 * sphere(fair.rng, 1, 4)
        best = fair.region().optimum(x[0])
        fair.show(x)
        fair.arms.length[0] = 0.8
        now.work[TARGET][:] = now.H @ now.theta
        if fair.arms.closed[0] < 0.8 * S or fair.region().distance(x[0] / 0.8 * S) < now.facts.radius:
            continue  # one constraint decides
        nu, point = turn_to_centre(now, fair.arms, 0), now.work[POINT]
        np.testing.assert_allclose(now.work[SPARE], point - now.theta, rtol=1e-12, atol=1e-12)
        if not is_inside(now):
            continue
        many += 1
        assert np.linalg.norm(point) == pytest.approx(S, rel=1e-12)
        assert fair.region().distance(point) == pytest.approx(now.facts.radius, rel=1e-3)
        below.append((best.value - x[0] @ point) / S)
        pulls = np.stack([now.H @ (best.point - now.theta), best.point])
        (weight, more), *_ = np.linalg.lstsq(pulls.T, x[0])
        beside.append(abs(math.log(nu * weight / more)) if nu * weight * more > 0.0 else math.inf)
        assert below[-1] > -1e-12
    assert many >= 3
    assert np.median(below) < 0.05
    assert np.median(beside) < 0.6


@pytest.mark.parametrize("S", [0.5, 2.0])
def test_in_the_plane_a_turned_end_is_the_maximiser_and_has_its_multiplier(S: float) -> None:
    many = 0
    for seed in range(40):
        fair = Fair(seed, 0.9, 0.3, 2, S)
        now, x = fair.learner, 0.8 * sphere(fair.rng, 1, 2)
        best = fair.region().optimum(x[0])
        fair.show(x)
        fair.arms.length[0] = 0.8
        now.work[TARGET][:] = now.H @ now.theta
        pulls = np.stack([now.H @ (best.point - now.theta), best.point])
        weight, more = np.linalg.solve(pulls.T, x[0])
        if abs(np.linalg.norm(best.point) / S - 1.0) > 1e-9 or not 1e4 * weight > more > 0.05 * weight > 0.0:
            continue  # one constraint decides
        nu = turn_to_centre(now, fair.arms, 0)
        if is_inside(now):
            many += 1
            assert nu == pytest.approx(more / weight, rel=0.05)
            np.testing.assert_allclose(now.work[POINT], best.point, atol=2e-3 * S)
    assert many >= 4


@pytest.mark.parametrize("S", [0.5, 3.0])
def test_a_turned_point_counts_if_it_is_in_the_ball_and_in_the_ellipsoid(S: float) -> None:
    fair = Fair(3, 0.5, 0.5, 3, S)
    now, v = fair.learner, sphere(fair.rng, 1, 3)[0]
    for reach, length in ((1 - 1e-9, 1 - 1e-9), (1 + 1e-9, 0.5), (0.5, 1 + 1e-9), (1 - 1e-9, 0.5), (0.5, 1 - 1e-9)):
        now.work[SPARE][:] = reach * float(now.facts.radius) / math.sqrt(v @ now.H @ v) * v
        now.work[POINT][:] = length * S * v
        assert is_inside(now) == (max(reach, length) < 1)
