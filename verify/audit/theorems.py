"""Which theorems of a paper apply to a family: the paper says what it needs, the checks say what holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from glbcheck.verify.audit.check import Check
from glbcheck.verify.audit.questions import Item
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Reading, Verdict

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


def theorems(
    checks: Mapping[str, Check], subject: Subject, items: Iterable[Item], requirements: Iterable[Requirement]
) -> dict[str, Any]:
    """By anchor: does the statement apply, and why not; null where something needed is undecided.

    `failed_checks` are the checks behind its hypotheses that were refuted or contradicted by numbers.
    """
    answers = _Answers(checks, {item.name: item.needs for item in items})
    return {one.anchor: answers.applies(one, subject) for one in requirements}


@dataclass(frozen=True)
class _Answers:
    """The checks by name, and what each question needs."""

    checks: Mapping[str, Check]
    needs: Mapping[str, tuple[str, ...]]

    def applies(self, one: Requirement, subject: Subject) -> dict[str, Any]:
        answers = {need: self._holds(need) for need in one.needs}
        failed = [need for need, holds in answers.items() if holds is False]
        unsettled = [need for need, holds in answers.items() if holds is None]
        if subject.d < one.least_d:
            failed.insert(0, f"d >= {one.least_d}")
        applies = False if failed else None if unsettled else True
        if failed:
            # What was not asked is the consequence of an earlier no; that one is the reason.
            asked = [need for need in failed if need in self.checks or need not in self.needs]
            reason = "needs " + ", ".join(self._words(need) for need in asked or failed)
        elif unsettled:
            reason = "open: " + ", ".join(self._open(need) for need in unsettled)
        else:
            reason = "every hypothesis on the family holds" + self._caveat(one)
        failed_checks = sorted(name for name in self._needed(one.needs) if self._fails(name))
        return {
            "applies": applies,
            "reason": reason,
            "reading": str(one.reading),
            "note": one.note,
            "failed_checks": failed_checks,
        }

    def _needed(self, needs: Iterable[str]) -> set[str]:
        """The checks that decide these needs, with all that they need themselves."""
        found = set[str]()
        for need in needs:
            direct = (*DENSITY, "sampler") if need == GLM else (need, *self.needs.get(need, ()))
            found |= set(direct) | self._needed(name for name in direct if name != need)
        return found

    def _fails(self, name: str) -> bool:
        return name in self.checks and self.checks[name].verdict in (Verdict.REFUTED, Verdict.CONTRADICTED)

    def _holds(self, need: str) -> bool | None:
        """Yes, no, or not settled; a question not asked because of an earlier no counts as no."""
        if need == GLM:
            return False if self._refuted else None if self._contradicted else self._holds(self._density)
        if need not in self.checks:
            return False if any(self._holds(name) is False for name in self.needs[need]) else None
        verdict = self.checks[need].verdict
        return True if verdict.positive else False if verdict is Verdict.REFUTED else None

    def _open(self, need: str) -> str:
        """What is not settled, and whether numbers speak against it."""
        names = [*DENSITY, "sampler"] if need == GLM else [need]
        against = [n for n in names if n in self.checks and self.checks[n].verdict is Verdict.CONTRADICTED]
        return ", ".join(f"{n} (contradicted by numbers)" for n in against) or (self._density if need == GLM else need)

    @property
    def _contradicted(self) -> bool:
        """Numbers speak against a density, or against the way it is sampled."""
        names = (*DENSITY, "sampler")
        return any(n in self.checks and self.checks[n].verdict is Verdict.CONTRADICTED for n in names)

    @property
    def _refuted(self) -> list[str]:
        """What speaks against a density."""
        return [n for n in DENSITY if n in self.checks and self.checks[n].verdict is Verdict.REFUTED]

    @property
    def _density(self) -> str:
        """The check that decides whether there is a density."""
        return "normalisation" if "normalisation" in self.checks else "log_partition"

    def _caveat(self, one: Requirement) -> str:
        """That there is a density may rest on numbers, or be known on [-S, S] only; then that is said."""
        if GLM not in one.needs:
            return ""
        verdict = self.checks[self._density].verdict
        return "" if verdict in (Verdict.PROVED, Verdict.CERTIFIED) else f", the density {verdict} only"

    def _words(self, need: str) -> str:
        if need == GLM:
            return ", ".join(f"a yes to {name}" for name in self._refuted)
        return f"a yes to {need}" if need in self.needs else need
