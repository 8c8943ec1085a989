"""Single points: where to look, and the mass there to thirty digits when no enclosure reaches the base."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, ball, ball_function, integral, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.core.family import Family, g, r, z
from glbcheck.verify.audit.base_measure import Base
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.normaliser import inside
from glbcheck.verify.claim import Verdict

DIGITS = 30
TOLERANCE = 1e-12
MOST = 5  # points
FAR = tuple(Fraction(sign * size) for size in (8, 64) for sign in (1, -1))
PART, PART_BITS = 40, 96  # how much of an unbounded support is looked at, and how sharply


def points(family: Family, S: Fraction) -> list[Fraction]:
    """Rational z inside the domain, spread over [-S, S] as far as that lies inside; the middle first."""
    low, high = family.domain.inf, family.domain.sup
    found = [x for k in (0, -4, 4, -2, 3, -1, 1) if low < number(x := S * Fraction(k, 4)) < high][:MOST]
    for span in ((low, high), (low, number(0)), (number(0), high)):
        if len(found) < 3 and max(low, span[0]) < min(high, span[1]):
            found.append(inside(max(low, span[0]), min(high, span[1]), S))
    return sorted(set(found), key=found.index)


def far_points(base: Base) -> list[Fraction]:
    """A few z far out in the domain, where a support that is cut off shows; an endless sum there takes too long."""
    endless = base.pair or any(run.count is None for run in base.runs)
    return [] if endless else [far for far in FAR if number(far) in base.family.domain.interior]


def shown_mass(mass: Ball) -> str:
    """Enough digits for a reader to see that it is not 1; the certificate has the enclosure."""
    gap = mass - 1
    if abs(gap) > ball(Fraction(1, 10**6)):
        return str(mass.mid().str(8, radius=False))
    return f"1 {'+' if gap > 0 else '-'} {abs(gap).mid().str(3, radius=False)}"


def excess_mass(family: Family, S: Fraction, at: Fraction) -> Finding | None:
    """A part of the support that already holds more than mass one; what is left out cannot be negative."""
    fixed = {g: number(at)}
    log_p = ((r * z - family.log_partition) / g + family.log_base).subs(fixed)
    for point in points(family, S):
        density = sp.exp(log_p.subs(z, number(point)))
        try:
            with precision(PART_BITS):
                mass = _part_of_mass(density, family, fixed)
        except (NotEnclosed, BadInput):
            continue
        if mass is not None and mass > 1:
            shown = {"z": str(point), "part of the mass": mass.str(20), "g": str(at)}
            words = f"mass at least {shown_mass(mass)} at z = {point}"
            return Finding(Verdict.REFUTED, words, shown)
    return None


def _part_of_mass(density: sp.Expr, family: Family, fixed: dict[sp.Symbol, sp.Expr]) -> Ball | None:
    """The sum over some lattice points, or the integral over a bounded part inside the support."""
    lower, upper = (e.subs(fixed) for e in (family.support.lower, family.support.upper))
    if family.support.step is None:
        if not all(e.is_Rational or e.is_infinite for e in (lower, upper)) or not lower < upper:
            return None
        low, high = sp.Max(lower, sp.Min(upper, 0) - PART), sp.Min(upper, sp.Max(lower, 0) + PART)
        inset = (high - low) / 1000
        return integral(density, r, low + inset, high - inset)
    step, total = family.support.step.subs(fixed), ball(0)
    first = -PART * step if lower == -sp.oo else lower
    for k in range(2 * PART):
        x = first + k * step
        term = ball_function(density, [r])(x) if lower <= x <= upper else ball(0)
        # A weight without a finite enclosure (a pole of a gamma function) counts as nothing.
        total += term if term.is_finite() and term > 0 else ball(0)
    return total


def numerical_mass(family: Family, S: Fraction, at: Fraction, reason: str) -> Finding:
    """Stress-tested if every mass tried is one to twelve digits; else undecided, never refuted."""
    masses: dict[str, str] = {}
    with mpmath.workdps(DIGITS):
        for point in points(family, S):
            try:
                if (mass := _mass(family, point, at)) is None:
                    continue
            except (ArithmeticError, ValueError, TypeError, NameError, NotImplementedError) as why:
                return Finding(Verdict.UNDECIDED, f"{reason}; and no number either: {why}")
            masses[str(point)] = mpmath.nstr(mass, 15)
            if not abs(mass - 1) < TOLERANCE:
                words = f"{reason}; numerically the mass at z = {point} is {masses[str(point)]}"
                return Finding(Verdict.UNDECIDED, words, {"masses": masses})
    if not masses:
        return Finding(Verdict.UNDECIDED, f"{reason}; and m has no value at the points tried")
    words = f"mass 1 to twelve digits at {len(masses)} points in [-{S}, {S}] (no proof: {reason})"
    return Finding(Verdict.STRESS_TESTED, words, {"masses": masses, "digits": DIGITS})


def _mass(family: Family, point: Fraction, at: Fraction) -> mpmath.mpf | None:
    """The mass, or None where the formula of m itself has no value (a removable point)."""
    fixed, here = {g: number(at)}, number(point)
    log_m = family.log_partition.subs(z, here)
    if not log_m.is_finite:
        return None
    expr = sp.exp(((r * here - log_m) / g + family.log_base).subs(fixed))
    density = sp.lambdify(r, expr, modules="mpmath")
    lower, upper = (e.subs(fixed) for e in (family.support.lower, family.support.upper))
    if family.support.step is None:
        ends = [mpmath.mpf("-inf") if lower == -sp.oo else mpmath.mpf(sp.N(lower, DIGITS))]
        ends += [mpmath.mpf(0)] if lower < 0 < upper else []
        ends += [mpmath.mpf("inf") if upper == sp.oo else mpmath.mpf(sp.N(upper, DIGITS))]
        return mpmath.re(mpmath.quad(density, ends))
    step = family.support.step.subs(fixed)
    if lower == -sp.oo:
        up = mpmath.nsum(lambda k: density(step * int(k)), [0, mpmath.inf])
        return mpmath.re(up + mpmath.nsum(lambda k: density(-step * int(k)), [1, mpmath.inf]))
    last = mpmath.inf if upper == sp.oo else int((upper - lower) / step)
    return mpmath.re(mpmath.nsum(lambda k: density(lower + step * int(k)), [0, last]))
