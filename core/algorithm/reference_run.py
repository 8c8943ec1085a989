"""The reference learner in a world, round by round: arms, choice, dispersion, reward, corruption, update."""

from __future__ import annotations

import numpy as np
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.algorithm.trajectory import Trajectory
from glbcheck.core.environment.adversary import NONE, AdversaryView, corrupt, shown
from glbcheck.core.environment.world import ADVERSARY, ARMS, DISPERSIONS, REWARDS, World, piece, stream
from glbcheck.core.family import Family
from glbcheck.core.tolerances import BEST


def play(
    world: World, learner: HCWGLBOMD, T: int, seed: int, replicate: int = 0, family: Family | None = None
) -> Trajectory:
    """T rounds with rewards of the learner's family, or of another that differs in its sampler only."""
    truth = family or learner.parameters.family
    rngs = [stream(seed, (replicate,), number) for number in (ARMS, DISPERSIONS, REWARDS, ADVERSARY)]
    attack, caps = world.attack.numbers(), world.attack.caps_of(0, T)
    path = Trajectory(truth, world.theta_star)
    stay = np.asarray(world.arms) if world.arms_stay else None
    for t in range(T):
        arms = piece(world.arms, rngs[ARMS], t, 1)[0] if stay is None else stay
        if world.hostile_contexts:
            arms = shown(arms, learner.theta, world.theta_star, learner.H, learner.radius)
        pulled = learner.select(arms)
        x = arms[pulled]
        g = float(np.squeeze(piece(world.dispersions, rngs[DISPERSIONS], t, 1)))
        naturals = arms @ world.theta_star
        z, z_best = float(naturals[pulled]), float(naturals.max())
        reward = float(truth.sample(rngs[REWARDS], z, g) if world.noisy else truth.mu(z))
        c = 0.0
        if world.attack.kind != NONE:
            mirrored, mean = truth.mu(np.array([-z, z]))
            c = corrupt(
                attack,
                AdversaryView(
                    t + 1, float(caps[t]), rngs[ADVERSARY].random(), reward, float(mean), float(mirrored),
                    z >= z_best - BEST, float(x @ (learner.theta - world.theta_star)), learner.trust(x, g),
                ),
            )  # fmt: skip
        before = learner.confidence_set
        path.add(z, z_best, c, g, before, learner.update(x, reward + c, g))
    return path
