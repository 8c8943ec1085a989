"""A SymPy expression in one variable as a function of complex balls, and integrals enclosed with certainty.

Rigorous quadrature evaluates the integrand on complex balls around the real line and must be told when it
is not holomorphic there.  Every function with a branch cut or a kink gets that question, so that nobody who
writes an integrand can forget it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq
from glbcheck.core.enclosure.balls import Ball, Exact, ball
from glbcheck.core.enclosure.programs import program_of
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.evaluate import Arithmetic, Unary

ComplexFunction = Callable[[acb, bool], acb]
"""(ball, must be holomorphic) -> ball; the answer is not finite where the demand cannot be met."""

# Entire and meromorphic: at a pole the ball is not finite by itself.
SINGLE_VALUED: dict[str, Unary] = {
    name: getattr(acb, name) for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "gamma", "erf")
}


def _arithmetic(analytic: bool) -> Arithmetic:
    def power(exponent: Fraction) -> Unary:
        whole, root = exponent.numerator, exponent.denominator
        if root == 1:
            return lambda x: x**whole
        if exponent == Fraction(1, 2):
            return lambda x: x.sqrt(analytic=analytic)
        return lambda x: x.pow(acb(fmpq(whole, root)), analytic=analytic)

    branched: dict[str, Callable[..., Any]] = {
        "log": lambda x: x.log(analytic=analytic),
        "abs": lambda x: x.real_abs(analytic=analytic),
        "max": lambda x, y: x.real_max(y, analytic=analytic),
        "min": lambda x, y: x.real_min(y, analytic=analytic),
        # The cut is the negative axis, and flint has no flag for it.
        "loggamma": lambda x: x.lgamma() if x.real > 0 or not analytic else acb(arb.nan()),
        "besseli": lambda order: lambda x: x.bessel_i(order),
        "pi": lambda: acb(arb.pi()),
    }
    return Arithmetic(lambda value: acb(ball(value)), power, {**SINGLE_VALUED, **branched})


COMPLEX, HOLOMORPHIC = _arithmetic(False), _arithmetic(True)


def complex_function(expr: sp.Expr, x: sp.Symbol) -> ComplexFunction:
    """Compile `expr`; NotEnclosed for floats, other variables and functions without a rigorous version."""
    plain, strict = (program_of((expr,), (x,), how) for how in (COMPLEX, HOLOMORPHIC))
    return lambda z, analytic: (strict if analytic else plain)(z)[0]


def integral(expr: sp.Expr, x: sp.Symbol, low: Exact, high: Exact) -> Ball | None:
    """A ball around the integral of a real expression from low to high, or None if there is no finite one."""
    f = complex_function(expr, x)
    complex_values: list[acb] = []

    def watched(z: acb, analytic: bool) -> acb:
        value = f(z, analytic)
        if z.imag.is_zero() and value.is_finite() and not value.imag.contains(0):
            complex_values.append(value)
        return value

    if low > high:
        raise BadInput("low", str(low), f"at most the upper end {high}")
    found = acb.integral(watched, acb(ball(low)), acb(ball(high)))
    if complex_values:
        raise BadInput("expr", str(expr), "an integrand that is real between the ends")
    return found.real if found.is_finite() else None
