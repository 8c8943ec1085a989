"""Who wins where and by how much, and how regret grows: numbers from which a study draws its conclusions.

Algorithms are compared within a setting: the same family, dimension, radius, dispersions, attack, budget, arms and
horizon.  Intervals are exact for every law of the regrets, by order statistics of the runs, and hold for all numbers
that enter a comparison at once, so that choosing the best rival after the fact does not void them.  Run number n of two
algorithms meets the same instance: who wins is decided run by run, by the median of the ratios.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from glbcheck.core import catalog
from glbcheck.core.names import OURS, OWN, SUFFIX
from glbcheck.core.rivals.claims import AXES, claimed
from glbcheck.core.simulation.cells import TERMS, plain
from glbcheck.core.simulation.instances import FIRST, HIDDEN
from glbcheck.core.simulation.tables import median_interval
from glbcheck.core.theory.lower_constants import unknown_budget_floor

Row = dict[str, Any]
T = TypeVar("T")

ERROR = Fraction(1, 20)  # the most that an interval may be wrong with
FACTOR = 1.5  # what a guarantee may cost against the best rival that has one
HEAVY = 30.0  # corruption from here on is heavy
SETTING = ("family", "d", "S", "dispersion", "adversary", "C", "index", "arms", "T", "delta")
READINGS = ("sharpest", "local", "repaired", "paper")  # of several constants the first is judged
SWEPT = {"T": "T", "C": "C", "d": "d", "kappa": "S"}  # what moves when a quantity is varied
COMPARED = (
    "rival_median", "ratio", "ratio_lower", "ratio_upper", "closest", "paired", "paired_lower", "paired_upper",
)  # fmt: skip
POINTS = 3  # fewer make no exponent


class Contender(NamedTuple):
    """A cell as it enters a comparison: its row, and the regrets of its runs, run by run."""

    row: Mapping[str, Any]
    regrets: Sequence[float]

    @property
    def name(self) -> str:
        return str(self.row["algorithm"])

    @property
    def median(self) -> float:
        return float(self.row["regret_median"])

    def interval(self, of: int) -> tuple[float, float]:
        """Bounds on its median, when so many intervals must hold at once."""
        return _bounds(self.regrets, of)

    def against(self, rival: Contender, of: int) -> tuple[float, float, float]:
        """The median over the runs of its regret over that of a rival in the same run, and bounds on it."""
        pairs = zip(self.regrets, rival.regrets, strict=False)
        ratios = sorted(1.0 if a == b else a / b if b > 0 else math.inf for a, b in pairs)
        return (ratios[(len(ratios) - 1) // 2], *_bounds(ratios, of))


def _bounds(values: Sequence[float], of: int) -> tuple[float, float]:
    low, high = median_interval(sorted(values), ERROR / (2 * of))
    return low, math.inf if high is None else high


def _grouped(rows: Iterable[T], key: Callable[[T], Hashable]) -> dict[Any, list[T]]:
    found: dict[Any, list[T]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


# --- who wins where -----------------------------------------------------------------------------------------


def settings(all_of_them: Iterable[Contender]) -> list[Row]:
    """One row for each setting in which our learner met another one that was told as much."""
    groups = _grouped(all_of_them, lambda one: tuple(one.row[name] for name in SETTING))
    return [row for row in map(_judged, groups.values()) if row is not None]


def _judged(group: Sequence[Contender]) -> Row | None:
    def reading(one: Contender) -> tuple[int, int]:
        return OWN.index(one.name), READINGS.index(one.row["constants"])

    def rank(one: Contender) -> tuple[float, int, bool]:
        """Ties are ours, or else of one with a guarantee."""
        return one.median, OWN.index(one.name) if one.name in OWN else len(OWN), not one.row["guaranteed"]

    ours = min((one for one in group if one.name in OWN), key=reading, default=None)
    rivals = [one for one in group if one.name not in OWN and not one.name.endswith(SUFFIX)]
    if ours is None or not rivals:
        return None
    alone = next((one for one in group if one.name == OURS and one.row["constants"] == ours.row["constants"]), None)
    safe = [one for one in rivals if one.row["guaranteed"]]
    best = min([ours, *([alone] if alone else []), *rivals], key=rank)
    return {
        **{name: ours.row[name] for name in (*SETTING, "on_data", "constants")},
        "learner": ours.name, "ours": ours.median, "without_scout": alone.median if alone else None,
        "rival": min(safe, key=lambda one: one.median).name if safe else None, **_compared(ours, safe),
        "best": best.name, "best_median": best.median, "best_guaranteed": bool(best.row["guaranteed"]),
        "ratio_to_best": _ratio(ours.median, best.median), **{name: ours.row[name] for name in TERMS},
    }  # fmt: skip


def _compared(ours: Contender, safe: Sequence[Contender]) -> Row:
    """Our median over the least of the rivals' medians, with an interval; who is most ahead run by run; and a word."""
    if not safe:
        return {**dict.fromkeys(COMPARED), "verdict": "alone"}
    of, runs = 1 + len(safe), [ours.against(one, len(safe)) for one in safe]
    low, high = ours.interval(of)
    lows, highs = zip(*(one.interval(of) for one in safe), strict=True)
    ahead = [i for i, (_, above, _) in enumerate(runs) if above > 1]
    closest = max(ahead or range(len(safe)), key=lambda i: runs[i][:2])
    beaten, least = all(below < 1 for _, _, below in runs), min(one.median for one in safe)
    ratios = _ratio(ours.median, least), _ratio(low, min(highs)), _ratio(high, min(lows))
    numbers = (least, *ratios, safe[closest].name, *map(plain, runs[closest]))
    verdict = "wins" if beaten else "loses" if ahead else "open"
    return {**dict(zip(COMPARED, numbers, strict=True)), "verdict": verdict}


