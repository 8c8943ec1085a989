"""The formula language accepts mathematics, exactly, and nothing else."""

from __future__ import annotations

import time
from fractions import Fraction

import mpmath
import pytest
import sympy
from glbcheck.core.expression import FUNCTIONS, MAX_LENGTH, ExpressionError, parse, parse_relation, to_text
from hypothesis import given, settings
from hypothesis import strategies as st

X = sympy.Symbol("x", real=True)
Y = sympy.Symbol("y", real=True)


@given(st.integers(0, 10**12), st.integers(0, 12))
def test_a_decimal_is_read_as_the_rational_it_denotes(digits: int, places: int) -> None:
    text = f"{digits / 1:.0f}" if places == 0 else f"{digits // 10**places}.{digits % 10**places:0{places}d}"
    value = parse(text, [])
    assert value == sympy.Rational(digits, 10**places)
    assert not value.atoms(sympy.Float)


@pytest.mark.parametrize(("text", "expected"), [
    ("log(1 + exp(x))", sympy.log(1 + sympy.exp(X))), ("-x**2", -(X**2)), ("2**-x", 2 ** (-X)), ("x/y/2", X / Y / 2),
    ("x - y - 1", X - Y - 1), ("+x", X), ("sqrt(x)", sympy.sqrt(X)), ("abs(x) + Abs(y)", sympy.Abs(X) + sympy.Abs(Y)),
    ("max(x, y, 0) - Min(x, 1)", sympy.Max(X, Y, 0) - sympy.Min(X, 1)), ("besseli(2, x)", sympy.besseli(2, X)),
    ("pi*E", sympy.pi * sympy.E), ("  x\n + y ", X + Y), ("1e-9 + 2.5E3", sympy.Rational(1, 10**9) + 2500),
    ("+".join(["x"] * 500), 500 * X),
])  # fmt: skip
def test_a_formula_means_what_mathematics_says(text: str, expected: sympy.Expr) -> None:
    assert parse(text, ["x", "y"]) == expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_agrees_with_mpmath(name: str) -> None:
    point = Fraction(5, 4) if name == "acosh" else Fraction(3, 7)
    order = [1] if FUNCTIONS[name] == (2, 2) else []
    value = parse(f"{name}({'1, ' if order else ''}x)", ["x"]).subs(X, sympy.Rational(point))
    oracle = {"abs": "fabs", "min": "mpf", "max": "mpf"}.get(name, name)
    expected = getattr(mpmath, oracle)(*order, mpmath.mpf(point.numerator) / point.denominator)
    assert abs(sympy.N(value, 20) - sympy.Float(expected)) < 1e-12


@pytest.mark.parametrize("operator", ["<=", "<", ">=", ">", "==", "!="])
def test_a_relation_keeps_its_sides_and_is_never_folded(operator: str) -> None:
    relation = parse_relation(f"1 {operator} 2", [])
    assert (relation.lhs, relation.rhs, relation.rel_op) == (1, 2, operator)


FOREIGN = """
x.real|x.__class__|().__class__.__bases__|__import__('os')|lambda: 1|(lambda x: x)(1)|exp(x)(1)|exp(x=1)
exp(x, x=1)|exp(*x)|'x'|"x" * 9|f'{x}'|1j|True|None|0x10|0b1|1_000|[x]|{x}|x[0]|x if x else 1|x and 1|not x
~x|x // 2|x % 2|x @ x|x ^ 2|x << 2|x := 1|x; x|x y|x,|(x, x)|x < 1|1 < x < 2|((x|x))|x +|* x|unknown|eval(x)
exp|exp()|exp(x, x)|besseli(x)|besseli(x, x)|max()|x\x00|x # comment|x\\|1e99999|1e9999|1/0|0**-1|1/(x - x)
log(0)|log(-1)|sqrt(-1)|asin(2)|9**9**9|(9**999)**999|x**9**9|2**(1/1000003)|exp(10**9*log(2))
E**(10**9*log(2))|2**(10**9*log(3)/log(2))|gamma(10**9)|loggamma(10**9)|gamma(sqrt(10**18))
polygamma(10**6, 1)|polygamma(x, x)|exp(exp(exp(100)))|cosh(exp(exp(10)*10))|sum(x, k, 1, 3)
integral(t, t, 0, x)
"""
HOSTILE = [
    *("", "   ", "1" * 5000, "(" * 4000 + "x" + ")" * 4000, "x**" * 2000 + "x", "9**999*" * 1400 + "1"),
    *(piece for line in FOREIGN.split("\n") for piece in line.split("|") if piece), "exp(" * 151 + "x" + ")" * 151,
    "*".join(f"{10**300 + i}**0.5" for i in range(30)), "max(" + ",".join(f"sin({i}*x)" for i in range(300)) + ")",
    "max(" + "max(sin(x),cos(x),exp(x),x),min(x,1,2*x)," * 9 + "x)", "x" * (MAX_LENGTH + 1), "x+" * 500_000 + "x",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:30]))
