"""What the sources claim for each algorithm, as data: orders of the regret bound, and under which corruption it holds.

A bound has a leading term, of order T^a d^b κ^c, and a term that pays for corruption, of order C d^b κ^c; logarithms
are left out.  The leading term of `hcw-glb-omd` and `glb-omd` also has √Σ g μ' at the best arms in place of √T.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from glbcheck.core.competitors.unknown_budget import SUFFIX

Guarantee: TypeAlias = Literal["any C", "C = 0", "none"]
Orders: TypeAlias = Mapping[str, Fraction]

AXES = ("T", "C", "d", "kappa")
HALF, ONE, TWO, ZERO = Fraction(1, 2), Fraction(1), Fraction(2), Fraction(0)


@dataclass(frozen=True)
class Claimed:
    """One row of the paper's Table 1, or of what is played beside it.

    `families` are those whose noise the proof of the guarantee covers, all that the algorithm accepts if empty.
    `thresholds` if its weights have a threshold α; `refits` if a round costs more the later it is.
    """

    source: str
    bound: str
    guarantee: Guarantee
    leading: Orders
    corruption: Orders
    families: tuple[str, ...] = ()
    thresholds: bool = False
    refits: bool = False

    def orders(self, axis: str, corrupted: bool) -> tuple[Fraction, ...]:
        """The claimed exponents of an axis: of the leading term, and with corruption of the other one as well."""
        terms = (self.leading, self.corruption) if corrupted else (self.leading,)
        found = dict.fromkeys(term[axis] for term in terms if axis in term)
        return tuple(sorted(found))


def _leading(T: Fraction, d: Fraction, kappa: Fraction) -> Orders:
    return {"T": T, "d": d, "kappa": kappa}


def _corruption(kappa: Fraction) -> Orders:
    return {"C": ONE, "d": ONE, "kappa": kappa}


NOTHING: Orders = {}
BOUNDED = ("gaussian", "bernoulli", "binomial_proportion")  # μ' is nowhere above its largest value on [-S, S]

CLAIMED: Mapping[str, Claimed] = {
    "hcw-glb-omd": Claimed(
        "theorem:regret", "d √(Σ g μ'_*) + d κ C", "any C", _leading(HALF, ONE, ZERO), _corruption(ONE), thresholds=True
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
        "Filippi et al. 2010; Li et al. 2017", "d κ √T", "C = 0", _leading(HALF, ONE, ONE), NOTHING, BOUNDED
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
        refits=True,
    ),
    "gadaoful": Claimed(
        "Yu et al. 2025, Theorem 4", "d κ √(Σ g) + d κ C", "any C", _leading(HALF, ONE, ONE), _corruption(ONE),
        refits=True,
    ),
    "greedy": Claimed("no optimism, nothing claimed", "-", "none", NOTHING, NOTHING),
    "uniform": Claimed("looks at nothing", "T", "none", _leading(ONE, ZERO, ZERO), NOTHING),
}  # fmt: skip
UNTOLD = Claimed("not told C: no bound against this adversary", "-", "none", NOTHING, NOTHING)


def claimed(name: str) -> Claimed:
    """What is claimed for the algorithm of this name; nothing for one that is not told C."""
    return UNTOLD if name.endswith(SUFFIX) else CLAIMED[name]


def guaranteed(name: str, family: str, C: float) -> bool:
    """Does a regret bound speak about the algorithm, for this family and this much corruption?"""
    row = claimed(name)
    if row.guarantee == "none" or (row.families and family not in row.families):
        return False
    return row.guarantee == "any C" or C == 0
