"""A learner as one flat array of floats: named scalars, vectors of length d, d x d matrices, the table of the link.

state[RADIUS]            a scalar
vector(state, THETA)     a view of d numbers
square(state, H)         a view of d x d numbers
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.compiling import matrix_at, shared, vector_at, view
from glbcheck.core.theory.parameters import Parameters

(
    # What the learner was told.
    DIMENSION,
    EXACT,  # is the index exact?
    S,
    ETA,
    LAM,
    ALPHA,  # of the prescribed weights, by which an adversary measures trust
    OWN_ALPHA,  # of the learner's own weights; infinite if it has none
    OLD_HESSIAN,  # `Variant`
    EUCLIDEAN,
    BETA_BASE,  # β_t² = base + slope growth_t
    BETA_SLOPE,
    GROWTH_RATE,  # growth_t = d log(1 + rate Σ 1/g), or log(det H_t / det H_1)
    USES_DETERMINANT,
    HALF_SQUARED,  # added to β_t² under the root where the radius is an exact root
    WIDENING,
    RADIUS_SCALE,
    LINK,  # which link; `core.engine.link`
    # What the caller says of the arms; the package's docstring.
    SAME_ARMS,
    # What the rounds change.
    ROUNDS,
    INVERSE_G,  # Σ 1/g
    LOGDET,  # log(det H / det H_1)
    BETA,
    RADIUS,
    AGE,  # rounds since W was made from H
    # The latest round.
    WEIGHT,
    NORM,  # ‖x‖ in H⁻¹, before the round
    CURVATURE,  # c of H_{t+1} = H_t + c x xᵀ
    PROJECTED,
    RESIDUAL,  # of the optimality conditions of the projection; 0 where there was none
    SHRINK,  # c / (1 + c ‖x‖²): what an arm's squared norm loses per squared <x_k, H⁻¹ x>
    # The latest choice.
    FOLLOWED,  # the round whose norms are in the room, -1 for none
    MULTIPLIER,  # ν of the relaxation kept in W_NU, 0 for none
    RELAXATIONS,  # how many have been made
    RELAXED,  # the relaxation whose norms are in the room, -1 for none
    RELAXED_RADIUS,  # of that relaxation
    RATIO,  # of a look: R / ‖x‖ in the relaxation
    RELAXED_WIDTH,  # of a look: ‖x‖ in the relaxation
    CALM,  # choices in turn that one constraint alone decided
    TIED,  # how many arms tied in the latest choice
    LOOKS,  # at single arms, in all
    # A learner with a scout: where the scout's state and the allowances begin, and what is spent.
    SCOUT,
    ALLOWANCES,
    SPENT,
) = range(43)
SCALARS = 48
ROWS = 9  # of a room; `core.engine.optimism` names them

# Vectors: θ_t; H⁻¹ x and W x of the latest round; then intermediate results of a step, and of a look at an arm.
THETA, PULL, WHITE, TRIAL, TARGET, POINT, SPARE, DRIFT, TURN, WHITE_ARM, WHITE_POINT, H_STEP, H_TURN, WORK = range(14)
VECTORS = 14

# Matrices: H; W with Wᵀ W = H⁻¹; the same of the kept relaxation; room for three.
H, W, W_NU, SYSTEM, FACTOR, ROOT = range(6)
SQUARES = 6


@dataclass(frozen=True)
class Variant:
    """What of the algorithm is done; anything but the defaults is a broken learner, or one without weights."""

    weights: bool = True
    widening: bool = True
    old_hessian: bool = False  # H grows by the curvature at θ_t, not at θ_{t+1}
    euclidean: bool = False  # the step is shortened to the ball instead of projected in its norm
    ridge: float = 1.0  # times λ


CORRECT = Variant()


@view
def vector(state: Floats, which: int) -> Floats:
    """A view of one of the vectors."""
    d = int(state[DIMENSION])
    return vector_at(state, SCALARS + which * d, d)


@view
def square(state: Floats, which: int) -> Floats:
    """A view of one of the matrices."""
    d = int(state[DIMENSION])
    return matrix_at(state, SCALARS + VECTORS * d + which * d * d, d, d)


@shared
def table(state: Floats) -> int:
    """Where the table of the link begins."""
    d = int(state[DIMENSION])
    return SCALARS + VECTORS * d + SQUARES * d * d


def initial(p: Parameters, variant: Variant = CORRECT) -> Floats:
    """The learner before its first round; θ_1 = 0."""
    kind = link.kind_of(p.family)
    numbers = np.zeros(0) if kind != link.TABLE else link.tabulated(p.family, p.S)
    state = np.zeros(SCALARS + VECTORS * p.d + SQUARES * p.d**2 + numbers.size)
    state[DIMENSION], state[EXACT], state[LINK] = p.d, p.index == "exact", kind
    state[state.size - numbers.size :] = numbers
    state[S], state[ETA], state[ALPHA], state[LAM] = p.S, p.eta, p.alpha, variant.ridge * p.lam
    state[OWN_ALPHA] = p.alpha if variant.weights else math.inf
    state[OLD_HESSIAN], state[EUCLIDEAN] = variant.old_hessian, variant.euclidean
    state[WIDENING] = p.widening if variant.widening else 0.0
    state[HALF_SQUARED] = p.half**2 if variant.widening else 0.0
    base = p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 0.0) ** 2
    state[BETA_BASE], state[BETA_SLOPE] = base, p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 1.0) ** 2 - base
    state[GROWTH_RATE] = p.use.growth_rate(p.d, p.lam, p.L_mu)
    state[USES_DETERMINANT], state[RADIUS_SCALE] = p.radius_form == "determinant", p.radius_scale
    state[FOLLOWED] = -1.0
    square(state, H)[:] = state[LAM] * np.eye(p.d)
    square(state, W)[:] = np.eye(p.d) / math.sqrt(state[LAM])
    set_radius(state)
    _check_radius(p, state)
    return state


def room_for(p: Parameters, K: int) -> Floats:
    """Room for what a choice works out about so many arms."""
    return np.zeros((ROWS, K))


def _check_radius(p: Parameters, state: Floats) -> None:
    """The compiled radius has one shape; a reading of the paper with another one must not run silently."""
    other = state.copy()
    for total in (0.0, 0.3, 1e3, 1e7):
        other[INVERSE_G], other[LOGDET] = total, math.log1p(total)
        set_radius(other)
        if not math.isclose(other[BETA], p.beta(total, math.log1p(total)), rel_tol=1e-12):
            raise NotImplementedError(f"the engine does not know the radius of the {p.use.name} constants")


@shared
def set_radius(state: Floats) -> None:
    """theorem:confidence-sequence/eq2 and eq:CS: β_t and the radius at the current round."""
    growth = state[LOGDET]
    if state[USES_DETERMINANT] == 0.0:
        growth = state[DIMENSION] * math.log1p(state[GROWTH_RATE] * state[INVERSE_G])
    beta = math.sqrt(state[BETA_BASE] + state[BETA_SLOPE] * growth)
    state[BETA] = beta
    state[RADIUS] = state[RADIUS_SCALE] * (math.sqrt(beta * beta + state[HALF_SQUARED]) + state[WIDENING])
