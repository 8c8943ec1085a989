"""The audit of a GLM family: one generator of checks behind the command line, the Python API and pytest.

audit_family(catalog.get("bernoulli"), S=3)["constants"]["R_s"]

@parametrize_with_checks([my_family], S=1)
def test_my_family(check):
    assert check().verdict.positive
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from glbcheck.verify.audit.check import Check, Finding, Question
from glbcheck.verify.claim import Verdict

if TYPE_CHECKING:
    from glbcheck.core.family import Family
    from glbcheck.verify.audit.questions import Item
    from glbcheck.verify.audit.subject import Subject
    from glbcheck.verify.audit.theorems import Requirement

__all__ = ["Check", "audit_family", "audit_subject", "checks_for", "parametrize_with_checks"]

CONSTANTS = ("L_mu", "R_s", "R_s_global", "kappa")
QUICK = 3.0  # seconds of computing for all questions of a quick audit together


def checks_for(
    family: Family, S: object, *, questions: Iterable[Item] = (), only: Collection[str] | None = None, **setting: Any
) -> Iterator[Check]:
    """Every check of the family on [-S, S], those of a paper too; with `only`, these and what they need."""
    from glbcheck.verify.audit.questions import items
    from glbcheck.verify.audit.subject import subject

    return _checks(subject(family, S, **setting), items(questions), only)


def _checks(subject: Subject, items: Sequence[Item], only: Collection[str] | None) -> Iterator[Check]:
    from glbcheck.verify.audit.answers import answers

    wanted = _needed(items, only)
    questions = [_question(item, subject) for item in items if item.asked(subject) and item.name in wanted]
    return answers(questions, QUICK if subject.quick else math.inf)


def _needed(items: Sequence[Item], only: Collection[str] | None) -> set[str]:
    """The names asked for and, in turn, what each of them needs."""
    from glbcheck.core.errors import BadInput

    needs = {item.name: item.needs for item in items}
    if only is None:
        return set(needs)
    found, waiting = set(), list(only)
    while waiting:
        name = waiting.pop()
        if name not in needs:
            raise BadInput("only", name, f"names of questions: {', '.join(needs)}")
        if name not in found:
            found.add(name)
            waiting += needs[name]
    return found


def _question(item: Item, subject: Subject) -> Question:
    def decide() -> Finding:
        from glbcheck.verify.audit.documents import gated

        return gated(subject, item.name, item.text, item.decide(subject))

    return Question(item.name, item.text, decide, item.seconds[subject.quick], item.needs)


def audit_family(
    family: Family,
    S: object,
    *,
    requirements: Iterable[Requirement] = (),
    questions: Iterable[Item] = (),
    progress: Callable[[Check], None] = lambda check: None,
    only: Collection[str] | None = None,
    **setting: Any,
) -> dict[str, Any]:
    """Constants, checks and which of the theorems with these requirements apply, as plain data.

    A constant that does not exist on [-S, S], or could not be enclosed, is null.
    """
    from glbcheck.verify.audit.subject import subject

    return audit_subject(subject(family, S, **setting), requirements, questions, progress, only)


def audit_subject(
    subject: Subject,
    requirements: Iterable[Requirement],
    questions: Iterable[Item],
    progress: Callable[[Check], None] = lambda check: None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    from glbcheck.verify.audit.advice import advice
    from glbcheck.verify.audit.questions import items as with_those_of
    from glbcheck.verify.audit.theorems import theorems

    items, checks = with_those_of(questions), []
    for check in _checks(subject, items, only):
        progress(check)
        checks.append(check)
    order = [item.name for item in items]
    checks.sort(key=lambda check: order.index(check.name))
    by_name = {check.name: check for check in checks}
    return {
        "family": subject.family.name,
        "S": str(subject.S),
        "setting": _setting(subject),
        "constants": {name: _constant(by_name.get(name)) for name in CONSTANTS},
        "checks": [_shown(check) for check in checks],
        "not_asked": _not_asked(items, by_name),
        "theorems": theorems(by_name, subject, items, requirements),
        "is_log_partition": _is_log_partition(by_name),
        "advice": advice(subject, by_name),
    }


def _shown(check: Check) -> dict[str, Any]:
    """A check as plain data; its document is a file of its own."""
    return {name: value for name, value in asdict(check).items() if name != "document"}


def _setting(subject: Subject) -> dict[str, Any]:
    from glbcheck.core.family import interval_text

    return {
        "log_partition": str(subject.family.log_partition),
        "domain": interval_text(subject.family.domain),
        "d": subject.d,
        "T": subject.T,
        "C": subject.C,
        "delta": subject.delta,
        "g": str(subject.g),
        "quick": subject.quick,
    }


def _constant(check: Check | None) -> Mapping[str, Any] | None:
    return dict(check.certificate) if check is not None and check.certificate else None


def _not_asked(items: Sequence[Item], by_name: Mapping[str, Check]) -> dict[str, str]:
    """Why a question was not asked."""
    from glbcheck.verify.audit.answers import missing

    verdicts = {name: check.verdict for name, check in by_name.items()}
    reasons = {}
    for item in items:
        if item.name not in by_name:
            need = missing(item.needs, verdicts)
            reasons[item.name] = f"needs a yes to {need}" if need else "nothing was stated that it would decide"
    return reasons


def _is_log_partition(by_name: Mapping[str, Check]) -> bool | None:
    """Yes by construction or by a normalised density, no by a witness, None if open."""
    verdicts = [by_name[name].verdict for name in ("log_partition", "normalisation") if name in by_name]
    construction = by_name.get("log_partition")
    if construction is not None and construction.verdict is Verdict.REFUTED:
        return False
    strong = (Verdict.PROVED, Verdict.CERTIFIED)
    return True if any(verdict in strong for verdict in verdicts) else None


def parametrize_with_checks(families: Sequence[Family], S: object = 1, **setting: Any) -> Any:
    """A pytest decorator: one test per family and question; the test calls `check()` for its `Check`.

    A question that was not asked, because something it needs has failed, comes back as None.
    """
    import pytest
    from glbcheck.verify.audit.questions import items

    parameters = [
        pytest.param(_Asked(family, S, item.name, setting), id=f"{family.name}-{item.name}")
        for family in families
        for item in items(setting.get("questions", ()))
    ]
    return pytest.mark.parametrize("check", parameters)


class _Asked:
    """One question about one family, decided when called."""

    def __init__(self, family: Family, S: object, name: str, setting: Mapping[str, Any]) -> None:
        self.family, self.S, self.name, self.setting = family, S, name, setting

    def __call__(self) -> Check | None:
        checks = checks_for(self.family, self.S, only=(self.name,), **self.setting)
        return next((check for check in checks if check.name == self.name), None)
