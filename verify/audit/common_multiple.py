"""One linear differential equation for a sum, from one for each summand.

Every power of t = g d/dz, applied to a summand, is a combination of its lower ones; among enough powers some
combination vanishes for all summands at once.  Found by linear algebra over rational functions, and
then certified again, coefficient by coefficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import z
from glbcheck.core.translation import equal
from glbcheck.verify.audit.base_measure import NotReadable

HIGHEST = 5


def common_multiple(equations: Sequence[Sequence[sp.Expr]], g: Fraction) -> list[sp.Expr]:
    """Coefficients of sum_j a_j t^j that annihilate whatever any of the equations annihilates."""
    top = sum(len(e) - 1 for e in equations)
    if top > HIGHEST:
        raise NotReadable(f"the pieces of the base have equations of total order {top}")
    columns = [_reduced(equation, top, g) for equation in equations]
    for order in range(max(len(e) - 1 for e in equations), top + 1):
        rows = [[power[i] for power in part[: order + 1]] for part in columns for i in range(len(part[0]))]
        found = sp.Matrix(rows).nullspace(simplify=sp.cancel)
        if found:
            return _checked(_cleared(list(found[0])), rows)
    raise NotReadable("no common equation of the pieces was found")


def _reduced(equation: Sequence[sp.Expr], top: int, g: Fraction) -> list[list[sp.Expr]]:
    """t^j as a combination of 1, t, ..., t^(k-1), for j = 0, ..., top, modulo an equation of order k."""
    k, lead = len(equation) - 1, equation[-1]
    power = [sp.S.One] + [sp.S.Zero] * (k - 1)
    result = [power]
    for _ in range(top):
        last = power[-1]
        power = [
            sp.cancel(number(g) * sp.diff(power[i], z) + (power[i - 1] if i else 0) - last * equation[i] / lead)
            for i in range(k)
        ]
        result.append(power)
    return result


def _cleared(coefficients: list[sp.Expr]) -> list[sp.Expr]:
    """The same combination without denominators and without a common factor."""
    cleared = [sp.cancel(c) for c in coefficients]
    scale = sp.S.One
    for c in cleared:
        scale = sp.lcm(scale, sp.fraction(c)[1])
    cleared = [sp.expand(sp.cancel(c * scale)) for c in cleared]
    common = sp.S.Zero
    for c in cleared:
        common = sp.gcd(common, c)
    return [sp.expand(sp.cancel(c / common)) for c in cleared]


def _checked(coefficients: list[sp.Expr], rows: list[list[sp.Expr]]) -> list[sp.Expr]:
    """The combination, if each row is certified to vanish under it."""
    for row in rows:
        total = sp.Add(*(c * v for c, v in zip(coefficients, row, strict=True)))
        if not equal(total, sp.S.Zero):
            raise NotReadable("the common equation of the pieces could not be certified")
    return coefficients


def zeros(leading: sp.Expr) -> tuple[sp.Expr, ...]:
    """The real zeros of a polynomial in z, or in one exponential of z, if all of them are rational there."""
    if not leading.has(z):
        return ()
    if leading.is_polynomial(z):
        return tuple(_rational_roots(leading, z))
    x = sp.Symbol("x", positive=True)
    exponents = {e.args[0].coeff(z) for e in leading.atoms(sp.exp) if e.has(z)}
    if not exponents:
        raise NotReadable(f"the zeros of {leading} are not known")
    unit = min(exponents, key=abs)
    moved = leading.subs({sp.exp(c * z): x ** (c / unit) for c in exponents})
    numerator = sp.fraction(sp.together(moved))[0]
    if numerator.has(z) or not numerator.is_polynomial(x):
        raise NotReadable(f"the zeros of {leading} are not known")
    return tuple(sp.log(root) / unit for root in _rational_roots(numerator, x) if root > 0)


def _rational_roots(polynomial: sp.Expr, x: sp.Symbol) -> list[sp.Rational]:
    poly = sp.Poly(polynomial, x)
    if not all(c.is_Rational for c in poly.all_coeffs()):
        raise NotReadable(f"{polynomial} has irrational coefficients")
    roots = sorted(set(poly.real_roots()))
    if not all(root.is_Rational for root in roots):
        raise NotReadable(f"{polynomial} vanishes at an irrational point")
    return roots