def _ratio(a: float, b: float) -> float | None:
    """a/b, 1 if both are 0, null if nothing can be said."""
    if a == b and math.isfinite(a):
        return 1.0
    return a / b if math.isfinite(a) and b > 0 else None  # 0 if b is infinite


def measure(judged: Sequence[Row]) -> Row:
    """The counts that a learner worth using is measured by; data are counted apart."""
    model = [row for row in judged if not row["on_data"]]
    heavy = [row for row in model if row["C"] >= HEAVY]
    met, heavy_met = ([row for row in rows if row["rival"] is not None] for rows in (model, heavy))
    return {
        "settings": len(model), "with_guaranteed_rival": len(met), "factor": FACTOR, "heavy": HEAVY,
        "within_factor": sum(row["ratio"] is not None and row["ratio"] <= FACTOR for row in met),
        **{word: sum(row["verdict"] == word for row in met) for word in ("wins", "loses", "open")},
        "best_of_all": sum(row["best"] == row["learner"] for row in model), "heavy_settings": len(heavy),
        "best_of_all_heavy": sum(row["best"] == row["learner"] for row in heavy),
        "heavy_with_guaranteed_rival": len(heavy_met),
        "best_guaranteed_heavy": sum(row["ours"] <= row["rival_median"] for row in heavy_met),
    }  # fmt: skip


# --- how regret grows ---------------------------------------------------------------------------------------


def exponents(all_of_them: Sequence[Contender]) -> list[Row]:
    """The measured exponent of every algorithm in T, C, d and κ, wherever three values differ in that alone."""
    sweeps: dict[tuple[Any, ...], list[Contender]] = {}
    for one in all_of_them:
        for axis, field in SWEPT.items():
            kept = [name for name in (*SETTING, "alpha", "constants") if name != field]
            sweeps.setdefault((axis, one.name, *(one.row[name] for name in kept)), []).append(one)
    found = (_exponent(key[0], sweep) for key, sweep in sweeps.items())
    return [row for row in found if row is not None]


def claims(all_of_them: Iterable[Contender]) -> list[Row]:
    """The paper's Table 1 as far as it was played: what is claimed for each algorithm, and by whom."""
    found = []
    for name, played in _grouped(all_of_them, lambda one: one.name).items():
        row, used = claimed(name), {one.row["constants"] for one in played}
        orders = {axis: _text(row.orders(axis, corrupted=axis == "C")) for axis in AXES}
        said = {"bound": row.bound, "holds for": row.guarantee, "source": row.source, "caveat": row.caveat(used)}
        found.append({"algorithm": name, **said, **orders})
    return found


