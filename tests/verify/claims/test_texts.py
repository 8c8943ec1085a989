"""Claims that are one text: what follows from it, what is refused, and false edits that must be noticed."""

from __future__ import annotations

from functools import partial
from textwrap import dedent
from typing import Any

import pytest
from glbcheck.verify import judge
from glbcheck.verify.claim import Claim, Verdict
from glbcheck.verify.claims import joint
from glbcheck.verify.claims.declare import claim, refuted
from glbcheck.verify.claims.instances import complaints
from glbcheck.verify.claims.text import TextError, read
from glbcheck.verify.registry import ClaimError, Registry
from glbcheck.verify.review import core_statements, digest

from tests.helpers.small_paper import ROOT

ERROR = """
    X, b: the error and the radius; eta: the rate, at least 1; lam: the regularisation; delta: the level
    p: the probability that the bound holds; q: that of the event it rests on
    eta >= 1, b >= 0, lam > 0                    [setting:rates]
    X <= b + 2*eta                               [cauchy-schwarz]
    => X <= b + 14*eta

    q >= 1 - delta                               [assumed: the event is likely]
    p >= q                                       [meaning]
    => p >= 1 - delta

    c_4: the fourth constant
    c_4 == 12*lam*eta**2                         [meaning]
    => c_4 <= 12*lam*eta**2
"""
SAYS = "With probability at least `1 - delta` the error is at most `b + 14*eta`, where `c_4 = 12*lam*eta**2`."


def made(says: str = SAYS, steps: str = ERROR, **more: Any) -> Claim:
    return claim("lem:a", id="toy", says=says, steps=steps, registry=Registry(), **{"why": "", **more})


def test_everything_beside_the_text_follows_from_it() -> None:
    found = made()
    assert found.facts == ("cauchy-schwarz",)
    assert found.hypotheses == ("the event is likely",)
    assert found.uses == ()
    assert found.expected is Verdict.ARGUED
    assert (
        found.title == "With probability at least 1 - delta the error is at most b + 14 eta, where c_4 = 12 lam eta^2."
    )
    assert found.steps is not None
    assert found.steps.letters["q"] == "that of the event it rests on"


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("14*eta", "1*eta"),
        ("14*eta", "14"),
        ("12*lam", "1*lam"),
        ("c_4 = 12*lam*eta**2", "c_4 = 12*lam*eta"),
        ("c_4 =", "c_3 ="),
        ("1 - delta", "1 - delta**2"),
        ("1 - delta", "1 + delta"),
        ("at most", "at least"),
        ("at least", "at most"),
        ("`b + 14*eta`", "b + 14 eta"),
        ("error is at most `b + 14*eta`", "error is at most K"),
        ("error is at most `b + 14*eta`", "error is below 14"),
        ("the error", "twice the error"),
    ],
)
def test_a_false_edit_of_the_words_is_refused(true: str, false: str) -> None:
    assert true in SAYS
    with pytest.raises(ClaimError, match="toy"):
        made(SAYS.replace(true, false))
    with pytest.raises(ClaimError, match="toy"):
        made(why=SAYS.replace(true, false))


@pytest.mark.parametrize(
    ("true", "false"), [("X <= b + 14*eta", "X <= b + 1*eta"), ("p >= 1 - delta", "p >= 2 - delta")]
)
def test_the_same_false_edit_of_words_and_steps_is_not_argued(true: str, false: str) -> None:
    edited = made(SAYS.replace(true[5:], false[5:]), ERROR.replace(f"=> {true}", f"=> {false}"))
    assert not judge.decide(edited).verdict.positive


def test_conclusions_above_are_lemmas_and_the_statement_shows_premises_alone() -> None:
    found = made(
        "The square is at most `y**2`.",
        "x, y, z: numbers\nx >= 0, z >= x [meaning]\ny >= z [meaning]\n=> y >= x\n=> x**2 <= y**2 [in x, y, z]",
    )
    decision = judge.decide(found)
    assert decision.verdict is Verdict.ARGUED
    assert not decision.problems
    assert core_statements(decision.evidence.certificate) == [
        "x >= 0, z >= x, y >= z => y >= x",
        "x >= 0, z >= x, y >= z => x**2 <= y**2",
    ]


