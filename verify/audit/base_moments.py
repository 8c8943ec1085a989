"""Moments of a base measure, exponentially tilted, inside balls: M_j(z) = ∫ r^j exp(r z/g) b(r) dr.

Each half of a piece is brought to a range without singularity: a finite end a with b ~ (r - a)^rho by
r = a + h u^d, an essential singularity by r = a + 1/t, an infinite end as it is; what lies beyond the cut
of an unbounded range is bounded by a proved exponential decay.  A run of a lattice is added up term
by term until the ratio of all later terms is proved to be below a number smaller than 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import Ball, arb, ball, ball_function, fraction, integral, precision
from glbcheck.core.exact import number, rational
from glbcheck.core.family import r
from glbcheck.verify.audit.base_measure import (
    Base,
    Divergent,
    NotReadable,
    Piece,
    Run,
    Unbounded,
    between,
    coefficients,
)
from glbcheck.verify.audit.gamma_pair import pair_moments
from glbcheck.verify.audit.polynomials import combine, product, taylor, value

MOST_TERMS = 30_000
MOST_STEPS = 60  # outward, each half as far again
LARGEST_ROOT = 120  # of the denominator d of an exponent rho at an end


def moments(base: Base, at: Fraction, orders: Sequence[int], shift: Fraction, bits: int) -> list[Ball]:
    """M_j(at) * exp(-shift) for each order j; the shift keeps the numbers near 1."""
    with precision(bits + 32):
        if base.pair:
            return pair_moments(base.pair, base.g, at, orders, shift, bits)
        if base.runs:
            sums = [_run_moments(run, base.g, at, orders, shift, bits) for run in base.runs]
        else:
            sums = [_piece_moments(piece, base.g, at, orders, shift, bits) for piece in base.pieces]
        return [sum((part[i] for part in sums), ball(0)) for i in range(len(orders))]


# --- lattices ---------------------------------------------------------------------------------------


def _run_moments(run: Run, g: Fraction, at: Fraction, orders: Sequence[int], shift: Fraction, bits: int) -> list[Ball]:
    tilt = ball(run.step * at / g).exp()
    factor = tilt * ball(run.scale)
    _refuse_growth(run, factor)

    def direct(x: Fraction) -> Ball:
        return ball(sp.exp(run.log_base.subs(r, number(x)))) * ball(x * at / g - shift).exp()

    totals = [ball(0) for _ in orders]
    term = direct(run.first)
    highest, check = max(orders), 8
    for k in range(MOST_TERMS if run.count is None else run.count):
        x = run.first + k * run.step
        for i, j in enumerate(orders):
            totals[i] += term * ball(x**j)
        if run.count is None and k == check:
            check += max(8, k // 4)
            ratio = _later_ratio(run, factor, x, highest)
            if ratio is not None and _negligible(term * ball(x**highest), ratio, totals, bits):
                rest = abs(term) * ratio / (1 - ratio)
                signs = arb(-1).union(arb(1))
                return [t + signs * rest * ball(abs(x) ** j) for t, j in zip(totals, orders, strict=True)]
        term = term * factor * ball(value(run.top, x) / value(run.bottom, x)) if run.exact else direct(x + run.step)
        if not term.is_finite():
            raise Unbounded("a term of the sum has no finite enclosure")
    if run.count is None:
        raise Unbounded(f"no ratio below 1 within {MOST_TERMS} terms")
    return totals


def _refuse_growth(run: Run, factor: Ball) -> None:
    """Divergent if the terms of an endless run do not go to zero."""
    if run.count is not None or not run.exact:
        return
    excess = len(run.top) - len(run.bottom)
    if excess > 0 or (excess == 0 and abs(ball(run.top[-1] / run.bottom[-1]) * factor) > 1):
        raise Divergent("the terms of the sum grow")


def _later_ratio(run: Run, factor: Ball, x: Fraction, j: int) -> Ball | None:
    """A number below 1 that bounds |term(k+1)/term(k)| r-weights included, for all points from x on."""
    if x == 0 or (x > 0) != (run.step > 0):
        return None
    # With y = x + |step| n, n >= 0: ratio <= theta is a polynomial inequality with all coefficients >= 0.
    sign = 1 if run.step > 0 else -1
    top, bottom = ([c * sign**i for i, c in enumerate(p)] for p in (run.top, run.bottom))
    ahead = [abs(run.step), Fraction(1)]
    for _ in range(j):
        top, bottom = product(top, ahead), product(bottom, [Fraction(0), Fraction(1)])
    start = abs(x)
    if min(taylor(bottom, start)) < 0:
        top, bottom = [-c for c in top], [-c for c in bottom]
    if min(taylor(bottom, start)) < 0 or min(taylor(top, start)) < 0:
        return None
    for share in (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(999, 1000)):
        theta = fraction((ball(share) / factor).mid())
        bound = ball(theta) * factor
        if bound < 1 and theta > 0 and min(taylor(combine(theta, bottom, -1, top), start)) >= 0:
            return bound
    return None


def _negligible(term: Ball, ratio: Ball, totals: Sequence[Ball], bits: int) -> bool:
    scale = max((abs(t) for t in totals), key=lambda t: float(t.mid()))
    return bool(abs(term) * ratio / (1 - ratio) < ball(Fraction(1, 2**bits)) * scale)


# --- intervals --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """What b does at one end of a piece: rho for (r - a)^rho, or `essential`; direction inward."""

    at: sp.Expr
    inward: int
    rho: sp.Rational = sp.S.Zero
    essential: bool = False


def end_of(piece: Piece, upper: bool) -> End:
    """The behaviour of b at an end; Divergent if b is not integrable there."""
    at, inward = (piece.upper, -1) if upper else (piece.lower, 1)
    if at.is_infinite:
        return End(at, inward)
    order = multiplicity(sp.fraction(piece.slope)[1], at)
    if order == 0:
        return End(at, inward)
    rest = sp.cancel(piece.slope * (r - at) ** order).subs(r, at)
    if order == 1:
        if rest <= -1:
            raise Divergent(f"the base behaves like |r - {at}|**({rest}) at {at}")
        return End(at, inward, rho=rest)
    # d log b / ds = inward * slope with s the distance from the end: it must go to +oo.
    if inward * rest * inward**order < 0:
        raise Divergent(f"the base grows beyond every power at {at}")
    return End(at, inward, essential=True)


def multiplicity(polynomial: sp.Expr, point: sp.Expr) -> int:
    p, count = sp.Poly(polynomial, r), 0
    while p.degree() > 0 and p.eval(point) == 0:
        p, count = p.quo(sp.Poly(r - point, r)), count + 1
    return count


def rate_at_infinity(piece: Piece, upper: bool) -> sp.Expr:
    """The limit of b'/b at an infinite end, possibly infinite; b times exp(r z/g) needs the right sign."""
    top, bottom = (sp.Poly(side, r) for side in sp.fraction(piece.slope))
    if top.is_zero or top.degree() < bottom.degree():
        return sp.S.Zero
    leading = top.LC() / bottom.LC()
    excess = top.degree() - bottom.degree()
    if excess == 0:
        return leading
    return sp.oo * leading * (1 if upper else (-1) ** excess)


