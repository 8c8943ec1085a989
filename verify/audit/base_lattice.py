"""Runs of a lattice on which the base measure has a ratio b(r + step)/b(r) that is known exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import r
from glbcheck.verify.audit.base_measure import NotReadable, Run, coefficients, fraction_of, kinks, terms, unfolded
from glbcheck.verify.audit.polynomials import taylor, value

MOST_POINTS = 20_000  # of a finite lattice that are added up one by one
MOST_GROWTH = 50  # of the argument of a gamma function in one step


@dataclass(frozen=True)
class Points:
    """first, first + step, ...: `count` of them, None for all; a negative step goes down."""

    first: Fraction
    step: Fraction
    count: int | None


def runs(log_base: sp.Expr, lower: sp.Expr, upper: sp.Expr, step: Fraction) -> Iterator[Run]:
    """The lattice from lower to upper, cut where the base has a kink."""
    if lower == -sp.oo:
        if upper != sp.oo:
            raise NotReadable("a lattice without a lower end must have no upper end")
        yield _run(log_base, Points(Fraction(0), step, None))
        yield _run(log_base, Points(-step, -step, None))
        return
    first, count = fraction_of(lower, "the lower end"), None
    if upper != sp.oo:
        length = (fraction_of(upper, "the upper end") - first) / step
        if length.denominator != 1 or length < 0:
            raise NotReadable(f"the upper end {upper} is not on the lattice {first} + {step} k")
        count = int(length) + 1
    # The first lattice point at or right of each kink.
    stops = {int(-((first - fraction_of(kink, "the kink")) // step)) for kink in kinks(log_base, lower, upper)}
    start = 0
    for stop in [*sorted(s for s in stops if s > 0), count]:
        yield _run(log_base, Points(first + start * step, step, None if stop is None else stop - start))
        start = stop or 0


def _run(log_base: sp.Expr, on: Points) -> Run:
    span = (number(on.first), sp.oo) if on.step > 0 else (-sp.oo, number(on.first))
    if on.count is None and kinks(log_base, *span):
        raise NotReadable("a kink inside an unbounded lattice, away from 0")
    local = unfolded(log_base, number(on.first if on.count == 1 else on.first + on.step / 2))
    if bessel := _bessel(local, on.step):
        return Run(on.first, on.step, on.count, *bessel, local, exact=False)
    scale, ratio = sp.S.One, sp.S.One
    for c, h in terms(local):
        factor = _ratio(c, h, on)
        if factor.has(r):
            ratio *= factor
        else:
            scale *= factor
    top, bottom = sp.fraction(sp.cancel(sp.together(ratio)))
    return Run(on.first, on.step, on.count, scale, coefficients(top), coefficients(bottom), local)


def _ratio(c: sp.Expr, h: sp.Expr, on: Points) -> sp.Expr:
    """exp(c*(h(r + step) - h(r))), after checking that h is real on the run."""
    if not h.has(r):
        return sp.S.One
    after = r + number(on.step)
    if isinstance(h, sp.loggamma):
        return _gamma_ratio(c, h.args[0], on)
    if isinstance(h, sp.log):
        _require_positive(h.args[0], on)
        if not c.is_Integer:
            raise NotReadable(f"the exponent {c} of {h.args[0]} on the lattice is not whole")
        return (h.args[0].subs(r, after) / h.args[0]) ** c
    change = sp.cancel(c * (h.subs(r, after) - h))
    if change.has(r):
        raise NotReadable(f"exp({c * h}) has no rational ratio on the lattice")
    return sp.exp(change)


def _gamma_ratio(c: sp.Expr, u: sp.Expr, on: Points) -> sp.Expr:
    """(Gamma(u + n)/Gamma(u))**c for the whole number n by which u grows in a step."""
    linear = sp.Poly(u, r) if u.is_polynomial(r) else None
    if linear is None or linear.degree() != 1 or not all(a.is_Rational for a in linear.all_coeffs()):
        raise NotReadable(f"loggamma({u}) is not of a rational linear function")
    growth = linear.all_coeffs()[0] * number(on.step)
    if not (growth.is_Integer and c.is_Integer) or abs(growth) > MOST_GROWTH:
        raise NotReadable(f"{c}*loggamma({u}) grows by {growth} in a step")
    _require_positive(u, on)
    n = int(growth)
    return (sp.Mul(*(u + k for k in range(n))) / sp.Mul(*(u - k for k in range(1, 1 - n)))) ** c


def _require_positive(expr: sp.Expr, on: Points) -> None:
    """The rational function is positive at every point of the run."""
    if on.count is None:
        positive = _positive_from(expr, on)
    elif on.count > MOST_POINTS:
        raise NotReadable(f"the lattice has {on.count} points")
    else:
        linear = expr.is_polynomial(r) and sp.Poly(expr, r).degree() <= 1
        enough = (0, on.count - 1) if linear else range(on.count)
        positive = all(expr.subs(r, number(on.first + k * on.step)) > 0 for k in enough)
    if not positive:
        raise NotReadable(f"{expr} is not positive on the whole support")


def _positive_from(expr: sp.Expr, on: Points) -> bool:
    """Positive at first + k*step for every k >= 0: by the signs of Taylor coefficients from some k on."""
    k = sp.Symbol("k")
    top, bottom = sp.fraction(sp.together(expr.subs(r, number(on.first) + number(on.step) * k)))
    sides = [coefficients(side, k) for side in (top, bottom)]
    if sides[1][-1] < 0:
        sides = [tuple(-c for c in side) for side in sides]
    start = next((n for n in range(64) if all(min(taylor(side, n)) >= 0 for side in sides)), None)
    return start is not None and all(value(sides[0], n) * value(sides[1], n) > 0 for n in range(start + 1))


def _bessel(local: sp.Expr, step: Fraction) -> tuple[sp.Expr, tuple[Fraction, ...], tuple[Fraction, ...]] | None:
    """The bound I_(n+1)(x)/I_n(x) <= x/(2(n + 1)), for a base that is a constant times I_n(x), n = r/step."""
    bessels = local.atoms(sp.besseli)
    if len(bessels) != 1:
        return None
    (bessel,) = bessels
    order, x = bessel.args
    rest = local - sp.log(bessel)
    if rest.has(r) or sp.cancel(order - r / number(step)) != 0 or not (x.is_Rational and x > 0):
        return None
    return x / 2, (Fraction(1),), (Fraction(1), 1 / step)
