"""What the rivals ask of a family: each condition is checked here, and refused with the name of the rival.

A canonical family with the link μ(z) = z has m = z²/2, so it is the normal one: no family has a linear link and bounded
noise together, which is what WeightedOFUL+ asks for.  Normal noise is symmetric, so cutting it off at ±R leaves it
centred and its variance no larger; with the R of `noise_bound` nothing is cut off in T rounds but for probability δ/2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import sympy as sp
from glbcheck.core.concordance import R_s_global
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, z


class Bounded(NamedTuple):
    """All noise of a run is at most R in size, and the probability of failure that is left for the rest."""

    R: float
    delta: float


def has_linear_link(family: Family) -> bool:
    return bool(family.mu_expr == z or sp.simplify(family.mu_expr - z) == 0)


def need_linear_link(rival: str, family: Family) -> None:
    if not has_linear_link(family):
        raise BadInput("algorithm", rival, f"families with the link mu(z) = z, and {family.name} has another")


def has_bounded_rewards(family: Family) -> bool:
    return bool(family.has_base and family.support.lower.is_finite and family.support.upper.is_finite)


def need_bounded_noise(rival: str, family: Family) -> None:
    """Bounded rewards, or normal ones, which are as good as bounded (`noise_bound`)."""
    if not (has_bounded_rewards(family) or has_linear_link(family)):
        raise BadInput("algorithm", rival, f"families with bounded or normal rewards, unlike {family.name}")


def noise_bound(family: Family, g_max: float, horizon: float, delta: float) -> Bounded:
    """R for a family that `need_bounded_noise` accepts.

    Bounded rewards, as published: a reward and its mean lie in the support.  Normal ones, derived here: each of T
    noises of variance at most g_max exceeds √(2 g_max log(4T/δ)) in size with probability at most δ/(2T).
    """
    if has_bounded_rewards(family):
        return Bounded(float(family.support.upper - family.support.lower), delta)
    return Bounded(math.sqrt(2 * g_max * math.log(4 * horizon / delta)), delta / 2)


def whole_line_concordance(rival: str, family: Family) -> float:
    """R with |μ''| <= R μ' on all of ℝ; refused where there is none."""
    try:
        R = R_s_global(family).upper if family.domain == sp.S.Reals else math.inf
    except (NotEnclosed, Unresolved):
        R = math.inf
    if not math.isfinite(R):
        raise BadInput("algorithm", rival, f"families with |mu''| <= R mu' on the whole line, unlike {family.name}")
    return float(R)
