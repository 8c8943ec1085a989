"""Fabricated states: the compiled exact choice against the reference.

    python -m tests.core.engine.fuzz --states 100000 --seed 0

prints how many arms differ.  State number n of a seed is always the same, so `--first n --states 1` repeats one.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as states
from glbcheck.core.engine.interactive import choose_exactly
from glbcheck.core.engine.learner import refresh
from glbcheck.core.theory.parameters import parameters
from glbcheck.core.tolerances import TIE


@dataclass(frozen=True)
class Case:
    """A confidence set, arms, and what an earlier choice left behind."""

    region: ConfidenceSet
    arms: Floats
    older: Floats | None  # an H that the kept relaxation is of
    same_arms: bool


def fabricated(seed: int, number: int) -> Case:
    """Eigenvalues over up to ten decades; equal, opposite and zero arms; centres inside and on the sphere."""
    rng = np.random.default_rng([seed, number])
    d, K = int(rng.integers(1, 21)), int(rng.integers(1, 81))
    S = float(rng.choice([1e-3, 0.1, 1.0, 3.0, 50.0]))
    H = _matrix(rng, d, float(rng.choice([0.0, 1.0, 3.0, 6.0, 10.0])))
    center = rng.standard_normal(d)
    center *= S / np.linalg.norm(center) * rng.choice([0.0, 0.3, 0.9, 0.999999, 1.0])
    while np.linalg.norm(center) > S:
        center *= 1 - 2.0**-53
    typical = np.sqrt(np.median(np.linalg.eigvalsh(H)))
    reach = float(rng.choice([1e-6, 1e-3, 0.03, 0.1, 0.3, 0.6, 1.0, 1.4, 2.0, 5.0, 1e3]) * rng.uniform(0.7, 1.4))
    older = None
    if rng.random() < 0.5:  # H has grown since by some rounds
        older = H.copy()
        for _ in range(int(rng.integers(1, 12))):
            x = rng.standard_normal(d)
            H += float(rng.choice([1e-3, 0.1, 1.0, 10.0])) * np.outer(x, x) / d
    return Case(
        ConfidenceSet(center, H, reach * S * typical, S, 0.5), _arms(rng, K, d), older, bool(rng.random() < 0.5)
    )


def _matrix(rng: np.random.Generator, d: int, decades: float) -> Floats:
    Q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    H = (Q * 10.0 ** rng.uniform(0, decades, d)) @ Q.T
    return np.asarray((H + H.T) / 2)


def _arms(rng: np.random.Generator, K: int, d: int) -> Floats:
    arms = rng.standard_normal((K, d))
    arms /= np.linalg.norm(arms, axis=1)[:, None]
    kind = rng.integers(6)
    if kind == 1:
        arms *= rng.uniform(0.1, 1, (K, 1))
    elif kind == 2:
        arms *= rng.choice([1.0, 1.0, 0.5, 0.0], size=(K, 1))
    elif kind == 3:
        arms[K // 2 :] = arms[rng.integers(K, size=K - K // 2)]
    elif kind == 4:
        arms[K // 2 :] *= -1
        arms[: K // 4] = -arms[K // 2 : K // 2 + K // 4]
    elif kind == 5:
        arms = arms[:1] + 10.0 ** -float(rng.integers(1, 8)) * arms
        arms /= np.linalg.norm(arms, axis=1)[:, None]
    return np.ascontiguousarray(arms * (1 - 1e-12))


def compiled_choice(case: Case) -> int:
    """What the engine chooses in this state."""
    region, K = case.region, len(case.arms)
    p = parameters(catalog.get("gaussian"), region.center.size, region.S, 0.05, 0.0, lam=region.floor)
    state, room = states.initial(p), states.room_for(p, K)
    state[states.RADIUS] = region.radius
    states.vector(state, states.THETA)[:] = region.center
    if case.older is not None:
        _set(state, case.older)
        choose_exactly(state, room, case.arms)
        state[states.ROUNDS] += 2  # more than one round: norms are not followed
        state[states.SAME_ARMS] = float(case.same_arms)
    _set(state, region.H)
    return int(choose_exactly(state, room, case.arms))


def _set(state: Floats, H: Floats) -> None:
    states.square(state, states.H)[:] = H
    refresh(state)


def verdict(case: Case) -> tuple[int, int, bool]:
    """The engine's arm, the reference's, and whether the engine's has a value below that of the best."""
    region, arms = case.region, case.arms
    values, scale = region.values(arms)
    expected, found = most_uncertain(values, scale, region.squared_norms(arms)), compiled_choice(case)
    if found == expected:
        return found, expected, False
    return found, expected, region.optimum(arms[found]).value < values.max() - TIE * scale


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    wrong = ties = 0
    for number in range(given.first, given.first + given.states):
        found, expected, bad = verdict(fabricated(given.seed, number))
        wrong, ties = wrong + bad, ties + (found != expected and not bad)
        if found != expected:
            print(f"state {number}: arm {found} instead of {expected}, {'wrong' if bad else 'a tie'}")
    print(f"{given.states} states of seed {given.seed}: {wrong} wrong arms, {ties} ties broken otherwise")


if __name__ == "__main__":
    main()
