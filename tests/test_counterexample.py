"""A counterexample is an exact point at which everything is decided again."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Any, get_args

import pytest
import sympy
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Relation
from glbcheck.core.expression import FUNCTIONS, ExpressionError
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import CounterexampleError, Sign, confirm, load, refute, replay, save
from hypothesis import given, settings
from hypothesis import strategies as st

HALF = Fraction(1, 2)


def verdict(statement: Statement, **point: Any) -> Verdict:
    return refute(statement, point, "test").verdict


def test_a_violated_inequality_is_refuted_with_margin_and_residuals() -> None:
    statement = Statement(("x >= 0", "exp(x) > 1.5"), "log(1 + x) >= y", {"y": "x - x**2/8"})
    found = refute(statement, {"x": HALF}, "test").counterexample
    assert found is not None
    assert found.point == {"x": "1/2"}
    assert found.residuals["x >= 0"] == "1/2"
    true_margin = sympy.Rational(1, 2) - sympy.Rational(1, 32) - sympy.log(sympy.Rational(3, 2))
    assert 0 <= true_margin - sympy.Rational(found.margin) < true_margin / 10**4


@given(st.fractions(), st.fractions())
def test_rational_statements_are_decided_exactly(a: Fraction, b: Fraction) -> None:
    for operator, holds in (
        ("<=", a <= b),
        ("<", a < b),
        (">=", a >= b),
        (">", a > b),
        ("==", a == b),
        ("!=", a != b),
    ):
        expected = Verdict.UNDECIDED if holds else Verdict.REFUTED
        assert verdict(Statement((), f"a {operator} b"), a=a, b=b) is expected


def test_a_near_miss_is_separated_by_raising_the_precision() -> None:
    far = "2.71828182845904523536028747135266249775724709369995957496696762772407663"
    assert verdict(Statement((), f"E <= {far}")) is Verdict.REFUTED
    assert verdict(Statement((), f"E >= {far}")) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement(("x >= 1",), "x < 0"), "violates the hypothesis x >= 1"),
        (Statement(("sqrt(x)**2 == x",), "x < 0"), "cannot certify the hypothesis"),
        (Statement((), "x > 0"), "holds at the point"),
        (Statement((), "exp(log(x)) < x"), "cannot separate"),
        (Statement((), "x/(x - 1/2) < 0"), "cannot separate"),
        (Statement((), "log(-x) - log(-x) < 0"), "cannot separate"),
        (Statement(("log(-x) >= log(-x)",), "x < 0"), "cannot certify"),
        (Statement((), "besseli(1/2, x) < 0"), "cannot separate"),
    ],
)
def test_everything_short_of_certainty_is_undecided_with_the_reason(statement: Statement, reason: str) -> None:
    evidence = refute(statement, {"x": HALF}, "test")
    assert evidence.verdict is Verdict.UNDECIDED
    assert reason in evidence.summary


def test_a_quotient_that_cancels_is_not_decided_where_it_is_undefined() -> None:
    assert verdict(Statement((), "x/x <= 0"), x=0) is Verdict.UNDECIDED
    assert verdict(Statement((), "x/x <= 0"), x=1) is Verdict.REFUTED


def test_a_definition_is_evaluated_as_written_too() -> None:
    assert verdict(Statement((), "y <= 0", {"y": "x/x"}), x=0) is Verdict.UNDECIDED
    assert verdict(Statement((), "y <= 0", {"y": "x/x"}), x=1) is Verdict.REFUTED


OPERATORS = {"<=": le, "<": lt, ">=": ge, ">": gt, "==": eq, "!=": ne}


@given(st.integers(-3, 3), st.integers(0, 3), st.sampled_from(get_args(Relation)))
def test_an_enclosure_decides_what_holds_for_all_its_points_and_nothing_else(
    low: int, width: int, operator: Relation
) -> None:
    # The truth of each relation with 0 only changes at 0, so integers and midpoints are enough.
    truths = {OPERATORS[operator](Fraction(2 * low + k, 2), 0) for k in range(2 * width + 1)}
    expected = truths.pop() if len(truths) == 1 else None
    assert Sign(Fraction(low), Fraction(low + width)).decides(operator) is expected


def test_an_equality_hypothesis_holds_only_exactly() -> None:
    assert verdict(Statement(("x**2 == 1/4",), "x < 0"), x=HALF) is Verdict.REFUTED
    assert verdict(Statement(("x**2 == 0.2500000001",), "x < 0"), x=HALF) is Verdict.UNDECIDED


@pytest.mark.parametrize("value", [0.5, sympy.Float("0.5"), True, "1/2", sympy.sqrt(2), 1j])
def test_only_exact_numbers_are_points(value: Any) -> None:
    with pytest.raises(BadInput, match=r"point\['x'\]"):
        refute(Statement((), "x > 1"), {"x": value}, "test")


def test_a_definition_cannot_take_the_name_of_a_variable() -> None:
    with pytest.raises(ExpressionError, match="already"):
        refute(Statement((), "x > 1", {"x": "2"}), {"x": 0}, "test")


def found_example() -> Evidence:
    statement = Statement(("x >= 0", "x <= 1", "y == x**2"), "exp(x) <= bound", {"bound": "1 + x + y/2"})
    return refute(statement, {"x": HALF, "y": Fraction(1, 4)}, "test")


def test_a_saved_counterexample_replays(tmp_path: Path) -> None:
    found = found_example().counterexample
    assert found is not None
    save(found, tmp_path / "deep" / "c.json")
    assert load(tmp_path / "deep" / "c.json") == found
    assert replay(tmp_path / "deep" / "c.json").verdict is Verdict.REFUTED


def _conclusion(text: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["statement"].update(conclusion=text)


def _hypotheses(*texts: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["statement"].update(hypotheses=list(texts))


@pytest.mark.parametrize(
    "tamper",
    [
        lambda data: data["point"].update(x="1/3"),
        lambda data: data["point"].update(x="2"),
        lambda data: data["point"].update(y="1/5"),
        _conclusion("exp(x) <= bound + 1"),
        _conclusion("exp(x) >= bound"),
        _conclusion("exp(x) <= bound - 1"),
        lambda data: data["statement"]["definitions"].update(bound="1 + x + y"),
        _hypotheses("x >= 0", "x <= 1"),
        _hypotheses("x >= 0", "x <= 1/4", "y == x**2"),
        _hypotheses("x >= 0", "x <= 2", "y == x**2"),
        lambda data: data["residuals"].update({"x >= 0": "1/3"}),
        lambda data: data.update(margin="1"),
    ],
)
def test_a_tampered_file_does_not_replay(tmp_path: Path, tamper: Callable[[dict[str, Any]], None]) -> None:
    found = found_example().counterexample
    assert found is not None
    file = tmp_path / "c.json"
    save(found, file)
    data = json.loads(file.read_text())
    tamper(data)
    file.write_text(json.dumps(data))
    assert replay(file).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    "tamper",
    [
        lambda data: data["point"].update(x=0.5),
        lambda data: data["point"].update(x="half"),
        lambda data: data["point"].update(x="1/0"),
        lambda data: data["point"].update(x="1e999999999"),
        lambda data: data["point"].pop("y"),
        lambda data: data.pop("margin"),
        lambda data: data.update(format="other"),
        _hypotheses("x"),
        _conclusion("__import__('os')"),
        lambda data: data.update(statement=3),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path: Path, tamper: Callable[[dict[str, Any]], None]) -> None:
    found = found_example().counterexample
    assert found is not None
    file = tmp_path / "c.json"
    save(found, file)
    data = json.loads(file.read_text())
    tamper(data)
    file.write_text(json.dumps(data))
    with pytest.raises(CounterexampleError):
        replay(file)


@pytest.mark.parametrize("content", ["", "[", "[]", "3", "{}", "\xff", "[" * 100_000])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(CounterexampleError):
        replay(file)
    with pytest.raises(CounterexampleError, match="missing"):
        replay(tmp_path / "missing.json")


def test_replay_needs_balls_and_fifty_digits_to_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    found = found_example().counterexample
    assert found is not None
    monkeypatch.setattr("glbcheck.verify.counterexample.fifty_digit_sign", lambda *_: -1)
    evidence = confirm(found)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "do not agree" in evidence.summary


_atoms = st.sampled_from(["x", "y", "2", "1/3", "0.7", "pi", "E"])
_formulas = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds(
            "{}({})".format,
            st.sampled_from(sorted(set(FUNCTIONS) - {"besseli"})),
            inner,
        ),
        st.builds("besseli({}, {})".format, st.integers(0, 3), inner),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
        st.builds("({})**{}".format, inner, st.sampled_from(["2", "3", "0.5", "(-1)", "x", "(1/3)"])),
    ),
    max_leaves=5,
)
_numbers = st.fractions(-3, 3, max_denominator=20)


@given(_formulas, _numbers, _numbers)
@settings(max_examples=300, deadline=None)
def test_balls_and_fifty_digits_never_contradict_each_other(formula: str, x: Fraction, y: Fraction) -> None:
    point = {"x": x, "y": y}
    try:
        found = [refute(Statement((), f"{formula} {sign} 1/7"), point, "test") for sign in ("<=", ">=")]
    except ExpressionError:
        return
    standing = [evidence.counterexample for evidence in found if evidence.counterexample is not None]
    assert len(standing) <= 1
    for counterexample in standing:
        again = confirm(counterexample)
        assert again.verdict is Verdict.REFUTED, again.summary
