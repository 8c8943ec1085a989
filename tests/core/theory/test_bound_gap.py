"""The gap between the bounds on regret: never negative, and the figure says what to conclude from it."""

from __future__ import annotations

import math
from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.theory import bounds, lower_constants, tuning
from glbcheck.core.theory.bounds import FAMILIES, HORIZONS, Gap, gaps, lower_bound
from glbcheck.core.theory.parameters import parameters
from glbcheck.verify.report.bound_figure import gap_figure


@pytest.fixture(scope="module")
def table() -> list[Gap]:
    return list(gaps())


def test_every_family_and_horizon_has_a_row_and_bounds_in_order(table: list[Gap]) -> None:
    assert [(row.family, row.T) for row in table] == [(name, T) for name in FAMILIES for T in HORIZONS]
    for row in table:
        assert 0 < row.lower < min(row.upper, row.trivial)
        assert row.ratio == min(row.upper, row.trivial) / row.lower


def test_the_ratio_is_that_of_what_can_be_lost_at_most_and_at_least() -> None:
    assert Gap("poisson", 2, 1.0, 0.05, 10, upper=9.0, lower=2.0, trivial=7.0).ratio == 3.5
    assert Gap("poisson", 2, 1.0, 0.05, 10, upper=5.0, lower=2.0, trivial=7.0).ratio == 2.5


def test_both_bounds_grow_like_the_root_of_the_horizon(table: list[Gap]) -> None:
    for row, later in pairwise(table):
        if row.family == later.family and row.T >= 10**10:
            assert later.lower / row.lower == pytest.approx(10**0.5, rel=1e-3)
            assert later.upper / row.upper == pytest.approx(10**0.5, rel=0.15)


def test_the_gaussian_floor_is_three_eighths_of_d_root_T() -> None:
    assert (len(bounds.HORIZONS), bounds.HORIZONS[0], bounds.HORIZONS[-1]) == (12, 10, 10**12)
    assert lower_bound(catalog.get("gaussian"), 3, 1.0, 10_000) == pytest.approx(3 / 8 * 3 * 100)


def test_no_hypercube_is_larger_than_the_ball() -> None:
    floor = lower_constants.cube_floor(3, 0.05, 1.0, 1.0, 1.0, 10)
    assert lower_bound(catalog.get("gaussian"), 3, 0.05, 10) == pytest.approx(floor, rel=1e-12)


def test_a_row_holds_the_least_upper_and_the_largest_lower_bound_at_its_horizon() -> None:
    row = next(gaps(("poisson",), 3, 0.5, 0.1))
    p = parameters(catalog.get("poisson"), 3, 0.5, 0.1, 0.0, reading="sharpest", horizon=10)
    assert (row.family, row.d, row.S, row.delta, row.T) == ("poisson", 3, 0.5, 0.1, 10)
    assert row.trivial == pytest.approx(10 * 2 * math.sinh(0.5))
    assert p.choice is not None
    least = tuning.least(p.choice.problem, 10)
    assert row.upper == pytest.approx(least.regret_bound(10), rel=1e-12)
    best = max(lower_constants.cube_floor(3, w, 1.0, math.exp(w), 1.0, 10) for w in np.linspace(1e-3, 0.5, 5000))
    assert row.lower == pytest.approx(best, rel=1e-4)


def test_the_figure_has_a_line_for_each_family_and_a_caption_with_its_numbers(table: list[Gap]) -> None:
    drawn, caption = gap_figure([{**asdict(row), "ratio": row.ratio} for row in table])
    legend = drawn.axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == list(FAMILIES)
    for name in FAMILIES:
        last = next(row for row in reversed(table) if row.family == name)
        assert f"{last.ratio:.0f} ({name})" in caption
        first = min(row.T for row in table if row.family == name and row.upper < row.trivial)
        assert f"{first:.0e} ({name})" in caption


# --- the constants behind it --------------------------------------------------------------------------------


def test_dispersions_are_cut_before_they_are_added() -> None:
    assert lower_constants.capped_sum([0.5, 2.0, 7.0], 2.0) == 4.5


@pytest.mark.parametrize(("n", "slope", "stretch", "c", "V"), [(2, 1.0, 1.0, 1.0, 100.0), (3, 0.25, 1.7, 0.5, 40.0)])
def test_the_floor_of_the_cube_is_largest_at_its_radius(
    n: int, slope: float, stretch: float, c: float, V: float
) -> None:
    w = lower_constants.cube_radius(n, slope, stretch, c, V)
    top = lower_constants.cube_floor(n, w, slope, stretch, c, V)
    assert top == pytest.approx(3 / 8 * n * (slope * V / stretch**3) ** 0.5)
    assert all(lower_constants.cube_floor(n, f * w, slope, stretch, c, V) < top for f in (0.9, 1.1))


def test_the_floor_on_spheres_and_its_step() -> None:
    assert lower_constants.sphere_floor(3, 2.0, 0.5, 4.0, 256.0) == pytest.approx(2 * 2 / (16 * 3))
    assert lower_constants.sphere_step(2.0, 4.0, 3.0, 9.0) == pytest.approx(0.5)


def test_the_floor_without_the_budget_is_half_of_what_is_hidden_from_its_budget_on() -> None:
    floor = lower_constants.unknown_budget_floor(3, 50.0, 1000.0, 0.8, 0.25, 8.0)
    assert floor == pytest.approx(0.25 * (1000 - 5 * 22))
    budget = lower_constants.budget_of_linear_regret(3, 0.8, 0.25, 8.0)
    assert budget == pytest.approx(4 * 1.05 * 8 / (2 * 0.8))
    assert lower_constants.unknown_budget_floor(3, budget, 20.0, 0.8, 0.25, 8.0) == pytest.approx(0.25 * 20 / 2)
