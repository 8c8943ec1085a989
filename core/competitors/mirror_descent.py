"""The paper's learner, also with a scout, what is left of it without weights or optimism, and GLB-OMD as published."""

from __future__ import annotations

import math
from dataclasses import replace

from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.engine import mirror_descent
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import Player, player
from glbcheck.core.engine.state import initial
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.parameters import Parameters, of_choice
from glbcheck.core.rivals import mirror_descent as glb_omd
from glbcheck.core.rivals.conditions import whole_line_concordance
from glbcheck.core.scout import proved, with_scout
from glbcheck.core.tuning import tune_without_weights

_BISECTIONS = 100
DEFAULT_HORIZON = 1e4


def _player(p: Parameters, variant: Variant) -> Player:
    return Player(mirror_descent.ROUNDS[p.index], initial(p, variant))


def _without_weights(p: Parameters, course: Course) -> Player:
    return _player(unweighted(p, course.dispersion_range()[0]), Variant(weights=False))


def _published(p: Parameters, course: Course) -> Player:
    return _player(published(p, course.dispersion_range()[1]), Variant(weights=False))


def _greedy(p: Parameters, course: Course) -> Player:
    return _without_weights(replace(p, radius_scale=0.0, index="closed-form"), course)


def unweighted(p: Parameters, g_min: float) -> Parameters:
    """The paper's learner for C = 0, with the least λ for which no weight is ever below 1.

    Without corruption α is free.  With α = 1/(√λ g_min) every weight is 1, since ‖x‖ <= 1/√λ; λ is largest
    where α is, so the α at which both formulas hold is found by bisection.  A λ given by hand stays.  The α
    of `p` stays too: here it is only what an adversary measures by.
    """
    if "lam" in p.by_hand:
        return replace(p, C=0.0)

    if p.choice:
        told = replace(p.choice.problem, C=0.0, g_min=g_min)
        found = of_choice(p.family, tune_without_weights(told, p.horizon or DEFAULT_HORIZON), p.horizon)
        return replace(found, alpha=p.alpha, index=p.index, radius_scale=p.radius_scale, by_hand=p.by_hand)

    def lam(alpha: float) -> float:
        return float(p.use.lam(p.d, p.S, p.eta, alpha, p.R_s, p.L_mu))

    low, high = 0.0, 1 / (math.sqrt(lam(0.0)) * g_min)
    for _ in range(_BISECTIONS):
        alpha = 0.5 * (low + high)
        low, high = (alpha, high) if alpha * g_min * math.sqrt(lam(alpha)) < 1 else (low, alpha)
    return replace(p, C=0.0, lam=lam(high))


def published(p: Parameters, g: float) -> Parameters:
    """GLB-OMD with the constants of its source, for rewards of dispersion g; of `p` the α stays, as above."""
    c = glb_omd.constants(p.family, p.d, p.S, p.L_mu, g)
    return replace(
        p, C=0.0, R_s=c.R, eta=c.eta, lam=c.lam, use=glb_omd.FORMULAS, index="closed-form", choice=None, horizon=None
    )


HCW_GLB_OMD = Competitor(lambda p, course: _player(p, CORRECT))
HCW_GLB_OMD_SCOUT = Competitor(lambda p, course: player(with_scout(p), course), proved, optimistic=False)
GLB_OMD = Competitor(
    _published, lambda p: whole_line_concordance("glb-omd", p.family), one_dispersion=True
)  # fmt: skip
GLB_OMD_TUNED = Competitor(_without_weights)
GREEDY = Competitor(_greedy, confident=False)
