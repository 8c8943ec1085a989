"""A derivation is a tree of rules; the checker of answers, core/measures, says whether it derives what was asked.

A tree proposed by anybody may be trusted after the check.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.expression import to_text
from glbcheck.core.kernel.terms import Rejected, budget
from glbcheck.core.laplace.formula import Where, text, where
from glbcheck.core.laplace.words import Parameters, describe
from glbcheck.core.measures.check import MAX_STEPS
from glbcheck.core.measures.rules import derived, infinitely_divisible, transform
from glbcheck.core.translation import term_of

REFUSED = (Rejected, NotEnclosed, ArithmeticError, RuntimeError)


@dataclass(frozen=True)
class Construction:
    """One step of a derivation: a rule, its exact parameters and the derivations it rests on."""

    rule: str
    parameters: Parameters = ()
    parts: tuple[Construction, ...] = ()

    @property
    def words(self) -> str:
        """The measure, in plain words."""
        return describe(self.rule, self.parameters, [part.words for part in self.parts])

    @property
    def infinitely_divisible(self) -> bool:
        """Does the derivation give every positive power at once?"""
        return infinitely_divisible(self.tree)

    @cached_property
    def tree(self) -> dict[str, Any]:
        """The derivation as it stands in the file of an answer; `NotEnclosed` if a parameter cannot be written."""
        parameters, parts = [text(p) for p in self.parameters], [part.tree for part in self.parts]
        return {"rule": self.rule, "parameters": parameters, "parts": parts}

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "words": self.words,
            "parameters": [to_text(p) for p in self.parameters],
            "parts": [part.as_dict() for part in self.parts],
        }


def holds(tree: Construction, kind: str, inside: Where) -> bool:
    """Is each step of the derivation valid on the interval, and its result of this kind?"""
    try:
        with budget(MAX_STEPS):
            derived(tree.tree, kind, inside.interval)
    except REFUSED:
        return False
    return True


@lru_cache(maxsize=64)  # a power rests on the whole
def derives(tree: Construction, m: sp.Expr, domain: sp.Interval, power: Fraction = Fraction(1)) -> bool:
    """Does the tree prove that exp(power m) is a Laplace transform on the interior of the domain?"""
    inside = where(domain)
    try:
        with budget(MAX_STEPS):
            transform(term_of(m), inside.interval, power, tree.tree)
    except REFUSED:
        return False
    return True
