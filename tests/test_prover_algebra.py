"""Algebra over the reals: two engines must agree, and nothing undefined or vacuous is proved."""

from __future__ import annotations

import json
import time
from fractions import Fraction

import pytest
import sympy as sp
from glbcheck.verify.claim import Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import smt
from glbcheck.verify.provers.algebra import decide, induction, replay
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus import Entry, false_algebra, true_algebra
from tests.corpus.verdicts import false_is_caught, true_survive

LIARS = {
    status: lambda text, seconds, status=status: smt.Answer("liar 1.0", status)
    for status in ("sat", "unsat", "unknown")
}


@pytest.mark.parametrize("entry", false_algebra.ENTRIES, ids=lambda e: e.name)
def test_a_false_statement_is_never_proved(entry: Entry) -> None:
    assert false_is_caught(entry)


@pytest.mark.parametrize("entry", false_algebra.ENTRIES, ids=lambda e: e.name)
def test_a_planted_false_statement_really_is_false(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED


def test_true_statements_are_proved_and_never_refuted() -> None:
    assert true_survive(true_algebra.ENTRIES)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("status", ["sat", "unknown"])
def test_one_engine_alone_proves_nothing(place: int, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = list(smt.ENGINES)
    engines[place] = LIARS[status]
    monkeypatch.setattr(smt, "ENGINES", tuple(engines))
    evidence = decide([], "x**2 >= 0", ["x"])
    assert evidence.verdict is Verdict.UNDECIDED
    assert "liar" in evidence.summary


@pytest.mark.parametrize("place", [0, 1])
def test_an_engine_that_lies_cannot_prove_a_false_statement(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = list(smt.ENGINES)
    engines[place] = LIARS["unsat"]
    monkeypatch.setattr(smt, "ENGINES", tuple(engines))
    assert decide([], "x**2 >= x", ["x"]).verdict is Verdict.REFUTED


@settings(max_examples=30, deadline=None)
@given(*(st.fractions(-3, 3, max_denominator=4) for _ in range(3)))
def test_a_quadratic_is_nonnegative_exactly_when_its_discriminant_says_so(
    a: Fraction, b: Fraction, c: Fraction
) -> None:
    truth = (a > 0 and b * b <= 4 * a * c) or (a == 0 and b == 0 and c >= 0)
    evidence = decide([], f"({a})*x**2 + ({b})*x + ({c}) >= 0", ["x"])
    assert evidence.verdict is (Verdict.PROVED if truth else Verdict.REFUTED)


@pytest.mark.parametrize(
    ("hypotheses", "conclusion"),
    [
        ([], "x/x == 1"),
        ([], "sqrt(x)**2 == x"),
        ([], "(x**2 - 1)/(x - 1) == x + 1"),
        (["1/x >= 1"], "x <= 1"),
        (["x >= 0"], "1/sqrt(x) >= 0"),
    ],
)
def test_what_may_be_undefined_is_not_proved(hypotheses: list[str], conclusion: str) -> None:
    evidence = decide(hypotheses, conclusion, ["x"])
    assert evidence.verdict is Verdict.UNDECIDED


def test_a_divisor_known_to_be_nonzero_may_be_divided_by() -> None:
    assert decide(["x != 1"], "(x**2 - 1)/(x - 1) == x + 1", ["x"]).verdict is Verdict.PROVED
    assert decide(["1/x >= 1", "x > 0"], "x <= 1", ["x"]).verdict is Verdict.PROVED


def test_contradictory_hypotheses_claim_nothing() -> None:
    evidence = decide(["x > 0", "x < 0"], "x > 5", ["x"])
    assert evidence.verdict is Verdict.UNDECIDED
    assert "contradict" in evidence.summary


def test_an_algebraic_model_is_moved_to_a_short_rational_point() -> None:
    evidence = decide(["x**2 <= 2", "x >= 0"], "x <= 14142135/10000000", ["x"])
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample is not None
    assert Fraction(evidence.counterexample.point["x"]) ** 2 <= 2


def test_a_witness_that_cannot_be_rational_leaves_the_statement_undecided() -> None:
    assert decide(["x**2 == 2", "x > 0"], "x <= 1", ["x"]).verdict is Verdict.UNDECIDED


def test_the_certificate_replays_from_its_own_text() -> None:
    certificate = dict(decide(["x > 0"], "x + 1/x >= 2", ["x"]).certificate)
    assert set(certificate["answers"].values()) == {"unsat"}
    assert replay(certificate)
    assert not replay({**certificate, "question": certificate["question"].replace("not", "and")})


def test_an_engine_is_held_to_its_time_limit() -> None:
    hard = ["x >= 0", "a >= 0", "b >= 0", "c >= 0", "e >= 0", "x <= a*sqrt(b + c*x) + e"]
    start = time.monotonic()
    evidence = decide(hard, "x <= a**2*c + a*sqrt(b) + a*sqrt(c*e) + e", ["x", "a", "b", "c", "e"], seconds=1)
    assert evidence.verdict is not Verdict.REFUTED
    assert time.monotonic() - start < 25


def test_an_engine_comes_back_after_its_process_was_ended() -> None:
    for name in ("z3", "cvc5"):
        smt.forget(name)
    assert decide([], "x**2 >= 0", ["x"]).verdict is Verdict.PROVED


def test_the_answer_to_an_interrupted_question_never_meets_the_next_one() -> None:
    process = smt.started("z3")
    assert process.stdin is not None
    late = smt.Encoder(("x",)).question(sp.Ge(sp.Symbol("x", real=True) ** 2, 0, evaluate=False))
    process.stdin.write(json.dumps({"ticket": "abandoned", "text": late, "seconds": 5}) + "\n")
    process.stdin.flush()
    assert smt.ask("z3", smt.Encoder(("x",)).question(), 5).status == "unknown"  # not the abandoned `unsat`
    assert smt.ask("z3", smt.Encoder(("x",)).question(), 5).status == "sat"


def test_a_refuted_step_leaves_the_claim_open_and_a_refuted_base_does_not() -> None:
    step_fails = induction("S <= 1", ["S"], initial=["S == 0"], transition=["S_next <= S + 1"])
    assert step_fails.verdict is Verdict.UNDECIDED
    base_fails = induction("S <= 1", ["S"], initial=["S >= 0"], transition=["S_next <= S"])
    assert base_fails.verdict is Verdict.REFUTED


def test_relations_may_come_from_sympy() -> None:
    a, b = sp.symbols("a b")
    evidence = decide([a >= b, b >= 0], a**2 >= b**2, ["a", "b"])
    assert evidence.verdict is Verdict.PROVED


def test_an_assumption_hidden_in_a_symbol_is_refused() -> None:
    a = sp.Symbol("a", nonnegative=True)
    with pytest.raises(ValueError, match="assumptions on a"):
        decide([], sp.sqrt(a**2) <= 2 * a - 1, ["a"])


def test_floats_functions_and_undeclared_variables_are_refused() -> None:
    x = sp.Symbol("x", real=True)
    with pytest.raises(ValueError, match=r"conclusion.*float"):
        decide([], sp.Ge(x, sp.Float("0.5"), evaluate=False), ["x"])
    with pytest.raises(ValueError, match="y"):
        decide([], "x >= y", ["x"])
    assert decide([], "exp(x) >= 0", ["x"]).verdict is Verdict.UNDECIDED
