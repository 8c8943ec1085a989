"""Logged decisions: the arms that were offered, the one that was pulled, with which probability, and its reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import tables
from glbcheck.core.observed import checked_reward
from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Decision:
    """One row of a log; the propensity is the probability that this arm was pulled, given all before."""

    arms: Floats  # (K, d)
    pulled: int
    reward: float
    propensity: float
    dispersion: float = 1.0


def decisions(
    arms: Sequence[ArrayLike] | Floats,
    pulled: Sequence[int],
    rewards: ArrayLike,
    propensities: ArrayLike,
    dispersions: ArrayLike = 1.0,
) -> list[Decision]:
    """A log from arrays, one entry for each decision; what is missing or impossible is refused by row."""
    n = len(arms)
    seen, chances = _column("rewards", rewards, n), _column("propensities", propensities, n)
    spread = _column("dispersions", np.broadcast_to(np.asarray(dispersions, dtype=float), (n,)), n)
    if len(pulled) != n:
        raise BadInput("pulled", f"{len(pulled)} entries", f"{n} entries, one for each decision")
    return [
        _decision(row, np.asarray(arms[row], dtype=float), pulled[row], (seen[row], chances[row], spread[row]))
        for row in range(n)
    ]


def decisions_of_table(
    table: tables.Table, *, round: str, pulled: str, reward: str, propensity: str, contexts: Sequence[str]
) -> list[Decision]:
    """A log from a table with one row for each arm that was offered.

    `round` names the column that tells decisions apart, `pulled` the one that is 1 for the arm that was pulled; reward
    and propensity are read in its row.
    """
    names = tables.names_of(table)
    missing = [name for name in (round, pulled, reward, propensity, *contexts) if name not in (names or ())]
    if missing:
        raise BadInput("table", f"columns {', '.join(names or ())}", f"a table that has {', '.join(missing)} too")
    points = np.column_stack([tables.column(table, name) for name in contexts])
    marks, keys = tables.column(table, pulled), tables.column(table, round)
    seen, chances = tables.column(table, reward), tables.column(table, propensity)
    found: list[Decision] = []
    for key in dict.fromkeys(keys.tolist()):
        rows = np.flatnonzero(keys == key)
        mine = np.flatnonzero(marks[rows] == 1)
        if mine.size != 1:
            raise BadInput(f"{pulled}, {round} {key:g}", mine.size, "exactly one arm that was pulled")
        at = rows[mine[0]]
        found.append(_decision(len(found), points[rows], int(mine[0]), (seen[at], chances[at], 1.0)))
    return found


def _decision(row: int, arms: Floats, pulled: int, numbers: tuple[float, float, float]) -> Decision:
    reward, chance, dispersion = (float(value) for value in numbers)
    if arms.ndim != 2 or not len(arms):
        raise BadInput(f"arms, row {row + 1}", f"array of shape {arms.shape}", "an array of shape (K, d) with K >= 1")
    if not 0 < chance <= 1:  # also what is no number
        accepted = "a probability above 0 and at most 1; without it a log cannot be weighed"
        raise BadInput(f"propensities, row {row + 1}", chance, accepted)
    if int(pulled) != pulled or not 0 <= pulled < len(arms):
        raise BadInput(f"pulled, row {row + 1}", pulled, f"the place of an arm, from 0 to {len(arms) - 1}")
    return Decision(arms, int(pulled), checked_reward(reward), chance, dispersion)


def _column(name: str, values: ArrayLike, n: int) -> Floats:
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(name, values, f"{n} numbers, one for each decision") from None
    if found.shape != (n,):
        raise BadInput(name, f"array of shape {found.shape}", f"{n} numbers, one for each decision")
    return found
