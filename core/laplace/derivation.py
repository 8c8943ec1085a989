"""A derivation is a tree of rules; the checker says what it derives, or that it does not.

A tree proposed by anybody may be trusted after the check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import ExpressionError, parse, to_text
from glbcheck.core.family import z
from glbcheck.core.laplace.conditions import Parameters
from glbcheck.core.laplace.formula import Where
from glbcheck.core.laplace.rules import RULES


@dataclass(frozen=True)
class Construction:
    """One step of a derivation: a rule, its exact parameters and the derivations it rests on."""

    rule: str
    parameters: Parameters = ()
    parts: tuple[Construction, ...] = ()

    @property
    def words(self) -> str:
        """The measure, in plain words."""
        return RULES[self.rule].describe(self.parameters, [part.words for part in self.parts])

    @property
    def infinitely_divisible(self) -> bool:
        """Does the derivation give every positive power at once?"""
        if self.rule in ("product", "power"):
            return all(part.infinitely_divisible for part in self.parts)
        return self.rule in ("constant", "exponential")

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "words": self.words,
            "parameters": [to_text(p) for p in self.parameters],
            "parts": [part.as_dict() for part in self.parts],
        }


def from_dict(data: Mapping[str, Any]) -> Construction:
    """The derivation that `as_dict` wrote; whether it is one is for `formula` to say."""
    try:
        if data["rule"] not in RULES:
            raise ValueError
        parameters = tuple(parse(text, {"z": z}) for text in data["parameters"])
        return Construction(data["rule"], parameters, tuple(from_dict(part) for part in data["parts"]))
    except (KeyError, TypeError, ValueError, ExpressionError):
        raise BadInput("data", data, "a construction as written by as_dict") from None


def formula(tree: Construction, kind: str, inside: Where) -> sp.Expr | None:
    """What the tree derives, if each of its steps is valid on the interval; None otherwise."""
    rule = RULES[tree.rule]
    if rule.gives != kind or (rule.count is not None and len(tree.parts) != rule.count):
        return None
    counted = rule.numbers is None or len(tree.parameters) == rule.numbers
    if not counted or any(p.atoms(sp.Float) for p in tree.parameters):
        return None
    below = [formula(part, rule.takes, inside) for part in tree.parts]
    if any(part is None for part in below) or not rule.holds(tree.parameters, below, inside):
        return None
    return rule.formula(tree.parameters, below)
