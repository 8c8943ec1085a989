"""What the sources claim for each algorithm, as data: orders of the regret bound, and under which corruption it holds.

A bound has a leading term, of order T^a d^b κ^c, and a term that pays for corruption, of order C d^b κ^c; logarithms
are left out.  The leading term of `hcw-glb-omd` and `glb-omd` also has √Σ g μ' at the best arms in place of √T.
A term with neither T nor C, such as d² g_max κ, is in the bound and not among the orders.

`noise_is_light` says whether rewards are certified to be sub-Gaussian with the variance that the slopes on [-S, S]
allow.  log E e^{s(r - μ)} is (m(z + gs) - m(z) - gs μ(z))/g, at most g s²/2 times the largest μ' anywhere; so they
are if μ' is nowhere above its largest value on [-S, S].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from glbcheck.core import catalog, concordance
from glbcheck.core.closed_forms import is_constant
from glbcheck.core.enclosure import NotEnclosed, precision
from glbcheck.core.enclosure.asymptotics import ratio_tail
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.family import Family, z
from glbcheck.core.names import OURS, SCOUTED, SUFFIX

Guarantee: TypeAlias = Literal["any C", "C = 0", "none"]
Orders: TypeAlias = Mapping[str, Fraction]

AXES = ("T", "C", "d", "kappa")
OTHERS = ("repaired", "local", "sharpest")  # readings other than the paper's
HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
ONLY_CONFIDENCE = "constants derived here: the confidence set is proved, the regret order is only the source's"


def _term(axis: str, power: Fraction, kappa: int = 0) -> Orders:
    return {axis: power, "d": ONE, "kappa": Fraction(kappa)}


@dataclass(frozen=True)
class Claimed:
    """One row of the paper's Table 1, or of what is played beside it.

    `light_noise` if the proof of the guarantee needs noise as light as the slopes on [-S, S] allow.  `derived` are the
    readings under which it plays constants found here, for which only the confidence set is proved.
    `thresholds` if its weights have a threshold α; `refits` if a round costs more the later it is.
    """

    source: str
    bound: str = "-"
    guarantee: Guarantee = "none"
    leading: Orders = field(default_factory=dict)
    corruption: Orders = field(default_factory=dict)
    light_noise: bool = False
    derived: tuple[str, ...] = ()
    thresholds: bool = False
    refits: bool = False

    def orders(self, axis: str, corrupted: bool) -> tuple[Fraction, ...]:
        """The claimed exponents of an axis: of the leading term, and with corruption of the other one as well."""
        terms = (self.leading, self.corruption) if corrupted else (self.leading,)
        return tuple(sorted({term[axis] for term in terms if axis in term}))

    def caveat(self, readings: Iterable[str]) -> str | None:
        """What the source does not vouch for with the constants of these readings."""
        return ONLY_CONFIDENCE if any(reading in self.derived for reading in readings) else None


CLAIMED: Mapping[str, Claimed] = {
    OURS: Claimed(
        "theorem:regret, repaired", "d √(Σ g μ'_*) + d² g_max κ + d κ max(C, 1)", "any C", _term("T", HALF),
        _term("C", ONE, 1), thresholds=True,
    ),
    SCOUTED: Claimed(
        "the same, and its allowance", f"twice that of {OURS}", "any C", _term("T", HALF), _term("C", ONE, 1),
        thresholds=True,
    ),
    "glb-omd": Claimed("Zhang et al. 2025, Theorem 2", "d √(g Σ μ'_*)", "C = 0", _term("T", HALF)),
    "glb-omd-tuned": Claimed("theorem:regret without weights, for C = 0", "d √(Σ g μ'_*)", "C = 0", _term("T", HALF)),
    "cw-oful": Claimed(
        "He et al. 2022, Theorem 4.2", "d √T + d C", "any C", _term("T", HALF), _term("C", ONE), thresholds=True
    ),
    "glm-ucb": Claimed("Filippi et al. 2010; Li et al. 2017", "d κ √T", "C = 0", _term("T", HALF, 1), light_noise=True),
    "oful": Claimed("Abbasi-Yadkori et al. 2011, Theorem 3", "d √T", "C = 0", _term("T", HALF)),
    "weighted-oful-plus": Claimed("Zhou and Gu 2022, Theorem 4.1", "d √(Σ σ²)", "C = 0", _term("T", HALF)),
    "mor-ucb": Claimed(
        "Zhao et al. 2023, Theorem 6.3", "d κ √(Σ g) + κ √(d T)", "C = 0", _term("T", HALF, 1), refits=True
    ),
    "cr-eluder-ucb": Claimed(
        "Ye et al. 2023, Theorem 4.1", "d κ √T + d κ² C", "any C", _term("T", HALF, 1), _term("C", ONE, 2),
        derived=("paper", *OTHERS), refits=True,
    ),
    "gadaoful": Claimed(
        "Yu et al. 2025, Theorem 4", "d κ √(Σ g) + d κ C", "any C", _term("T", HALF, 1), _term("C", ONE, 1),
        derived=OTHERS, refits=True,
    ),
    "greedy": Claimed("no optimism, nothing claimed"),
    "uniform": Claimed("looks at nothing", "T", leading={"T": ONE, "d": ZERO, "kappa": ZERO}),
}  # fmt: skip
UNTOLD = Claimed("not told C: no bound against this adversary")


def claimed(name: str) -> Claimed:
    """What is claimed for the algorithm of this name; nothing for one that is not told C."""
    return UNTOLD if name.endswith(SUFFIX) else CLAIMED[name]


def guaranteed(name: str, family: str, S: float, C: float) -> bool:
    """Does a regret bound speak about the algorithm, for this family, radius and this much corruption?"""
    row = claimed(name)
    if row.guarantee == "none" or (row.guarantee == "C = 0" and C > 0):
        return False
    return not row.light_noise or noise_is_light(catalog.get(family), S)


@lru_cache(maxsize=512)
def noise_is_light(family: Family, S: float) -> bool:
    """Is μ' certified to be nowhere above its largest value on [-S, S]?  What is not certified counts as no."""
    if is_constant(family.dmu_expr):
        return True
    if family.domain.inf.is_finite or family.domain.sup.is_finite:
        return False
    return any(_is_light(family, S, near) for near in concordance.NEAR)


def _is_light(family: Family, S: float, near: int) -> bool:
    """μ' falls from `near` to infinity on both sides, and is no larger on [-near, near] than on [-S, S]."""
    try:
        with precision(concordance.BITS):
            falls = all(side * ratio_tail(family.log_partition, z, side, near).sign < 0 for side in (+1, -1))
        if not falls:
            return False
        inside, around = concordance.L_mu(family, S), concordance.L_mu(family, max(Fraction(S), Fraction(near)))
    except (NotEnclosed, Unresolved):
        return False
    same = inside.exact is not None and inside.exact == around.exact
    return same or around.upper <= inside.upper
