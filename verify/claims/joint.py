"""That the premises of one claim hold together: at one exact point for each of its cases, checked by the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from glbcheck.verify.claim import Claim
from glbcheck.verify.claims import checked
from glbcheck.verify.claims.examples import Point, example, holds_at
from glbcheck.verify.claims.text import Data, Steps

Row = Mapping[str, Any]


def together(steps: Steps) -> list[Data]:
    """For each case all its premises, as what one point must satisfy; those of no case are a case of their own."""
    found: dict[str, dict[str, None]] = {}
    for block in steps.blocks:
        if block.point is None:
            found.setdefault(block.case, {}).update(dict.fromkeys(p.relation for p in block.premises))
    return [steps.data(tuple(premises), "0 <= 0") for premises in found.values() if premises]


def found(steps: Steps, hints: Sequence[Point] = ()) -> list[Point] | None:
    """A point for each case, or None if one was not found; hints are tried first."""
    points = []
    for data in together(steps):
        point = _point(data, hints)
        if point is None:
            return None
        points.append(point)
    return points


def _point(data: Data, hints: Sequence[Point]) -> Point | None:
    return next((one for one in hints if holds_at(data, one)), None) or example(data)


def record_missing(folder: Path, claims: Mapping[str, Claim], rows: Iterable[Row], everything: bool = False) -> None:
    """Look for the points of the claims in these rows that have none; where these are all rows, those of others go."""
    known = checked.read(folder, "points") or {}
    texts = {row["id"]: row for row in rows if claims[row["id"]].steps is not None}
    for name, row in texts.items():
        steps = claims[name].steps
        if steps is not None and complaint(steps, known.get(name)):
            points = found(steps, [*known.get(name, ()), *_examples(row["evidence"]["certificate"])])
            known = {**known, **({name: points} if points else {})}
    checked.record(folder, "points", {name: one for name, one in known.items() if name in texts or not everything})


def _examples(certificate: Any) -> Iterator[Point]:
    """The points in a certificate that satisfy the hypotheses of its parts."""
    for part in (*certificate.get("all", ()), *certificate.get("gap", {}).values()):
        yield from _examples(part)
    if certificate.get("example"):
        yield certificate["example"]


def complaint(steps: Steps, points: Sequence[Point] | None) -> str:
    """Why the premises are not known to hold together, if so."""
    wanted = together(steps)
    if not wanted:
        return ""
    if points is None or len(points) != len(wanted):
        return "no point is recorded at which all its premises hold together"
    fails = any(not holds_at(data, point) for data, point in zip(wanted, points, strict=True))
    return "the recorded point does not satisfy all its premises together" if fails else ""
