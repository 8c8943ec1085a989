"""Which theorems of a paper apply to a family: the paper says what it needs, the checks say what holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from glbcheck.verify.audit.check import Check
from glbcheck.verify.audit.questions import ITEMS
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Reading, Verdict

NEEDS = {item.name: item.needs for item in ITEMS}
GLM = "a density of the family"  # the stated one if a base is stated, else a constructed measure
DENSITY = ("log_partition", "normalisation", "moments", "oracle", "support")  # a no to one of them is a no


@dataclass(frozen=True)
class Requirement:
    """A statement of a paper in one reading, the checks it needs, and what a user should know about it."""

    anchor: str
    needs: tuple[str, ...]
    reading: Reading = Reading.AS_PRINTED
    note: str = ""
    least_d: int = 1


def theorems(checks: Mapping[str, Check], subject: Subject, requirements: Iterable[Requirement]) -> dict[str, Any]:
    """By anchor: does the statement apply, and why not; null where something needed is undecided."""
    return {one.anchor: _applies(one, checks, subject) for one in requirements}


def _applies(one: Requirement, checks: Mapping[str, Check], subject: Subject) -> dict[str, Any]:
    answers = {need: _holds(need, checks) for need in one.needs}
    failed = [need for need, holds in answers.items() if holds is False]
    unsettled = [need for need, holds in answers.items() if holds is None]
    if subject.d < one.least_d:
        failed.insert(0, f"d >= {one.least_d}")
    applies = False if failed else None if unsettled else True
    if failed:
        # What was not asked is the consequence of an earlier no; that one is the reason.
        asked = [need for need in failed if need in checks or need not in NEEDS]
        reason = "needs " + ", ".join(_words(need, checks) for need in asked or failed)
    elif unsettled:
        reason = "open: " + ", ".join(_density(checks) if need == GLM else need for need in unsettled)
    else:
        reason = "every hypothesis on the family holds" + _caveat(one, checks)
    return {"applies": applies, "reason": reason, "reading": str(one.reading), "note": one.note}


def _holds(need: str, checks: Mapping[str, Check]) -> bool | None:
    """Yes, no, or not settled; a question not asked because of an earlier no counts as no."""
    if need == GLM:
        refuted = any(checks[name].verdict is Verdict.REFUTED for name in DENSITY if name in checks)
        return False if refuted else _holds(_density(checks), checks)
    if need not in checks:
        return False if any(_holds(name, checks) is False for name in NEEDS[need]) else None
    verdict = checks[need].verdict
    return True if verdict.positive else False if verdict is Verdict.REFUTED else None


def _density(checks: Mapping[str, Check]) -> str:
    """The check that decides whether there is a density."""
    return "normalisation" if "normalisation" in checks else "log_partition"


def _caveat(one: Requirement, checks: Mapping[str, Check]) -> str:
    """That there is a density may rest on numbers, or be known on [-S, S] only; then that is said."""
    if GLM not in one.needs:
        return ""
    verdict = checks[_density(checks)].verdict
    return "" if verdict in (Verdict.PROVED, Verdict.CERTIFIED) else f", the density {verdict} only"


def _words(need: str, checks: Mapping[str, Check]) -> str:
    if need == GLM:
        refuted = [name for name in DENSITY if name in checks and checks[name].verdict is Verdict.REFUTED]
        return ", ".join(f"a yes to {name}" for name in refuted)
    return f"a yes to {need}" if need in NEEDS else need
