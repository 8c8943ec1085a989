"""Classification data as a bandit: the context of a round is an example, an arm is a class, the right one pays 1.

The usual reduction: with m features per class, arm a has the features of the example in its own m coordinates of
d = K m and 0 elsewhere, so that every class has a parameter of its own.  The features are a constant and the first
m - 1 principal components, scaled to unit variance and shortened into the unit ball.  Rewards are the labels and no
model stands behind them: θ_* is only the maximum likelihood on the ball over the whole data set, by which an adversary
measures, and regret is counted against the labels, a wrong class costing 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.environment.world import Rng
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import require
from glbcheck.core.rivals.constrained_fit import constrained_mle
from glbcheck.core.theory.parameters import parameters
from numpy.typing import NDArray

# Which of scikit-learn's bundled sets, and its classes.
CLASSES: Mapping[str, int] = {"breast_cancer": 2, "digits": 10, "iris": 3, "wine": 3}
FAMILIES = ("bernoulli", "gaussian")  # links that rewards 0 and 1 are modelled with
LENGTH = 0.95  # the share of examples that fit into the unit ball without being shortened
INSIDE = 1 - 1e-9
_RIDGE = 1e-9


class Examples(NamedTuple):
    """Features (n, m) of length at most 1, and the class of each example."""

    features: Floats
    classes: NDArray[np.int64]
    K: int

    def arms(self, chosen: NDArray[np.int64]) -> Floats:
        """The K arms of each of these examples."""
        m = self.features.shape[1]
        points = np.zeros((chosen.size, self.K, self.K, m))
        for a in range(self.K):
            points[:, a, a] = self.features[chosen]
        return points.reshape(chosen.size, self.K, self.K * m)

    def labels(self, chosen: NDArray[np.int64]) -> Floats:
        """What each arm pays, (count, K)."""
        return np.asarray(self.classes[chosen, None] == np.arange(self.K), dtype=float)


def check(name: str, family: str, d: int) -> None:
    """Refuse what the reduction has no answer to."""
    K = CLASSES[name]
    if d % K or d < 2 * K:
        raise BadInput("d", d, f"a multiple of {K}, from {2 * K} on, with arms data:{name}")
    if family not in FAMILIES:
        raise BadInput("families", family, f"{' or '.join(FAMILIES)} with arms data:{name}, whose rewards are 0 and 1")
    examples(name, d)


@lru_cache(maxsize=16)
def examples(name: str, d: int) -> Examples:
    """The data set with d/K features per class."""
    require("data", f"arms = 'data:{name}'", "scikit-learn")
    from sklearn import datasets

    raw, classes = getattr(datasets, f"load_{name}")(return_X_y=True)
    K, most = CLASSES[name], min(raw.shape) + 1
    if d // K > most:
        raise BadInput("d", d, f"at most {most * K} with arms data:{name}")
    varying = raw[:, raw.std(axis=0) > 0]
    U, _, V = np.linalg.svd((varying - varying.mean(axis=0)) / varying.std(axis=0), full_matrices=False)
    signs = np.sign(V[np.arange(len(V)), np.abs(V).argmax(axis=1)])  # a component and its opposite are alike
    features = np.hstack([np.ones((len(raw), 1)), (U * signs)[:, : d // K - 1] * np.sqrt(len(raw))])
    lengths = np.linalg.norm(features, axis=1)
    features /= np.maximum(lengths, np.quantile(lengths, LENGTH))[:, None]
    return Examples(INSIDE * features, classes.astype(np.int64), K)


@lru_cache(maxsize=64)
def best_fixed(name: str, family: str, d: int, S: float) -> Floats:
    """The maximum likelihood θ with ‖θ‖ <= S over all arms of all examples."""
    data = examples(name, d)
    every = np.arange(data.classes.size)
    points, rewards = data.arms(every).reshape(-1, d), data.labels(every).reshape(-1)
    p = parameters(catalog.get(family), d, S, 0.5, 0.0, reading="repaired")
    theta = constrained_mle(p, points, rewards, _RIDGE)
    return np.asarray(theta * min(1.0, S * INSIDE / max(float(np.linalg.norm(theta)), 1e-300)))


class Stream(NamedTuple):
    """The examples of a run, in passes over the data set, each in an order of its own."""

    data: Examples
    order: NDArray[np.int64]

    @staticmethod
    def drawn(name: str, d: int, T: int, rng: Rng) -> Stream:
        data = examples(name, d)
        n = data.classes.size
        return Stream(data, np.concatenate([rng.permutation(n) for _ in range(-(-T // n))])[:T])

    def arms(self, rng: Rng, first: int, count: int) -> Floats:
        return self.data.arms(self.order[first : first + count])

    def rewards(self, rng: Rng, first: int, count: int) -> Floats:
        return self.data.labels(self.order[first : first + count])

    def mistakes(self, theta: Floats) -> float:
        """How often the best class under a fixed θ is a wrong one."""
        best = (self.data.features @ theta.reshape(self.data.K, -1).T).argmax(axis=1)
        return float((best != self.data.classes)[self.order].sum())
