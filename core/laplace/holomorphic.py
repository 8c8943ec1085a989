"""A formula in z at complex points: the value of its analytic continuation, or a ball that is not finite.

Two ways to know that the formula, read at z0 + it, is the continuation from the real line:
- it is single-valued: built from entire and meromorphic functions only.  It is then defined and analytic off
  a closed countable set, whose complement is connected, and the identity theorem applies;
- it is analytic on complex boxes that cover the segment from z0 to z0 + it, and from there to the side.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, acb, arb, ball, complex_function, hull, precision
from glbcheck.core.enclosure.complexes import SINGLE_VALUED
from glbcheck.core.family import z
from glbcheck.core.kernel.terms import Term, subterms
from glbcheck.core.translation import term_of

Complex = Any  # flint's acb
Side = tuple[Fraction, Fraction]
BOXES = 100
COARSE = 64  # bits, enough for boxes
MANY_BOXES, FINE = 1000, 512  # for a path that ends close to a cut


def continuation(M: sp.Expr) -> Callable[[Fraction, Fraction], Complex]:
    """(z0, t) -> M(z0 + it) by analytic continuation from the real line."""
    t, function = term_of(M), complex_function(M, z)
    if any(part.op in ("abs", "min", "max") for part in subterms(t)):
        raise NotEnclosed(f"{M} is not one analytic formula")

    def f(x: Complex) -> Complex:
        return function(x, True)

    def along(z0: Fraction, t: Fraction) -> Complex:
        """f at z0 + it, once f is known to be analytic on boxes that cover the way there."""
        with precision(COARSE):
            covered = _analytic(f, (z0, z0), (Fraction(0), t), BOXES)
        return f(_point(z0, t)) if covered else acb(arb.nan())

    return (lambda z0, t: f(_point(z0, t))) if _single_valued(t) else along


def around(M: sp.Expr) -> Callable[[Fraction, Fraction, Fraction], Complex]:
    """(z0, t, x) -> M(x + it), continued from the real z0 up to z0 + it and from there sideways to x + it."""
    straight, function = continuation(M), complex_function(M, z)

    def f(x: Complex) -> Complex:
        return function(x, True)

    def along(z0: Fraction, t: Fraction, x: Fraction) -> Complex:
        if not straight(z0, t).is_finite():
            return acb(arb.nan())
        with precision(FINE):
            covered = _analytic(f, (z0, x), (t, t), MANY_BOXES)
        return f(_point(x, t)) if covered else acb(arb.nan())

    return along


def _point(z0: Fraction, t: Fraction) -> Complex:
    return acb(ball(z0), ball(t))


def _analytic(f: Callable[[Complex], Complex], real: Side, imaginary: Side, boxes: int) -> bool:
    """Is f analytic on the segment, upright or level, over these two ranges?  False: not shown with so many boxes."""
    waiting = [(real, imaginary)]
    for _ in range(boxes):
        x, y = waiting.pop()
        if not f(acb(hull(*x), hull(*y))).is_finite():
            waiting += zip(_halves(*x), _halves(*y), strict=True)
        elif not waiting:
            return True
    return False


def _halves(start: Fraction, end: Fraction) -> tuple[Side, Side]:
    middle = (start + end) / 2
    return (start, middle), (middle, end)


def _single_valued(t: Term) -> bool:
    if not t.free or t.op == "variable":
        return True
    if t.op == "**":
        return t.args[1].value is not None and t.args[1].value.denominator == 1 and _single_valued(t.args[0])
    known = t.op in ("+", "*", "besseli") or t.op in SINGLE_VALUED
    return known and all(map(_single_valued, t.args))
