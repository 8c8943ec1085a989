"""Formulas go from SymPy to the kernel's terms and back without a change of meaning, or are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest
import sympy as sp
from glbcheck.core.kernel import language
from glbcheck.core.kernel.terms import Rejected, Term, show, variable
from glbcheck.core.translation import NotEnclosed, equal, expr_of, plainly, term_in, term_of, verbatim

x, y = sp.symbols("x y", real=True)
WRITTEN: list[tuple[sp.Expr, str]] = [
    (sp.coth(x), "tanh(x)**-1"), (sp.sech(x), "cosh(x)**-1"), (sp.csch(x), "sinh(x)**-1"), (sp.sec(x), "cos(x)**-1"),
    (sp.csc(x), "sin(x)**-1"), (sp.cot(x), "cos(x)*sin(x)**-1"), (sp.erfc(x), "1 - erf(x)"),
    (sp.exp(x), "exp(x)"), (sp.E, "exp(1)"), (sp.pi, "pi"), (sp.EulerGamma, "-polygamma(0, 1)"),
    (sp.Pow(sp.E, x, evaluate=False), "exp(x)"), (x**y, "x**y"), (2**x, "2**x"), (x**sp.E, "x**exp(1)"),
    (sp.Rational(-3, 7), "-3/7"), (sp.sqrt(x), "x**(1/2)"), (sp.Abs(x), "abs(x)"), (sp.Max(x, y), "max(x, y)"),
    (sp.besseli(2, x), "besseli(2, x)"),
]  # fmt: skip


def read(text: str) -> Term:
    return language.parse(text, {name: variable(name) for name in "xy"})


@pytest.mark.parametrize(("expr", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_a_formula_is_written_with_the_functions_that_the_kernel_knows(expr: sp.Expr, text: str) -> None:
    found = term_of(expr)
    assert found is read(text) or equal_in_value(found, read(text))
    back = expr_of(found, {"x": x, "y": y})
    at = {x: sp.Rational(3, 7), y: sp.Rational(5, 4)}
    assert abs(sp.N(back.subs(at), 30) - sp.N(expr.subs(at), 30)) < sp.Float("1e-25")


def equal_in_value(one: Term, other: Term) -> bool:
    """Of numbers: the same fraction, however it is written."""
    return one.value is not None and one.value == other.value


def test_a_product_is_one_so_that_a_quotient_stands_together() -> None:
    product = term_of(x * sp.cot(x))
    assert product.op == "*"
    assert len(product.args) == 3
    assert {part.op for part in product.args} == {"variable", "cos", "**"}


@pytest.mark.parametrize(("expr", "says"), [
    (x + sp.Float("0.5"), r"0\.5\d* is a float; write it as a fraction"),
    (sp.zeta(x), r"zeta in zeta\(x\) has no exact counterpart in the formula language"),
    (sp.oo, "has no exact counterpart"), (sp.I * x, "has no exact counterpart"),
    (reduce(lambda inner, _: sp.atan(inner), range(160), x), r"nested more than 150 levels deep: atan\(atan\("),
])  # fmt: skip
def test_what_the_kernel_cannot_say_is_refused_by_name(expr: sp.Expr, says: str) -> None:
    with pytest.raises(NotEnclosed, match=says):
        term_of(expr)
    assert equal(expr, expr) is False


def test_only_declared_variables_of_different_names_may_occur() -> None:
    assert term_in(x + 1, [x, y]) is term_of(x + 1)
    with pytest.raises(NotEnclosed, match=r"y is not among the variables \(x,\)"):
        term_in(x * y, [x])
    with pytest.raises(NotEnclosed, match=r"two of the variables \(x, x\) have one name"):
        term_in(x + 1, [x, sp.Symbol("x", positive=True)])


def test_two_forms_of_one_formula_are_seen_to_be_equal() -> None:
    assert equal((x + y) ** 2, x**2 + 2 * x * y + y**2) is True
    assert equal((x + y) ** 2, x**2 + y**2) is False


def test_terms_are_joined_as_one_wishes_and_shared_parts_once() -> None:
    names = {"x": x, "y": y + 1}
    assert expr_of(read("x + 2*y - pi/3"), names) == x + 2 * (y + 1) - sp.pi / 3
    assert expr_of(read("exp(1)"), names) is sp.E
    assert expr_of(read("x/x"), names) == 1
    kept = expr_of(read("x/x"), names, verbatim)
    assert kept.args == (x, sp.Pow(x, -1, evaluate=False))
    asked: list[str] = []

    def join(term: Term, make: Callable[..., Any], args: list[Any]) -> Any:
        asked.append(show(term))
        return plainly(term, make, args)

    assert expr_of(read("sin(x)*sin(x) + cos(sin(x))"), names, join) == sp.sin(x) ** 2 + sp.cos(sp.sin(x))
    assert asked.count("sin(x)") == 1


def test_a_sum_over_a_bound_name_has_no_expression() -> None:
    with pytest.raises(Rejected, match="sum is read by the kernel alone"):
        expr_of(read("1 + sum(k, k, 1, x)"), {"x": x})
