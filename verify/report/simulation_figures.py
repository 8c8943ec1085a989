"""The figures of a simulation, drawn from its tables alone.

A row is one cell; a curve is a cell with its `points` at the checkpoints.  Panels are families.  A figure for
which the tables hold nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from glbcheck.verify.report.figures import COLOURS, decades, figure, line
from glbcheck.verify.report.simulation_table import UNTOLD, named
from glbcheck.verify.report.table import clip
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Row = Mapping[str, Any]
Rows = Sequence[Row]
T = TypeVar("T")

OURS = "hcw-glb-omd"
# Each algorithm looks the same in every panel.
ALGORITHMS = {name: number for number, name in enumerate((OURS, "glb-omd", "cw-oful", "glm-ucb", "greedy", "uniform"))}
SETTING = ("family", "d", "S", "dispersion", "adversary", "C", "alpha", "constants", "arms", "T", "delta")
MOST_PANELS = 3


def coverage_figures(rows: Rows, curves: Rows) -> dict[str, tuple[Figure, str]]:
    """Figure and description by name."""
    drawn = {
        "radius": (_radius(curves), "Radius and realised error against the round, on logarithmic axes"),
        "coverage": (_coverage(rows), "Miss probability of every cell with exact 95% intervals"),
        "weights": (_weights(curves), "Weights against the round"),
    }
    return {name: (fig, text) for name, (fig, text) in drawn.items() if fig is not None}


def regret_figures(rows: Rows) -> dict[str, tuple[Figure, str]]:
    """Figure and description by name."""
    drawn = {
        "regret-C": (_regret_against_C(rows), "Regret of all algorithms against the corruption budget C"),
        "regret-T": (_regret_against_T(rows), "Regret against T with the printed and the repaired bound"),
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

    return _panels(_longest(curves), draw, _titled, r"norm in $H_t$", tall=False)


def _weights(curves: Rows) -> Figure | None:
    def draw(ax: Axes, curve: Row) -> None:
        _curves(ax, curve["points"], ("weight_median", "median run"), ("weight_min", "smallest of all runs"))
        decades(ax, y=False)
        ax.set_ylim(-0.02, 1.05)
        ax.set_xlabel("round t")

    return _panels(_longest(curves), draw, _titled, r"weight $w_t$", tall=False)


def _titled(curve: Row) -> str:
    return f"{_family(curve)}, d = {curve['d']}, S = {curve['S']:g}, C = {curve['C']:g}"


def _panels(
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
        _legend(fig, several)
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
        _legend(fig, [ax])
    return fig


def _interval(row: Row) -> tuple[float, float, float]:
    """Lower end, share of missed runs and upper end, in units of what δ allows."""
    share, delta = row["misses"] / row["replicates"], row["delta"]
    return row["miss_lower"] / delta, share / delta, row["miss_upper"] / delta


# --- regret -------------------------------------------------------------------------------------------------


def _regret_against_C(rows: Rows) -> Figure | None:
    def draw(ax: Axes, group: Rows) -> None:
        _by_algorithm(ax, group, "C")
        ax.set_xscale("symlog", linthresh=1)
        _from_zero(ax)
        ax.set_xlabel("corruption budget C")

    return _grouped(rows, "C", draw)


def _regret_against_T(rows: Rows) -> Figure | None:
    def draw(ax: Axes, group: Rows) -> None:
        _by_algorithm(ax, group, "T")
        ours = sorted((row for row in group if row["algorithm"] == OURS), key=lambda row: row["T"])
        for name, dashes in (("repaired", ":"), ("printed", "--")):
            known = [(row["T"], row[f"bound_{name}"]) for row in ours if row[f"bound_{name}"] is not None]
            ax.plot([x for x, _ in known], [y for _, y in known], dashes, color="#000000", label=f"{name} bound")
        decades(ax, y=False)
        _from_zero(ax)
        ax.set_xlabel("rounds T")

    return _grouped(rows, "T", draw)


def _from_zero(ax: Axes) -> None:
    """A logarithmic axis of regrets that also shows none at all."""
    ax.set_yscale("symlog", linthresh=1)
    ax.set_ylim(bottom=0)


def _by_algorithm(ax: Axes, group: Rows, axis: str) -> None:
    """Median regret of every algorithm; for ours also the range from 5% to 95%."""
    for name in _algorithms(group):
        own = sorted((row for row in group if row["algorithm"] == name), key=lambda row: row[axis])
        x, look = [row[axis] for row in own], line(_place(name))
        if name.endswith(UNTOLD):
            look |= {"linestyle": ":"}  # the colour of its base learner, dotted
        ax.plot(x, [row["regret_median"] for row in own], label=name, **look)
        if name == OURS:
            low, high = ([row[q] for row in own] for q in ("regret_q05", "regret_q95"))
            band = f"{name}, 5% to 95% of the runs"
            ax.fill_between(x, low, high, color=look["color"], alpha=0.15, linewidth=0, label=band)


def _algorithms(rows: Rows) -> list[str]:
    return sorted({row["algorithm"] for row in rows}, key=lambda name: (_place(name), name))


def _place(algorithm: str) -> int:
    return ALGORITHMS.get(algorithm.removesuffix(UNTOLD), len(ALGORITHMS))


def _grouped(rows: Rows, axis: str, draw: Callable[[Axes, Rows], None]) -> Figure | None:
    """One panel per family: the first setting in which `axis` alone takes the most values."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in SETTING if name != axis), []).append(row)
    best: dict[str, Rows] = {}
    for group in groups.values():
        family, size = group[0]["family"], len({row[axis] for row in group})
        if size > 1 and size > len({row[axis] for row in best.get(family, [])}):
            best[family] = group
    other = "C" if axis == "T" else "T"

    def title(group: Rows) -> str:
        return f"{_family(group[0])}, d = {group[0]['d']}, {other} = {group[0][other]:g}"

    return _panels(list(best.values())[:MOST_PANELS], draw, title, "regret, median of the runs", tall=True)


def _family(row: Row) -> str:
    """The family, and its dispersion where that is not 1."""
    g = row["dispersion"].removeprefix("constant:")
    return str(row["family"]) if g == "1" else f"{row['family']}, g = {g}"


def _legend(fig: Figure, panels: Sequence[Axes]) -> None:
    """One legend below all panels, every series once."""
    marks: dict[str, Artist] = {}
    for ax in panels:
        for mark, text in zip(*ax.get_legend_handles_labels(), strict=True):
            marks.setdefault(str(text), mark)
    fig.legend(list(marks.values()), list(marks), loc="outside lower center", ncols=4)
