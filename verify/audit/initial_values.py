"""Do the normaliser N and exp(m/g), two solutions of one linear equation, have the same initial values, exactly?

Both are analytic on the whole domain, so it is enough to know that they agree near one point.  There the equation is
a recurrence for the Taylor coefficients of their difference, which leaves coefficient n free only where its indicial
polynomial vanishes: these coefficients are compared as closed forms.  On a lattice that starts at some point, the same
is said of the power series in w = exp(h z/g), whose first coefficient is the only free one.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, precision
from glbcheck.core.exact import number
from glbcheck.core.family import r, z
from glbcheck.core.translation import equal
from glbcheck.verify.audit.analyticity import breaks, guards
from glbcheck.verify.audit.annihilator import Annihilator
from glbcheck.verify.audit.base_measure import Base, NotReadable, Run
from glbcheck.verify.audit.base_moments import moments
from glbcheck.verify.audit.exact_moments import exact_moment

STARTS = [Fraction(k, 2) for k in (0, 1, -1, 2, -2, 4, -4, 8, -8)]
MOST_CANCELLED = 6  # the order of a zero that numerator and denominator share
MOST_TERMS = 20  # of a power series that are looked at
ROOTS = (1, 2, 3, 4)  # exp(m/g) may be a power series in a root of exp(h z/g)
BITS = 100


def same_start(base: Base, equation: Annihilator) -> str:
    """Where and how the initial values were seen to be equal; NotReadable if they were not."""
    if (run := _first_run(base)) and _same_series(base, run):
        return "their power series in exp(h z/g) have the same first term"
    for start in STARTS:
        if number(start) in base.family.domain.interior:
            try:
                free = _free_coefficients(equation, start, base.g)
                if all(_agree(base, start, n) for n in free):
                    return f"their initial values at z = {start} are equal in closed form"
            except NotReadable:
                continue
    raise NotReadable("the initial values are not seen to be equal in closed form")


def _free_coefficients(equation: Annihilator, start: Fraction, g: Fraction) -> list[int]:
    """The n for which the equation does not determine the n-th Taylor coefficient from the earlier ones."""
    moved = [sp.expand(c.subs(z, z + number(start))) for c in equation.coefficients]
    if not all(c.is_polynomial(z) for c in moved):
        leading = moved[-1].subs(z, 0)
        with precision(BITS):
            value = ball(leading)
        if not (value > 0 or value < 0):
            raise NotReadable(f"the equation is singular at z = {start}")
        return list(range(equation.order))
    rows = [(j, i, c) for j, p in enumerate(moved) for (i,), c in sp.Poly(p, z).terms() if c != 0]
    lowest = min(i - j for j, i, _ in rows)
    n = sp.Symbol("n")
    indicial = sp.Add(*(c * number(g) ** j * sp.ff(n, j) for j, i, c in rows if i - j == lowest))
    polynomial = sp.Poly(sp.expand(sp.expand_func(indicial)), n)
    if not all(c.is_Rational for c in polynomial.all_coeffs()):
        raise NotReadable(f"the indicial polynomial {polynomial.as_expr()} has irrational coefficients")
    return sorted(int(root) for root in polynomial.real_roots() if root.is_Integer and root >= 0)


def _agree(base: Base, start: Fraction, n: int) -> bool:
    """Is the n-th moment of the base, tilted to the start, that of exp(m/g)?"""
    found = exact_moment(base, start, n)
    g = number(base.g)
    wanted = _value(g**n * sp.diff(sp.exp(base.family.log_partition / g), z, n), number(start))
    if wanted is None or not equal(found, wanted):
        raise NotReadable(f"moment {n} at z = {start} is not seen to be that of exp(m/g)")
    # A closed form that the certified integral contradicts is an error here, not a fact about the family.
    with precision(BITS + 64):
        try:
            if not moments(base, start, [n], Fraction(0), BITS)[0].overlaps(ball(found)):
                raise NotReadable(f"moment {n} at z = {start}: closed form and integral differ")
        except NotEnclosed as why:
            raise NotReadable(str(why)) from None
    return True


def _value(e: sp.Expr, at: sp.Rational) -> sp.Expr | None:
    """The value at a point, a removable one included: there, numerator and denominator are differentiated alike."""
    sides = sp.fraction(sp.together(e))
    for _ in range(MOST_CANCELLED):
        top, bottom = (side.subs(z, at) for side in sides)
        if bottom != 0 or top != 0:
            return None if (top / bottom).has(sp.nan, sp.zoo, sp.oo) else top / bottom
        sides = tuple(sp.diff(side, z) for side in sides)
    return None


# --- a lattice with a first point ---------------------------------------------------------------------------


def _first_run(base: Base) -> Run | None:
    """The only run of an endless lattice."""
    alone = len(base.runs) == 1 and base.runs[0].exact and base.runs[0].count is None
    return base.runs[0] if alone else None


def _same_series(base: Base, run: Run) -> bool:
    """Is exp(m/g) the power series that N is?

    In w = exp(h z/(q g)), where θ w^k = (k h/q) w^k, the equation Q(θ - h) F = c w^q P(θ) F determines coefficient k
    unless Q vanishes at k h/q - h; N has b(first) at k h/q = first.  Powers may be counted from 0 or from the first.
    """
    g, step = number(base.g), number(run.step)
    try:  # the formula must live where w is near 0, even if the stated domain ends before
        low, high = base.family.domain.inf, base.family.domain.sup
        breaks(base.family.log_partition, sp.Interval(-sp.oo, high) if run.step > 0 else sp.Interval(low, sp.oo))
    except NotReadable:
        return False
    weight = sp.exp(run.log_base.subs(r, number(run.first)))
    for q, origin in itertools.product(ROOTS, dict.fromkeys((sp.S.Zero, number(run.first)))):
        moved = sp.expand(base.family.log_partition - origin * z)
        series = _in_powers(sp.exp(moved / g), q * g / step)
        if series is None or not _analytic_at_zero(series):
            continue
        free = [q * ((x - origin) / step + 1) for x in _zeros_before(run)]
        free = [k for k in free if k.is_Integer and k >= 0]
        first = q * (number(run.first) - origin) / step
        if not (first.is_Integer and 0 <= first <= MOST_TERMS and all(k <= MOST_TERMS for k in free)):
            continue
        found = {k: sp.diff(series, z, int(k)).subs(z, 0) / sp.factorial(k) for k in {*free, first}}
        if all(equal(c, weight if k == first else sp.S.Zero) for k, c in found.items()):
            return True
    return False


def _zeros_before(run: Run) -> list[sp.Expr]:
    """The rational zeros of the polynomial Q of the equation: those of the ratio, and one step before the first."""
    x = sp.Symbol("x")
    bottom = sp.Poly([number(c) for c in reversed(run.bottom)], x)
    return [*(zero for zero in bottom.real_roots() if zero.is_Rational), number(run.first) - number(run.step)]


def _in_powers(e: sp.Expr, unit: sp.Expr) -> sp.Expr | None:
    """Every exp(a z + b) written as exp(b) w^(a unit), the letter z used for w; None if z is left in other places."""
    w = sp.Symbol("w", positive=True)

    def power(exponent: sp.Expr) -> sp.Expr:
        a = exponent.coeff(z)
        rest, count = sp.expand(exponent - a * z), sp.expand(a * unit)
        whole = not rest.has(z) and count.is_Integer and count > 0
        return sp.exp(rest) * w**count if whole else sp.exp(exponent)

    e = e.rewrite((sp.cosh, sp.sinh), sp.exp) if e.has(sp.cosh(z), sp.sinh(z)) else e
    while (moved := e.replace(sp.exp, power)) != e:
        e = moved
    return None if e.has(z) else e.subs(w, z)


def _analytic_at_zero(e: sp.Expr) -> bool:
    """What must not vanish for the expression to be analytic is positive at 0."""
    try:
        with precision(BITS):
            return all(ball(u.subs(z, 0)) > 0 for u in guards(e))
    except (NotReadable, NotEnclosed):
        return False
