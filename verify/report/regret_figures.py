"""The figures of a study of regret, each with a caption that says what to conclude from it.

An algorithm without a regret bound at that C has hollow markers there and a thin line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glbcheck.core.names import OURS, OWN, SCOUTED, SUFFIX
from glbcheck.verify.report.figures import decades, figure, line
from glbcheck.verify.report.simulation_figures import MOST_PANELS, family, legend, panels
from glbcheck.verify.report.simulation_table import bounded, profile
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Row = Mapping[str, Any]
Rows = Sequence[Row]

KNOWN = (
    OURS, "glb-omd", "cw-oful", "glm-ucb", "greedy", "uniform", "oful", "weighted-oful-plus", "mor-ucb",
    "cr-eluder-ucb", "gadaoful", "glb-omd-tuned", SCOUTED,
)  # fmt: skip
SETTING = ("family", "d", "S", "dispersion", "adversary", "C", "alpha", "constants", "index", "arms", "T", "delta")
BAND = "5% to 95% of the runs of"
HOLLOW = "hollow: no regret bound at that C"


def regret_figures(rows: Rows, untold: Rows = ()) -> dict[str, tuple[Figure, str]]:
    """Figure and caption by name."""
    synthetic = [row for row in rows if not row["on_data"] and row["arms"] != "two-worlds"]
    steady = [row for row in synthetic if row["dispersion"].startswith("constant")]
    varying = [row for row in synthetic if not row["dispersion"].startswith("constant")]
    drawn = {
        "regret-C": _against(steady, "C", "Median regret against the corruption budget C"),
        "regret-C-varying": _against(
            varying, "C", "Median regret against C where dispersions vary from round to round"
        ),
        "regret-T": _against(steady, "T", "Median regret against the horizon T"),
        "regret-data": _against([row for row in rows if row["on_data"]], "C", ON_DATA),
        "unknown-C": _unknown(untold),
    }
    return {name: found for name, found in drawn.items() if found is not None}


ON_DATA = (
    "Median number of wrong classes on real data against C: regret against the labels, which no guarantee speaks "
    "about as the model may be wrong"
)


def _against(rows: Rows, axis: str, what: str) -> tuple[Figure, str] | None:
    groups = _widest(rows, axis)
    drawn = panels(
        groups, lambda ax, group: _draw(ax, group, axis), _title(axis), "regret, median of the runs", tall=True
    )
    shaded = f"{BAND} our learner are shaded, with its scout where that was played."
    return None if drawn is None else (drawn, f"{what}.  {shaded}  {_read_off(groups, axis)}")


def _widest(rows: Rows, axis: str) -> list[Rows]:
    """For each family (and profile) the first setting in which `axis` alone takes the most values."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in SETTING if name != axis), []).append(row)
    best: dict[tuple[str, str], Rows] = {}
    for group in groups.values():
        kind, size = (group[0]["family"], group[0]["dispersion"]), _values(group, axis)
        if size > 1 and size > _values(best.get(kind, []), axis):
            best[kind] = group
    return list(best.values())[:MOST_PANELS]


def _values(group: Rows, axis: str) -> int:
    return len({row[axis] for row in group})


def _title(axis: str) -> Callable[[Rows], str]:
    other = "C" if axis == "T" else "T"

    def title(group: Rows) -> str:
        first, g = group[0], profile(group[0])
        special = "" if g == "1" else f"\ng = {g}"
        return f"{first['family']}, d = {first['d']}, S = {first['S']:g}, {other} = {first[other]:g}{special}"

    return title


def _draw(ax: Axes, group: Rows, axis: str) -> None:
    _by_algorithm(ax, group, axis)
    if axis == "C":
        ax.set_xscale("symlog", linthresh=1)
        ax.set_xlabel("corruption budget C")
    else:
        _bounds(ax, group)
        decades(ax, y=False)
        ax.set_xlabel("rounds T")
    _logarithmic(ax)


def _logarithmic(ax: Axes) -> None:
    """A logarithmic axis of regrets; if there is none at all somewhere, one that shows that."""
    if ax.dataLim.intervaly[0] > 0:
        decades(ax, x=False)
    else:
        ax.set_yscale("symlog", linthresh=1)
        ax.set_ylim(bottom=0)


def _bounds(ax: Axes, group: Rows) -> None:
    ours = sorted((row for row in group if row["algorithm"] == _ours(group)), key=lambda row: float(row["T"]))
    for name, dashes in (("sharpest", "-"), ("repaired", ":"), ("printed", "--")):
        known = [(row["T"], row[f"bound_{name}"]) for row in ours if row[f"bound_{name}"] is not None]
        if known:
            ax.plot(*zip(*known, strict=True), dashes, color="#000000", linewidth=0.8, label=f"{name} bound")


