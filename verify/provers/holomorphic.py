"""A SymPy expression in one real variable as a function of complex balls, fit for integration.

Rigorous quadrature evaluates the integrand on complex balls around the real line and must be told
when it is not holomorphic there.  The compiler forwards that question to every function with a
branch cut or a kink, so that nobody who writes an integrand can forget it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import acb, arb, fmpq
from glbcheck.core.errors import BadInput
from glbcheck.core.laplace.holomorphic import SINGLE_VALUED

Holomorphic = Callable[[acb, bool], acb]
"""(ball, must be holomorphic) -> ball; the answer is not finite where the demand cannot be met."""


def holomorphic(expr: sp.Expr, x: sp.Symbol) -> Holomorphic:
    """Compile `expr`, refusing floats, other variables and functions without a rigorous version."""
    if floats := expr.atoms(sp.Float):
        raise BadInput("expr", str(expr), f"exact numbers, not the float {floats.pop()}")
    if strangers := expr.free_symbols - {x}:
        raise BadInput("expr", str(expr), f"no variable but {x}, found {', '.join(map(str, strangers))}")
    return _compile(expr, x)


def _compile(expr: sp.Expr, x: sp.Symbol) -> Holomorphic:
    if expr == x:
        return lambda z, analytic: z
    if expr.is_Rational:
        number = fmpq(int(expr.p), int(expr.q))
        return lambda z, analytic: acb(number)
    if expr in _CONSTANTS:
        build = _CONSTANTS[expr]
        return lambda z, analytic: acb(build())
    if isinstance(expr, sp.Pow):
        return _power(expr.base, expr.exp, x)
    arguments = [_compile(argument, x) for argument in expr.args]
    if expr.func in _FOLDS:
        fold = _FOLDS[expr.func]
        return lambda z, analytic: reduce(
            lambda u, v: fold(u, v, analytic), (argument(z, analytic) for argument in arguments)
        )
    if expr.func in _FUNCTIONS and len(arguments) == 1:
        function, inner = _FUNCTIONS[expr.func], arguments[0]
        return lambda z, analytic: function(inner(z, analytic), analytic)
    raise BadInput("expr", str(expr), f"built from + - * / ** and {_known()}")


def _power(base: sp.Expr, exponent: sp.Expr, x: sp.Symbol) -> Holomorphic:
    below = _compile(base, x)
    if exponent.is_Integer:
        whole = int(exponent)
        return lambda z, analytic: below(z, analytic) ** whole
    if exponent == sp.Rational(1, 2):
        return lambda z, analytic: below(z, analytic).sqrt(analytic=analytic)
    if exponent.is_Rational:
        number = fmpq(int(exponent.p), int(exponent.q))
        return lambda z, analytic: below(z, analytic).pow(acb(number), analytic=analytic)
    above = _compile(exponent, x)
    return lambda z, analytic: (above(z, analytic) * below(z, analytic).log(analytic=analytic)).exp()


def _loggamma(z: acb, analytic: bool) -> acb:
    """log Γ has its cut on the negative axis, and flint has no flag for it: ask for a positive real part."""
    return z.lgamma() if z.real > 0 or not analytic else acb(arb.nan())


_CONSTANTS: dict[sp.Expr, Callable[[], arb]] = {sp.pi: arb.pi, sp.E: arb.const_e}
_FOLDS: dict[Any, Callable[[acb, acb, bool], acb]] = {
    sp.Add: lambda u, v, analytic: u + v,
    sp.Mul: lambda u, v, analytic: u * v,
    sp.Max: lambda u, v, analytic: u.real_max(v, analytic=analytic),
    sp.Min: lambda u, v, analytic: u.real_min(v, analytic=analytic),
}


def _unflagged(function: Callable[[acb], acb]) -> Callable[[acb, bool], acb]:
    """Entire and meromorphic functions need no flag: at a pole the ball is not finite by itself."""
    return lambda z, analytic: function(z)


_FUNCTIONS: dict[Any, Callable[[acb, bool], acb]] = {
    **{name: _unflagged(function) for name, function in SINGLE_VALUED.items()},
    sp.log: lambda z, analytic: z.log(analytic=analytic),
    sp.Abs: lambda z, analytic: z.real_abs(analytic=analytic),
    sp.loggamma: _loggamma,
}


def _known() -> str:
    return ", ".join(sorted(f.__name__ for f in [*_FOLDS, *_FUNCTIONS] if f not in (sp.Add, sp.Mul)))
