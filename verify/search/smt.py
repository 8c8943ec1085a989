"""Statements over the reals as SMT-LIB text, and the two engines that read it.

Each engine parses the same text with its own parser and answers alone.  What SMT-LIB cannot say is
introduced as a fresh variable with its defining property: a root r of b has r >= 0 and r**q = b,
a reciprocal i of b has i*b = 1.  Such a property is a restriction unless b >= 0 (b != 0) holds, so
the encoder lists that condition as a debt, to be proved from what was asserted before it.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import sympy as sp
from glbcheck.core.extras import is_installed

LARGEST_POWER = 64
SHARE = 1.0  # of the limits of the engines that are started
DISTRIBUTIONS = {"z3": "z3-solver", "cvc5": "cvc5"}
NOT_INSTALLED = "not installed"
PREFIX = "v_"  # no variable of ours is then a word of SMT-LIB


class NotEncodable(TypeError):
    """The relation is not built from + - * / roots, abs, min and max."""


@dataclass(frozen=True)
class Debt:
    """A side condition of definedness, and the SMT-LIB question whose answer must be `unsat`."""

    condition: str
    question: str


@dataclass
class Encoder:
    """Builds one SMT-LIB script, assertion by assertion."""

    variables: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)
    terms: dict[sp.Expr, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines += [f"(declare-const {PREFIX}{name} Real)" for name in self.variables]

    def assume(self, relation: sp.core.relational.Relational) -> None:
        self.lines.append(f"(assert {self.relation(relation)})")

    def question(self, denied: sp.core.relational.Relational | None = None) -> str:
        """Is there a point that satisfies everything assumed, and denies this relation?"""
        lines = [*self.lines]
        if denied is not None:
            claim = self.relation(denied)
            lines = [*self.lines, f"(assert (not {claim}))"]
        return script(lines)

    def relation(self, r: sp.core.relational.Relational) -> str:
        left, right = self.term(r.lhs), self.term(r.rhs)
        operator = {"==": "=", "!=": "distinct"}.get(r.rel_op, r.rel_op)
        return f"({operator} {left} {right})"

    def term(self, e: sp.Expr) -> str:
        if e not in self.terms:
            self.terms[e] = self.build(e)
        return self.terms[e]

    def build(self, e: sp.Expr) -> str:
        if e.is_Rational:
            return numeral(Fraction(int(e.p), int(e.q)))
        if e.is_Symbol and e.name in self.variables:
            return f"{PREFIX}{e.name}"
        if e.is_Add or e.is_Mul:
            return f"({'+' if e.is_Add else '*'} {' '.join(self.term(a) for a in e.args)})"
        if e.is_Pow and e.exp.is_Rational:
            return self.power(e.base, int(e.exp.p), int(e.exp.q))
        if isinstance(e, sp.Abs):
            t = self.term(e.args[0])
            return f"(ite (>= {t} 0.0) {t} (- {t}))"
        if isinstance(e, sp.Max | sp.Min):
            return self.extreme([self.term(a) for a in e.args], ">=" if isinstance(e, sp.Max) else "<=")
        raise NotEncodable(f"{e} of type {type(e).__name__} is not algebraic over {', '.join(self.variables)}")

    def extreme(self, terms: list[str], operator: str) -> str:
        best = terms[0]
        for t in terms[1:]:
            best = self.fresh("m", lambda m, a=best, b=t: f"(= {m} (ite ({operator} {a} {b}) {a} {b}))")  # type: ignore[misc]
        return best

    def power(self, base: sp.Expr, p: int, q: int) -> str:
        if max(abs(p), q) > LARGEST_POWER:
            raise NotEncodable(f"the exponent {p}/{q} is larger than {LARGEST_POWER}")
        b = self.term(base)
        if q > 1:
            radicand = b
            self.owe(f"(>= {radicand} 0.0)", f"{base} >= 0")
            b = self.fresh("r", lambda r: f"(and (>= {r} 0.0) (= {product(r, q)} {radicand}))")
        if p < 0:
            divisor = b
            self.owe(f"(distinct {divisor} 0.0)", f"{base} != 0")
            b = self.fresh("i", lambda i: f"(= (* {i} {divisor}) 1.0)")
        return product(b, abs(p))

    def fresh(self, stem: str, definition: Callable[[str], str]) -> str:
        name = f"{stem}!{len(self.lines)}"
        self.lines += [f"(declare-const {name} Real)", f"(assert {definition(name)})"]
        return name

    def owe(self, condition: str, meaning: str) -> None:
        self.debts.append(Debt(meaning, script([*self.lines, f"(assert (not {condition}))"])))


def numeral(value: Fraction) -> str:
    size = f"{abs(value.numerator)}.0"
    size = size if value.denominator == 1 else f"(/ {size} {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size


def product(term: str, k: int) -> str:
    return "1.0" if k == 0 else term if k == 1 else f"(* {' '.join([term] * k)})"


def script(lines: Iterable[str]) -> str:
    return "\n".join(["(set-logic QF_NRA)", *lines, "(check-sat)"]) + "\n"


# --- the engines ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What one solver said: `sat` with the values it found, `unsat`, `unknown`, or that it is not installed."""

    engine: str
    status: str
    model: dict[str, Fraction] = field(default_factory=dict)


# One process for each engine and for each of our own processes: a pipe shared after a fork would mix answers.
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
        forget(name)  # an interrupted engine still owes an answer, which must not meet the next question
        raise
    if reply.get("ticket") != ticket:
        forget(name)
        return Answer(name, "unknown")
    status = reply["status"] if reply["status"] in ("sat", "unsat") else "unknown"
    model = {n.removeprefix(PREFIX): Fraction(v) for n, v in reply["model"].items() if n.startswith(PREFIX)}
    return Answer(f"{name} {reply['version']}", status, model)


def started(name: str) -> subprocess.Popen[str]:
    """The running process of this engine, started if need be."""
    key = (os.getpid(), name, SHARE)
    if key not in _running or _running[key].poll() is not None:
        forget(name)
        command = [sys.executable, "-I", str(Path(__file__).with_name("engine.py")), name, str(SHARE)]
        _running[key] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return _running[key]


def exchange(process: subprocess.Popen[str], question: dict[str, str | int]) -> dict[str, Any]:
    """One line to the engine and one line back; empty if the engine is gone."""
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
    """End our process of this engine, if there is one; the next question starts another."""
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


ENGINES: tuple[Callable[[str], Answer], ...] = (partial(ask, "z3"), partial(ask, "cvc5"))
