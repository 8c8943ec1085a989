"""Rules that name a density: piecewise polynomial on a line cut at knots, or a polynomial times a Gaussian.

Spline: with parameters (w, a, k, c, a, k, c, ...) the formula is the sum of c e^{aw} / w^k.  For w < 0
the integral of e^{rw} (r - a)^{k-1} / (k-1)! over r > a is e^{aw} (-w)^{-k}, so its density is the sum of
c (-1)^k (r - a)^{k-1} / (k-1)! over the a below r, and k = 0 is a point mass.  If the density vanishes beyond the
last knot, both sides are analytic and agree for every w; otherwise w must be negative.

Gaussian: with parameters (q, w, c_0, c_1, ...) and p(r) = sum of c_k r^k, the k-th derivative in w of
e^{qw^2} stands for r^k e^{-r^2/(4q)} on the line, and that of e^{qw^2} (1 + erf(sqrt(q) w)) for it on r > 0.
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp
from glbcheck.core.laplace.conditions import Formulas, Parameters, affine_positive, whole_from
from glbcheck.core.laplace.formula import Where, affine, positive

r = sp.Dummy("r", real=True)
LARGEST_ORDER = 40
Knot = tuple[sp.Rational, int, sp.Rational]


def nonnegative(p: sp.Poly, low: sp.Expr, high: sp.Expr) -> bool:
    """Is the polynomial with rational coefficients >= 0 on the open interval?  By counting sign changes exactly."""
    if p.is_zero:
        return True
    for factor, multiplicity in p.sqf_list()[1]:
        if multiplicity % 2 and _roots_inside(factor, low, high):
            return False
    return bool(p.eval(_between(low, high)) >= 0)


def _roots_inside(factor: sp.Poly, low: sp.Expr, high: sp.Expr) -> int:
    ends = [None if end.is_infinite else end for end in (low, high)]
    at_ends = sum(1 for end in ends if end is not None and factor.eval(end) == 0)
    return int(factor.count_roots(*ends)) - at_ends


def _between(low: sp.Expr, high: sp.Expr) -> sp.Rational:
    if low.is_infinite:
        return sp.S.Zero if high.is_infinite else high - 1
    return low + 1 if high.is_infinite else (low + high) / 2


# --- splines -----------------------------------------------------------------------------------------------


def spline(p: Parameters, f: Formulas) -> sp.Expr:
    w = p[0]
    return sp.Add(*(c * sp.exp(a * w) * w**-k for a, k, c in _knots(p)))


def _knots(p: Parameters) -> list[Knot]:
    return list(zip(p[1::3], p[2::3], p[3::3], strict=True))


def is_density(p: Parameters, f: Formulas, inside: Where) -> bool:
    """Point masses and density are nowhere negative, and integrate to what the formula says."""
    if len(p) < 4 or len(p) % 3 != 1 or not affine(p[0]):
        return False
    knots = _knots(p)
    if not all(a.is_Rational and c.is_Rational and whole_from(k, 0) and k <= LARGEST_ORDER for a, k, c in knots):
        return False
    places = sorted({a for a, _, _ in knots})
    if any(sum(c for a, k, c in knots if a == place and k == 0) < 0 for place in places):
        return False
    pieces = [(low, high, _density(knots, low)) for low, high in pairwise([*places, sp.oo])]
    if not all(nonnegative(density, low, high) for low, high, density in pieces):
        return False
    return pieces[-1][2].is_zero or affine_positive(-p[0], inside)


def _density(knots: list[Knot], low: sp.Rational) -> sp.Poly:
    """The density just above the knot `low`, up to the next one."""
    below = [knot for knot in knots if knot[1] > 0 and knot[0] <= low]
    terms = [c * (-1) ** k * (r - a) ** (k - 1) / sp.factorial(k - 1) for a, k, c in below]
    return sp.Poly(sp.Add(*terms), r, domain="QQ")


# --- Gaussians with a polynomial weight ------------------------------------------------------------------------


def weighted_gaussian(p: Parameters, f: Formulas) -> sp.Expr:
    q, w, weights = p[0], p[1], p[2:]
    return sp.exp(q * w**2) * sp.Add(*(c * h for c, (h, _) in zip(weights, derivatives(q, w), strict=False)))


def weighted_half_gaussian(p: Parameters, f: Formulas) -> sp.Expr:
    q, w, weights = p[0], p[1], p[2:]
    pairs = list(zip(weights, derivatives(q, w), strict=False))
    whole = sp.exp(q * w**2) * (1 + sp.erf(sp.sqrt(q) * w))
    return whole * sp.Add(*(c * h for c, (h, _) in pairs)) + sp.Add(*(c * s for c, (_, s) in pairs))


def derivatives(q: sp.Expr, w: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """(h, s) with the k-th derivative of G = e^{qw^2} (1 + erf(sqrt(q) w)) in w equal to h G + s."""
    x = sp.Dummy("x")
    h, s = sp.Poly(1, x), sp.Poly(0, x)
    found = []
    for _ in range(LARGEST_ORDER // 2):
        found.append((h.as_expr().subs(x, w), s.as_expr().subs(x, w)))
        h, s = h.diff(x) + sp.Poly(2 * q * x, x) * h, s.diff(x) + 2 * sp.sqrt(q / sp.pi) * h
    return found


def weight_on_the_line(p: Parameters, f: Formulas, inside: Where) -> bool:
    return _weight(p, -sp.oo)


def weight_on_the_half_line(p: Parameters, f: Formulas, inside: Where) -> bool:
    return _weight(p, sp.S.Zero)


def _weight(p: Parameters, low: sp.Expr) -> bool:
    if not 3 <= len(p) <= 2 + LARGEST_ORDER // 2 or not positive(p[0]) or not affine(p[1]):
        return False
    if not all(c.is_Rational for c in p[2:]):
        return False
    weight = sp.Poly(list(reversed(p[2:])), r, domain="QQ")
    return not weight.is_zero and nonnegative(weight, low, sp.oo)
