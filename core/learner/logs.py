"""Logged decisions: the arms that were offered, the one that was pulled, with which probability, and its reward."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from glbcheck.core.algorithm.checks import checked_arms, checked_reward
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import tables
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

ROUNDED = 0.005  # by how much a propensity with two digits may be off


@dataclass(frozen=True, eq=False)
class Decision:
    """One row of a log; the propensity is the probability that this arm was pulled, given all before."""

    arms: Floats  # (K, d)
    pulled: int
    reward: float
    propensity: float
    dispersion: float = 1.0


def decisions(
    arms: Sequence[ArrayLike] | Floats, pulled: Sequence[int], rewards: ArrayLike, propensities: ArrayLike,
    dispersions: ArrayLike = 1.0,
) -> list[Decision]:  # fmt: skip
    """A log from arrays, one entry for each decision; what is missing or impossible is refused by row."""
    n = len(arms)
    given = {
        "pulled": pulled, "rewards": rewards, "propensities": propensities,
        "dispersions": np.full(n, dispersions) if np.ndim(dispersions) == 0 else dispersions,
    }  # fmt: skip
    columns = []
    for name, values in given.items():
        try:
            columns.append(np.asarray(values, dtype=float))
        except (TypeError, ValueError):
            raise BadInput(name, values, f"{n} numbers, one for each decision") from None
        if columns[-1].shape != (n,):
            raise BadInput(name, f"array of shape {columns[-1].shape}", f"{n} numbers, one for each decision")
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [_decision(row, np.asarray(arms[row], dtype=float), *numbers) for row, numbers in enumerate(rows)]


def decisions_of_table(
    table: tables.Table, *, round: str, pulled: str, reward: str, propensity: str, contexts: Sequence[str],
    dispersion: str | None = None, scales: ArrayLike | None = None,
) -> list[Decision]:  # fmt: skip
    """A log from a table with one row for each arm that was offered.

    `round` names the column that tells decisions apart, by numbers or words, `pulled` the one that is 1 for the arm
    that was pulled; reward, propensity and dispersion are read in its row alone (propensities of all arms must not sum
    to more than 1).  `scales` divides the contexts, as `Learner` does.
    """
    names = tables.names_of(table) or ()
    read = [round, pulled, reward, propensity, *contexts, *([] if dispersion is None else [dispersion])]
    missing = [name for name in read if name not in names]
    if missing:
        raise BadInput("table", f"columns {tables.listed(names)}", f"a table that has {tables.listed(missing)} too")
    divided = tables.checked_scales(scales, len(contexts))
    points = np.column_stack([tables.column(table, name) for name in contexts]) / (1.0 if divided is None else divided)
    marks = tables.column(table, pulled)
    seen, chances = (tables.column(table, name, gaps=True) for name in (reward, propensity))
    spread = np.ones(len(seen)) if dispersion is None else tables.column(table, dispersion, gaps=True)
    groups: dict[Hashable, list[int]] = {}  # rows by their key, keys in the order in which they come first
    for row, key in enumerate(tables.raw_column(table, round).tolist()):
        if key is None or key != key:
            raise BadInput(f"column {round!r}, row {row + 1}", key, "a number or a word that tells decisions apart")
        groups.setdefault(key, []).append(row)
    found: list[Decision] = []
    for key, rows in groups.items():
        mine = [place for place, row in enumerate(rows) if marks[row] == 1]
        if len(mine) != 1:
            raise BadInput(f"{pulled}, {round} {key}", len(mine), "exactly one arm that was pulled")
        at, total = rows[mine[0]], float(chances[rows].sum())  # no number where one is missing
        found.append(_decision(len(found), points[rows], mine[0], seen[at], chances[at], spread[at]))
        if total > (1 + ROUNDED * len(rows)) * UNIT:
            accepted = "probabilities that sum to at most 1; those of arms that were not pulled may be left out"
            raise BadInput(f"{propensity}, {round} {key}", f"a sum of {total:.6g}", accepted)
    return found


def _decision(row: int, arms: Floats, pulled: float, reward: float, chance: float, dispersion: float) -> Decision:
    """The decision of a row, from 0, or a refusal that counts rows from 1."""
    chance, dispersion = float(chance), float(dispersion)
    if arms.ndim != 2 or not len(arms):
        raise BadInput(f"arms, row {row + 1}", f"array of shape {arms.shape}", "an array of shape (K, d) with K >= 1")
    if not 0 < chance <= 1:  # also what is no number
        accepted = "a probability above 0 and at most 1; without it a log cannot be weighed"
        raise BadInput(f"propensities, row {row + 1}", chance, accepted)
    if not (0 <= pulled < len(arms) and int(pulled) == pulled):
        raise BadInput(f"pulled, row {row + 1}", pulled, f"the place of an arm, from 0 to {len(arms) - 1}")
    return Decision(arms, int(pulled), checked_reward(float(reward), f"rewards, row {row + 1}"), chance, dispersion)


def checked_log(log: Iterable[Decision], p: Parameters) -> list[Decision]:
    """Decisions that may have been made by hand, checked as those of a table are, and for these parameters."""
    found = []
    for row, one in enumerate(log):
        if not isinstance(one, Decision):
            raise BadInput(f"log, row {row + 1}", one, "a Decision, as `decisions` and `decisions_of_table` make them")
        arms = checked_arms(one.arms, p.d, f"arms, row {row + 1}")
        p.promised(p.family.check_dispersion(one.dispersion, f"dispersions, row {row + 1}"))
        found.append(_decision(row, arms, one.pulled, one.reward, one.propensity, one.dispersion))
    return found
