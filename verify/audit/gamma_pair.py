"""Moments of b(r) = C |Gamma(beta + i kappa r)|^2, the weight behind the hyperbolic secant law.

The decay is explicit: the logarithmic derivative of |Gamma(beta + i y)|^2 in y > 0 is

    -2 sum_n y/((beta + n)^2 + y^2)  <=  -2 (pi/2 - arctan(beta/y)),

the sum of a decreasing function of n being at least its integral, and the right side falls as y grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import Ball, acb, arb, ball
from glbcheck.core.exact import number
from glbcheck.verify.audit.base_measure import Divergent, GammaPair, Unbounded

MOST_DOUBLINGS = 24


def edge(pair: GammaPair, g: Fraction) -> sp.Expr:
    """exp(r z/g) b(r) is integrable exactly for |z| below this number."""
    return sp.pi * pair.kappa * number(g)


def pair_moments(
    pair: GammaPair, g: Fraction, at: Fraction, orders: Sequence[int], shift: Fraction, bits: int
) -> list[Ball]:
    """∫ r^j exp(r at/g - shift) b(r) dr for each order, one half-line at a time."""
    if ball(number(abs(at)) - edge(pair, g)) > 0:
        raise Divergent(f"|z| is beyond {edge(pair, g)}")
    scale = ball(sp.exp(pair.constant)) * (-ball(shift)).exp()
    results = []
    for j in orders:
        right = _half(pair, at / g, j, bits)
        left = _half(pair, -at / g, j, bits)
        results.append(scale * (right + (-1) ** j * left))
    return results


def _half(pair: GammaPair, tilt: Fraction, j: int, bits: int) -> Ball:
    """∫_0^oo r^j exp(tilt r) |Gamma(beta + i kappa r)|^2 dr."""
    beta, kappa, slope = ball(pair.beta), ball(pair.kappa), ball(tilt)

    def integrand(x: acb, analytic: bool) -> acb:
        turned = acb(0, 1) * kappa * x
        return x**j * (slope * x).exp() * (beta + turned).gamma() * (beta - turned).gamma()

    cut = Fraction(4)
    for _ in range(MOST_DOUBLINGS):
        here = ball(cut)
        speed = arb.pi() * kappa - 2 * kappa * (beta / (kappa * here)).atan() - slope - j / here
        if speed > 0:
            beyond = integrand(acb(here), False).abs_upper() / speed
            if beyond < ball(Fraction(1, 2**bits)):
                inner = acb.integral(integrand, acb(0), acb(here))
                if inner.is_finite():
                    return inner.real + arb(-1).union(arb(1)) * beyond
                break
        cut *= Fraction(3, 2)
    raise Unbounded(f"no decay was proved for the tilt {tilt}")
