"""A table like the paper's Table 1: the orders of regret in T, C, d and κ, measured beside claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.core.names import SUFFIX
from glbcheck.verify.report.simulation_table import profile
from glbcheck.verify.report.table import clip, wrap

Row = Mapping[str, Any]
Rows = Sequence[Row]

ROW = ("algorithm", "family", "dispersion", "arms", "constants")
AXES = ("T", "C", "d", "kappa")
SIGNS = {"T": "T", "C": "C", "d": "d", "kappa": "κ"}
NOTE = (
    "slope of log median regret on the logarithm of T, C (its three largest values), d or κ, with an exact 95% "
    "interval; NaN with fewer than three values.  T, d and κ without corruption.  κ grows with S, and with it the "
    "means: a claimed order holds these fixed.  Claimed: leading term only, and in C the term that pays for "
    "corruption; a term with neither T nor C, as d² g_max κ, is left out"
)


def exponent_lines(rows: Rows, claims: Rows) -> list[str]:
    """For people: measured, and below it what is claimed."""
    if not rows:
        return []
    lines = ["", "measured exponents   " + "".join(f"{SIGNS[axis]:<15}" for axis in AXES), "-" * 80]
    for row in table(rows, claims):
        alpha = "" if row["alpha"] is None else f" α={row['alpha']:.2g}"
        lines.append(f"{row['algorithm']}: {row['family']} {row['arms']} g={row['g']}{alpha}")
        lines.append("  measured           " + "".join(f"{row[axis]:<15}" for axis in AXES))
        lines.append("  claimed            " + "".join(f"{row[f'{axis} claimed']:<15}" for axis in AXES))
    return [clip(line.rstrip()) for line in (*lines, *wrap("exponents: ", NOTE))]


def table(rows: Rows, claims: Rows) -> list[dict[str, Any]]:
    """One row for each algorithm, family, dispersions and arms, with measured and claimed exponents as text."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in ROW), []).append(row)
    orders = {row["algorithm"]: row for row in claims}
    return [_line(group, orders[group[0]["algorithm"]]) for group in groups.values()]


def _line(group: Rows, claims: Row) -> dict[str, Any]:
    first = group[0]
    line = {
        "algorithm": str(first["algorithm"]).replace(SUFFIX, "?"),
        "family": first["family"],
        "arms": first["arms"],
        "g": profile(first),
        "alpha": first["alpha_used"],
    }
    for axis in AXES:
        own = [row for row in group if row["axis"] == axis and row["C"] in (0.0, None)]
        line[axis] = _measured(max(own, key=lambda row: row["to"])) if own else "NaN"
        line[f"{axis} claimed"] = claims[axis] or "-"
    return line


def _measured(row: Row) -> str:
    if row["exponent"] is None:
        return "NaN"
    low, high = (_end(row[name]) for name in ("exponent_lower", "exponent_upper"))
    return f"{row['exponent']:.2f} {low}..{high}"


def _end(value: float | None) -> str:
    return "?" if value is None else f"{value:.1f}"
