"""The constants of the local confidence theorem, which asks for self-concordance on [-S - b, S + b] only.

R_s and L_mu are the link's on [-S, S], `R_near` is its self-concordance on [-S - b, S + b], and `reach` is b.
The theorem is the claim `local_confidence_sequence`; it holds for every family whose domain goes beyond [-S, S].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial

from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.scalar import Scalar, largest, log, sqrt
from glbcheck.core.theory.constants import MIXTURE_CHOICE, Formulas, growth_rate_repaired

# The window of the mixture ends this many standard deviations beyond [-S, S] (claim `windowed_normal_variance`),
# and there the moves cost this factor more.
WINDOW, MOVES_FACTOR = 3, Fraction(36, 35)
# Shares of the largest reach worth trying; a flat link has no such reach, and gets this multiple of S.
TRIED, FLAT_REACH = tuple(Fraction(k, 8) for k in (2, 4, 5, 6, 8)), 64


def spread_local(eta: Scalar) -> Scalar:
    """The spread γ = 54 η/35 of the mixture, the least for which the moves cancel."""
    return 54 * eta / 35


def lam_local(
    d: Scalar, S: Scalar, eta: Scalar, alpha: Scalar, R_s: Scalar, L_mu: Scalar, R_near: Scalar, reach: Scalar
) -> Scalar:
    """The regularisation: 4 γ R_near² for the curvature, 9 γ/b² so that the window fits, and two as in print."""
    curvature, window = 216 * eta * R_near**2 / 35, 486 * eta / (35 * reach**2)
    return largest(curvature, window, 36 * eta**2 * alpha**2 * R_s**2 * S**2 * L_mu**2, d / (4 * S**2))


def beta_from_logdet_local(S: Scalar, delta: Scalar, eta: Scalar, lam: Scalar, logdet: Scalar) -> Scalar:
    """β_t from log(det H_t / det H_1): 729 η²/350 in place of 6 η² + η (claim `choice_of_the_local_constants`)."""
    return sqrt(2 * eta * log(1 / delta) + 729 * eta**2 * logdet / 350 + 4 * lam * S**2)


@dataclass(frozen=True)
class Surroundings:
    """How far beyond [-S, S] the theorem looks, and an upper bound on R_s there."""

    reach: Fraction
    R_near: float

    @property
    def demand(self) -> float:
        """λ is at least γ times this."""
        return max(float(MIXTURE_CHOICE) * self.R_near**2, WINDOW**2 / float(self.reach) ** 2)

    @cached_property
    def formulas(self) -> Formulas:
        lam = partial(lam_local, R_near=self.R_near, reach=float(self.reach))
        return Formulas("local", lam, growth_rate_repaired, beta_from_logdet_local)


@lru_cache(maxsize=512)
def surroundings(family: Family, S: Fraction) -> Surroundings:
    """The reach that asks for the least λ among a few; any of them is allowed, and none depends on a reward."""
    found = [one for one in (_at(family, S, reach) for reach in _reaches(family, S)) if one]
    if not found:
        raise BadInput("S", S, f"a radius beyond which R_s of {family.name} can be enclosed")
    return min(found, key=lambda one: one.demand)


@lru_cache(maxsize=512)
def known_surroundings(family: Family, S: Fraction) -> Surroundings:
    """The same for a learner: found once, then kept for the next process."""

    def find() -> list[str | float]:
        found = surroundings(family, S)
        return [str(found.reach), found.R_near]

    reach, R_near = family.kept(f"surroundings of {S}", find)
    return Surroundings(Fraction(reach), float(R_near))


def _reaches(family: Family, S: Fraction) -> list[Fraction]:
    """Beyond 3/(2 R_s) the curvature asks for more than the window does; the domain may end before."""
    from glbcheck.core import concordance

    curvature = concordance.R_s(family, S).upper
    room = float(min(family.domain.sup, -family.domain.inf) - S)
    best = float(WINDOW) / (math.sqrt(MIXTURE_CHOICE) * curvature) if curvature > 0 else FLAT_REACH * float(S)
    farthest = Fraction(f"{min(best, room):.6e}")  # what rounding puts beyond the domain is not taken
    return [farthest * share for share in TRIED]


def _at(family: Family, S: Fraction, reach: Fraction) -> Surroundings | None:
    from glbcheck.core import concordance
    from glbcheck.core.enclosure import NotEnclosed
    from glbcheck.core.enclosure.extrema import Unresolved

    try:
        near = concordance.R_s(family, family.check_radius(S + reach)).upper
    except (BadInput, NotEnclosed, Unresolved):
        return None  # beyond the domain, or too near to its end to be enclosed
    return Surroundings(reach, near) if math.isfinite(near) else None
