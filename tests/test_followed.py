"""What is followed from round to round, number by number: excess, reach and push of every arm, and its two bounds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import BEND, EXCESS, FIRST_NORM, PEAK, RATE, REACH, follow
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.optimism import _improve
from glbcheck.core.engine.state import BEFORE, PUSH, TARGET
from glbcheck.core.engine.tracking import begin, count_reaching, follow_values, update_bounds
from scipy.optimize import brentq

from tests.test_tracking import Table


class Followed(Table):
    """The same sums by numpy, from what the rounds did."""

    def __init__(self, seed: int, d: int, K: int, S: float = 1.0, scale: float = 0.1) -> None:
        super().__init__(seed, d, K, scale, S)
        for k in self.rng.integers(K, size=8):
            x = self.arms.points[k]
            grown = update(self.learner, self.link, x, float(self.rng.normal(x @ self.theta)), 0.3)
            follow(self.learner, self.arms, x, grown)
        begin(self.learner, self.arms)
        self.push, self.reach, self.bend, self.swollen = np.zeros(d), np.zeros(K), np.zeros(K), 0.0
        self.first, self.run = self.norms(), -1
        self.end_run()

    def norms(self) -> Floats:
        return np.asarray(self.region().squared_norms(self.arms.points))

    def excess(self, points: Floats) -> Floats:
        """‖θ - θ_t‖² - ρ_t² in H_t, for every column."""
        off = points - self.learner.theta[:, None]
        return np.asarray(np.einsum("ik,ij,jk->k", off, self.learner.H, off) - self.learner.facts.radius**2)

    def pushed(self) -> float:
        return math.sqrt((1 + self.swollen) * float(self.push @ np.linalg.solve(self.learner.H, self.push)))

    def end_run(self) -> None:
        """What was pending is counted for every arm."""
        if self.run >= 0:
            self.reach += math.sqrt(self.first[self.run]) * np.abs(self.slopes)
            self.push += self.moves * self.arms.points[self.run]
        self.slopes, self.moves = np.zeros(self.first.size), 0.0

    def play(self, k: int, reward: float, g: float) -> None:
        learner, x, before = self.learner, self.arms.points[k], self.learner.theta.copy()
        learner.work[BEFORE][:], old, radius = before, learner.H.copy(), float(learner.facts.radius)
        grown = update(learner, self.link, x, reward, g)
        follow_values(learner, self.arms, k, grown, radius)
        if not np.isfinite(learner.facts.moved):
            way = before - learner.theta
            self.reach += 2 * math.sqrt((1 + self.swollen) * float(way @ old @ way))
        else:
            self.moves += 2 * float(learner.facts.moved)
        self.run = k
        self.slopes += 2 * grown * (x @ self.arms.maximisers[:, : self.first.size] - x @ learner.theta)
        self.swollen += grown * self.first[k]

    def bounds(self, far: Floats) -> Floats:
        notes, K = self.arms.notes[:, : self.first.size], self.first.size
        gained = notes[RATE] * self.excess(self.arms.maximisers[:, :K])
        return np.minimum(self.p.S * self.arms.length, notes[PEAK] + self.bend * far * far - gained)

    def check_pending(self) -> None:
        """How many arms reach a level, before the rounds of the run are counted."""
        ahead = np.sqrt(self.first[self.run]) * np.abs(self.slopes + self.moves)
        bounds = np.sort(self.bounds(self.reach + self.pushed_before + ahead))
        for i, level in enumerate((bounds[1:] + bounds[:-1]) / 2):
            if bounds[i + 1] - bounds[i] > 1e-9:
                assert count_reaching(self.learner.facts, self.arms, level) == bounds.size - i - 1

    def check(self) -> None:
        """All that is known after `update_bounds`."""
        self.end_run()
        top, K = update_bounds(self.learner, self.arms), self.first.size
        if self.swollen > 1:
            self.reach = (self.reach + self.pushed()) / math.sqrt(1 + self.swollen)
            self.bend = self.bend * (1 + self.swollen)
            self.push, self.first, self.swollen = 0 * self.push, self.norms(), 0.0
        notes, facts, upper = self.arms.notes[:, :K], self.learner.facts, self.bounds(self.reach + self.pushed())
        np.testing.assert_allclose(notes[EXCESS], self.excess(self.arms.maximisers[:, :K]), rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(self.arms.norm, self.norms(), rtol=1e-10)
        np.testing.assert_allclose(self.learner.work[PUSH], self.push, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose((facts.pushed, facts.swollen), (self.pushed(), self.swollen), rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(notes[REACH], self.reach, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(notes[FIRST_NORM], self.first, rtol=1e-9)
        np.testing.assert_allclose(notes[BEND], self.bend, rtol=1e-9)
        np.testing.assert_allclose(self.arms.upper, upper, rtol=1e-9, atol=1e-11)
        assert top == self.arms.upper.max()
        self.pushed_before = self.pushed()

    def improve(self, k: int) -> float:
        """A step for one arm, and what it must leave behind; nothing is pending."""
        learner, arms, rho, S = self.learner, self.arms, float(self.learner.facts.radius), self.p.S
        learner.work[TARGET][:] = b = learner.H @ learner.theta
        nu, x, theta = _improve(learner, arms, k), arms.points[k], learner.theta
        solved = np.linalg.solve(learner.H + nu * np.eye(x.size), x)
        s = math.sqrt(float(x @ solved))
        if nu > 0:
            q = np.linalg.solve(learner.H + nu * np.eye(x.size), b)
            R = math.sqrt(rho**2 + nu * (S**2 - theta @ q))
            point, value, rate = q + R / s * solved, x @ q + R * s, s / (2 * R)
        elif x @ theta + rho * s <= S * arms.length[k]:
            point, value, rate = theta + rho / s * solved, x @ theta + rho * s, s / (2 * rho)
        else:
            point, value, rate = S * x / arms.length[k], S * arms.length[k], 0.0
        if self.pushed() > 2e-4 * rho:
            self.reach, self.push = self.reach + self.pushed(), 0 * self.push
        self.bend[k], self.reach[k] = rate / 4, self.pushed()
        np.testing.assert_allclose(arms.maximisers[:, k], point, rtol=1e-8, atol=1e-10)
        excess = self.excess(point[:, None])[0]
        np.testing.assert_allclose(arms.notes[[RATE, EXCESS], k], (rate, excess), rtol=1e-8, atol=1e-9)
        assert arms.notes[PEAK, k] == pytest.approx(value + rate * excess, rel=1e-9)
        return nu


@pytest.mark.parametrize(("seed", "d", "K", "S"), [(0, 3, 5, 1.0), (1, 2, 18, 0.6), (2, 4, 4, 2.0)])
def test_what_is_followed_is_what_numpy_adds_up(seed: int, d: int, K: int, S: float) -> None:
    table, leaps, touching = Followed(seed, d, K, S), 0, 0
    table.check()
    for t in range(24):
        k = int(table.rng.integers(K))
        if t % 4 == 1:
            touching += table.improve(k) > 0
            table.check()
        for _ in range(int(table.rng.integers(1, 4))):
            far = 6.0 if t % 7 == 3 else 1.0
            table.play(k, float(far * table.arms.points[k] @ table.theta + 0.3 * table.rng.normal()), 0.2)
            leaps += bool(table.learner.facts.projected)
            table.check_pending()
        table.check()
    assert leaps > 0
    assert touching > 0
