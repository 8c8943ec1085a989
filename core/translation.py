"""Between SymPy, where formulas are found, and the kernel's terms, where they are evaluated and checked.

`term_of` writes an expression with the functions that the kernel knows (coth is one over tanh); `expr_of`
builds the expression that a term denotes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import FUNCTIONS, ONE, Rejected, Term, joined, number, term, variable

Join = Callable[[Term, Callable[..., Any], list[Any]], Any]
"""How to make an expression from a term, the SymPy class of its operation, and its arguments."""


class NotEnclosed(TypeError):
    """The expression holds something that the arithmetic asked for cannot evaluate."""


SPELLED = {"abs": sp.Abs, "min": sp.Min, "max": sp.Max}
CLASSES: Mapping[str, Any] = {
    "+": sp.Add,
    "*": sp.Mul,
    "**": sp.Pow,
    **{name: SPELLED.get(name) or getattr(sp, name) for name in FUNCTIONS if name != "sqrt"},
}
_NAMES: Mapping[Any, str] = {made: op for op, made in CLASSES.items()}
_INVERSES = {sp.coth: "tanh", sp.sech: "cosh", sp.csch: "sinh", sp.sec: "cos", sp.csc: "sin"}
PI, EULER = term("pi"), term("exp", ONE)
_CONSTANTS = {sp.pi: PI, sp.E: EULER, sp.EulerGamma: -term("polygamma", number(0), ONE)}


@lru_cache(50_000)
def term_of(expr: Any) -> Term:
    """The term of an exact expression; symbols become variables of the same name."""
    if expr.is_Rational:
        return number(Fraction(int(expr.p), int(expr.q)))
    if expr.is_Symbol:
        return variable(expr.name)
    if expr in _CONSTANTS:
        return _CONSTANTS[expr]
    if expr.is_Float:
        raise NotEnclosed(f"{expr} is a float; write it as a fraction")
    args = [term_of(a) for a in expr.args]
    try:
        if expr.func in _INVERSES:
            return term(_INVERSES[expr.func], *args) ** -1
        if isinstance(expr, sp.erfc):
            return ONE - term("erf", *args)
        if isinstance(expr, sp.cot):
            return term("cos", *args) * term("sin", *args) ** -1
        if expr.is_Pow and args[0] is EULER:
            return term("exp", args[1])
        if expr.is_Mul:  # as one product, so that numerator and denominator of z*cot(z) stand beside each other
            return joined("*", args)
        if expr.func in _NAMES and args:
            return term(_NAMES[expr.func], *args)
    except Rejected as error:
        raise NotEnclosed(f"{error}: {str(expr)[:60]}") from None
    raise NotEnclosed(f"{expr.func.__name__} in {expr} has no exact counterpart in the formula language")


def term_in(expr: Any, variables: Sequence[Any]) -> Term:
    """The same for an expression of these symbols alone."""
    if stray := expr.free_symbols - set(variables):
        raise NotEnclosed(f"{stray.pop()} is not among the variables {tuple(variables)}")
    if len({v.name for v in variables}) < len(variables):
        raise NotEnclosed(f"two of the variables {tuple(variables)} have one name")
    return term_of(expr)


def plainly(t: Term, make: Callable[..., Any], args: list[Any]) -> Any:
    return make(*args)


def verbatim(t: Term, make: Callable[..., Any], args: list[Any]) -> Any:
    return make(*args, evaluate=False)


def expr_of(t: Term, names: Mapping[str, Any], join: Join = plainly) -> Any:
    """The expression that a term denotes, its variables replaced by what their names stand for."""
    known: dict[Term, Any] = {PI: sp.pi, EULER: sp.E}

    def walk(here: Term) -> Any:
        if here not in known:
            if here.value is not None:
                known[here] = sp.Rational(here.value.numerator, here.value.denominator)
            elif here.op == "variable":
                known[here] = names[here.args[0]]
            elif here.op in CLASSES:
                known[here] = join(here, CLASSES[here.op], [walk(a) for a in here.args])
            else:
                raise Rejected(f"{here.op} is read by the kernel alone")
        return known[here]

    return walk(t)


def equal(left: Any, right: Any) -> bool:
    """Do two expressions have one normal form?  False means only: not seen by the kernel's arithmetic."""
    try:
        return same(term_of(left), term_of(right))
    except NotEnclosed:
        return False
