"""What a rule is, and the words that rules share.

Two kinds of formula, on one open interval:

    transform   f(z) = integral of e^{rz} over a positive measure
    exponent    psi(z) with e^{t psi} a transform for every t > 0: an infinitely divisible law

A rule says what it makes of its parts and its exact parameters, and when it may be applied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
from glbcheck.core.laplace.conditions import Formulas, Parameters
from glbcheck.core.laplace.formula import Where

TRANSFORM, EXPONENT = "transform", "exponent"


@dataclass(frozen=True)
class Rule:
    """`gives` a transform or an exponent from `count` parts of the kind `takes` and so many `numbers`.

    None is any number of them.  `words` are a function or a text with places for p and parts.
    """

    gives: str
    formula: Callable[[Parameters, Formulas], sp.Expr]
    words: str | Callable[[Parameters, list[str]], str]
    holds: Callable[[Parameters, Formulas, Where], bool] = lambda p, f, inside: True
    takes: str = TRANSFORM
    count: int | None = 0
    numbers: int | None = 0

    def describe(self, p: Parameters, parts: list[str]) -> str:
        return self.words.format(p=p, parts=parts) if isinstance(self.words, str) else self.words(p, parts)


# --- words ---------------------------------------------------------------------------------------------


NOTHING = "point mass at 0"


def joined(parts: list[str]) -> str:
    if len(parts) > 4:
        parts = [*parts[:3], f"{len(parts) - 3} more"]
    return " and ".join(parts)


def independent(p: Parameters, parts: list[str]) -> str:
    """A sum of independent variables; a point mass at 0 adds nothing."""
    kept = [part for part in parts if part != NOTHING]
    return f"sum of independent [{joined(kept)}]" if len(kept) > 1 else next(iter(kept), NOTHING)


def timed(what: str) -> Callable[[Parameters, list[str]], str]:
    """A law in random time; of a mere drift only the time is left."""
    return lambda p, parts: what if parts[0].startswith("point mass") else f"{what}-timed [{parts[0]}]"


def gaussian(p: Parameters, parts: list[str]) -> str:
    q, a, _ = p
    return f"point mass at {a}" if q == 0 else f"Gaussian of variance {2 * q}"
