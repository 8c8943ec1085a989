"""How far two members of a GLM family are apart: from the log-partition function alone.

With P at natural parameter a and Q at b, both at dispersion g,

    KL(P, Q)   = D_m(b, a) / g,     D_m(b, a) = m(b) - m(a) - m'(a) (b - a)    (a Bregman divergence)
               = (b - a)^2 / g  *  integral over [0, 1] of  v m''(b + v (a - b))
    chi2(P, Q) = exp( (m(2a - b) - 2 m(a) + m(b)) / g ) - 1,   infinite when 2a - b is outside the domain.

The `*_expr` functions take any m, also an undefined function; `kl` and `chi2` are numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import Ball, ball, ball_function, float_above, jet_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number, stated
from glbcheck.core.family import Family, interval_text, r, z

LogPartition = Callable[[sp.Expr], sp.Expr]
MAX_BITS = 1 << 14


def bregman_expr(m: LogPartition, y: sp.Expr, x: sp.Expr) -> sp.Expr:
    """D_m(y, x): how much m at y lies above its tangent at x."""
    slope = sp.diff(m(z), z).subs(z, x)
    return m(y) - m(x) - slope * (y - x)


def kl_expr(m: LogPartition, a: sp.Expr, b: sp.Expr, g: sp.Expr) -> sp.Expr:
    """KL between natural parameters a and b, by taking the mean of the log-likelihood ratio.

    log p_a - log p_b is affine in the reward, so its mean under a needs only E[r] = m'(a).
    """
    log_ratio = (r * (a - b) - m(a) + m(b)) / g
    return log_ratio.subs(r, sp.diff(m(z), z).subs(z, a))


def kl_integral_expr(m: LogPartition, a: sp.Expr, b: sp.Expr, g: sp.Expr) -> sp.Expr:
    """The same divergence as Taylor's remainder in integral form."""
    v = sp.Symbol("v", real=True)
    curvature = sp.diff(m(z), z, 2).subs(z, b + v * (a - b))
    return (b - a) ** 2 / g * sp.Integral(v * curvature, (v, 0, 1))


def chi2_expr(m: LogPartition, a: sp.Expr, b: sp.Expr, g: sp.Expr) -> sp.Expr:
    """chi^2 between natural parameters a and b: p_a^2 / p_b is an unnormalised density at 2a - b."""
    return sp.exp((m(2 * a - b) - 2 * m(a) + m(b)) / g) - 1


def kl(family: Family, a: float | Fraction, b: float | Fraction, dispersion: float | Fraction = 1) -> float:
    """KL(P_a, P_b), to the last digits also when a and b are close."""
    if a == b:
        _inside(family, "a", a)
        return 0.0
    p, q = _inside(family, "a", a), _inside(family, "b", b)
    scale = Fraction(family.check_dispersion(float(dispersion)))
    jet = jet_function(family.log_partition, z)

    def value() -> Ball:
        at_p = jet(p, 2)
        return (jet(q, 1)[0] - at_p[0] - at_p[1] * (ball(q) - ball(p))) / ball(scale)

    return _sharp(value)


def chi2(family: Family, a: float | Fraction, b: float | Fraction, dispersion: float | Fraction = 1) -> float:
    """chi^2(P_a, P_b); infinity when the integral diverges."""
    p, q = _inside(family, "a", a), _inside(family, "b", b)
    scale = Fraction(family.check_dispersion(float(dispersion)))
    far = 2 * p - q
    if number(far) not in family.domain:
        return math.inf
    if p == q:
        return 0.0
    jet = jet_function(family.log_partition, z)

    def value() -> Ball:
        exponent = _m_at(family, far) - 2 * jet(p, 1)[0] + jet(q, 1)[0]
        return (exponent / ball(scale)).expm1()

    return _sharp(value)


def _m_at(family: Family, point: Fraction) -> Ball:
    """m at a point that may be a closed end of the domain, where it is finite but not smooth."""
    if number(point) in family.domain.interior:
        return jet_function(family.log_partition, z)(point, 1)[0]
    return ball_function(family.log_partition, [z])(point)


def _inside(family: Family, argument: str, value: float | Fraction) -> Fraction:
    exact = stated(argument, value, "a finite number")
    if number(exact) not in family.domain.interior:
        raise BadInput(argument, value, f"{family.name} lives on {interval_text(family.domain)}")
    return exact


def _sharp(value: Callable[[], Ball]) -> float:
    """A positive number with full double precision, or infinity when it exceeds the doubles."""
    bits = 128
    while True:
        with precision(bits):
            result = value()
            if result.is_finite() and (result.rel_accuracy_bits() >= 60 or bits >= MAX_BITS):
                high = float_above(result)
                return high if math.isinf(high) else float(result.mid())
        if bits >= MAX_BITS:
            raise ArithmeticError("the value cannot be enclosed")
        bits *= 2
