"""Several runs of the paper's learner in lockstep, one in each lane of the registers that hold their numbers.

The formulas are those of `arms`, `mirror_descent` and `tally`, compiled for wide numbers; what is rare is left to
the code for one run, on a copy of the lane's state.  A lane does not look at its neighbours: its numbers are the
same beside whichever runs it plays, and those of the run alone up to the order of sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from glbcheck.core._numba import compiled, in_line, read_as
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import stretches
from glbcheck.core.engine.arms import EPS
from glbcheck.core.engine.attacks import Seen, corrupt
from glbcheck.core.engine.factor import dot, factorise, quadratic
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.mirror_descent import (
    Loss,
    grow_factors,
    is_due,
    leave,
    new_curvature,
    pass_round,
    step,
    weigh,
)
from glbcheck.core.engine.rounds import trust_in
from glbcheck.core.engine.stacks import restock
from glbcheck.core.engine.state import COUNT, ERROR, FACTS, POINT, SOLVED, Learner, learner_in
from glbcheck.core.engine.streams import Streams, uniform
from glbcheck.core.engine.sweep import ROWS as ARM_ROWS
from glbcheck.core.engine.sweep import coming_arm, settle, table_in
from glbcheck.core.engine.tally import COUNT as SUM_COUNT
from glbcheck.core.engine.tally import SUMS, Integers, Played, Tape, add_up, covers_ball, surely_covers_ball
from glbcheck.core.engine.wide import LANES, one, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather, lane_numbers, scatter, wide_record
from glbcheck.core.environment.adversary import FLIP, NONE, THIN
from glbcheck.core.tolerances import BEST

_sums_in, _sums_alone = wide_record(SUMS), read_as(SUMS)
_PROJECTED = (FACTS.names or ()).index("projected")

# Rows of numbers that are looked at lane by lane, then rows that outlast a call.
REWARD, CORRUPTION, DISPERSION, MEAN, MIRRORED, NATURAL, BEST_NATURAL, OFF, TRUST = range(9)
WEIGHT, SLOPE, CURVATURE, SQUARED, BEST_MEAN, BEST_SLOPE, UNSURE = range(9, 16)
ARM, ERROR_SQUARED, ERROR_PEAK, PULLED, SPENT = range(16, 21)
ROWS = 21

_EXACTLY = 64  # rounds between two errors that are computed afresh
_FADED = 1e-3  # of the largest error since: what is left when one is computed afresh before


class Lanes(NamedTuple):
    """The runs; the last axis is the lane.  `state` and `tally` have room for a single one."""

    states: Floats
    points: Floats  # ((K + 1) d, LANES)
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
    """What the lanes are fed; the stacks of lane w begin at `stacks[w]` of the outcomes.

    They are filled again from the streams of the arms by their recipes, if there are any.
    """

    outcomes: Floats  # (runs, K, depth)
    stacks: Floats  # (1, LANES)
    used: Floats  # (K, LANES)
    streams: Streams  # (runs, K, ...)
    recipes: Floats  # (runs, K, ...), or (runs, 0, ...)
    dice: Streams  # (LANES, ...), of the adversary
    caps: Floats  # (rounds, LANES) of a block, or none


@compiled
def play(lanes: Lanes, supply: Supply, first: int, count: int) -> int:
    """The rounds `first`, ..., count - 1 of a block; returns the first not played, as one run's rounds do."""
    learner = learner_in(stretches(lanes.states))
    facts, d = learner.facts, learner.theta.size
    table = table_in(stretches(lanes.points), stretches(lanes.room), d)
    theta_star, board = stretches(lanes.theta_star), stretches(lanes.board)
    memory, marks = stretches(lanes.tallies), stretches(lanes.marks)
    marked = marks.reshape(lanes.checkpoints.size, 4)
    tape = Tape(_sums_in(memory), memory[SUM_COUNT:], lanes.checkpoints, marked, marked)
    sums, error, x, lane = tape.sums, learner.work[ERROR], learner.work[POINT], lane_numbers()
    width, flat, flat_points = table.norm.size * LANES, lanes.room.reshape(-1), lanes.points.reshape(-1)
    outcomes, used, stack = supply.outcomes.reshape(-1), supply.used.reshape(-1), stretches(supply.stacks)[0]
    depth, g, attacked = float(supply.outcomes.shape[2]), board[DISPERSION], lanes.attacked
    best_mean, best_slope = board[BEST_MEAN], board[BEST_SLOPE]
    waits = some(sums.first_informative == 0.0)
    for i in range(first, count):
        k = board[ARM]
        here = k * float(LANES) + lane
        place = gather(used, here, 0)
        reward = gather(outcomes, stack + k * depth + place, 0)
        scatter(used, here, place + 1.0)
        for j in range(d):
            x[j] = gather(flat_points, k * float(d * LANES) + lane, j * LANES)
            error[j] = learner.theta[j] - theta_star[j]
        rho, miss = facts.radius, root(_error_squared(learner, error, board))
        if waits:
            unsure: Any = (sums.first_informative == 0.0) & ~surely_covers_ball(learner, tape)
            if some(unsure):
                board[UNSURE] = where(unsure, 1.0, 0.0)
                _decide(lanes)
                waits = some(sums.first_informative == 0.0)
        mean, off, c = gather(flat, here, 3 * width), dot(x, error), spread(0.0)
        if attacked:
            z = dot(x, theta_star)
            board[MIRRORED], _ = evaluate(lanes.link, -z)
            board[NATURAL], board[MEAN], board[OFF], board[REWARD] = z, mean, off, reward
            board[TRUST] = trust_in(facts, g, gather(flat, here, 0))
            attacked = _corrupt(lanes, supply, i)
            c = board[CORRUPTION]
        loss = weigh(learner, lanes.link, x, reward + c, g)
        inside, move = step(learner, x, loss)
        facts.projected = where(inside, 0.0, 1.0)
        if some(facts.projected > 0.0):
            board[WEIGHT], board[SLOPE] = loss.weight, loss.slope
            board[CURVATURE], board[SQUARED] = loss.curvature, loss.squared
            _project(lanes)
        grown = new_curvature(learner, lanes.link, x, g, loss)
        _follow_error(board, inside, off, move, loss.squared, grown)
        sums.grown += grown * dot(x, x)
        scatter(flat, here + float(4 * width), gather(flat, here, 4 * width) + grown)
        grow_factors(learner, x, grown, loss.squared)
        if is_due(facts):
            catch_up(lanes)
            factorise(learner.H, 0.0, facts.lam, learner.lower, learner.inverse_d)
        pass_round(facts, g, loss.weight)
        scale = grown / (1.0 + grown * loss.squared)
        board[ARM] = coming_arm(learner, table, scale, 2.0 * EPS)
        regret = max(best_mean - mean, 0.0)
        add_up(
            tape, Played(k, reward, c, g, rho, miss, facts.weight, facts.projected, regret, best_slope)
        )  # fmt: skip
        spent: Any = place == depth - 1.0
        if some(spent):
            if supply.recipes.shape[1] == 0:
                return i + 1
            board[SPENT], board[PULLED] = where(spent, 1.0, 0.0), k
            _restock(lanes, supply)
    return count


