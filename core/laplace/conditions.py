"""When a rule may be applied: conditions on its exact parameters and on the formulas of its parts."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.equality import same
from glbcheck.core.laplace.formula import Where, affine, positive, positive_if_concave

ENTIRE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf)  # on the real line
Parameters = tuple[sp.Expr, ...]
Formulas = Sequence[sp.Expr]


def whole_from(n: sp.Expr, least: int) -> bool:
    return bool(n.is_Integer and n >= least)


def proper(p: sp.Expr) -> bool:
    return bool(p.is_Rational and 0 < p < 1)


def affine_positive(w: sp.Expr, inside: Where) -> bool:
    return affine(w) and positive_if_concave(w, inside)


def affine_within(w: sp.Expr, reach: sp.Expr, inside: Where) -> bool:
    """-reach < w < reach on the interval."""
    return affine(w) and all(positive_if_concave(reach + side * w, inside) for side in (1, -1))


def real_quadratic(p: Parameters, f: Formulas, inside: Where) -> bool:
    q, a, b = p
    constants = not any(x.free_symbols for x in p) and all(x.is_zero or positive(x**2) for x in (a, b))
    return constants and bool(q.is_zero or positive(q))


def affine_ends(p: Parameters, f: Formulas, inside: Where) -> bool:
    low, high = p
    return all(affine(w) or not w.free_symbols for w in p) and affine(sp.expand(high - low))


def less_than_one(p: Parameters, f: Formulas, inside: Where) -> bool:
    return positive_if_concave(1 - f[0], inside)


def negative(p: Parameters, f: Formulas, inside: Where) -> bool:
    return positive_if_concave(-f[0], inside)


def at_most(c: sp.Expr, bound: sp.Rational) -> bool:
    return bool(c == bound) or positive(bound - c)


def second_derivative(p: Parameters, f: Formulas, inside: Where) -> bool:
    return _analytic(p[0], inside) and same(sp.diff(p[0], z, 2), f[0])


def _analytic(psi: sp.Expr, inside: Where) -> bool:
    """Analytic on the interval, so that its formal derivative is its derivative: atan(1/z) jumps at 0."""
    if psi == z or not psi.free_symbols:
        return True
    if psi.is_Pow and psi.base != sp.E and not (psi.exp.is_Integer and psi.exp > 0):
        return not psi.exp.free_symbols and affine_positive(psi.base, inside)
    if isinstance(psi, sp.log | sp.loggamma | sp.gamma):
        return affine_positive(psi.args[0], inside)
    known = psi.is_Add or psi.is_Mul or psi.is_Pow or isinstance(psi, ENTIRE)
    return bool(known) and all(_analytic(part, inside) for part in psi.args)
