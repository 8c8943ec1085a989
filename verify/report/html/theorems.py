"""The first tables: does each theorem, and each sentence of the abstract, hold as printed, as repaired, or not?"""

from __future__ import annotations

from collections.abc import Sequence

from glbcheck.verify.claim import Verdict
from glbcheck.verify.report import answers
from glbcheck.verify.report.answers import Answer
from glbcheck.verify.report.counting import is_wrong
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.facts import fact_link
from glbcheck.verify.report.html.findings import LACKING, assuming
from glbcheck.verify.report.html.formulas import latex
from glbcheck.verify.report.html.index import Index, anchor_link
from glbcheck.verify.report.html.markup import Child, Safe, el, part, table

SHOWN = 2  # claims in a cell before the rest is folded
FALSE_SHOWN = 4
KINDS = ("Coq", "Kernel", "Engines", "Argued", "Tested", "Counterexample")


def section(index: Index) -> Safe | None:
    """The theorems, one row each; nothing for a paper without theorems."""
    found = answers.theorems(index.anchors, index.claims)
    if not found:
        return None
    columns = ("theorem", "as printed", "as repaired", "evidence", "false or incomplete steps of the printed proof")
    rows = (
        (
            _name(one, index),
            _printed(one, index),
            _repaired(one, index),
            _evidence(one, index),
            _folded([_false(claim, index) for claim in one.rests_on], FALSE_SHOWN) or "none that was found",
        )
        for one in found
    )
    made = table("The theorems, as printed and as repaired", columns, rows, class_="answers theorems stacks")
    return part("answers", "Which theorems stand", _headline(found), made)


def abstract(index: Index) -> Safe | None:
    """The abstract sentence by sentence, if there is one."""
    found = answers.abstract(index.anchors, index.claims)
    if not found:
        return None
    columns = ("sentence of the abstract", "answer", "as printed", "as repaired")
    rows = (
        (
            anchor_link(one.anchor),
            el("b", one.words),
            _folded([_claim(claim, index) for claim in one.printed]),
            _folded([_claim(claim, index) for claim in one.repaired]),
        )
        for one in found
    )
    return part("abstract", "The abstract", None, table("Sentence by sentence", columns, rows, class_="answers stacks"))


def _headline(found: Sequence[Answer]) -> list[Child]:
    """How many stand as printed, and how many do once repaired."""
    words = [one.words for one in found]
    printed = sum(one.stands for one in found)
    repaired = sum(said.endswith("true as repaired") for said in words)
    rest = len(found) - printed - repaired
    said = f"{printed} of {len(found)} theorems stand as printed; {repaired} stand once repaired."
    return [el("b", said), f" {rest} are neither." if rest else ""]


def _name(answer: Answer, index: Index) -> Child:
    name = index.name(answer.anchor)
    if name == answer.anchor:
        return anchor_link(answer.anchor)
    return [el("b", name), el("br"), anchor_link(answer.anchor)]


def _printed(answer: Answer, index: Index) -> list[Child]:
    """The statement, the answer in words, and what is wrong with it."""
    claim = answer.statement
    statement = claim["math"].partition(LACKING)[0].strip() if claim else ""
    wrong = [one for one in answer.printed if is_wrong(one)]
    return [
        el("p", latex(statement), class_="math") if statement else None,
        el("p", el("b", answer.words), class_="answer"),
        _folded([_claim(one, index, evidence=False) for one in wrong or answer.printed], SHOWN),
    ]


def _repaired(answer: Answer, index: Index) -> Child:
    """The repair nearest to the printed statement, then the strongest one, each as a formula; then the others."""
    nearest = [one for one in index.repairs(answer.statement) if one in answer.repaired] if answer.statement else []
    stated = [one for one in answer.repaired if one.get("math")]
    ordered = list({one["id"]: one for one in (*nearest[:1], *stated[:1], *answer.repaired)}.values())
    shown = _folded([[_formula(one, index), _claim(one, index, evidence=False)] for one in ordered], SHOWN)
    return [el("p", "no repair is needed; besides", class_="assuming"), shown] if answer.stands and shown else shown


def _formula(claim: Record, index: Index) -> Child:
    """A statement and its hypotheses: without them a repair may look like what it repairs."""
    return [el("p", latex(claim["math"]), class_="math"), assuming(claim, index)] if claim.get("math") else None


def _evidence(answer: Answer, index: Index) -> Child:
    """The claims about the theorem by the means that decided them, the repaired ones first."""
    groups: dict[str, list[Record]] = {}
    for claim in (*answer.repaired, *answer.printed):
        groups.setdefault(_kind(claim), []).append(claim)
    return [
        el("div", el("b", kind), _folded([_means(one, index) for one in groups[kind]], 1), class_="means")
        for kind in KINDS
        if kind in groups
    ]


def _kind(claim: Record) -> str:
    verdict = Verdict(claim["verdict"])
    if claim.get("coq"):
        return "Coq"
    return {
        Verdict.PROVED: "Kernel",
        Verdict.CERTIFIED: "Engines",
        Verdict.CERTIFIED_ON_BOX: "Engines",
        Verdict.ARGUED: "Argued",
        Verdict.REFUTED: "Counterexample",
        Verdict.GAP: "Counterexample",
    }.get(verdict, "Tested")


def _means(claim: Record, index: Index) -> Safe:
    """A claim, how it was decided, and the textbook facts that it rests on."""
    theorem = el("p", el("code", claim["coq"]["theorem"]), class_="assuming") if claim.get("coq") else None
    said = "" if answers.evidence(claim) == _kind(claim) else answers.evidence(claim)
    how = el("p", index.words(said), class_="assuming") if said else None
    return el("div", link(claim), theorem, how, _facts(claim))


def _facts(claim: Record) -> Safe | None:
    facts = claim["all_facts"] if answers.uses_facts(claim) else ()
    if not facts:
        return None
    named = el("ul", (el("li", fact_link(name)) for name in facts), class_="links")
    return el("details", el("summary", f"with {len(facts)} textbook facts"), named, class_="assuming")


def _false(claim: Record, index: Index) -> Safe:
    """A step that is wrong, with its place in the paper."""
    return el("div", link(claim), el("p", index.place(claim), class_="assuming"))


def _claim(claim: Record, index: Index, evidence: bool = True) -> Safe:
    """A claim with its title, what it lacks if it is a gap, and how it was decided."""
    lacking = claim.get("math", "").partition(LACKING)[2].strip()
    needs = el("p", "holds if ", latex(lacking), class_="math") if lacking else None
    said = [el("p", index.title(claim)), needs]
    decided = [el("p", index.words(answers.evidence(claim)), class_="assuming"), _facts(claim)] if evidence else None
    return el("div", link(claim), said, decided)


def _folded(items: Sequence[Child], most: int = SHOWN) -> Child:
    """The first few; the others until they are opened."""
    if not items:
        return None
    first = el("ul", (el("li", item) for item in items[:most]), class_="links")
    rest = items[most:]
    more = el("ul", (el("li", item) for item in rest), class_="links")
    return [first, el("details", el("summary", f"{len(rest)} more"), more, class_="more") if rest else None]
