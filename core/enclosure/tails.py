"""What a rational function of (b, e^-b), or of (z, I1/I0), does on the whole of [B, oo).

Every monomial b^i e^{-jb} with j >= 1 decreases once b >= i/j, so on [B, oo) it lies between 0 and
its value at B.  Dividing numerator and denominator by their dominant monomials leaves constants plus
such small terms: a ball for the function on the unbounded interval, and its exact limit.

For the Bessel ratio A = I1/I0, which solves A' = 1 - A/z - A^2, polynomials in 1/z just below and
just above the formal solution are barriers: A starts between them at Z and cannot cross either.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import flint
import sympy as sp
from glbcheck.core.enclosure.balls import Ball, ball, hull

big, small = sp.symbols("b s", positive=True)


@dataclass(frozen=True)
class Tail:
    """A function on a whole half-line: a ball for all its values, its limit (None if infinite), its sign.

    `trend` is the strict sign of function - limit, and of its slope in x = e^-|z|.  A sign of 0 is one that
    is not settled.
    """

    values: Ball
    limit: Ball | None
    sign: int = 0
    trend: int = 0


def sign_of(b: Ball) -> int:
    return int(bool(b > 0)) - int(bool(b < 0))


def rational_tail(expr: sp.Expr, start: int) -> Tail:
    """Enclose a rational function of big = b and small = e^-b over all b >= start."""
    numerator, denominator = _cancelled(expr)
    top, bottom = _dominated(numerator, start), _dominated(denominator, start)
    if top is None:
        return Tail(ball(0), ball(0))
    if bottom is None:
        raise ZeroDivisionError(f"{expr} has denominator zero")
    (i, j), leading_top, rest_top = top
    (k, n), leading_bottom, rest_bottom = bottom
    constant = leading_top / leading_bottom
    factor = (1 + rest_top) / (1 + rest_bottom)
    sign = sign_of(constant * factor)
    shift = (i - k, j - n)
    if shift == (0, 0):
        return Tail(constant * factor, constant, sign)
    if shift[1] < 0 or (shift[1] == 0 and shift[0] > 0):
        return Tail(flint.arb.nan(), None, sign)
    return Tail(constant * factor * _monomial(shift, start), ball(0), sign)


@lru_cache(maxsize=64)
def _cancelled(expr: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Numerator and denominator in lowest terms."""
    numerator, denominator = sp.fraction(sp.cancel(sp.together(expr)))
    return numerator, denominator


def _dominated(poly: sp.Expr, start: int) -> tuple[tuple[int, int], Ball, Ball] | None:
    """Exponents and coefficient of the dominant monomial, and a ball for all the others relative to it."""
    terms = {exponents: ball(c) for exponents, c in sp.Poly(poly, big, small).terms() if c != 0}
    if not terms:
        return None
    lead = min(terms, key=lambda e: (e[1], -e[0]))
    rest = ball(0)
    for exponents, c in terms.items():
        if exponents != lead:
            rest += c / terms[lead] * _monomial((exponents[0] - lead[0], exponents[1] - lead[1]), start)
    return lead, terms[lead], rest


def _monomial(shift: tuple[int, int], start: int) -> Ball:
    """b^i e^{-jb} over b >= start, for monomials that decrease there."""
    i, j = shift
    if not ((j == 0 and i <= 0) or (j > 0 and start * j >= i)):
        raise ValueError(f"b^{i} exp(-{j} b) does not decrease on [{start}, oo)")
    return hull(0, ball(start) ** i * (ball(-j) * start).exp())


def bessel_ratio_tail(start: int, terms: int = 8) -> list[Ball]:
    """Coefficients c_0, ..., c_n with I1(z)/I0(z) in sum c_k z^-k for every z >= start, the last a ball."""
    exact = _formal_bessel_ratio(terms + 1)
    barriers = []
    for sign in (-1, +1):
        barrier = [*exact[:terms], exact[terms] + sign * (1 + abs(exact[terms]))]
        defect = _defect(barrier)
        if any(c != 0 for c in defect[:terms]):
            raise ArithmeticError("the formal solution of the Riccati equation is wrong")
        slope = flint.arb_poly([ball(c) for c in defect[terms:]])(hull(0, Fraction(1, start)))
        starts_right = _compare_at(barrier, start, sign)
        if not (slope * sign < 0 and starts_right):
            raise ValueError(f"the barriers do not hold from z = {start} on; start later")
        barriers.append(barrier[terms])
    return [*[ball(c) for c in exact[:terms]], hull(*barriers)]


def _formal_bessel_ratio(length: int) -> list[Fraction]:
    """The power series in t = 1/z that solves 1 - tA - A^2 + t^2 dA/dt = 0 with A = 1 at t = 0."""
    a = [Fraction(1)]
    for k in range(1, length):
        known = -sum(a[i] * a[k - i] for i in range(1, k)) - a[k - 1]
        known += (k - 1) * a[k - 1]
        a.append(known / 2)
    return a


def _defect(a: list[Fraction]) -> list[Fraction]:
    """Coefficients of 1 - tA - A^2 + t^2 dA/dt for the polynomial A(t) = sum a_k t^k."""
    n = len(a)
    result = [Fraction(0)] * (2 * n)
    result[0] += 1
    for k in range(n):
        result[k + 1] += (k - 1) * a[k]
        for j in range(n):
            result[k + j] -= a[k] * a[j]
    return result


def _compare_at(barrier: list[Fraction], start: int, sign: int) -> bool:
    """Is the barrier on its side of the Bessel ratio at z = start?"""
    z = ball(start)
    ratio = z.bessel_i(1) / z.bessel_i(0)
    value = flint.arb_poly([ball(c) for c in barrier])(1 / z)
    return bool((value - ratio) * sign > 0)
