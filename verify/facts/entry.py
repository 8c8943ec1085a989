"""A textbook fact: what it says, where it is proved, and a random instance on which it can fail.

    @fact("markov", "P(X >= a) <= E X/a for X >= 0 and a > 0", "...", named=r"\\bMarkov")
    def markov(rng: Generator, planted: bool) -> float:
        '''The right side minus the left for a random law.'''

`named` is a regular expression for the words by which an argument calls on it.  With `planted` the function looks at
a false variant instead, so that the test of the fact is known to be able to fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

Slack = Callable[[Generator, bool], float]
ROUNDING = 1e-7
TRIALS = 200


@dataclass(frozen=True)
class Fact:
    """One entry; `slack` is how well it holds on a random instance, negative where it fails."""

    id: str
    statement: str
    reference: str
    named: str
    slack: Slack


FACTS: dict[str, Fact] = {}


def fact(id: str, statement: str, reference: str, named: str = "") -> Callable[[Slack], Fact]:
    """Enter a fact with the test of it."""

    def declare(slack: Slack) -> Fact:
        if id in FACTS and FACTS[id].slack.__module__ != slack.__module__:
            raise ValueError(f"fact {id!r}: declared in {FACTS[id].slack.__module__} and in {slack.__module__}")
        if not statement.strip() or not reference.strip():
            raise ValueError(f"fact {id!r}: a statement and a reference are needed")
        FACTS[id] = Fact(id, statement, reference, named, slack)
        return FACTS[id]

    return declare


def worst(one: Fact, planted: bool = False, trials: int = TRIALS, seed: int = 1) -> float:
    """The smallest slack over random instances; a true fact stays above -ROUNDING."""
    rng = np.random.default_rng(seed)
    return min(one.slack(rng, planted) for _ in range(trials))
