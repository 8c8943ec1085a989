"""Between SymPy, in which provers look for things, and the kernel's formulas, in which they state them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import sympy as sp
from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.language import parse
from glbcheck.core.kernel.terms import Term, variable
from glbcheck.verify.search.side_conditions import conditions
from sympy.printing.str import StrPrinter

T = sp.Symbol("t", real=True)


def smooth(name: str, order: int = 0) -> Any:
    """The derivative of this order of an arbitrary smooth function: a symbol m, m_1, m_2, ... of its own.

    >>> z, h = sp.symbols("z h")
    >>> sp.diff(smooth("m")(z + h**2), h)
    2*h*m_1(h**2 + z)
    """
    return _derivative(name, order)


@cache  # one class for each derivative, so that two mentions of it are the same function
def _derivative(name: str, order: int) -> Any:
    title = f"{name}_{order}" if order else name

    def fdiff(self: Any, argindex: int = 1) -> Any:
        return _derivative(name, order + 1)(self.args[0])

    body = {"fdiff": fdiff, "nargs": 1, "family": name, "order": order, "is_real": True}
    return type(title, (sp.Function,), body)


def generic_values(e: sp.Expr) -> set[sp.Expr]:
    """The values m(u), m_1(u), ... of smooth functions that occur in the expression."""
    return {f for f in e.atoms(sp.Function) if hasattr(f.func, "family")}


class _Writer(StrPrinter):  # type: ignore[misc]
    """SymPy's own text, and `diff` for a derivative that is left to the kernel."""

    def _print_Derivative(self, e: sp.Derivative) -> str:
        made = self._print(e.expr)
        for name, times in e.variable_count:
            for _ in range(int(times)):
                made = f"diff({made}, {self._print(name)})"
        return str(made)


def text(e: sp.Expr) -> str:
    """The formula of an expression; an `sp.Derivative` in it is for the kernel to work out.

    >>> z = sp.Symbol("z")
    >>> text(sp.Derivative(smooth("m")(2 * z), z, 2))
    'diff(diff(m(2*z), z), z)'
    """
    return str(_Writer().doprint(e))


@lru_cache(20_000)
def term_of(e: sp.Expr) -> Term:
    """The kernel's formula for an expression; `Rejected` if the language has no word for something in it."""
    names = {s.name: variable(s.name) for s in e.free_symbols}
    return parse(text(e), names, frozenset(f.func.family for f in generic_values(e)))


def declarations(*expressions: sp.Expr, bound: Iterable[str] = ()) -> dict[str, str]:
    """The variables and functions of the expressions, as the kernel declares them."""
    symbols = sorted({s for e in expressions for s in e.free_symbols}, key=lambda s: str(s.name))
    kinds = {s.name: "integer" if s.is_integer else "real" for s in symbols if s.name not in set(bound)}
    functions = sorted({f.func.family for e in expressions for f in generic_values(e)})
    return kinds | dict.fromkeys(functions, "function")


def assumptions(*expressions: sp.Expr, bound: Iterable[str] = ()) -> list[str]:
    """What SymPy's symbols are assumed to be, as hypotheses."""
    symbols = sorted({s for e in expressions for s in e.free_symbols}, key=lambda s: str(s.name))
    stated = []
    for s in symbols:
        if s.name not in set(bound):
            stated += [f"{s.name} > 0"] if s.is_positive else [f"{s.name} >= 0"] if s.is_nonnegative else []
    return stated


def stated(
    conclusion: str, variables: Mapping[str, str], hypotheses: Iterable[str], smooth: bool = False
) -> dict[str, Any]:
    """The statement with, as further hypotheses, what its conclusion needs to be defined."""
    data: dict[str, Any] = {"variables": dict(variables), "hypotheses": list(hypotheses), "conclusion": conclusion}
    context, goal = read_statement(data)
    data["hypotheses"] += conditions(context, goal.gap, smooth=smooth)
    return data
