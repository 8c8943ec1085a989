"""The largest value of a function on an interval, by branch and bound over balls.

A function is given by its `Cell` view: over a closed interval, a ball for its values and a ball for
its slope.  Where the slope has a sign the largest value sits at an end; elsewhere the interval is
halved.  The result brackets the supremum from both sides and says where it is attained.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import comb

from glbcheck.core.enclosure.balls import Ball, ball, float_above, hull
from glbcheck.core.enclosure.jets import Jet

CellView = Callable[[Fraction, Fraction], tuple[Ball, Ball]]
JetFunction = Callable[[Ball, int], Jet]

MAX_CELLS = 4_000
NEIGHBOURS = Fraction(1, 1000)


class Unresolved(ArithmeticError):
    """Branch and bound ran out of cells before the bracket was tight."""


@dataclass(frozen=True)
class Maximum:
    """lower <= sup f <= upper, and every maximiser lies in one of the `places`.

    `ends` names the ends of the search interval where the supremum is attained, when monotone
    pieces prove that it is attained nowhere else; it is empty otherwise.
    """

    lower: Ball
    upper: Ball
    places: tuple[tuple[Fraction, Fraction], ...]
    ends: tuple[Fraction, ...]


@dataclass(frozen=True)
class _Piece:
    """An interval with an upper bound on its values; `top` is its maximiser where the slope has a sign."""

    left: Fraction
    right: Fraction
    bound: Ball
    top: Fraction | None


def cell_jet(jet: JetFunction, left: Fraction, right: Fraction, length: int, order: int = 10) -> Jet:
    """Taylor coefficients over [left, right]: expanded at the middle, remainder enclosed over the cell."""
    if left == right:
        return jet(ball(left), length)
    middle, reach = (left + right) / 2, (right - left) / 2
    at_middle = jet(ball(middle), order)
    over_cell = jet(hull(left, right), order + 1)
    step = hull(-reach, reach)
    powers = [ball(1)]
    for _ in range(order):
        powers.append(powers[-1] * step)
    result = []
    for k in range(length):
        total = comb(order, k) * over_cell[order] * powers[order - k]
        for j in range(k, order):
            total += comb(j, k) * at_middle[j] * powers[j - k]
        result.append(total if total.is_finite() and total.rad() < over_cell[k].rad() else over_cell[k])
    return result


def maximise(
    view: CellView,
    left: Fraction,
    right: Fraction,
    relative: Fraction = Fraction(1, 10**10),
    start: list[Fraction] | None = None,
) -> Maximum:
    """Bracket the supremum of a function over [left, right] to the given relative width."""
    edges = sorted({left, right, *(x for x in start or [] if left < x < right)})
    best: Ball | None = None
    heap: list[tuple[bool, float, int, _Piece]] = []
    count = 0

    def value_at(x: Fraction) -> Ball:
        nonlocal best
        value = view(x, x)[0]
        if value.is_finite() and (best is None or value.lower() > best):
            best = value.lower()
        return value

    def push(a: Fraction, b: Fraction) -> None:
        nonlocal count
        count += 1
        values, slope = view(a, b)
        top = b if slope > 0 else a if slope < 0 else None
        at_ends = {a: value_at(a), b: value_at(b)}
        bound = values if top is None else at_ends[top]
        known = bound.is_finite()  # what is not comes before the largest number
        heapq.heappush(heap, (known, -float_above(bound), count, _Piece(a, b, bound, top)))

    for a, b in pairwise(edges):
        push(a, b)
    while True:
        piece = heap[0][-1]
        if piece.top is not None:
            break
        if piece.bound.is_finite() and best is not None and piece.bound.upper() - best <= ball(relative) * abs(best):
            break
        if count > MAX_CELLS:
            raise Unresolved(f"{MAX_CELLS} cells were not enough on [{float(left):g}, {float(right):g}]")
        heapq.heappop(heap)
        middle = (piece.left + piece.right) / 2
        push(piece.left, middle)
        push(middle, piece.right)
    return _summary([piece for *_, piece in heap], best, left, right)


def _summary(pieces: list[_Piece], best: Ball, left: Fraction, right: Fraction) -> Maximum:
    contenders = [p for p in pieces if not p.bound < best]
    upper = reduce(lambda a, b: a.max(b), (p.bound.upper() for p in contenders))
    tops = {p.top for p in contenders}
    ends = tuple(sorted(t for t in tops if t is not None)) if tops <= {left, right} else ()
    return Maximum(best, upper, _merged(contenders), ends)


def _merged(pieces: list[_Piece]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Pieces that touch, or nearly do, joined to intervals."""
    places: list[tuple[Fraction, Fraction]] = []
    for piece in sorted(pieces, key=lambda p: p.left):
        if places and piece.left - places[-1][1] <= NEIGHBOURS:
            places[-1] = places[-1][0], piece.right
        else:
            places.append((piece.left, piece.right))
    return tuple(places)
