"""Claims are refused by name when they cannot be trusted, and judged with their controls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy
import pytest
import sympy
from glbcheck.verify.claim import (
    Claim,
    Control,
    Counterexample,
    Evidence,
    Reading,
    Severity,
    Statement,
    Verdict,
)
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import combine, decide, floats_in, gap
from glbcheck.verify.registry import ClaimError, Registry, cited, claim, definition, structural

PROVED = Evidence(Verdict.PROVED, "toy", "by hand", certificate={"steps": (1, Fraction(1, 2))})
REJECTED = Evidence(Verdict.UNDECIDED, "toy", "no proof")
TRUE_FALSE = Statement((), "x <= 1")
REFUTED = refute(TRUE_FALSE, {"x": 2}, "toy")
CONTROL = ("the constant halved", lambda: REJECTED)
MATTERS: dict[str, Any] = {"severity": "constant", "consequence": "none"}


def returning(evidence: Any) -> Callable[[], Evidence]:
    def check() -> Evidence:
        """A toy claim."""
        if isinstance(evidence, Exception):
            raise evidence
        result: Evidence = evidence
        return result

    return check


def declared(evidence: Any, *, anchors: tuple[str, ...] = ("lemma:toy",), **options: Any) -> Claim:
    settings = {"expected": "proved", "control": CONTROL, "id": "toy", "registry": Registry(), **options}
    return claim(*anchors, **settings)(returning(evidence))


# --- declaring -------------------------------------------------------------------------------------


def test_the_decorator_makes_a_claim_from_a_function() -> None:
    registry = Registry()

    @claim(
        "lemma:a",
        "lemma:a/eq1",
        expected=Verdict.PROVED,
        control=CONTROL,
        hypotheses=("x > 0",),
        uses=("b",),
        registry=registry,
    )
    def a_lemma() -> Evidence:
        """The lemma holds.

        Details.
        """
        return PROVED

    assert (a_lemma.id, a_lemma.title, a_lemma.anchors) == (
        "a_lemma",
        "The lemma holds.",
        ("lemma:a", "lemma:a/eq1"),
    )
    assert (a_lemma.reading, a_lemma.uses, a_lemma.hypotheses) == (Reading.AS_PRINTED, ("b",), ("x > 0",))
    assert a_lemma.location.startswith(f"{__name__}:")
    assert list(registry) == [a_lemma]
    assert a_lemma.check() is PROVED


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"control": None}, "no control"),
        ({"anchors": ()}, "no anchor"),
        ({"anchors": ("",)}, "not the name of a label"),
        ({"expected": "certain"}, "not one of proved, certified"),
        ({"reading": "mine"}, "not one of as-printed, repaired"),
        ({"expected": "refuted"}, "needs a severity"),
        ({"expected": "gap", "severity": "slip"}, "needs a consequence"),
        ({"expected": "gap", "severity": "huge", "consequence": "c"}, "not one of slip"),
        ({"hypotheses": (0.5,)}, "hypothesis 0.5 is a float"),
        ({"hypotheses": "x > 0"}, "single string"),
        ({"uses": "other"}, "single string"),
    ],
)
def test_a_bad_claim_is_refused_by_name(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ClaimError, match="claim 'toy': ") as caught:
        declared(PROVED, **options)
    assert complaint in str(caught.value)


def test_a_claim_without_title_or_docstring_is_refused() -> None:
    with pytest.raises(ClaimError, match="'nameless': has no title"):

        @claim("a", expected="proved", control=CONTROL, registry=Registry())
        def nameless() -> Evidence:
            return PROVED


def test_an_id_can_be_declared_only_once() -> None:
    registry = Registry()
    declared(PROVED, registry=registry)
    with pytest.raises(ClaimError, match="claim 'toy': declared twice"):
        declared(PROVED, registry=registry)


@pytest.mark.parametrize("note", [definition, structural, cited])
def test_an_anchor_with_nothing_to_decide_carries_a_reason(note: Callable[..., Claim]) -> None:
    registry = Registry()
    noted = note("sec:a", reason="introduces notation", registry=registry)
    decision = decide(noted)
    assert decision.verdict == note.__name__ or (note is definition and decision.verdict is Verdict.DEFINITION)
    assert not decision.problems
    assert noted.location.startswith(f"{__name__}:")
    with pytest.raises(ClaimError, match="needs a reason"):
        note("sec:b", reason=" ", registry=registry)
    with pytest.raises(ClaimError, match="no anchor"):
        note(reason="r", registry=registry)


# --- judging ---------------------------------------------------------------------------------------


def test_a_claim_as_expected_has_no_problems() -> None:
    decision = decide(declared(PROVED))
    assert (decision.verdict, decision.control_rejected, decision.problems) == (Verdict.PROVED, True, ())


@pytest.mark.parametrize("expected", list(Verdict))
@pytest.mark.parametrize("found", [v for v in Verdict if v.positive or v is Verdict.UNDECIDED])
def test_an_expectation_is_enforced_in_both_directions(expected: Verdict, found: Verdict) -> None:
    evidence = Evidence(found, "toy", "as found", certificate={"a": 1})
    decision = decide(declared(evidence, expected=expected, **MATTERS))
    assert decision.verdict is found
    complaint = f"claim 'toy': expected {expected}, found {found}: as found"
    assert decision.problems == (() if expected is found else (complaint,))


@pytest.mark.parametrize("let_through", [v for v in Verdict if v.positive])
def test_a_control_that_gets_through_makes_the_claim_undecided(let_through: Verdict) -> None:
    control = ("the constant halved", returning(Evidence(let_through, "toy", "")))
    decision = decide(declared(PROVED, control=control))
    assert (decision.verdict, decision.control_rejected) == (Verdict.UNDECIDED, False)
    assert "claim 'toy': control not rejected: the constant halved came out" in decision.problems[0]


def test_a_control_decided_by_another_prover_controls_nothing() -> None:
    control = ("c", returning(Evidence(Verdict.REFUTED, "other", "")))
    decision = decide(declared(PROVED, control=control))
    assert decision.verdict is Verdict.UNDECIDED
    assert "prover 'other'" in decision.problems[0]


def test_a_control_may_be_decided_by_one_of_several_provers() -> None:
    both = combine(PROVED, Evidence(Verdict.CERTIFIED, "balls", "covered", certificate={"boxes": 3}))
    assert decide(declared(both, expected="certified")).problems == ()


def test_a_crashing_control_is_a_failure() -> None:
    decision = decide(declared(PROVED, control=("c", returning(ZeroDivisionError("oops")))))
    assert "its control (c) raised ZeroDivisionError: oops" in decision.problems[0]
    assert decision.verdict is Verdict.UNDECIDED


def test_a_refuted_claim_needs_a_true_neighbour_that_is_not_refuted() -> None:
    good = decide(declared(REFUTED, expected="refuted", **MATTERS))
    assert (good.verdict, good.control_rejected, good.problems) == (Verdict.REFUTED, True, ())
    bad = decide(declared(REFUTED, expected="refuted", control=("c", returning(REFUTED)), **MATTERS))
    assert (bad.verdict, bad.control_rejected) == (Verdict.UNDECIDED, False)


def test_a_refutation_nobody_weighed_is_not_reported_as_one() -> None:
    decision = decide(declared(REFUTED, expected="proved"))
    assert decision.verdict is Verdict.UNDECIDED
    assert "no severity and consequence" in decision.problems[0]


UNTYPED: Any = "proved"


@pytest.mark.parametrize(
    "result",
    [True, None, "proved", ZeroDivisionError("x"), Evidence(UNTYPED, "prover", "a word for a verdict")],
)
def test_a_check_without_evidence_shows_nothing(result: Any) -> None:
    decision = decide(declared(result, expected="undecided"))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.problems
    assert decision.problems[0].startswith("claim 'toy': its check ")


@pytest.mark.parametrize(
    "value",
    [0.5, 1j, numpy.float64(1), numpy.array([1.0]), mpmath.mpf(1), sympy.Float(1), sympy.Symbol("x") * 0.5],
    ids=lambda value: type(value).__name__,
)
def test_a_float_anywhere_in_a_proof_is_found(value: Any) -> None:
    certificate = {"steps": [{"deep": (1, value)}]}
    decision = decide(declared(Evidence(Verdict.PROVED, "toy", "", certificate=certificate)))
    assert decision.verdict is Verdict.UNDECIDED
    assert "claim 'toy': a float in a proof: /certificate/steps/0/deep/1" in decision.problems[0]


def test_exact_data_is_not_mistaken_for_floats() -> None:
    exact = [1, Fraction(1, 3), sympy.Rational(1, 3), sympy.pi, sympy.Symbol("x") / 3, "0.5", True, None]
    assert list(floats_in({"data": exact})) == []


def test_a_stress_test_may_report_floats() -> None:
    evidence = Evidence(Verdict.STRESS_TESTED, "toy", "", certificate={"power": 0.99})
    assert decide(declared(evidence, expected="stress-tested")).problems == ()


def test_a_proof_without_certificate_is_none() -> None:
    assert decide(declared(Evidence(Verdict.PROVED, "toy", ""))).verdict is Verdict.UNDECIDED
    decision = decide(declared(Evidence(Verdict.REFUTED, "toy", ""), expected="refuted", **MATTERS))
    assert decision.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("statement", "point"),
    [
        (TRUE_FALSE, {"x": "1"}),
        (TRUE_FALSE, {}),
        (Statement(("x < 2",), "x <= 1"), {"x": "2"}),
        (TRUE_FALSE, {"x": "?"}),
    ],
)
def test_a_counterexample_is_decided_again_and_not_believed(statement: Statement, point: dict[str, str]) -> None:
    invented = Counterexample(statement, point, {}, "1")
    evidence = Evidence(Verdict.REFUTED, "toy", "trust me", certificate={"a": 1}, counterexample=invented)
    decision = decide(declared(evidence, expected="refuted", **MATTERS))
    assert decision.verdict is Verdict.UNDECIDED
    assert "its counterexample" in decision.problems[0]


def test_a_proof_that_carries_a_counterexample_contradicts_itself() -> None:
    both = Evidence(Verdict.PROVED, "toy", "", certificate={"a": 1}, counterexample=REFUTED.counterexample)
    assert decide(declared(both)).verdict is Verdict.UNDECIDED


# --- combining ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", list(Verdict))
@pytest.mark.parametrize("second", list(Verdict))
def test_a_conjunction_is_as_strong_as_its_weakest_part(first: Verdict, second: Verdict) -> None:
    both = combine(Evidence(first, "a", "one"), Evidence(second, "b", "two"))
    assert both.verdict.rank == max(first.rank, second.rank)
    assert both.prover == "a+b"


def test_a_refuted_part_refutes_the_whole_with_its_witness() -> None:
    assert combine(PROVED, REFUTED, REJECTED).counterexample is REFUTED.counterexample


def test_a_conjunction_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        combine()


@pytest.mark.parametrize("with_hypothesis", list(Verdict))
@pytest.mark.parametrize("without", list(Verdict))
def test_a_gap_needs_both_halves(with_hypothesis: Verdict, without: Verdict) -> None:
    found = gap(with_hypothesis=Evidence(with_hypothesis, "a", ""), without=Evidence(without, "a", ""))
    both = with_hypothesis.positive and without is Verdict.REFUTED
    assert found.verdict is (Verdict.GAP if both else Verdict.UNDECIDED)


def test_a_gap_is_decided_with_its_counterexample() -> None:
    found = gap(with_hypothesis=PROVED, without=REFUTED)
    claimed = declared(found, expected="gap", severity=Severity.HYPOTHESIS, consequence="add it")
    assert decide(claimed).problems == ()
    assert claimed.control == Control(*CONTROL)
