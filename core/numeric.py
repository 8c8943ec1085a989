"""Floating-point functions generated from the symbolic form, accurate to a few units in the last place.

m and its derivatives are tabulated as piecewise Taylor polynomials whose coefficients come from ball
arithmetic at whatever precision cancellation asks for (`core.taylor`).  The result is plain arrays, so the
compiled engine runs every family, also one it has never seen, without a new compilation; those of the
catalogue are kept for the next process.  These are floats for simulation, never evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from glbcheck.core.taylor import Expansion

LIMIT = 708.0  # beyond this exp(z) leaves the range of doubles


class Cells(NamedTuple):
    """Piecewise polynomials: cell i begins at breaks[i]; without gaps it ends at breaks[i+1]."""

    breaks: Floats  # (n + 1,)
    centers: Floats  # (4, n, 2): of m, mu, mu', mu'', high and low part of each expansion point
    coefficients: Floats  # (4, n, degree + 1)


class Stated(Protocol):
    """A family, as far as it is needed here."""

    @property
    def log_partition(self) -> Any: ...
    @property
    def domain(self) -> Any: ...
    def kept(self, question: str, find: Callable[[], Any]) -> Any: ...


class Table:
    """m, mu, mu', mu'' as fast vectorised functions; cells are built when first asked for.

    Which cells exist depends only on m and the domain, never on the order of the questions, so the
    same argument always gives the same bits.
    """

    _cells: Cells  # all that were built, as soon as there is a span

    def __init__(self, family: Stated) -> None:
        self._family = family
        self._low, self._high = family.kept("span", self._span)
        self._blocks = self._all_blocks()
        self._built: dict[tuple[float, float], Cells] = {}
        self._spans: list[tuple[float, float]] = []

    def __call__(self, derivative: int, at: ArrayLike) -> Floats:
        points = np.asarray(at, dtype=float)
        if points.size == 0:
            return np.zeros(points.shape)
        flat = np.ravel(points)
        cells = self._cells_for(flat)
        values = evaluate(cells.breaks, cells.centers[derivative], cells.coefficients[derivative], flat)
        return np.asarray(values).reshape(points.shape)

    def cells(self, low: float, high: float) -> Cells:
        """Cells without a gap from low to high, for the compiled engine."""
        self._check(np.array([low, high]))
        return self._joined([b for b in self._blocks if b[0] <= high and b[1] >= low])

    def _span(self) -> list[float]:
        """Where doubles hold m: not to the very end of its domain, if that is at 0."""
        from glbcheck.core.taylor import just_inside

        ends = self._family.domain.inf, self._family.domain.sup
        low = 2.0**-40 if ends[0] == 0 else max(-LIMIT, just_inside(ends[0], +1))
        high = -(2.0**-40) if ends[1] == 0 else min(LIMIT, just_inside(ends[1], -1))
        return [low, high]

    @cached_property
    def _expansion(self) -> Expansion:
        from glbcheck.core.taylor import Expansion

        return Expansion(self._family.log_partition)

    def _build(self, low: float, high: float) -> Cells:
        parts = self._family.kept(
            f"cells from {low!r} to {high!r}", lambda: [part.tolist() for part in self._expansion.cells(low, high)]
        )
        return Cells(*map(np.array, parts))

    def _check(self, points: Floats) -> None:
        inside = (points >= self._low) & (points <= self._high)
        if not inside.all():
            raise BadInput("z", float(points[~inside][0]), f"numbers in [{self._low!r}, {self._high!r}]")

    def _cells_for(self, points: Floats) -> Cells:
        """All cells built so far, after building those the points need; there may be gaps between them."""
        if self._covers(points):
            return self._cells
        self._check(points)
        lefts = np.array([left for left, _ in self._blocks])
        needed = np.unique(np.searchsorted(lefts, points, side="right") - 1)
        known = {b for b in self._blocks if b in self._built}
        self._cells = self._joined(sorted(known | {self._blocks[i] for i in needed}))
        self._spans = [b for b in self._blocks if b in self._built]
        return self._cells

    def _covers(self, points: Floats) -> bool:
        low, high = points.min(), points.max()
        return any(a <= low and high < b for a, b in self._spans)

    def _joined(self, blocks: list[tuple[float, float]]) -> Cells:
        for block in blocks:
            if block not in self._built:
                self._built[block] = self._build(*block)
        parts = [self._built[block] for block in blocks]
        return Cells(
            np.concatenate([p.breaks[:-1] for p in parts] + [parts[-1].breaks[-1:]]),
            np.concatenate([p.centers for p in parts], axis=1),
            np.concatenate([p.coefficients for p in parts], axis=1),
        )

    def _all_blocks(self) -> list[tuple[float, float]]:
        """A small block around 0, then one per octave, clipped to the domain."""
        # A domain that ends at 0 is refined towards it, as far as doubles hold the coefficients.
        smallest = -5 if self._low < 0 < self._high else -40
        octaves = [2.0**k for k in range(smallest, 10)]
        edges = sorted({self._low, self._high} | {s * x for s in (-1, 1) for x in octaves})
        edges = [e for e in edges if self._low <= e <= self._high]
        return list(pairwise(edges))


def evaluate(breaks: Floats, centers: Floats, coefficients: Floats, points: Floats) -> Floats:
    """Piecewise polynomials at many points: the cell of each by bisection, then Horner's rule."""
    cell = np.searchsorted(breaks[1:-1], points, side="right")
    t = (points - centers[cell, 0]) - centers[cell, 1]
    rows = coefficients[cell]
    total = rows[:, -1]
    for k in range(rows.shape[1] - 2, -1, -1):
        total = total * t + rows[:, k]
    return np.asarray(total)
