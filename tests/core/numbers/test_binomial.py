"""Exact facts about coin tosses at their corners: certain outcomes, ties on the grid, and what is refused."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

import pytest
from glbcheck.core.binomial import (
    alarm_threshold,
    at_least,
    at_most,
    clopper_pearson_lower,
    clopper_pearson_upper,
    pass_threshold,
)
from glbcheck.core.errors import BadInput


@pytest.mark.parametrize("p", [F(0), F(1), F(2, 7), F(1, 2)], ids=str)
def test_tails_are_sums_of_all_outcomes_also_for_a_coin_that_never_changes(p: F) -> None:
    for n in range(7):
        weights = [comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
        for k in range(-2, n + 3):
            assert at_most(n, k, p) == sum(weights[: max(k + 1, 0)])
            assert at_least(n, k, p) == sum(weights[max(k, 0) :])


def test_bounds_are_multiples_of_a_millionth_on_the_cautious_side() -> None:
    """None of ten: (1 - p)^10 = 1/20 at p = 0.25886557..., and the mirror image for all of ten."""
    assert clopper_pearson_upper(10, 0, F(1, 20)) == F(258866, 10**6)
    assert clopper_pearson_lower(10, 10, F(1, 20)) == 1 - F(258866, 10**6)
    assert clopper_pearson_lower(10, 0, F(1, 20)) == 0
    assert clopper_pearson_upper(10, 10, F(1, 20)) == 1


@pytest.mark.parametrize(("n", "k", "alpha", "bound"), [
    (1, 0, F(1, 2), F(1, 2)), (1, 0, F(3, 10), F(7, 10)), (2, 0, F(1, 4), F(1, 2)), (3, 1, F(1, 2), F(1, 2)),
    (2, 1, F(36, 100), F(8, 10)), (1, 0, F(1, 10**6), 1 - F(1, 10**6)), (1, 0, 1 - F(1, 10**6), F(1, 10**6)),
])  # fmt: skip
def test_a_tie_on_the_grid_belongs_to_what_is_excluded(n: int, k: int, alpha: F, bound: F) -> None:
    assert at_most(n, k, bound) == alpha
    assert clopper_pearson_upper(n, k, alpha) == bound
    assert clopper_pearson_lower(n, n - k, alpha) == 1 - bound


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_thresholds_are_found_also_where_the_level_is_a_probability(n: int) -> None:
    """At a level that is a tail itself, and just below it, against counting from one end."""
    for p in (F(1, 2), F(1, 5), F(9, 10)):
        assert (pass_threshold(n, p, F(1, 10**9)), alarm_threshold(n, p, F(1, 10**9))) == (-1, n + 1)
        for k in range(n):
            for alpha in (at_most(n, k, p), at_most(n, k, p) - F(1, 10**60)):
                assert pass_threshold(n, p, alpha) == max(c for c in range(-1, n) if at_most(n, c, p) <= alpha)
            level = at_least(n, k + 1, p)
            assert alarm_threshold(n, p, level) == min(c for c in range(1, n + 2) if at_least(n, c, p) <= level)


@pytest.mark.parametrize(("n", "k", "alpha", "says"), [
    (5, -1, F(1, 20), r"k = -1 .*from 0 to n = 5"), (5, 6, F(1, 20), r"k = 6 .*from 0 to n = 5"),
    (5, 2, F(0), "alpha = .*strictly between 0 and 1"), (5, 2, F(1), "alpha = .*strictly between 0 and 1"),
    (5, 5, F(3, 2), "alpha = .*strictly between 0 and 1"), (5, 5, F(-1), "alpha = .*strictly between 0 and 1"),
])  # fmt: skip
def test_counts_and_levels_that_make_no_sense_are_refused(n: int, k: int, alpha: F, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        clopper_pearson_upper(n, k, alpha)
    if says.startswith("alpha"):
        with pytest.raises(BadInput, match=says):
            pass_threshold(n, F(1, 2), alpha)
