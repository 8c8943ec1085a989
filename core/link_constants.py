"""The constants of a link as a learner takes them: certified once, then kept for the next process.

Claims and audits ask `core.concordance` itself, which certifies in the process that asks.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from glbcheck.core.bracket import Constant
from glbcheck.core.family import Family

Name = Literal["L_mu", "R_s", "bend", "kappa"]  # functions of `core.concordance`


def L_mu(family: Family, S: object) -> Constant:
    return _on(family, "L_mu", family.check_radius(S))


def kappa(family: Family, S: object) -> Constant:
    return _on(family, "kappa", family.check_radius(S))


def R_s(family: Family, S: object) -> Constant:
    return _on(family, "R_s", family.check_radius(S))


def bend(family: Family, S: object) -> Constant:
    return _on(family, "bend", family.check_radius(S))


@lru_cache(maxsize=512)
def _on(family: Family, name: Name, S: Fraction) -> Constant:
    def find() -> dict[str, object]:
        from glbcheck.core import concordance

        return asdict(getattr(concordance, name)(family, S))

    return Constant(**family.kept(f"{name} on {S}", find))  # type: ignore[arg-type]


@lru_cache(maxsize=512)
def whole_line(family: Family) -> Constant:
    """The global R_s; what cannot be enclosed counts as unbounded."""

    def find() -> dict[str, object]:
        from glbcheck.core import concordance
        from glbcheck.core.enclosure import NotEnclosed
        from glbcheck.core.enclosure.extrema import Unresolved

        try:
            return asdict(concordance.R_s_global(family))
        except (NotEnclosed, Unresolved):
            return asdict(Constant(None, math.inf, math.inf, "not enclosed"))

    return Constant(**family.kept("R_s on the whole line", find))  # type: ignore[arg-type]


def needed(family: Family, name: Literal["R_s", "L_mu"], S: float) -> float:
    """What the constant is at least; infinite if it is not certified, which guarantees nothing."""
    from glbcheck.core.enclosure import NotEnclosed
    from glbcheck.core.enclosure.extrema import Unresolved

    try:
        return _on(family, name, family.check_radius(S)).lower
    except (NotEnclosed, Unresolved):
        return math.inf
