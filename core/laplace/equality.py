"""Are two formulas equal?  By exact rewriting only, so that no means not shown."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.laplace.formula import expanded, exponentiated, factored, in_exponentials


def same(f: sp.Expr, g: sp.Expr) -> bool:
    """Are the two formulas equal by exact rewriting?  False means not shown."""
    left, right = _canonical(f), _canonical(g)
    if f == g or left == right or expanded(left - right) == 0:
        return True
    return bool(expanded(sp.fraction(sp.together(left - right))[0]) == 0)


def _canonical(f: sp.Expr) -> sp.Expr:
    """No hyperbolic functions of a z + b, no logarithms in exponents, roots of factored bases."""
    plain = in_exponentials(f).replace(sp.exp, lambda w: exponentiated(expanded(w)))
    plain = plain.replace(
        lambda node: node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer,
        lambda node: factored(node.base) ** node.exp,
    )
    return sp.expand_power_base(plain.replace(sp.cos, _without_phase))


def _without_phase(w: sp.Expr) -> sp.Expr:
    """cos(v + atan c) by the two angles, anything else as it is."""
    angle, v = w.as_independent(sp.Symbol, as_Add=True)
    return sp.cos(v) * sp.cos(angle) - sp.sin(v) * sp.sin(angle) if angle.has(sp.atan) else sp.cos(w)
