"""The provers on statements whose truth is known: nothing false comes out positive, nothing true refuted."""

from __future__ import annotations

import importlib
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.search import algebra, cover, exact, ladder, solvers, symbolic, tactics
from glbcheck.verify.search.solvers import oracle

from tests.corpus import Entry, false_cover, true_cover
from tests.corpus.verdicts import false_is_caught, true_survive

KERNEL = ("symbolic", "ladder", "algebra", "exact", "cover")
PROVERS = (*KERNEL, "property", "montecarlo")


def entries(kind: str, prover: str) -> list[Entry]:
    found: list[Entry] = importlib.import_module(f"tests.corpus.{kind}_{prover}").ENTRIES
    return found


@pytest.mark.parametrize("entry", [e for p in PROVERS for e in entries("false", p)], ids=lambda e: e.name)
def test_a_false_statement_is_really_false_and_never_positive(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED
    assert false_is_caught(entry)


@pytest.mark.parametrize("prover", PROVERS)
def test_true_statements_are_decided_and_never_refuted(prover: str) -> None:
    assert true_survive(entries("true", prover))


@pytest.mark.parametrize("prover", KERNEL)
def test_what_is_positive_stands_in_the_kernel(prover: str) -> None:
    for entry in entries("true", prover)[:12]:
        evidence = entry.run()
        if evidence.verdict.positive:
            assert accepted(evidence.certificate, oracle).word == evidence.verdict


@pytest.mark.parametrize("entry", [*true_cover.OPEN, *false_cover.UNDEFINED], ids=lambda e: e.name)
def test_what_a_cover_does_not_settle_stays_open(entry: Entry) -> None:
    assert entry.run().verdict is Verdict.UNDECIDED


t, n = sp.symbols("t n", real=True)


@pytest.mark.parametrize("sides", [
    (sp.diff(t**2, t), 2 * t), ((t + n).expand(), n + t), (sp.Matrix([t, n]).dot(sp.Matrix([1, 0])), t), ("t*1", "t"),
])  # fmt: skip
def test_an_identity_that_was_worked_out_before_it_is_stated_is_refused(sides: tuple[Any, Any]) -> None:
    with pytest.raises(BadInput, match="the two sides"):
        symbolic.identity(*sides, variables=["t"])


def test_the_kernel_works_out_a_derivative_that_is_stated_as_one() -> None:
    found = symbolic.identity(sp.Derivative(t**2, t), 2 * t)
    assert found.verdict is Verdict.PROVED
    assert found.certificate["statement"]["conclusion"] == "diff(t**2, t) == 2*t"
    assert symbolic.identity(sp.Derivative(t**2, t), 3 * t).verdict is Verdict.REFUTED


@pytest.mark.parametrize("evidence", [
    lambda: symbolic.integral(sp.Integer(1), sp.atan(sp.tan(t)), t, 0, sp.pi, sp.Integer(0)),
    lambda: symbolic.sum_identity("k*(k - n)", "n*(n + 1)/2", "k", 1, "n", ["n"]),
    lambda: symbolic.integral(1 / t, sp.log(t), t, -1, 1, sp.Integer(0)),
    lambda: symbolic.integral(1 / t**2, -1 / t, t, -1, 1, sp.Integer(-2)),
    lambda: symbolic.identity("sqrt(x**2)", "x", variables=["x"]),
    lambda: algebra.decide(["x >= 0"], "1/x >= 0", ["x"]),
    lambda: algebra.decide(["x > 0", "x < 0"], "x == 7", ["x"]),
    lambda: ladder.inequality("x*log(x) <= 0", "x", 0, 1), lambda: cover.certify("(x - 1/3)**2 > 0", {"x": (0, 1)}),
    lambda: exact.closed("sum(1/n, n, 1, 20) <= 3"),
])  # fmt: skip
def test_statements_that_fooled_a_prover_once_do_so_no_more(evidence: object) -> None:
    found = evidence()  # type: ignore[operator]
    assert isinstance(found, Evidence)
    assert not found.verdict.positive


def test_an_invariant_may_not_speak_of_what_is_chosen_anew() -> None:
    with pytest.raises(BadInput, match="chosen anew"):
        algebra.induction("x <= a", ["x"], initial=["x == 0", "a >= 0"], transition=["x_next <= a"], auxiliary=["a"])


def test_a_true_invariant_is_proved() -> None:
    found = algebra.induction("x <= B", ["x"], initial=["x == 0", "B >= 0"], transition=["x_next <= (x + B)/2"],
                              parameters=["B"])  # fmt: skip
    assert found.verdict is Verdict.PROVED


@pytest.mark.parametrize("place", [0, 1])
def test_a_solver_that_lies_proves_nothing_false(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list(solvers.SOLVERS)
    asked[place] = lambda text: solvers.Answer("liar 1.0", "unsat")
    monkeypatch.setattr(solvers, "SOLVERS", tuple(asked))
    assert not algebra.decide([], "x**2 >= x", ["x"]).verdict.positive


def test_a_search_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = algebra.decide(["x >= 0"], "x + 1 > 0", ["x"]).certificate["proof"]
    for name in tactics.TACTICS:
        monkeypatch.setitem(tactics.TACTICS, name, lambda *_: proof)
    assert algebra.decide(["x >= 0"], "x + 2 > 0", ["x"]).verdict.positive
    answers = (lambda text: solvers.Answer("liar", "unsat"), lambda text: solvers.Answer("b", "unknown"))
    monkeypatch.setattr(solvers, "SOLVERS", answers)
    assert not algebra.decide(["x >= 0"], "x - 1 > 0", ["x"]).verdict.positive
    assert not algebra.decide(["x >= 0"], "x*x >= x", ["x"]).verdict.positive


def test_multipliers_prove_the_quadratic_inequality_without_any_engine() -> None:
    found = algebra.decide(["X >= 0", "a >= 0", "b >= 0", "X**2 <= a*X + b"], "X <= a + sqrt(b)", ["X", "a", "b"])
    assert found.verdict is Verdict.PROVED
    assert "engines" not in str(found.certificate["proof"])


def test_a_refutation_needs_every_hypothesis_and_a_value_on_both_sides() -> None:
    assert refute(Statement(("x >= 0",), "exp(x) <= 2"), {"x": 1}, "test").verdict is Verdict.REFUTED
    assert refute(Statement(("x >= 2",), "exp(x) <= 2"), {"x": 1}, "test").verdict is Verdict.UNDECIDED
    assert refute(Statement((), "x/x == 2"), {"x": 0}, "test").verdict is Verdict.UNDECIDED
    assert refute(Statement((), "log(2) == log(2)"), {}, "test").verdict is Verdict.UNDECIDED
    with pytest.raises(BadInput):
        refute(Statement((), "x <= 1"), {"x": 0.5}, "test")


def test_the_margin_of_a_counterexample_is_rounded_towards_zero() -> None:
    found = refute(Statement(("x >= 0",), "exp(x) <= 2"), {"x": Fraction(1)}, "test").counterexample
    assert found is not None
    assert found.margin == "718281e-6"
    assert found.residuals == {"x >= 0": "1"}
