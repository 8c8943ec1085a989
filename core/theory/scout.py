"""A scout chooses, as long as the learner with the guarantee can answer for what that may cost.

The constants of a proof are larger than practice needs.  So a second learner, the scout, with constants that no theorem
covers, proposes an arm in every round, and both learn from every pull.  On the event of the confidence sequence a pull
of x costs at most μ(U) - μ(ℓ): U is the largest index in closed form of all arms on offer, and ℓ the least ⟨x, θ⟩ over
C_t.  A proposal is taken if it has the largest index itself, or if the cost of all proposals together stays within an
allowance: `share` times the regret bound that is proved for as many rounds as there have been, rounded down to a power
of two.  Otherwise the learner pulls its own arm, by the index in closed form.  So the regret of T rounds is at most
1 + share times the proved bound, for all T at once, whatever the scout proposes (claim `scouting_within_an_allowance`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.theory import constants
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.theory.tuning import Choice

SHARE = 1.0  # of the proved bound, unless told otherwise
TRUST = 0.5  # α √C of the scout, by experience


def with_scout(p: Parameters) -> Parameters:
    """The learner with a scout, whose share is the usual one unless these parameters name another."""
    return replace(p, scout=p.scout or SHARE, index="closed-form")


def alpha(C: float, S: float, g_min: float) -> float:
    """The threshold of the scout's weights; from S/g_min on none is below 1, since ‖x‖ <= S in H⁻¹."""
    return min(TRUST / math.sqrt(C), S / g_min) if C > 0 else S / g_min


def parameters_of(p: Parameters) -> Parameters:
    """The scout of a learner: its weights, a ridge of 1/S², and a squared radius of log(det H_t / det H_1)/d.

    These are what served well under attack; whatever they are, the guarantee is the same.
    """
    rate = constants.growth_rate_repaired
    use = constants.Formulas("scout", lambda *_: 1 / p.S**2, rate, lambda *known: math.sqrt(known[-1] / p.d))
    return replace(
        p, C=0.0, alpha=alpha(p.C, p.S, proved(p).problem.g_min), lam=1 / p.S**2, use=use, index="closed-form",
        radius_form="determinant", radius_scale=1.0, by_hand=("lam",), choice=None, horizon=None, scout=0.0,
    )  # fmt: skip


def allowance(p: Parameters, rounds: int) -> float:
    """What proposals may cost up to round number `rounds`, this one included."""
    return p.scout * proved(p).regret_bound(2.0 ** (rounds.bit_length() - 1))


def proved(p: Parameters) -> Choice:
    """The choice of constants whose bound a scout spends of."""
    if p.choice is None:
        raise BadInput("constants", p.use.name, "sharpest: a scout spends a share of the bound that they prove")
    return p.choice


def allowances(p: Parameters, rounds: int) -> Floats:
    """The same by powers of two: entry k is for the rounds from 2^k on."""
    return np.array([allowance(p, 2**k) for k in range(max(rounds, 1).bit_length())])
