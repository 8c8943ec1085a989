"""Numbers of the conclusions at their edges: which intervals, which rival, which orders, and what is no number."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.lower_constants import unknown_budget_floor
from glbcheck.core.names import OURS, SCOUTED
from glbcheck.core.simulation import conclusions
from glbcheck.core.simulation.tables import median_interval

from tests.test_conclusions import RUNS, contender


@pytest.mark.parametrize(("n", "of"), [(17, 1), (20, 3), (20, 5), (29, 2), (30, 3)])
def test_so_many_intervals_hold_at_once_with_ninety_five_in_a_hundred(n: int, of: int) -> None:
    one = contender(OURS, [float(k) for k in range(n)])
    assert one.interval(of) == median_interval(list(range(n)), Fraction(1, 40 * of))
    assert contender(OURS, [1.0, 2.0]).interval(1) == (0.0, math.inf)


@pytest.mark.parametrize(("ours", "theirs", "ratio"), [
    ([1.0, 6.0, 2.0, 9.0], [1.0, 2.0, 0.5, 3.0], 3.0), ([5.0, 1.0, 2.0, 4.0, 3.0], [1.0] * 5, 3.0),
    ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 1.0), ([1.0, 2.0, 0.0], [0.0, 0.0, 0.0], math.inf),
])  # fmt: skip
def test_runs_are_compared_by_the_lower_median_of_their_ratios(
    ours: list[float], theirs: list[float], ratio: float
) -> None:
    assert contender(OURS, ours).against(contender("cw-oful", theirs), 1)[0] == ratio


def test_every_number_of_a_comparison_with_two_rivals() -> None:
    runs, spread = np.linspace(90, 110, 25), np.geomspace(1, 50, 25)
    ours, cheap, dear = (
        contender(OURS, 3 * runs), contender("cw-oful", runs), contender("gadaoful", runs[::-1] * spread),
    )  # fmt: skip
    (row,) = conclusions.settings([ours, dear, cheap])
    assert ours.interval(3) != ours.interval(4)
    (low, high), bounds = ours.interval(3), [one.interval(3) for one in (cheap, dear)]
    assert (row["rival"], row["rival_median"], row["closest"], row["verdict"]) == (
        "cw-oful", cheap.median, "cw-oful", "loses",
    )  # fmt: skip
    assert row["ratio"] == pytest.approx(ours.median / cheap.median)
    assert row["ratio_lower"] == pytest.approx(low / min(top for _, top in bounds))
    assert row["ratio_upper"] == pytest.approx(high / min(bottom for bottom, _ in bounds))
    assert [row[name] for name in ("paired", "paired_lower", "paired_upper")] == list(ours.against(cheap, 2))
    other = conclusions.settings([contender(OURS, 0.5 * runs), dear, cheap])[0]
    assert (other["verdict"], other["closest"]) == ("wins", "cw-oful")


def test_the_closest_of_rivals_that_are_all_ahead_is_the_farthest_ahead() -> None:
    (row,) = conclusions.settings(
        [contender(OURS, 3 * RUNS), contender("cw-oful", RUNS), contender("gadaoful", 2 * RUNS)]
    )
    assert (row["closest"], row["paired"]) == ("cw-oful", pytest.approx(3.0))
    (row,) = conclusions.settings(
        [contender(OURS, 3 * RUNS), contender("gadaoful", 2 * RUNS), contender("cw-oful", RUNS)]
    )
    assert (row["closest"], row["rival"]) == ("cw-oful", "cw-oful")


def test_a_learner_without_its_scout_counts_where_it_has_the_same_constants() -> None:
    rivals = [contender("cw-oful", 5 * RUNS), contender(SCOUTED, 2 * RUNS)]
    (row,) = conclusions.settings([contender(OURS, RUNS), *rivals])
    assert (row["best"], row["learner"], row["without_scout"]) == (OURS, SCOUTED, row["ours"] / 2)
    (row,) = conclusions.settings([contender(OURS, RUNS, constants="paper"), *rivals])
    assert (row["best"], row["without_scout"]) == (SCOUTED, None)


@pytest.mark.parametrize(("factor", "within"), [(1.5, 1), (1.51, 0)])
def test_exactly_the_factor_is_within_it(factor: float, within: int) -> None:
    played = [contender(OURS, [factor] * 20), contender("cw-oful", [1.0] * 20)]
    assert conclusions.measure(conclusions.settings(played))["within_factor"] == within


@pytest.mark.parametrize(("a", "b", "ratio"), [
    (1.0, 0.5, 2.0), (0.0, 0.0, 1.0), (1.0, 0.0, None), (math.inf, math.inf, None), (math.inf, 1.0, None),
    (1.0, math.inf, 0.0),
])  # fmt: skip
def test_a_ratio_is_a_number_or_nothing(a: float, b: float, ratio: float | None) -> None:
    assert conclusions._ratio(a, b) == ratio


# --- exponents --------------------------------------------------------------------------------------------------


def grown(values: tuple[float, ...], axis: str = "C", **fields: Any) -> list[Any]:
    return [contender(OURS, RUNS * max(value, 1e-3) ** 0.5, **{axis: value, **fields}) for value in values]


def test_what_is_no_budget_has_no_logarithm_and_small_ones_do() -> None:
    assert conclusions.exponents(grown((0.0, 0.5, 2.0))) == []
    (row,) = conclusions.exponents(grown((0.0, 0.25, 0.5, 2.0)))
    assert (row["from"], row["to"], row["exponent"]) == (0.25, 2.0, pytest.approx(0.5))


@pytest.mark.parametrize(("C", "claimed"), [(0.0, "0"), (0.5, "0 or 1")])
def test_the_orders_of_kappa_are_those_with_corruption_or_without(C: float, claimed: str) -> None:
    played = [contender(OURS, RUNS * k, S=S, kappa=k, C=C) for S, k in ((1.0, 5.0), (2.0, 9.0), (4.0, 56.0))]
    (row,) = conclusions.exponents(played)
    assert (row["axis"], row["claimed"], row["algorithm"]) == ("kappa", claimed, OURS)


def test_an_alpha_is_shown_where_it_is_one() -> None:
    for alphas, shown in (((0.2, 0.2, 0.2), 0.2), ((0.2, 0.3, 0.2), None)):
        played = [one for T, a in zip((10, 100, 1000), alphas, strict=True) for one in grown((T,), "T", alpha_used=a)]
        (row,) = conclusions.exponents(played)
        assert (row["alpha_used"], row["T"], row["C"]) == (shown, None, 30.0)


def test_a_slope_through_numbers_below_one_and_a_middle_that_does_not_count() -> None:
    x, y = [math.exp(-1), 1.0, math.exp(1)], [0.1, 0.2, 0.4]
    slope, low, high = conclusions.fitted(x, y, [(0.05, 0.2), (0.0, math.inf), (0.3, 0.5)])
    assert slope == pytest.approx(math.log(4) / 2)
    assert low == pytest.approx(math.log(0.3 / 0.2) / 2)
    assert high == pytest.approx(math.log(0.5 / 0.05) / 2)


# --- not knowing C ------------------------------------------------------------------------------------------------


def paid(algorithm: str, C: float, mean: float) -> dict[str, Any]:
    fields = {"arms": "two-worlds", "C": C, "T": 5000, "family": "poisson", "regret_mean": mean}
    return {**contender(algorithm, RUNS).row, **fields, "regret_q05": mean / 2, "regret_q95": 2 * mean}


@pytest.mark.parametrize("clean", [3.0, 2000.0])
def test_the_price_of_not_knowing_is_that_of_the_theorem(clean: float) -> None:
    rows = [paid(OURS, 100.0, 50.0), paid(f"{OURS}+unknown-C", 0.0, clean), paid(f"{OURS}+unknown-C", 100.0, 90.0)]
    (row,) = conclusions.untold(rows)
    mu = catalog.get("poisson").mu
    first, hidden = (float(mu(share) - mu(0.0)) for share in (0.6, 0.79))
    floor = float(unknown_budget_floor(2, 100.0, 5000, first, hidden - first, clean))
    assert row["floor"] == pytest.approx(max(floor, 0.0))
    assert (row["known"], row["unknown"], row["clean"], row["algorithm"]) == (50.0, 90.0, clean, OURS)
    assert (row["unknown_lower"], row["unknown_upper"]) == (45.0, 180.0)
    assert (floor > 0) is (clean == 3.0)
    assert conclusions.untold(rows[:1] + rows[2:]) == []
