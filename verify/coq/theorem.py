"""A theorem of Coq: its recorded check, and where Coq is installed Coq's answer, which must be the same.

A record (`checked.json`) holds only for the sources, the statement and the definitions that it names by hash.  Where
Coq is installed the sources are compiled besides, and a fresh process prints the statement, the axioms and every
definition of ours behind the statement.  The verdict is the same on both machines; `asked` says which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from glbcheck.core.kernel.check import FORMAT, Accepted
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.claim import Evidence, Formal, Verdict
from glbcheck.verify.coq import driver, pins, printed
from glbcheck.verify.coq.sources import CoqError
from glbcheck.verify.facts import said

AGAIN = "glbcheck coq --pin asks Coq and records its answer"
# `A -> B -> ~ mutant`, where every part is one name: what is denied is a definition, printed beside it.
_NEGATION = re.compile(r"(?:[\w.']+ -> )*~ ([\w.']+)")


@dataclass(frozen=True)
class Answer:
    """A theorem as printed, with what is behind it, and whether Coq was asked here or its check is recorded."""

    theorem: str
    statement: str
    definitions: Mapping[str, str]
    axioms: tuple[str, ...]
    version: str
    date: str
    asked: Literal["here", "recorded"]

    def data(self) -> dict[str, Any]:
        """What a certificate holds of the theorem: the same on every machine."""
        return {
            "theorem": self.theorem,
            "statement": self.statement,
            "definitions": dict(self.definitions),
            "axioms": list(self.axioms),
        }


def consult(theorem: str, folder: Path) -> Answer:
    """The theorem as recorded and, where Coq is installed, as Coq has it; `CoqError` when these differ."""
    found = recorded(theorem, folder)
    return _here(theorem, folder) if driver.ready() else found


def evidence(formal: Formal) -> Evidence:
    """The evidence that a theorem is: `proved`, or undecided when the record or Coq refuses it."""
    try:
        answers = consulted(formal)
    except CoqError as complaint:
        return Evidence(Verdict.UNDECIDED, "coq", str(complaint))
    return Evidence(Verdict.PROVED, "coq", summary(formal, answers), "", certificate(answers))


def denial(formal: Formal) -> Evidence:
    """The evidence against the near mutant that the control denies."""
    try:
        answer = _negation(formal.control, formal.folder)
    except CoqError as complaint:
        return Evidence(Verdict.UNDECIDED, "coq", str(complaint))
    return Evidence(Verdict.REFUTED, "coq", f"{formal.control}: {driver.squeezed(answer.statement)}")


def accepted(formal: Formal, given: Mapping[str, Any]) -> Accepted:
    """What Coq or its record, asked again, says of a certificate; `Rejected` unless it is that very answer."""
    try:
        answers = consulted(formal)
    except CoqError as complaint:
        raise Rejected(str(complaint)) from None
    if given != certificate(answers):
        raise Rejected(f"it is not what Coq says of {formal.theorem}")
    main = answers["theorem"]
    return Accepted(Verdict.PROVED, (main.version, *main.axioms, *(fact for _, fact in formal.premises)))


def consulted(formal: Formal) -> dict[str, Answer]:
    """The theorem, its control and its witness; refused unless each is what it has to be."""
    answers = {"theorem": consult(formal.theorem, formal.folder)}
    if formal.control:
        answers["control"] = _negation(formal.control, formal.folder)
    if formal.witness:
        answers["witness"] = consult(formal.witness, formal.folder)
    _refuse_premises(answers["theorem"], formal.premises)
    return answers


def refutation(formal: Formal) -> Answer:
    """The theorem, which has to be the negation of a named statement."""
    answer = _negation(formal.theorem, formal.folder)
    _refuse_premises(answer, formal.premises)
    return answer


def certificate(answers: Mapping[str, Answer]) -> dict[str, Any]:
    return {"format": FORMAT, "coq": {role: answer.data() for role, answer in answers.items()}}


def summary(formal: Formal, answers: Mapping[str, Answer]) -> str:
    """Who checked what, in a sentence."""
    main = answers["theorem"]
    who = main.version.replace(", version", "")
    when = "accepts" if main.asked == "here" else f"accepted (check recorded {main.date})"
    assumed = "; ".join(said(fact) for _, fact in formal.premises)
    assuming = f", assuming: {assumed}" if assumed else ""
    met = f"; its hypotheses can be met: {formal.witness}" if formal.witness else ""
    return f"{who} {when} {main.theorem}{assuming}; axioms: {', '.join(main.axioms) or 'none'}{met}"


def _negation(theorem: str, folder: Path) -> Answer:
    answer = consult(theorem, folder)
    if not _NEGATION.fullmatch(driver.squeezed(answer.statement)):
        raise CoqError(f"{theorem} is not the negation of a named statement")
    return answer


def _refuse_premises(answer: Answer, premises: Iterable[tuple[str, str]]) -> None:
    """Every declared premise must be one, and every textbook fact that the statement mentions be declared."""
    declared = {name for name, _ in premises}
    if unused := sorted(declared - set(answer.definitions)):
        raise CoqError(f"{answer.theorem} does not assume {unused[0]}")
    if hidden := sorted((driver.PREMISES & set(answer.definitions)) - declared):
        raise CoqError(f"{answer.theorem} assumes {hidden[0]}, which the claim does not say")


def _here(theorem: str, folder: Path) -> Answer:
    known, ours, store = pins.read(folder), pins.libraries(theorem, folder), driver.store()
    if theorem not in known.statements:
        raise CoqError(f"{theorem} is not in {pins.STATEMENTS}; enter it, then glbcheck coq --pin")
    module = driver.module_of(theorem)
    driver.build(ours, store, [module])
    near = driver.plan(ours, "").closure([module])
    beside = [name for name in known.statements if name.rpartition(".")[0] == module]
    try:
        statements, texts = printed.together(beside, known.lemmas(near), ours, store)
    except CoqError:  # of one beside it, perhaps
        statements, texts = printed.together([theorem], known.lemmas(near), ours, store)
    said = statements[theorem]
    if driver.squeezed(said.text) != driver.squeezed(known.statements[theorem]):
        raise CoqError(f"{theorem} says something else than {pins.STATEMENTS}: {driver.squeezed(said.text)}")
    behind = {}
    for name in printed.reached(said, texts, ours):
        if name not in texts:
            raise CoqError(f"{theorem} rests on {name}, which is not in {pins.DEFINITIONS}; try: glbcheck coq --pin")
        behind[name] = texts[name]
        if driver.squeezed(texts[name].text) != driver.squeezed(known.definitions[name]):
            raise CoqError(f"{theorem} rests on {name}, which is not what {pins.DEFINITIONS} says")
    if known.checked.get(theorem, {}).get("says") != pins.says(said, behind):
        raise CoqError(f"{theorem} is not, in full, what {pins.CHECKED} says; read it again, then glbcheck coq --pin")
    found = {name: one.text for name, one in behind.items()}
    return Answer(theorem, said.text, found, said.axioms, driver.version(), date.today().isoformat(), "here")


def recorded(theorem: str, folder: Path) -> Answer:
    """The last check, if it was one of these very sources and of the statement that is written down."""
    known = pins.read(folder)
    last = known.checked.get(theorem)
    if last is None or theorem not in known.statements:
        raise CoqError(f"{theorem}: no check by Coq is recorded; {AGAIN}")
    if last["sources"] != driver.sources_hash(theorem, pins.libraries(theorem, folder))[: pins.SHORT]:
        raise CoqError(f"{theorem}: sources changed since the recorded check; {AGAIN}")
    found = {name: known.definitions[name] for name in last["definitions"] if name in known.definitions}
    if last["reads"] != pins.reads(known.statements[theorem], found):
        raise CoqError(f"{theorem}: its statement or a definition changed since the recorded check; {AGAIN}")
    said, axioms = known.statements[theorem], tuple(last["axioms"])
    return Answer(theorem, said, found, axioms, last["coq"], last.get("date", "earlier"), "recorded")
