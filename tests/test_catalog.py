"""Each family of the catalogue at a few points, against SciPy: its density, its rewards, and what it is called."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.family import Family, g, r

from tests.oracles import LOG_DENSITY, Floats

DISPERSIONS = {"g = 1": [1.0], "g > 0": [0.3, 2.0], "g = 1/n": [1.0, 0.25]}
CASES = [(name, disp) for name in catalog.NAMES for disp in DISPERSIONS[catalog.get(name).dispersions.words]]
DRAWS = 20_000


def naturals(family: Family) -> list[float]:
    """On both sides of 0 and at 0 itself, where there is such a law."""
    return [-1.2, -0.2, 0.0, 0.7] if family.domain.contains(0) == sp.true and family.domain.sup != 0 else [-1.2, -0.3]


def rewards(family: Family, disp: float) -> Floats:
    """Some that the family gives, and none at the ends of an interval."""
    low, high = family.support.lower, family.support.upper
    if family.support.step is None:
        ends = [float(low) if low.is_finite else -3.0, float(high) if high.is_finite else 3.0]
        return np.asarray(ends[0] + (ends[1] - ends[0]) * np.array([0.02, 0.3, 0.45, 0.9]))
    step = float(family.support.step.subs(g, disp))
    first = float(low) if low.is_finite else -2 * step
    last = float(high) if high.is_finite else first + 4 * step
    return np.asarray(np.arange(first, last + step / 2, step))


@pytest.mark.parametrize(("name", "disp"), [case for case in CASES if case != ("hyperbolic_secant", 0.25)])
def test_densities_are_those_of_scipy(name: str, disp: float) -> None:
    family = catalog.get(name)
    points = rewards(family, disp)
    for at in [z for z in naturals(family) if z != 0]:
        found = family.log_density(points, at, disp)
        np.testing.assert_allclose(found, LOG_DENSITY[name](points, at, disp), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("disp", [1.0, 0.5, 0.25])
def test_averages_of_hyperbolic_secants_have_densities_that_add_up(disp: float) -> None:
    """Sums over equally spaced points are all but integrals, for a density that is analytic in a strip."""
    family, points = catalog.get("hyperbolic_secant"), np.arange(-30, 30, 0.1)
    for at in (0.0, 0.5):
        weights = 0.1 * np.exp(family.log_density(points, at, disp))
        mean = np.tan(at)
        assert weights.sum() == pytest.approx(1, rel=1e-9)
        assert weights @ points == pytest.approx(mean, abs=1e-8)
        assert weights @ (points - mean) ** 2 == pytest.approx(disp / np.cos(at) ** 2, rel=1e-7)


def test_averages_of_hyperbolic_secants_are_drawn_with_mean_and_variance() -> None:
    family, rng = catalog.get("hyperbolic_secant"), np.random.default_rng(17)
    for disp, at in ((1.0, -1.0), (1.0, 0.6), (0.25, 0.6), (0.25, 0.0)):
        draws = family.sample(rng, at, disp, size=DRAWS)
        mean, variance = np.tan(at), disp / np.cos(at) ** 2
        squares = (draws - mean) ** 2
        assert abs(draws.mean() - mean) <= 4.5 * (variance / DRAWS) ** 0.5
        assert abs(squares.mean() - variance) <= 4.5 * squares.std() / DRAWS**0.5


def test_the_base_of_the_hyperbolic_secant_is_a_real_number() -> None:
    """Of two values of log gamma at conjugate points; the density at 0 and g = 1 is sech(pi r/2)/2."""
    base = catalog.get("hyperbolic_secant").log_base
    for reward, disp in ((1.3, 1.0), (-0.4, 0.5)):
        value = complex(base.subs({r: reward, g: disp}).evalf())
        assert abs(value.imag) < 1e-12
        if disp == 1:
            assert value.real == pytest.approx(-np.log(2 * np.cosh(np.pi * reward / 2)))


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_rewards_have_the_mean_and_the_variance_of_their_law(name: str, disp: float) -> None:
    family, rng = catalog.get(name), np.random.default_rng(13)
    for at in naturals(family):
        draws = family.sample(rng, at, disp, size=DRAWS)
        mean, variance = float(family.mu(at)), disp * float(family.dmu(at))
        squares = (draws - mean) ** 2
        assert abs(draws.mean() - mean) <= 4.5 * (variance / DRAWS) ** 0.5
        assert abs(squares.mean() - variance) <= 4.5 * squares.std() / DRAWS**0.5
        assert np.all(np.isfinite(family.log_density(draws[:200], at, disp)))
        assert family.sample(rng, at, disp, size=(2, 3)).shape == (2, 3)


@pytest.mark.parametrize("at", [-1.2, 0.0, 0.7])
def test_coins_fall_as_those_of_numpy_do(at: float) -> None:
    chance = 1 / (1 + np.exp(-at))
    found = catalog.get("bernoulli").sample(np.random.default_rng(1), at, size=300)
    np.testing.assert_array_equal(found, np.random.default_rng(1).binomial(1, chance, 300))
