"""What is followed from round to round, number by number: excess, reach and push of every arm, and its two bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import BEND, EXCESS, FIRST_NORM, PEAK, RATE, REACH, follow, settle
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.optimism import _improve
from glbcheck.core.engine.state import BEFORE, PUSH, TARGET
from glbcheck.core.engine.tracking import begin, count_reaching, follow_values, tracks, update_bounds
from glbcheck.core.world import sphere
from scipy.optimize import brentq

from tests.test_tracking import Table


class Followed(Table):
    """The same sums by numpy, from what the rounds did."""

    def __init__(self, seed: int, d: int, K: int, S: float = 1.0, scale: float = 0.1) -> None:
        super().__init__(seed, d, K, scale, S)
        self.arms.points[-1] = 0.0
        settle(self.learner, self.arms)
        for k in self.rng.integers(K, size=8):
            x = self.arms.points[k]
            grown = update(self.learner, self.link, x, float(self.rng.normal(x @ self.theta)), 0.3)
            follow(self.learner, self.arms, x, grown)
        begin(self.learner, self.arms)
        self.push, self.reach, self.bend, self.swollen = np.zeros(d), np.zeros(K), np.zeros(K), 0.0
        self.slopes, self.moves = np.zeros(K), 0.0  # of the run
        self.first, self.run = np.maximum(self.norms(), 1e-300), -1
        self.known, self.drift = self.norms(), self.arms.drift.copy()
        longest, notes = self.arms.length[:-1], self.arms.notes[:, :K]
        ball = np.append(S * self.arms.points[:-1] / longest[:, None], np.zeros((1, d)), axis=0)
        np.testing.assert_allclose(self.arms.maximisers[:, :K], ball.T, rtol=1e-12)
        np.testing.assert_allclose(notes[PEAK], S * self.arms.length, rtol=1e-12)
        assert not notes[RATE].any()
        assert self.learner.facts.tie == pytest.approx(1e-9 * S * longest.max())

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
            self.drift += 2.0**-51 * self.known
        self.slopes, self.moves = np.zeros(self.first.size), 0.0

    def play(self, k: int, reward: float, g: float) -> None:
        learner, x, before = self.learner, self.arms.points[k], self.learner.theta.copy()
        learner.work[BEFORE][:], old, radius = before, learner.H.copy(), float(learner.facts.radius)
        learner.facts.held = 0.0
        grown = update(learner, self.link, x, reward, g)
        follow_values(learner, self.arms, k, grown, radius)
        assert self.arms.norm[k] == pytest.approx(self.norms()[k], rel=1e-10)
        assert learner.facts.held == (0.0 if np.isfinite(learner.facts.moved) else -1.0)
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
        return np.asarray(np.minimum(self.p.S * self.arms.length, notes[PEAK] + self.bend * far * far - gained))

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
            self.push, self.first, self.swollen = 0 * self.push, np.maximum(self.norms(), 1e-300), 0.0
        notes, facts, upper = self.arms.notes[:, :K], self.learner.facts, self.bounds(self.reach + self.pushed())
        np.testing.assert_allclose(notes[EXCESS], self.excess(self.arms.maximisers[:, :K]), rtol=1e-9, atol=1e-11)
        self.known = self.norms()
        np.testing.assert_allclose(self.arms.norm, self.known, rtol=1e-10)
        np.testing.assert_allclose(self.arms.drift, self.drift, rtol=1e-9)
        np.testing.assert_allclose(self.learner.work[PUSH], self.push, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose((facts.pushed, facts.swollen), (self.pushed(), self.swollen), rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(notes[REACH], self.reach, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(notes[FIRST_NORM], self.first, rtol=1e-9)
        np.testing.assert_allclose(notes[BEND], self.bend, rtol=1e-9)
        np.testing.assert_allclose(self.arms.upper, upper, rtol=1e-9, atol=1e-11)
        assert top == self.arms.upper.max()
        self.pushed_before = self.pushed()

    def improve(self, k: int) -> str:
        """A step for one arm, and what it must leave behind: which constraint binds; nothing is pending."""
        learner, arms, rho, S = self.learner, self.arms, float(self.learner.facts.radius), self.p.S
        learner.work[TARGET][:] = b = learner.H @ learner.theta
        nu, x, theta = _improve(learner, arms, k), arms.points[k], learner.theta
        solved = np.linalg.solve(learner.H + nu * np.eye(x.size), x)
        s = math.sqrt(float(x @ solved))
        if nu > 0:
            kind, q = "both", np.linalg.solve(learner.H + nu * np.eye(x.size), b)
            R = math.sqrt(rho**2 + nu * (S**2 - theta @ q))
            point, value, rate = q + R / s * solved, x @ q + R * s, s / (2 * R)
        elif x @ theta + rho * s <= S * arms.length[k]:
            kind = "ellipsoid"
            point, value, rate = theta + rho / s * solved, x @ theta + rho * s, s / (2 * rho)
        else:
            kind = "ball"
            point, value, rate = S * x / arms.length[k], S * arms.length[k], 0.0
        if self.pushed() > 2e-4 * rho:
            self.reach, self.push = self.reach + self.pushed(), 0 * self.push
        self.bend[k], self.reach[k] = rate / 4, self.pushed()
        np.testing.assert_allclose(arms.maximisers[:, k], point, rtol=1e-8, atol=1e-10)
        excess = self.excess(point[:, None])[0]
        np.testing.assert_allclose(arms.notes[[RATE, EXCESS], k], (rate, excess), rtol=1e-8, atol=1e-9)
        assert arms.notes[PEAK, k] == pytest.approx(value + rate * excess, rel=1e-9)
        return kind


@pytest.mark.parametrize(("seed", "d", "K", "S", "scale", "kinds"), [
    (0, 3, 5, 1.0, 0.1, {"both", "ellipsoid"}), (7, 2, 18, 0.6, 0.4, {"both", "ellipsoid", "ball"}),
    (2, 4, 4, 2.0, 0.02, {"both", "ellipsoid"}),
])  # fmt: skip
def test_what_is_followed_is_what_numpy_adds_up(
    seed: int, d: int, K: int, S: float, scale: float, kinds: set[str]
) -> None:
    table, leaps, seen = Followed(seed, d, K, S, scale), 0, set()
    table.check()
    for t in range(32):
        k = 0 if t % 16 < 2 else int(table.rng.integers(K))
        if t % 4 == 1:
            k = table.run  # goes on, with another point to follow
            seen.add(table.improve(int(table.rng.integers(K - 1))))
            table.check()
        for _ in range(int(table.rng.integers(1, 4))):
            far, g = (30.0, 2.0) if t % 7 == 3 else (1.0, 0.2)
            table.play(k, float(far * table.arms.points[k] @ table.theta + 0.3 * table.rng.normal()), g)
            leaps += bool(table.learner.facts.projected)
            table.check_pending()
        table.check()
    assert leaps > 0
    assert seen == kinds


@pytest.mark.parametrize("K", [1, 3])
def test_values_are_followed_from_the_beginning_on_until_arms_settle_anew(K: int) -> None:
    table = Table(0, 2, K, 0.1)
    assert not tracks(table.arms)
    begin(table.learner, table.arms)
    assert tracks(table.arms)
    settle(table.learner, table.arms)
    assert not tracks(table.arms)


def test_a_round_that_changes_nothing_leaves_the_run_as_it_is() -> None:
    table = Followed(0, 3, 5)
    table.play(0, 0.3, 0.2)
    facts = table.learner.facts
    facts.moved, norm = 0.0, float(facts.norm)
    follow_values(table.learner, table.arms, 1, 0.0, float(facts.radius))
    assert (facts.run, facts.norm) == (0.0, norm)
    table.check()


def test_a_norm_of_which_little_is_left_is_computed_afresh_where_values_are_followed() -> None:
    table = Followed(0, 3, 5)
    table.learner.facts.own_alpha = np.inf  # the round has all the weight that its precision gives it
    before = float(table.arms.norm[0])
    table.play(0, float(table.arms.points[0] @ table.learner.theta), 1e-10)
    update_bounds(table.learner, table.arms)
    assert table.arms.norm[0] == pytest.approx(before / (1 + 1e10 * before), rel=1e-12)
    assert (table.arms.drift[:-1] <= 1e-12 * table.arms.norm[:-1]).all()


# --- lower bounds -------------------------------------------------------------------------------------------------


class Chord(Table):
    """A learner, an arm, and the way from θ_t to the point that its upper bound is anchored at."""

    def __init__(self, seed: int, length: float, far: float, along: bool, size: float = 0.3) -> None:
        super().__init__(seed, 3, 2, 0.1)
        for k in self.rng.integers(2, size=10):
            self.pull(k, 0.1)
        learner, arms = self.learner, self.arms
        learner.theta[:] = length * sphere(self.rng, 1, 3)[0]
        begin(learner, arms)
        way = np.linalg.solve(learner.H, arms.points[0]) if along else arms.points[0]
        learner.facts.radius = self.rho = size * math.sqrt(float(np.trace(learner.H)))
        self.way = way * (far * self.rho / math.sqrt(float(way @ learner.H @ way)))
        self.rate = 0.3 * along
        arms.maximisers[:, 0] = learner.theta + self.way
        arms.notes[RATE, 0], arms.notes[EXCESS, 0] = self.rate, (far * far - 1) * self.rho**2
        learner.work[TARGET][:] = learner.H @ learner.theta

    def point(self, part: float, stretched: bool) -> tuple[float, float]:
        """Value and excess of a point of the way, or of that stretched to length S."""
        found = self.learner.theta + part * self.way
        found = found * (self.p.S / np.linalg.norm(found) if stretched else 1.0)
        off = found - self.learner.theta
        return float(self.arms.points[0] @ found), float(off @ self.learner.H @ off - self.rho**2)

    def tried(self) -> dict[str, tuple[tuple[float, float], float]]:
        """The two points, and which part of the way they are: the first within the ball, and the way to the other."""
        found = {}
        part = self.rho / math.sqrt(float(self.way @ self.learner.H @ self.way))
        part = part if self.rate else min(1.0, part)
        if np.linalg.norm(self.learner.theta + part * self.way) <= self.p.S:
            found["on the way"] = (self.point(part, False), part)
        ends = np.linspace(0.2, 3, 400)
        signs = [self.point(p, True)[1] > 0 for p in ends]
        for i in range(399):
            if signs[i + 1] and not signs[i]:
                part = brentq(lambda p: self.point(p, True)[1], ends[i], ends[i + 1], xtol=1e-15)
                found["stretched"] = (self.point(part, True), part)
        return found


ON_THE_WAY = [
    (0, 0.5, 1.5, True, 0.3), (0, 0.9, 1.4, False, 0.3), (0, 0.2, 0.9, False, 0.3), (1, 0.9, 1.1, True, 0.3),
    (2, 0.5, 1.5, True, 0.3), (1, 0.5, 0.8, True, 0.02), (1, 0.5, 0.8, False, 0.02),
]  # fmt: skip
STRETCHED = [
    (0, 0.97, 0.7, False, 0.3), (3, 0.5, 1.5, True, 0.3), (3, 0.9, 1.1, True, 0.3), (3, 0.9, 1.4, False, 0.3),
    (4, 0.9, 1.4, False, 0.3), (5, 0.9, 1.4, False, 0.3),
]  # fmt: skip


@pytest.mark.parametrize(("cases", "kind"), [(ON_THE_WAY, "on the way"), (STRETCHED, "stretched")])
def test_a_floor_rests_on_the_better_of_two_points_and_on_one_that_is_deeper(
    cases: list[tuple[int, float, float, bool, float]], kind: str
) -> None:
    straight = 0
    for case in cases:
        chord = Chord(*case)
        facts, tried, start = chord.learner.facts, chord.tried(), float(chord.arms.points[0] @ chord.learner.theta)
        (value, excess), _ = tried[kind]
        assert (value, excess) == max(tried.values())[0]
        assert floor_of(chord.learner, chord.arms, 0) == facts.high == pytest.approx(value, abs=1e-11)
        assert facts.high_excess == pytest.approx(excess, abs=1e-11)
        deeper = [(start + 0.875 * (value - start), 0.875**2 * (excess + chord.rho**2) - chord.rho**2)]
        if "stretched" in tried:
            deeper.append(chord.point(0.875 * tried["stretched"][1], True))
        costs = [(value - low) / (excess - under) for low, under in deeper]
        best = int(np.argmin(costs))
        straight += best == 0
        np.testing.assert_allclose((facts.low, facts.low_excess), deeper[best], rtol=1e-9)
    assert straight == len(cases) if kind == "on the way" else 0 < straight < len(cases)


def test_without_a_way_or_a_point_of_the_set_on_it_there_is_no_floor() -> None:
    chord = Chord(2, 0.9, 20.0, True)
    assert floor_of(chord.learner, chord.arms, 0) == chord.learner.facts.low == -np.inf
    chord = Chord(0, 0.5, 1.5, True)
    chord.arms.maximisers[:, 0], chord.arms.notes[EXCESS, 0] = chord.learner.theta, -(chord.rho**2)
    assert floor_of(chord.learner, chord.arms, 0) == chord.learner.facts.low == -np.inf


@pytest.mark.parametrize(("k", "pulls"), [(0, 1), (2, 3)])
def test_an_arm_is_held_while_its_floor_is_above_all_other_bounds(k: int, pulls: int) -> None:
    table = Followed(3, 3, 4, 1.0)
    facts, notes = table.learner.facts, table.arms.notes
    table.play(k, 0.1, 0.2)
    table.check()
    table.learner.work[TARGET][:] = table.learner.H @ table.learner.theta
    floor_of(table.learner, table.arms, k)
    ends = np.array([facts.high, facts.low])
    D, x = np.array([facts.high_excess, facts.low_excess]), table.arms.points[k]
    for _ in range(pulls):
        theta, H, rho = table.learner.theta.copy(), table.learner.H.copy(), float(facts.radius)
        table.play(k, float(x @ theta) + 0.05, 3.0)
        assert np.isfinite(facts.moved)
        q, c = float(x @ np.linalg.solve(H, x)), float((table.learner.H - H)[0, 0] / x[0] ** 2)
        m = float(facts.moved)
        D = D + 2 * m * (ends - x @ theta) + c * (ends - x @ table.learner.theta) ** 2
        D = D + m * m * q - (facts.radius**2 - rho**2)
    assert D[1] < 0
    floor = ends[0] - (ends[0] - ends[1]) * max(D[0], 0) / (max(D[0], 0) - D[1])
    others = np.arange(4) != k
    notes[RATE, :4][others] = notes[BEND, :4][others] = 0.0
    facts.held = k
    for ties, found in ((1.5, k), (0.5, -1)):
        notes[PEAK, :4][others] = floor - ties * facts.tie
        assert held_arm(table.learner, table.arms) == found
    notes[PEAK, :4][others] = -100.0
    for held, run in ((-1.0, k), (float(k), 1.0)):
        facts.held, facts.run = held, run
        assert held_arm(table.learner, table.arms) == -1
    facts.held = facts.run = k
    facts.low_excess += 0.5 - D[1]
    assert held_arm(table.learner, table.arms) == -1  # what lies deeper is outside too
