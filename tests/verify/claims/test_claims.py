"""Claims are refused by name when they cannot be trusted, and judged with their controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.claim import Claim, Control, Evidence, Reading, Severity, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.decide import decide as decide_statement
from glbcheck.verify.judge import combine, decide, gap
from glbcheck.verify.registry import ClaimError, Registry, cited, claim, definition, states, structural
from glbcheck.verify.review import beside, digest
from glbcheck.verify.search import exact
from glbcheck.verify.writing import refuted

PROVED = replace(exact.closed("1 <= 2"), prover="toy")
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
        "lemma:a", "lemma:a/eq1", expected=Verdict.PROVED, control=CONTROL, hypotheses=("x > 0",), uses=("b",),
        registry=registry,
    )  # fmt: skip
    def a_lemma() -> Evidence:
        """The lemma holds.

        Details.
        """
        return PROVED

    assert (a_lemma.id, a_lemma.title, a_lemma.anchors) == ("a_lemma", "The lemma holds.", ("lemma:a", "lemma:a/eq1"))
    assert (a_lemma.reading, a_lemma.uses, a_lemma.hypotheses) == (Reading.AS_PRINTED, ("b",), ("x > 0",))
    assert a_lemma.location.startswith(f"{__name__}:")
    assert list(registry) == [a_lemma]
    assert a_lemma.check() is PROVED


@pytest.mark.parametrize(("options", "complaint"), [
    ({"control": None}, "no control"), ({"anchors": ()}, "no anchor"),
    ({"anchors": ("",)}, "not the name of a label"), ({"expected": "certain"}, "not one of proved, certified"),
    ({"reading": "mine"}, "not one of as-printed, repaired"), ({"expected": "refuted"}, "needs a severity"),
    ({"expected": "gap", "severity": "slip"}, "needs a consequence"),
    ({"expected": "gap", "severity": "huge", "consequence": "c"}, "not one of slip"),
    ({"hypotheses": (0.5,)}, "hypothesis 0.5 is a float"), ({"hypotheses": "x > 0"}, "single string"),
    ({"uses": "other"}, "single string"), ({"carries": ("other",)}, "expected argued, so nothing falls with it"),
    ({"discharges": {"x > 0": " "}}, "discharges 'x > 0' without a reason"),
])  # fmt: skip
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


@pytest.mark.parametrize("expected", list(Verdict))
@pytest.mark.parametrize("evidence", [PROVED, REJECTED], ids=["proved", "undecided"])
def test_an_expectation_is_enforced_in_both_directions(expected: Verdict, evidence: Evidence) -> None:
    decision = decide(declared(evidence, expected=expected, **MATTERS))
    assert decision.verdict is (Verdict.ARGUED if evidence is PROVED else Verdict.UNDECIDED)
    assert (decision.problems == ()) == (expected is evidence.verdict)


@pytest.mark.parametrize("idle", ["1 == 1", "2*exp(1) <= 2*exp(1)"])
def test_a_statement_with_one_term_on_both_sides_earns_nothing(idle: str) -> None:
    shown = replace(exact.closed(idle), prover="toy")
    assert shown.verdict is Verdict.PROVED
    for evidence in (shown, combine(PROVED, shown), gap(shown, REFUTED)):
        decision = decide(declared(evidence, expected=evidence.verdict, **MATTERS))
        assert decision.verdict is Verdict.UNDECIDED
        assert f"{idle}, one term on both sides" in decision.problems[0]


@pytest.mark.parametrize("verdict", [v for v in Verdict if v.positive or v in (Verdict.REFUTED, Verdict.GAP)])
@pytest.mark.parametrize("certificate", [{}, {"a": "b"}, {"steps": [0.5]}, dict(PROVED.certificate)], ids=str)
def test_invented_evidence_is_not_believed(verdict: Verdict, certificate: dict[str, Any]) -> None:
    decision = decide(declared(Evidence(verdict, "mine", "trust me", "", certificate), expected=verdict, **MATTERS))
    earned = verdict is Verdict.PROVED and certificate == PROVED.certificate
    assert decision.verdict is Verdict.UNDECIDED or earned


@pytest.mark.parametrize("let_through", [v for v in Verdict if v.positive])
def test_a_control_that_gets_through_makes_the_claim_undecided(let_through: Verdict) -> None:
    control = ("the constant halved", returning(Evidence(let_through, "toy", "")))
    decision = decide(declared(PROVED, control=control))
    assert (decision.verdict, decision.control_rejected) == (Verdict.UNDECIDED, False)
    assert "claim 'toy': control not rejected: the constant halved came out" in decision.problems[0]


@pytest.mark.parametrize(("edit", "verdict"), [(0, Verdict.ARGUED), (3, Verdict.UNDECIDED)])
def test_a_control_is_the_claim_itself_with_another_argument(edit: int, verdict: Verdict) -> None:
    def check(bound: int = 2) -> Evidence:
        """A toy claim."""
        return exact.closed(f"1 <= {bound}")

    claimed = claim("lemma:toy", control=("another bound", edit), registry=Registry())(check)
    assert decide(claimed).verdict is verdict


def test_a_control_is_decided_by_a_prover_of_the_claim_or_controls_nothing() -> None:
    control = ("c", returning(Evidence(Verdict.REFUTED, "other", "")))
    decision = decide(declared(PROVED, control=control))
    assert decision.verdict is Verdict.UNDECIDED
    assert "prover 'other'" in decision.problems[0]
    both = combine(PROVED, replace(exact.closed("2 <= 3"), prover="balls"))
    assert decide(declared(both)).problems == ()


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
    "result", [True, None, "proved", ZeroDivisionError("x"), Evidence(UNTYPED, "prover", "a word for a verdict")]
)
def test_a_check_without_evidence_shows_nothing(result: Any) -> None:
    decision = decide(declared(result, expected="undecided"))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.problems
    assert decision.problems[0].startswith("claim 'toy': its check ")


def test_a_counterexample_that_is_not_the_one_of_the_certificate_is_not_shown() -> None:
    assert REFUTED.counterexample is not None
    other = replace(REFUTED, counterexample=replace(REFUTED.counterexample, margin="7"))
    assert decide(declared(other, expected="refuted", **MATTERS)).verdict is Verdict.UNDECIDED
    assert decide(declared(replace(PROVED, counterexample=REFUTED.counterexample))).verdict is Verdict.UNDECIDED


# --- combining ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", list(Verdict))
@pytest.mark.parametrize("second", list(Verdict))
def test_a_conjunction_is_as_strong_as_its_weakest_part(first: Verdict, second: Verdict) -> None:
    both = combine(Evidence(first, "a", "one"), Evidence(second, "b", "two"))
    assert both.verdict.rank == max(first.rank, second.rank)
    assert both.prover == "a+b"


def test_a_refuted_part_refutes_the_whole_with_its_witness_and_nothing_shows_nothing() -> None:
    assert combine(PROVED, REFUTED, REJECTED).counterexample is REFUTED.counterexample
    with pytest.raises(ValueError, match="at least one"):
        combine()


@pytest.mark.parametrize("with_hypothesis", list(Verdict))
@pytest.mark.parametrize("without", list(Verdict))
def test_a_gap_needs_both_halves(with_hypothesis: Verdict, without: Verdict) -> None:
    found = gap(with_hypothesis=Evidence(with_hypothesis, "a", ""), without=Evidence(without, "a", ""))
    both = with_hypothesis.positive and without is Verdict.REFUTED
    assert found.verdict is (Verdict.GAP if both else Verdict.UNDECIDED)


@pytest.mark.parametrize("support", list(Verdict))
def test_a_witness_refutes_only_if_all_it_leans_on_holds(support: Verdict) -> None:
    found = refuted(REFUTED, PROVED, Evidence(support, "toy", "the family exists", certificate=PROVED.certificate))
    assert found.verdict is (Verdict.REFUTED if support.positive else Verdict.UNDECIDED)
    assert (found.counterexample is REFUTED.counterexample) is support.positive


def test_a_gap_is_decided_with_its_counterexample() -> None:
    found = gap(with_hypothesis=PROVED, without=REFUTED)
    claimed = declared(found, expected="gap", severity=Severity.HYPOTHESIS, consequence="add it")
    assert decide(claimed).problems == ()
    assert claimed.control == Control(*CONTROL)


# --- statements and words ---------------------------------------------------------------------------


def stated(statement: str, control: tuple[str, str], **options: Any) -> Claim:
    return states(statement, "lemma:toy", id="toy", control=control, registry=Registry(), **options)


def test_a_claim_that_is_its_own_statement_is_proved_and_shown_as_decided() -> None:
    decision = decide(stated("x >= 0 => log(1 + x) <= x", ("<= x", "<= x*9/10")))
    assert decision.verdict is Verdict.PROVED
    assert decision.control_rejected
    assert not decision.problems
    assert decision.claim.title == "x >= 0 => log(1 + x) <= x"


@pytest.mark.parametrize(
    ("statement", "control"),
    [("x >= 0 => log(1 + x) <= x/2", ("x/2", "x/3")), ("x >= 0 => log(1 + x) <= x", ("<= x", "<= 2*x"))],
)
def test_a_false_statement_or_a_true_control_is_noticed(statement: str, control: tuple[str, str]) -> None:
    decision = decide(stated(statement, control))
    assert decision.verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
    assert decision.problems


def test_a_control_that_is_merely_undecided_is_not_rejected() -> None:
    decision = decide(stated("x >= 0 => sin(x)**2 + log(1 + x) >= -1 + log(1 + x)", ("sin(x)**2", "sin(x)")))
    assert decision.verdict is Verdict.UNDECIDED
    assert any("control not rejected" in problem for problem in decision.problems)


def test_a_control_edits_one_place_of_the_statement() -> None:
    with pytest.raises(ClaimError, match="occurs 2 times"):
        stated("x >= 0 => x**2 >= 0", (">= 0", "> 0"))


def test_a_certificate_of_another_statement_earns_nothing() -> None:
    honest = stated("x >= 0 => log(1 + x) <= x", ("<= x", "<= x*9/10"))
    other = decide_statement("x >= 0 => log(1 + x) <= 2*x")
    decision = decide(replace(honest, check=lambda: other))
    assert decision.verdict is Verdict.UNDECIDED
    assert "another statement" in decision.problems[0]


@pytest.mark.parametrize("word", ["title", "math", "argument", "consequence"])
def test_words_that_change_after_the_review_make_the_claim_undecided(word: str) -> None:
    claimed = declared(PROVED)
    reviewed = {claimed.id: digest(claimed, PROVED), **beside(claimed)}
    assert decide(claimed, reviewed).verdict is Verdict.ARGUED
    edit: dict[str, Any] = {word: "the sum is at most 0"}
    assert decide(replace(claimed, **edit), reviewed).verdict is Verdict.UNDECIDED
    assert decide(replace(claimed, check=lambda: exact.closed("1 <= 3")), reviewed).verdict is Verdict.UNDECIDED
    assert decide(claimed, {}).verdict is Verdict.UNDECIDED


SEARCHED = {"format": FORMAT, "search": {"asked": 300, "seed": 3, "power": {"half": "4/5"}, "least slack seen": "0.1"}}
TRIED = {"format": FORMAT, "trials": {"trials": 40, "p0": "1/5", "alpha": "1/1000", "failures": 0}}
COUNTED = {"format": FORMAT, "computed": {"what": "a sum", "value": "1", "claim": "<= 2"}}


@pytest.mark.parametrize(("certificate", "kind", "name", "value", "pinned"), [
    (SEARCHED, "search", "asked", 30, True), (SEARCHED, "search", "seed", 4, True),
    (SEARCHED, "search", "power", {"a third": "4/5"}, True), (SEARCHED, "search", "least slack seen", "0.2", False),
    (TRIED, "trials", "p0", "1/2", True), (TRIED, "trials", "trials", 4, True), (TRIED, "trials", "failures", 1, False),
    (COUNTED, "computed", "value", "2", True), (COUNTED, "computed", "claim", "<= 3", True),
])  # fmt: skip
def test_a_review_pins_what_was_asked_for_and_not_what_was_measured(
    certificate: dict[str, Any], kind: str, name: str, value: Any, pinned: bool
) -> None:
    claimed, before = declared(PROVED), replace(PROVED, certificate=certificate)
    edited = {**certificate, kind: {**certificate[kind], name: value}}
    for wrapped in (lambda one: one, lambda one: {"all": [one]}, lambda one: {"gap": {"with": one, "without": one}}):
        old, new = (replace(before, certificate=wrapped(one)) for one in (certificate, edited))
        assert (digest(claimed, old) != digest(claimed, new)) == pinned


@pytest.mark.parametrize("edit", [{"severity": Severity.SUBSTANCE}, {"carries": ("theorem",)}, {"facts": ("ville",)}])
def test_a_review_pins_how_much_it_matters_and_what_falls_with_it(edit: dict[str, Any]) -> None:
    claimed = declared(REFUTED, expected="refuted", **MATTERS)
    assert digest(claimed, REFUTED) != digest(replace(claimed, **edit), REFUTED)


def test_a_claim_that_is_its_own_statement_is_reviewed_with_its_argument() -> None:
    bare = stated("x >= 0 => log(1 + x) <= x", ("<= x", "<= x*9/10"))
    reviewed = {"toy": digest(bare, bare.check()), **beside(bare)}
    assert decide(bare, {}).verdict is Verdict.UNDECIDED
    assert decide(bare, reviewed).verdict is Verdict.PROVED
    argued = replace(bare, argument="by its tangent at 0")
    assert decide(argued, reviewed).verdict is Verdict.UNDECIDED
    assert decide(argued, {**reviewed, "toy": digest(argued, argued.check())}).verdict is Verdict.PROVED
