"""The figures of a simulation of coverage, drawn from its tables alone.

A row is one cell; a curve is a cell with its `points` at the checkpoints.  Panels are families.  A figure for
which the tables hold nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from glbcheck.verify.report.figures import COLOURS, decades, figure, line
from glbcheck.verify.report.simulation_table import named
from glbcheck.verify.report.table import clip
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Row = Mapping[str, Any]
Rows = Sequence[Row]
T = TypeVar("T")

MOST_PANELS = 3


def coverage_figures(rows: Rows, curves: Rows) -> dict[str, tuple[Figure, str]]:
    """Figure and description by name."""
    drawn = {
        "radius": (_radius(curves), _radius_caption(curves)),
        "coverage": (_coverage(rows), _coverage_caption(rows)),
        "weights": (_weights(curves), _weights_caption(curves)),
    }
    return {name: (fig, text) for name, (fig, text) in drawn.items() if fig is not None}


# --- curves of one cell per family ----------------------------------------------------------------------


def _longest(curves: Rows) -> list[Row]:
    """The cell of every family that says most: the longest horizon, then corruption, then repaired."""
    best: dict[str, Row] = {}
    for curve in curves:
        rank = (curve["T"], curve["C"] > 0, curve["constants"] == "repaired")
        held = best.get(curve["family"])
        if held is None or rank > (held["T"], held["C"] > 0, held["constants"] == "repaired"):
            best[curve["family"]] = curve
    return list(best.values())[:MOST_PANELS]


def _curves(ax: Axes, points: Rows, *series: tuple[str, str]) -> None:
    for number, (name, label) in enumerate(series):
        known = [(p["t"], p[name]) for p in points if p[name] is not None]
        ax.plot([t for t, _ in known], [y for _, y in known], **line(number), label=label)


def _radius(curves: Rows) -> Figure | None:
    def draw(ax: Axes, curve: Row) -> None:
        series = (("radius_median", "radius"), ("error_max", "error, worst run"), ("error_median", "error, median"))
        _curves(ax, curve["points"], *series)
        decades(ax)
        ax.set_xlabel("round t")

    return panels(_longest(curves), draw, _titled, r"norm in $H_t$", tall=False)


def _weights(curves: Rows) -> Figure | None:
    def draw(ax: Axes, curve: Row) -> None:
        _curves(ax, curve["points"], ("weight_median", "median run"), ("weight_min", "smallest of all runs"))
        decades(ax, y=False)
        ax.set_ylim(-0.02, 1.05)
        ax.set_xlabel("round t")

    return panels(_longest(curves), draw, _titled, r"weight $w_t$", tall=False)


def _radius_caption(curves: Rows) -> str:
    """How much room the radius leaves."""
    used = [p["error_max"] / p["radius_median"] for c in _longest(curves) for p in c["points"] if p["error_max"]]
    return (
        "Radius and realised error against the round, on logarithmic axes.  The error of the worst run stays below "
        f"the radius as long as its line does; here it reaches {max(used, default=0.0):.0%} of the median radius at "
        "most."
    )


def _coverage_caption(rows: Rows) -> str:
    """How many cells chance does not explain."""
    known = [row for row in rows if row["misses"] is not None]
    above = sum(row["miss_lower"] > row["delta"] for row in known)
    return (
        "Miss probability of every cell in units of δ, with exact 95% intervals.  An interval that lies to the right "
        f"of 1 contradicts the guarantee: {above} of {len(known)} do."
    )


def _weights_caption(curves: Rows) -> str:
    low = min(
        (p["weight_min"] for c in _longest(curves) for p in c["points"] if p["weight_min"] is not None), default=1.0
    )
    return (
        "Weights against the round.  A weight below 1 is what keeps one corrupted reward from moving the estimate "
        f"far; the smallest one read off here is {low:.2g}, and they approach 1 as the arms become known."
    )


def _titled(curve: Row) -> str:
    return f"{family(curve)}, d = {curve['d']}, S = {curve['S']:g}, C = {curve['C']:g}"


def panels(
    parts: Sequence[T], draw: Callable[[Axes, T], None], title: Callable[[T], str], ylabel: str, tall: bool
) -> Figure | None:
    """One panel for each part, with one legend below them all."""
    if not parts:
        return None
    width, height = (2.7, 3.4) if tall else (2.6, 2.8)
    with figure(width * len(parts) + 0.8, height, columns=len(parts)) as (fig, axes):
        several = [axes] if len(parts) == 1 else list(axes)
        for ax, part in zip(several, parts, strict=True):
            draw(ax, part)
            ax.set_title(title(part))
        several[0].set_ylabel(ylabel)
        legend(fig, several)
    return fig


# --- one point per cell -----------------------------------------------------------------------------------


def _coverage(rows: Rows) -> Figure | None:
    rows = [row for row in rows if row["misses"] is not None]
    if not rows:
        return None
    with figure(8.0, 1.0 + 0.16 * len(rows)) as (fig, ax):
        places = range(len(rows))
        low, share, high = zip(*map(_interval, reversed(rows)), strict=True)
        ax.hlines(places, low, high, color=COLOURS[0], linewidth=2.5, label="95% interval")
        ax.plot(share, places, "o", color="#000000", markersize=3, label="share of runs")
        ax.axvline(1.0, label="δ", **line(1, marker=False))
        ax.set_yticks(places, [clip(named(row), 64) for row in reversed(rows)], fontsize=6.0)
        ax.set_ylim(-1, len(rows))
        ax.set_xlim(left=0)
        ax.set_xlabel("miss probability / δ")
        legend(fig, [ax])
    return fig


def _interval(row: Row) -> tuple[float, float, float]:
    """Lower end, share of missed runs and upper end, in units of what δ allows."""
    share, delta = row["misses"] / row["replicates"], row["delta"]
    return row["miss_lower"] / delta, share / delta, row["miss_upper"] / delta


def family(row: Row) -> str:
    """The family, and its dispersion where that is not 1."""
    g = row["dispersion"].removeprefix("constant:")
    return str(row["family"]) if g == "1" else f"{row['family']}, g = {g}"


def legend(fig: Figure, panels: Sequence[Axes]) -> None:
    """One legend below all panels, every series once."""
    marks: dict[str, Artist] = {}
    for ax in panels:
        for mark, text in zip(*ax.get_legend_handles_labels(), strict=True):
            marks.setdefault(str(text), mark)
    fig.legend(
        list(marks.values()), list(marks), loc="outside lower center", ncols=max(int(fig.get_figwidth() / 2.1), 1)
    )