def test_premises_that_do_not_hold_together_are_noticed() -> None:
    apart = "x: a number\nx >= 1 [meaning]\n=> x > 0\n\nx <= -1 [meaning]\n=> x < 0"
    found = made("The number `x > 0`.", apart)
    assert joint.found(found.steps) is None  # type: ignore[arg-type]
    assert "hold together" in judge.decide(found, None, None, {}).problems[0]
    cases = made("The number `x > 0`.", "case: right\n" + apart.replace("\n\n", "\n\ncase: left\n"))
    points = joint.found(cases.steps)  # type: ignore[arg-type]
    assert points is not None
    assert joint.complaint(cases.steps, points) == ""  # type: ignore[arg-type]
    assert joint.complaint(cases.steps, points[::-1]) != ""  # type: ignore[arg-type]


def test_a_premise_is_an_instance_of_the_claim_that_it_names() -> None:
    root = claim(
        "lem:b", id="root", steps="X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)", registry=Registry()
    )
    text = (
        "e, k, s: numbers\ne >= 0, k >= 0, s >= 0, e**2 <= 2*k*e + s [meaning]\n{} [root{}]\n=> e <= 2*k + sqrt(s) + 1"
    )
    told = " with X = e, a = 2*k, b = s"
    good = made("A bound.", text.format("e <= 2*k + sqrt(s)", told))
    known = {"root": root}
    assert list(complaints(good, known)) == []
    for wrong in ("e <= k + sqrt(s)", "e <= 2*k + s", "e >= 2*k + sqrt(s)"):
        bad = made("A bound.", text.format(wrong, told))
        assert "no instance of 'root'" in next(complaints(bad, known))
    unmet = made("A bound.", text.format("e <= 2*k + sqrt(s)", told).replace("e >= 0, ", ""))
    assert "no instance of 'root'" in next(complaints(unmet, known))


def test_what_fails_and_what_holds_instead_are_declared_together() -> None:
    registry = Registry()
    refuted(
        "lem:c",
        id="printed",
        says="The logarithm is at least `x/2`.",
        steps="x: a step\nx >= 0\n=> log(1 + x) >= x/2\nfails at x = 3",
        severity="constant",
        consequence="only small steps are used",
        repaired={"id": "small_steps", "steps": "x >= 0, x <= 1 => log(1 + x) >= x/2", "expected": "certified"},
        registry=registry,
    )
    printed, repaired = (judge.decide(one) for one in registry)
    assert printed.verdict is Verdict.REFUTED
    assert not printed.problems
    assert repaired.claim.anchors == ("lem:c",)
    assert repaired.verdict.positive
    assert repaired.claim.steps is not None
    assert repaired.claim.steps.letters == {"x": "a step"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x >= 0", "no conclusion"),
        ("x >= 0\n\nx >= 1\n=> x > 0", "without a conclusion"),
        ("x: a number", "no conclusion"),
        ("x >= 0 [?]\n=> x >= -1", r"\[\?\]"),
        ("x\n=> x >= 1", "no relation"),
        ("x >= 0 [above]\n=> x >= -1", "no block above"),
        ("=> x >= -1 [cauchy-schwarz]", "a conclusion has no reason"),
        ("fact\n", "no relation"),
    ],
)
def test_a_text_that_is_no_claim_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(TextError, match=complaint):
        read(text)


def test_the_digest_covers_letters_and_reasons() -> None:
    evidence = judge.decide(made()).evidence
    seen = digest(made(), evidence)
    for old, new in (("the fourth constant", "a constant"), ("[cauchy-schwarz]", "[triangle]"), ("[meaning]", "[x:y]")):
        assert digest(made(steps=ERROR.replace(old, new)), evidence) != seen


def test_the_claims_of_the_page_for_contributors_come_out_as_expected() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a claim")[2].partition("\n- ")[0]
    code = dedent("\n".join(line for line in page.splitlines() if not line or line.startswith("    ")))
    registry = Registry()
    exec(code, {"claim": partial(claim, registry=registry), "refuted": partial(refuted, registry=registry)})
    found = {one.id: judge.decide(one) for one in registry}
    assert {name: str(decision.verdict) for name, decision in found.items()} == {
        "square_is_bounded": "proved",
        "error_is_bounded": "argued",
        "first_lemma_as_printed": "refuted",
        "first_lemma_repaired": "proved",
    }
    assert not [decision.problems for decision in found.values() if decision.problems]
    assert not list(complaints(found["error_is_bounded"].claim, {}))
