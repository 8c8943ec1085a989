"""Which law of one draw a family has, and what it makes of a draw: against SciPy and the family's own sampler."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.engine.draws import check_dispersions, draw
from glbcheck.core.engine.laws import EVERY_ARM, LATTICE, SCALED, SHIFTED, draws_of, law_of, reward_of  # fmt: skip
from glbcheck.core.errors import BadInput
from glbcheck.core.family import POSITIVE, Family, Support
from glbcheck.core.letters import z
from scipy import stats


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


SAMPLERS: dict[str, Callable[..., Any]] = {
    "a number alone": lambda rng, at, g: at + float(g) * rng.integers(1, 3),
    "another shape": lambda rng, at, g: at + g * rng.integers(1, 3) if np.ndim(g) == 0 else at[0],
    "other draws": lambda rng, at, g: at + g * (rng.integers(1, 3) if np.ndim(g) == 0 else 7),
    "one by one": lambda rng, at, g: at + g * rng.integers(1, 3) if np.unique(g).size == 1 else at[0],
}  # fmt: skip


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
