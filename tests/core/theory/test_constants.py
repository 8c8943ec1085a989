"""The printed formulas, transcribed a second time, in three arithmetics; and the lower bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from glbcheck.core.enclosure import ball
from glbcheck.core.errors import BadInput
from glbcheck.core.theory import constants as k
from glbcheck.core.theory import lower_constants, sharpest
from hypothesis import given, settings
from hypothesis import strategies as st

VALUES: dict[str, Fraction] = {
    "d": Fraction(5), "S": Fraction(3, 2), "T": Fraction(1000), "C": Fraction(7), "delta": Fraction(1, 20),
    "alpha": Fraction(1, 3), "R_s": Fraction(4, 5), "L_mu": Fraction(1, 4), "kappa": Fraction(12),
    "g_min": Fraction(1, 10), "g_max": Fraction(3),
}  # fmt: skip
KINDS: dict[str, Callable[[Fraction], Any]] = {
    "float": float, "sympy": lambda q: sp.Rational(q.numerator, q.denominator), "ball": ball,
}  # fmt: skip


def setting(kind: str, use: k.Formulas = k.PAPER) -> k.Setting:
    return k.Setting(**{name: KINDS[kind](value) for name, value in VALUES.items()}, use=use)


def number(value: Any) -> float:
    return float(value.mid()) if hasattr(value, "mid") else float(value)


def printed(T: float = 1000.0) -> dict[str, float]:
    """The formulas of the paper written out once more, in floats, for the values above."""
    d, S, C, delta, alpha = 5.0, 1.5, 7.0, 0.05, 1 / 3
    R, L, kap, low, high = 0.8, 0.25, 12.0, 0.1, 3.0
    eta = 1 + R * S
    lam = max(14 * d * eta * R**2, 36 * eta**2 * alpha**2 * R**2 * S**2 * L**2, d / (4 * S**2))

    def rho(total: float) -> float:
        inside = 2 * eta * math.log(1 / delta) + d * (6 * eta**2 + eta) * math.log(1 + L * total / lam)
        return math.sqrt(inside + 4 * lam * S**2) + 2 * eta * alpha * C

    now, then = rho(900.0), rho(901.0)
    first = math.log(1 + T * L / (d * low * lam))
    g1 = 2 * now * math.sqrt(2 * d * (1 + L / low) * first)
    g2 = 4 * d * high * (1 + L / low) / alpha * now * first
    g3 = 12 * d * R * L * (kap * high + high / low) * then**2 * math.log(1 + T / (d * kap * low * lam))
    g4 = 12 * d * R * L * (kap / (math.sqrt(lam) * alpha) + 1) * then**2
    g4 *= math.log(1 + T * alpha / (d * kap * math.sqrt(lam)))
    rest = g2 + g3 + g4
    bound = 2 * g1 * math.sqrt(40.0) + 2 * g1 * math.sqrt(high * R * rest) + high * R * g1**2 + rest
    return {"lam": lam, "now": now, "then": then, "g1": g1, "g2": g2, "g3": g3, "g4": g4, "bound": bound}


@pytest.mark.parametrize("kind", KINDS)
def test_every_formula_is_the_printed_one_in_every_arithmetic(kind: str) -> None:
    s, expected, exact = setting(kind), printed(), KINDS[kind]
    now, then = s.radius(exact(Fraction(900))), s.radius(exact(Fraction(901)))
    found = {
        "lam": s.lam, "now": now, "then": then, "g1": k.gamma_1(s, now), "g2": k.gamma_2(s, now),
        "g3": k.gamma_3(s, then), "g4": k.gamma_4(s, then),
        "bound": k.regret_bound(s, exact(Fraction(40)), exact(Fraction(900)), exact(Fraction(901))),
    }  # fmt: skip
    for name, value in found.items():
        assert number(value) == pytest.approx(expected[name], rel=1e-13), name


@pytest.mark.parametrize("decides", [{"R_s": 3.0}, {"alpha": 20.0}, {"S": 0.01}])
def test_each_demand_on_the_regularisation_decides_once(decides: dict[str, float]) -> None:
    its = {"d": 3.0, "S": 1.25, "eta": 2.5, "alpha": 0.1, "R_s": 1.5, "L_mu": 0.25} | decides
    others = (6 * 2.5 * its["alpha"] * its["R_s"] * its["S"] * 0.25) ** 2, 3.0 / (2 * its["S"]) ** 2
    assert k.lam(**its) == pytest.approx(max(105 * its["R_s"] ** 2, *others))
    assert k.lam_repaired(**its) == pytest.approx(max(15 * its["R_s"] ** 2, *others))


def test_the_repaired_bound_written_out_a_second_time() -> None:
    d, S, T, alpha, R, L, kap, high = 5.0, 1.5, 1000.0, 1 / 3, 0.8, 0.25, 12.0, 3.0
    eta = 1 + R * S
    lam = max(6 * eta * R**2, 36 * eta**2 * alpha**2 * R**2 * S**2 * L**2, d / (4 * S**2))

    def logdet(total: float) -> float:
        return d * math.log(1 + L * total / (d * lam))

    def rho(total: float) -> float:
        inside = 2 * eta * math.log(20) + 81 * eta**2 * logdet(total) / 40 + 4 * lam * S**2
        return math.sqrt(inside) + 2 * eta * alpha * 7

    r, q, root = rho(900.0), rho(901.0), math.sqrt(lam)
    P = (1 + alpha * L / (2 * root)) * logdet(901.0)
    F = (kap / (root * alpha) + 1 / (2 * lam)) * d * math.log(1 + T * alpha / (d * kap * root))
    rest = 2 * r * P / alpha + 4 * R * L * q**2 * (kap * high * P + F)
    G, B = 2 * r * math.sqrt(P), high * R
    s = setting("float", k.REPAIRED)
    assert (s.lam, s.radius(900.0), s.radius(901.0)) == pytest.approx((lam, r, q))
    expected = G * math.sqrt(40.0) + G * math.sqrt(B * rest) + B * G**2 + rest
    assert k.regret_bound_repaired(s, 40.0, 901.0, r, q) == pytest.approx(expected)


def test_symbols_pass_through_as_symbols() -> None:
    R, S = sp.symbols("R S", positive=True)
    assert k.eta(R, S) == 1 + R * S
    a, g, u = sp.symbols("a g u", positive=True)
    assert k.weight(a, g, u) == a * g / sp.Max(u, a * g)


@pytest.mark.parametrize(
    ("alpha", "g", "norm", "expected"), [(1, 1, 0, 1), (1, 1, 2, 0.5), (2, 1, 2, 1), (1e-3, 1e-8, 1, 1e-11)]
)
def test_weights(alpha: float, g: float, norm: float, expected: float) -> None:
    assert k.weight(alpha, g, norm) == pytest.approx(expected)


def test_the_bound_of_a_linear_link_has_no_second_order() -> None:
    s = replace(setting("float"), R_s=0.0)
    expected = k.gamma_1(s, s.radius(9.0)) * math.sqrt(40.0) + k.gamma_2(s, s.radius(9.0))
    assert k.regret_bound(s, 40.0, 9.0, 10.0) == pytest.approx(expected)


def test_the_default_trust_is_that_of_the_theorem() -> None:
    assert k.alpha(4, 0.0) == 2.0
    assert k.alpha(4, 10.0) == pytest.approx(0.2)


# --- what is repaired ---------------------------------------------------------------------------------------


def potential(vectors: np.ndarray[Any, np.dtype[np.float64]], lam: float) -> float:
    V, total = lam * np.eye(vectors.shape[1]), 0.0
    for x in vectors:
        total += float(x @ np.linalg.solve(V, x))
        V += np.outer(x, x)
    return total


def test_the_printed_elliptical_potential_fails_where_the_repaired_one_holds() -> None:
    one = np.ones((1, 1))
    total = potential(one, 0.01)
    assert total > k.elliptical_potential(1, 1.0, 0.01, 1)
    assert total <= k.elliptical_potential_repaired(1, 1.0, 0.01, 1)
    assert k.elliptical_potential(3, 2.0, 0.5, 7) == pytest.approx(2 * 3 * (1 + 2) * math.log(1 + 14 / 1.5))
    assert k.elliptical_potential_repaired(3, 2.0, 0.5, 7) == pytest.approx(3 * (1 + 2) * math.log(1 + 14 / 1.5))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 40), st.floats(-4, 3), st.floats(-3, 3))
def test_the_repaired_elliptical_potential_holds(seed: int, d: int, t: int, a: float, b: float) -> None:
    rng = np.random.default_rng(seed)
    lam, X = 10.0**a, 10.0**b
    vectors = rng.standard_normal((t, d))
    vectors *= X * rng.choice([1.0, 0.3], (t, 1)) / np.linalg.norm(vectors, axis=1)[:, None]
    assert potential(vectors, lam) <= k.elliptical_potential_repaired(d, X**2, lam, t) * (1 + 1e-9)


@pytest.mark.parametrize("d", [1, 4])
def test_the_repaired_radius_is_smaller_than_the_printed_one(d: int) -> None:
    for inverse_g in (0.0, 1.0, 1e4):
        printed = k.PAPER.beta(d, 1.0, 0.05, 2.0, 30.0, 0.25, inverse_g)
        repaired = k.REPAIRED.beta(d, 1.0, 0.05, 2.0, 30.0, 0.25, inverse_g)
        assert repaired <= printed
    assert k.lam_repaired(d, 1.0, 2.0, 0.1, 1.0, 0.25) < k.lam(d, 1.0, 2.0, 0.1, 1.0, 0.25)


def test_the_repaired_regret_bound_does_not_grow_when_one_dispersion_becomes_tiny() -> None:
    usual = setting("float")
    tiny = replace(usual, g_min=1e-12)
    bounds = [k.regret_bound_repaired(s, 100.0, 1000.0, 30.0, 30.0) for s in (usual, tiny)]
    assert bounds[0] == bounds[1]
    printed = [k.regret_bound(s, 100.0, 1000.0, 1001.0) for s in (usual, tiny)]
    assert printed[1] > 1e3 * printed[0]


def test_readings_are_found_by_name() -> None:
    assert k.formulas("paper") is k.PAPER
    assert k.formulas("repaired") is k.REPAIRED
    with pytest.raises(BadInput, match="constants"):
        k.formulas("other")


# --- the lower bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("T", "L"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (2**20, 20), (2**20 + 1, 21)])
def test_the_number_of_bins_is_exact(T: int, L: int) -> None:
    assert k.number_of_bins(T) == L


def test_quantities_of_the_corruption_lower_bound() -> None:
    def mu(z: float) -> float:
        return 1 / (1 + math.exp(-z))

    Delta = lower_constants.gap(mu, 4.0, math.cos(0.2))
    assert Delta == pytest.approx(mu(4.0) - mu(4.0 * math.cos(0.2) ** 2))
    q = lower_constants.flip_probability(Delta, mu(4.0))
    assert (1 - q) * mu(4.0) == pytest.approx(mu(4.0 * math.cos(0.2) ** 2))


@pytest.mark.parametrize(
    ("d", "C", "Delta", "arm_free", "floor"),
    [
        (1, 8.0, 1.0, True, 0.0),
        (1, 8.0, 1.0, False, 0.0),
        (2, 8.0, 1.0, True, 4.0),
        (2, 1e9, 1.0, True, 2500.0),
        (2, 1e9, 1.0, False, 3750.0),
        (2, 8.0, 5.0, False, 48 / 1024),
        (2**20, 8.0, 5.0, False, 3750.0),
    ],
)
def test_the_floor_of_the_regret_under_corruption(d: int, C: float, Delta: float, arm_free: bool, floor: float) -> None:
    assert lower_constants.corruption_regret_floor(d, C, 10_000, Delta, arm_free) == pytest.approx(floor)


def test_floors_over_cubes_and_spheres_are_the_repaired_ones() -> None:
    assert lower_constants.capped_sum([0.5, 3.0, 2.0], 1.5) == pytest.approx(3.5)
    n, w, slope, stretch, c, V = 3.0, 0.1, 0.25, 1.5, 2.0, 40.0
    lost = 2 * w * math.sqrt(stretch * slope * V) / (3 * n * c)
    assert lower_constants.cube_floor(n, w, slope, stretch, c, V) == pytest.approx(
        slope * w * V * (1 - lost) / (stretch * c)
    )
    best = lower_constants.cube_radius(n, slope, stretch, c, V)
    floors = [lower_constants.cube_floor(n, f * best, slope, stretch, c, V) for f in (0.99, 1.0, 1.01)]
    assert max(floors) == floors[1] == pytest.approx(3 * n * math.sqrt(slope * V / stretch**3) / 8)
    assert lower_constants.sphere_step(0.7, stretch, c, V) == pytest.approx(0.7 * c / (2 * math.sqrt(stretch * V)))
    expected = 3 * math.sqrt(V / stretch**3) / (16 * (1 + 2 * 0.8 * 0.7))
    assert lower_constants.sphere_floor(4, 0.7, 0.8, stretch, V) == pytest.approx(expected)


def test_a_learner_that_is_not_told_its_budget_pays_half_of_the_rise_from_the_stated_budget_on() -> None:
    d, Delta, rise, clean = 4, 0.3, 0.2, 50.0
    T = 4 * clean / ((d - 1) * Delta)
    budget = lower_constants.budget_of_linear_regret(d, Delta, rise, clean)
    assert budget == pytest.approx(4 * 0.5 * 50 / (3 * 0.3))
    assert lower_constants.unknown_budget_floor(d, budget, T, Delta, rise, clean) == pytest.approx(rise * T / 2)
    pulls = clean / (3 * 0.3) * (1 + 1000 * 0.5 / 70)
    assert lower_constants.unknown_budget_floor(d, 70.0, 1000, Delta, rise, clean) == pytest.approx(
        0.2 * (1000 - pulls)
    )


# --- the sharpest constants ---------------------------------------------------------------------------------


@pytest.mark.parametrize("g_min", [0.02, 0.5])
def test_the_sharpest_confidence_sequence_written_out_a_second_time(g_min: float) -> None:
    eta, S, R, bend, alpha, lam = 1.7, 1.5, 0.8, 0.3, 0.4, 60.0
    by_weights, by_dispersion = 2 * eta * alpha * S * bend / math.sqrt(lam), 2 * eta * S * bend / (lam * g_min)
    assert (by_weights < by_dispersion) == (g_min == 0.02)
    eps = sharpest.moves_spent(eta, S, bend, alpha, lam, g_min)
    assert eps == pytest.approx(min(by_weights, by_dispersion))
    floor = sharpest.lam_floor_by_weights(eta, S, R, bend, alpha)
    assert (1 - 2 * eta * alpha * S * bend / math.sqrt(floor)) * floor == pytest.approx(eta * R**2)
    floor = sharpest.lam_floor_by_dispersion(eta, S, R, bend, g_min)
    assert (1 - 2 * eta * S * bend / (floor * g_min)) * floor == pytest.approx(eta * R**2)
    assert sharpest.mixture_reach(eta, R, 0.25, lam) == pytest.approx(R * math.sqrt(eta / 0.75 / lam))
    assert sharpest.mixture_excess(0.5) == pytest.approx(1 + 4 / 15 + 21 / 200)
    assert sharpest.beta_base(S, 0.1, eta, lam, 0.25) == pytest.approx(2 * eta * math.log(10) + lam * 1.75**2)
    assert sharpest.beta_slope(eta, 0.25, 1.2) == pytest.approx(1.2 * eta**2 / 0.75)
    x = sharpest.radius(7.0, 3.0)
    assert x**2 == pytest.approx(7 + 6 * x)


@pytest.mark.parametrize("g_min", [0.02, 0.5])
def test_the_sharpest_regret_bound_written_out_a_second_time(g_min: float) -> None:
    growth = sharpest.largest_growth(0.4, 0.25, 60.0, g_min)
    assert growth == pytest.approx(0.1 / math.sqrt(60) if g_min == 0.02 else 0.25 / 30)
    assert sharpest.potential_ratio(0.5) == pytest.approx(0.5 / math.log(1.5))
    squares = (3 + 0.7**2) * 5 + 2 * 5 * (5 + 0.2) / 2
    assert sharpest.radii_summed(3.0, 2.0, 0.7, 5.0, 0.2) == pytest.approx((math.sqrt(squares) + 0.7 * 5**0.5) ** 2)
    assert sharpest.second_order(0.3, 8.0) == pytest.approx(9.6)
    assert sharpest.second_order_near(0.8, 0.5) == pytest.approx(3.2 * math.exp(1.2))
    assert sharpest.second_order_far(8.0, 0.9, 0.5) == pytest.approx(28.8)
    assert sharpest.largest_trust(0.4, 60.0, 3.0) == 3.0
    assert sharpest.largest_trust(0.01, 60.0, 3.0) == pytest.approx(100 / math.sqrt(60))
    first, weighed, second = 2 * 5 * math.sqrt(40), 2 * 2.5 * 5 * math.sqrt(7), 0.6 * 3 * 25
    assert sharpest.regret_of_sums(40.0, 5.0, 7.0, 2.5, 0.6, 3.0) == pytest.approx(first + weighed + second)