@compiled
def _restock(lanes: Lanes, supply: Supply) -> None:
    """Lanes beyond the runs play the first one again, and share its stacks."""
    for w in range(LANES):
        if lanes.board[SPENT, w] > 0.0:
            k = int(lanes.board[PULLED, w])
            if w < supply.outcomes.shape[0]:
                restock(supply.outcomes[w, k], supply.streams[w, k], supply.recipes[w, k])
            supply.used[k, w] = 0.0


@compiled
@in_line
def _error_squared(learner: Learner, error: Floats, board: Floats) -> float:
    """‖θ_t - θ_*‖² in H_t: followed, and now and then computed."""
    followed, peak = board[ERROR_SQUARED], board[ERROR_PEAK]
    faded = followed < _FADED * peak
    due = int(one(learner.facts.rounds)) % _EXACTLY == 0
    if due or some(faded):
        exact = quadratic(learner.lower, learner.inverse_d, error)
        anew = where(faded, 1.0, where(due, 1.0, 0.0)) > 0.0
        board[ERROR_SQUARED], board[ERROR_PEAK] = where(anew, exact, followed), where(anew, exact, peak)
    return board[ERROR_SQUARED]  # type: ignore[no-any-return]


@compiled
@in_line
def _follow_error(board: Floats, inside: bool, off: float, move: float, squared: float, grown: float) -> None:
    """The square after θ went by -move H⁻¹ x and H grew by c x xᵀ; `off` is <x, θ_t - θ_*>."""
    now = off - move * squared
    new = board[ERROR_SQUARED] - move * (off + now) + grown * now * now
    board[ERROR_SQUARED] = where(inside, new, -1.0)  # where θ was projected nothing is known
    board[ERROR_PEAK] = max(board[ERROR_PEAK], new)


