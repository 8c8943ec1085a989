"""Numbers of the conclusions at their edges: which intervals, which rival, which orders, and what is no number."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.lower_constants import unknown_budget_floor
from glbcheck.core.names import OURS
from glbcheck.core.simulation import conclusions
from glbcheck.core.simulation.tables import median_interval

from tests.core.simulation.test_conclusions import RUNS, contender


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
