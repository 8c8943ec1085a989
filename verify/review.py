"""The words of a claim are reviewed together with what was decided: whoever changes one reviews both again.

A claim in words (a title, hypotheses, an argument around machine-checked statements) cannot be checked by a
machine.  So a paper's folder records, for each, a digest of all that a reader sees of it and of every statement
that its certificate holds, and beside it one of its places, of what it uses and of each fact that it names; where
they no longer agree the claim is undecided.  `glbcheck check --review` records them, for somebody who has read the
claim again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.claims import checked
from glbcheck.verify.coq.driver import squeezed
from glbcheck.verify.coq.theorem import Answer
from glbcheck.verify.facts import FACTS

UNREVIEWED = "its words, or what was decided, are not those that were reviewed; read it again, then check --review"


def core_statements(certificate: Any) -> list[str]:
    """What was decided by machine, as text: every statement that the certificate holds."""
    if not isinstance(certificate, Mapping):
        return []
    if "coq" in certificate:
        return [f"{one['theorem']}: {squeezed(one['statement'])}" for one in certificate["coq"].values()]
    if "statement" in certificate:
        data = certificate["statement"]
        kinds = [f"{name}: {kind}" for name, kind in data.get("variables", {}).items() if kind != "real"]
        named = [f"{name} := {formula}" for name, formula in data.get("definitions", {}).items()]
        given = ", ".join((*kinds, *named, *data.get("hypotheses", [])))
        return [f"{given} => {data['conclusion']}" if given else str(data["conclusion"])]
    if "invariant" in certificate:
        data = certificate["invariant"]
        return [f"always {data['claim']}, if {', '.join((*data['always'], *data['initial'], *data['transition']))}"]
    if "game" in certificate:
        game = certificate["game"]
        return [f"{game['sense']} over {len(game['states'])} states {game['claim']}"]
    if "computed" in certificate:
        return [f"{certificate['computed']['what']} {certificate['computed']['claim']}"]
    inside = [*certificate.get("all", ()), *certificate.get("gap", {}).values()]
    return [text for part in inside for text in core_statements(part)]


# Of a search or a series of trials, what was asked for; what was measured differs between machines.
ASKED = ("asked", "seed", "power", "trials", "p0", "alpha", "passes up to", "alternative", "limit")


def numbers(certificate: Any) -> list[Any]:
    """The numbers beside the statements: values that were computed, sizes and thresholds of searches and trials."""
    if not isinstance(certificate, Mapping):
        return []
    if "computed" in certificate:
        return [certificate["computed"]["value"]]
    for kind in ("search", "trials"):
        if kind in certificate:
            found = {name: value for name, value in certificate[kind].items() if name in ASKED}
            return [{**found, "power": sorted(found["power"])} if isinstance(found.get("power"), Mapping) else found]
    inside = [*certificate.get("all", ()), *certificate.get("gap", {}).values()]
    return [one for part in inside for one in numbers(part)]


def digest(claim: Claim, evidence: Evidence, answer: Answer | None = None) -> str:
    """Of the words of a claim, its control, what was decided (by Coq too), and how much was searched."""
    words: list[Any] = [
        claim.title,
        claim.math,
        claim.hypotheses,
        claim.argument,
        claim.facts,
        claim.reading,
        claim.consequence,
    ]
    beside = (claim.discharges, claim.severity, claim.carries, numbers(evidence.certificate))
    words += [one for one in beside if one]
    if claim.steps is not None:
        words += [claim.steps.shown, dict(claim.steps.letters), claim.chain]
    control = claim.control.statement if claim.control else ""
    printed = evidence.certificate.get("coq", {}) or ({"theorem": answer.data()} if answer else {})
    formal = [[one["theorem"], squeezed(one["statement"]), _texts(one["definitions"])] for one in printed.values()]
    said = [words, control, core_statements(evidence.certificate), *formal]
    return _short(said)


def _short(said: Any) -> str:
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]


def _texts(definitions: Mapping[str, str]) -> list[list[str]]:
    return [[name, squeezed(definitions[name])] for name in sorted(definitions)]


def complaint(
    claim: Claim, evidence: Evidence, reviewed: Mapping[str, str] | None, answer: Answer | None = None
) -> str:
    """Why the words of this claim may not stand, if so."""
    said_nothing = claim.control is None and evidence.verdict is Verdict.UNDECIDED
    if reviewed is None or said_nothing:
        return ""
    seen = {claim.id: digest(claim, evidence, answer), **beside(claim)}
    return "" if all(reviewed.get(name) == one for name, one in seen.items()) else UNREVIEWED


def beside(claim: Claim) -> dict[str, str]:
    """What a reader sees beside the words of a claim: the places it speaks about, what it rests on, its facts."""
    premises = sorted(fact for _, fact in claim.coq.premises) if claim.coq else []
    links = {f"links of {claim.id}": _short([claim.anchors, claim.uses, premises])}
    named = [FACTS[name] for name in (*claim.facts, *premises) if name in FACTS]
    return links | {f"fact {one.id}": _short([one.statement, one.reference]) for one in named}


def read(folder: Path) -> dict[str, str] | None:
    """What was reviewed of the paper in this folder; None if nobody ever did."""
    return checked.read(folder, "words")


def record(folder: Path, digests: Mapping[str, str], everything: bool = False) -> None:
    """Enter these claims as reviewed; where they are everything there is, what was known of others goes."""
    known = {**({} if everything else read(folder) or {}), **digests}
    checked.record(folder, "words", known)
