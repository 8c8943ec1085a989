"""Is the normaliser of the base measure exp(m/g), for every z at once?

Strongest way first: a finite sum is an exact identity; where the base has a rational recurrence, N and
exp(m/g) solve one linear differential equation with the same initial values in closed form; else Taylor polynomials of
both, with bounded remainders, cover a box.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial

import sympy as sp
from glbcheck.core.enclosure import Ball, ball, ball_function, float_above, hull, jet_function, lower, precision
from glbcheck.core.exact import number
from glbcheck.core.family import Family, g, r, z
from glbcheck.core.translation import equal
from glbcheck.verify.audit.analyticity import breaks
from glbcheck.verify.audit.annihilator import annihilator, require_convergence, satisfies
from glbcheck.verify.audit.base_measure import Base, NotReadable, Unbounded
from glbcheck.verify.audit.base_moments import moments, shift_for
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.initial_values import same_start
from glbcheck.verify.claim import Verdict

BITS = 130
MOST_EXPLICIT = 64  # points of a finite support whose sum is written out
TAYLOR, BOX_BITS = 12, 64
FINEST, GOOD = Fraction(1, 64), Fraction(1, 10**6)  # a cell is halved until its bound is good
MOST_CELLS = 64


def density_moments(base: Base, at: Fraction, orders: Sequence[int], bits: int = BITS) -> list[Ball]:
    """∫ r^j p(r | at, g) dr for each order j, whether or not p has mass one."""
    with precision(bits + 64):
        log_mass = m_ball(base.family, at) / ball(base.g)
        shift = shift_for(log_mass)
        scale = (ball(shift) - log_mass).exp()
        return [value * scale for value in moments(base, at, orders, shift, bits)]


def m_ball(family: Family, at: Fraction) -> Ball:
    """m at a rational point, also a removable one; at a closed end of the domain the plain value."""
    value = jet_function(family.log_partition, z)(at, 1)[0]
    return value if value.is_finite() else ball_function(family.log_partition, [z])(at)


# --- an explicit finite sum ------------------------------------------------------------------------


def explicit_sum(family: Family, at: Fraction) -> Finding | None:
    """exp(m/g) written out as the finite sum it is, an identity of normal forms; None if it is not seen."""
    support, fixed = family.support, {g: number(at)}
    if support.step is None:
        return None
    low, high, step = (e.subs(fixed) for e in (support.lower, support.upper, support.step))
    steps = (high - low) / step
    if not (low.is_Rational and step.is_Rational and steps.is_Integer and 0 <= steps < MOST_EXPLICIT):
        return None
    rows = []
    for k in range(int(steps) + 1):
        x = low + k * step
        weight = sp.exp(sp.expand(family.log_base.subs(fixed).subs(r, x)))
        rows.append(weight * sp.exp(x * z / number(at)))
    total = sp.Add(*rows)
    if not equal(sp.exp(family.log_partition / number(at)), total):
        return None
    return Finding(
        Verdict.PROVED,
        f"exp(m/g) is the sum of exp(r z/g) b(r) over the {len(rows)} points: exact identity in z",
        {"method": "finite sum", "sum": str(total), "normal form of the difference": "0"},
    )


# --- one differential equation for both ------------------------------------------------------------


def by_equation(base: Base) -> Finding:
    """N = exp(m/g) on the whole domain: same equation, same initial values.  NotReadable if not seen."""
    require_convergence(base)
    equation = annihilator(base)
    if not satisfies(base.family, base, equation):
        raise NotReadable("exp(m/g) is not seen to satisfy the differential equation of the normaliser")
    points = breaks(base.family.log_partition, base.family.domain)
    start = same_start(base, equation)
    facts = {
        "method": "linear differential equation",
        "equation": [str(c) for c in equation.coefficients],
        "unknown": "coefficient j multiplies (g d/dz)^j N",
        "removable": [str(p) for p in points],
        "start": start,
    }
    both = f"the normaliser and exp(m/g) solve one linear equation of order {equation.order} in z, exactly, and {start}"
    return Finding(Verdict.CERTIFIED, both, facts)


def _below(a: sp.Expr, b: sp.Expr) -> bool:
    if a == -sp.oo or b == sp.oo:
        return True
    gap = sp.simplify(b - a)
    if gap == 0:
        return False
    with precision(BITS):
        size = ball(gap)
    if not (size > 0 or size < 0):
        raise NotReadable(f"{a} and {b} cannot be told apart")
    return bool(size > 0)


def inside(a: sp.Expr, b: sp.Expr, S: Fraction) -> Fraction:
    """A short rational strictly between a and b, in [-S, S] if there is one to be found."""
    low, high = max(a, -number(S)), min(b, number(S))
    if not low < high:
        low, high = (a, a + 2) if not a.is_infinite else (b - 2, b)
    for share in (Fraction(1, 2), Fraction(1, 3), Fraction(3, 5)):
        near = float(low) + float(share) * float(high - low)
        for size in (8, 64, 4096):
            guess = Fraction(near).limit_denominator(size)
            if _below(a, number(guess)) and _below(number(guess), b):
                return guess
    raise NotReadable(f"no rational point was found between {a} and {b}")


# --- Taylor polynomials on a box -------------------------------------------------------------------


def on_box(base: Base, S: Fraction) -> Finding:
    """The largest possible |mass - 1| over [-S, S]; Unbounded or NotReadable if there is no bound."""
    worst, count, pending = Fraction(0), 0, [(-S, S)]
    while pending:
        if count == MOST_CELLS:
            raise Unbounded(f"no bound on the mass over [-{S}, {S}] within {MOST_CELLS} cells")
        low, high = pending.pop()
        bound = _cell(base, (low + high) / 2, (high - low) / 2)
        count += 1
        if bound is None or bound > GOOD:
            if high - low < FINEST:
                raise Unbounded(f"no bound on the mass between z = {low} and {high}")
            middle = (low + high) / 2
            pending += [(low, middle), (middle, high)]
            continue
        worst = max(worst, bound)
    shown = f"{float_above(ball(worst)):.1e}"
    return Finding(
        Verdict.CERTIFIED_ON_BOX,
        f"|mass - 1| <= {shown} for all z in [-{S}, {S}], by Taylor polynomials with remainder",
        {"method": "Taylor on a box", "box": [str(-S), str(S)], "deviation": shown, "cells": count},
    )


def _cell(base: Base, center: Fraction, radius: Fraction) -> Fraction | None:
    """A bound of |N/exp(m/g) - 1| on the cell; None if there is none."""
    K, g = TAYLOR, base.g
    exponent = base.family.log_partition / number(g)
    with precision(BOX_BITS + 64):
        shift = shift_for(m_ball(base.family, center) / ball(g))
        jet = jet_function(sp.exp(exponent - number(shift)), z)
        near, wide = jet(center, K), jet(hull(center - radius, center + radius), K + 1)
        if not all(c.is_finite() for c in [*near, *wide]):
            return None
        ours = moments(base, center, range(K), shift, BOX_BITS)
        # exp is convex: for even K the K-th derivative in the cell is at most the sum of those at its ends.
        beyond = sum(
            (moments(base, end, [K], shift, BOX_BITS)[0] for end in (center - radius, center + radius)), ball(0)
        )
        reach = ball(radius / g)
        gap = beyond * reach**K / factorial(K) + abs(wide[K]) * ball(radius) ** K
        for j in range(K):
            gap += abs(ours[j] / ball(g) ** j / factorial(j) - near[j]) * ball(radius) ** j
        relative = gap / wide[0]
        if not (wide[0] > 0 and relative.is_finite()):
            return None
        return -lower(-relative)
