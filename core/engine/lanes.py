"""Several runs of the paper's learner in lockstep, one in each lane of the registers that hold their numbers.

The formulas are those of `arms`, `mirror_descent` and `tally`, compiled for wide numbers; what is rare is left to
the code for one run, on a copy of the lane's state.  A lane does not look at its neighbours: its numbers are the
same beside whichever runs it plays, and those of the run alone up to the order of sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, in_line, read_as
from glbcheck.core.adversary import NONE, Seen, corrupt
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import Arms, arms_in, closed_form, enter, follow, measure_one, most_uncertain
from glbcheck.core.engine.factor import dot, quadratic
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.mirror_descent import Loss, finish, leave, step, weigh
from glbcheck.core.engine.rounds import trust_in
from glbcheck.core.engine.state import COUNT, ERROR, POINT, SOLVED, Learner, learner_in, learners_in
from glbcheck.core.engine.tally import COUNT as SUM_COUNT
from glbcheck.core.engine.tally import SUMS, Integers, Played, Tape, add_up, covers_ball, surely_covers_ball
from glbcheck.core.engine.wide import LANES, gather, lane_numbers, some, where, wide_record, widened
from glbcheck.core.tolerances import BEST, TIE

_sums_in, _sums_alone = wide_record(SUMS), read_as(SUMS)

# Rows of numbers that are looked at lane by lane.
ARM, REWARD, CORRUPTION, DISPERSION, MEAN, MIRRORED, NATURAL, BEST_NATURAL, OFF, TRUST = range(10)
WEIGHT, SLOPE, CURVATURE, SQUARED, BEST_MEAN, BEST_SLOPE, FRESH, UNSURE = range(10, 18)
ROWS = 18


class Lanes(NamedTuple):
    """The runs; the last axis is the lane.  `state` and `tally` have room for a single one."""

    states: Floats
    points: Floats  # (K d, LANES)
    room: Floats
    tallies: Floats
    checkpoints: Integers
    marks: Floats
    theta_star: Floats
    board: Floats  # the rows named above
    link: Floats
    attacks: Any  # a ledger for each lane
    attacked: bool
    state: Floats
    tally: Floats


class Supply(NamedTuple):
    """What the lanes are fed for some rounds: lane w draws from the stacks of run `source[w]`."""

    outcomes: Floats  # (runs, K, depth)
    source: Integers
    used: Integers  # (LANES, K)
    caps: Floats  # (rounds, LANES)
    chances: Floats


@compiled
def play(lanes: Lanes, supply: Supply, first: int, count: int) -> int:
    """The rounds `first`, ..., count - 1 of a block; returns the first not played, as one run's rounds do."""
    learner = learners_in(widened(lanes.states))
    facts, d = learner.facts, learner.theta.size
    room, points = _laid_out(lanes, d)
    arms = arms_in(room, points)
    theta_star, board = widened(lanes.theta_star), widened(lanes.board)
    memory, marks = widened(lanes.tallies), widened(lanes.marks)
    K = arms.norm.size
    marked = marks.reshape(lanes.checkpoints.size, 4)
    tape = Tape(_sums_in(memory), memory[SUM_COUNT:], lanes.checkpoints, marked, marked)
    sums, error, x, lane = tape.sums, learner.work[ERROR], learner.work[POINT], lane_numbers()
    flat, flat_points = lanes.room.reshape(-1), lanes.points.reshape(-1)
    depth = supply.outcomes.shape[2]
    mean_row, norm_row = (2 * d + 8) * K * LANES, 2 * d * K * LANES
    _settle(learner, arms, board[FRESH])
    waits = some(sums.first_informative == 0.0)
    for i in range(first, count):
        for j in range(d):
            error[j] = learner.theta[j] - theta_star[j]
        rho, miss = facts.radius, np.sqrt(quadratic(learner.lower, learner.inverse_d, error))
        if waits:
            unsure: Any = (sums.first_informative == 0.0) & ~surely_covers_ball(learner, tape)
            if some(unsure):
                board[UNSURE] = where(unsure, 1.0, 0.0)
                _decide(lanes)
                waits = some(sums.first_informative == 0.0)
        top, scale = closed_form(learner, arms)
        k = most_uncertain(arms.closed, top - TIE * scale, arms.norm)
        board[ARM] = k
        ended = _draw(lanes, supply, depth)
        for j in range(d):
            x[j] = gather(flat_points, k * float(d * LANES) + lane, j * LANES)
        here = k * float(LANES) + lane
        mean, g, c = gather(flat, here, mean_row), board[DISPERSION], board[CORRUPTION]
        if lanes.attacked:
            z = dot(x, theta_star)
            board[MIRRORED], _ = evaluate(lanes.link, -z)
            board[NATURAL], board[MEAN], board[OFF] = z, mean, dot(x, error)
            board[TRUST] = trust_in(facts, g, gather(flat, here, norm_row))
            _corrupt(lanes, supply, i)
            c = board[CORRUPTION]
        reward = board[REWARD]
        loss = weigh(learner, lanes.link, x, reward + c, g)
        inside = step(learner, x, loss)
        facts.projected = where(inside, 0.0, 1.0)
        if some(facts.projected > 0.0):
            board[WEIGHT], board[SLOPE] = loss.weight, loss.slope
            board[CURVATURE], board[SQUARED] = loss.curvature, loss.squared
            _project(lanes)
        grown = finish(learner, lanes.link, x, g, loss)
        sums.grown += grown * dot(x, x)
        follow(learner, arms, x, grown)
        regret = max(board[BEST_MEAN] - mean, 0.0)
        add_up(
            tape, Played(k, reward, c, g, rho, miss, facts.weight, facts.projected, regret, board[BEST_SLOPE])
        )  # fmt: skip
        if ended:
            return i + 1
    return count


