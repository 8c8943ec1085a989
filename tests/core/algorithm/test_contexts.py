"""The adversary that chooses contexts: what it shows, in the reference and in the engine alike."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.reference import ReferenceLearner
from glbcheck.core.engine import run as engine
from glbcheck.core.environment.adversary import adversarial_contexts, shown
from glbcheck.core.environment.world import ARMS, World, basis, changing, piece, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import parameters

TRUTH = np.array([0.6, -0.5])
ROUNDS = 400


def hostile(noisy: bool = False, dispersion: float = 1.0) -> World:
    return World(TRUTH, changing(6, 2, 0.999), dispersion, noisy=noisy, hostile_contexts=True)


@pytest.mark.parametrize("seed", range(20))
def test_an_arm_that_will_be_played_is_shown_beside_the_best_one_that_it_hides(seed: int) -> None:
    rng = np.random.default_rng(seed)
    K, d = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    arms, index, value, norm = rng.standard_normal((K, d)), *rng.random((3, K))
    offered = arms.copy()
    played, better = adversarial_contexts(offered, index, value, norm)
    gaps = {(k, j): value[j] - value[k] for k in range(K) for j in range(K) if index[j] < index[k]}
    most = max(gaps.values(), default=0.0)
    if most > 0:
        assert gaps[played, better] == most
    else:
        assert played == better == np.argmin(norm)
    assert np.array_equal(offered[0], arms[played])
    assert all(np.array_equal(row, arms[better]) for row in offered[1:])


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "poisson"])
def test_engine_and_reference_meet_the_same_contexts(name: str) -> None:
    p = parameters(catalog.get(name), 2, 1.0, 0.1, 0.0, index="closed-form")
    outcome, learner = engine.run(p, hostile(), ROUNDS, 3, record=True), ReferenceLearner.starting(p)
    assert outcome.record is not None
    rows = zip(
        piece(hostile().arms, stream(3, (), ARMS), 0, ROUNDS),
        outcome.record["arm"],
        outcome.record["reward"],
        strict=True,
    )
    for arms, pulled, reward in rows:
        offered = shown(arms, learner.theta, TRUTH, learner.H, learner.radius)
        assert (offered[learner.choose(offered)] == offered[int(pulled)]).all()
        learner.observe(offered[int(pulled)], float(p.family.mu(offered[int(pulled)] @ TRUTH)), 1.0)
        assert reward == pytest.approx(float(p.family.mu(offered[int(pulled)] @ TRUTH)))
    assert np.allclose(outcome.theta, learner.theta, atol=1e-9)
    assert np.allclose(outcome.H, learner.H, rtol=1e-9)


def test_the_reward_is_that_of_the_arm_that_was_shown() -> None:
    # With next to no noise a reward of another arm would lead elsewhere at once.
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.1, 0.0, index="closed-form")
    quiet = engine.run(p, hostile(noisy=True, dispersion=1e-10), ROUNDS, 5)
    silent = engine.run(p, hostile(noisy=False, dispersion=1e-10), ROUNDS, 5)
    assert np.allclose(quiet.theta, silent.theta, atol=1e-4)
    assert np.allclose(silent.theta, TRUTH, atol=0.05 / ROUNDS)


def test_arms_that_stay_cannot_be_chosen_against_the_learner() -> None:
    with pytest.raises(BadInput, match="hostile_contexts"):
        World(TRUTH, basis(2), hostile_contexts=True)
