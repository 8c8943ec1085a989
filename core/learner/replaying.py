"""What a learner would have earned on logged decisions, by importance weights, with an interval that holds.

The interval mixes bets over a grid of their sizes and needs no bound on the weights; it asks for propensities that are
right, for rewards in a range [low, high] and for a log without corruption (claim `replay_interval_holds`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner.logs import Decision, checked_log

Learn: TypeAlias = Literal["matched", "every", "nothing"]
BETS = 0.5 ** np.arange(1, 17)


@dataclass(frozen=True)
class Replayed:
    """The estimated mean reward of the learner over the rows, and an interval for it."""

    rows: int
    matched: int  # rows in which the log pulled what the learner would have pulled
    value: float
    low: float
    high: float
    logged: float  # the mean reward of the log


def replay(
    learner: HCWGLBOMD, log: Sequence[Decision], *, rewards: tuple[float, float], delta: float = 0.05,
    learn: Learn = "matched",
) -> Replayed:  # fmt: skip
    """Walk a learner through a log; it learns from the rows that it matches, from every row, or from nothing.

    What is estimated is the mean reward of the arms that it names on the way: one that learns from the rows it matches
    knows less than it would have learnt by pulling itself, and one that learns from every row knows more.  The learner
    that is given is the one that learns; `restore` makes another from a file.  All three are sound for its confidence
    sets if C covers the corruption of the log; the interval asks for a log that is not corrupted at all, and does not
    become wider by C.  `rewards` is the range in which they lie; infinite ends give half of an interval.
    """
    if not isinstance(learner, HCWGLBOMD):
        raise BadInput("learner", learner, "an HCWGLBOMD, such as the `algorithm` of a Learner")
    log = checked_log(log, learner.parameters)
    low, high = checked_range(rewards, log)
    if learn not in get_args(Learn):
        raise BadInput("learn", learn, " or ".join(repr(word) for word in get_args(Learn)))
    if not (isinstance(delta, int | float) and 0 < delta < 1):
        raise BadInput("delta", delta, "a probability strictly between 0 and 1")
    hits = np.zeros(len(log), dtype=bool)
    for row, one in enumerate(log):
        before = learner.state
        hits[row] = learner.select(one.arms) == one.pulled
        if learn == "every" or (learn == "matched" and hits[row]):
            learner.update(one.arms[one.pulled], one.reward, one.dispersion)
        elif learner.state is not before:  # nothing was pulled, so that a scout has spent nothing
            learner.become(before)
    seen = np.array([one.reward for one in log])
    weights = hits / np.array([one.propensity for one in log])
    span = high - low if math.isfinite(high - low) else 1.0
    least = low + mean_at_least(weights * (seen - low), span, delta / 2) if math.isfinite(low) else -math.inf
    most = high - mean_at_least(weights * (high - seen), span, delta / 2) if math.isfinite(high) else math.inf
    return Replayed(len(log), int(hits.sum()), float(np.mean(weights * seen)), least, most, float(seen.mean()))


def mean_at_least(values: Floats, size: float, delta: float) -> float:
    """What the mean of the conditional means of non-negative numbers is at least, with probability 1 - delta.

    `size` is their order of magnitude, chosen before they are seen; any positive number is sound.
    """
    variance = surprise(values, size)
    if not math.isfinite(variance):  # weights whose squares are no numbers say nothing
        return 0.0
    most = 1.0
    while log_wealth(most, variance) <= math.log(1 / delta):
        most *= 2
    from scipy.optimize import brentq

    root = float(brentq(lambda total: log_wealth(total, variance) - math.log(1 / delta), 0.0, most, xtol=1e-10 * most))
    off = root + 1e-9 * most  # on the cautious side of the root
    return max((float(values.sum()) - size * off) / values.size, 0.0)


def log_wealth(total: float, variance: float) -> float:
    """The logarithm of the mixture, from Σ (Y - E Y)/M and Σ (Y - p)²/M²."""
    logs = BETS * total - (-np.log1p(-BETS) - BETS) * variance
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean()))


def surprise(values: Floats, size: float) -> float:
    """Σ (Y - p)²/M², where p is the mean of those before, at most M."""
    before = np.concatenate([[0.0], np.cumsum(values)[:-1]])
    predicted = np.minimum((before + size / 2) / np.arange(1, values.size + 1), size)
    with np.errstate(over="ignore"):
        return float(np.sum(((values - predicted) / size) ** 2))


def checked_range(rewards: tuple[float, float], log: Sequence[Decision]) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in rewards)
        if not low < high:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BadInput("rewards", rewards, "a pair (low, high) with low < high") from None
    if not log:
        raise BadInput("log", "no rows", "at least one decision")
    stray = next((row for row, one in enumerate(log, 1) if not low <= one.reward <= high), None)
    if stray is not None:
        raise BadInput(f"rewards, row {stray}", log[stray - 1].reward, f"a reward in [{low:g}, {high:g}]")
    return low, high
