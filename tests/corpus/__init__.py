"""Statements whose truth is known beforehand, planted to find out whether a prover can be fooled.

Each module `false_*` and `true_*` holds one list, `ENTRIES`.  A false entry must never come out
positive and names the exact point where it fails; a true entry must never come out refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from glbcheck.verify.claim import Evidence, Statement

Point = Mapping[str, int | Fraction]


@dataclass(frozen=True)
class Entry:
    """One planted statement and the call that puts it to its prover.

    `near_miss`: false, but within 1e-6 of a true statement.  `sharp`: true, with equality
    somewhere or in the limit.  `statement` and `witness`: for a false entry, the statement (or the
    instance of it that fails) and a point where it fails.
    """

    name: str
    run: Callable[[], Evidence]
    near_miss: bool = False
    sharp: bool = False
    statement: Statement | None = None
    witness: Point = field(default_factory=dict)


def false(name: str, run: Callable[[], Evidence], fails: str, at: Point, *given: str, near_miss: bool = False) -> Entry:
    """A false statement: what `fails`, `at` which point, `given` which hypotheses."""
    return Entry(name, run, near_miss, statement=Statement(given, fails), witness=at)
