"""False edits of claims that are texts: none comes out positive, whatever a reader says that he read.

Each edit is made in the source of a real claim, in its words and its steps alike where they say the same.  It is then
judged as after `check --review`: no digest is compared, points where the premises hold together are looked for anew.
What only a reader can notice is a table of its own: there the digest of the claim is stale.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache, partial
from typing import Any

import pytest
from glbcheck.verify import controls, judge, papers
from glbcheck.verify.claim import Claim
from glbcheck.verify.claims import declare, joint
from glbcheck.verify.registry import ClaimError, Registry
from glbcheck.verify.support import graph_complaint

PAPER = papers.find("hcw_glb_omd")
REFUSED = "refused"


@cache
def known() -> dict[str, Claim]:
    return {claim.id: claim for claim in PAPER.claims()}


def source_of(name: str) -> tuple[dict[str, Any], str]:
    """The namespace of the module that declares the claim, and the text of the call there."""
    module = sys.modules[known()[name].location.rpartition(":")[0]]
    source = inspect.getsource(module)
    for statement in ast.parse(source).body:
        text = ast.get_source_segment(source, statement) or ""
        if f'id="{name}"' in text or f'"id": "{name}"' in text:
            return vars(module), text
    raise AssertionError(f"{name} is not declared by a text")


def edited(name: str, *edits: tuple[str, str]) -> Claim:
    """The claim declared from its source with these pieces replaced; `ClaimError` if that is refused."""
    namespace, text = source_of(name)
    for old, new in edits:
        assert old in text, f"{old!r} is not in the text of {name}"
        text = text.replace(old, new)
    registry = Registry()
    declared = {
        "claim": partial(declare.claim, registry=registry),
        "refuted": partial(declare.refuted, registry=registry),
    }
    exec(compile(text, str(namespace["__file__"]), "exec"), {**namespace, **declared})
    return next(claim for claim in registry if claim.id == name)


def word(name: str, *edits: tuple[str, str]) -> str:
    """The word of the edited claim for somebody who says that he read it, or that it was refused."""
    try:
        claim = edited(name, *edits)
    except ClaimError:
        return REFUSED
    if graph_complaint(claim, known()):
        return REFUSED
    assert claim.steps is not None
    found = joint.found(claim.steps)
    return str(judge.decide(claim, None, None, {name: found} if found else {}).verdict)


POSITIVE = ("proved", "certified", "argued", "stress-tested")


@pytest.mark.parametrize("name", ["quadratic_inequality", "corruption_term", "self_bounding_inequality"])
def test_the_text_as_it_stands_is_positive(name: str) -> None:
    assert word(name) in POSITIVE


# In words and steps at once, so that only a proof can tell.
FALSE = [
    ("quadratic_inequality", [("=> X <= a + sqrt(b)", "=> X <= a + b")]),
    ("quadratic_inequality", [("=> X <= a + sqrt(b)", "=> X >= a + sqrt(b)")]),
    ("quadratic_inequality", [("X**2 <= a*X + b", "X <= a*X + b")]),
    ("self_bounding_inequality", [("B + K", "B")]),
    ("self_bounding_inequality", [("always K >= 0, B >= 0 ", "always B >= 0 ")]),
    ("self_bounding_inequality", [("K*M`", "K*M**2`"), ("+ K*M ", "+ K*M**2 "), ("+ K*M_next", "+ K*M_next**2")]),
    ("corruption_term", [("`alpha*C*X`", "`C*X`"), ("=> K <= alpha*C*X", "=> K <= C*X")]),
    ("corruption_term", [("e**2 <= n**2*old**2", "e**2 <= n*old**2")]),
    ("corruption_term", [("=> w*n <= alpha*g", "=> w*n <= alpha")]),
    ("corruption_term", [("b >= 0, k <= b*X_new", "k <= b*X_new")]),
    ("event_is_likely", [("`1 - delta`", "`1 - delta**2`"), ("=> p >= 1 - delta", "=> p >= 1 - delta**2")]),
    ("radius_of_the_theorem", [("bt + {WIDENING}", "bt")]),
    ("last_step_of_solve_log", [("2*x + x**2", "x/4 + x**2")]),
    ("quotient_by_the_logarithm_increases", [("log(1 + y) > y/(1 + y)", "log(1 + y) > y")]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edits"), FALSE, ids=lambda one: one if isinstance(one, str) else one[-1][1][:24])
def test_a_false_text_is_not_positive(name: str, edits: list[tuple[str, str]]) -> None:
    assert word(name, *edits) not in POSITIVE


# In the words alone: a number, a sign, a relation, an exponent, a letter.
WORDS = [
    ("estimation_error", "+ 2*eta*K`.", "+ 1*eta*K`."),
    ("estimation_error", "The squared error X2", "Twice the squared error X2"),
    ("self_concordance_mean", "at least `slope/(1 + u)`", "at most `slope/(1 + u)`"),
    ("self_concordance_mean", "`slope/(1 + u)`", "`slope/(2 + u)`"),
    ("self_concordance_weighted_repaired", "`low*either/2`, with", "`low*either`, with"),
    ("logarithmic_inequality", "implies `n <= 2*a*log(1 + a*b)`", "implies `n <= a*log(1 + a*b)`"),
    ("event_is_likely", "at least `1 - delta`", "at least `1 + delta`"),
    ("event_is_likely", "at least `1 - delta`", "at least one"),
    ("corruption_term", "at most `alpha*C*X`", "at most `alpha*C*X**2`"),
    ("determinant_bound", "at most `1 + ({GROWTH_RATE})*s`", "at most 1"),
]


@pytest.mark.parametrize(("name", "old", "new"), WORDS)
def test_words_that_the_steps_do_not_say_are_refused(name: str, old: str, new: str) -> None:
    assert word(name, (old, new)) == REFUSED


# A reason that does not give the premise, or premises that cannot hold together.
REASONS = [
    ("corruption_term", [("[cauchy-schwarz]", "[quadratic_inequality]")]),
    ("corruption_term", [("[cauchy-schwarz]", "[above]")]),
    ("corruption_term", [("[above]\n    A <= alpha*C", "[no_such_claim]\n    A <= alpha*C")]),
    ("corruption_term", [("w*n <= alpha*g, abs(e) <= n*error", "w*n <= alpha*g, abs(e) <= error")]),
    ("event_is_likely", [("p >= q                     [meaning]", "p >= q, q < 0, delta < 0   [meaning]")]),
    ("radius_of_the_theorem", [("C >= 0      [meaning]", "C >= 0, C <= -1      [meaning]")]),
    ("self_concordance_mean", [("[above with weight = (1 - exp(-u))/u]", "[above with weight = 1/u]")]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edits"), REASONS, ids=lambda one: one if isinstance(one, str) else one[-1][1][:24])
def test_a_reason_that_does_not_give_the_premise_is_not_positive(name: str, edits: list[tuple[str, str]]) -> None:
    assert word(name, *edits) not in POSITIVE


# What no machine can know: a premise that quotes the paper, or says what a letter means.  A reader has to.
READ = [
    ("corruption_term", ("n: the norm of x_s in the inverse of H_s", "n: the norm of x_s")),
    ("corruption_term", ("A <= alpha*C                 [assumed: sum of |c_s| <= C]", "A <= alpha*C   [meaning]")),
    ("radius_of_the_theorem", ("+ 2*eta*(alpha*C*Xz)", "+ eta*(alpha*C*Xz)")),
    ("event_is_likely", ("q >= 1 - delta             [eq:term-a;", "q >= 1 - delta   [eq:term-b;")),
    ("quadratic_inequality", ('"lemma:solve-ineq/eq1"', '"lemma:solve-log/eq1"')),
]


@pytest.mark.parametrize(("name", "edit"), READ, ids=lambda one: one if isinstance(one, str) else one[1][:24])
def test_what_only_a_reader_can_notice_is_to_be_read_again(name: str, edit: tuple[str, str]) -> None:
    words, parts, points = PAPER.checked
    changed = judge.decide(edited(name, edit), words, parts, points)
    assert changed.verdict not in POSITIVE
    assert "read it again" in changed.problems[0]


@pytest.mark.parametrize("name", ["corruption_term", "radius_of_the_theorem"])
def test_edited_records_are_noticed(name: str) -> None:
    words, parts, points = PAPER.checked
    assert words is not None
    assert parts is not None
    assert points is not None
    claim = known()[name]
    whole = judge.decide(claim, words, parts, points)
    assert str(whole.verdict) in POSITIVE, whole.problems
    at = points[name][0]["at"]
    moved = {**points, name: [{"at": dict.fromkeys(at, "-7")}]}
    mine = {key: one for key, one in parts.items() if key in set(_keys(whole))}
    relabelled = {**parts, **{key: {**one, "edit": "the right side times 1 + 99"} for key, one in mine.items()}}
    unrefuted = {**parts, **{key: {**one, "at": dict.fromkeys(one.get("at", {}), "0")} for key, one in mine.items()}}
    records = (
        ({**words, name: "0" * 16}, parts, points),
        (words, parts, moved),
        (words, relabelled, points),
        (words, unrefuted, points),
    )
    for record in records:
        assert str(judge.decide(claim, *record).verdict) not in POSITIVE


def _keys(decision: judge.Decision) -> set[str]:
    return {controls.key(part) for part in controls.parts(decision.evidence.certificate)}
