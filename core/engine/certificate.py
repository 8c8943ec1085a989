"""The certificate of regret: what Python calls in a round, and what is known after any number of them."""

from __future__ import annotations

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import cumulant, likelihood_set
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.careful import NUMBER, ROOM, ROWS, STATE, UNIT_ROUNDOFF, VECTOR, careful_entry
from glbcheck.core.engine.costs import charge, compare, cost, costs, counts, measure, remembered
from glbcheck.core.engine.likelihood_ucb import choose


def regret_at_most(state: Floats, room: Floats, C: float) -> float:
    """What all pulls may have cost, rounded up, by the level at or above C; in hindsight for fixed arms.

    In hindsight a pull costs Δ of the latest set, if that is less than what the pulls of its arm cost at their time.
    With a linear link the largest value of the whole sum is known: one arm is best in all rounds.
    """
    table, pulls = ls.levels(state), state[ls.PULLS]
    row = int(np.flatnonzero(table[:, ls.LEVEL] >= C)[0])
    found = float(table[row, ls.COST])
    if state[ls.FIXED] and not state[ls.ENDED] and pulls:
        arms, n = np.array(remembered(state)), counts(state)
        pulled = [int(k) for k in np.flatnonzero(n)]
        deltas = np.array([consider(state, room, arms, float(k), C)[1] for k in pulled])
        if (deltas >= 0).all():
            found = min(found, float(np.minimum(costs(state)[row, pulled], n[pulled] * deltas).sum()))
        if state[ls.KIND] == cumulant.GAUSSIAN:
            sums = n.sum() * arms - n @ arms
            off = (len(arms) + 4) * UNIT_ROUNDOFF * state[ls.S] * pulls * 2 * arms.shape[1]
            found = min(found, max(0.0, max(float(bounds(state, y, C)[1]) for y in sums) + off))
    return float(found * (1 + (pulls + len(table) + 64) * UNIT_ROUNDOFF))


# --- what Python calls --------------------------------------------------------------------------------------


@careful_entry(STATE, ROOM, ROWS, NUMBER, NUMBER)
def consider(state: Floats, room: Floats, arms: Floats, pulled: float, C: float) -> tuple[int, float]:
    """An arm and its Δ at this C, negative if the set is empty; or, if C is negative, at the largest C, and charged.

    If `pulled` is negative the arm is chosen: optimism, or a scout.
    """
    if pulled < 0.0:
        return choose(state, room, arms)
    k = int(pulled)
    measure(state, room, arms)
    if C < 0.0:
        return k, charge(state, room, arms, k)
    compare(state, room, arms.shape[0], k)
    return k, cost(state, room, arms.shape[0], k, C)


learn = careful_entry(STATE, VECTOR, NUMBER, NUMBER)(likelihood_set.observe)


@careful_entry(STATE, VECTOR, NUMBER)
def bounds(state: Floats, x: Floats, C: float) -> tuple[float, float]:
    """An interval for <x, θ*>, at this much corruption."""
    return likelihood_set.interval(state, x, C)
