"""The parts of a fit, each against a formula or an oracle of its own: from rows to dispersions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import candidates, likelihood, possible, scatter
from glbcheck.core.fitting.data import INTERCEPT, Data, checked_data

GAUSSIAN, POISSON, COIN = (catalog.get(name) for name in ("gaussian", "poisson", "bernoulli"))
RNG = np.random.default_rng(3)
X = np.column_stack([RNG.uniform(-0.7, 0.7, 40), np.full(40, 0.7)])
COUNTS = RNG.poisson(np.exp(X @ [1.0, 0.8])).astype(float)


def data(rewards: Any, contexts: Any = None, **more: Any) -> Data:
    return checked_data(rewards, contexts, **more)


# --- data -----------------------------------------------------------------------------------------------------


def test_contexts_in_the_unit_ball_stay_as_they_are() -> None:
    found = data(COUNTS, X)
    assert (found.contexts == X).all()
    assert (found.scales.tolist(), found.columns, found.n, found.d) == ([1.0, 1.0], ("x1", "x2"), 40, 2)
    assert found.constant == pytest.approx([0.0, 1 / 0.7])
    assert found.dispersions is None


@pytest.mark.parametrize("points", [[[3.0, 0.0], [0.0, 4.0], [1.0, -4.0]], [[0.9, 0.1], [0.1, 0.9], [0.9, -0.9]]])
def test_contexts_beyond_it_are_scaled_column_by_column_and_then_together(points: list[list[float]]) -> None:
    found, sizes = data([1.0, 2.0, 3.0], points), np.abs(points).max(axis=0)
    assert found.scales / found.scales[0] == pytest.approx(sizes / sizes[0])
    assert np.linalg.norm(found.contexts, axis=1).max() == pytest.approx(1)
    assert found.contexts * found.scales == pytest.approx(np.array(points))
    assert found.constant is None


def test_without_contexts_there_is_a_constant_and_an_intercept_adds_one() -> None:
    alone, added = data([1.0, 2.0, 4.0]), data([1.0, 2.0, 4.0], [0.1, 0.2, 0.4], columns=["a"], intercept=True)
    assert (alone.columns, alone.contexts.tolist()) == ((INTERCEPT,), [[1.0]] * 3)
    assert alone.constant == pytest.approx([1.0])
    assert added.columns == ("a", INTERCEPT)
    assert added.contexts @ added.constant == pytest.approx(np.ones(3))  # type: ignore[operator]


@pytest.mark.parametrize(("arguments", "words"), [
    (([1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]]), "2 columns and 2 rows"),
    (([1.0, 2.0, -1e200],), "rewards, row 3"), (([1.0, 2.0, 3.0], np.ones((3, 1, 1))), "shape"),
    (([1.0, 2.0, 3.0], np.ones((3, 0))), "d >= 1"),
    (([1.0, 2.0, 3.0], [[1.0], [np.nan], [2.0]]), "row 2, column x1"),
    (([1.0, 2.0, 3.0], [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]), "x2.*two constant columns"),
    (([1.0, 2.0, 3.0, 4.0], [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [1.0, 2.0]]), "before it$"),
    (([1.0, 2.0, 3.0], [[1.0, 0.0], [2.0, 0.0], [4.0, 0.0]]), "'x2' .* not zero"),
    (([1.0, 2.0, 3.0], None, -1.0), "^dispersion = -1.0"), (([1.0, 2.0, 3.0], None, [1, 0, 1]), "^dispersion, row 2"),
    (([1.0, 2.0, 3.0], None, [1, np.inf, 1]), "^dispersion, row 2"), (([1.0, 2.0, 3.0], None, [1, 2]), "2 numbers"),
])  # fmt: skip
def test_rows_that_are_wrong_are_named(arguments: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        checked_data(*arguments)


def test_columns_must_be_named_one_by_one() -> None:
    with pytest.raises(BadInput, match=r"^columns = \['a'\] .* 2 names"):
        data(COUNTS, X, columns=["a"])


# --- candidates -------------------------------------------------------------------------------------------------


def test_an_n_is_stated_or_chosen_and_said_to_be_at_the_limit() -> None:
    seen = data([0.0, 1.0, 2.0])
    stated = candidates.candidate("binomial", 9, seen, lambda family: 0.0)
    assert (stated.n, stated.chosen_n, stated.at_limit) == (9, False, False)
    assert stated.call == 'catalog.get("binomial", n=9)'
    wide = candidates.candidate("binomial", None, seen, lambda family: float(family.support.upper))
    assert (wide.n, wide.chosen_n, wide.at_limit) == (128, True, True)
    narrow = candidates.candidate("binomial", None, seen, lambda family: -float(family.support.upper))
    assert (narrow.n, narrow.chosen_n, narrow.at_limit) == (2, True, False)
    least = candidates.candidate("truncated_poisson", None, seen, lambda family: float(family.support.upper))
    assert (least.n, least.at_limit) == (2, False)
    plain = candidates.candidate("poisson", None, seen, lambda family: 0.0)
    assert (plain.call, plain.n, plain.chosen_n) == ('catalog.get("poisson")', None, False)


def test_an_n_beyond_what_is_looked_for_must_be_stated() -> None:
    seen = data([0.0, 2001.0, 5.0])
    assert "a reward above 2000" in candidates.too_large("binomial", None, seen)
    assert candidates.too_large("binomial", 3000, seen) == candidates.too_large("poisson", None, seen) == ""
    assert candidates.too_large("binomial", None, data([0.0, 2000.0, 5.0])) == ""


# --- what is possible -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rewards", "g", "row"), [
    ("bernoulli", [0.0, 1.0, 2.0], None, 3), ("bernoulli", [0.0, -1.0, 1.0], None, 2),
    ("poisson", [3.0, 0.5, 1.0], None, 2), ("poisson", [3.0, 1e6, 1.0], None, None),
    ("poisson", [3.0, 1e6 + 1e-4, 1.0], None, None), ("poisson", [3.0, 1e6 + 1e-2, 1.0], None, 2),
    ("scaled_poisson", [0.5, 1.5, 2.0], 0.5, None), ("scaled_poisson", [0.5, 1.25, 2.0], 0.5, 2),
    ("scaled_poisson", [0.5, 1.5, 2.0], [0.5, 0.5, 4.0], 3), ("scaled_poisson", [0.5, 1.5, 2.0], None, None),
    ("scaled_poisson", [1.0, 2.0, math.sqrt(2), 3.0], None, 3), ("poisson", [1.0, 2.0, 3.0], 0.5, 1),
    ("exponential", [1.0, 0.5, -0.1], None, 3), ("gamma", [1.0, 0.0, 2.0], None, 2),
    ("binomial_proportion", [0.2, 0.4, 1.0], None, None), ("binomial_proportion", [0.2, 0.4, math.sqrt(0.5)], None, 3),
    ("rademacher", [1.0, -1.0, 0.0], None, 3), ("skellam", [-3.0, 0.0, 0.5], 1.0, 3),
    ("gaussian", [-1e9, 0.0, 0.5], None, None),
])  # fmt: skip
def test_the_first_row_that_excludes_a_family(name: str, rewards: list[float], g: Any, row: int | None) -> None:
    found = possible.impossible(catalog.get(name), data(rewards, dispersion=g))
    assert (None if found is None else found.row) == row
    if found is not None and g != 0.5:
        assert str(found).startswith(f"row {row}: {found.value:.12g} ")


@pytest.mark.parametrize(("values", "step"), [
    ([6.0, 10.0, 15.0], 1.0), ([0.6, 1.0, 1.5], 0.1), ([-4.0, 6.0], 2.0), ([0.0, 0.0], 1.0), ([7.0], 7.0),
    ([1.0, 1e-7], 0.0), ([1.0, 2e-6], 2e-6),
])  # fmt: skip
def test_the_greatest_step_of_which_all_are_multiples(values: list[float], step: float) -> None:
    assert possible.common_step(np.array(values)) == pytest.approx(step)


# --- the likelihood ---------------------------------------------------------------------------------------------


def weighted_least_squares(g: Floats) -> Floats:
    return np.asarray(np.linalg.solve((X / g[:, None]).T @ X, (X / g[:, None]).T @ COUNTS))


@pytest.mark.parametrize("g", [None, np.linspace(0.2, 3.0, 40)], ids=["alike", "of their own"])
def test_the_gaussian_maximum_is_that_of_least_squares(g: Floats | None) -> None:
    found = likelihood.maximise(GAUSSIAN, data(COUNTS, X, dispersion=g))
    spread = np.ones(40) if g is None else g
    assert found.theta == pytest.approx(weighted_least_squares(spread))
    assert found.natural == pytest.approx(X @ found.theta)
    assert found.information == pytest.approx((X / spread[:, None]).T @ X)
    assert found.steps == 2


@pytest.mark.parametrize(("name", "rewards"), [
    ("poisson", COUNTS), ("bernoulli", (COUNTS > 1).astype(float)), ("exponential", COUNTS + 0.5),
    ("geometric", COUNTS), ("inverse_gaussian", COUNTS + 0.5),
])  # fmt: skip
def test_at_the_maximum_no_direction_gains_and_few_steps_find_it(name: str, rewards: Floats) -> None:
    family = catalog.get(name)
    found = likelihood.maximise(family, data(rewards, X))
    assert X.T @ (rewards - family.mu(X @ found.theta)) == pytest.approx([0.0, 0.0], abs=1e-6)  # of a concave function
    assert (found.natural == X @ found.theta).all()
    assert found.information == pytest.approx((X * family.dmu(found.natural)[:, None]).T @ X)
    assert found.steps <= 12


def test_a_likelihood_that_grows_for_ever_has_no_maximum_and_the_direction_is_named() -> None:
    separated = (X[:, 0] > 0.1).astype(float)
    with pytest.raises(likelihood.NoMaximum, match=r"along \+x1, -x2 the likelihood grows for ever"):
        likelihood.maximise(COIN, data(separated, X))
    v = likelihood.separating_direction(COIN, data(separated, X))
    assert v is not None
    assert ((X @ v) * (2 * separated - 1) >= -1e-9).all()
    separated[np.argmin(X[:, 0])] = 1.0
    assert likelihood.separating_direction(COIN, data(separated, X)) is None


@pytest.mark.parametrize(("rewards", "columns", "separated"), [
    ([0.0, 0.0, 1.0, 2.0], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], True),
    ([0.0, 3.0, 1.0, 2.0], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], False),
    ([1.0, 3.0, 1.0, 2.0], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], False),
])  # fmt: skip
def test_poisson_rewards_are_separated_where_a_column_has_zeros_alone(
    rewards: list[float], columns: list[list[float]], separated: bool
) -> None:
    assert (likelihood.separating_direction(POISSON, data(rewards, columns)) is not None) is separated


# --- the dispersion ---------------------------------------------------------------------------------------------


def test_a_dispersion_is_given_or_fixed_or_estimated_or_read_off_a_lattice() -> None:
    z = X @ np.array([0.5, 1.0])
    given = scatter.scatter(GAUSSIAN, data(COUNTS, X, dispersion=2.0), z)
    assert (given.values.tolist(), given.how, given.estimated, given.parameters) == ([2.0] * 40, "as given", False, 0)
    fixed = scatter.scatter(POISSON, data(COUNTS, X), z)
    assert (fixed.single, fixed.how, fixed.estimated, fixed.parameters) == (1.0, "as the family says", False, 0)
    free = scatter.scatter(GAUSSIAN, data(COUNTS, X), z)
    assert free.single == pytest.approx(np.sum((COUNTS - z) ** 2) / 38)
    assert (free.how, free.estimated, free.parameters) == ("Pearson estimate", True, 1)
    rows = scatter.scatter(GAUSSIAN, data(COUNTS, X, dispersion=np.linspace(1, 2, 40)), z)
    assert rows.single is None


@pytest.mark.parametrize(("name", "trials", "how"), [
    ("scaled_poisson", 4, "from the lattice"), ("binomial_proportion", 5, "from the lattice"),
])  # fmt: skip
def test_the_dispersion_of_a_lattice_is_the_likeliest_step(name: str, trials: int, how: str) -> None:
    family, rng = catalog.get(name), np.random.default_rng(2)
    z = X @ np.array([0.5, 1.0])
    rewards = 2 * np.round(trials * family.sample(rng, z, 1 / trials) / 2) / trials  # every other point of the lattice
    rewards[0] = 2 / trials
    if name == "binomial_proportion":
        rewards = family.sample(rng, z, 1 / trials)
    found = scatter.scatter(family, data(rewards, X), z)
    step = possible.lattice_step(family, data(rewards, X))
    tried = {step / k: likelihood.log_likelihood(family, rewards, z, np.full(40, step / k)) for k in range(1, 17)}
    assert found.single == pytest.approx(max(tried, key=lambda g: tried[g]))
    assert found.how.startswith(how)
    assert (found.estimated, found.parameters) == (False, 1)


def test_where_only_fractions_are_dispersions_the_likelier_beside_the_estimate_is_taken() -> None:
    gamma = catalog.get("gamma")
    fractions = replace(
        gamma, dispersions=replace(gamma.dispersions, words="g = 1/n", allows=lambda g: (1 / g) % 1 == 0)
    )
    z, rng = -np.exp(X @ np.array([0.5, 0.2])), np.random.default_rng(4)
    rewards = gamma.sample(rng, z, 0.25)
    rough = scatter.pearson_dispersion(gamma, data(rewards, X), z)
    found = scatter.scatter(fractions, data(rewards, X), z)
    beside = [1 / math.floor(1 / rough), 1 / math.ceil(1 / rough)]
    best = max(beside, key=lambda g: likelihood.log_likelihood(gamma, rewards, z, np.full(40, g)))
    assert (found.single, found.estimated, found.parameters) == (best, False, 1)


@pytest.mark.parametrize(("name", "rewards"), [
    ("gaussian", [1000.0, 1001.0, 1002.0]), ("exponential", [1e-4, 2e-4, 3e-4]), ("exponential", [1e12, 2e12, 3e12]),
])  # fmt: skip
def test_a_maximum_beyond_the_numbers_that_are_computed_is_none(name: str, rewards: list[float]) -> None:
    with pytest.raises(likelihood.NoMaximum, match=r"still grows at the end of \[-700, .* rewards in other units"):
        likelihood.maximise(catalog.get(name), data(rewards))


@pytest.mark.parametrize("size", [20.0, 1e6])
def test_a_step_that_goes_too_far_is_halved(size: float) -> None:
    found = likelihood.maximise(POISSON, data([0.9 * size, size, 1.1 * size]))
    assert found.theta == pytest.approx([math.log(size)], rel=1e-7)
    assert found.steps <= 12
