"""What Coq says of a theorem here and now, or, where there is no Coq, what the last recorded check said.

Nothing here is believed: with Coq the sources are compiled, a fresh process prints the statement, the axioms and
every definition of ours behind the statement, and all of it must be what was written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glbcheck.core.kernel.check import FORMAT, Accepted
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.claim import Evidence, Formal, Verdict
from glbcheck.verify.coq import driver, pins, printed
from glbcheck.verify.coq.sources import CoqError
from glbcheck.verify.facts import said

NOT_RUN = "not run on this machine"
# `A -> B -> ~ mutant`, where every part is one name: what is denied is a definition, printed beside it.
_NEGATION = re.compile(r"(?:[\w.']+ -> )*~ ([\w.']+)")


@dataclass(frozen=True)
class Answer:
    """A theorem as printed, with what is behind it; `ran` is False for the memory of an earlier check."""

    theorem: str
    statement: str
    definitions: Mapping[str, str]
    axioms: tuple[str, ...]
    version: str
    ran: bool

    def data(self) -> dict[str, Any]:
        return {
            "theorem": self.theorem,
            "statement": self.statement,
            "definitions": dict(self.definitions),
            "axioms": list(self.axioms),
            "version": self.version,
            "ran": self.ran,
        }


def consult(theorem: str, folder: Path) -> Answer:
    """The theorem as Coq has it; `CoqError` when it is not what was written down."""
    return _here(theorem, folder) if driver.ready() else remembered(theorem, folder)


def evidence(formal: Formal) -> Evidence:
    """The evidence that a theorem is: `proved` where Coq ran, `argued` from memory, undecided when refused."""
    try:
        answers = consulted(formal)
    except CoqError as complaint:
        return Evidence(Verdict.UNDECIDED, "coq", str(complaint))
    verdict = Verdict.PROVED if answers["theorem"].ran else Verdict.ARGUED
    return Evidence(verdict, "coq", summary(formal, answers), "", certificate(answers))


def denial(formal: Formal) -> Evidence:
    """The evidence against the near mutant that the control denies."""
    try:
        answer = _negation(formal.control, formal.folder)
    except CoqError as complaint:
        return Evidence(Verdict.UNDECIDED, "coq", str(complaint))
    return Evidence(Verdict.REFUTED, "coq", f"{formal.control}: {driver.squeezed(answer.statement)}")


def accepted(formal: Formal, given: Mapping[str, Any]) -> Accepted:
    """What Coq, asked again, says of a certificate; `Rejected` unless the certificate is that very answer."""
    try:
        answers = consulted(formal)
    except CoqError as complaint:
        raise Rejected(str(complaint)) from None
    if given != certificate(answers):
        raise Rejected(f"it is not what Coq says of {formal.theorem}")
    main = answers["theorem"]
    said = () if main.ran else (f"a recorded check, {NOT_RUN}",)
    word = Verdict.PROVED if main.ran else Verdict.ARGUED
    return Accepted(word, (main.version, *said, *main.axioms, *(fact for _, fact in formal.premises)))


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
    who = f"{main.version.rpartition(' ')[0].replace(', version', '')} {main.version.rpartition(' ')[2]}"
    ran = f"{who} accepts {main.theorem}" if main.ran else f"{who} accepted {main.theorem} when last checked; {NOT_RUN}"
    assumed = "; ".join(said(fact) for _, fact in formal.premises)
    assuming = f", assuming: {assumed}" if assumed else ""
    met = f"; its hypotheses can be met: {formal.witness}" if formal.witness else ""
    return f"{ran}{assuming}; axioms: {', '.join(main.axioms) or 'none'}{met}"


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
    return Answer(theorem, said.text, found, said.axioms, driver.version(), ran=True)


def remembered(theorem: str, folder: Path) -> Answer:
    """The last check, if it was one of these very sources and of the statement that is written down."""
    known = pins.read(folder)
    last = known.checked.get(theorem)
    if last is None or theorem not in known.statements:
        raise CoqError(f"{theorem}: Coq is not installed, and no check is recorded")
    if last["sources"] != driver.sources_hash(theorem, pins.libraries(theorem, folder))[: pins.SHORT]:
        raise CoqError(f"{theorem}: Coq is not installed, and the recorded check was one of other sources")
    found = {name: known.definitions[name] for name in last["definitions"] if name in known.definitions}
    if last["reads"] != pins.reads(known.statements[theorem], found):
        raise CoqError(f"{theorem}: Coq is not installed, and the recorded check was one of another statement")
    return Answer(theorem, known.statements[theorem], found, tuple(last["axioms"]), last["coq"], ran=False)
