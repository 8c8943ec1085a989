"""The ledger: decisions become rows, rows become `results.json`, and every view reads only that.

A row is plain data, so it travels between processes and files unchanged.  `holds_up_to` is computed
here from the rows: the weakest verdict over a claim and everything it uses, directly or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from glbcheck.core.files import read_json
from glbcheck.core.versions import versions
from glbcheck.verify.claim import Verdict
from glbcheck.verify.claims.shown import plain
from glbcheck.verify.facts import FACTS, said
from glbcheck.verify.judge import Decision
from glbcheck.verify.review import core_statements, digest
from glbcheck.verify.wording import latex

CERTIFICATES = "certificates"
NOT_ASKED = {"asked": "no", "version": None, "date": None}  # of a theorem without a check that counts
Row = dict[str, Any]
Results = dict[str, Any]

# Notation and headings support a theorem without weakening it; a citation does weaken it.
_NEUTRAL = (Verdict.DEFINITION, Verdict.STRUCTURAL)


class ResultsError(ValueError):
    """A file that is not a `results.json`."""


def ancestors(claim_id: str, uses: Mapping[str, Sequence[str]]) -> set[str]:
    """The claim and everything it rests on; along `carries`, and everything whose printed proof falls with it."""
    found: set[str] = set()
    stack = [claim_id]
    while stack:
        here = stack.pop()
        if here not in found:
            found.add(here)
            stack.extend(uses.get(here, ()))
    return found


def facts_of(claim_id: str, uses: Mapping[str, Sequence[str]], facts: Mapping[str, Sequence[str]]) -> list[str]:
    """The textbook facts that the claim and everything it rests on use."""
    return sorted({fact for name in ancestors(claim_id, uses) for fact in facts.get(name, ())})


def fact_table(facts: Mapping[str, Sequence[str]]) -> list[Row]:
    """Each textbook fact that some claim names, with its reference and who names it."""
    users: dict[str, list[str]] = {}
    for claim_id, named in facts.items():
        for name in named:
            users.setdefault(name, []).append(claim_id)
    return [
        {"id": name, "statement": FACTS[name].statement, "reference": FACTS[name].reference, "used_by": users[name]}
        for name in sorted(users)
    ]


def holds_up_to(
    claim_id: str,
    verdicts: Mapping[str, Verdict],
    uses: Mapping[str, Sequence[str]],
    facts: Mapping[str, Sequence[str]],
) -> Verdict:
    """The weakest verdict over the claim, its ancestors and their facts; what was not run counts as undecided.

    A textbook fact is not machine-checked here, so what uses one holds up to `argued` at best.
    """
    support = [verdicts.get(name, Verdict.UNDECIDED) for name in ancestors(claim_id, uses) - {claim_id}]
    support += [Verdict.ARGUED] * bool(facts_of(claim_id, uses, facts))
    own = verdicts[claim_id]
    return max([own, *(v for v in support if v not in _NEUTRAL)], key=lambda verdict: verdict.rank)


def row(decision: Decision) -> Row:
    """One claim of `results.json`, all but `holds_up_to`, which needs the other rows."""
    claim, evidence = decision.claim, decision.evidence
    return {
        "id": claim.id,
        "anchors": list(claim.anchors),
        "title": claim.title,
        "statement": claim.states or _coq_statement(decision),
        "steps": plain(claim.steps) if claim.steps else None,
        "letters": dict(claim.steps.letters) if claim.steps else {},
        "chain": claim.chain,
        "argument": claim.argument,
        "facts": list(claim.facts),
        "core": core_statements(evidence.certificate),
        "words": digest(claim, evidence, decision.coq),
        "coq": _coq(decision),
        "math": latex(claim.states) if claim.states else claim.math,
        "reading": str(claim.reading),
        "verdict": str(decision.verdict),
        "expected": str(claim.expected),
        "prover": evidence.prover,
        "kernel": {"word": str(decision.kernel.word), "rests_on": list(decision.kernel.rests_on)}
        if decision.kernel
        else None,
        "scope": evidence.scope,
        "evidence": {
            "summary": evidence.summary,
            "hypotheses": list(claim.hypotheses),
            "discharges": dict(claim.discharges),
            "certificate": _plain(evidence.certificate),
            "problems": list(decision.problems),
            "location": claim.location,
            "parts": [{**asdict(part), "refuted": part.refuted} for part in decision.parts],
        },
        "counterexample": _plain(asdict(evidence.counterexample)) if evidence.counterexample else None,
        "severity": str(claim.severity) if claim.severity else None,
        "consequence": claim.consequence,
        "control": None
        if claim.control is None
        else {"statement": claim.control.statement, "rejected": decision.control_rejected},
        "uses": list(claim.uses),
        "carries": list(claim.carries),
        "seconds": round(decision.seconds, 3),
    }


def _coq(decision: Decision) -> Row | None:
    """The Coq theorem behind a claim, how Coq was asked, and the textbook facts that the theorem assumes."""
    formal, found = decision.claim.coq, decision.coq
    if formal is None:
        return None
    asked = {"asked": found.asked, "version": found.version, "date": found.date} if found else dict(NOT_ASKED)
    shown = found.data() if found else {"theorem": formal.theorem, "statement": "", "definitions": {}, "axioms": []}
    return {**shown, **asked, "assumes": [said(fact) for _, fact in formal.premises]}


def _coq_statement(decision: Decision) -> str | None:
    """What Coq prints, for a claim that is a Coq theorem."""
    formal = decision.claim.coq
    return decision.coq.statement if decision.coq and formal and formal.control else None


def as_expected(one: Mapping[str, Any]) -> bool:
    """The verdict is the declared one and no rule was broken on the way to it."""
    return one["verdict"] == one["expected"] and not one["evidence"]["problems"]


def results(rows: Iterable[Row], paper: Mapping[str, Any] | None = None) -> Results:
    """The whole `results.json`, in the order of the ids' first appearance in the source."""
    ordered = sorted(rows, key=_source_order)
    uses = {one["id"]: one["uses"] for one in ordered}
    verdicts = {one["id"]: Verdict(one["verdict"]) for one in ordered}
    facts = {one["id"]: one["facts"] for one in ordered}
    carries = {one["id"]: one["carries"] for one in ordered}
    claims = [
        {
            **one,
            "all_facts": facts_of(one["id"], uses, facts),
            "holds_up_to": str(holds_up_to(one["id"], verdicts, uses, facts)),
            "falls_with_it": sorted(ancestors(one["id"], carries) - {one["id"]}),
        }
        for one in ordered
    ]
    return {"paper": dict(paper or {}), "versions": versions(), "claims": claims, "facts": fact_table(facts)}


