"""The chart of `docs`, drawn from what `make bench JSON=docs/bench.json` has written: `python -m benchmarks.chart`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOCS = Path(__file__).resolve().parent.parent / "docs"
PEER = "peer"
LENGTH = re.compile(r", (?:rounds to )?\d+(?: rounds)?(?=, )")  # runs that differ in their length alone are one bar


@dataclass(frozen=True)
class Bar:
    """A label, the ratio that is drawn, and what is written beside it."""

    label: str
    ratio: float
    said: str


def faster(rows: Iterable[dict[str, Any]]) -> list[Bar]:
    """What should be many times as fast as something else."""
    chosen = [row for row in rows if re.match(r"[\d.]+x", row["wanted"])]
    return [Bar(_label(row["what"], row["against"]), row["factor"], f"{row['factor']:.3g}x") for row in chosen]


def dearer(rows: Iterable[dict[str, Any]]) -> list[Bar]:
    """What should cost little more than something else; of runs of several lengths the dearest is drawn."""
    groups: dict[str, list[float]] = {}
    for row in rows:
        if row["wanted"].startswith("at most"):
            label = _label(LENGTH.sub("", row["what"]), row["against"])
            groups.setdefault(label, []).append(row["factor"])
    return [Bar(label, max(found), _range(found)) for label, found in groups.items()]


def _label(what: str, against: str) -> str:
    return what if against == PEER else f"{what}, against {against}"


def _range(found: Sequence[float]) -> str:
    if len(found) == 1:
        return f"{found[0]:.3g}x"
    return f"{min(found):.3g}x to {max(found):.3g}x, measured at {len(found)} lengths"


def draw(axes: Axes, bars: Sequence[Bar], title: str, unit: str, room: float) -> None:
    """Bars from zero, the first on top, and a line where nothing is gained or lost."""
    axes.barh(range(len(bars)), [bar.ratio for bar in bars], color="#4878a8")
    axes.set_yticks(range(len(bars)), [bar.label for bar in bars], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, room * max(bar.ratio for bar in bars))
    axes.axvline(1, color="#404040", linewidth=0.8, linestyle=":")
    axes.set_xlabel(unit, fontsize=8)
    axes.set_title(title, fontsize=9, loc="left")
    for place, bar in enumerate(bars):
        axes.text(bar.ratio, place, f" {bar.said}", va="center", fontsize=8)


def main() -> None:
    mpl.use("svg")
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["svg.hashsalt"] = "glbcheck"  # the same drawing from the same numbers
    from matplotlib import pyplot as plt

    rows = json.loads((DOCS / "bench.json").read_text())["ratios"]
    more, less = faster(rows), dearer(rows)
    heights = [len(more) + 2, len(less) + 2]
    figure, (above, below) = plt.subplots(
        2, figsize=(9, 0.3 * sum(heights)), height_ratios=heights, layout="constrained"
    )
    title = "Times as fast, more is better; the peer, unless another is named, is one-pass\nmirror descent with a "
    draw(above, more, f"{title}closed-form index in numpy alone", "its time over ours; dotted: 1x, as fast", 1.15)
    title = "Times as dear, less is better; of several lengths of a run the dearest is drawn"
    draw(below, less, title, "our time over that of the other; dotted: 1x, as dear", 1.7)
    figure.savefig(DOCS / "bench.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
