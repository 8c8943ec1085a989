"""Certificates, from the side of those who find them: how one is put together, and what the kernel says of it.

A prover never states a verdict: it hands a certificate to `evidence_for`, and the word is the kernel's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from glbcheck.core.kernel.check import FORMAT, Accepted, Oracle, check, read_statement
from glbcheck.core.kernel.language import parse, parse_relation
from glbcheck.core.kernel.terms import Rejected, Term, variable
from glbcheck.verify.claim import Evidence, Statement, Verdict

Certificate = dict[str, Any]
Proof = Mapping[str, Any]
EVIDENT: Proof = {"rule": "evident"}


def accepted(certificate: Mapping[str, Any], oracle: Oracle | None = None) -> Accepted:
    """What the kernel says of the certificate as it would stand in a file; `Rejected` if it does not stand."""
    return check(json.loads(json.dumps(certificate, allow_nan=False), parse_float=_refuse), oracle)


def _refuse(text: str) -> Any:
    raise Rejected(f"the number {text} is not exact")


def statement_data(statement: Statement, variables: Mapping[str, str] | Iterable[str]) -> dict[str, Any]:
    """A statement as the kernel reads it; plain names are real variables."""
    kinds = dict(variables) if isinstance(variables, Mapping) else dict.fromkeys(variables, "real")
    data: dict[str, Any] = {"variables": kinds}
    if statement.definitions:
        data["definitions"] = dict(statement.definitions)
    return {**data, "hypotheses": list(statement.hypotheses), "conclusion": statement.conclusion}


def certificate(statement: Mapping[str, Any], proof: Proof, example: Mapping[str, Any] | None = None) -> Certificate:
    made: Certificate = {"format": FORMAT, "statement": dict(statement), "proof": proof}
    return {**made, "example": example} if example is not None else made


def evidence_for(
    found: Certificate, prover: str, summary: str, scope: str = "", oracle: Oracle | None = None
) -> Evidence:
    """The evidence that a certificate is, or UNDECIDED with the kernel's complaint."""
    try:
        word = accepted(found, oracle).word
    except Rejected as complaint:
        return Evidence(Verdict.UNDECIDED, prover, f"{summary}: the kernel does not accept it: {complaint}")
    return Evidence(Verdict(word), prover, summary, scope, found)


def certifies(certificate: Mapping[str, Any], statements: Sequence[Mapping[str, Any]]) -> bool:
    """Are the statements of this certificate, taken together, these?  A refutation needs one of them only."""
    found = [part.get("statement") for part in certificate.get("all", [certificate])]
    proved = {_meaning(data) for data in found if data}
    claimed = {_meaning(data) for data in statements}
    refutes = certificate.get("proof", {}).get("rule") == "point"
    return None not in found and (proved <= claimed if refutes else proved == claimed)


def not_decided(certificate: Mapping[str, Any], statements: Iterable[Mapping[str, Any]]) -> str:
    """The conclusion of the first of these statements that the certificate does not hold, if there is one."""
    held = {_meaning(data) for data in _statements(certificate)}
    return next((data["conclusion"] for data in statements if _meaning(data) not in held), "")


def _statements(certificate: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every statement in a certificate, proved or refuted."""
    for part in (*certificate.get("all", ()), *certificate.get("gap", {}).values()):
        yield from _statements(part)
    if "statement" in certificate:
        yield certificate["statement"]


def relations(data: Mapping[str, Any]) -> list[tuple[Term, str, Term]]:
    """The hypotheses of a statement and last its conclusion, each side as it is written."""
    declared = data.get("variables", {})
    functions = frozenset(name for name, kind in declared.items() if kind == "function")
    names = {name: variable(name) for name in declared if name not in functions}
    for name, text in data.get("definitions", {}).items():
        names[name] = parse(text, names, functions)
    return [parse_relation(text, names, functions) for text in (*data.get("hypotheses", []), data["conclusion"])]


def says_nothing(statement: Mapping[str, Any]) -> bool:
    """Has the conclusion one term on both sides?  Whatever was to be shown was worked out before it was stated."""
    left, _, right = relations(statement)[-1]
    return left is right


def idle(certificate: Mapping[str, Any]) -> Iterator[str]:
    """The conclusions in a certificate that say nothing."""
    if "all" in certificate or "gap" in certificate:
        for part in certificate.get("all") or certificate["gap"].values():
            yield from idle(part)
    elif "statement" in certificate and says_nothing(certificate["statement"]):
        yield certificate["statement"]["conclusion"]


def _meaning(data: Mapping[str, Any]) -> Any:
    """What a statement says, whatever the order of its hypotheses."""
    context, goal = read_statement(data)
    return frozenset(context.kinds), context.functions, frozenset(context.facts), goal
