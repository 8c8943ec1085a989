"""Rows of runs become one row per cell: exact counts and order statistics, in whatever order runs came."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any, NamedTuple

from glbcheck.core.binomial import alarm_threshold, clopper_pearson_lower, clopper_pearson_upper, pass_threshold
from glbcheck.core.simulation import cells
from glbcheck.core.simulation.cells import BOUNDS, CURVES, TERMS, Row
from glbcheck.core.simulation.grid import CORRECT, Cell, Grid
from glbcheck.core.simulation.mutants import MUTANTS
from glbcheck.core.simulation.shards import Run, cut

TAIL = Fraction(1, 40)  # on each side of a 95% interval
ALARM = Fraction(1, 1000)  # a sound guarantee is accused with this probability at most

Table = list[dict[str, Any]]


class Tables(NamedTuple):
    """What a grid found: a row for every cell, broken variant and search; curves; and the regrets behind each cell."""

    cells: Table
    power: Table
    searches: Table
    curves: Table
    regrets: list[list[float]]


def tables(grid: Grid, run: Run) -> Tables:
    """Check every cell of the grid, have it played, whoever does the work, and count."""
    for cell in (wanted := grid.cells()):
        cells.check(cell)
    pieces = {cell: cut(cell, grid.seed) for cell in wanted}
    results = run([piece for some in pieces.values() for piece in some])
    found = Tables([], [], [], [], [])
    for cell, some in pieces.items():
        parts = [results[piece.key] for piece in some]
        rows, seconds = [row for part in parts for row in part["rows"]], sum(part["seconds"] for part in parts)
        if cell.variant == CORRECT:
            found.cells.append(summary(cell, rows, seconds, grid.seed))
            found.regrets.append([row["regret"] for row in rows])
            found.curves.append({**asdict(cell), "points": curves(cell, rows)})
        else:
            found.power.append(power(cell, rows, seconds, grid.seed))
        if "found" in parts[0]:
            found.searches.append({**asdict(cell), **parts[0]["found"], "worst_ratio": most(rows, "worst_ratio")})
    return found


def summary(cell: Cell, rows: Sequence[Row], seconds: float, seed: int) -> dict[str, Any]:
    """One row of the table of cells.

    `alarm`: a theorem speaks about the learner, and the true parameter was missed or the bound on the regret
    exceeded in more runs than δ allows.
    """
    rounds, theorem = len(rows) * cell.T, cells.guarantee(cell)
    coverage, regret = _coverage(rows), _regret(cell, rows)
    failures = max(coverage["misses"] or 0, regret["over_bound"] or 0)
    return {
        **asdict(cell), "seed": seed, "guarantee": theorem,
        "guaranteed": cells.claims_bound(cell), "on_data": cells.is_data(cell),
        "kappa": cells.kappa(cell), "alpha_used": cells.threshold(cell), **coverage,
        "alarm": theorem is not None and failures >= _alarm(cell, len(rows)),
        "discounted_share": sum(row["discounted"] for row in rows) / rounds,
        "smallest_weight": least(rows, "smallest_weight"), **regret, "corruption_spent": most(rows, "corruption"),
        "seconds": seconds, "rounds_per_s": rounds / seconds if seconds > 0 else None,
    }  # fmt: skip


def _alarm(cell: Cell, n: int) -> int:
    """How many failures in n runs a failure probability of at most δ does not explain."""
    return alarm_threshold(n, Fraction(str(cell.delta)), ALARM)


def _coverage(rows: Sequence[Row]) -> Row:
    """How often θ_* was ever missed, with exact 95% bounds; null for a learner without confidence set."""
    n, ratio = len(rows), most(rows, "worst_ratio")
    missed = None if ratio is None else sum(row["misses"] > 0 for row in rows)
    reached = sorted(row["first_informative"] or math.inf for row in rows)
    return {
        "misses": missed,
        "miss_lower": None if missed is None else float(clopper_pearson_lower(n, missed, TAIL)),
        "miss_upper": None if missed is None else float(clopper_pearson_upper(n, missed, TAIL)),
        "worst_ratio": ratio,
        "informative_share": sum(map(math.isfinite, reached)) / n,
        "first_informative_min": _finite(reached[0]),
        "first_informative_median": _finite(reached[(n - 1) // 2]),
    }


def _regret(cell: Cell, rows: Sequence[Row]) -> Row:
    """What the runs paid, the least of their upper bounds, and what no algorithm escapes."""
    paid = [row["regret"] for row in rows]
    own = BOUNDS.get(cell.constants, BOUNDS["repaired"])
    low, high = median_interval(sorted(paid), TAIL)
    pairs = [(row["regret"], row[own]) for row in rows if row[own] is not None]
    return {
        "regret_mean": math.fsum(paid) / len(paid),
        "regret_q05": quantile(paid, 0.05), "regret_median": quantile(paid, 0.5),
        "median_lower": low, "median_upper": high,
        "regret_q95": quantile(paid, 0.95), "regret_max": quantile(paid, 1.0),
        **{name: least(rows, name) for name in BOUNDS.values()},
        **{name: quantile((row[name] for row in rows), 0.5) for name in TERMS},
        "over_bound": sum(regret > bound for regret, bound in pairs) if pairs else None,
        "lower_bound": cells.regret_floor(cell), "best_fixed": quantile((row["best_fixed"] for row in rows), 0.5),
    }  # fmt: skip


def curves(cell: Cell, rows: Sequence[Row]) -> Table:
    """The cell at every checkpoint: medians over the runs, and extremes where they matter."""
    found = []
    for place, t in enumerate(cells.checkpoints(cell.T)):
        regret, radius, error, weight = ([row[name][place] for row in rows] for name in CURVES)
        q05, median, q95 = (quantile(regret, q) for q in (0.05, 0.5, 0.95))
        found.append({
            "t": t, "regret_q05": q05, "regret_median": median, "regret_q95": q95,
            "radius_median": quantile(radius, 0.5),
            "error_median": quantile(error, 0.5), "error_max": quantile(error, 1.0),
            "weight_median": quantile(weight, 0.5), "weight_min": quantile(weight, 0.0),
        })  # fmt: skip
    return found


def power(cell: Cell, rows: Sequence[Row], seconds: float, seed: int) -> dict[str, Any]:
    """One row of the table of broken variants: whether it is seen to be broken, and after how many runs.

    Detected means more missed runs than a guarantee of 1 - δ allows, at the level `ALARM`.
    """
    missed, needed = 0, None
    for n, row in enumerate(rows, 1):
        missed += row["misses"] > 0
        if needed is None and row["misses"] > 0 and missed >= _alarm(cell, n):
            needed = n
    final, broken = missed >= _alarm(cell, len(rows)), MUTANTS[cell.variant]
    return {
        **summary(cell, rows, seconds, seed), "detected": final, "replicates_needed": needed if final else None,
        "breaks": broken.breaks, "absorbed": broken.absorbed,
    }  # fmt: skip


def quantile(values: Iterable[float | None], q: float) -> float | None:
    """The smallest value with at least a share q at or below it; null if nothing was measured."""
    known = sorted(value for value in values if value is not None)
    return known[max(math.ceil(q * len(known)) - 1, 0)] if known else None


def median_interval(ordered: Sequence[float], tail: Fraction) -> tuple[float, float | None]:
    """Where the median of the law of these regrets is not, on either side, but for probability `tail` each.

    Exact for every law, by order statistics: the k-th smallest lies above the median only if fewer than k of n fair
    coins fall on one side.  With too few runs nothing but 0 bounds it from below, and nothing from above.
    """
    k = pass_threshold(len(ordered), Fraction(1, 2), tail)
    return (0.0, None) if k < 0 else (ordered[k], ordered[-1 - k])


def most(rows: Sequence[Row], name: str) -> float | None:
    return quantile((row[name] for row in rows), 1.0)


def least(rows: Sequence[Row], name: str) -> float | None:
    return quantile((row[name] for row in rows), 0.0)


def _finite(value: float) -> int | None:
    return int(value) if math.isfinite(value) else None
