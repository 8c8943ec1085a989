"""One style for every figure: vector graphics, readable in grayscale.

    with figure(width=6.0, height=3.6) as (fig, ax):
        ax.plot(t, radius, **line(0), label="radius")
    text = svg(fig)

Nothing in a file depends on when or where it was drawn.
"""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

# A font that is not there is replaced; the reader of a terminal need not know.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

# Seven colours that differ in lightness too; dashes and markers say the same a second time.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#a6761d", "#7f7f7f")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 3)), "-", "--")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

# matplotlib types the keys as a Literal of every name it knows.
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: small, searchable, readable aloud
    "svg.hashsalt": "glbcheck",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "text.hinting": "no_hinting",  # text takes the same room at every resolution
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#808080",
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.0,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


@contextmanager
def figure(width: float = 6.0, height: float = 3.6, rows: int = 1, columns: int = 1) -> Iterator[tuple[Figure, Any]]:
    """A figure in our style and its axes (one `Axes`, or an array of them); sizes are in inches."""
    with rc_context(STYLE):
        fig = Figure(figsize=(width, height), layout="constrained")
        yield fig, fig.subplots(rows, columns)
        # The layout is found once, not again for every file.
        fig.draw_without_rendering()
        fig.set_layout_engine(None)


def line(number: int, marker: bool = True) -> dict[str, Any]:
    """The colour, dashes and marker of series `number`, for `plot`."""
    again = number // len(COLOURS)  # the same colour and marker come back with other dashes
    look = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[(number + again) % len(DASHES)]}
    return look | ({"marker": MARKERS[number % len(MARKERS)]} if marker else {})


def decades(ax: Axes, x: bool = True, y: bool = True) -> None:
    """Logarithmic axes that begin and end at a power of ten, labelled there only; call after plotting."""
    for wanted, axis, scale, limits, bound in (
        (x, ax.xaxis, ax.set_xscale, ax.dataLim.intervalx, ax.set_xlim),
        (y, ax.yaxis, ax.set_yscale, ax.dataLim.intervaly, ax.set_ylim),
    ):
        if wanted:
            low, high = (float(limit) for limit in limits)
            if 0 < low <= high < math.inf:
                edge = math.floor(math.log10(low) + 1e-9)
                bound(10.0**edge, 10.0 ** max(math.ceil(math.log10(high) - 1e-9), edge + 1))
            scale("log")
            axis.set_minor_locator(NullLocator())


FORMATS: dict[str, dict[str, Any]] = {  # without metadata an SVG file is a kilobyte smaller
    "svg": dict.fromkeys(("Date", "Creator", "Format", "Type")),
    "pdf": {"CreationDate": None},
}


def draw(fig: Figure, kind: str, path: Path | io.StringIO) -> None:
    """Write the figure on white paper as a file of this kind, without a date."""
    with rc_context(STYLE):
        fig.savefig(path, format=kind, metadata=FORMATS[kind], facecolor="white")


def svg(fig: Figure) -> str:
    """The text of the SVG file that `draw` would write."""
    sheet = io.StringIO()
    draw(fig, "svg", sheet)
    return sheet.getvalue()


def for_page(figures: Mapping[str, tuple[Figure, str]]) -> dict[str, dict[str, str]]:
    """Figures with their captions as fields of a record: what a page shows."""
    return {
        "drawings": {name: svg(fig) for name, (fig, _) in figures.items()},
        "captions": {name: caption for name, (_, caption) in figures.items()},
    }
