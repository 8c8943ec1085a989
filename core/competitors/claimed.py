"""What the sources claim for each algorithm, as data: orders of the regret bound, and under which corruption it holds.

A bound has a leading term, of order T^a d^b κ^c, and a term that pays for corruption, of order C d^b κ^c; logarithms
are left out.  The leading term of `hcw-glb-omd` and `glb-omd` also has √Σ g μ' at the best arms in place of √T.
A term with neither T nor C, such as d² g_max κ, is in the bound and not among the orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from glbcheck.core import catalog
from glbcheck.core.competitors.light_noise import noise_is_light
from glbcheck.core.names import OURS, SCOUTED, SUFFIX

Guarantee: TypeAlias = Literal["any C", "C = 0", "none"]
Orders: TypeAlias = Mapping[str, Fraction]

AXES = ("T", "C", "d", "kappa")
OTHERS = ("repaired", "local", "sharpest")  # readings other than the paper's
HALF, ONE, TWO, ZERO = Fraction(1, 2), Fraction(1), Fraction(2), Fraction(0)


@dataclass(frozen=True)
class Claimed:
    """One row of the paper's Table 1, or of what is played beside it.

    `light_noise` if the proof of the guarantee needs noise as light as the slopes on [-S, S] allow.  `derived` are the
    readings under which it plays constants found here, for which only the confidence set is proved.
    `thresholds` if its weights have a threshold α; `refits` if a round costs more the later it is.
    """

    source: str
    bound: str
    guarantee: Guarantee
    leading: Orders
    corruption: Orders
    light_noise: bool = False
    derived: tuple[str, ...] = ()
    thresholds: bool = False
    refits: bool = False

    def orders(self, axis: str, corrupted: bool) -> tuple[Fraction, ...]:
        """The claimed exponents of an axis: of the leading term, and with corruption of the other one as well."""
        terms = (self.leading, self.corruption) if corrupted else (self.leading,)
        found = dict.fromkeys(term[axis] for term in terms if axis in term)
        return tuple(sorted(found))

    def caveat(self, readings: Iterable[str]) -> str | None:
        """What the source does not vouch for with the constants of these readings."""
        return ONLY_CONFIDENCE if any(reading in self.derived for reading in readings) else None


def _leading(T: Fraction, d: Fraction, kappa: Fraction) -> Orders:
    return {"T": T, "d": d, "kappa": kappa}


def _corruption(kappa: Fraction) -> Orders:
    return {"C": ONE, "d": ONE, "kappa": kappa}


NOTHING: Orders = {}
ONLY_CONFIDENCE = "constants derived here: the confidence set is proved, the regret order is only the source's"

CLAIMED: Mapping[str, Claimed] = {
    OURS: Claimed(
        "theorem:regret, repaired", "d √(Σ g μ'_*) + d² g_max κ + d κ max(C, 1)", "any C", _leading(HALF, ONE, ZERO),
        _corruption(ONE), thresholds=True,
    ),
    SCOUTED: Claimed(
        "the same, and its allowance", f"twice that of {OURS}", "any C", _leading(HALF, ONE, ZERO),
        _corruption(ONE), thresholds=True,
    ),
    "glb-omd": Claimed("Zhang et al. 2025, Theorem 2", "d √(g Σ μ'_*)", "C = 0", _leading(HALF, ONE, ZERO), NOTHING),
    "glb-omd-tuned": Claimed(
        "theorem:regret without weights, for C = 0", "d √(Σ g μ'_*)", "C = 0", _leading(HALF, ONE, ZERO), NOTHING
    ),
    "cw-oful": Claimed(
        "He et al. 2022, Theorem 4.2", "d √T + d C", "any C", _leading(HALF, ONE, ZERO), _corruption(ZERO),
        thresholds=True,
    ),
    "glm-ucb": Claimed(
        "Filippi et al. 2010; Li et al. 2017", "d κ √T", "C = 0", _leading(HALF, ONE, ONE), NOTHING,
        light_noise=True,
    ),
    "oful": Claimed(
        "Abbasi-Yadkori et al. 2011, Theorem 3", "d √T", "C = 0", _leading(HALF, ONE, ZERO), NOTHING
    ),
    "weighted-oful-plus": Claimed(
        "Zhou and Gu 2022, Theorem 4.1", "d √(Σ σ²)", "C = 0", _leading(HALF, ONE, ZERO), NOTHING
    ),
    "mor-ucb": Claimed(
        "Zhao et al. 2023, Theorem 6.3", "d κ √(Σ g) + κ √(d T)", "C = 0", _leading(HALF, ONE, ONE), NOTHING,
        refits=True,
    ),
    "cr-eluder-ucb": Claimed(
        "Ye et al. 2023, Theorem 4.1", "d κ √T + d κ² C", "any C", _leading(HALF, ONE, ONE), _corruption(TWO),
        derived=("paper", *OTHERS), refits=True,
    ),
    "gadaoful": Claimed(
        "Yu et al. 2025, Theorem 4", "d κ √(Σ g) + d κ C", "any C", _leading(HALF, ONE, ONE), _corruption(ONE),
        derived=OTHERS, refits=True,
    ),
    "greedy": Claimed("no optimism, nothing claimed", "-", "none", NOTHING, NOTHING),
    "uniform": Claimed("looks at nothing", "T", "none", _leading(ONE, ZERO, ZERO), NOTHING),
}  # fmt: skip
UNTOLD = Claimed("not told C: no bound against this adversary", "-", "none", NOTHING, NOTHING)


def claimed(name: str) -> Claimed:
    """What is claimed for the algorithm of this name; nothing for one that is not told C."""
    return UNTOLD if name.endswith(SUFFIX) else CLAIMED[name]


def guaranteed(name: str, family: str, S: float, C: float) -> bool:
    """Does a regret bound speak about the algorithm, for this family, radius and this much corruption?"""
    row = claimed(name)
    if row.guarantee == "none" or (row.guarantee == "C = 0" and C > 0):
        return False
    return not row.light_noise or noise_is_light(catalog.get(family), S)
