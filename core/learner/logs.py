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
    arms: Sequence[ArrayLike] | Floats,
    pulled: Sequence[int],
    rewards: ArrayLike,
    propensities: ArrayLike,
    dispersions: ArrayLike = 1.0,
) -> list[Decision]:
    """A log from arrays, one entry for each decision; what is missing or impossible is refused by row."""
    n = len(arms)
    seen, chances = _column("rewards", rewards, n), _column("propensities", propensities, n)
    spread = _column("dispersions", np.full(n, dispersions) if np.ndim(dispersions) == 0 else dispersions, n)
    if len(pulled) != n:
        raise BadInput("pulled", f"{len(pulled)} entries", f"{n} entries, one for each decision")
    return [
        _decision(row, np.asarray(arms[row], dtype=float), pulled[row], (seen[row], chances[row], spread[row]))
        for row in range(n)
    ]


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
    found: list[Decision] = []
    for key, rows in _grouped(tables.raw_column(table, round).tolist(), round).items():
        mine = [place for place, row in enumerate(rows) if marks[row] == 1]
        if len(mine) != 1:
            raise BadInput(f"{pulled}, {round} {key}", len(mine), "exactly one arm that was pulled")
        at, total = rows[mine[0]], float(chances[rows].sum())  # no number where one is missing
        found.append(_decision(len(found), points[rows], mine[0], (seen[at], chances[at], spread[at])))
        if total > (1 + ROUNDED * len(rows)) * UNIT:
            accepted = "probabilities that sum to at most 1; those of arms that were not pulled may be left out"
            raise BadInput(f"{propensity}, {round} {key}", f"a sum of {total:.6g}", accepted)
    return found


def _grouped(keys: Sequence[Hashable], name: str) -> dict[Hashable, list[int]]:
    """Rows by their key, keys in the order in which they come first."""
    found: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        if key is None or key != key:
            raise BadInput(f"column {name!r}, row {row + 1}", key, "a number or a word that tells decisions apart")
        found.setdefault(key, []).append(row)
    return found


def _decision(row: int, arms: Floats, pulled: int, numbers: tuple[float, float, float]) -> Decision:
    """The decision of a row, from 0, or a refusal that counts rows from 1."""
    reward, chance, dispersion = (float(value) for value in numbers)
    if arms.ndim != 2 or not len(arms):
        raise BadInput(f"arms, row {row + 1}", f"array of shape {arms.shape}", "an array of shape (K, d) with K >= 1")
    if not 0 < chance <= 1:  # also what is no number
        accepted = "a probability above 0 and at most 1; without it a log cannot be weighed"
        raise BadInput(f"propensities, row {row + 1}", chance, accepted)
    if not 0 <= pulled < len(arms) or int(pulled) != pulled:
        raise BadInput(f"pulled, row {row + 1}", pulled, f"the place of an arm, from 0 to {len(arms) - 1}")
    return Decision(arms, int(pulled), checked_reward(reward, f"rewards, row {row + 1}"), chance, dispersion)


def checked_log(log: Iterable[Decision], p: Parameters) -> list[Decision]:
    """Decisions that may have been made by hand, checked as those of a table are, and for these parameters."""
    found = []
    for row, one in enumerate(log):
        if not isinstance(one, Decision):
            raise BadInput(f"log, row {row + 1}", one, "a Decision, as `decisions` and `decisions_of_table` make them")
        arms = checked_arms(one.arms, p.d, f"arms, row {row + 1}")
        p.promised(p.family.check_dispersion(one.dispersion, f"dispersions, row {row + 1}"))
        found.append(_decision(row, arms, one.pulled, (one.reward, one.propensity, one.dispersion)))
    return found


def _column(name: str, values: ArrayLike, n: int) -> Floats:
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(name, values, f"{n} numbers, one for each decision") from None
    if found.shape != (n,):
        raise BadInput(name, f"array of shape {found.shape}", f"{n} numbers, one for each decision")
    return found
