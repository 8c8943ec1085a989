"""A learner as one flat array of floats: its facts, then vectors, matrices and room for intermediate results.

One array is cheap to hand to compiled code.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
from glbcheck.core._flat import Flat, Memory, Part, count, cut, whole
from glbcheck.core._numba import compiled, record
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.engine.wide import WIDE, one, root, some
from glbcheck.core.engine.wide_memory import wide_fields
from glbcheck.core.parameters import Parameters
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numba.extending import intrinsic


class Facts(Protocol):
    """Numbers of a learner: what it was told, then what its rounds change."""

    d: float
    S: float
    eta: float
    lam: float
    alpha: float  # of the prescribed weights, by which an adversary measures trust
    own_alpha: float  # of the learner's own; infinite if it has no weights
    weighs_dispersion: float  # is a precise reward distrusted more?
    widening: float
    half_squared: float  # added to beta_t² under the root where the radius is an exact root
    beta_base: float  # beta_t² = base + slope growth_t
    beta_slope: float
    growth_rate: float  # growth_t = d log(1 + rate Σ 1/g), or log(det H_t / det H_1)
    use_determinant: float
    radius_scale: float
    old_hessian: float  # see `core.engine.variant`
    euclidean: float

    rounds: float
    inverse_g: float
    logdet: float
    radius: float
    multiplier: float  # the latest of the optimistic choice
    decided: float  # which constraint decided it; see `core.engine.optimism`
    calm: float  # for how many solutions in turn no arm has touched both constraints
    kept: float  # the multiplier of a relaxation that is kept, 0 for none, see `core.engine.relaxation`
    outdated: float  # has H been replaced since?
    moved: float  # by how many H⁻¹ x the latest round took θ back; infinite if it did something else
    strayed: float  # how far θ has gone in all, see `core.engine.ends`
    swollen: float  # H has grown at most by this part of itself since values are followed
    tie: float  # values of arms that stay are equal within this; the rest is told in `core.engine.tracking`
    run: float
    norm: float
    square: float
    linear: float
    constant: float
    push: float
    push_along: float
    squared_push: float
    pushed: float
    held: float  # see `core.engine.floors`
    high: float
    high_excess: float
    low: float
    low_excess: float
    weight: float  # of the latest round
    projected: float  # in the latest round


FACTS = record(Facts)
COUNT = len(Facts.__annotations__)

# Vectors of room.  For the x of the latest `solve`: H⁻¹ x and L⁻ᵀ x.  Then a trial θ, the right-hand side of
# an equation, its solution, one to spare, and 1/D of the shifted factors; θ_t - θ_*; for `core.engine.tracking` the
# θ of the round before and a sum; for `core.engine.relaxation` 1/D and the centre.
SOLVED, REDUCED, TRIAL, TARGET, POINT, SPARE, SHIFTED_D, ERROR, BEFORE, PUSH, KEPT_D, CENTRE = range(12)
ROWS = 12


class Learner(NamedTuple):
    """The parts of the flat array, sharing its memory; H = Lᵀ D L."""

    facts: Facts
    theta: Floats
    inverse_d: Floats
    H: Floats
    lower: Floats
    square: Floats  # a matrix of room
    shifted: Floats  # the L of H + shift I, while in use
    kept: Floats  # the L of a relaxation, and the inverse of its matrix
    kept_inverse: Floats
    work: Floats  # the rows named above


_SQUARES = ("H", "lower", "square", "shifted", "kept", "kept_inverse")
STATE = Memory(
    "state",
    (
        Part("facts", (COUNT,)), Part("theta", ("d",)), Part("inverse_d", ("d",)),
        *(Part(name, ("d", "d")) for name in _SQUARES), Part("work", (ROWS, "d")),
    ),
)  # fmt: skip


def facts_in(numbers: Floats) -> Facts:
    return numbers.view(FACTS)[0]  # type: ignore[no-any-return]


def views(state: Floats, facts_in: Callable[[Floats], Facts] = facts_in) -> Learner:
    """The parts of the flat array."""
    facts, *others = cut(STATE, state, {"d": int(one(state[0]))})
    return Learner(facts_in(facts), *others)


@intrinsic  # type: ignore[untyped-decorator]
def learner_in(typingctx: Any, state: Any) -> Any:
    """The same for compiled callers, also for those whose numbers are wide."""
    whole(state)
    facts = wide_fields(FACTS) if state.dtype == WIDE else numba.from_dtype(FACTS)
    flat = Flat(state.dtype, (STATE,), ("d",), (("facts", facts),))

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
        d = builder.load(builder.bitcast(data, ir.DoubleType().as_pointer()))  # in the first lane, if there are some
        return flat.made(context, builder, state=data, d=builder.fptosi(d, ir.IntType(64)))

    return flat(state), build


def own_lines(*shape: int) -> Floats:
    """Zeros that begin a cache line, and share none with the numbers of another thread."""
    count, line = int(np.prod(shape)), 8
    numbers = np.zeros(count + 4 * line)
    first = 2 * line - numbers.ctypes.data // 8 % line
    return numbers[first : first + count].reshape(shape)


def initial(p: Parameters, variant: Variant = CORRECT) -> Floats:
    """The paper's learner before its first round."""
    state = own_lines(count(STATE, {"d": p.d}))
    state[0] = p.d
    facts = views(state).facts
    facts.S, facts.eta, facts.alpha = p.S, p.eta, p.alpha
    facts.own_alpha = p.alpha if variant.weights else np.inf
    facts.weighs_dispersion = True
    facts.widening = p.widening if variant.widening else 0.0
    facts.half_squared = p.half**2 if variant.widening else 0.0
    facts.beta_base = p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 0.0) ** 2
    facts.beta_slope = p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 1.0) ** 2 - facts.beta_base
    facts.growth_rate = p.use.growth_rate(p.d, p.lam, p.L_mu)
    facts.use_determinant = p.radius_form == "determinant"
    facts.radius_scale = p.radius_scale
    facts.old_hessian, facts.euclidean = variant.old_hessian, variant.euclidean
    facts.moved = np.inf
    _check_radius(p, state)
    start_from(state, p.lam * variant.ridge)
    return state


def start_from(state: Floats, lam: float) -> None:
    """θ_1 = 0 and H_1 = λ I, and the first radius."""
    learner = views(state)
    learner.facts.lam = lam
    learner.H[:] = lam * np.eye(learner.theta.size)
    learner.inverse_d[:] = 1 / lam
    learner.facts.radius = radius(learner.facts)


def _check_radius(p: Parameters, state: Floats) -> None:
    """The compiled radius has one shape; a reading of the paper with another one must not run silently."""
    other = views(state.copy()).facts
    other.radius_scale, other.half_squared, other.widening = 1.0, 0.0, 0.0
    for total in (0.0, 0.3, 1e3, 1e7):
        other.inverse_g, other.logdet = total, np.log1p(total)
        if not math.isclose(radius(other), p.beta(total, other.logdet), rel_tol=1e-12):
            raise NotImplementedError(f"the engine does not know the radius of the {p.use.name} constants")


@compiled
def beta(facts: Facts) -> float:
    """theorem:confidence-sequence/eq2 at the current round."""
    growth = facts.logdet
    if some(facts.use_determinant == 0.0):
        growth = facts.d * np.log1p(facts.growth_rate * facts.inverse_g)
    return root(facts.beta_base + facts.beta_slope * growth)


@compiled
def radius(facts: Facts) -> float:
    """eq:CS at the current round."""
    exact = beta(facts)
    return facts.radius_scale * (root(exact * exact + facts.half_squared) + facts.widening)