def test_anything_else_is_refused_quickly(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ExpressionError):
        parse(text, ["x"])
    assert time.process_time() - started < 5


@given(st.text(alphabet="x019.+-*/()<=, exploginaqtE", max_size=60))
@settings(max_examples=300, deadline=5000)
def test_random_text_is_either_a_formula_or_refused(text: str) -> None:
    try:
        value = parse(text, ["x"])
    except ExpressionError:
        return
    assert value.free_symbols <= {X}


@pytest.mark.parametrize(("text", "says"), [
    ("  x + y", r"'y' at column 7 is not a name; declared are pi, E, x"),
    ("x^2", r"Syntax error in 'x\^2': end of the formula expected at '\^2' \(column 2\)\. Write powers as \*\*\."),
    ("(x + 1", r"Syntax error in '\(x \+ 1': '\)' expected at the end \(column 7\)\."),
    ("x >", r"Syntax error in 'x >': end of the formula expected at '>' \(column 3\)\."),
    ("2 *", r"Syntax error in '2 \*': formula expected at the end \(column 4\)\."),
    ("1 + sine(x)", r"'sine' at column 5 is not a function; known are exp, "),
    ("x + 9**9**9", r"9\*\*.* has an exponent beyond 1000"),
])  # fmt: skip
def test_an_error_names_the_piece_and_its_column(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        parse(text, ["x"])


@pytest.mark.parametrize("text", ["x", "x < 1 < 2", "x <= 1 and x >= 0", "x = 1", "x in x", "(x < 1) < 2"])
def test_only_a_single_comparison_is_a_relation(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_relation(text, ["x"])


@pytest.mark.parametrize("names", [["pi"], ["E"], ["a b"], ["__class__"], ["1x"]])
def test_a_declared_name_is_a_plain_identifier(names: list[str]) -> None:
    with pytest.raises(ExpressionError):
        parse("1", names)


def test_a_name_can_stand_for_an_expression_and_one_string_is_no_collection_of_names() -> None:
    assert parse("y**2", {"y": X + 1}) == (X + 1) ** 2
    with pytest.raises(TypeError, match="collection of names"):
        parse("x", "x")


def test_unevaluated_formulas_keep_what_is_undefined() -> None:
    assert parse("x/x", ["x"]) == 1
    assert parse("x/x", ["x"], evaluate=False).free_symbols == {X}


_leaves = st.sampled_from([X, Y, sympy.pi, sympy.E, sympy.Integer(-2), sympy.Rational(3, 7), sympy.Integer(5)])
_trees = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a: sympy.exp(a), st.sampled_from([X, Y, X - Y, X * Y])),
        st.builds(lambda a, f: f(a), inner, st.sampled_from([sympy.sin, sympy.tanh, sympy.Abs, sympy.erf])),
        st.builds(lambda a: (a**2 + 1) ** sympy.Rational(-1, 2), inner),
    ),
    max_leaves=6,
)


@given(_trees)
@settings(max_examples=100, deadline=None)
def test_text_of_an_expression_parses_back_to_it(expr: sympy.Expr) -> None:
    assert parse(to_text(expr), ["x", "y"]) == expr


@pytest.mark.parametrize("text", ["x <= y", "x < 1/3", "x >= 0", "x > y", "x == 1", "x != y"])
def test_text_of_a_relation_parses_back_to_it(text: str) -> None:
    relation = parse_relation(text, ["x", "y"])
    assert parse_relation(to_text(relation), ["x", "y"]) == relation


@pytest.mark.parametrize("expr", [sympy.Integral(X, X), X + sympy.Float("0.1")])
def test_what_cannot_be_written_in_the_language_has_no_text(expr: sympy.Expr) -> None:
    with pytest.raises(ExpressionError):
        to_text(expr)
