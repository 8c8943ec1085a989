"""The paper's learner, also with a scout; what is left of it without weights or optimism; GLB-OMD; and uniform choice.

`hcw-glb-omd`, and `hcw-glb-omd-scout` with a scout (`core.theory.scout`): the paper under review.  `glb-omd-tuned` is
the same without weights, with the least λ that C = 0 allows; `greedy` is that one without optimism.  `uniform` pulls
every arm with the same probability, whatever it pays.

`glb-omd`: Zhang, Xu, Zhao and Sugiyama 2025, "Generalized linear bandits: almost optimal regret with one-pass update".

Rewards of one family that all have the same dispersion g, with |μ''| <= R μ' on the whole line (their Assumption 3):
the mixture of their proof puts mass on all of R^d, so R on [-S, S] would not do.  They list the exponential law with
R = 0; it has |μ''|/μ' = 2/|z|, which is unbounded, and is refused here.
"""

from __future__ import annotations

import math
from dataclasses import replace

from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust
from glbcheck.core.engine.run import Agent, agent_of
from glbcheck.core.engine.state import WEIGHT, Variant, initial
from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import Algorithm, whole_line_concordance, with_own
from glbcheck.core.theory.constants import PAPER
from glbcheck.core.theory.parameters import Parameters, of_choice
from glbcheck.core.theory.scout import proved, with_scout
from glbcheck.core.theory.tuning import tune_without_weights

_BISECTIONS = 100
DEFAULT_HORIZON = 1e4

# β² = 4λS² + 2η log(1/δ) + (6η² + η) log det, as published: the coefficients follow from Lemmas 4 to 6 with α = 3η/2.
# The bound d log(1 + L_μ t/(g λ)) on log det is derived here, by the largest eigenvalue of H: their display was not at
# hand.  Both are what the paper under review prints, so its formulas serve.
FORMULAS = PAPER


def constants(family: Family, d: int, S: float, L_mu: float, g: float) -> tuple[float, float, float]:
    """R, η = 1 + R S and λ = max(14 d η R², 6 η R S L_μ/g), as published (Theorem 1, and again Theorem 2).

    For a linear link this λ is 0 and H_1 has no inverse; every λ > 0 is then in accord with the theorem, and d/(4S²),
    which makes 4λS² = d, is taken (derived here).
    """
    R = whole_line_concordance("glb-omd", family)
    eta = 1 + R * S
    lam = max(14 * d * eta * R**2, 6 * eta * R * S * L_mu / g)
    return R, eta, lam if lam > 0 else d / (4 * S**2)


def published(p: Parameters, g: float) -> Parameters:
    """GLB-OMD with the constants of its source, for rewards of dispersion g; of `p` the α stays, as above."""
    R, eta, lam = constants(p.family, p.d, p.S, p.L_mu, g)
    return replace(p, C=0.0, R_s=R, eta=eta, lam=lam, use=FORMULAS, index="closed-form", choice=None, horizon=None)


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


def _without_weights(p: Parameters, episode: Episode) -> Agent:
    return agent_of(unweighted(p, episode.dispersion_range[0]), Variant(weights=False))


@kernel
def choose_any(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm that was drawn at random."""
    return int(state[state.size - 1])


@kernel
def observe_nothing(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    state[WEIGHT] = 1.0


HCW_GLB_OMD = Algorithm(lambda p, episode: agent_of(replace(p, scout=0.0)))
HCW_GLB_OMD_SCOUT = Algorithm(lambda p, episode: agent_of(with_scout(p)), proved, optimistic=False)
GLB_OMD = Algorithm(
    lambda p, episode: agent_of(published(p, episode.dispersion_range[1]), Variant(weights=False)),
    lambda p: whole_line_concordance("glb-omd", p.family),
    one_dispersion=True,
)
GLB_OMD_TUNED = Algorithm(_without_weights)
GREEDY = Algorithm(
    lambda p, episode: _without_weights(replace(p, radius_scale=0.0, index="closed-form"), episode), confident=False
)
UNIFORM = Algorithm(
    lambda p, episode: Agent(choose_any, observe_nothing, trust, with_own(initial(p), [0.0]), picks=True),
    confident=False,
    estimates=False,
)
