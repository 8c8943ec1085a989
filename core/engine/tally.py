"""What a run is asked for, gathered as it goes in constant memory.

Whether Θ still lies in C_t is decided exactly, but not in every round: between two decisions the farthest
point of Θ is bounded by how far H and θ have moved since.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, record, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.factor import diagonalise, dot
from glbcheck.core.engine.state import POINT, TARGET, Learner, own_lines
from glbcheck.core.engine.wide import one, root, where
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MARKED = ("regret", "radius", "error", "weight")  # what is kept of a checkpoint


class Sums(Protocol):
    """Sums and extremes over the rounds; `core.engine.run.Outcome` says what they mean."""

    rounds: float
    regret: float
    worst_ratio: float
    misses: float
    first_miss: float
    first_informative: float
    discounted: float
    smallest_weight: float
    projected: float
    corruption: float
    optimal_variance: float
    inverse_g: float
    g_min: float
    g_max: float

    passed: float  # checkpoints
    farthest: float  # how far Θ reached at the latest decision
    top: float  # the largest eigenvalue of H then
    grown: float  # and by how much its trace has grown since


SUMS = record(Sums)
COUNT = len(SUMS.names or ())


class Tape(NamedTuple):
    """What the rounds write down: `marks` at the checkpoints, and of every round if `record` has rows."""

    sums: Sums
    decided_at: Floats  # θ at the latest decision whether Θ lies in C_t
    checkpoints: Integers
    marks: Floats
    record: Floats


class Played(NamedTuple):
    """One round, as it is recorded; then its regret and μ' at the best arm."""

    arm: float
    reward: float
    corruption: float
    dispersion: float
    radius: float
    error: float
    weight: float
    projected: float
    regret: float
    slope: float


RECORDED = Played._fields[:8]


def blank(d: int, checkpoints: Integers, rounds: int) -> Tape:
    """Before the first round, with room for the record of that many."""
    marks = np.full((len(checkpoints), len(MARKED)), np.nan)
    return on_tape(blank_memory(d), checkpoints, marks, np.zeros((rounds, len(RECORDED))))


def blank_memory(d: int) -> Floats:
    """Sums and `decided_at` before the first round."""
    memory = own_lines(COUNT + d)
    sums = cast(Sums, memory[:COUNT].view(SUMS)[0])
    sums.farthest = sums.g_min = np.inf
    sums.smallest_weight = 1.0
    return memory


def on_tape(memory: Floats, checkpoints: Integers, marks: Floats, record: Floats) -> Tape:
    """The tape whose sums and `decided_at` are this memory."""
    return Tape(cast(Sums, memory[:COUNT].view(SUMS)[0]), memory[COUNT:], checkpoints, marks, record)


@compiled
@in_line
def note(tape: Tape, played: Played) -> None:
    """Take in one round."""
    if tape.record.shape[0] > 0:
        row = tape.record[int(tape.sums.rounds)]
        row[0], row[1], row[2], row[3] = played.arm, played.reward, played.corruption, played.dispersion
        row[4], row[5], row[6], row[7] = played.radius, played.error, played.weight, played.projected
    add_up(tape, played)


@compiled
@in_line
def add_up(tape: Tape, played: Played) -> None:
    """The sums and extremes after one round more, and the mark of a checkpoint."""
    sums, g, w, rho, error = tape.sums, played.dispersion, played.weight, played.radius, played.error
    sums.rounds += 1.0
    sums.regret += played.regret
    sums.corruption += abs(played.corruption)
    sums.inverse_g += 1.0 / g
    sums.g_min = min(sums.g_min, g)
    sums.g_max = max(sums.g_max, g)
    sums.optimal_variance += g * played.slope
    sums.discounted += where(w < 1.0, 1.0, 0.0)
    sums.smallest_weight = min(sums.smallest_weight, w)
    sums.projected += played.projected
    sums.worst_ratio = where(rho > 0.0, max(sums.worst_ratio, error / rho), sums.worst_ratio)
    missed = error > rho
    sums.first_miss = where(missed & (sums.misses == 0.0), sums.rounds, sums.first_miss)
    sums.misses += where(missed, 1.0, 0.0)
    place = int(one(sums.passed))
    if place < tape.checkpoints.size and tape.checkpoints[place] == one(sums.rounds):
        row = tape.marks[place]
        row[0], row[1], row[2], row[3] = sums.regret, rho, error, w
        sums.passed += 1.0


@vectorised
def surely_covers_ball(learner: Learner, tape: Tape) -> bool:
    """Θ ⊂ C_t, by how far H and θ have moved since it was decided."""
    sums, theta, at, rho = tape.sums, learner.theta, tape.decided_at, learner.facts.radius
    moved = 0.0
    for j in range(theta.size):
        moved += (theta[j] - at[j]) * (theta[j] - at[j])
    reach = learner.facts.S + root(dot(theta, theta))
    near = sums.farthest + root(sums.top * moved)
    return near * near + sums.grown * reach * reach <= rho * rho


@compiled
def covers_ball(learner: Learner, tape: Tape) -> bool:
    """Θ ⊂ C_t."""
    if surely_covers_ball(learner, tape):
        return True
    sums, theta = tape.sums, learner.theta
    sums.farthest = _farthest(learner, sums)
    sums.grown = 0.0
    for j in range(theta.size):
        tape.decided_at[j] = theta[j]
    return bool(sums.farthest <= learner.facts.radius)


@compiled
@apart
def _farthest(learner: Learner, sums: Sums) -> float:
    """The largest ‖θ - θ_t‖ in H over the ball, as in the reference; stores the largest eigenvalue too."""
    S, d, M, tau, pull = learner.facts.S, learner.theta.size, learner.shifted, learner.work[POINT], learner.work[TARGET]
    for i in range(d):
        tau[i] = learner.theta[i]
        for j in range(d):
            M[i, j] = learner.H[i, j]
    diagonalise(M, tau)
    last, total = 0, 0.0
    for j in range(d):
        pull[j] = M[j, j] * tau[j]
        total += pull[j] * pull[j]
        if M[j, j] > M[last, last]:
            last = j
    top = M[last, last]
    sums.top = top
    # (top - H + σ) z = -pull with ‖z‖ = S: the left end of the bracket makes the last entry alone that long.
    low, high = abs(pull[last]) / S, np.sqrt(total) / S
    sigma = low
    for _ in range(200):
        total = 0.0
        for j in range(d):
            if pull[j] != 0.0:
                total += (pull[j] / (top - M[j, j] + sigma)) ** 2
        if total > S * S:
            low = sigma
        else:
            high = sigma
        sigma = 0.5 * (low + high)
        if not low < sigma < high:
            break
    rest, far = S * S, 0.0
    for j in range(d):
        if j != last:
            z = 0.0 if pull[j] == 0.0 else -pull[j] / (top - M[j, j] + high)
            rest -= z * z
            far += M[j, j] * (z - tau[j]) ** 2
    length = np.sqrt(max(rest, 0.0)) + abs(tau[last])
    return float(np.sqrt(far + top * length * length))
