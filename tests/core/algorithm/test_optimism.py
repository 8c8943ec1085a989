"""The optimistic value and the projection: against other solvers, their certificates, and at the edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.algorithm.matrices import norm, secular_root
from glbcheck.core.algorithm.reference import omd_step, project
from glbcheck.core.arrays import Floats
from glbcheck.core.tolerances import TIE
from hypothesis import given, settings
from hypothesis import strategies as st

GAP = 1e-10  # distance between upper and lower bound, relative to S ‖x‖


def random_matrix(rng: np.random.Generator, d: int, decades: float, floor: float = 1.0) -> Floats:
    Q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    values = floor * 10.0 ** rng.uniform(0, decades, d)
    H = (Q * values) @ Q.T
    return np.asarray((H + H.T) / 2)


def random_set(rng: np.random.Generator, d: int, decades: float, S: float, reach: float, edge: bool) -> ConfidenceSet:
    """A set whose ellipsoid has semi-axes around `reach` times S; the centre on the sphere if `edge`."""
    H = random_matrix(rng, d, decades)
    center = rng.standard_normal(d)
    center *= S / norm(center) * (1.0 if edge else rng.random())
    typical = math.sqrt(float(np.median(np.linalg.eigvalsh(H))))
    return ConfidenceSet(center, H, reach * S * typical, S, 0.5)


@st.composite
def sets(draw: st.DrawFn, largest: int = 12) -> tuple[ConfidenceSet, np.random.Generator]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return random_set(
        rng, d=draw(st.integers(1, largest)), decades=draw(st.sampled_from([0.0, 1.0, 4.0, 8.0])),
        S=draw(st.sampled_from([1e-3, 1.0, 50.0])),
        reach=draw(st.sampled_from([1e-6, 1e-2, 0.3, 1.0, 1.7, 5.0, 1e6])), edge=draw(st.booleans()),
    ), rng  # fmt: skip


# --- one arm --------------------------------------------------------------------------------------------


@settings(max_examples=250, deadline=None, derandomize=True)
@given(sets())
def test_every_value_comes_with_a_feasible_point_that_attains_it(case: Any) -> None:
    region, rng = case
    x = rng.standard_normal(region.center.size)
    x /= max(norm(x), 1.0)
    found = region.optimum(x)
    scale = region.S * norm(x)
    assert found.gap <= GAP * scale
    assert norm(found.point) <= region.S * (1 + 1e-11)
    off = found.point - region.center
    # Measured with H itself, whose entries carry rounding relative to its largest.
    size = float(np.abs(region.H).max())
    assert off @ region.H @ off <= region.radius**2 * (1 + 1e-9) + 1e-13 * size * region.S**2
    assert x @ found.point == pytest.approx(found.value, abs=2 * GAP * scale)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(sets())
def test_no_feasible_point_does_better(case: Any) -> None:
    region, rng = case
    d = region.center.size
    x = rng.standard_normal(d)
    value = region.optimum(x).value
    whitened = np.linalg.inv(np.linalg.cholesky(region.H)).T
    for _ in range(50):
        v = rng.standard_normal(d)
        point = region.center + region.radius * rng.random() ** (1 / d) * (whitened @ v) / norm(v)
        if norm(point) <= region.S:
            assert x @ point <= value + 1e-9 * region.S * norm(x)


@pytest.mark.parametrize("seed", range(10))
def test_values_agree_with_a_fine_walk_around_the_boundary_in_the_plane(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    region = random_set(rng, 2, 1.0, 2.0, [0.5, 1.0, 1.5, 3.0, 0.1][seed % 5], edge=seed % 3 == 0)
    angle = np.linspace(0, 2 * np.pi, 400_001)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    on_ball = region.S * circle
    on_ellipse = region.center[:, None] + region.radius * np.linalg.solve(np.linalg.cholesky(region.H).T, circle)
    off = on_ball - region.center[:, None]
    inside = on_ball[:, np.einsum("ik,ij,jk->k", off, region.H, off) <= region.radius**2]
    inside = np.concatenate([inside, on_ellipse[:, np.sum(on_ellipse**2, axis=0) <= region.S**2]], axis=1)
    for x in rng.standard_normal((5, 2)):
        brute = float((x @ inside).max())
        assert brute <= region.optimum(x).value + 1e-12
        assert region.optimum(x).value == pytest.approx(brute, abs=1e-4 * region.S * norm(x))


def test_the_edges_are_values_and_not_accidents() -> None:
    center = np.array([0.6, 0.0])
    region = ConfidenceSet(center, np.eye(2), 0.3, 1.0, 1.0)
    x = np.array([1.0, 0.0])
    assert region.optimum(np.zeros(2)).value == 0.0
    assert region.optimum(x).value == pytest.approx(0.9)
    assert ConfidenceSet(center, np.eye(2), 0.0, 1.0, 1.0).optimum(x).value == pytest.approx(0.6)
    assert ConfidenceSet(center, np.eye(2), 1e30, 1.0, 1.0).optimum(x).value == pytest.approx(1.0)
    on_sphere = ConfidenceSet(np.array([1.0, 0.0]), np.eye(2), 0.5, 1.0, 1.0)
    assert on_sphere.optimum(x).value == pytest.approx(1.0)
    # The chord where the two circles meet: ‖θ‖ = 1 and ‖θ - e_1‖ = 1/2.
    assert on_sphere.optimum(np.array([0.0, 1.0])).value == pytest.approx(math.sqrt(1 - 0.875**2), abs=1e-12)
    line = ConfidenceSet(np.array([0.5]), np.array([[4.0]]), 0.4, 1.0, 4.0)
    assert line.optimum(np.array([-1.0])).value == pytest.approx(-0.3)
    assert line.optimum(np.array([1.0])).value == pytest.approx(0.7)


# --- all arms -------------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None, derandomize=True)
@given(sets(largest=6), st.integers(1, 15))
def test_screening_never_changes_the_choice(case: Any, K: int) -> None:
    region, rng = case
    arms = rng.standard_normal((K, region.center.size))
    arms /= np.linalg.norm(arms, axis=1)[:, None]
    arms *= rng.choice([1.0, 1.0, 0.5, 0.0], size=(K, 1))
    values = np.array([region.optimum(x).value for x in arms])
    scale = float((region.S * np.linalg.norm(arms, axis=1)).max())
    tied = np.flatnonzero(values >= values.max() - TIE * scale)
    widths = np.array([norm(region.whitener @ arms[k]) for k in tied])
    assert region.best(arms) == tied[np.flatnonzero(widths**2 >= (1 - TIE) * widths.max() ** 2)[0]]


def test_of_equal_arms_the_first_is_taken() -> None:
    rng = np.random.default_rng(4)
    region = random_set(rng, 4, 2.0, 1.0, 1.0, False)
    x = np.array([0.3, -0.2, 0.1, 0.5])
    pair = np.stack([0 * x, x, x])
    assert region.best(np.stack([0.1 * x, x, x])) == most_uncertain(
        *region.closed_form(pair), region.squared_norms(pair)
    )
    # While the set contains the whole ball, all unit arms are equally plausible.
    everything = ConfidenceSet(np.zeros(4), np.eye(4), 10.0, 1.0, 1.0)
    arms = rng.standard_normal((30, 4))
    assert everything.best(arms / np.linalg.norm(arms, axis=1)[:, None]) == 0


def test_of_equally_plausible_arms_the_most_uncertain_is_taken() -> None:
    known = ConfidenceSet(np.zeros(3), np.diag([9.0, 4.0, 5.0]), 10.0, 1.0, 4.0)  # contains the whole ball
    assert known.best(np.eye(3)) == 1
    # The arms are known equally well; neither the first nor the widest wins, but the widest of those that tie.
    assert most_uncertain(np.array([1.0, 2.0, 2.0, 2.0 - 1e-12]), 2.0, np.array([9.0, 1.0, 3.0, 3.0])) == 2


# --- the whole ball -------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None, derandomize=True)
@given(sets())
def test_the_farthest_point_of_the_ball_is_farther_than_any_sampled_one(case: Any) -> None:
    region, rng = case
    farthest = region.farthest()
    d = region.center.size
    points = rng.standard_normal((200, d))
    points *= region.S / np.linalg.norm(points, axis=1)[:, None]
    # Walk each sample uphill: the gradient of a convex function, back on the sphere.
    for _ in range(200):
        points = (points - region.center) @ region.H
        points *= region.S / np.maximum(np.linalg.norm(points, axis=1), 1e-300)[:, None]
    reached = max(region.distance(p) for p in points)
    assert reached <= farthest * (1 + 1e-9)
    assert farthest == pytest.approx(reached, rel=1e-3)
    assert region.covers_ball() == (farthest <= region.radius)


def test_the_farthest_point_when_the_centre_has_no_part_along_the_long_axis() -> None:
    H = np.diag([1.0, 9.0])
    assert ConfidenceSet(np.zeros(2), H, 1.0, 2.0, 1.0).farthest() == pytest.approx(6.0)
    # max (a - 1)² + 9 b² on a² + b² = 4: at a = -1/8.
    a = -1 / 8
    expected = math.sqrt((a - 1) ** 2 + 9 * (4 - a * a))
    assert ConfidenceSet(np.array([1.0, 0.0]), H, 1.0, 2.0, 1.0).farthest() == pytest.approx(expected)


# --- the projection -------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**32 - 1), st.integers(1, 20), st.sampled_from([0.0, 2.0, 6.0]),
    st.sampled_from([1e-3, 1.0, 50.0]), st.sampled_from([1e-3, 1.0, 1e3, 1e6, 1e90]),
)  # fmt: skip
def test_a_step_meets_the_optimality_conditions(seed: int, d: int, decades: float, S: float, push: float) -> None:
    rng = np.random.default_rng(seed)
    H = random_matrix(rng, d, decades)
    theta = rng.standard_normal(d)
    theta *= S * rng.random() / norm(theta)
    x = rng.standard_normal(d) / math.sqrt(d)
    s, a, eta = push * float(rng.standard_normal()), float(rng.random()), 1 + float(rng.random())
    step = omd_step(theta, H, x, np.asarray(np.linalg.solve(H, x), dtype=float), s, a, eta, 0.5, S)
    M = H / eta + a * np.outer(x, x)
    c = M @ theta - s * x
    assert norm(step.theta) <= S
    assert step.multiplier >= 0
    pull = (M @ step.theta + step.multiplier * step.theta - c) / np.abs(c).max()
    tolerance = 1e-9 if step.projected else 1e-15 * 10**decades + 1e-12
    assert norm(pull) <= tolerance * max(1.0, float(np.abs(M).max()) * S / np.abs(c).max())
    if step.projected:
        assert norm(step.theta) == pytest.approx(S, rel=1e-12)
        assert step.residual <= 1e-9


def test_the_projection_is_the_nearest_point_in_its_norm_and_not_in_another() -> None:
    M = np.diag([1.0, 100.0])
    outside = np.array([2.0, 2.0])
    step = project(M, M @ outside, 1.0, 1.0)
    angle = np.linspace(0, 2 * np.pi, 1_000_001)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    off = circle - outside[:, None]
    nearest = circle[:, int(np.argmin(np.einsum("ik,ij,jk->k", off, M, off)))]
    assert np.allclose(step.theta, nearest, atol=1e-5)
    assert not np.allclose(step.theta, outside / norm(outside), atol=0.1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.floats(1e-6, 1e6), st.floats(0, 12))
def test_the_secular_root_brings_the_norm_down_to_the_radius(seed: int, d: int, radius: float, decades: float) -> None:
    rng = np.random.default_rng(seed)
    c = rng.standard_normal(d) * 10.0 ** rng.uniform(-decades, decades, d)
    poles = 10.0 ** rng.uniform(-decades, decades, d)
    nu = secular_root(c, poles, radius)
    if norm(c / poles) > radius * (1 + 1e-12):
        assert norm(c / (poles + nu)) == pytest.approx(radius, rel=1e-9)
    elif norm(c / poles) < radius:
        assert nu == 0
