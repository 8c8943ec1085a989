"""Questions answered in a process of their own, each within its budget of seconds and a limit of memory.

Formulas from users may send a computer algebra system anywhere.  A question that takes too long, or whose
process dies, is answered `undecided` with that reason, and the next one is asked in a fresh process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

from verify.audit.check import Check, Finding, Question
from verify.claim import Verdict

MEMORY = 6 << 30  # bytes of address space beyond what the caller already has
DEEPEST = 10_000  # Python frames; SymPy recurses


def answers(questions: Sequence[Question]) -> Iterator[Check]:
    """One check per question, in order, each as soon as it is known."""
    at = 0
    while at < len(questions):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        worker = multiprocessing.get_context("fork").Process(
            target=_work, args=(sender, questions[at:]), daemon=True
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads; the child uses none
            worker.start()
        sender.close()
        try:
            for question in questions[at:]:
                at += 1
                check, alive = _next(receiver, question)
                yield check
                if not alive:
                    break
        finally:
            worker.kill()
            worker.join()
            receiver.close()


def _next(receiver: Connection, question: Question) -> tuple[Check, bool]:
    """The answer to this question, and whether the worker can go on."""
    started = time.monotonic()
    lost = f"no answer within {question.budget:g} s"
    with contextlib.suppress(EOFError, OSError):
        if receiver.poll(question.budget):
            verdict, evidence, certificate, seconds = receiver.recv()
            return _check(question, Finding(verdict, evidence, certificate), seconds), True
        return _check(question, Finding(Verdict.UNDECIDED, lost), time.monotonic() - started), False
    died = Finding(Verdict.UNDECIDED, "the computation died, for want of memory perhaps")
    return _check(question, died, time.monotonic() - started), False


def _check(question: Question, finding: Finding, seconds: float) -> Check:
    return Check(
        question.name,
        question.text,
        finding.verdict,
        finding.evidence,
        finding.certificate,
        round(seconds, 3),
    )


def _work(sender: Connection, questions: Sequence[Question]) -> None:
    """In the child: answer one question after the other until done or killed."""
    _limit_memory()
    sys.setrecursionlimit(DEEPEST)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        for question in questions:
            started = time.monotonic()
            finding = answer(question)
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
