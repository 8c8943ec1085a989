"""The figure of a fit: quantile residuals against the normal law, and the variance function in bins."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core.fitting.result import TWIN, FamilyFit, Fit
from glbcheck.verify.report.figures import COLOURS, figure, line
from matplotlib.axes import Axes
from matplotlib.figure import Figure

PLAUSIBLE = 2  # families shown; one that is contradicted comes below them, for contrast
MOST_POINTS = 300


def shown(fit: Fit) -> list[FamilyFit]:
    """The first plausible families that differ, and the first contradicted one."""
    tested = [one for one in fit.families if one.quantile_residuals is not None]
    fine = [one for one in tested if one.word == "plausible" and not one.reason.startswith(TWIN)][:PLAUSIBLE]
    return fine + [one for one in tested if one.word == "contradicted"][:1]


def drawn(fit: Fit) -> Figure | None:
    """One row of two panels per family; None if no family could be tested."""
    families = shown(fit)
    if not families:
        return None
    with figure(7.2, 0.5 + 2.5 * len(families), rows=len(families), columns=2) as (fig, axes):
        panels: Any = np.atleast_2d(axes)
        for one, (left, right) in zip(families, panels, strict=True):
            _quantiles(left, one)
            _variance(right, one)
        panels[-1][0].set_xlabel("normal quantile")
        panels[-1][1].set_xlabel("fitted mean")
    return fig


def caption(fit: Fit) -> str:
    """Which families the figure shows, and what its panels are."""
    names = ", ".join(f"{one.name} ({one.word})" for one in shown(fit))
    return (
        f"Residuals of {names}. Left: quantile residuals against the normal law. Right: mean squared Pearson residual "
        "in bins of the fitted mean, with the band that holds 98% of draws of the fitted law."
    )


def _quantiles(ax: Axes, one: FamilyFit) -> None:
    import scipy.special as special

    assert one.quantile_residuals is not None
    residuals = np.sort(one.quantile_residuals)
    place = special.ndtri((np.arange(residuals.size) + 0.5) / residuals.size)
    # All points of the tails, a share of the middle: a file need not hold what a print cannot show.
    kept = np.linspace(0, residuals.size - 1, MOST_POINTS).astype(int)
    ends = np.r_[: min(20, residuals.size), max(0, residuals.size - 20) : residuals.size]
    kept = np.union1d(kept, ends)
    ax.plot(place, place, **line(1, marker=False))
    ax.plot(place[kept], residuals[kept], "o", color=COLOURS[0], markersize=2.2)
    ax.set_title(f"{one.name}: {one.word}", loc="left")
    ax.set_ylabel("quantile residual")


def _variance(ax: Axes, one: FamilyFit) -> None:
    if not one.bins:
        ax.text(0.5, 0.5, "one fitted mean: nothing to compare", ha="center", va="center", transform=ax.transAxes)
        ax.set_xticks([])
        ax.set_yticks([])
        return
    x = [b.fitted for b in one.bins]
    low, high = [b.low for b in one.bins], [b.high for b in one.bins]
    ax.fill_between(x, low, high, color="#808080", alpha=0.2, linewidth=0, label="98% of draws of the fitted law")
    ax.axhline(1.0, **line(1, marker=False))
    ax.plot(x, [b.square for b in one.bins], **line(0))
    p = next((f"{test.p_value:.2g}" for test in one.tests if test.name == "variance"), "none")
    ax.set_title(f"squared residual over g μ', p = {p}", loc="left")
    ax.set_ylim(bottom=0)
    ax.legend(loc="lower center")
