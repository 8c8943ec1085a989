"""What the judge, the graph of claims and the ledger must let stand, and what they must not, from plain tables.

`run` goes through all of them and raises at the first that is wrong; mutants of `tests.attacks.mutants.JUDGE` are judged by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import accepted, certifies, evidence_for, idle
from glbcheck.verify.claim import Claim, Control, Evidence, Reading, Severity, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import combine, decide, gap
from glbcheck.verify.ledger import ResultsError, as_expected, complete, facts_of, holds_up_to, results, row
from glbcheck.verify.ledger import read as read_results
from glbcheck.verify.review import beside, digest
from glbcheck.verify.support import GraphError, check_graph

EVIDENT = {"rule": "evident"}
Data = dict[str, Any]


def stated(conclusion: str, *hypotheses: str, proof: Any = None, **kinds: str) -> Data:
    names = kinds or {"x": "real"}
    statement = {"variables": names, "hypotheses": list(hypotheses), "conclusion": conclusion}
    example = {"at": dict.fromkeys(names, "1")}
    return {"format": FORMAT, "statement": statement, "proof": proof or EVIDENT, "example": example}


def evidence(verdict: str, certificate: Any = None, prover: str = "toy", **more: Any) -> Evidence:
    return Evidence(Verdict(verdict), prover, f"it is {verdict}", certificate=certificate or {}, **more)


COUNTED = {"format": FORMAT, "computed": {"what": "a sum", "value": "1", "claim": "<= 2"}}
SQUARE, IDLE = stated("x**2 + 1 > 0"), stated("x <= x")
PROVED, CERTIFIED, NOTHING = evidence("proved", SQUARE), evidence("certified", COUNTED), evidence("undecided")
REFUTED = refute(Statement((), "x <= 1"), {"x": 2}, "toy")
TWICE = {"format": FORMAT, "all": [SQUARE, COUNTED]}
GAP = {"format": FORMAT, "gap": {"with": SQUARE, "without": REFUTED.certificate}}
TESTED = evidence("stress-tested", {"format": FORMAT, "search": {"examples": 7}})
FLOAT = {**COUNTED, "note": 0.5}
WEIGHED: Data = {"severity": Severity.SLIP, "consequence": "c"}


def returning(found: Any) -> Callable[[], Any]:
    def check() -> Any:
        if isinstance(found, Exception):
            raise found
        return found

    return check


def toy(name: str = "toy", found: Any = PROVED, control: Any = NOTHING, expected: str = "argued", **more: Any) -> Claim:
    controlled = None if control is None else Control("nearby", returning(control))
    settings: Data = {"location": "m:1", "core": Verdict.PROVED, **more}
    return Claim(name, (f"lemma:{name}",), name, returning(found), Verdict(expected), controlled, **settings)


FALSE = evidence("refuted")
STATES: dict[str, Any] = {"states": "x**2 + 1 > 0", "expected": "proved", "control": FALSE}
# A claim; the verdict, what became of the control, and a word of each problem.
DECIDED: dict[str, tuple[Claim, str, bool | None, list[str]]] = {
    "an argument": (toy(), "argued", True, []), "a statement": (toy(**STATES), "proved", True, []),
    "a count": (toy(found=CERTIFIED, core=Verdict.CERTIFIED), "argued", True, []),
    "a box": (toy(found=evidence("certified-on-box", COUNTED), core=Verdict.CERTIFIED_ON_BOX), "argued", True, []),
    "a test": (toy(found=TESTED, expected="stress-tested"), "stress-tested", True, []),
    "a refutation": (toy(found=REFUTED, expected="refuted", **WEIGHED), "refuted", True, []),
    "a gap": (toy(found=gap(PROVED, REFUTED), expected="gap", **WEIGHED), "gap", True, []),
    "a note": (toy(found=evidence("cited"), control=None, expected="cited"), "cited", None, []),
    "an open question": (toy(found=NOTHING, control=None, expected="undecided"), "undecided", None, []),
    "an open question with a control": (toy(found=NOTHING, expected="undecided"), "undecided", True, []),
    "an open question whose control is positive": (toy(found=NOTHING, control=PROVED, expected="undecided"), "undecided", False, []),
    "a part of two provers": (toy(found=replace(PROVED, prover="toy+other")), "argued", True, []),
    "stronger than expected": (toy(expected="stress-tested"), "argued", True, ["expected"]),
    "weaker than expected": (toy(found=NOTHING, control=None), "undecided", None, ["expected"]),
    "another part": (toy(core=Verdict.CERTIFIED), "argued", True, ["machine-checked part"]),
    "no certificate": (toy(found=evidence("proved")), "undecided", True, ["does not accept", "expected"]),
    "no certificate of a test": (toy(found=evidence("stress-tested")), "undecided", True, ["does not accept", "expected"]),
    "no certificate of a gap": (toy(found=evidence("gap"), **WEIGHED), "undecided", True, ["does not accept", "expected"]),
    "a stronger word": (toy(found=evidence("proved", COUNTED)), "undecided", True, ["makes it certified", "expected"]),
    "a weaker word": (toy(found=evidence("certified", SQUARE), core=Verdict.CERTIFIED), "undecided", True, ["makes it proved", "expected"]),
    "a box that is proved": (toy(found=evidence("certified-on-box", SQUARE)), "undecided", True, ["makes it proved", "expected"]),
    "an invented argument": (toy(found=evidence("argued", SQUARE)), "undecided", True, ["makes it proved", "expected"]),
    "a float": (toy(found=evidence("certified", FLOAT), core=Verdict.CERTIFIED), "undecided", True, ["not exact", "expected"]),
    "nothing shown": (toy(found=evidence("proved", IDLE)), "undecided", True, ["one term on both sides", "expected"]),
    "nothing shown by a part": (toy(found=combine(PROVED, evidence("proved", IDLE))), "undecided", True, ["one term", "expected"]),
    "nothing shown by half": (toy(found=gap(evidence("proved", IDLE), REFUTED), **WEIGHED), "undecided", True, ["one term", "expected"]),
    "another statement": (toy(**{**STATES, "states": "x**2 + 2 > 0"}), "undecided", True, ["another statement", "expected"]),
    "a refutation without severity": (toy(found=REFUTED, consequence="c"), "undecided", True, ["no severity", "expected"]),
    "a refutation without consequence": (toy(found=REFUTED, severity=Severity.SLIP), "undecided", True, ["no severity", "expected"]),
    "a gap without severity": (toy(found=gap(PROVED, REFUTED)), "undecided", True, ["no severity", "expected"]),
    "another counterexample": (toy(found=replace(REFUTED, counterexample=None), **WEIGHED), "undecided", True, ["counterexample", "expected"]),
    "a counterexample of a proof": (toy(found=replace(PROVED, counterexample=REFUTED.counterexample)), "undecided", True, ["counterexample", "expected"]),
    "no control": (toy(control=None), "undecided", None, ["has no control", "expected"]),
    "a control that is proved": (toy(control=PROVED), "undecided", False, ["control not rejected", "expected"]),
    "a control that is tested": (toy(control=TESTED), "undecided", False, ["control not rejected", "expected"]),
    "a control of a refutation": (toy(found=REFUTED, control=REFUTED, **WEIGHED), "undecided", False, ["control not rejected", "expected"]),
    "a positive control of a refutation": (toy(found=REFUTED, control=PROVED, expected="refuted", **WEIGHED), "refuted", True, []),
    "a control by another prover": (toy(control=evidence("refuted", prover="other")), "undecided", False, ["decided by prover", "expected"]),
    "a control that is merely open": (toy(**{**STATES, "control": NOTHING}), "undecided", False, ["control not rejected", "expected"]),
    "a statement with a control by another prover": (toy(**{**STATES, "control": evidence("refuted", prover="other")}), "proved", True, []),
    "a crash": (toy(found=ZeroDivisionError("oops"), control=None, expected="undecided"), "undecided", None, ["ZeroDivisionError"]),
    "a crash of the control": (toy(control=ZeroDivisionError("oops")), "undecided", False, ["its control", "by prover", "expected"]),
    "no evidence": (toy(found=True, control=None, expected="undecided"), "undecided", None, ["not Evidence"]),
    "a word for a verdict": (toy(found=replace(PROVED, verdict=cast("Any", "proved")), control=None, expected="undecided"), "undecided", None, ["not Evidence"]),
}  # fmt: skip
LINE = "on the whole line"
REPAIRED, MENDED = Reading.REPAIRED, toy("the_lemma", reading=Reading.REPAIRED)
WRONG = toy("wrong", expected="refuted")
# Claims, and a word of the complaint about them; none is a graph that stands.
GRAPHS: list[tuple[list[Claim], str]] = [
    ([toy("a", uses=("b", "c")), toy("b", uses=("c",)), toy("c")], ""), ([toy("a", uses=("ghost",))], "'ghost', which is not"),
    ([toy("a", carries=("ghost",))], "carries 'ghost', which is not"), ([toy("a", uses=("a",))], "itself: a -> a"),
    ([toy("a", uses=("b",)), toy("b", uses=("c",)), toy("c", uses=("a",))], "itself: a -> b -> c -> a"),
    ([toy("d"), toy("a", uses=("d", "b")), toy("b", uses=("d", "a"))], "itself: a -> b -> a"),
    ([toy("a", carries=("b",), expected="gap"), toy("b", carries=("a",), expected="gap")], "falls with itself: a -> b -> a"),
    ([replace(WRONG, carries=("the_lemma",)), MENDED], "repaired; the printed"), ([replace(WRONG, carries=("a",)), toy("a")], ""),
    ([toy("a", uses=("the_lemma",)), MENDED], "uses 'the_lemma', which is repaired"), ([toy("a", uses=("wrong",)), WRONG], "expected refuted"),
    ([toy("a", uses=("wrong",)), replace(WRONG, expected=Verdict.GAP)], "expected gap"), ([toy("a", uses=("b",)), toy("b", expected="undecided")], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED), MENDED], ""), ([toy("a", uses=("wrong",), expected="gap"), WRONG], ""),
    ([toy("a", uses=("n",)), toy("n", expected="cited", uses=("wrong",)), WRONG], "'a' is as printed and uses 'wrong'"),
    ([toy("a", uses=("n",)), toy("n", expected="cited", uses=("m",)), toy("m", expected="definition")], ""),
    ([toy("a", argument="By `the_lemma`."), MENDED], "argues with 'the_lemma'"), ([toy("a", argument="By wrong."), WRONG], ""),
    ([toy("a", argument="By `the_lemma`.", reading=REPAIRED), MENDED], ""), ([toy("a", hypotheses=(LINE,))], f"assumes '{LINE}'"),
    ([toy("a", argument="By `the_note`."), toy("the_note")], ""), ([toy("a", hypotheses=("x > 0",))], ""),
    ([toy("a", hypotheses=(LINE,), expected="gap")], ""), ([toy("a", hypotheses=(LINE,), reading=REPAIRED)], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED), replace(MENDED, hypotheses=(LINE,))], "neither states nor discharges"),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED, hypotheses=(LINE,)), replace(MENDED, hypotheses=(LINE,))], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED, discharges={LINE: "linear"}), replace(MENDED, hypotheses=(LINE,))], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED), replace(MENDED, hypotheses=(LINE,), expected=Verdict.GAP)], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED), replace(MENDED, hypotheses=("x > 0",))], ""),
    ([toy("a", uses=("b",), discharges={LINE: "linear"}), toy("b")], "which nothing that it uses assumes"),
    ([toy("a", uses=("the_lemma", "b"), reading=REPAIRED, discharges={LINE: "linear"}), replace(MENDED, hypotheses=(LINE,)), toy("b")], ""),
    ([toy("a", uses=("the_lemma",), reading=REPAIRED, discharges={"x > 0": "x = 1"}), replace(MENDED, hypotheses=("x > 0", LINE))], "neither"),
]  # fmt: skip
# What a claim and what it uses came out as, the facts of each, and what the claim holds up to.
HELD = [
    ({"a": "proved"}, {}, {}, "proved"), ({"a": "proved", "b": "argued"}, {}, {}, "proved"), ({"a": "proved"}, {"a": ["b"]}, {}, "undecided"),
    ({"a": "proved", "b": "proved", "c": "refuted"}, {"a": ["b"], "b": ["c"]}, {}, "refuted"), ({"a": "proved"}, {}, {"a": ["ville"]}, "argued"),
    ({"a": "proved", "b": "definition", "c": "structural"}, {"a": ["b", "c"]}, {}, "proved"), ({"a": "proved", "b": "cited"}, {"a": ["b"]}, {}, "cited"),
    ({"a": "proved", "b": "definition", "c": "gap"}, {"a": ["b"], "b": ["c"]}, {}, "gap"), ({"a": "definition"}, {}, {}, "definition"),
    ({"a": "proved", "b": "proved"}, {"a": ["b"]}, {"b": ["ville"]}, "argued"), ({"a": "gap", "b": "proved"}, {"a": ["b"]}, {}, "gap"),
    ({"a": "proved", "b": "stress-tested"}, {"a": ["b"], "b": ["a"]}, {}, "stress-tested"), ({"a": "refuted"}, {}, {"a": ["ville"]}, "refuted"),
]  # fmt: skip
SAYS, MORE = SQUARE["statement"], stated("x > 0", "x >= 1", "x <= 2")["statement"]
AGAIN = {**MORE, "hypotheses": ["x <= 2", "x >= 1"]}
POINT = {"rule": "point", "at": {"x": "2"}}
BOTH = {"format": FORMAT, "all": [SQUARE, {"statement": MORE, "proof": EVIDENT}]}
# Certificates, statements, and whether the first is of the second.
CERTIFIES: list[tuple[Any, list[Data], bool]] = [
    (SQUARE, [SAYS], True), (SQUARE, [MORE], False), (SQUARE, [SAYS, MORE], False), (BOTH, [SAYS, AGAIN], True), (BOTH, [SAYS], False),
    (stated("x <= 1", proof=POINT), [stated("x <= 1")["statement"], SAYS], True), (stated("x <= 1", proof=POINT), [SAYS], False), (COUNTED, [], False),
    (TWICE, [SAYS], False), (SQUARE, [{**SAYS, "variables": {"x": "integer"}}], False), (SQUARE, [{**SAYS, "hypotheses": ["x > 0"]}], False),
    (SQUARE, [{**SAYS, "variables": {"x": "real", "f": "function"}}], False),
]  # fmt: skip
IDLES = [
    (SQUARE, 0), (IDLE, 1), (TWICE, 0), ({"all": [IDLE, SQUARE, IDLE]}, 2), ({"gap": {"with": SQUARE, "without": IDLE}}, 1), (COUNTED, 0),
    (stated("y <= x", y="real", x="real"), 0), ({"statement": {"variables": {"x": "real", "f": "function"}, "conclusion": "f(x) <= f(x)"}}, 1),
    ({"statement": {"variables": {"x": "real"}, "definitions": {"y": "x**2"}, "conclusion": "y <= x**2"}}, 1), ({"all": [GAP]}, 0),
]  # fmt: skip
ROW = {"id": "a", "title": "t", "anchors": [], "evidence": {}, "uses": [], "verdict": "proved", "expected": "proved"}
NO_ROWS: list[Any] = [
    [], {}, {"claims": {}}, {"claims": [1]}, *({"claims": [{**ROW, name: 7}]} for name in ROW),
    *({"claims": [ROW, {k: v for k, v in ROW.items() if k != name}]} for name in ROW),
]  # fmt: skip


def wrong() -> Iterator[str]:
    """Whatever in these tables is not as it should be, one line each."""
    for name, (claim, verdict, rejected, problems) in DECIDED.items():
        found = decide(claim)
        right = len(found.problems) == len(problems) and all(map(str.__contains__, found.problems, problems))
        if (found.verdict, found.control_rejected) != (verdict, rejected) or not right:
            yield f"{name}: {found.verdict}, {found.control_rejected}, {found.problems}"
        if as_expected(row(found)) != (not problems):
            yield f"{name} is as expected: {not problems}"
    for claims, complaint in GRAPHS:
        if complaint not in (said := _complaint(claims)) or bool(said) != bool(complaint):
            yield f"{[claim.id for claim in claims]}: {said!r}, not {complaint!r}"
    for words, uses, facts, weakest in HELD:
        verdicts = {name: Verdict(word) for name, word in words.items()}
        if holds_up_to("a", verdicts, uses, facts) != weakest:
            yield f"{words}, {uses}, {facts} hold up to {holds_up_to('a', verdicts, uses, facts)}"
    yield from _wrong_certificates()
    yield from _wrong_words()
    yield from _wrong_rows()


def _complaint(claims: list[Claim]) -> str:
    try:
        check_graph(claims, [LINE])
    except GraphError as complaint:
        return str(complaint)
    return ""


def _wrong_certificates() -> Iterator[str]:
    for certificate, statements, answer in CERTIFIES:
        if certifies(certificate, statements) != answer:
            yield f"{certificate} is of {statements}: {not answer}"
    for certificate, count in IDLES:
        if len(list(idle(certificate))) != count:
            yield f"{certificate} says nothing {list(idle(certificate))}"
    for found in (evidence_for(SQUARE, "p", "s"), evidence_for({**SQUARE, "proof": {"rule": ""}}, "p", "s")):
        if found.verdict != ("proved" if found.certificate else "undecided"):
            yield f"{found} of a certificate"
    for number in (0.5, float("nan")):
        try:
            accepted({**COUNTED, "note": number})
        except (Rejected, ValueError):
            continue
        yield f"{number} is exact"


def _wrong_words() -> Iterator[str]:
    for parts, verdict, whole in (
        ((PROVED, CERTIFIED), "certified", {"format": FORMAT, "all": [SQUARE, COUNTED]}), ((PROVED,), "proved", SQUARE),
        ((PROVED, NOTHING), "undecided", {}), ((REFUTED, NOTHING), "refuted", {"format": FORMAT, "all": [REFUTED.certificate]}),
        ((NOTHING, TESTED), "undecided", {}), ((PROVED, evidence("gap"), TESTED), "gap", {}),
    ):  # fmt: skip
        both = combine(*parts)
        if (both.verdict, both.certificate) != (verdict, whole) or (both.counterexample is None) != (
            REFUTED not in parts
        ):
            yield f"{[part.verdict for part in parts]} make {both}"
    if combine(replace(PROVED, scope="a box"), PROVED, replace(TESTED, scope="a grid")).scope != "a box; a grid":
        yield "a scope is lost"
    for first, second, verdict in (
        (PROVED, REFUTED, "gap"),
        (NOTHING, REFUTED, "undecided"),
        (PROVED, NOTHING, "undecided"),
    ):
        found = gap(first, second)
        if (found.verdict, found.certificate) != (verdict, GAP if verdict == "gap" else {}):
            yield f"a gap of {first.verdict} and {second.verdict} is {found}"
    reviewed = {"toy": digest(toy(), PROVED), **beside(toy())}
    for claim, read, word in (
        (toy(), reviewed, "argued"), (toy(), {}, "undecided"), (replace(toy(), title="another"), reviewed, "undecided"),
    ):  # fmt: skip
        if decide(claim, read).verdict != word:
            yield f"reviewed or not, {claim.title} is not {word}"
    if decide(toy(found=evidence("certified", stated("x >= 0"))), None, {}).verdict != "undecided":
        yield "a part without a control stands"


def _wrong_rows() -> Iterator[str]:
    claims = [
        toy("a", uses=("b",), facts=("ville",), location="m:9"),
        toy("b", carries=("a",), location="m:10"),
        toy("c", location="k:30"),
    ]
    found = results((row(decide(claim)) for claim in reversed(claims)), {"claims": 3})
    rows = {one["id"]: one for one in found["claims"]}
    if list(rows) != ["c", "a", "b"] or [rows[name]["falls_with_it"] for name in "abc"] != [[], ["a"], []]:
        yield f"the rows are {list(rows)}"
    if [rows[name]["all_facts"] for name in "abc"] != [["ville"], [], []] or facts_of(
        "b", {"b": ["a"]}, {"a": ["f"]}
    ) != ["f"]:
        yield "facts are lost"
    if (
        rows["a"]["holds_up_to"] != "argued"
        or not complete(found)
        or complete({**found, "claims": found["claims"][1:]})
    ):
        yield "the rows are incomplete"
    if as_expected({**rows["a"], "verdict": "proved"}) or as_expected({**rows["a"], "evidence": {"problems": ["p"]}}):
        yield "a broken rule is as expected"
    with TemporaryDirectory() as folder:
        for number, data in enumerate([{"claims": [ROW]}, *NO_ROWS]):
            path = Path(folder) / f"{number}.json"
            path.write_text(json.dumps(data))
            try:
                read_results(path)
            except ResultsError:
                if not number:
                    yield "a row is refused"
                continue
            if number:
                yield f"{data} is read as results"


def run() -> None:
    for problem in wrong():
        raise AssertionError(problem)
