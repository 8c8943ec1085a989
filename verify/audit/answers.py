"""Questions answered one after the other in a process of their own, each within its budget.

Formulas from users may send a computer algebra system anywhere.  A question that takes too long, or whose
process dies, is answered `undecided` with that reason, and the next one is asked in a fresh process.  As long
as a process lives, what it has worked out for one question serves the next.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from glbcheck.core.extras import MissingLibrary
from glbcheck.verify.audit.check import Check, Finding, Question
from glbcheck.verify.claim import Verdict
from glbcheck.verify.runner import Answer, Budget, Payload, Worker

TOO_LITTLE = 0.02  # seconds
DEEPEST = 10_000  # Python frames; SymPy recurses


def answers(questions: Sequence[Question], total: float = math.inf) -> Iterator[Check]:
    """One check per question, in order, as soon as it is known; what a no makes meaningless is not asked.

    When `total` seconds of computing are used up, what is left is undecided.
    """

    def decide(payload: Payload) -> Finding:
        sys.setrecursionlimit(DEEPEST)
        return _finding(questions[payload["number"]])

    found: dict[str, Verdict] = {}
    left = total
    with Worker(decide, fork=True) as worker:
        for number, question in enumerate(questions):
            if missing(question.needs, found) is not None:
                continue
            answer = Answer(None, "not reached in time", 0.0)
            budget = Budget(min(question.budget, left))
            if budget.seconds > TOO_LITTLE:
                worker.ask({"number": number}, budget)
                answer = worker.answer()
            left -= answer.seconds
            finding = answer.value or Finding(Verdict.UNDECIDED, str(answer.failure))
            found[question.name] = finding.verdict
            yield Check(
                question.name,
                question.text,
                finding.verdict,
                finding.evidence,
                finding.certificate,
                round(answer.seconds, 3),
                finding.document,
            )


def _finding(question: Question) -> Finding:
    """The finding, also when whatever is below gives up: that is an open question, not a crash."""
    try:
        finding = question.decide()
        return replace(finding, certificate=dict(finding.certificate))
    except MissingLibrary as lacking:
        return Finding(Verdict.UNDECIDED, str(lacking))
    except Exception as problem:  # SymPy raises anything on formulas it does not understand
        words = " ".join(str(problem).split())[:200]
        return Finding(Verdict.UNDECIDED, f"not settled ({type(problem).__name__}: {words})")


def missing(needs: Sequence[str], found: Mapping[str, Verdict]) -> str | None:
    """The first needed question whose answer was not yes."""
    return next((need for need in needs if need not in found or not found[need].positive), None)
