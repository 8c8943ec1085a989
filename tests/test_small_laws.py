"""Which law of one draw a family has, and what it makes of a draw: against SciPy and the family's own sampler."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.engine.draws import check_dispersions, draw
from glbcheck.core.engine.laws import (
    COUNTED,
    EVERY_ARM,
    LATTICE,
    MEANS,
    SCALED,
    SHIFTED,
    _variance_kind,
    draws_of,
    law_of,
    reward_of,
)  # fmt: skip
from glbcheck.core.errors import BadInput
from glbcheck.core.family import POSITIVE, Family, Support
from glbcheck.core.letters import r, z
from scipy import stats


def kind_of(m: sp.Expr) -> int:
    """By formulas alone: a table of them takes a second."""
    mu, dmu = m.diff(z), m.diff(z, 2)

    def at(formula: sp.Expr) -> Callable[[Any], Any]:
        return lambda points: np.array([float(formula.subs(z, point)) for point in points])

    return _variance_kind(cast("Family", SimpleNamespace(mu=at(mu), dmu=at(dmu), mu_expr=mu, dmu_expr=dmu)), 1.0)


def test_the_mean_of_a_gamma_law_scales_it() -> None:
    assert kind_of(-sp.log(2 - z)) == SCALED
    assert kind_of(sp.exp(z)) == EVERY_ARM


def test_a_variance_that_seems_to_be_constant_up_to_rounding_is_not() -> None:
    assert kind_of(z**2 / 2) == SHIFTED
    assert kind_of(z**2 / 2 + sp.Rational(1, 10**12) * sp.exp(z)) == EVERY_ARM


def test_a_variance_that_seems_to_be_the_square_of_the_mean_up_to_rounding_is_not() -> None:
    assert kind_of(-sp.log(2 - z) + sp.Rational(1, 10**12) * z) == EVERY_ARM


@cache
def normal_around_minus_two() -> Family:
    return catalog.get("gaussian").tilted(2)


@cache
def gamma() -> Family:
    return catalog.get("gamma").tilted(2)


@pytest.mark.parametrize(("family", "kind"), [(normal_around_minus_two, SHIFTED), (gamma, SCALED)])
def test_a_reward_is_what_the_sampler_would_have_drawn_for_its_arm(family: Callable[[], Family], kind: int) -> None:
    law, g = np.array([float(kind)]), np.array([0.5, 2.0, 0.5])
    drawn = draws_of(law, family(), np.random.default_rng(5), g)
    for at in (-0.7, 0.0, 0.9):
        theirs = draw(family(), np.random.default_rng(5), np.full((3, 1), at), g)
        ours = [reward_of(law, at, float(family().mu(at)), float(number)) for number in drawn[:, 0]]
        np.testing.assert_allclose(ours, theirs[:, 0], rtol=1e-12)


@pytest.mark.parametrize("kind", [MEANS, COUNTED, LATTICE, SHIFTED])
def test_a_round_has_one_draw(kind: int) -> None:
    rng = np.random.default_rng(1)
    found = draws_of(np.array([float(kind)]), catalog.get("gaussian"), rng, np.ones(4))
    assert found.shape == (4, 1)
    untouched = rng.bit_generator.state == np.random.default_rng(1).bit_generator.state
    assert untouched == (kind in (MEANS, COUNTED)) == bool((found == 0.0).all())


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_share_of_successes_is_inverted_where_scipy_inverts_it(n: int) -> None:
    law = law_of(catalog.get("binomial_proportion"), 1.0, 1 / n)
    for at in (-1.0, 0.3):
        p = 1 / (1 + np.exp(-at))
        for u in np.random.default_rng(0).random(20):
            assert reward_of(law, at, p, float(u)) == pytest.approx(stats.binom(n, p).ppf(u) / n)


@pytest.mark.parametrize("g", [1.0, 0.5])
def test_a_lattice_without_an_end_goes_on_until_what_is_left_is_negligible(g: float) -> None:
    for S in np.linspace(0.5, 2.0, 16):
        law = law_of(catalog.get("scaled_poisson"), float(S), g)
        last = law.size - 4
        mass = stats.poisson(np.exp(S) / g).pmf([last, last + 1])
        assert mass[0] > 2.0**-60 > mass[1]
        np.testing.assert_allclose(law[:4], [LATTICE, 0.0, g, 1 / g])


def test_a_lattice_is_not_cut_off_where_rewards_go_on() -> None:
    poisson = catalog.get("poisson")
    assert law_of(poisson, 5.0, 1.0)[0] == LATTICE
    assert stats.poisson(np.exp(6.0)).sf(512) > 1e-12
    assert law_of(poisson, 6.0, 1.0)[0] == EVERY_ARM


def test_a_lattice_whose_lowest_point_is_never_seen_is_not_measured_by_it() -> None:
    shares = catalog.get("binomial_proportion")
    assert law_of(shares, 3.0, 1 / 100)[0] == LATTICE
    assert law_of(shares, 3.0, 1 / 400)[0] == EVERY_ARM
    base = -400 * (r - 1) * (r - 2)
    m = sp.log(sp.exp(-800) + sp.exp(z) + sp.exp(2 * z))
    rare = Family("rarely 0", m, Support(sp.S.Zero, sp.Integer(2), sp.S.One), base, lambda rng, at, g: at)
    assert law_of(rare, 1.0, 1.0)[0] == EVERY_ARM


# --- the sampler, for many dispersions ----------------------------------------------------------------------------

NATURALS, DISPERSIONS = np.array([[-0.5, -1.0]] * 3), np.array([0.5, 2.0, 0.25])


def with_sampler(sampler: Callable[..., Any]) -> tuple[Family, list[Any]]:
    """Rewards of a sampler, and the dispersions that it was called with."""
    calls: list[Any] = []

    def sample(rng: np.random.Generator, at: Any, g: Any) -> Any:
        calls.append(g)
        return sampler(rng, at, g)

    m = z**2 / 2
    return Family("any", m, Support(-sp.oo, sp.oo), sp.nan, sample, dispersions=POSITIVE), calls


def test_a_sampler_that_takes_many_dispersions_is_called_once_for_all_rounds() -> None:
    # Its natural parameters are below 0 alone.
    family, calls = with_sampler(catalog.get("gamma").sampler)
    draw(family, np.random.default_rng(3), NATURALS, DISPERSIONS)
    calls.clear()
    found = draw(family, np.random.default_rng(3), NATURALS, DISPERSIONS)
    assert len(calls) == 1
    column = DISPERSIONS[:, None]
    np.testing.assert_array_equal(found, np.random.default_rng(3).gamma(1 / column, -column / NATURALS))


SAMPLERS: dict[str, Callable[..., Any]] = {
    "a number alone": lambda rng, at, g: at + float(g) * rng.integers(1, 3),
    "another shape": lambda rng, at, g: at + g * rng.integers(1, 3) if np.ndim(g) == 0 else at[0],
    "other draws": lambda rng, at, g: at + g * (rng.integers(1, 3) if np.ndim(g) == 0 else 7),
    "one by one": lambda rng, at, g: at + g * rng.integers(1, 3) if np.unique(g).size == 1 else at[0],
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampler_that_takes_one_dispersion_is_called_for_each(name: str) -> None:
    family, _ = with_sampler(SAMPLERS[name])
    for dispersions in (DISPERSIONS, DISPERSIONS[:2]):
        at = NATURALS[: dispersions.size]
        times = (draw(family, np.random.default_rng(3), at, dispersions) - at) / dispersions[:, None]
        assert np.isin(times, [1.0, 2.0]).all()
        assert (times[:, 0] == times[:, 1]).all()


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_only_dispersion_is_that_of_all_rounds(name: str) -> None:
    family, _ = with_sampler(SAMPLERS[name])
    once = draw(family, np.random.default_rng(3), NATURALS, np.array([0.5]))
    np.testing.assert_array_equal(draw(family, np.random.default_rng(3), NATURALS, np.full(3, 0.5)), once)
    assert once.shape == NATURALS.shape


def test_a_dispersion_between_others_is_checked_too() -> None:
    shares = catalog.get("binomial_proportion")
    assert check_dispersions(shares, np.array([0.25, 1.0, 0.5])).tolist() == [0.25, 1.0, 0.5]
    with pytest.raises(BadInput, match="g = 1/n"):
        check_dispersions(shares, np.array([0.25, 0.3, 0.5]))
