"""What an algorithm must bring to play, and what rivals share: hypotheses, bounds on noise, a state, and how H grows.

A canonical family with the link μ(z) = z is the normal one, so no family has a linear link and bounded noise together,
which is what WeightedOFUL+ asks for.  Normal noise is symmetric, so cutting it off at ±R leaves it centred and its
variance no larger; with the R of `noise_bound` nothing is cut off in T rounds but for probability δ/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, shared
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import REFRESH, STEEP, refresh
from glbcheck.core.engine.linear import grow, shrink
from glbcheck.core.engine.run import Agent, Outcome
from glbcheck.core.engine.state import initial, set_radius, square, vector
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, z
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import Parameters

OWN = st.SCOUT  # where the numbers of a rival's own begin; none has a scout


@dataclass(frozen=True)
class Algorithm:
    """An algorithm by its rules.

    `start` is told the parameters, and of the episode what an algorithm may know beforehand; `check_applicable` raises
    `BadInput` for parameters it has no answer to.
    """

    start: Callable[[Parameters, Episode], Agent]
    check_applicable: Callable[[Parameters], object] = lambda p: None
    confident: bool = True  # has it a confidence set?
    optimistic: bool = True  # has every pull the largest index?
    estimates: bool = True  # does it look at rewards?
    one_dispersion: bool = False  # must all rewards have the same dispersion?

    def masked(self, found: Outcome) -> Outcome:
        """What has no meaning for the algorithm is NaN, or 0 where it counts rounds."""
        void: list[str] = []
        if not self.confident:
            void += ["worst_ratio", "radius", "radius_at"]
            found = replace(found, misses=0, first_miss=0, first_informative=0)
        if not self.estimates:
            void += ["theta", "H", "corruption", "smallest_weight", "error_at", "weight_at"]
            found = replace(found, record=None)
        return replace(found, **{name: getattr(found, name) * np.nan for name in void})


def rival_state(
    p: Parameters, lam: float, widening: float = 0.0, base: float = 0.0, slope: float = 0.0, alpha: float | None = None
) -> Floats:
    """H_1 = λ I, weights of threshold α if there are any, and the radius √(base + slope log(det H/λ^d)) + widening."""
    state = initial(p)
    state[st.OWN_ALPHA] = math.inf
    if alpha is not None:  # without weights an adversary measures trust by the α of the paper
        state[st.ALPHA] = state[st.OWN_ALPHA] = alpha
    state[st.LAM], state[st.WIDENING], state[st.HALF_SQUARED] = lam, widening, 0.0
    state[st.BETA_BASE], state[st.BETA_SLOPE], state[st.USES_DETERMINANT] = base, slope, True
    square(state, st.H)[:] = lam * np.eye(p.d)
    square(state, st.W)[:] = np.eye(p.d) / math.sqrt(lam)
    set_radius(state)
    return state


def with_own(state: Floats, own: Sequence[float] | Floats) -> Floats:
    """The state, followed by numbers of the rival's own, which begin at the place `state[OWN]`."""
    longer = np.concatenate([state, np.asarray(own, dtype=float)])
    longer[OWN] = state.size
    return longer


@kernel
def grow_by(state: Floats, x: Floats, c: float, q: float) -> None:
    """H becomes H + c x xᵀ, for an arm with ‖x‖² = q in H⁻¹ that `weigh` has seen; one more round."""
    grow(square(state, st.H), c, x)
    state[st.CURVATURE], state[st.SHRINK] = c, c / (1.0 + c * q)
    state[st.LOGDET] += math.log1p(c * q)
    state[st.ROUNDS] += 1.0
    state[st.AGE] += 1.0
    if state[st.AGE] >= REFRESH or c * q > STEEP:
        refresh(state)
    else:
        shrink(square(state, st.W), c, q, vector(state, st.WHITE), vector(state, st.PULL))


@shared
def length_bound(d: float, sigma: float, M: float, mass: float, level: float) -> float:
    """8 σ √(D ℓ) + 4 M ℓ, D = d log(1 + mass): what Σ x_i ε_i is at most long in (λ I + Σ x_i x_iᵀ)⁻¹, ‖x_i‖ <= L.

    For E ε_i² <= σ², |ε_i| min(1, ‖x_i‖) <= M, in all rounds n; mass is n L²/(dλ), ℓ = log(4n²/δ).  As published
    (Zhou, Gu and Szepesvári 2021, Theorem 4.1); docs/rivals.md derives smaller constants.
    """
    return 8.0 * sigma * math.sqrt(d * math.log1p(mass) * level) + 4.0 * M * level


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


def noise_bound(family: Family, g_max: float, horizon: float, delta: float) -> tuple[float, float]:
    """All noise of a run is at most R in size, but for some of δ; returns R and what is left of δ.

    Bounded rewards, as published: a reward and its mean lie in the support.  Normal ones, derived here: each of T
    noises of variance at most g_max exceeds √(2 g_max log(4T/δ)) in size with probability at most δ/(2T).
    """
    if has_bounded_rewards(family):
        return float(family.support.upper - family.support.lower), delta
    return math.sqrt(2 * g_max * math.log(4 * horizon / delta)), delta / 2


def whole_line_concordance(rival: str, family: Family) -> float:
    """R with |μ''| <= R μ' on all of ℝ; refused where there is none."""
    on_the_line = not (family.domain.inf.is_finite or family.domain.sup.is_finite)
    R = link_constants.whole_line(family).upper if on_the_line else math.inf
    if not math.isfinite(R):
        raise BadInput("algorithm", rival, f"families with |mu''| <= R mu' on the whole line, unlike {family.name}")
    return float(R)
