"""Questions answered in a process of their own, each within a budget of computing time and of memory.

Formulas from users may send a computer algebra system anywhere.  A question that takes too long, or whose
process dies, is answered `undecided` with that reason, and the next one is asked in a fresh process.  The
budget is processor time, so that the answer does not depend on what else the machine does; the clock on the
wall only ends a process that waits for ever.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import resource
import signal
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from glbcheck.verify.audit.check import Check, Finding, Question
from glbcheck.verify.claim import Verdict

MEMORY = 6 << 30  # bytes of address space beyond what the caller already has
PATIENCE = 6  # seconds on the wall for each second of the budget
TOO_LITTLE = 0.02  # seconds
TIME_IS_UP = Finding(Verdict.UNDECIDED, "not reached in time")
DEEPEST = 10_000  # Python frames; SymPy recurses


def answers(questions: Sequence[Question], total: float = math.inf) -> Iterator[Check]:
    """One check per question, in order, as soon as it is known; what a no makes meaningless is not asked.

    One process answers as many as it can, so that what it has worked out for one question serves the next.
    When `total` seconds of computing are used up, what is left is undecided.
    """
    found: dict[str, Verdict] = {}
    at, left = 0, total
    while at < len(questions):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        worker = multiprocessing.get_context("fork").Process(
            target=_work, args=(sender, questions[at:], dict(found), left), daemon=True
        )
        before = _spent_by_children()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads; the child uses none
            worker.start()
        sender.close()
        try:
            for question in questions[at:]:
                at += 1
                if missing(question.needs, found) is not None:
                    continue
                check, alive = _next(receiver, worker, question)
                found[check.name] = check.verdict
                yield check
                if not alive:
                    break
        finally:
            worker.kill()
            worker.join()
            receiver.close()
            left -= _spent_by_children() - before


def _spent_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def missing(needs: Sequence[str], found: Mapping[str, Verdict]) -> str | None:
    """The first needed question whose answer was not yes."""
    return next((need for need in needs if need not in found or not found[need].positive), None)


def _next(receiver: Connection, worker: BaseProcess, question: Question) -> tuple[Check, bool]:
    """The answer to this question, and whether the worker can go on."""
    started = time.monotonic()
    words = f"no answer within {question.budget:g} s"
    with contextlib.suppress(EOFError, OSError):
        if receiver.poll(PATIENCE * question.budget + 1):
            verdict, evidence, certificate, seconds = receiver.recv()
            return _check(question, Finding(verdict, evidence, certificate), seconds), True
        worker.kill()
    worker.join()
    if worker.exitcode not in (-signal.SIGPROF, -signal.SIGKILL):
        words = f"the computation died (exit code {worker.exitcode}), for want of memory perhaps"
    return _check(question, Finding(Verdict.UNDECIDED, words), time.monotonic() - started), False


def _check(question: Question, finding: Finding, seconds: float) -> Check:
    return Check(
        question.name,
        question.text,
        finding.verdict,
        finding.evidence,
        finding.certificate,
        round(seconds, 3),
    )


def _work(sender: Connection, questions: Sequence[Question], found: dict[str, Verdict], total: float) -> None:
    """In the child: answer one question after the other until done or killed."""
    _limit_memory()
    sys.setrecursionlimit(DEEPEST)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, in whatever library it is
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        for question in questions:
            if missing(question.needs, found) is not None:
                continue
            started = time.monotonic()
            left = min(question.budget, total - time.process_time())
            signal.setitimer(signal.ITIMER_PROF, max(left, 0.0))
            finding = answer(question) if left > TOO_LITTLE else TIME_IS_UP
            signal.setitimer(signal.ITIMER_PROF, 0)
            found[question.name] = finding.verdict
            reply: tuple[Any, ...] = (
                finding.verdict,
                finding.evidence,
                dict(finding.certificate),
                time.monotonic() - started,
            )
            sender.send(reply)


def answer(question: Question) -> Finding:
    """The finding, also when whatever is below gives up: that is an open question, not a crash."""
    try:
        return question.decide()
    except Exception as problem:  # SymPy raises anything on formulas it does not understand
        words = " ".join(str(problem).split())[:200]
        return Finding(Verdict.UNDECIDED, f"not settled ({type(problem).__name__}: {words})")


def _limit_memory() -> None:
    with contextlib.suppress(OSError, ValueError):
        with open("/proc/self/statm", encoding="ascii") as statm:
            pages = int(statm.read().split()[0])
        soft = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (soft, resource.getrlimit(resource.RLIMIT_AS)[1]))
