"""What the rivals ask of a family and of their own arguments, and the bounds on noise that several of them share.

Each condition is checked here, and refused with the name of the rival.  A canonical family with the link μ(z) = z has
m = z²/2, so it is the normal one: no family has a linear link and bounded noise together, which is what WeightedOFUL+
asks for.  Normal noise is symmetric, so cutting it off at ±R leaves it centred and its variance no larger; with the R
of `noise_bound` nothing is cut off in T rounds but for probability δ/2.

Self-normalised Bernstein bounds: how long Σ x_i ε_i is in the norm of Z⁻¹, Z = λ I + Σ x_i x_iᵀ, for bounded noise.

Let E ε_i = 0, E ε_i² <= σ² and |ε_i| min(1, w_i) <= M given the past, where w_i is the length of x_i in the Z⁻¹ before.
With D = d log(1 + n L²/(dλ)) and ℓ = log(4n²/δ), in no round n is the length above

    β_n = a σ √(D ℓ) + b M ℓ,    a = 2 + √7 < 4.65,    b = 2/3 + √19/3 < 2.12,

but for probability δ.  Derived here, by the martingale argument of the sources with Freedman's inequality
(√(2Vℓ) + 2cℓ/3 for variance V and size c) in place of theirs.  The square of the length grows in round i by at most
2 ε_i ⟨x_i, Z⁻¹ s⟩/(1 + w_i²) + ε_i² w_i²/(1 + w_i²), s being the sum before.  While the bound has held so far, the
first parts have sizes below 2 β_n M and variances that sum to 8 β_n² σ² D at most (Σ min(1, w_i²) <= 2D), the second
sizes below M², means that sum to 2 σ² D and variances to 2 M² σ² D.  So with u = σ √(Dℓ) and v = M ℓ, and ℓ >= 1,

    length² <= 4 β_n u + (4/3) β_n v + 3 u² + (5/3) v²,

which β_n = a u + b v does not exceed, since a (a - 4) = 3 and b (b - 4/3) = 5/3; the two events of round n cost δ/(4n²)
each.  The constants that the sources are known for are larger, so their sets hold, whatever they print exactly.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from glbcheck.core import link_constants
from glbcheck.core.engine.compiling import shared
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, z

LEAST = (2 + math.sqrt(7), (2 + math.sqrt(19)) / 3)  # a and b above
VECTOR = (8.0, 4.0)  # as published: Zhou, Gu and Szepesvári 2021, Theorem 4.1


@shared
def length_bound(d: float, sigma: float, M: float, mass: float, level: float) -> float:
    """8 σ √(D ℓ) + 4 M ℓ, where `mass` is n L²/(dλ) and `level` is ℓ."""
    return VECTOR[0] * sigma * math.sqrt(d * math.log1p(mass) * level) + VECTOR[1] * M * level


# --- hypotheses ---------------------------------------------------------------------------------------------


class Bounded(NamedTuple):
    """All noise of a run is at most R in size, and the probability of failure that is left for the rest."""

    R: float
    delta: float


def has_linear_link(family: Family) -> bool:
    if family.mu_expr == z:
        return True
    import sympy as sp

    return bool(sp.simplify(family.mu_expr - z) == 0)


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
    R = link_constants.whole_line(family).upper if _is_on_the_whole_line(family) else math.inf
    if not math.isfinite(R):
        raise BadInput("algorithm", rival, f"families with |mu''| <= R mu' on the whole line, unlike {family.name}")
    return float(R)


def _is_on_the_whole_line(family: Family) -> bool:
    return not (family.domain.inf.is_finite or family.domain.sup.is_finite)


# --- arguments ----------------------------------------------------------------------------------------------


def checked_horizon(horizon: float) -> None:
    if not 1 <= horizon < math.inf:
        raise BadInput("horizon", horizon, "the number of rounds to come, at least 1")


def checked_growth(refit_growth: float) -> float:
    if not 0 <= refit_growth < math.inf:
        raise BadInput("refit_growth", refit_growth, "a number >= 0, the growth of log det H between two fits")
    return refit_growth


EAGER = 20_000  # rounds of a run up to which every round fits again, as published
GROWTH = 0.05  # of log det H between two fits in a longer run


def refit_growth(rounds: int) -> float:
    """As published, every round fits again; in runs so long that this is hopeless, only when H has changed."""
    return 0.0 if rounds <= EAGER else GROWTH