def _by_algorithm(ax: Axes, group: Rows, axis: str) -> None:
    """Median regret of every algorithm; for ours also the range from 5% to 95%."""
    places = _places(group)
    for name in sorted({row["algorithm"] for row in group}, key=lambda name: (places[name.removesuffix(SUFFIX)], name)):
        own = sorted((row for row in group if row["algorithm"] == name), key=lambda row: float(row[axis]))
        x, look = [row[axis] for row in own], line(places[name.removesuffix(SUFFIX)])
        if name.endswith(SUFFIX):
            look |= {"linestyle": ":"}  # the colour of its base learner, dotted
        safe = [bounded(row) for row in own]
        if not all(safe):
            look |= {"linewidth": 0.8}
        medians = [row["regret_median"] for row in own]
        hollow = {"markerfacecolor": "none"}
        ax.plot(x, medians, **look | {"marker": ""})
        ax.plot(*_where(x, medians, safe), **look | {"linestyle": ""})
        ax.plot(*_where(x, medians, [not each for each in safe]), **look | hollow | {"linestyle": ""})
        ax.plot([], [], label=name, **look if any(safe) else look | hollow)
        if name == _ours(group):
            low, high = ([row[q] for row in own] for q in ("regret_q05", "regret_q95"))
            ax.fill_between(
                x, low, high, color=look["color"], alpha=0.15, linewidth=0, label=f"5% to 95% of the runs of {name}"
            )
    if not all(map(bounded, group)):
        ax.plot([], [], "o", color="#7f7f7f", markerfacecolor="none", label=HOLLOW)


def _where(x: Sequence[float], y: Sequence[float], wanted: Sequence[bool]) -> tuple[list[float], list[float]]:
    """The points that are wanted."""
    kept = [(a, b) for a, b, keep in zip(x, y, wanted, strict=True) if keep]
    return [a for a, _ in kept], [b for _, b in kept]


def _ours(group: Rows) -> str | None:
    """The learner that is judged, if it was played."""
    played = {row["algorithm"] for row in group}
    return next((name for name in OWN if name in played), None)


def _places(group: Rows) -> dict[str, int]:
    """The look of each algorithm, the same in every panel and figure for those that are known here."""
    names = {row["algorithm"].removesuffix(SUFFIX) for row in group}
    return {name: number for number, name in enumerate((*KNOWN, *sorted(names - set(KNOWN))))}


def _read_off(groups: Sequence[Rows], axis: str) -> str:
    """Who is lowest at the right end of each panel, and who of those with a bound."""
    return "  ".join(_end_of(group, axis) for group in groups)


def _end_of(group: Rows, axis: str) -> str:
    end = max(row[axis] for row in group)
    last = sorted((row for row in group if row[axis] == end), key=lambda row: float(row["regret_median"]))
    safe = [row for row in last if bounded(row)]
    said = f"{family(group[0])}: at {axis} = {end:g} {last[0]['algorithm']} pays least ({last[0]['regret_median']:.0f})"
    if safe and safe[0] is not last[0]:
        said += f", of those with a bound at that C {safe[0]['algorithm']} ({safe[0]['regret_median']:.0f})"
    ours = next((row for row in last if row["algorithm"] == _ours(group)), None)
    if ours is not None and last[0] is not ours and (not safe or safe[0] is not ours):
        said += f"; {ours['algorithm']} loses here ({ours['regret_median']:.0f})"
    if axis == "T" and ours is not None and ours["bound_sharpest"] and ours["regret_median"]:
        room = ours["bound_sharpest"] / ours["regret_median"]
        said += f"; the bound proved for {ours['algorithm']} is {room:.0f} times what it paid"
    return said + "."


# --- not knowing C ------------------------------------------------------------------------------------------


def _unknown(rows: Rows) -> tuple[Figure, str] | None:
    """The two worlds of the appendix: told C, not told C, and the floor for whoever is not told."""
    if not rows:
        return None
    first = [row for row in rows if row["algorithm"] == rows[0]["algorithm"] and row["T"] == rows[0]["T"]]
    C = [row["C"] for row in first]
    with figure(width=5.4, height=3.8) as (fig, ax):
        ax.plot(C, [row["known"] for row in first], **line(0), label=f"{first[0]['algorithm']}, told C")
        ax.plot(C, [row["unknown"] for row in first], **line(1), label="the same, not told C")
        low, high = ([row[f"unknown_{end}"] for row in first] for end in ("lower", "upper"))
        ax.fill_between(C, low, high, color=line(1)["color"], alpha=0.15, linewidth=0, label="5% to 95% of its runs")
        ax.plot(C, [row["floor"] for row in first], "--", color="#000000", label="floor for whoever is not told C")
        decades(ax, y=False)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("corruption budget C")
        ax.set_ylabel("regret, mean of the runs")
        legend(fig, [ax])
    return fig, _unknown_caption(first)


def _unknown_caption(rows: Rows) -> str:
    last, clean = rows[-1], rows[0]["clean"]
    most = max(rows, key=lambda row: float(row["unknown"] / max(row["known"], 1e-9)))
    forced = [row["C"] for row in rows if row["floor"] > 0]
    speaks = f"It is positive from C = {min(forced):g} on." if forced else "It is 0 for all C shown: T is too small."
    return (
        f"Mean regret in the two worlds of the appendix ({last['family']}, d = {last['d']}, T = {last['T']}) against "
        f"C.  A learner that is not told C and pays {clean:.0f} without corruption, as this one does, must pay the "
        f"floor in one of the worlds (claim price_of_not_knowing_the_budget).  {speaks}  At C = {last['C']:g}: told "
        f"{last['known']:.0f}, not told {last['unknown']:.0f}, floor {last['floor']:.0f}.  Knowing C helps "
        f"most at C = {most['C']:g}: {most['known']:.0f} in place of {most['unknown']:.0f}.  No way of guessing C "
        "escapes the dashed line; what lies between it and the wrapper is the wrapper's own."
    )
