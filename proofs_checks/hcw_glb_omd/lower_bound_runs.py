"""The hypercube lower bound against policies that run: is some sign wrong at least a quarter of the time?

d = 2, arms (+-1, +-1)/sqrt(2), unit Gaussian noise, T = 64 rounds, parameter (w/sqrt(2)) times uniformly
drawn signs, w = d/(2 sqrt(T)).  A trial is one run, looked at in one uniformly drawn round and coordinate.
Regret is 2 w T times the frequency of wrong signs, so that a quarter of them is the bound d sqrt(T)/4.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
from glbcheck.verify.search import montecarlo
from glbcheck.verify.writing import Evidence, claim, combine
from numpy.typing import NDArray

Floats = NDArray[np.float64]

T, D = 64, 2
HALF = Fraction(1, 2)
SIGNS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)], dtype=float)
ARMS = SIGNS / np.sqrt(D)
SIZE = np.sqrt(D) / (2 * np.sqrt(T))  # of each coordinate of the parameter: w/sqrt(d)


def index(precision: Floats, moment: Floats, bonus: float) -> Floats:
    """Ridge estimate of each arm plus bonus times its width; trials run along the first axis."""
    inverse = np.linalg.inv(precision)
    estimate = np.einsum("nij,nj->ni", inverse, moment) @ ARMS.T
    width = np.sqrt(np.einsum("ki,nij,kj->nk", ARMS, inverse, ARMS))
    return np.asarray(estimate + bonus * width)


def right_signs(rng: np.random.Generator, trials: int, bonus: float, explore: int) -> int:
    """Trials in which the arm played in a random round has the right sign in a random coordinate."""
    truth = SIGNS[rng.integers(4, size=trials)]
    theta = truth * SIZE
    look, coordinate = rng.integers(T, size=trials), rng.integers(D, size=trials)
    precision = np.tile(np.eye(D), (trials, 1, 1))
    moment = np.zeros((trials, D))
    right = np.zeros(trials, dtype=bool)
    rows = np.arange(trials)
    for t in range(T):
        score = index(precision, moment, bonus) + 1e-9 * rng.random((trials, 4))
        played = np.full(trials, t % 4) if t < explore else np.argmax(score, axis=1)
        x = ARMS[played]
        reward = np.einsum("ni,ni->n", x, theta) + rng.standard_normal(trials)
        precision += x[:, :, None] * x[:, None, :]
        moment += reward[:, None] * x
        agrees = SIGNS[played, coordinate] == truth[rows, coordinate]
        right |= agrees & (look == t)
    return int(right.sum())


@claim(
    "thm:lower-bound/eq1",
    reading="repaired",
    hypotheses=("Gaussian rewards, g = 1", "d = 2, T = 64", "greedy, optimistic and explore-first policies"),
    expected="stress-tested",
    control=("half of the signs wrong, twice the bound", Fraction(1, 2)),
    uses=("hypercube_lower_bound",),
)
def policies_against_the_hypercube(limit: Fraction = Fraction(3, 4)) -> Evidence:
    """Three policies on the hard instances have wrong signs in at least a quarter of the rounds, and below a half.

    The second half says that they are better than playing at random, which any lower bound would survive.
    """
    # P(right sign) <= limit and P(wrong sign) <= 1/2 for three policies: greedy, optimistic, and explore first.
    policies = ((0.0, 0), (1.0, 0), (0.0, 16))
    level, far = Fraction(1, 1000), Fraction(1, 20)
    parts = []
    for bonus, explore in policies:
        right = partial(right_signs, bonus=bonus, explore=explore)
        parts.append(montecarlo.bernoulli_at_most(right, limit, 2000, level, limit + far, seed=7))
        parts.append(montecarlo.bernoulli_at_most(wrong_of(right), HALF, 2000, level, HALF + far, seed=8))
    return combine(*parts)


def wrong_of(right: montecarlo.Sampler) -> montecarlo.Sampler:
    """The trials that are not right."""
    return lambda rng, trials: trials - right(rng, trials)
