"""What an author must fix first: the false and incomplete statements, weighed by what hangs on them.

Statements that the same repair replaces are one thing to fix.  Nothing here is chosen by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glbcheck.verify.claim import Severity
from glbcheck.verify.report.answers import Answer, theorems
from glbcheck.verify.report.counting import gravity, severity, wrong

Row = Mapping[str, Any]
POINTS = {Severity.SUBSTANCE: 12, Severity.HYPOTHESIS: 6, Severity.CONSTANT: 6, Severity.SLIP: 0}
A_THEOREM, PER_THEOREM, PER_STATEMENT = 8, 3, 1
HARMLESS = ("none", "harmless")  # how the consequence of what changes nothing begins


@dataclass(frozen=True)
class Fix:
    """One thing to fix: the statement that weighs most, those that the same repair replaces, and what hangs on them.

    `theorems` are anchors; `statements` are the ids of the other printed statements whose proof falls with it;
    `is_theorem` says that a theorem itself is among what is wrong.
    """

    claim: Row
    others: tuple[Row, ...]
    theorems: tuple[str, ...]
    statements: tuple[str, ...]
    is_theorem: bool

    @property
    def weight(self) -> int:
        """Points for how serious it is, for every theorem and for every other statement that hangs on it."""
        hanging = PER_THEOREM * len(self.theorems) + PER_STATEMENT * len(self.statements)
        serious = max(POINTS[severity(claim)] for claim in (self.claim, *self.others))
        return serious + A_THEOREM * self.is_theorem + hanging


def fixes(anchors: Sequence[Row], claims: Sequence[Row], repair: Callable[[Row], str], most: int = 10) -> list[Fix]:
    """The heaviest first; `repair` gives the id of the closest repair of a wrong claim, or nothing."""
    answers = theorems(anchors, claims)
    stated = {one.statement["id"] for one in answers if one.statement}
    by_id = {claim["id"]: claim for claim in claims}
    groups: dict[str, list[Row]] = {}
    for claim in wrong(claims):
        if not claim["consequence"].lower().startswith(HARMLESS):
            groups.setdefault(repair(claim) or claim["id"], []).append(claim)
    found = [_fix(group, answers, stated, by_id) for group in groups.values()]
    return sorted(found, key=lambda one: (-one.weight, gravity(one.claim)))[:most]


def _fix(group: Sequence[Row], answers: Sequence[Answer], stated: set[str], by_id: Mapping[str, Row]) -> Fix:
    def rank(claim: Row) -> tuple[bool, tuple[int, bool], int]:
        return claim["id"] not in stated, gravity(claim), -len(claim.get("falls_with_it", ()))

    first, *others = sorted(group, key=rank)
    falling = dict.fromkeys(name for claim in group for name in claim.get("falls_with_it", ()) if name in by_id)
    touched = {place for claim in group for place in claim["anchors"]}
    touched |= {place for name in falling for place in by_id[name]["anchors"]}
    own = {claim["id"] for claim in group}
    touched |= {one.anchor for one in answers if own & {step["id"] for step in one.rests_on}}
    hit = tuple(one.anchor for one in answers if one.anchor in touched)
    rest = tuple(name for name in falling if name not in own and not set(by_id[name]["anchors"]) & set(hit))
    return Fix(first, tuple(others), hit, rest, first["id"] in stated)
