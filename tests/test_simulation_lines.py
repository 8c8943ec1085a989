"""The tables of a simulation for people: rows can be told apart, nothing is cut off, what goes unseen is explained."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from glbcheck.core.simulation.grid import Block
from glbcheck.verify.report.simulation_table import coverage_lines, power_lines, regret_lines

from glbcheck import simulate

PLAYED = {"misses": 0, "miss_upper": 0.3, "worst_ratio": 0.4, "first_informative_median": 389}


def cell(**fields: Any) -> dict[str, Any]:
    (one,) = Block().cells()
    return {**asdict(one), **PLAYED, **fields}


def test_rows_that_differ_in_no_column_say_in_what_they_differ() -> None:
    lines = coverage_lines([cell(arms="basis"), cell(arms="sphere:8"), cell(arms="basis", T=500)])
    assert [line.strip() for line in lines if "with " in line[:20]] == ["with arms basis", "with arms sphere:8"]
    lines = coverage_lines([cell(), cell(alpha=0.3)])
    assert [line.strip() for line in lines if "with " in line[:20]] == ["with α of the paper", "with α 0.3"]


PAID = {
    "guaranteed": True, "on_data": False, "alpha_used": 0.3, "regret_median": 12.5, "median_lower": 0.0,
    "bound_printed": 1e6, "bound_repaired": 1e6, "bound_sharpest": 12345.0,
}  # fmt: skip


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_no_number_is_cut_off_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    (row,) = (line for line in coverage_lines([cell()]) if line.endswith("389"))
    assert len(row) <= 80
    few = regret_lines([cell(**PAID, median_upper=None, arms="changing:10")])
    (row,) = (line for line in few if "changing:10 " in line)
    assert row.split()[-2] == "0-?"
    assert any(line.startswith("?: ") for line in few)
    assert not any("?" in line for line in regret_lines([cell(**PAID, median_upper=20.0)]))


def test_what_goes_unseen_is_explained_also_if_it_is_seen_elsewhere() -> None:
    broken = {"variant": "overspent", "breaks": "spends too much", "absorbed": "up to a factor", "replicates_needed": 3}
    unseen, seen = cell(**broken, detected=False), cell(**broken, detected=True)
    assert "  overspent goes unseen: up to a factor" in power_lines([unseen])
    assert "  overspent goes unseen in 1 of 2 rows: up to a factor" in power_lines([unseen, seen])
    assert not any("goes unseen" in line for line in power_lines([seen]))


@pytest.mark.parametrize(("played", "drawn"), [({"bernoulli"}, 1), ({"binomial"}, 3)])
def test_bounds_are_drawn_for_the_families_played_or_for_all(played: set[str], drawn: int) -> None:
    found = {row["family"] for row in simulate._bounds(played)}
    assert len(found) == drawn
    assert found & played == played or drawn == 3
