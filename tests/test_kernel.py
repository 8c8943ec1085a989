"""The kernel accepts what is proved and nothing else: certificates, honest and forged."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from glbcheck.core.kernel.check import FORMAT, check
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, Program, ball, precision
from glbcheck.core.kernel.language import derivative, parse, parse_relation
from glbcheck.core.kernel.ring import is_zero, same
from glbcheck.core.kernel.terms import Rejected, Term, variable
from hypothesis import given, settings
from hypothesis import strategies as st

KERNEL = Path(__file__).resolve().parent.parent / "core" / "kernel"
EVIDENT, IDENTITY = {"rule": "evident"}, {"rule": "identity"}
Data = dict[str, Any]


def stated(variables: str, hypotheses: list[str], conclusion: str, proof: Data, **at: str) -> Data:
    """A certificate; a variable written `n:integer` is whole, `m:function` a smooth function."""
    kinds = {name: kind or "real" for name, _, kind in (v.partition(":") for v in variables.split())}
    statement = {"variables": kinds, "hypotheses": hypotheses, "conclusion": conclusion}
    functions = {name: "t**2" for name, kind in kinds.items() if kind == "function"}
    example = {"at": {n: at.get(n, "1") for n, kind in kinds.items() if kind != "function"}, "functions": functions}
    return {"format": FORMAT, "statement": statement, "proof": proof, "example": example}


def rises(then: str, proof: Data = EVIDENT, at: Data = IDENTITY, **more: str) -> Data:
    return {"rule": "monotone", "variable": "u", "from": "low", "at": at, "then": then, "proof": proof, **more}


def cells(*leaves: Any, names: str = "x") -> Data:
    return {"rule": "cells", "variables": list(names), "bits": 64, "leaves": list(leaves)}


def tree(*terms: Data, multiples: tuple[Data, ...] = (), atoms: tuple[tuple[str, str], ...] = ()) -> Data:
    made = {"terms": list(terms), "multiples": list(multiples)}
    return {"rule": "algebra", "atoms": [list(a) for a in atoms], "tree": made}


def product(*facts: int, coefficient: str = "1", **more: str) -> Data:
    return {"coefficient": coefficient, "facts": list(facts), **more}


TRIALS = {"failures": 0, "p0": "1/50", "alpha": "1/1000"}
ONE = [[[0, 0]], "natural"]
QUADRATIC = tree(
    product(6, 6), product(1, 6), product(4, 6, coefficient="2"), product(3), product(1, 4),
    multiples=({"fact": 5, "times": "1"},), atoms=(("r", "sqrt(b)"),),
)  # fmt: skip
HYPOTHESES = ["X >= 0", "a >= 0", "b >= 0", "X**2 <= a*X + b"]
EXPONENTIAL = {"rule": "antiderivative", "of": [["integral(exp(-u*v), v, 0, 1)", "-exp(-u*v)/u"]], "proof": IDENTITY}
GAUSS = {"rule": "telescoping", "of": [["sum(k, k, 1, n)", "k*(k - 1)/2"]], "proof": IDENTITY}
_STEP: Data = {"base": EVIDENT, "step": tree(product(2), product(1), product(0), atoms=(("s", "sum(k, k, 1, n)"),))}
BOUNDED: Data = {"rule": "induction", "variable": "n", **_STEP}
HALF = [[[0, 1]], "natural"], [[[1, 1]], "natural"]

ACCEPTED = {
    "a ladder": ("proved", stated("u", ["u >= 0"], "log(1 + u) <= u", rises("1 - 1/(1 + u)"))),
    "a strict ladder": ("proved", stated("u", ["u > 0"], "log(1 + u) < u", rises("1 - 1/(1 + u)"))),
    "multipliers": ("proved", stated("X a b", HYPOTHESES, "X <= a + sqrt(b)", QUADRATIC)),
    "an integral": ("proved", stated("u", ["u > 0"], "integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u", EXPONENTIAL)),
    "a sum": ("proved", stated("n:integer", ["n >= 1"], "sum(k, k, 1, n) == n*(n + 1)/2", GAUSS)),
    "cells": ("certified", stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells(ONE))),
    "two cells": ("certified", stated("x", ["x >= 0", "x <= 1"], "x*(1 - x) <= 7/8", cells(*HALF))),
    "a Taylor cell": (
        "certified",
        stated("x", ["x >= 0", "x <= 1"], "1 + x <= exp(x)", cells([[[0, 0]], ["taylor", 0, 0, 2, "natural"]])),
    ),
    "a point": ("refuted", stated("u", ["u >= 0"], "log(1 + u) <= u/2", {"rule": "point", "at": {"u": "1"}})),
    "an identity": ("proved", stated("x", [], "cosh(x)**2 - sinh(x)**2 == 1", IDENTITY)),
    "a smooth function": ("proved", stated("x m:function", [], "m_1(2*x) == m_1(x + x)", IDENTITY)),
    "a game": (
        "proved",
        {"format": FORMAT, "game": {"sense": "min", "claim": ">= 1/2", "states": [
            [["0", [[1, "1/2"], [2, "1/2"]]], ["1", [[1, "1"]]]], [["0", []]], [["1", []]]]}},
    ),
    "an invariant": (
        "proved",
        {"format": FORMAT, "invariant": {"variables": {"x": "real", "B": "real"}, "state": ["x"], "parameters": ["B"],
         "always": ["B >= 0"], "initial": ["x == 0"], "transition": ["x_next == x/2"], "claim": "x <= B"},
         "base": {"proof": tree(product(0), product(2), multiples=({"fact": 1, "times": "-1"},)),
                  "example": {"at": {"x": "0", "B": "1"}}},
         "step": {"proof": tree(product(1, coefficient="1/2"), product(0, coefficient="1/2"), product(3),
                                multiples=({"fact": 2, "times": "-1"},)),
                  "example": {"at": {"x": "1", "B": "1", "x_next": "1/2"}}}},
    ),
    "trials": ("stress-tested", {"format": FORMAT, "trials": {**TRIALS, "trials": 500}}),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_proved_is_accepted(name: str) -> None:
    word, certificate = ACCEPTED[name]
    assert check(certificate).word == word


# The fact says x >= 0 and, because 1/(x - 1) must have a value, that x is not 1: no interval of x from 0 on is left.
HIDDEN_POLE = {
    "rule": "lemma", "relation": "x - 1 != 0",
    "by": tree(product(), multiples=({"fact": 1, "times": "1"}, {"fact": 2, "times": "-i"}),
               atoms=(("i", "1/(x - 1)"),)),
    "proof": {**rises("1/(1 - x)**2", at=EVIDENT), "variable": "x"},
}  # fmt: skip

FORGED = {
    "a pole inside the range": stated("x", ["(1/(x - 1))**0*x >= 0"], "1/(1 - x) >= 0", HIDDEN_POLE, x="2"),
    "strict where it is zero": stated("u", ["u >= 0"], "log(1 + u) < u", rises("1 - 1/(1 + u)")),
    "another slope": stated("u", ["u >= 0"], "log(1 + u) <= u/2", rises("1 - 1/(1 + u)")),
    "a falling slope": stated("u", ["u >= 0"], "log(1 + u) <= u/2", rises("1/2 - 1/(1 + u)")),
    "a start below": stated("u", ["u >= 0"], "log(2 + u) <= u", rises("1 - 1/(2 + u)", at=EVIDENT)),
    "a slope between whole numbers": stated("u:integer", ["u >= 0"], "u*(u - 1) >= 0", rises("2*u - 1")),
    "multipliers that do not add up": stated("X a b", HYPOTHESES, "X <= a + sqrt(b)/2", QUADRATIC),
    "a negative coefficient": stated("x", ["x >= 0"], "x <= 0", tree(product(1), product(0, coefficient="-1"))),
    "no positive term": stated("x", ["x >= 0"], "x > 0", tree(product(0), product(1))),
    "a square for a positive term": stated("x", [], "x == 0", {**tree(), "above": {"terms": [product(square="0")]},
                                                               "below": {"terms": [product(square="0")]}}),
    "an atom without a value": stated("x", ["x >= 0"], "x > 0", tree(product(), product(0, 1), multiples=(
        {"fact": 2, "times": "0"},), atoms=(("i", "1/x"),))),
    "1/x at 0": stated("x", ["x >= 0"], "1/x >= 0", EVIDENT),
    "x/x": stated("x", [], "x/x == 1", IDENTITY),
    "0*log(x)": stated("x", [], "0*log(x) == 0", IDENTITY),
    "a root of something negative": stated("x", [], "sqrt(x)**2 == x", IDENTITY),
    "the tangent across a pole": stated("", [], "integral(1, t, 0, pi) == 0", {
        "rule": "antiderivative", "of": [["integral(1, t, 0, pi)", "atan(tan(t))"]], "proof": IDENTITY}),
    "a pole on the way": stated("", [], "integral(1/t**2, t, -1, 1) == -2", {
        "rule": "antiderivative", "of": [["integral(1/t**2, t, -1, 1)", "-1/t"]], "proof": IDENTITY}),
    "another antiderivative": stated("u", ["u > 0"], "integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u", {
        **EXPONENTIAL, "of": [["integral(exp(-u*v), v, 0, 1)", "exp(-u*v)/u"]]}),
    "the limit inside the summand": stated("n:integer", ["n >= 1"], "sum(k*(k - n), k, 1, n) == n*(n + 1)/2", {
        "rule": "induction", "variable": "n", "base": EVIDENT, "step": IDENTITY}),
    "a sum of another summand": stated("n:integer", ["n >= 1"], "sum(1, k, 1, n) == sum(n, k, 1, n)", IDENTITY),
    "induction on a real number": stated("n", ["n >= 1"], "sum(k, k, 1, n) <= n**2", BOUNDED),
    "cells that overlap": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells(ONE, ONE)),
    "cells that leave a part out": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0, 1]], "natural"])),
    "a cell in halves of a number": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 3", cells([[[0.0, 0]], "natural"])),
    "a cell that is false": stated("x", ["x >= 0", "x <= 1"], "exp(x) <= 2", cells(ONE)),
    "a face outside": stated("x", ["x >= 0", "x <= 1", "x >= 1/2"], "x >= 3/4", cells(
        [[[0, 0]], ["slope", 0, 0, "natural", ["outside", 2]]])),
    "Taylor where nothing vanishes": stated("x", ["x >= 0", "x <= 1"], "x + 1/2 <= exp(x)/2", cells(
        [[[0, 0]], ["taylor", 0, 0, 1, "natural"]])),
    "an unbounded box": stated("x", ["x >= 0"], "exp(-x) <= 1", cells(ONE)),
    "a factor that may be zero": stated("x", [], "x >= 0", {"rule": "times", "factor": "x**2", "then": "x**3",
                                                           "proof": EVIDENT}),
    "half of the cases": stated("x", [], "x**3 >= 0", {"rule": "cases", "at": "x", "below": EVIDENT, "above": EVIDENT}),
    "a lemma that is not one": stated("x", [], "x >= 0", {"rule": "lemma", "relation": "x >= 0", "by": EVIDENT,
                                                         "proof": EVIDENT}),
    "a substitution that is not onto": stated("x", [], "x >= 0", {
        "rule": "substitution", "variable": "x", "new": "t", "value": "t**2", "inverse": "x", "facts": [],
        "proof": EVIDENT}),
    "a point outside the hypotheses": stated("x", ["x >= 2"], "exp(x) <= 3", {"rule": "point", "at": {"x": "1"}}),
    "a point where it holds": stated("x", ["x >= 0"], "exp(x) >= 1", {"rule": "point", "at": {"x": "1"}}),
    "a point that is not whole": stated("n:integer", [], "n != 1/2", {"rule": "point", "at": {"n": "1/2"}}),
    "contradictory hypotheses": stated("x", ["x > 0", "x < 0"], "x == 7", IDENTITY),
    "engines by themselves": stated("x", [], "x**2 >= 0", {"rule": "engines"}),
    "a name for something chosen anew": {"format": FORMAT, "invariant": {
        "variables": {"x": "real", "a": "real"}, "state": ["x"], "parameters": [], "always": [], "initial": ["x <= a"],
        "transition": ["x_next <= a"], "claim": "x <= a"},
        "base": {"proof": EVIDENT, "example": {"at": {"x": "0", "a": "1"}}},
        "step": {"proof": EVIDENT, "example": {"at": {"x": "0", "a": "1", "x_next": "0"}}}},
    "a law that is none": {"format": FORMAT, "game": {"sense": "max", "claim": ">= 1", "states": [
        [["0", [[1, "2"]]]], [["1", []]]]}},
    "a game that looks back": {"format": FORMAT, "game": {"sense": "max", "claim": ">= 1", "states": [
        [["1", [[0, "1"]]]]]}},
    "too few trials": {"format": FORMAT, "trials": {**TRIALS, "trials": 10}},
    "a blind search": {"format": FORMAT, "search": {"examples": 10, "power": {"a": "0"}}},
    "a conjunction of nothing": {"format": FORMAT, "all": []},
    "a gap without a witness": {"format": FORMAT, "gap": dict.fromkeys(
        ("with", "without"), ACCEPTED["an identity"][1])},
    "another format": {**ACCEPTED["an identity"][1], "format": "glbcheck-certificate/0"},
    "two statements": {**ACCEPTED["an identity"][1], "all": []},
    "nothing": {"format": FORMAT},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_rejected(name: str) -> None:
    with pytest.raises(Rejected):
        check(FORGED[name])


@pytest.mark.parametrize("text", ["9**9**9**9 > 0", "exp(exp(exp(1000))) > 1", "exp(10**9) - exp(10**9 - 1) > 0"])
def test_what_would_take_for_ever_is_rejected(text: str) -> None:
    with pytest.raises(Rejected):
        check(stated("", [], text, IDENTITY))


x, y = variable("x"), variable("y")


@st.composite
def terms(draw: st.DrawFn, depth: int = 3) -> Term:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([x, y, parse("1/3", {}), parse("2", {}), parse("pi", {})]))
    a, b = draw(terms(depth - 1)), draw(terms(depth - 1))
    shapes = ["a + b", "a*b", "a - b", "a/(1 + b**2)", "exp(-a**2)", "log(1 + a**2)", "sqrt(1 + a**2)", "abs(a)",
              "max(a, b)", "tanh(a)", "erf(a)", "atan(a)", "cos(a)", "a**3"]  # fmt: skip
    return parse(draw(st.sampled_from(shapes)), {"a": a, "b": b})


@given(terms())
def test_a_term_is_read_back_as_itself(t: Term) -> None:
    assert is_zero(parse(repr(t), {"x": x, "y": y}) - t) or t.size > 500


@settings(max_examples=60)
@given(terms(), st.fractions(-3, 3, max_denominator=20), st.fractions(-3, 3, max_denominator=20))
def test_a_ball_contains_the_value_at_fifty_digits(t: Term, a: Fraction, b: Fraction) -> None:
    with precision(80):
        found = Program([t], ["x", "y"], BALLS)(ball(a), ball(b))[0]
        low, high = (mpmath.mpf(str(end.str(40, radius=False))) for end in (found.lower(), found.upper()))
    with mpmath.workdps(50):
        value = _value(t, {"x": mpmath.mpf(a.numerator) / a.denominator, "y": mpmath.mpf(b.numerator) / b.denominator})
        slack = mpmath.mpf(10) ** -15 * max(1, abs(value))
        assert low - slack <= value <= high + slack


def _value(t: Term, at: dict[str, Any]) -> Any:
    if t.value is not None:
        return mpmath.mpf(t.value.numerator) / t.value.denominator
    if t.op == "variable":
        return at[t.args[0]]
    if t.op == "pi":
        return mpmath.pi()
    args = [_value(a, at) for a in t.args]
    if t.op in ("+", "*"):
        return mpmath.fsum(args) if t.op == "+" else mpmath.fprod(args)
    if t.op == "**":
        return mpmath.power(*args)
    return {"abs": abs, "max": max}.get(t.op, getattr(mpmath, t.op, None))(*args)  # type: ignore[operator, misc]


@settings(max_examples=60)
@given(terms(), terms(), st.fractions(0, 3, max_denominator=9), st.fractions(-3, 3, max_denominator=9))
def test_what_is_evident_is_true_wherever_it_is_tried(t: Term, u: Term, a: Fraction, b: Fraction) -> None:
    context = Context((("x", "real"), ("y", "real")), frozenset(), (Fact(x, ">="),))
    for f in (t, t - u, t * u):
        for strict in (False, True):
            if context.evident(f, strict):
                with precision(200):
                    found = Program([f], ["x", "y"], BALLS)(ball(a), ball(b))[0]
                assert not found.is_finite() or not (found < 0 or (strict and found <= 0))
        if context.defined(f):
            with precision(200):
                assert Program([f], ["x", "y"], BALLS)(ball(a), ball(b))[0].is_finite()


bounds = st.tuples(
    st.integers(-2, 2), st.integers(0, 3), st.sampled_from([">=", ">", ""]), st.sampled_from(["<=", "<", ""])
)
coefficients = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 2)), st.integers(-4, 9), max_size=4)


@settings(max_examples=200)
@given(coefficients, st.tuples(bounds, bounds))
def test_a_sign_that_is_seen_holds_at_the_ends_and_between(p: dict[tuple[int, int], int], ranges: Any) -> None:
    facts, places = [], []
    for name, (low, width, above, below) in zip("xy", ranges, strict=True):
        facts += [f"{name} {op} {end}" for op, end in ((above, low), (below, low + width)) if op]
        near = {
            Fraction(low),
            Fraction(low + width),
            low + Fraction(width, 2),
            low + Fraction(width, 7),
            Fraction(-9),
            Fraction(9),
        }
        places.append([at for at in near if (not above or at > low or (at == low and above == ">="))
                       and (not below or at < low + width or (at == low + width and below == "<="))])  # fmt: skip
    context = Context((("x", "real"), ("y", "real")))
    context = context.plus(*map(context.read_fact, facts))
    f = parse(" + ".join(f"({c})*x**{i}*y**{j}" for (i, j), c in p.items()) or "0", {"x": x, "y": y})
    for strict in (False, True):
        if context.evident(f, strict):
            values = [sum(c * a**i * b**j for (i, j), c in p.items()) for a in places[0] for b in places[1]]
            assert all(value > 0 or (value == 0 and not strict) for value in values)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("exp(x/2)**2*exp(-x)", "1"),
        ("exp(x/(1 + y**2))*exp(-x/(1 + y**2))", "1"),
        ("log(12)", "2*log(2) + log(3)"),
        ("exp(3*log(x)/2)", "x*sqrt(x)"),
        ("(sqrt(x) + 1/sqrt(x))**2", "x + 2 + 1/x"),
        ("tanh(x)", "(exp(2*x) - 1)/(exp(2*x) + 1)"),
        ("8**(2/3) + sum(k**2, k, 1, max(2, 3))", "18"),
        ("x + erf(0/y)", "x"),
    ],
)
def test_equal_formulas_have_one_normal_form(left: str, right: str) -> None:
    assert same(parse(left, {"x": x, "y": y}), parse(right, {"x": x, "y": y}))
    assert not same(parse(left, {"x": x, "y": y}), parse(right, {"x": x, "y": y}) * 2)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("-x**2", "(-1)*(x**2)"),
        ("x**-y**2", "x**((-1)*(y**2))"),
        ("2 - 3 - 4*x/y/2", "2 + (-3) + ((-2)*x*(1/y))"),
        ("sum(max(k, 2*x), k, 1, 3)", "max(1, 2*x) + max(2, 2*x) + max(3, 2*x)"),
        ("sum(sum(j*k, j, 1, k), k, 1, 2)", "1 + 2 + 4"),
        ("lambda", "x"),
    ],
)
def test_a_formula_means_what_it_means_in_python(text: str, means: str) -> None:
    names = {"x": x, "y": y, "lambda": x}
    assert same(parse(text, names), parse(means, names))


def test_a_derivative_is_that_of_the_function() -> None:
    t = parse("exp(x*y)*log(1 + x**2)/(2 + sin(x)) + sqrt(1 + x**4) + erf(x) + atan(x)**3", {"x": x, "y": y})
    at = {"x": mpmath.mpf("0.7"), "y": mpmath.mpf("-0.3")}
    with mpmath.workdps(40):
        slope = mpmath.diff(lambda z: _value(t, {**at, "x": z}), at["x"])
        assert abs(slope - _value(derivative(t, "x"), at)) < mpmath.mpf(10) ** -15


@pytest.mark.parametrize(
    "text",
    [
        "x.y",
        "x[0]",
        "'a'",
        "lambda: x",
        "x if y else x",
        "x <",
        "f(x)",
        "1j",
        "0x10",
        "(x := y)",
        "é",
        "x) + (y",
        "__x",
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        parse(text, {"x": x, "y": y})


def test_a_relation_is_one_relation() -> None:
    assert parse_relation("x <= y", {"x": x, "y": y}) == (x, "<=", y)
    for text in ("x", "x < y < x", "x = y"):
        with pytest.raises(Rejected):
            parse_relation(text, {"x": x, "y": y})


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "glbcheck.core.kernel", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True)


def test_files_are_checked_by_themselves(tmp_path: Path) -> None:
    good, bad, torn, twice = (tmp_path / f"{name}.json" for name in ("good", "bad", "torn", "twice"))
    good.write_text(json.dumps(ACCEPTED["a ladder"][1]))
    bad.write_text(json.dumps(FORGED["another slope"]))
    torn.write_text('{"format": ')
    twice.write_text('{"format": "a", "format": "b"}')
    assert run(good).returncode == 0
    assert run(good, bad).returncode == 1
    for unreadable in (torn, twice, tmp_path / "missing.json"):
        found = run(good, unreadable)
        assert found.returncode == 2
        assert "Traceback" not in found.stderr


def test_the_kernel_imports_nothing_but_python_and_flint() -> None:
    for path in KERNEL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert all(name.partition(".")[0] in {*sys.stdlib_module_names, "flint"} for name in names), path
