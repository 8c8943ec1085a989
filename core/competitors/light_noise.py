"""Whether rewards are sub-Gaussian with the variance that the slopes on [-S, S] allow: certified, or not said.

log E e^{s(r - μ)} is (m(z + gs) - m(z) - gs μ(z))/g, at most g s²/2 times the largest μ' anywhere; so they are if μ' is
nowhere above its largest value on [-S, S].
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from glbcheck.core import concordance
from glbcheck.core.closed_forms import is_constant
from glbcheck.core.enclosure import NotEnclosed, precision
from glbcheck.core.enclosure.asymptotics import ratio_tail
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.family import Family, z


@lru_cache(maxsize=512)
def noise_is_light(family: Family, S: float) -> bool:
    """Is μ' certified to be nowhere above its largest value on [-S, S]?  What is not certified counts as no."""
    if is_constant(family.dmu_expr):
        return True
    if family.domain.inf.is_finite or family.domain.sup.is_finite:
        return False
    return any(_falls_beyond(family, near) and _no_larger(family, S, near) for near in concordance.NEAR)


def _falls_beyond(family: Family, near: int) -> bool:
    """μ' falls from `near` to infinity on both sides."""
    try:
        with precision(concordance.BITS):
            return all(side * ratio_tail(family.log_partition, z, side, near).sign < 0 for side in (+1, -1))
    except (NotEnclosed, Unresolved):
        return False


def _no_larger(family: Family, S: float, near: int) -> bool:
    """The largest slope on [-near, near] is that on [-S, S], in closed form or by the brackets that are used."""
    try:
        inside, around = concordance.L_mu(family, S), concordance.L_mu(family, max(Fraction(S), Fraction(near)))
    except (NotEnclosed, Unresolved):
        return False
    same = inside.exact is not None and inside.exact == around.exact
    return same or around.upper <= inside.upper
