"""The world a learner meets: arm sets, dispersions, rewards, and the loop that plays them.

An arm set or a dispersion is a function of the round; it may look at the learner, because the paper's
opponents are adaptive.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from glbcheck.core import adversary as corruption
from glbcheck.core import constants
from glbcheck.core.adversary import Adversary, Seen, Strategy
from glbcheck.core.algorithm import Round
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.optimism import Choice
from glbcheck.core.spd import norm
from glbcheck.core.trajectory import Trajectory
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Rng = np.random.Generator


class Learner(Protocol):
    """What the loop, and an adaptive opponent, may ask of a learner."""

    @property
    def theta(self) -> Floats: ...
    @property
    def H(self) -> Floats: ...
    @property
    def radius(self) -> float: ...
    @property
    def choice(self) -> Choice | None: ...
    def select(self, arms: ArrayLike) -> int: ...
    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float: ...
    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Round: ...


Arms: TypeAlias = Callable[[int, Rng, Learner], Floats]
Dispersion: TypeAlias = Callable[[int, Floats, Rng, Learner], float]


# --- sets of arms ---------------------------------------------------------------------------------------


def sphere(rng: Rng, K: int, d: int) -> Floats:
    """K uniformly random unit vectors."""
    points = rng.standard_normal((K, d))
    lengths = np.sqrt(np.einsum("ij,ij->i", points, points))
    lengths[lengths == 0] = 1.0
    return np.asarray(points / lengths[:, None])


def basis(d: int) -> Floats:
    """The unit vectors along the axes, in both directions."""
    return np.concatenate([np.eye(d), -np.eye(d)])


def collinear(rng: Rng, K: int, d: int) -> Floats:
    """K multiples of one direction, between -1 and 1: what is learnt stays on a line."""
    return np.asarray(np.linspace(-1.0, 1.0, K)[:, None] * sphere(rng, 1, d))


def tiny(rng: Rng, K: int, d: int, length: float = 1e-6) -> Floats:
    """K random directions, all very short."""
    return np.asarray(length * sphere(rng, K, d))


def with_zero(arms: Floats) -> Floats:
    """The same arms after the arm x = 0, which teaches nothing."""
    return np.concatenate([np.zeros((1, arms.shape[1])), arms])


def fixed(arms: Floats) -> Arms:
    """The same set in every round."""
    return lambda t, rng, learner: arms


def iid(K: int, d: int) -> Arms:
    """K fresh random unit vectors in every round."""
    return lambda t, rng, learner: sphere(rng, K, d)


def least_explored(K: int, d: int) -> Arms:
    """Both directions along which H_t is smallest, among random ones: exploration is never over."""

    def arms(t: int, rng: Rng, learner: Learner) -> Floats:
        axis = np.linalg.eigh(learner.H)[1][:, 0]
        unit = axis / max(norm(axis), 1.0)
        return np.concatenate([[unit, -unit], sphere(rng, max(K - 2, 0), d)])

    return arms


# --- dispersions ----------------------------------------------------------------------------------------


def constant(g: float = 1.0) -> Dispersion:
    return lambda t, x, rng, learner: g


def decades(low: float, high: float) -> Dispersion:
    """Independent, uniform on a logarithmic scale."""
    bottom, top = math.log(low), math.log(high)
    return lambda t, x, rng, learner: math.exp(rng.uniform(bottom, top))


def spikes(base: float, height: float, every: int) -> Dispersion:
    """`base`, and `height` once in `every` rounds."""
    return lambda t, x, rng, learner: height if t % every == 0 else base


def dyadic(T: int, g_max: float = 1.0) -> Dispersion:
    """app:proof-lower-bound: the tops 2^l g_max / T of the dyadic bins in turn, the largest being g_max."""
    L = constants.number_of_bins(T)
    tops = [min(2.0**level / T, 1.0) * g_max for level in range(L, -1, -1)]
    return lambda t, x, rng, learner: tops[(t - 1) % len(tops)]


def listed(g: Floats) -> Dispersion:
    """Any sequence fixed in advance."""
    return lambda t, x, rng, learner: float(g[t - 1])


def adaptive(low: float, high: float) -> Dispersion:
    """Precise where the learner distrusts the direction anyway, noisy where it would believe."""
    return lambda t, x, rng, learner: low if learner.weight(x, low) < 1 else high


# --- the instances of the lower bounds ------------------------------------------------------------------


def corruption_arms(d: int, phi: float) -> Floats:
    """app:lower-bound-corruption: x_i = e_1 cos φ + e_{i+1} sin φ, for i = 1 … d - 1."""
    if d < 2 or not 0 < phi < math.pi / 2:
        raise BadInput("(d, phi)", (d, phi), "d >= 2 and 0 < φ < π/2")
    arms = math.sin(phi) * np.eye(d)[1:]
    arms[:, 0] = math.cos(phi)
    return arms


def corruption_instance(family: Family, d: int, S: float, phi: float, best: int, noisy: bool = True) -> World:
    """app:lower-bound-corruption: instance `best` (from 0): θ_* = S x_best, and the adversary that hides it.

    Without noise the learner sees means and Δ is taken off; with it, ones are flipped or counts thinned.
    """
    arms = corruption_arms(d, phi)
    if not 0 <= best < d - 1:
        raise BadInput("best", best, f"the number of an arm, 0 to {d - 2}")
    hiding = {"bernoulli": corruption.logistic_flip, "poisson": corruption.poisson_thin}
    if noisy and family.name not in hiding:
        raise BadInput("family", family.name, "bernoulli or poisson, unless noisy=False")
    strategy = hiding[family.name] if noisy else corruption.noiseless
    return World(family, S * arms[best], fixed(arms), strategy=strategy(family, S, phi), noisy=noisy)


def block_arms(g: Floats, theta_star: Floats, K: int) -> Arms:
    """app:proof-lower-bound/eq3: in a round of bin l, unit vectors in the l-th block of coordinates only.

    The sphere of the paper is represented by its best point and K - 1 random ones.
    """
    bins = constants.dyadic_bins(g)
    blocks = constants.number_of_bins(bins.size) + 1
    d = theta_star.size
    if d % blocks:
        raise BadInput("theta_star", theta_star.tolist(), f"a dimension divisible by {blocks} blocks")
    width = d // blocks

    def arms(t: int, rng: Rng, learner: Learner) -> Floats:
        part = slice(bins[t - 1] * width, (bins[t - 1] + 1) * width)
        points = np.zeros((K, d))
        points[:, part] = sphere(rng, K, width)
        length = norm(theta_star[part])
        if length > 0:
            points[0, part] = theta_star[part] / length
        return points

    return arms


# --- playing --------------------------------------------------------------------------------------------


CONSTANT_ONE = constant(1.0)
NO_CORRUPTION = corruption.none()
ROUNDING = 1e-12  # two arms whose ⟨x, θ_*⟩ differ by less are both the best


@dataclass(frozen=True)
class World:
    """A family, the hidden parameter, and every opponent; rewards are means if not `noisy`."""

    family: Family
    theta_star: Floats
    arms: Arms
    dispersion: Dispersion = CONSTANT_ONE
    strategy: Strategy = NO_CORRUPTION
    noisy: bool = True


STREAMS = ("arms", "dispersion", "rewards", "adversary")


def generators(seed: int, replicate: int) -> dict[str, Rng]:
    """One independent stream per source of chance; the same for any number of workers."""
    return {
        name: np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate, number)))
        for number, name in enumerate(STREAMS)
    }


def play(
    world: World, learner: Learner, T: int, C: float, seed: int, replicate: int = 0, record: bool = False
) -> Trajectory:
    """T rounds of the protocol: arms, choice, dispersion, reward, corruption, update."""
    rngs = generators(seed, replicate)
    opponent = Adversary(world.strategy, C)
    path = Trajectory(world.family, world.theta_star, T if record else 0)
    for t in range(1, T + 1):
        arms = world.arms(t, rngs["arms"], learner)
        pulled = learner.select(arms)
        x = arms[pulled]
        g = world.dispersion(t, x, rngs["dispersion"], learner)
        naturals = arms @ world.theta_star
        z, z_best = float(naturals[pulled]), float(naturals.max())
        reward = float(world.family.sample(rngs["rewards"], z, g) if world.noisy else world.family.mu(z))
        seen = Seen(
            t,
            T,
            x,
            z >= z_best - ROUNDING,
            z,
            reward,
            g,
            learner.weight(x, g),
            world.family,
            rngs["adversary"],
        )
        c = opponent.corrupt(seen)
        before = learner.theta, learner.H, learner.radius
        done = learner.update(x, reward + c, g)
        gap = 0.0 if learner.choice is None else learner.choice.gap
        path.add(pulled, z, z_best, reward, c, g, before, done, gap)
    path.theta, path.H = learner.theta, learner.H
    return path
