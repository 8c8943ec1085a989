"""Zeros that no analytic function has: M = G^(p/q) where a zero of G has an order that q does not divide, and poles."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, interior_point, where
from glbcheck.core.laplace.modulus import zeros_above
from glbcheck.core.laplace.witness import Witness, certified

SIZES = (Fraction(1, 32), Fraction(1, 256))  # half the side of a box around a zero
LARGEST_ROOT = 60


def misplaced_zero(m: sp.Expr, domain: sp.Interval, power: Fraction) -> Witness | None:
    """A box around which exp(power m) would turn a fraction of a time, or backwards; quick, where M is a product."""
    inside = where(domain)
    drafts = _boxes(exponent(m, power), inside, power)
    return next(filter(None, (certified(m, domain, draft) for draft in drafts)), None)


def _boxes(e: sp.Expr, inside: Where, power: Fraction) -> Iterator[Witness]:
    factors = [factor.as_base_exp() for factor in sp.Mul.make_args(exponentiated(e)) if factor.has(z)]
    powers = [(base, k) for base, k in factors if k.is_Rational and base.has(z)]
    common = lcm(*(int(k.q) for _, k in powers))
    z0, whole = interior_point(inside), [int(k * common) for _, k in powers]
    if z0 is None or not whole or common > LARGEST_ROOT:
        return
    q = Fraction(common, gcd(*whole))  # the power with the smallest whole exponents
    for base, _ in (part for part in powers if part[1].q > 1 or part[1] < 0):
        for root in zeros_above(base, inside):
            x, y = (Fraction(float(part)).limit_denominator(1024) for part in (root.real, root.imag))
            for size in SIZES:
                if inside.holds(x - size, x + size):
                    points = (x - size, x + size, y - size, y + size, q)
                    yield Witness("zeros", power, z0, points, (), (), Fraction(0))
