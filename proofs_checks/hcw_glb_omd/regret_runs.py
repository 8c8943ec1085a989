"""The repaired regret bound on hostile sequences, and how far below it runs of the algorithm stay.

The proofs are elsewhere; the sums look for a slip in the glue, the runs show how loose the bound is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from glbcheck.core import catalog, concordance
from glbcheck.core.engine import run as engine
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, basis, changing, decades, sphere
from glbcheck.core.theory import constants
from glbcheck.core.theory.parameters import Index, Parameters, parameters
from glbcheck.verify.search import property, strategies
from glbcheck.verify.writing import Evidence, claim
from hypothesis import strategies as st
from numpy.typing import NDArray

from .unprinted import COMPACT, CURVED

Array = NDArray[np.float64]
ROUNDING = 1e-9


# --- the sums, on sequences that need not come from a learner --------------------------------------------


@dataclass(frozen=True)
class Sequence:
    """Arms, slopes as a share of the way from 1/kappa to L, dispersions, and the constants."""

    arms: Array
    shares: Array
    dispersions: Array
    alpha: float
    lam: float
    L: float
    kappa: float


@st.composite
def sequences(draw: st.DrawFn) -> Sequence:
    arms = draw(strategies.arm_sequences())
    T = len(arms)
    unit = st.floats(0, 1)
    shares = draw(st.lists(unit, min_size=T, max_size=T))
    g = draw(st.lists(strategies.decades(-4, 4), min_size=T, max_size=T))
    L, alpha, lam = (draw(strategies.decades(-2, 2)) for _ in range(3))
    return Sequence(arms, np.array(shares), np.array(g), alpha, lam, L, draw(strategies.decades(0, 2)) / L)


def largest_share(run: Sequence, half: float) -> float:
    """The largest of potential, S_1, S_2, S_3 over its repaired bound; `half` stands for the factor 1/2."""
    T, d = run.arms.shape
    H = run.lam * np.eye(d)
    potential = S_1 = S_2 = S_3 = spread = 0.0
    for x, share, g in zip(run.arms, run.shares, run.dispersions, strict=True):
        p = 1 / run.kappa + share * (run.L - 1 / run.kappa)
        n = math.sqrt(float(x @ np.linalg.solve(H, x)))
        w = float(constants.weight(run.alpha, g, n))
        potential += w / g * p * n**2
        spread += w / g
        if w < 1:
            S_1, S_3 = S_1 + p * n, S_3 + n**2
        else:
            S_2 += n**2
        H += w / g * p * np.outer(x, x)
    root = math.sqrt(run.lam)
    P = (1 + half * run.alpha * run.L / root) * d * math.log1p(run.L * spread / (d * run.lam))
    ratio = run.kappa / (root * run.alpha)
    F = d * (ratio + half / run.lam) * math.log1p(T * run.alpha / (d * run.kappa * root))
    g_max = float(run.dispersions.max())
    pairs = ((potential, P), (S_1, P / run.alpha), (S_2, run.kappa * g_max * P), (S_3, F))
    return max(value / bound for value, bound in pairs if value > 0) if potential > 0 else 0.0


@claim(
    "lemma:epl-results",
    "lemma:decomposition/eq5",
    reading="repaired",
    hypotheses=("any arms in the unit ball, slopes in [1/kappa, L], dispersions over eight decades",),
    expected="stress-tested",
    control=("factor 1/4 in place of 1/2", 0.25),
    uses=("potential_bound_repaired", "first_sum_repaired", "second_sum_repaired", "third_sum_repaired"),
)
def sums_in_matrices(half: float = 0.5) -> Evidence:
    """The repaired bounds on the potential, S_1, S_2 and S_3 with matrices in up to five dimensions."""

    def slack(factor: float) -> Callable[[Sequence], float]:
        return lambda run: 1 - largest_share(run, factor) + ROUNDING

    return property.stress(slack(half), sequences(), 300, seed=3, alternatives={"factor 1/4": slack(0.25)})


@claim(
    "lemma:epl-results",
    "lemma:decomposition/eq5",
    reading="repaired",
    hypotheses=("d = 1, T = 2, x_t = 1, slope L = 1, kappa = 100",),
    expected="stress-tested",
    control=("factor 1/4 in place of 1/2", 0.25),
    uses=("sums_in_matrices",),
)
def sums_under_attack(half: float = 0.5) -> Evidence:
    """The same to four digits, with an optimiser climbing towards the bounds; it comes as near as that."""
    # Two unit pulls on the line with slope L = 1; the optimiser chooses the decades of the rest.
    arms, steepest = np.ones((2, 1)), np.ones(2)

    def share(logarithms: Array) -> float:
        g_1, g_2, alpha, lam = 10.0**logarithms
        run = Sequence(arms, steepest, np.array([g_1, g_2]), alpha, lam, 1.0, 100.0)
        return round(largest_share(run, half), 4)

    names = ("log10 g_1", "log10 g_2", "log10 alpha", "log10 lambda")
    return property.climb(share, 1, dict.fromkeys(names, (-3, 3)), seed=1)


# --- runs of the algorithm --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Regime:
    """One corner of the parameter space, named for what is extreme in it."""

    name: str
    family: str
    d: int
    S: float
    T: int
    C: float = 0.0
    low: float = 1.0
    high: float = 1.0
    index: Index = "exact"


# Horizons at which the bound in question is below the trivial one, mu(S) - mu(-S) in every round.
SHORT = (
    Regime("small lambda", "gaussian", 1, 10.0, 40),
    Regime("smaller lambda", "gaussian", 1, 30.0, 40),
    Regime("small lambda, dispersions below 1", "gaussian", 2, 20.0, 150, low=1e-3, high=0.5),
    Regime("tiny dispersions", "gaussian", 2, 1.0, 300, low=1e-3, high=1e-2),
    Regime("corruption, index without Theta", "gaussian", 2, 1.0, 600, C=1.0, low=0.01, high=0.1, index="closed-form"),
    Regime("scaled Poisson", "scaled_poisson", 1, 0.5, 1000, low=1e-4, high=1e-2, index="closed-form"),
)
LONG = (
    Regime("small lambda", "gaussian", 2, 10.0, 2000, index="closed-form"),
    Regime("tiny dispersions", "gaussian", 2, 1.0, 2000, low=1e-3, high=1e-2, index="closed-form"),
    Regime("corruption", "gaussian", 2, 1.0, 20_000, C=10.0, low=0.01, high=0.1, index="closed-form"),
    Regime("scaled Poisson", "scaled_poisson", 2, 0.5, 20_000, low=1e-4, high=1e-2, index="closed-form"),
    Regime("logistic", "bernoulli", 2, 1.0, 200_000, index="closed-form"),
)
DELTA = 0.9  # a small radius: the bound is then as tight as the theory lets it be


def world_of(r: Regime, seed: int) -> World:
    """theta* at the edge; in two dimensions an adversary chooses contexts."""
    direction = sphere(np.random.default_rng(seed), 1, r.d)[0]
    return World(
        (1 - 1e-9) * r.S * direction,
        basis(1) if r.d == 1 else changing(6, r.d, 1 - 1e-9),
        decades(r.low, r.high) if r.low < r.high else r.low,
        adversary.front_loaded(r.C),
        hostile_contexts=r.d > 1,
    )


def setting_of(r: Regime, p: Parameters, g_min: float, g_max: float) -> constants.Setting:
    kappa = float(concordance.kappa(p.family, r.S).upper)
    return constants.Setting(r.d, r.S, r.T, r.C, DELTA, p.alpha, p.R_s, p.L_mu, kappa, g_min, g_max, use=p.use)


def trivial(r: Regime) -> float:
    """What no play can exceed."""
    low, high = catalog.get(r.family).mu(np.array([-r.S, r.S]))
    return float(high - low) * r.T


def outside(theta: Array, H: Array, world: World, radius: float) -> bool:
    off = theta - world.theta_star
    return math.sqrt(float(off @ H @ off)) > radius


@cache
def decomposed(number: int, seed: int) -> float | None:
    """Regret over the bound of lemma:decomposition, its constant 6 replaced by 4, on one run.

    None if theta* leaves some C_t, or if the bound is not below the trivial one.
    """
    r = SHORT[number]
    world, p = world_of(r, seed), parameters(catalog.get(r.family), r.d, r.S, DELTA, r.C, index=r.index)
    played = engine.run(p, world, r.T, seed, record=True)
    if played.misses or outside(played.theta, played.H, world, played.radius):
        return None
    s, rows = setting_of(r, p, played.g_min, played.g_max), played.record
    assert rows is not None
    norm, trusted = rows["norm"], rows["weight"] == 1
    slope = rows["curvature"] * rows["dispersion"] / rows["weight"]  # μ'(⟨x, θ_{t+1}⟩)
    mixed = np.where(trusted, np.sqrt(p.family.dmu(rows["natural"]) * slope), slope)
    before = played.inverse_g - 1 / float(rows["dispersion"][-1])
    # S_0 + S_1 and S_2 + S_3, the sums over rounds of weight 1 and over the others.
    first, second = (
        2 * s.radius(before) * float(mixed @ norm),
        4 * s.R_s * s.L_mu * played.radius**2 * float(norm @ norm),
    )
    bound = float(first + second)
    return played.regret / bound if bound < trivial(r) else None


@cache
def explicit(number: int, seed: int) -> float | None:
    """The same for the repaired finite-T bound, on a long run of the engine."""
    r = LONG[number]
    world = world_of(r, seed)
    p = parameters(catalog.get(r.family), r.d, r.S, DELTA, r.C, index=r.index, reading="repaired")
    played = engine.run(p, world, r.T, seed, checkpoints=[r.T])
    if played.misses or outside(played.theta, played.H, world, played.radius):
        return None
    s = setting_of(r, p, played.g_min, played.g_max)
    before = float(played.radius_at[-1])
    bound = constants.regret_bound_repaired(s, played.optimal_variance, played.inverse_g, before, played.radius)
    return played.regret / float(bound) if bound < trivial(r) else None


def on_runs(share_of_the_bound: Callable[[int, int], float | None], regimes: int, most: float) -> Evidence:
    """Regret over the bound, at most `most` on every run; the search must find runs with half of that."""

    def slack(part: float) -> Callable[[tuple[int, int]], float | None]:
        def of(example: tuple[int, int]) -> float | None:
            share = share_of_the_bound(*example)
            return None if share is None else part - share

        return of

    cells = st.tuples(st.sampled_from(range(regimes)), st.integers(0, 4))
    return property.stress(slack(most), cells, 40, seed=5, alternatives={"half of that": slack(most / 2)})


@claim(
    "lemma:decomposition",
    reading="repaired",
    hypotheses=("theta* in every C_t up to T + 1", "runs in which the bound is below the trivial one"),
    expected="stress-tested",
    control=("a twentieth of the bound", 1 / 20),
    uses=("decomposition_sharp",),
)
def decomposition_on_runs(most: float = 1 / 10) -> Evidence:
    """Regret is at most a tenth of 2 r (S_0 + S_1) + 4 R_s L r'^2 (S_2 + S_3), on runs in six regimes.

    So the lemma is not sharp on them: a slip in it would show only if it made the bound ten times too small.
    Contexts are chosen against the learner in two dimensions.
    """
    return on_runs(decomposed, len(SHORT), most)


@claim(
    "theorem:regret",
    "lemma:decomposition/eq6",
    reading="repaired",
    hypotheses=("theta* in every C_t up to T + 1", "runs in which the bound is below the trivial one"),
    expected="stress-tested",
    control=("a hundred and twentieth of the bound", 1 / 120),
    uses=("regret_solved_sharp", "explicit_inequality_repaired"),
    discharges={COMPACT: "the arm sets are finite", CURVED: "Gaussian, logistic and Poisson slopes are positive"},
)
def explicit_bound_on_runs(most: float = 1 / 60) -> Evidence:
    """Regret is at most a sixtieth of the repaired finite-T bound, on runs in five regimes of up to 200000 rounds.

    The theory's constants are that large: no feasible run tells the bound from one sixty times smaller, and
    this is no evidence for its constants.  Contexts are chosen against the learner.
    """
    return on_runs(explicit, len(LONG), most)
