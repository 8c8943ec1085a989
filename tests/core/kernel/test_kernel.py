"""The kernel accepts what is proved and nothing else: certificates, honest and forged."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, ball, evaluate, precision
from glbcheck.core.kernel.language import derivative, parse
from glbcheck.core.kernel.ring import is_zero, same
from glbcheck.core.kernel.terms import Term, variable
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.attacks.kernel_battery import wrong
from tests.attacks.kernel_battery_accepted import ACCEPTED
from tests.attacks.kernel_battery_forged import FORGED


def test_the_tables_hold() -> None:
    assert list(wrong()) == []


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
        found = evaluate(t, {x: ball(a), y: ball(b)}, BALLS)
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
                    found = evaluate(f, {x: ball(a), y: ball(b)}, BALLS)
                assert not found.is_finite() or not (found < 0 or (strict and found <= 0))
        if context.defined(f):
            with precision(200):
                assert evaluate(f, {x: ball(a), y: ball(b)}, BALLS).is_finite()


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