def _piece_moments(
    piece: Piece, g: Fraction, at: Fraction, orders: Sequence[int], shift: Fraction, bits: int
) -> list[Ball]:
    lower, upper = end_of(piece, False), end_of(piece, True)
    for end, side in ((lower, False), (upper, True)):
        if end.at.is_infinite:
            pull = number(at / g) + rate_at_infinity(piece, side)
            if pull * end.inward < 0:
                raise Divergent(f"the density grows at {end.at}")
            if pull == 0:
                raise Unbounded(f"no exponential decay at {end.at}")
    middle = between(piece.lower, piece.upper)
    constant = ball(piece.constant)
    near = shift_for(constant)  # goes into the integrand, so that it is neither huge nor tiny
    scale = (constant - ball(near)).exp()
    tilt = number(at / g) * r + number(near - shift)
    results = []
    for j in orders:
        parts = [_half(piece, end, middle, tilt, j, bits) for end in (lower, upper)]
        results.append(scale * sum(parts, ball(0)))
    return results


def _half(piece: Piece, end: End, middle: sp.Rational, tilt: sp.Expr, j: int, bits: int) -> Ball:
    """The integral between an end and the middle."""
    if end.at.is_infinite or end.essential:
        return _unbounded(piece, end, middle, tilt, j, bits)
    u = sp.Symbol("u", real=True)
    d, n = int(end.rho.q), int(end.rho.p)
    if d > LARGEST_ROOT:
        raise NotReadable(f"the exponent {end.rho} at {end.at} has a large denominator")
    h = abs(middle - end.at)
    moved = end.at + end.inward * h * u**d
    regular = sp.exp((piece.smooth + tilt).subs(r, moved))
    for inside, c in piece.powers:
        regular *= _without_zero(inside, end).subs(r, moved) ** c
    f = moved**j * regular * u ** (n + d - 1) * d * h ** (end.rho + 1)
    return _enclosed(f, u, sp.S.Zero, sp.S.One)


