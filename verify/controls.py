"""A control for every machine-checked part: an edit of its own statement that a point refutes.

A paper's folder records, for each part that a claim's certificate holds, which edit and which point; the kernel
checks both at every run.  A part without one makes its claim undecided, unless the record says why no edit can be
refuted at a point.  `glbcheck check --review` looks for those that are missing (`search.refuted_edits`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import edits
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claims import checked
from glbcheck.verify.review import core_statements

Part = Mapping[str, Any]
Records = Mapping[str, Mapping[str, Any]]
KINDS = ("statement", "invariant", "game", "computed")


@dataclass(frozen=True)
class PartControl:
    """One part of a certificate, and the edit of it that was refuted, or why there is none."""

    part: str
    edit: str
    edited: str = ""
    at: str = ""
    complaint: str = ""

    @property
    def refuted(self) -> bool:
        return bool(self.edited) and not self.complaint


def parts(certificate: Any) -> Iterator[Part]:
    """What a certificate proves: every statement, invariant, game and computed number in it, but no refutation."""
    if not isinstance(certificate, Mapping):
        return
    inside = [*certificate.get("all", ()), *certificate.get("gap", {}).values()]
    for part in inside:
        yield from parts(part)
    refutation = certificate.get("proof", {}).get("rule") == "point"
    if not inside and not refutation and any(kind in certificate for kind in KINDS):
        yield certificate


def key(part: Part) -> str:
    """A digest of what the part says, whatever its proof."""
    said = next(part[kind] for kind in KINDS if kind in part)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def statements(part: Part) -> list[dict[str, Any]]:
    """The part as statements whose edits may be put to a point; an invariant is what its first step reaches."""
    if "statement" in part:
        return [_without_integral(dict(part["statement"]))]
    if "invariant" not in part:
        return []
    data = part["invariant"]
    start = {"variables": dict(data["variables"]), "hypotheses": [*data["always"], *data["initial"]]}
    return [{**start, "conclusion": data["claim"]}, _after_one_step(data)]


def _without_integral(data: dict[str, Any]) -> dict[str, Any]:
    """For an equation with an integral on one side: the other side against itself.

    The part shows both sides equal, so whatever makes an edit of this false makes that edit of the equation false.
    """
    left, relation, right = edits.sides(data["conclusion"])
    plain = [side for side in (left, right) if "integral(" not in side]
    return {**data, "conclusion": f"{plain[0]} == {plain[0]}"} if relation == "==" and len(plain) == 1 else data


def _after_one_step(data: Mapping[str, Any]) -> dict[str, Any]:
    """The claim of an invariant after one step from its start."""
    later = {f"{name}_next": data["variables"][name] for name in data["state"]}
    moved = edits.renamed(data["claim"], {name: f"{name}_next" for name in data["state"]})
    given = [*data["always"], *data["initial"], *data["transition"]]
    return {"variables": {**data["variables"], **later}, "hypotheses": given, "conclusion": moved}


def control_of(part: Part, records: Records) -> PartControl:
    """The control of a part, re-checked by the kernel."""
    said, record = core_statements(part)[0], records.get(key(part))
    if record is None:
        return PartControl(said, "", complaint="no edit of it is recorded as refuted")
    if "why" in record:
        return PartControl(said, f"none: {record['why']}")
    edited = _edited(part, record)
    if edited is None:
        return PartControl(said, record["edit"], complaint="the recorded edit is not one of this statement")
    where = ", ".join(f"{name} = {value}" for name, value in record.get("at", {}).items())
    shown = core_statements(edited)[0]
    return PartControl(said, record["edit"], shown, where, "" if _refuted(edited) else "the kernel does not refute it")


def _edited(part: Part, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The certificate of a refutation that the record stands for."""
    for kind in ("game", "computed"):
        if kind in part:
            claim = edits.labelled_claim(part[kind]["claim"], record["edit"])
            return None if claim is None else {"format": FORMAT, kind: {**part[kind], "claim": claim}}
    for statement in statements(part)[record.get("step", 0) :][:1]:
        edited = edits.labelled(statement, record["edit"])
        if edited is not None:
            point = {name: record[name] for name in ("at", "functions") if name in record}
            return {"format": FORMAT, "statement": edited, "proof": {"rule": "point", **point}}
    return None


def _refuted(certificate: Mapping[str, Any]) -> bool:
    try:
        return accepted(certificate).word == "refuted"
    except Rejected:
        return "computed" in certificate  # a number that is not what is claimed of it makes no certificate


def controls(certificate: Any, records: Records) -> list[PartControl]:
    """The controls of all parts, each statement once."""
    found = {key(part): part for part in parts(certificate)}
    return [control_of(part, records) for part in found.values()]


def complaint(found: Sequence[PartControl]) -> str:
    """Why these parts are not all controlled, if so."""
    missing = [one for one in found if one.complaint]
    more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
    return f"a part has no control, {missing[0].part}: {missing[0].complaint}{more}" if missing else ""


def read(folder: Path) -> dict[str, dict[str, Any]] | None:
    """The controls recorded for the paper in this folder; None if nobody ever did."""
    return checked.read(folder, "parts")


def record(folder: Path, found: Records) -> None:
    """Enter these controls and no others."""
    checked.record(folder, "parts", found)