def _text(orders: Iterable[Fraction]) -> str | None:
    return " or ".join(map(str, orders)) or None


def _exponent(axis: str, sweep: Sequence[Contender]) -> Row | None:
    points = sorted((one for one in sweep if one.row[axis] > 0), key=lambda one: float(one.row[axis]))
    if axis == "C":
        points = points[-POINTS:]  # what is paid for corruption is a sum: its order shows where C is large
    values = [float(one.row[axis]) for one in points]
    if len(set(values)) < POINTS:
        return None
    row = points[-1].row
    slope, lower, upper = fitted(values, [one.median for one in points], [one.interval(len(points)) for one in points])
    orders = claimed(points[0].name).orders(axis, corrupted=axis == "C" or row["C"] > 0)
    fields = ("family", "d", "S", "dispersion", "adversary", "C", "constants", "arms", "T", "alpha_used")
    return {
        "algorithm": points[0].name,
        **{name: None if name == SWEPT[axis] else row[name] for name in fields},
        "alpha_used": row["alpha_used"] if len({one.row["alpha_used"] for one in points}) == 1 else None,
        "axis": axis, "from": values[0], "to": values[-1], "exponent": slope,
        "exponent_lower": lower, "exponent_upper": upper, "claimed": _text(orders),
    }  # fmt: skip


def fitted(
    x: Sequence[float], y: Sequence[float], within: Sequence[tuple[float, float]]
) -> tuple[float | None, float | None, float | None]:
    """The slope of log y on log x by least squares, and the least and the largest with each y in its interval.

    The slope is linear in the log y, so that intervals which hold at once give one that holds.
    """
    logs = [math.log(value) for value in x]
    centre = math.fsum(logs) / len(logs)
    total = math.fsum((u - centre) ** 2 for u in logs)
    weights = [(u - centre) / total for u in logs]
    ends = [(_log(low), _log(high)) for low, high in within]
    slope = math.fsum(w * _log(v) for w, v in zip(weights, y, strict=True)) if min(y) > 0 else math.nan
    pairs = [(w * low, w * high) for w, (low, high) in zip(weights, ends, strict=True) if w != 0]
    lower, upper = (sum(map(choose, pairs)) for choose in (min, max))
    return tuple(v if math.isfinite(v) else None for v in (slope, lower, upper))  # type: ignore[return-value]


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


# --- not knowing C ------------------------------------------------------------------------------------------


def untold(cells: Sequence[Mapping[str, Any]]) -> list[Row]:
    """In the two worlds of the appendix: what a learner paid that was told C, one that was not, and what it had to.

    The floor is that of claim `price_of_not_knowing_the_budget` for a learner that pays on average what this one paid
    without corruption; it speaks of averages, and of a learner with such a bound in every world.
    """

    def world(row: Mapping[str, Any]) -> tuple[Any, ...]:
        kept = (row[name] for name in (*SETTING, "constants", "alpha") if name != "C")
        return row["algorithm"].removesuffix(SUFFIX), *kept

    found: list[Row] = []
    for (base, *_), rows in _grouped((row for row in cells if row["arms"] == "two-worlds"), world).items():
        told = {row["C"]: row for row in rows if row["algorithm"] == base}
        others = {row["C"]: row for row in rows if row["algorithm"] != base}
        budgets = sorted(set(told) & set(others) - {0.0}) if 0.0 in others else []
        prices = ({**_price(others[C], others[0.0]), "known": told[C]["regret_mean"]} for C in budgets)
        found += [{"algorithm": base, **price} for price in prices]
    return found


def _price(row: Mapping[str, Any], clean: Mapping[str, Any]) -> Row:
    mu, S = catalog.get(row["family"]).mu, row["S"]
    Delta, top = (float(mu(share * S) - mu(0.0)) for share in (FIRST, HIDDEN))
    floor = unknown_budget_floor(row["d"], row["C"], row["T"], Delta, top - Delta, clean["regret_mean"])
    return {
        **{name: row[name] for name in ("family", "d", "S", "dispersion", "T", "C", "constants")},
        "clean": clean["regret_mean"], "unknown": row["regret_mean"],
        "unknown_lower": row["regret_q05"], "unknown_upper": row["regret_q95"], "floor": max(float(floor), 0.0),
    }  # fmt: skip