def _without_zero(inside: sp.Expr, end: End) -> sp.Expr:
    """The positive function R/|r - a|^e, where e is the order of its zero (or pole) at the end a."""
    top, bottom = sp.fraction(sp.together(inside))
    e = multiplicity(top, end.at) - multiplicity(bottom, end.at)
    return sp.cancel(inside / (r - end.at) ** e) * sp.Integer(end.inward) ** (e % 2)


def _unbounded(piece: Piece, end: End, middle: sp.Rational, tilt: sp.Expr, j: int, bits: int) -> Ball:
    """The half at an infinite end (r = middle ± t) or an essential singularity (r = a ± 1/t)."""
    t = sp.Symbol("t", real=True)
    if end.essential:
        moved, start = end.at + end.inward / t, 1 / abs(middle - end.at)
        jacobian = t**-2
    else:
        moved, start = middle - end.inward * t, sp.S.Zero
        jacobian = sp.S.One
    f = sp.exp(sp.cancel((piece.smooth + tilt).subs(r, moved))) * moved**j * jacobian
    for inside, c in piece.powers:
        f *= sp.cancel(inside.subs(r, moved)) ** c
    slope = (piece.slope + sp.diff(tilt, r) + (j / r if j else 0)).subs(r, moved) * sp.diff(moved, t)
    slope = sp.cancel(sp.together(slope + sp.diff(jacobian, t) / jacobian))
    top, bottom = (coefficients(side, t) for side in sp.fraction(slope))
    begin = rational("start", start)
    cut, head = begin + 1, ball_function(f, [t])
    for _ in range(MOST_STEPS):
        speed = _speed(top, bottom, cut)
        if speed is not None:
            beyond = abs(head(cut)) / ball(speed)
            if beyond < ball(Fraction(1, 2**bits)):
                return _enclosed(f, t, start, number(cut)) + arb(-1).union(arb(1)) * beyond
        cut = begin + (cut - begin) * 3 / 2
    raise Unbounded(f"no decay was proved towards {end.at}")


def _speed(top: Sequence[Fraction], bottom: Sequence[Fraction], cut: Fraction) -> Fraction | None:
    """A number c > 0 with top/bottom <= -c on [cut, oo)."""
    if value(bottom, cut) < 0:
        top, bottom = [-c for c in top], [-c for c in bottom]
    if min(taylor(bottom, cut)) < 0 or value(bottom, cut) == 0:
        return None
    speed = -value(top, cut) / value(bottom, cut)
    for share in (Fraction(1), Fraction(1, 2), Fraction(1, 8)):
        if speed > 0 and min(taylor(combine(-1, top, -speed * share, bottom), cut)) >= 0:
            return speed * share
    return None


def _enclosed(f: sp.Expr, x: sp.Symbol, lower: sp.Rational, upper: sp.Rational) -> Ball:
    found = integral(f, x, rational("lower", lower), rational("upper", upper))
    if found is None:
        raise Unbounded("the integral over the bounded part has no finite enclosure")
    return found


def shift_for(log_mass: Ball) -> Fraction:
    """A short rational near log M_0, so that exp(-shift) M_0 is near 1."""
    if not log_mass.is_finite():
        raise Unbounded("m has no finite enclosure there")
    return Fraction(math.floor(float(log_mass.mid()) * 16), 16)
