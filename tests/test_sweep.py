"""What runs in lockstep know of their arms: norms, indices and means, and the arm to be pulled, beside numpy."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import adversary, catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.lanes import (
    ARM,
    BEST_MEAN,
    BEST_NATURAL,
    BEST_SLOPE,
    DISPERSION,
    ERROR_PEAK,
    ERROR_SQUARED,
    MEAN,
    MIRRORED,
    NATURAL,
    OFF,
    REWARD,
    ROWS,
    TRUST,
    Lanes,
    Supply,
    begin,
    catch_up,
    play,
)
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.state import Learner, initial, own_lines, views
from glbcheck.core.engine.streams import SIZE
from glbcheck.core.engine.sweep import ROWS as ARM_ROWS
from glbcheck.core.engine.tally import SUMS, blank_memory
from glbcheck.core.engine.wide import LANES
from glbcheck.core.parameters import parameters
from glbcheck.core.world import sphere
from scipy.linalg import solve_triangular

D, ROUNDS = 2, 6
EPS, SUM = 2.0**-52, list(SUMS.names or ())


def in_lanes(columns: list[Floats]) -> Floats:
    numbers = own_lines(columns[0].size, LANES)
    numbers[:] = np.stack(columns, axis=1)
    return numbers


class Together:
    """As many runs as there are lanes, each with arms of its own and a learner that has learned something."""

    def __init__(
        self, K: int, name: str, precise: tuple[int, ...] = (), attack: adversary.Attack = adversary.NO_ATTACK
    ) -> None:
        rng = np.random.default_rng(K)
        self.p = p = parameters(
            catalog.get(name), D, 1.0, 0.05, 0.0, 1e12, index="closed-form", radius_scale=0.1, lam=1.0
        )
        self.K, self.points, self.theta = K, sphere(rng, LANES * K, D).reshape(LANES, K, D), 0.5 * sphere(rng, LANES, D)
        self.points *= rng.uniform(0.5, 0.9, (LANES, K, 1))
        table, states = link.pack(p.family, p.S), [initial(p) for _ in range(LANES)]
        for w, state in enumerate(states):
            learner = views(state)
            for x in sphere(rng, 3, D):
                update(learner, table, x, float(p.family.mu(x @ self.theta[w])), 1.0)
            learner.facts.rounds = 0.0  # before the first that is counted here
            if w % 2:  # all indices are below 0
                learner.facts.radius *= 1e-3
                self.points[w] *= -np.sign(self.points[w] @ learner.theta)[:, None]
        board = own_lines(ROWS, LANES)
        board[DISPERSION] = [1e-10 if w in precise else 1.0 for w in range(LANES)]
        tally = blank_memory(D)
        tally[SUM.index("first_informative")] = 1.0  # what is said of the ball is of no concern
        self.lanes = Lanes(
            in_lanes(states), in_lanes([np.append(points.ravel(), np.zeros(D)) for points in self.points]),
            own_lines(ARM_ROWS * (K + 1), LANES), in_lanes([tally] * LANES), np.zeros(0, dtype=np.int64),
            own_lines(0, LANES), in_lanes([*self.theta]), board, table,
            np.array([attack.ledger()] * LANES, dtype=adversary.LEDGER), attack.kind != adversary.NONE,
            initial(p), blank_memory(D),
        )  # fmt: skip
        means = p.family.mu(np.einsum("wkj,wj->wk", self.points, self.theta))
        noise = np.sqrt(board[DISPERSION])[:, None, None] * rng.normal(size=(LANES, K, ROUNDS + 1))
        self.supply = Supply(
            means[:, :, None] + 0.3 * noise, in_lanes([np.array([w * K * (ROUNDS + 1.0)]) for w in range(LANES)]),
            own_lines(K, LANES), np.zeros((LANES, 0, SIZE), dtype=np.int64), np.zeros((LANES, 0, 3)),
            np.zeros((LANES, SIZE), dtype=np.int64), np.zeros((0, LANES)),
        )  # fmt: skip
        begin(self.lanes)

    def learners(self) -> list[Learner]:
        return [views(np.ascontiguousarray(self.lanes.states[:, w])) for w in range(LANES)]

    def rows(self) -> Floats:
        """What is known of the arms: norms, their errors, indices, means, and what is pending."""
        return np.array(self.lanes.room.reshape(ARM_ROWS, self.K + 1, LANES)[:, : self.K].transpose(0, 2, 1))

    def norms(self) -> Floats:
        """From the factors, as H itself has lost the digits of what is known less precisely."""
        found = []
        for points, learner in zip(self.points, self.learners(), strict=True):
            L = np.tril(learner.lower, -1) + np.eye(D)
            found.append(learner.inverse_d @ solve_triangular(L.T, points.T) ** 2)
        return np.array(found)

    def errors(self) -> Floats:
        """The squares of ‖θ_t - θ_*‖ in H_t."""
        found = []
        for theta, learner in zip(self.theta, self.learners(), strict=True):
            reduced = (np.tril(learner.lower, -1) + np.eye(D)) @ (learner.theta - theta)
            found.append(float(reduced @ (reduced / learner.inverse_d)))
        return np.array(found)

    def check_indices(self) -> None:
        """Those of the coming round, and that the arm of the largest is pulled."""
        learners, width = self.learners(), np.sqrt(self.norms())
        means = np.array([points @ learner.theta for points, learner in zip(self.points, learners, strict=True)])
        radius = np.array([[learner.facts.radius] for learner in learners])
        np.testing.assert_allclose((self.rows()[2] - means) / radius, width, rtol=1e-8, atol=1e-12)
        assert (self.lanes.board[ARM] == (means + radius * width).argmax(axis=1)).all()


@pytest.mark.parametrize("K", [1, 3, 4])
def test_lanes_begin_with_the_norms_indices_and_means_of_their_arms(K: int) -> None:
    them = Together(K, "bernoulli")
    norm, drift, indices, mean, pending = them.rows()
    np.testing.assert_allclose(norm, them.norms(), rtol=1e-12)
    np.testing.assert_allclose(drift, EPS * norm, rtol=1e-12)
    assert (indices[1::2] < 0).all()
    them.check_indices()
    naturals = np.einsum("wkj,wj->wk", them.points, them.theta)
    np.testing.assert_allclose(mean, them.p.family.mu(naturals), rtol=1e-11)
    assert not pending.any()
    board, top = them.lanes.board, naturals.max(axis=1)
    np.testing.assert_allclose(board[BEST_NATURAL], top, rtol=1e-12)
    np.testing.assert_allclose(board[BEST_MEAN], them.p.family.mu(top), rtol=1e-11)
    np.testing.assert_allclose(board[BEST_SLOPE], them.p.family.dmu(top), rtol=1e-11)


def test_a_norm_of_which_little_is_left_is_computed_afresh_in_its_lane_and_no_other() -> None:
    precise = (0, 5)
    them, calm = Together(3, "gaussian", precise), Together(3, "gaussian")
    afresh, others = np.zeros((LANES, 3), dtype=int), np.delete(np.arange(LANES), precise)
    for t in range(ROUNDS):
        before, worn = them.rows()[:2]
        for runs in (them, calm):
            runs.lanes.board[ARM] = t % 3
            play(runs.lanes, runs.supply, t, t + 1)
        norm, drift = them.rows()[:2]
        np.testing.assert_allclose(norm, them.norms(), rtol=1e-11)
        worn = worn + 2 * EPS * before
        lost = worn > 1e-12 * norm
        np.testing.assert_allclose(drift, np.where(lost, EPS * norm, worn), rtol=1e-9)
        afresh += lost
        them.check_indices()
    assert (afresh[precise, :] > 0).all()
    assert not afresh[others].any()
    assert them.rows()[:, others].tobytes() == calm.rows()[:, others].tobytes()


def test_the_error_is_followed_from_round_to_round_and_so_is_its_peak() -> None:
    them = Together(3, "gaussian")
    rises, peak = 0, np.zeros(LANES)
    for t in range(ROUNDS):
        before = them.errors()
        peak = before if t == 0 else peak
        play(them.lanes, them.supply, t, t + 1)
        now = them.errors()
        rises, peak = rises + int((now > peak).sum()), np.maximum(peak, now)
        np.testing.assert_allclose(them.lanes.board[[ERROR_SQUARED, ERROR_PEAK]], (now, peak), rtol=1e-9)
    assert rises > 10


def test_what_H_has_still_to_grow_by_is_kept_for_each_arm() -> None:
    them = Together(3, "gaussian")
    play(them.lanes, them.supply, 0, ROUNDS)
    pending, grown = them.rows()[4], them.lanes.tallies[SUM.index("grown")]
    np.testing.assert_allclose(grown, np.einsum("wk,wki,wki->w", pending, them.points, them.points), rtol=1e-12)
    for w, learner in enumerate(them.learners()):
        L = np.tril(learner.lower, -1) + np.eye(D)
        H = learner.H + np.einsum("k,ki,kj->ij", pending[w], them.points[w], them.points[w])
        np.testing.assert_allclose(L.T @ np.diag(1 / learner.inverse_d) @ L, H, rtol=1e-10)
    catch_up(them.lanes)
    assert not them.rows()[4].any()
    np.testing.assert_allclose(them.learners()[-1].H, H, rtol=1e-12)


def test_an_adversary_sees_the_numbers_of_its_own_lane() -> None:
    them = Together(3, "bernoulli", attack=adversary.low_weight(4.0))
    lane, arm, mu = np.arange(LANES), np.arange(LANES) % 3, them.p.family.mu
    them.lanes.board[ARM] = arm
    norm, x, learners = them.rows()[0][lane, arm], them.points[lane, arm], them.learners()
    off = [float(x[w] @ (learners[w].theta - them.theta[w])) for w in lane]
    play(them.lanes, them.supply, 0, 1)
    board, natural = them.lanes.board, np.einsum("wj,wj->w", x, them.theta)
    np.testing.assert_allclose(board[NATURAL], natural, rtol=1e-12)
    np.testing.assert_allclose(board[MEAN], mu(natural), rtol=1e-11)
    np.testing.assert_allclose(board[MIRRORED], mu(-natural), rtol=1e-11)
    assert (board[REWARD] == them.supply.outcomes[lane, arm, 0]).all()
    np.testing.assert_allclose(board[OFF], off, rtol=1e-10)
    np.testing.assert_allclose(board[TRUST], them.p.alpha / np.sqrt(norm), rtol=1e-11)
