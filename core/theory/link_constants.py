"""The constants of a link as a learner takes them: certified once, then kept for the next process.

Claims and audits ask `core.concordance` itself, which certifies in the process that asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from functools import lru_cache

from glbcheck.core.bracket import Constant
from glbcheck.core.family import Family


@lru_cache(maxsize=512)
def _on(name: str, family: Family, S: Fraction) -> Constant:
    def find() -> dict[str, object]:
        from glbcheck.core import concordance

        return asdict(getattr(concordance, name)(family, S))

    return Constant(**family.kept(f"{name} on {S}", find))  # type: ignore[arg-type]


def _of(name: str) -> Callable[[Family, object], Constant]:
    """The function of `core.concordance` of this name, for a family and S."""
    return lambda family, S: _on(name, family, family.check_radius(S))


L_mu, kappa, R_s, bend = map(_of, ("L_mu", "kappa", "R_s", "bend"))


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


def needed(family: Family, name: str, S: float) -> float:
    """What the constant is at least; infinite if it is not certified, which guarantees nothing."""
    from glbcheck.core.enclosure import NotEnclosed
    from glbcheck.core.enclosure.extrema import Unresolved

    try:
        return _on(name, family, family.check_radius(S)).lower
    except (NotEnclosed, Unresolved):
        return math.inf