@compiled
@in_line
def _laid_out(lanes: Lanes, d: int) -> tuple[Floats, Floats]:
    K = lanes.points.shape[0] // d
    return widened(lanes.room).reshape(lanes.room.shape[0] // K, K), widened(lanes.points).reshape(K, d)


@compiled
def begin(lanes: Lanes) -> None:
    """Arms entered, and what is known of them beforehand: their means, the best one."""
    learner = learners_in(widened(lanes.states))
    room, points = _laid_out(lanes, learner.theta.size)
    arms = arms_in(room, points)
    theta_star, board = widened(lanes.theta_star), widened(lanes.board)
    enter(arms)
    top = dot(arms.points[0], theta_star)
    for k in range(arms.mean.size):
        z = dot(arms.points[k], theta_star)
        arms.mean[k], _ = evaluate(lanes.link, z)
        top = max(top, z)
    board[BEST_NATURAL] = top
    board[BEST_MEAN], board[BEST_SLOPE] = evaluate(lanes.link, top)


@compiled
def _settle(learner: Learner, arms: Arms, fresh: float) -> None:
    """The norms of the arms anew, in the lanes that begin a block or have got new rewards."""
    for k in range(arms.norm.size):
        norm, drift = arms.norm[k], arms.drift[k]
        measure_one(learner, arms, k)
        arms.norm[k] = where(fresh > 0.0, arms.norm[k], norm)
        arms.drift[k] = where(fresh > 0.0, arms.drift[k], drift)


@compiled
@in_line
def _draw(lanes: Lanes, supply: Supply, depth: int) -> bool:
    """The next reward of each lane's arm; returns whether a stack has come to its end."""
    ended, board = False, lanes.board
    for w in range(LANES):
        k = int(board[ARM, w])
        place = supply.used[w, k]
        board[REWARD, w] = supply.outcomes[supply.source[w], k, place]
        supply.used[w, k] = place + 1
        ended |= place + 1 == depth
    return ended


@compiled
def _corrupt(lanes: Lanes, supply: Supply, i: int) -> None:
    board = lanes.board
    for w in range(LANES):
        z = board[NATURAL, w]
        seen = Seen(
            int(lanes.tallies[0, w]) + 1, supply.caps[i, w], supply.chances[i, w], board[REWARD, w], board[MEAN, w],
            board[MIRRORED, w], z >= board[BEST_NATURAL, w] - BEST, board[OFF, w], board[TRUST, w],
        )  # fmt: skip
        board[CORRUPTION, w] = corrupt(lanes.attacks[w], seen) if lanes.attacks[w].kind != NONE else 0.0


@compiled
def _decide(lanes: Lanes) -> None:
    """Exactly whether Θ lies in C_t, in the lanes that are unsure."""
    learner = learner_in(lanes.state)
    tape = Tape(
        _sums_alone(lanes.tally), lanes.tally[SUM_COUNT:], lanes.checkpoints, lanes.board, lanes.board
    )  # fmt: skip
    for w in range(LANES):
        if lanes.board[UNSURE, w] > 0.0:
            _copy(lanes.states, w, lanes.state)
            _copy(lanes.tallies, w, lanes.tally)
            if not covers_ball(learner, tape):
                tape.sums.first_informative = tape.sums.rounds + 1.0
            for i in range(lanes.tally.size):
                lanes.tallies[i, w] = lanes.tally[i]


@compiled
def _project(lanes: Lanes) -> None:
    """The step of the lanes in which it leaves the ball."""
    learner, board = learner_in(lanes.state), lanes.board
    for w in range(LANES):
        _copy(lanes.states, w, lanes.state)
        if learner.facts.projected > 0.0:
            x, d = learner.work[SOLVED], learner.theta.size
            for j in range(d):
                x[j] = learner.work[POINT, j]  # a row that the projection overwrites
            leave(learner, x, Loss(board[WEIGHT, w], board[SLOPE, w], board[CURVATURE, w], board[SQUARED, w]))
            for j in range(d):
                lanes.states[COUNT + j, w] = learner.theta[j]


@compiled
def _copy(lanes: Floats, w: int, out: Floats) -> None:
    for i in range(out.size):
        out[i] = lanes[i, w]