def write(found: Results, path: str | Path) -> None:
    """Write `results.json`, and beside it every certificate in a file of its own, which `glbcheck replay` checks."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    claims = [_filed(one, target.parent) for one in found["claims"]]
    text = json.dumps({**found, "claims": claims}, indent=1, ensure_ascii=False)
    target.write_text(text + "\n", encoding="utf-8")


def _filed(one: Row, folder: Path) -> Row:
    """The row with the name of the file that now holds its certificate."""
    certificate = one["evidence"]["certificate"]
    if not isinstance(certificate, Mapping) or not certificate:
        return one
    name = f"{CERTIFICATES}/{file_name(one['id'])}"
    (folder / CERTIFICATES).mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(certificate, ensure_ascii=False) + "\n", encoding="utf-8")
    return {**one, "evidence": {**one["evidence"], "certificate": name}}


def read(path: str | Path) -> Results:
    """Read a `results.json` back."""
    try:
        found = read_json(path)
    except (OSError, ValueError) as err:
        raise ResultsError(f"{path}: not a readable JSON file ({err})") from None
    if not isinstance(found, dict) or not isinstance(found.get("claims"), list):
        raise ResultsError(f"{path}: not a results file (no list of claims)")
    for number, one in enumerate(found["claims"]):
        if complaint := _odd_row(one):
            raise ResultsError(f"{path}: not a results file (claim number {number + 1}: {complaint})")
        if "ran" in (one.get("coq") or {}):  # written before checks had a date
            one["coq"] |= {"asked": "here" if one["coq"].pop("ran") else "recorded", "date": "earlier"}
    return found


def _odd_row(one: Any) -> str:
    """What is wrong with a claim that was read back, if something is."""
    if not isinstance(one, dict):
        return "not an object"
    for name, kind in (("id", str), ("title", str), ("anchors", list), ("evidence", dict), ("uses", list)):
        if not isinstance(one.get(name), kind):
            return f"{name} is missing or not a {kind.__name__}"
    words = [one.get("verdict"), one.get("expected")]
    strange = [word for word in words if word not in list(Verdict)]
    return f"{strange[0]!r} is not a verdict" if strange else ""


def complete(found: Results) -> bool:
    """Every claim of the paper was decided."""
    return bool(len(found["claims"]) == found["paper"].get("claims"))


def holds_complete(path: Path) -> bool:
    """A file with the results of every claim is there."""
    try:
        return complete(read(path))
    except (ResultsError, KeyError):
        return False


def file_name(claim_id: str) -> str:
    """A claim's id as a file name."""
    return re.sub(r"[^\w.@-]", "_", claim_id) + ".json"


def _source_order(one: Row) -> tuple[str, int]:
    module, _, line = one["evidence"]["location"].rpartition(":")
    return module, int(line or 0)


def _plain(data: Any) -> Any:
    """Nested data as JSON knows it; exact numbers become text, never floats."""
    if isinstance(data, Mapping):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, set | frozenset):
        return sorted((_plain(value) for value in data), key=str)
    if data is None or isinstance(data, bool | int | float | str):
        return _finite(data)
    return str(data)


def _finite(value: Any) -> Any:
    """JSON has no infinities, and digits beyond 64 bits do not survive every reader."""
    if isinstance(value, float) and value - value != 0:
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return str(value)
    return str(value) if isinstance(value, str) else value
