"""The ratio of upper to lower bound against the horizon, one line for each family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.verify.report.figures import decades, figure, line
from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]


def gap_figure(rows: Rows) -> tuple[Figure, str]:
    """The figure, and a caption that says what to conclude from it; rows are those of `core.theory.bounds`."""
    families = list(dict.fromkeys(row["family"] for row in rows))
    with figure(width=5.0, height=3.4) as (fig, ax):
        for number, name in enumerate(families):
            own = [row for row in rows if row["family"] == name]
            ax.plot([row["T"] for row in own], [row["ratio"] for row in own], **line(number), label=name)
        decades(ax)
        ax.set_xlabel("rounds T")
        ax.set_ylabel("upper over lower bound")
        ax.legend()
    return fig, caption(rows, families)


def caption(rows: Rows, families: Sequence[str]) -> str:
    """The setting, the ratio at the longest horizon, and where the explicit bound starts to speak."""
    first = rows[0]
    ends = ", ".join(f"{_last(rows, name)['ratio']:.0f} ({name})" for name in families)
    speaks = ", ".join(f"{_speaks(rows, name)} ({name})" for name in families)
    return (
        f"Upper over lower bound on the worst regret, both repaired, d = {first['d']}, S = {first['S']:g}, "
        f"delta = {first['delta']:g}, C = 0, g = 1.  The upper bound is the smaller of the explicit one, with "
        f"probability 1 - delta, and the largest regret there is; the explicit one is the smaller from T = {speaks} "
        "on, and before that a line only says that it says nothing yet.  Both are of order d sqrt(T): "
        f"the ratio at T = {_last(rows, families[0])['T']:.0e} is {ends}, and what is left between them is a "
        "constant and a logarithm, not a power of T."
    )


def _last(rows: Rows, family: str) -> Mapping[str, Any]:
    return max((row for row in rows if row["family"] == family), key=lambda row: row["T"])


def _speaks(rows: Rows, family: str) -> str:
    """The first horizon of the table from which the explicit bound is below the trivial one."""
    found = [row["T"] for row in rows if row["family"] == family and row["upper"] < row["trivial"]]
    return f"{min(found):.0e}" if found else "no horizon shown"
