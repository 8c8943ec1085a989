"""The parts of drawing by inversion: tables kept, where a law lies, lattices, substitutions, panels and roots."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.stats as stats
from glbcheck.core import catalog, inversion
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.inversion import W, X, _interval, _inverse, _lattice, _location, _nodes, _panels, _root, substitution
from numpy.polynomial import legendre

OO = math.inf
integrate: Any = scipy.integrate.quad

# --- tables ---------------------------------------------------------------------------------------------------


def test_the_tables_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[float] = []

    def quantile(family: object, at: float, dispersion: float) -> Any:
        made.append(at + 10 * dispersion)
        return lambda u: u + at

    monkeypatch.setattr(inversion, "_quantile", quantile)
    monkeypatch.setattr(inversion, "CACHED", 2)
    sample = inversion.sampler_from_density(catalog.get("gaussian"))
    for at in (1.0, 2.0, 1.0, 2.0, 1.0, 3.0, 1.0, 3.0, 2.0):
        draws = sample(np.random.default_rng(0), np.array([at, at]), 1.0)
        np.testing.assert_array_equal(draws, at + np.random.default_rng(0).random(2))
    assert made == [11.0, 12.0, 13.0, 12.0]
    sample(np.random.default_rng(0), np.array([2.0]), 3.0)
    assert made[-1] == 32.0
    many = np.array([[5.0, 4.0, 5.0], [4.0, 5.0, 6.0]])
    found = sample(np.random.default_rng(1), many, 1.0)
    np.testing.assert_array_equal(found, many + np.random.default_rng(1).random((2, 3)))


def moments(mean: float, slope: float) -> Any:
    return SimpleNamespace(mu=lambda at: mean, dmu=lambda at: slope)


@pytest.mark.parametrize(("mean", "slope", "ends", "found"), [
    (0.3, 2.0, (0, 1), (0.3, 1.0)), (-1.0, 8.0, (-1, 1), (-1.0, 2.0)), (1.0, 0.5, (-1, 1), (1.0, 0.5)),
    (5.0, 8.0, (0, 1), (0.0, 2.0)), (-5.0, 8.0, (-3, -2), (-2.0, 2.0)), (5.0, 8.0, (2, 3), (2.0, 2.0)),
    (math.nan, 8.0, (-1, 1), (0.0, 2.0)), (OO, 8.0, (-1, OO), (0.0, 2.0)), (-OO, 8.0, (-OO, OO), (0.0, 2.0)),
    (0.3, -1.0, (0, 1), (0.3, 1.0)), (0.3, 0.0, (0, 1), (0.3, 1.0)), (0.3, OO, (0, 1), (0.3, 1.0)),
    (0.3, math.nan, (0, 1), (0.3, 1.0)),
])  # fmt: skip
def test_a_law_lies_where_m_says_unless_that_is_outside_its_support(
    mean: float, slope: float, ends: tuple[float, float], found: tuple[float, float]
) -> None:
    assert _location(moments(mean, slope), 0.0, 0.5, *ends) == found


# --- lattices -------------------------------------------------------------------------------------------------

U = np.array([0.0, 1e-15, 1e-6, 0.2, 0.5, 0.8, 1 - 1e-6, 1 - 1e-15, 1.0])


@pytest.mark.parametrize("mean", [0.0, 20.0, 148.4, 300.0])
def test_the_mass_of_a_lattice_is_found_from_wherever_the_search_begins(mean: float) -> None:
    invert = _lattice(catalog.get("poisson"), 5.0, 1.0, (0.0, OO, 1.0), (mean, 1.0))
    law = stats.poisson(np.exp(5.0))
    np.testing.assert_array_equal(invert(U[2:-2]), law.ppf(U[2:-2]))
    assert np.exp(law.logpmf(invert(U[:2])) - law.logpmf(148)).max() < 1e-13
    assert law.logpmf(invert(U[-1:]))[0] - law.logpmf(148) < -45
    assert invert(U[-1:])[0] < 1000


@pytest.mark.parametrize("mean", [-40.0, 0.0, 60.0])
def test_a_lattice_without_ends_is_searched_on_both_sides(mean: float) -> None:
    invert = _lattice(catalog.get("skellam"), 1.0, 0.3, (-OO, OO, 0.3), (mean, 0.3))
    law = stats.skellam(np.exp(1.0) / 0.6, np.exp(-1.0) / 0.6)
    np.testing.assert_allclose(invert(U[2:-2]), 0.3 * law.ppf(U[2:-2]), rtol=1e-14)
    for u in (0.0, 1.0):
        assert law.logpmf(np.round(invert(np.array([u])) / 0.3))[0] < -45


def test_a_lattice_may_begin_anywhere_and_have_any_step() -> None:
    u = np.linspace(0.01, 0.99, 50)
    signs = _lattice(catalog.get("rademacher"), 0.3, 1.0, (-1.0, 1.0, 2.0), (0.3, 1.0))
    np.testing.assert_array_equal(signs(u), np.where(u < 1 / (1 + np.exp(0.6)), -1.0, 1.0))
    shares = _lattice(catalog.get("binomial_proportion"), 0.2, 0.25, (0.0, 1.0, 0.25), (0.5, 0.2))
    np.testing.assert_array_equal(shares(u), stats.binom(4, 1 / (1 + np.exp(-0.2))).ppf(u) / 4)


def test_a_lattice_that_ends_is_left_at_neither_end() -> None:
    for at in (-30.0, 0.0, 30.0):
        invert = _lattice(catalog.get("binomial", n=60), at, 1.0, (0.0, 60.0, 1.0), (30.0, 0.5))
        found = invert(U)
        assert (found.min() >= 0, found.max() <= 60, invert(np.array([0.5]))[0]) == (True, True, 30 + np.sign(at) * 30)


def test_a_law_may_lie_beyond_many_lattice_points() -> None:
    """A mean of e^17, more than the number of points that a table may have."""
    law = stats.poisson(np.exp(17.0))
    assert law.mean() > inversion.MOST_POINTS
    sample = inversion.sampler_from_density(catalog.get("poisson"))
    draws = sample(np.random.default_rng(2), np.full(50, 17.0), 1.0)
    assert np.abs(draws - law.ppf(np.random.default_rng(2).random(50))).max() <= 2


def test_a_lattice_whose_mass_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inversion, "MOST_POINTS", 100)
    flat: Any = SimpleNamespace(log_density=lambda rewards, at, dispersion: np.zeros(rewards.shape))
    for support in ((-OO, OO, 1.0), (0.0, OO, 1.0), (0.0, 1000.0, 1.0)):
        with pytest.raises(BadInput, match="where 100 lattice points hold the mass"):
            _lattice(flat, 0.7, 1.0, support, (500.0, 1.0))


# --- substitutions --------------------------------------------------------------------------------------------

LINES = [(0.0, 1.0, 0.3, 0.1), (-2.0, 5.0, 1.0, 1.0), (1.0, OO, 3.0, 0.5), (1.0, OO, 1.0, 0.5), (-OO, 2.0, -1.0, 0.5),
         (-OO, OO, 1.0, 2.0)]  # fmt: skip


@pytest.mark.parametrize(("lower", "upper", "mean", "spread"), LINES)
def test_a_substitution_goes_back_and_knows_its_slope(lower: float, upper: float, mean: float, spread: float) -> None:
    line, t = substitution(lower, upper, mean, spread), np.linspace(-1.5, 1.5, 13)
    rewards = line.reward(t)
    assert np.all(np.diff(rewards) * (-1 if lower == -OO and upper < OO else 1) > 0)
    assert np.all((rewards > lower) & (rewards < upper))
    np.testing.assert_allclose(line.back(rewards), t, rtol=1e-9, atol=1e-9)
    h = 1e-5
    slope = np.abs(line.reward(t + h) - line.reward(t - h)) / (2 * h)
    np.testing.assert_allclose(np.exp(line.log_slope(t)), slope, rtol=1e-7)


def test_a_substitution_is_centred_where_the_law_is() -> None:
    assert substitution(1.0, OO, 3.0, 0.5).reward(np.zeros(1)) == 3.0
    assert substitution(1.0, OO, 1.0, 0.5).reward(np.zeros(1)) == 1.5
    assert substitution(-OO, 2.0, -1.0, 0.5).reward(np.zeros(1)) == -1.0
    assert substitution(-OO, OO, -1.0, 0.5).reward(np.zeros(1)) == -1.0
    assert substitution(2.0, 4.0, 2.5, 0.5).reward(np.zeros(1)) == 3.0
    near = substitution(0.0, 1.0, 0.5, 0.1).reward(np.array([-4.0]))
    assert 0 < near[0] < 1e-36


# --- panels ---------------------------------------------------------------------------------------------------


def test_twelve_points_of_a_panel_are_those_of_gauss() -> None:
    nodes = _nodes(np.array([0.0, 2.0]), np.array([1.0, 6.0]))
    np.testing.assert_allclose(nodes[0], (X + 1) / 2)
    np.testing.assert_allclose(nodes[1], 4 + 2 * X)
    assert X.size == 12
    assert float(W.sum()) == pytest.approx(2.0)


def bump(t: Floats) -> Floats:
    return np.asarray(np.exp(-((t - 0.3) ** 2) * 5000) + 0.1 / (1 + t**2))


def test_panels_lie_side_by_side_and_are_small_where_the_density_is_steep() -> None:
    edges = np.array([-1.0, 0.0, 0.9, 2.0])
    starts, widths, rows = _panels(bump, edges)
    np.testing.assert_allclose(starts[1:], (starts + widths)[:-1], rtol=1e-15, atol=1e-15)
    assert starts[0] == -1.0
    assert starts[-1] + widths[-1] == pytest.approx(2.0, abs=1e-15)
    np.testing.assert_array_equal(rows, bump(_nodes(starts, starts + widths)))
    truth = 0.1 * (math.atan(2) + math.atan(1)) + math.sqrt(math.pi / 5000)
    assert float(np.sum(rows @ W * widths / 2)) == pytest.approx(truth, rel=1e-13)
    assert widths.min() < 0.1 < widths.max()
    assert starts.size < 40


def test_a_panel_is_halved_while_that_moves_more_than_a_share_of_the_mass() -> None:
    """Waves ever faster to the right of many panels that fit at once; the mass is that of many more points."""

    def waves(t: Floats) -> Floats:
        return np.asarray(1 + 0.9 * np.sin((t - 10) ** 6))

    def mass(left: float, right: float, parts: int = 1) -> float:
        ends = np.linspace(left, right, parts + 1)
        return float(np.sum(waves(_nodes(ends[:-1], ends[1:])) @ W) * (right - left) / (2 * parts))

    def halved(left: float, right: float) -> list[float]:
        if abs(mass(left, right) - mass(left, right, 2)) <= inversion.FIT * whole:
            return [left]
        middle = (left + right) / 2
        return halved(left, middle) + halved(middle, right)

    edges = np.append(np.linspace(10.0, 10.5, 51), 13.0)
    whole = mass(10.0, 13.0, 2000)
    expected = [start for left, right in pairwise(edges.tolist()) for start in halved(left, right)]
    np.testing.assert_allclose(_panels(waves, edges)[0], expected, rtol=1e-13)


def test_what_no_panels_fit_is_halved_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    def rough(t: Floats) -> Floats:
        return np.asarray(np.modf(1e7 * np.exp(t))[0])

    edges = np.array([0.0, 1.0])
    monkeypatch.setattr(inversion, "DEEPEST", 3)
    starts, widths, _ = _panels(rough, edges)
    assert (starts.size, widths.tolist()) == (8, [0.125] * 8)
    monkeypatch.setattr(inversion, "DEEPEST", 30)
    monkeypatch.setattr(inversion, "MOST_PANELS", 4)
    assert _panels(rough, edges)[0].size == 8


def test_the_inverse_of_panels_is_that_of_their_integral() -> None:
    panels = _panels(bump, np.array([-1.0, 0.0, 0.9, 2.0]))
    u = np.array([0.0, 1e-9, 0.1, 0.3, 0.5, 0.77, 1 - 1e-9, 1.0])
    found = _inverse(*panels, lambda t: 3 * t, (-3.0, 6.0))(u)
    whole = integrate(bump, -1, 2, points=[0.2, 0.3, 0.4], epsabs=1e-13)[0]
    for one, t in zip(u, found / 3, strict=True):
        points = [x for x in (0.2, 0.3, 0.4) if x < t]
        below = integrate(bump, -1, t, points=points or None, epsabs=1e-13)[0]
        assert below / whole == pytest.approx(one, abs=1e-9)
    cut = _inverse(*panels, lambda t: 3 * t, (-1.0, 2.0))(u)
    np.testing.assert_array_equal(cut, np.clip(found, -1.0, 2.0))


def test_a_root_of_an_integral_is_found_where_the_density_vanishes_too() -> None:
    """Densities (1 + x)^k on [-1, 1] have the integrals (1 + x)^(k + 1)/(k + 1)."""
    for k in (0, 1, 5):
        density = legendre.poly2leg(np.polynomial.polynomial.polypow([1.0, 1.0], k))
        integral = legendre.legint(density, lbnd=-1)
        truth = np.array([-1 + 1e-3, -0.5, 0.0, 0.5, 1 - 1e-9])
        target = (1 + truth) ** (k + 1) / (k + 1)
        below, height = (
            np.repeat(np.asarray(c, dtype=float)[:, None], truth.size, axis=1) for c in (integral, density)
        )
        found = _root(below, height, target)
        np.testing.assert_allclose(found[1:], truth[1:], rtol=0, atol=2e-12)
        assert abs(found[0] - truth[0]) < (1e-12 if k < 2 else 1e-2)


def test_the_root_of_a_smooth_integral_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def legval(at: Floats, series: Floats, tensor: bool) -> Any:
        asked.append(len(series))
        return real(at, series, tensor=tensor)

    density = np.array([[1.0], [0.4], [0.1]])
    integral, real = legendre.legint(density, lbnd=-1), legendre.legval
    monkeypatch.setattr(legendre, "legval", legval)
    for target in (0.3, 0.9, 1.3, 1.7):
        asked.clear()
        found = _root(integral, density, np.array([target]))
        below = integrate(lambda t: 1 + 0.4 * t + 0.1 * (3 * t**2 - 1) / 2, -1, float(found[0]))[0]
        assert below == pytest.approx(target, abs=1e-13)
        assert len(asked) <= 20


def test_a_target_beyond_the_whole_is_met_at_an_end() -> None:
    density = np.full((1, 2), 0.5)
    found = _root(legendre.legint(density, lbnd=-1), density, np.array([-0.01, 1.01]))
    np.testing.assert_allclose(found, [-1.0, 1.0], rtol=0, atol=1e-13)


@pytest.mark.parametrize(("name", "at", "disp", "law"), [
    ("exponential", -2.0, 1.0, stats.expon(scale=0.5)), ("gaussian", 1.5, 0.25, stats.norm(1.5, 0.5)),
    ("gamma", -1.0, 4.0, stats.gamma(0.25, scale=4.0)),
    ("continuous_bernoulli", -3.0, 1.0, stats.truncexpon(3, scale=1 / 3)),
    ("von_mises", 0.0, 1.0, stats.arcsine(-1, 2)),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_intervals_of_every_kind_have_the_quantiles_of_scipy(name: str, at: float, disp: float, law: Any) -> None:
    draws = inversion.sampler_from_density(catalog.get(name))(np.random.default_rng(3), np.full(60, at), disp)
    tolerance = 2e-8 if name == "von_mises" else 2e-10
    np.testing.assert_allclose(law.cdf(draws), np.random.default_rng(3).random(60), rtol=0, atol=tolerance)
    assert np.all((draws >= law.support()[0]) & (draws <= law.support()[1]))


def law_of(log_density: Any) -> Any:
    return SimpleNamespace(log_density=lambda rewards, at, dispersion: log_density(rewards))


def test_panels_meet_at_the_mean_and_are_narrow_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law much narrower than its support: each end of a panel is at most three times as far out as the last one."""
    seen: list[Floats] = []

    def panels(density: Any, edges: Floats) -> Any:
        seen.append(edges)
        return _panels(density, edges)

    monkeypatch.setattr(inversion, "_panels", panels)
    law = stats.norm(0.3, 1e-6)
    invert = _interval(law_of(law.logpdf), 0.0, 1.0, (0.0, 1.0), (0.3, 1e-6))
    np.testing.assert_allclose(law.cdf(invert(U[2:-2])), U[2:-2], rtol=0, atol=2e-9)
    (edges,) = seen
    assert (edges[0], edges[-1]) == (-inversion.LIMIT, inversion.LIMIT)
    assert np.all(np.diff(edges) > 0)
    away = (substitution(0.0, 1.0, 0.3, 1e-6).reward(edges) - 0.3) / 1e-6
    assert np.abs(away).min() < 1e-8
    for side in (away[away > 1e-8], -away[away < -1e-8][::-1]):
        assert side[0] < 1 + 1e-8
        assert np.all(side[1:5] < 3 * side[:4] + 1e-8)


def test_a_density_that_is_finite_nowhere_is_refused() -> None:
    for value in (-OO, math.nan):
        with pytest.raises(BadInput, match="a density that is finite somewhere near its mean"):
            _interval(law_of(lambda rewards, v=value: np.full(rewards.shape, v)), 0.0, 1.0, (0.0, 1.0), (0.5, 0.1))


def test_a_density_is_what_it_is_up_to_a_factor() -> None:
    """Its logarithm may be large, and minus infinity at some points."""

    def weighed(rewards: Floats) -> Floats:
        return np.where(np.abs(rewards - 0.5) < 0.25, 5000.0, -OO)

    found = _interval(law_of(weighed), 0.0, 1.0, (0.0, 1.0), (0.5, 0.1))(U[:-1])
    np.testing.assert_allclose(found, 0.25 + U[:-1] / 2, rtol=0, atol=1e-6)
