"""What an audit is told: the family, the radius S, and the bandit it would be used in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import natural, stated
from glbcheck.core.family import Family
from glbcheck.verify.audit.check import Finding

SEED = 20_240_601  # of everything that an audit draws
SMALLEST, LARGEST = Fraction(1, 10**12), Fraction(10**6)  # radii S


@dataclass(frozen=True)
class Subject:
    """A family on [-S, S] in d dimensions, T rounds, budget C, confidence 1 - delta, dispersion g."""

    family: Family
    S: Fraction
    d: int = 2
    T: int = 10_000
    C: float = 1.0
    delta: float = 0.05
    g: Fraction = Fraction(1)
    quick: bool = False
    oracle: Callable[[], Finding] | None = None


def subject(family: Family, S: object, *, g: object = None, **setting: Any) -> Subject:
    """The same, with every argument checked and named if it is refused."""
    radius = stated("S", S, "a finite number S > 0")
    if radius <= 0:
        raise BadInput("S", S, "a finite number S > 0")
    if not SMALLEST <= radius <= LARGEST or radius.denominator > 10**40:
        raise BadInput("S", _shortened(S), "a short number S between 1e-12 and 1e6")
    chosen = _allowed_dispersion(family) if g is None else stated("g", g, "a dispersion g > 0")
    family.check_dispersion(float(chosen), "g")
    made = Subject(family, radius, g=chosen, **setting)
    for name, value in (("d", made.d), ("T", made.T)):
        natural(name, value, 1)
    if not (math.isfinite(made.C) and made.C >= 0):
        raise BadInput("C", made.C, "a finite corruption budget C >= 0")
    if not 0 < made.delta < 1:
        raise BadInput("delta", made.delta, "a probability strictly between 0 and 1")
    return replace(made, C=float(made.C), delta=float(made.delta))


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _allowed_dispersion(family: Family) -> Fraction:
    """1 if the family allows it, otherwise the first simple number that it does."""
    simple = [Fraction(1), *(Fraction(1, n) for n in range(2, 9)), *(Fraction(n) for n in range(2, 9))]
    for value in simple:
        if family.dispersions.allows(float(value)):
            return value
    raise BadInput("g", None, f"a dispersion, since {family.name} needs {family.dispersions.words}")