@compiled
def begin(lanes: Lanes) -> None:
    """What is known of the arms beforehand: their means and norms, the best one and the first to be pulled."""
    learner = learner_in(stretches(lanes.states))
    theta_star, board = stretches(lanes.theta_star), stretches(lanes.board)
    table = table_in(stretches(lanes.points), stretches(lanes.room), theta_star.size)
    settle(learner, table, spread(1.0))
    none = spread(0.0)
    board[ARM] = coming_arm(learner, table, none, 0.0)
    top = dot(table.points[0], theta_star)
    for k in range(table.mean.size - 1):
        z = dot(table.points[k], theta_star)
        table.mean[k], _ = evaluate(lanes.link, z)
        top = max(top, z)
    board[BEST_NATURAL] = top
    board[BEST_MEAN], board[BEST_SLOPE] = evaluate(lanes.link, top)


@compiled
def catch_up(lanes: Lanes) -> None:
    """H as it is, in all lanes."""
    for w in range(LANES):
        _grow(lanes, w)


@compiled
def _grow(lanes: Lanes, w: int) -> None:
    """The H of a lane grows by all that is pending: d² numbers, once for an arm, not once for a round."""
    d, width = lanes.theta_star.shape[0], lanes.room.shape[0] // ARM_ROWS
    H = lanes.states[COUNT + 2 * d :]
    for k in range(width - 1):
        c = lanes.room[4 * width + k, w]
        if c != 0.0:
            x = lanes.points[k * d : (k + 1) * d]
            for i in range(d):
                for j in range(d):
                    H[i * d + j, w] += c * (x[i, w] * x[j, w])  # in this order H stays symmetric to the last bit
            lanes.room[4 * width + k, w] = 0.0


@compiled
def _corrupt(lanes: Lanes, supply: Supply, i: int) -> bool:
    """The corruption of each lane; returns whether one of them has something left for the rounds to come."""
    board, goes_on = lanes.board, False
    for w in range(LANES):
        kind, z = lanes.attacks[w].kind, board[NATURAL, w]
        cap = supply.caps[i, w] if supply.caps.shape[0] > 0 else 0.0
        chance = uniform(supply.dice[w]) if kind in (FLIP, THIN) else 0.0
        seen = Seen(
            int(lanes.tallies[0, w]) + 1, cap, chance, board[REWARD, w], board[MEAN, w],
            board[MIRRORED, w], z >= board[BEST_NATURAL, w] - BEST, board[OFF, w], board[TRUST, w],
        )  # fmt: skip
        board[CORRUPTION, w] = corrupt(lanes.attacks[w], seen) if kind != NONE else 0.0
        goes_on = goes_on or (kind != NONE and lanes.attacks[w].left > 0.0)
    return goes_on


@compiled
def _decide(lanes: Lanes) -> None:
    """Exactly whether Θ lies in C_t, in the lanes that are unsure."""
    learner = learner_in(lanes.state)
    tape = Tape(
        _sums_alone(lanes.tally), lanes.tally[SUM_COUNT:], lanes.checkpoints, lanes.board, lanes.board
    )  # fmt: skip
    for w in range(LANES):
        if lanes.board[UNSURE, w] > 0.0:
            _grow(lanes, w)
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
        if lanes.states[_PROJECTED, w] > 0.0:
            _grow(lanes, w)
            _copy(lanes.states, w, lanes.state)
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
