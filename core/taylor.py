"""Cells of a table: Taylor polynomials of m and its derivatives, from ball arithmetic.

A cell is accepted when the neglected terms are below rounding relative to the function itself, so accuracy is
relative everywhere: at a zero of the function the polynomial is centred on the zero, known to twice the double
precision.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats
from glbcheck.core.enclosure import Ball, ball, fraction, jet_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.letters import z

DEGREE = 20
DERIVATIVES = 4  # m, mu, mu', mu''
_MAX_BITS = 1 << 14


class Expansion:
    """Taylor polynomials of m wherever they are asked for."""

    def __init__(self, log_partition: sp.Expr) -> None:
        self._jet = jet_function(log_partition, z)

    def cells(self, low: float, high: float) -> tuple[Floats, Floats, Floats]:
        """Breaks (n + 1,), centres (DERIVATIVES, n, 2), coefficients (DERIVATIVES, n, DEGREE + 1) on [low, high]."""
        breaks, centers, coefficients = [low], [], []
        pending = [(low, high)]
        while pending:
            a, b = pending.pop()
            cell = self._cell(a, b)
            middle = a + (b - a) / 2
            if cell is None and a < middle < b:
                pending += [(middle, b), (a, middle)]
                continue
            center, rows = cell if cell is not None else self._constant(a)
            breaks.append(b)
            centers.append(center)
            coefficients.append(rows)
        return np.array(breaks), np.array(centers).swapaxes(0, 1), np.array(coefficients).swapaxes(0, 1)

    def _cell(self, a: float, b: float) -> tuple[Floats, Floats] | None:
        """Expansion points and coefficients of all derivatives on [a, b], or None if it must be halved."""
        left, right = Fraction(a), Fraction(b)
        middle = (left + right) / 2
        jet = self._point_jet(middle)
        if jet is None:
            return None
        centers, rows = np.zeros((DERIVATIVES, 2)), np.zeros((DERIVATIVES, DEGREE + 1))
        for order in range(DERIVATIVES):
            center, series = middle, _derivative(jet, order)
            if not _accurate(series, right - middle):
                return None
            zero = _zero_between(series, left - middle, right - middle)
            if zero is not None and zero != 0:
                center, series = self._recentred(middle + zero, order)
                if not _accurate(series, max(right - center, center - left)):
                    return None
            high = float(center)
            centers[order] = high, float(center - Fraction(high))
            rows[order] = [float(c.mid()) for c in series]
        return (centers, rows) if np.isfinite(rows).all() else None

    def _recentred(self, center: Fraction, order: int) -> tuple[Fraction, list[Ball]]:
        """Newton's method on the function itself: the zero to more than twice double precision."""
        for _ in range(2):
            series = _derivative(self._point_jet(center) or [], order)
            with precision(256):
                center = fraction((ball(center) - series[0] / series[1]).mid())
        if abs(center - Fraction(float(center))) < abs(center) / 2**150:
            center = Fraction(float(center))  # the zero is a double
        series = _derivative(self._point_jet(center) or [], order)
        return center, [ball(0), *series[1:]]

    def _constant(self, a: float) -> tuple[Floats, Floats]:
        """The last resort on a cell of one unit in the last place: the values themselves."""
        jet = self._point_jet(Fraction(a))
        if jet is None:
            raise BadInput("z", a, "numbers where m and three derivatives can be evaluated")
        rows = np.zeros((DERIVATIVES, DEGREE + 1))
        for order in range(DERIVATIVES):
            rows[order, 0] = float(_derivative(jet, order)[0].mid())
        return np.array([[a, 0.0]] * DERIVATIVES), rows

    def _point_jet(self, at: Fraction) -> list[Ball] | None:
        """Taylor coefficients at a point, each to 100 bits or exactly zero.

        None where m is not finite, or where its formula cancels more than any precision holds.
        """
        bits = 192
        while bits <= _MAX_BITS:
            with precision(bits):
                jet = self._jet(at, DEGREE + DERIVATIVES)
                if all(_sharp(c, bits) for c in jet):
                    return [ball(0) if c.contains(0) else c for c in jet]
                if not jet[0].is_finite() and bits >= 1024:
                    return None
            bits *= 2
        return None


def just_inside(end: sp.Expr, direction: int) -> float:
    """The double nearest to the end of an open interval from inside."""
    if end.is_infinite:
        return float(end)
    near = float(end)
    while (sp.Rational(near) - end) * direction <= 0:
        near = float(np.nextafter(near, direction * np.inf))
    return near


def _sharp(c: Ball, bits: int) -> bool:
    """Relatively accurate, or so small that at this precision it must be taken for zero."""
    return bool(c.is_finite()) and (
        c.rel_accuracy_bits() >= 100 or abs(c) < ball(2) ** -(1400 if bits > 512 else 99999)
    )


def _derivative(jet: list[Ball], order: int) -> list[Ball]:
    series = list(jet)
    for _ in range(order):
        series = [k * c for k, c in enumerate(series)][1:]
    return series[: DEGREE + 1]


def _accurate(series: list[Ball], reach: Fraction) -> bool:
    """Do the terms beyond the degree vanish below rounding, relative to the function on the cell?"""
    with precision(64):
        sizes = [abs(c.mid()) * ball(reach) ** k for k, c in enumerate(series)]
        nonzero = [s for s in sizes if s > 0]
        if not nonzero:
            return True
        first = next(k for k, s in enumerate(sizes) if s > 0)
        # The leading term must carry the value, so that Horner's rule loses nothing.
        tail = sum(sizes[first + 1 :], ball(0))
        last = sizes[-1].max(sizes[-2]).max(sizes[-3])
        has_zero = first == 0 and not tail < sizes[0] * ball(Fraction(3, 4))
        scale = sizes[1 if has_zero else first]
        vanishes = bool(last < scale * ball(2) ** -56)
        return vanishes and bool(tail < 2 * scale + sizes[first])


def _zero_between(series: list[Ball], left: Fraction, right: Fraction) -> Fraction | None:
    """Roughly where the polynomial changes sign between the ends; None if it does not."""
    with precision(256):

        def value(x: Ball) -> Ball:
            total = ball(0)
            for c in reversed(series):
                total = total * x + c.mid()
            return total

        a, b = ball(left), ball(right)
        if value(ball(0)) == 0:
            return Fraction(0)
        margin = (b - a) / 1024  # a zero on the border belongs to the cells on both sides
        a, b = (a - margin).mid(), (b + margin).mid()
        if not value(a) * value(b) < 0:
            return None
        for _ in range(80):
            middle = ((a + b) / 2).mid()
            if value(middle) * value(a) > 0:
                a = middle
            else:
                b = middle
        return fraction(a.mid())
