"""Coq's second opinion on scalar obligations: confirmed, not confirmed and why, or contradicted.

Each lemma goes to a running Coq sentence by sentence, so that one that fails or takes too long takes no other with
it.  A lemma counts as confirmed when Coq has it under its name, which is the hash of its text, and it rests on nothing
but the axioms of the reals and the machine integers of `interval`.  That is remembered in the driver's store, under
the version of Coq and the theories that the lemma uses.  A statement that is not confirmed is put to Coq once more, at
points where it may fail: a proof of its negation is a contradiction between the two kernels.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from glbcheck.verify.coq import driver
from glbcheck.verify.coq.formulas import Untranslated
from glbcheck.verify.coq.obligations import Lemma, Obligation, denials, lemma
from glbcheck.verify.coq.toplevel import OutOfTime, Refused, Toplevel

SCALARS = driver.Library("Scalars", Path(__file__).parent / "scalars")
NEEDED = ("Coquelicot/Coquelicot.vo", "Interval/Tactic.vo")
SECONDS_TO_LOAD, SECONDS_TO_STOP = 120.0, 10.0
BATCH = 100  # lemmas whose axioms are asked for at once
OPENING = (
    "From Coq Require Import Reals Lra Psatz ZArith.",
    "From Coquelicot Require Import Coquelicot.",
    "From Interval Require Import Tactic.",
    "From Scalars Require Import Semantics Ladder Tactics.",
    "Open Scope R_scope.",
)
# What `interval` computes with: the machine integers of Coq and the laws that it takes for granted of them.
MACHINE_INTEGERS = re.compile(r"(PrimInt63|Uint63|Sint63|FloatAxioms|PrimFloat|SpecFloat)\.\w+")
CONFIRMED, NOT_CONFIRMED, CONTRADICTED = "confirmed", "not confirmed", "contradicted"


@dataclass(frozen=True)
class Opinion:
    """What Coq says of an obligation."""

    obligation: Obligation
    word: str
    reason: str = ""


def available() -> bool:
    """Is there a Coq with the libraries that the lemmas need?"""
    return driver.coqc() is not None and driver.installed(*NEEDED)


def opinions(
    found: Iterable[Obligation],
    store: Path,
    seconds: float = 60.0,
    jobs: int = 1,
    told: Callable[[int], None] = lambda _: None,
) -> list[Opinion]:
    """What Coq says of each obligation, with so many seconds for one lemma; `told` hears of lemmas answered."""
    asked = list(found)
    driver.build([SCALARS], store)
    shares = [asked[i::jobs] for i in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        answered = list(pool.map(lambda share: _Asking(store, seconds, told).all(share), shares))
    by_obligation = {id(o.obligation): o for share in answered for o in share}
    return [by_obligation[id(one)] for one in asked]


class _Asking:
    """One Coq and the lemmas that it is asked."""

    def __init__(self, store: Path, seconds: float, told: Callable[[int], None]) -> None:
        self.store, self.seconds, self.told = store, seconds, told
        self.coq: Toplevel | None = None
        self.waiting: list[Lemma] = []  # accepted, and not yet asked for their axioms
        self.found: dict[str, str] = {}  # by the name of a lemma, why it is not accepted; empty if it is
        sources = [path.read_text() for path in driver.modules([SCALARS]).values()]
        self.key = hashlib.sha256("\0".join([driver.version(), *OPENING, *sources]).encode()).hexdigest()
        self.folder = store / "obligations"
        self.folder.mkdir(parents=True, exist_ok=True)

    def all(self, asked: Sequence[Obligation]) -> list[Opinion]:
        try:
            return self.settled(asked)
        finally:
            self.stop()

    def settled(self, asked: Sequence[Obligation]) -> list[Opinion]:
        lemmas, untold = dict[int, Lemma](), dict[int, str]()
        for i, one in enumerate(asked):
            try:
                lemmas[i] = lemma(one)
            except Untranslated as problem:
                untold[i] = str(problem)
        self.ask(list(lemmas.values()))
        reasons = {**untold, **{i: self.found[made.name] for i, made in lemmas.items()}}
        against = {i: list(denials(asked[i])) for i, reason in reasons.items() if reason}
        self.ask([denial for made in against.values() for denial in made])
        return [self.opinion(one, reasons[i], against.get(i, [])) for i, one in enumerate(asked)]

    def opinion(self, one: Obligation, reason: str, against: Sequence[Lemma]) -> Opinion:
        for denial in against:
            if not self.found[denial.name]:
                return Opinion(one, CONTRADICTED, f"Coq proves {' '.join(denial.statement.split())}")
        return Opinion(one, NOT_CONFIRMED if reason else CONFIRMED, reason)

    def ask(self, lemmas: Sequence[Lemma]) -> None:
        """Find out of each lemma why it is not accepted, if it is not; those that a dying Coq took along come again."""
        left = [asked for asked in dict.fromkeys(lemmas) if not self.remembered(asked)]
        while left:
            for asked in left:
                self.found[asked.name] = self.problem(asked)
                self.told(1)
                if len(self.waiting) >= BATCH:
                    self.audit()
            self.audit()
            left = [asked for asked in left if asked.name not in self.found]

    def remembered(self, asked: Lemma) -> bool:
        stamp = self.folder / asked.name
        known = stamp.exists() and stamp.read_text() == self.key
        if known:
            self.found[asked.name] = ""
        return known

    def problem(self, asked: Lemma) -> str:
        """Why Coq does not accept a lemma; empty if it does, up to its axioms."""
        self.coq = self.coq or Toplevel(driver.flags([SCALARS], self.store), OPENING, SECONDS_TO_LOAD)
        sentence, deadline = "", time.monotonic() + self.seconds
        try:
            for sentence in asked.sentences:
                self.coq.say(sentence, deadline)
        except (OutOfTime, Refused) as problem:
            self.recover()
            late = isinstance(problem, OutOfTime)
            why = f"more than {self.seconds:g} seconds" if late else str(problem)[:200]
            return f"{why} at: {sentence.strip()[:120]}"
        self.waiting.append(asked)
        return ""

    def recover(self) -> None:
        """Give the open proof up; a Coq that does not answer any more is ended, and its lemmas are asked again."""
        try:
            assert self.coq is not None
            self.coq.interrupt(SECONDS_TO_STOP)
        except (OutOfTime, Refused):
            for lost in self.waiting:
                del self.found[lost.name]
            self.waiting.clear()
            self.stop()

    def audit(self) -> None:
        """Ask for the axioms of what was accepted, all at once, and one by one only if something is wrong."""
        if self.coq is None or not self.waiting:
            return
        names = [asked.name for asked in self.waiting]
        if self.axioms(names):
            for name in names:
                self.found[name] = f"it rests on {unknown[0]}" if (unknown := self.axioms([name])) else ""
        for name in names:
            if not self.found[name]:
                (self.folder / name).write_text(self.key)
        self.waiting.clear()

    def axioms(self, names: Sequence[str]) -> list[str]:
        """The axioms behind these lemmas that are not allowed."""
        assert self.coq is not None
        together, deadline = (
            f"audit_{hashlib.sha256(' '.join(names).encode()).hexdigest()[:16]}",
            time.monotonic() + 600,
        )
        self.coq.say(f"Definition {together} := ({', '.join(f'@{name}' for name in names)}, I).", deadline)
        return _unknown_axioms(self.coq.say(f"Print Assumptions {together}.", deadline))

    def stop(self) -> None:
        if self.coq is not None:
            self.coq.__exit__(None, None, None)
            self.coq = None


def _unknown_axioms(printed: str) -> list[str]:
    """The axioms outside the allow-list, of what `Print Assumptions` says."""
    _, _, listed = printed.partition("Axioms:")
    names = [line.split(" :")[0].strip() for line in listed.splitlines() if line and not line[0].isspace()]
    return [n for n in names if n not in driver.ALLOWED_AXIOMS and not MACHINE_INTEGERS.fullmatch(n)]
