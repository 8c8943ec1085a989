"""Two solvers that read the same question, z3 and cvc5: what one proposes, and what both say together.

A point that a solver names is only a hint.  The kernel rests on them where both call a goal's denial, and that of each
of its side conditions, unsatisfiable: then the word is `certified`, by them.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from glbcheck.core.extras import install, is_installed, missing
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.search.polynomial_facts import opaque, smt_text
from glbcheck.verify.search.side_conditions import conditions

SHARE = 1.0  # of the limits of the solvers that are started
DISTRIBUTIONS = {"z3": "z3-solver", "cvc5": "cvc5"}
NOT_INSTALLED = "not installed"


def oracle(context: Context, goal: Fact) -> str:
    """Who says that the facts imply the goal; `Rejected` unless both solvers do."""
    for question in questions(context, goal):
        answers = [ask(question) for ask in SOLVERS]
        if not all(answer.status == "unsat" for answer in answers) or len(answers) < 2:
            raise Rejected(f"the solvers do not both agree: {said(answers)}")
    return " and ".join(sorted(answer.solver for answer in answers))


def questions(context: Context, goal: Fact) -> list[str]:
    """What both solvers must call unsatisfiable: the denial of each side condition of the goal, then of the goal."""
    asked = []
    for text in conditions(context, goal.gap):
        asked.append(smt_text(context, context.read_fact(text)))
        context = context.plus(context.read_fact(text))
    context.require_defined(goal.gap)
    return [*asked, smt_text(context, goal)]


def not_asked(context: Context, goal: Fact) -> str:
    """Which solvers would be asked about the goal and are not installed; empty if none."""
    lacking = missing("solvers")
    try:
        asked = bool(lacking and questions(context, goal))
    except Rejected:
        asked = False
    return f"not asked: {', '.join(lacking)}, which {install('solvers')} installs" if asked else ""


def said(answers: Sequence[Answer]) -> str:
    words = ", ".join(f"{answer.solver} {answer.status}" for answer in answers)
    return f"{words}; {install('solvers')}" if any(a.status == NOT_INSTALLED for a in answers) else words


def model(context: Context, goal: Fact | None = None) -> dict[str, Fraction] | None:
    """A point at which the facts hold and the goal does not, or nearly, as the first solver says that knows."""
    facts = [*context.facts, *([] if goal is None else [goal])]
    try:
        question = "" if any(True for f in facts for _ in opaque(f.gap)) else smt_text(context, goal)
    except Rejected:
        question = ""
    answers = (ask(question) for ask in SOLVERS if question)
    known = next((answer for answer in answers if answer.status in ("sat", "unsat")), None)
    if known is None or known.status == "unsat":
        return None
    return {name: known.model.get(name, Fraction(0)) for name in context.names}


@dataclass(frozen=True)
class Answer:
    """What one solver said: `sat` with the values it found, `unsat`, `unknown`, or that it is not installed."""

    solver: str
    status: str
    model: dict[str, Fraction] = field(default_factory=dict)


# One process for each solver and for each of our own processes: a pipe shared after a fork would mix answers.
_running: dict[tuple[int, str, float], subprocess.Popen[str]] = {}
_ticket = itertools.count()


def ask(name: str, text: str) -> Answer:
    """Ask one solver; silence, a crash and an error message are all `unknown`."""
    if not is_installed(DISTRIBUTIONS[name]):
        return Answer(name, NOT_INSTALLED)
    ticket = f"{os.getpid()}-{next(_ticket)}"
    try:
        reply = exchange(started(name), {"ticket": ticket, "text": text})
    except BaseException:
        forget(name)  # an interrupted solver still owes an answer, which must not meet the next question
        raise
    if reply.get("ticket") != ticket:
        forget(name)
        return Answer(name, "unknown")
    status = reply["status"] if reply["status"] in ("sat", "unsat") else "unknown"
    model = {n.removeprefix("v_"): Fraction(v) for n, v in reply["model"].items()}
    return Answer(f"{name} {reply['version']}", status, model)


def started(name: str) -> subprocess.Popen[str]:
    """The running process of this solver, started if need be."""
    key = (os.getpid(), name, SHARE)
    if key not in _running or _running[key].poll() is not None:
        forget(name)
        command = [sys.executable, "-I", str(Path(__file__).with_name("solver_process.py")), name, str(SHARE)]
        _running[key] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return _running[key]


def exchange(process: subprocess.Popen[str], question: dict[str, str | int]) -> dict[str, Any]:
    """One line to the solver and one line back; empty if it is gone."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        reply: dict[str, Any] = json.loads(process.stdout.readline() or "{}")
    except BrokenPipeError:
        return {}
    return reply


def forget(name: str) -> None:
    """End our process of this solver, if there is one; the next question starts another."""
    end((os.getpid(), name, SHARE))


def end(key: tuple[int, str, float]) -> None:
    process = _running.pop(key, None)
    if process is not None:
        process.kill()
        process.communicate()


@atexit.register
def forget_all() -> None:
    for key in [key for key in _running if key[0] == os.getpid()]:
        end(key)


SOLVERS: tuple[Callable[[str], Answer], ...] = (partial(ask, "z3"), partial(ask, "cvc5"))
