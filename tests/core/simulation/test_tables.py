"""What a study makes of rows that are written down here, so that every number can be counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import cells, shards, tables
from glbcheck.core.simulation.cells import BOUNDS, CURVES, TERMS, Row
from glbcheck.core.simulation.grid import Block, Cell, Grid
from glbcheck.core.simulation.shards import Piece

CELL = Block(families=("poisson",), C=(10.0,), T=(30,), replicates=21, index=("closed-form",)).cells()[0]


def row(number: int, **changes: Any) -> Row:
    """Regret 1, 2, ... and everything else in proportion."""
    n = float(number)
    plain = {
        "misses": 0, "first_informative": number if number < 8 else None, "discounted": number, "worst_ratio": n / 50,
        "smallest_weight": n / 100, "regret": n, "corruption": n / 10, "best_fixed": 2 * n,
        **dict.fromkeys(BOUNDS.values(), 100 * n), **dict.fromkeys(TERMS, 3 * n),
        **{name: [n, 10 * n, 100 * n] for name in CURVES},
    }  # fmt: skip
    return plain | changes


ROWS = [row(n) for n in np.random.default_rng(0).permutation(np.arange(1, 22)).tolist()]


def summary(rows: Sequence[Row], cell: Cell = CELL, seconds: float = 2.0) -> dict[str, Any]:
    return tables.summary(cell, rows, seconds, 7)


# --- one cell -------------------------------------------------------------------------------------------------


def test_a_summary_is_counted_as_by_hand() -> None:
    found = summary(ROWS)
    assert {name: found[name] for name in asdict(CELL)} == asdict(CELL)
    expected = {
        "seed": 7, "misses": 0, "alarm": False, "discounted_share": 231 / 630, "smallest_weight": 0.01,
        "corruption_spent": 2.1, "seconds": 2.0, "rounds_per_s": 315.0, "worst_ratio": 21 / 50,
        "informative_share": 7 / 21, "first_informative_min": 1, "first_informative_median": None,
        "regret_mean": 11.0, "regret_q05": 2.0, "regret_median": 11.0, "regret_q95": 20.0, "regret_max": 21.0,
        "median_lower": 6.0, "median_upper": 16.0, "over_bound": 0, "best_fixed": 22.0, "on_data": False,
        **dict.fromkeys(BOUNDS.values(), 100.0), **dict.fromkeys(TERMS, 33.0),
    }  # fmt: skip
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)
    assert (found["miss_lower"], 0 < found["miss_upper"] < 0.2) == (0.0, True)


@pytest.mark.parametrize(("misses", "over", "alarm"), [
    (0, 0, False), (5, 0, False), (6, 0, True), (0, 5, False), (0, 6, True), (5, 5, False),
])  # fmt: skip
def test_an_alarm_is_for_misses_or_for_regrets_above_the_bound(misses: int, over: int, alarm: bool) -> None:
    """Of 21 runs with a failure probability of 1/20, six or more fail with less than 1/1000."""
    rows = [
        row(n, misses=int(n <= misses), bound_repaired=n - 0.5 if n <= over else float(n)) for n in range(1, 22)
    ]  # fmt: skip
    found = summary(rows)
    assert (found["misses"], found["over_bound"], found["alarm"]) == (misses, over, alarm)
    for cell in (replace(CELL, algorithm="uniform"), replace(CELL, variant="radius-tenth")):
        other = summary(rows, cell)  # no theorem speaks about it
        assert (other["guarantee"], other["alarm"]) == (None, False)


def test_every_reading_is_held_to_its_own_bound() -> None:
    rows = [row(n, bound_sharpest=0.0, bound_printed=0.0) for n in range(1, 22)]
    assert [summary(rows, replace(CELL, constants=name))["over_bound"] for name in ("repaired", "paper", "local")] == [
        0, 21, 0,
    ]  # fmt: skip


def test_curves_are_read_at_every_checkpoint() -> None:
    found = tables.curves(CELL, ROWS)
    assert [point["t"] for point in found] == [10, 20, 30]
    for point, scale in zip(found, (1.0, 10.0, 100.0), strict=True):
        expected = {
            "regret_q05": 2.0, "regret_median": 11.0, "regret_q95": 20.0, "radius_median": 11.0, "error_median": 11.0,
            "error_max": 21.0, "weight_median": 11.0, "weight_min": 1.0,
        }  # fmt: skip
        assert {name: point[name] / scale for name in expected} == expected


# --- the whole study --------------------------------------------------------------------------------------------


def pretended(pieces: Sequence[Piece]) -> dict[str, Any]:
    """Rows numbered as they are declared; what is searched for finds something."""
    results: dict[str, Any] = {}
    for piece in pieces:
        first, count = piece.payload["first"], piece.payload["count"]
        results[piece.key] = {"rows": [row(1 + n) for n in range(first, first + count)], "seconds": 0.25}
        if piece.payload["cell"]["adversary"].startswith("searched"):
            results[piece.key]["found"] = {"winner": "mirror"}
    return results


def test_cells_broken_variants_and_searches_have_tables_of_their_own() -> None:
    blocks = (
        Block(T=(30,), replicates=5, C=(10.0,), variants=("correct", "radius-tenth")),
        Block(T=(30,), replicates=4, C=(10.0,), adversaries=("searched:2",)),
    )
    found = tables.tables(Grid(7, blocks), pretended)
    assert [(one["adversary"], one["seed"], one["seconds"]) for one in found.cells] == [
        ("front-loaded", 7, 0.25), ("searched:2", 7, 0.25),
    ]  # fmt: skip
    assert found.regrets == [[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0]]
    assert [one["variant"] for one in found.power] == ["radius-tenth"]
    assert [(one["winner"], one["worst_ratio"], one["T"]) for one in found.searches] == [("mirror", 4 / 50, 30)]
    assert [(one["adversary"], len(one["points"])) for one in found.curves] == [("front-loaded", 3), ("searched:2", 3)]


def test_a_grid_with_a_cell_that_cannot_be_played_is_refused_before_anything_is() -> None:
    with pytest.raises(BadInput, match="variants"):
        tables.tables(Grid(7, (Block(variants=("correct", "unheard-of")),)), lambda pieces: pytest.fail("played"))


def test_runs_are_cut_into_shards_and_put_together_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "ROUNDS", 60)
    block = Block(T=(30,), C=(10.0,), replicates=7)
    (cell,) = block.cells()
    pieces = shards.cut(cell, 3)
    assert [one.payload["count"] for one in pieces] == [2, 2, 2, 1]
    assert all(one.payload["seed"] == 3 and one.payload["cell"] == asdict(cell) for one in pieces)
    found = tables.tables(Grid(3, (block,)), pretended)
    assert found.regrets == [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]
    assert (found.cells[0]["seconds"], found.searches) == (1.0, [])
    more = shards.cut(replace(cell, replicates=3), 3)
    assert [one.key for one in more] == [one.key for one in pieces[:2]]  # more runs later find these


# --- cells that cannot be played ------------------------------------------------------------------------------------


ON_IRIS = {"family": "bernoulli", "arms": "data:iris", "d": 12}


@pytest.mark.parametrize(("changes", "words"), [
    ({"variant": "radius-tenth", "algorithm": "uniform"}, r"^variants = 'radius-tenth' .* other than hcw-glb-omd"),
    ({"variant": "unheard-of"}, r"^variants = 'unheard-of' .* one of correct, radius-halved"),
    ({"adversary": "searched:2", "C": 0.0}, r"^adversaries = 'searched:2' .* C > 0"),
    ({"family": "poison"}, r"^families = 'poison' .* did you mean poisson\?"),
    ({"dispersion": "constant:0.5"}, r"^dispersions = "), ({"arms": "sphere:0"}, r"^arms = "),
    ({**ON_IRIS, "variant": "no-weights"}, r"^arms = 'data:iris' .* the correct learner"),
    ({**ON_IRIS, "algorithm": "hcw-glb-omd+unknown-C"}, r"^arms = 'data:iris' .* the correct learner"),
])  # fmt: skip
def test_a_cell_that_cannot_be_played_is_refused_by_name(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        cells.check(replace(CELL, **changes))
