"""Formulas become mathematics that says the same: read back, they denote what was written."""

from __future__ import annotations

import ast
import doctest
import re
from fractions import Fraction
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from glbcheck.core.expression import FUNCTIONS
from glbcheck.verify import papers, wording
from glbcheck.verify.report import latex, mathml
from glbcheck.verify.report.html import formulas, markup
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.helpers.report_bundle import real

PRIME = 2**61 - 1
NAMES = ("x", "lam", "g_min", "gamma_1", "slope_at_star", "T0")


def group(text: str, at: int) -> tuple[str, int]:
    """The contents of the braces that open at `at`, and where they end."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if not depth:
            return text[at + 1 : end], end + 1
    raise AssertionError(f"unbalanced: {text}")


def read_back(text: str) -> str:
    """The LaTeX of `latex.of` as text of the formula language again, by rewriting alone."""
    for number, name in enumerate(sorted(NAMES, key=len, reverse=True)):
        text = re.sub(r"(?<![a-z\\])" + re.escape(latex.name(name)) + "(?![a-z])", f" @{number}@ ", text)
    text = re.sub(r"\\(left|right)|[{]([()])[}]", r"\2", text)
    while found := re.search(r"\\frac\{|\\sqrt\{|\^\{|(?<![\w}])e\^\{", text):
        inside, end = group(text, found.end() - 1)
        if found[0].startswith("\\frac"):
            below, end = group(text, end)
            made = f"(({inside})/({below}))"
        else:
            made = {"\\": f"sqrt({inside})", "^": f"**({inside})", "e": f"exp({inside})"}[found[0][0]]
        text = text[: found.start()] + made + text[end:]
    text = re.sub(r"\\lvert (.*?) \\rvert", r"abs(\1)", text)
    text = re.sub(r"\\(log|sin|tanh|min|max) *\(", r"\1(", text)
    text = text.replace(r"\cdot", "*").replace(r"\,", "*")
    assert "\\" not in text, text
    for number, name in enumerate(sorted(NAMES, key=len, reverse=True)):
        text = text.replace(f"@{number}@", name)
    return text


def fingerprint(text: str) -> int:
    """The value of a formula modulo a prime, functions being arbitrary: equal only for equal structure."""

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(number)):
                return number % PRIME
            case ast.Name(id=name):
                return opaque(name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner) % PRIME
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return opaque(f"{name} of {[value(argument) for argument in arguments]}")
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
                return pow(value(left), power, PRIME)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = value(left), value(right)
                if isinstance(op, ast.Div):
                    assume(b)
                    b = pow(b, -1, PRIME)
                sums = {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b, ast.Div: a * b}
                return sums[type(op)] % PRIME
        raise AssertionError(ast.dump(node))

    return value(ast.parse(text.strip(), mode="eval").body)


def opaque(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()) % PRIME


def joined(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(children, children)
    operators = st.sampled_from(("({})+({})", "({})-({})", "({})*({})", "({})/({})"))
    return st.one_of(
        st.builds(lambda form, two: form.format(*two), operators, pair),
        st.builds("(-({}))".format, children),
        st.builds(lambda base, n: f"({base})**{n}", children, st.integers(2, 4)),
        st.builds(lambda name, inside: f"{name}({inside})", st.sampled_from(("exp", "log", "sqrt", "tanh")), children),
        st.builds(lambda two: "max({}, {})".format(*two), pair),
    )


atoms = st.sampled_from(NAMES) | st.integers(0, 10**9).map(str)
expressions = st.recursive(atoms, joined, max_leaves=8)


@settings(max_examples=150, deadline=None)
@given(expressions)
@example("(x**2)**3 - (lam - (g_min - x))/(x/lam)/2")
@example("-x**2 + (-x)**2 - 3*(-x)")
def test_the_layout_keeps_the_structure(text: str) -> None:
    """Parentheses are dropped only where nothing changes, and numbers keep their digits."""
    back = read_back(latex.of(text))
    assert fingerprint(back) == fingerprint(text), back


@given(expressions)
def test_what_is_laid_out_can_be_set(text: str) -> None:
    assert ElementTree.fromstring(mathml.from_formula(text)).tag.endswith("math")


@given(st.fractions())
@example(Fraction(3 * 10**12))
@example(Fraction(-7, 10**40))
def test_an_exact_number_keeps_its_value(value: Fraction) -> None:
    assert number_of(latex.number(str(value))) == value


@given(st.integers(-(10**8), 10**8), st.integers(-30, 30))
def test_a_decimal_keeps_its_value(digits: int, exponent: int) -> None:
    assert number_of(latex.number(f"{digits}e{exponent}")) == Fraction(f"{digits}e{exponent}")


def number_of(text: str) -> Fraction:
    """The value of what `number` writes, by its own small reading."""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    if found := re.fullmatch(r"\\frac\{(.*)\}\{(.*)\}", text):
        return sign * number_of(found[1]) / number_of(found[2])
    digits, _, power = text.replace(" ", "").rpartition(r"\cdot")
    if not digits and not power.startswith("10^{"):
        return sign * Fraction(power)
    return sign * Fraction(digits or 1) * Fraction(10) ** int(power.removeprefix("10^{").removesuffix("}"))


@pytest.mark.parametrize("text", ["1.2.3", "x", "1/0x", "", "inf", "1e", "--1"])
def test_what_is_no_exact_number_is_refused(text: str) -> None:
    with pytest.raises(mathml.MathError):
        latex.number(text)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_of_the_language_can_be_set(function: str) -> None:
    arguments = ", ".join(["x"] * FUNCTIONS[function][0])
    assert mathml.from_formula(f"{function}({arguments}) <= 1").startswith("<math>")


@pytest.mark.parametrize(
    ("text", "laid_out"),
    [
        ("diff(x**2, x) == 2*x", r"\frac{d}{d x} \, \left( x^{2} \right) = 2 \, x"),
        ("diff(diff(log(x), x), x)", r"\frac{d^{2}}{d x^{2}} \, \left( \log \left( x \right) \right)"),
        ("diff(diff(x*y, x), y)", r"\frac{d}{d y} \, \left( \frac{d}{d x} \, \left( x \, y \right) \right)"),
        ("2*sum(k, k, 1, n)", r"2 \, \left( \sum_{k = 1}^{n} k \right)"),
        ("integral(1 + t, t, 0, x)", r"\int_{0}^{x} \left( 1 + t \right) \, d t"),
    ],
)
def test_derivatives_sums_and_integrals_are_laid_out(text: str, laid_out: str) -> None:
    assert latex.of(text) == laid_out
    assert mathml.from_formula(text).startswith("<math>")


def test_a_statement_shows_a_derivative_as_it_was_written() -> None:
    assert wording.latex("x > 0 => diff(log(x), x) == 1/x").endswith(
        r"\frac{d}{d x} \, \left( \log \left( x \right) \right) = \frac{1}{x}"
    )


@pytest.mark.parametrize("text", ["f(x)", "x if x else 1", "x and y", "[1]", "lambda: 1", "x[0]", "1 <", "x < y < z"])
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(mathml.MathError):
        latex.of(text)


@pytest.mark.parametrize("source", [r"\foo", r"\frac{1}", r"a \le \unknown{b}", r"{", r"\sqrt{"])
def test_latex_that_is_not_understood_is_refused_and_quoted(source: str) -> None:
    with pytest.raises(mathml.MathError, match=re.escape(repr(source))):
        mathml.from_latex(source)


def test_mathematics_holds_no_foreign_markup() -> None:
    for text in ("<script>", "a<b>c"):
        made = ElementTree.fromstring(mathml.from_latex(text))
        assert {element.tag for element in made.iter()} <= {"math", "mrow", "mi", "mo"}


@pytest.mark.parametrize(
    "inside", ["<b>x</b>", "a < b", "a & b", "<mi onclick='x'>y</mi>", "</mtext><script>x</script><mtext>"]
)
def test_words_in_a_formula_bring_no_markup(inside: str) -> None:
    with pytest.raises(mathml.MathError):
        mathml.from_latex(rf"\text{{{inside}}}")


CLAIMS = {claim.id: claim.math for claim in papers.find("hcw_glb_omd").claims() if claim.math}


@pytest.mark.parametrize("name", CLAIMS)
def test_the_formula_of_a_claim_can_be_set(name: str) -> None:
    made = mathml.from_latex(CLAIMS[name])
    ElementTree.fromstring(made)
    assert "http" not in made


@pytest.mark.parametrize("name", CLAIMS)
def test_pieces_of_a_formula_are_the_formula(name: str) -> None:
    def bare(text: str) -> str:
        return re.sub(r"\\;|\\quad|\{\}|\s", "", text)

    assert bare("".join(formulas.pieces(CLAIMS[name]))) == bare(CLAIMS[name])


def test_every_formula_of_every_counterexample_can_be_set() -> None:
    found = [c["counterexample"] for c in real().results["claims"] if c["counterexample"]]
    assert len(found) > 60
    for one in found:
        statement = one["statement"]
        for text in (*statement["hypotheses"], statement["conclusion"], *statement["definitions"].values()):
            assert ElementTree.fromstring(mathml.from_formula(text)).tag.endswith("math")
        for text in (*one["point"].values(), *one["residuals"].values(), one["margin"]):
            ElementTree.fromstring(mathml.from_latex(latex.number(text)))


@pytest.mark.parametrize("module", [latex, mathml, formulas, markup])
def test_the_examples_in_the_docstrings_are_true(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
