"""Rewards and contexts as a learner would see them: checked, and scaled into the unit ball."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.tolerances import LARGEST_REWARD
from numpy.typing import ArrayLike, NDArray

INTERCEPT = "(constant)"
DEPENDENT = 1e-9  # what is left of a column, relative to it, when the others are taken out


@dataclass(frozen=True, eq=False)
class Data:
    """n rewards, their contexts scaled into the unit ball, and their dispersions where those are known."""

    rewards: Floats  # (n,)
    contexts: Floats  # (n, d), norms at most 1
    columns: tuple[str, ...]
    scales: Floats  # (d,), what the columns were divided by
    dispersions: Floats | None  # (n,), None where to be estimated
    constant: Floats | None  # a vector v with ⟨x, v⟩ = 1 for every context, where there is one

    @property
    def n(self) -> int:
        return int(self.rewards.size)

    @property
    def d(self) -> int:
        return int(self.contexts.shape[1])

    @cached_property
    def least_gain(self) -> float:
        """The least singular value of the contexts: Σ ⟨x, v⟩² is at least its square for every unit vector v."""
        return float(np.linalg.svd(np.linalg.qr(self.contexts, mode="r"), compute_uv=False)[-1])

    def only(self, rows: NDArray[np.int64]) -> Data:
        """Some of the rows."""
        known = None if self.dispersions is None else self.dispersions[rows]
        return replace(self, rewards=self.rewards[rows], contexts=self.contexts[rows], dispersions=known)


def checked_data(
    rewards: ArrayLike,
    contexts: ArrayLike | None = None,
    dispersion: ArrayLike | None = None,
    *,
    columns: Sequence[str] | None = None,
    intercept: bool = False,
) -> Data:
    """The data, refused with the row and column that is wrong; without contexts every context is the constant 1."""
    seen = _table("rewards", rewards, ("a sequence of numbers", 1))
    if seen.size == 0:
        raise BadInput("rewards", "no rows", "at least two rewards")
    bad = np.flatnonzero(~(np.abs(seen) <= LARGEST_REWARD))
    if bad.size:
        row = int(bad[0])
        raise BadInput(f"rewards, row {row + 1}", float(seen[row]), f"a finite number, at most {LARGEST_REWARD:g}")
    points, names = _contexts(contexts, seen.size, columns, intercept)
    if seen.size <= points.shape[1]:
        raise BadInput("contexts", f"{points.shape[1]} columns and {seen.size} rows", "more rows than columns")
    scales = _scales(points, names)
    scaled = points / scales
    _refuse_dependent(scaled, names)
    return Data(seen, scaled, names, scales, _dispersions(dispersion, seen.size), _constant(scaled))


def _scales(points: Floats, names: Sequence[str]) -> Floats:
    """Ones if every context lies in the unit ball; else each column by its size, then all by the largest norm.

    Columns in units of their own would make θ, and with it S, large for no reason.
    """
    sizes = np.abs(points).max(axis=0)
    for name, size in zip(names, sizes, strict=True):
        if size == 0:
            raise BadInput("contexts", name, "columns that are not zero in every row")
    if _longest(points) <= 1:
        return np.ones(sizes.size)
    return np.asarray(sizes * _longest(points / sizes))


def _longest(points: Floats) -> float:
    return float(np.sqrt(np.einsum("ij,ij->i", points, points)).max())


def _contexts(
    contexts: ArrayLike | None, n: int, columns: Sequence[str] | None, intercept: bool
) -> tuple[Floats, tuple[str, ...]]:
    if contexts is None:
        return np.ones((n, 1)), (INTERCEPT,)
    points = _table("contexts", contexts, ("a table of numbers, one row per reward", 2))
    if points.shape[0] != n or points.shape[1] < 1:
        raise BadInput("contexts", f"array of shape {points.shape}", f"an array of shape ({n}, d) with d >= 1")
    names = tuple(f"x{k + 1}" for k in range(points.shape[1])) if columns is None else tuple(columns)
    if len(names) != points.shape[1]:
        raise BadInput("columns", list(names), f"{points.shape[1]} names")
    bad = np.argwhere(~np.isfinite(points))
    if bad.size:
        row, column = (int(k) for k in bad[0])
        raise BadInput(f"contexts, row {row + 1}, column {names[column]}", float(points[row, column]), "finite numbers")
    if intercept:
        points, names = np.column_stack([points, np.ones(n)]), (*names, INTERCEPT)
    return points, names


def _table(argument: str, value: ArrayLike, accepted: tuple[str, int]) -> Floats:
    words, dimensions = accepted
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError
        numbers = np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(argument, type(value).__name__, words) from None
    if numbers.ndim == 1 and dimensions == 2:
        numbers = numbers[:, None]
    if numbers.ndim != dimensions:
        raise BadInput(argument, f"array of shape {numbers.shape}", words)
    return numbers


def _dispersions(value: ArrayLike | None, n: int) -> Floats | None:
    if value is None:
        return None
    known = _table("dispersion", np.atleast_1d(np.asarray(value)), ("a number or one number per reward", 1))
    if known.size not in (1, n):
        raise BadInput("dispersion", f"{known.size} numbers", f"one number, or {n}: one per reward")
    bad = np.flatnonzero(~((known > 0) & np.isfinite(known)))
    if bad.size:
        where = "dispersion" if known.size == 1 else f"dispersion, row {bad[0] + 1}"
        raise BadInput(where, float(known[bad[0]]), "a finite number g > 0")
    return known * np.ones(n)


def _refuse_dependent(points: Floats, names: Sequence[str]) -> None:
    """A column that the ones before it determine has no coefficient of its own."""
    left = np.abs(np.diag(np.linalg.qr(points, mode="r")))  # of each column, when those before it are taken out
    for k, name in enumerate(names):
        if left[k] <= DEPENDENT * np.linalg.norm(points[:, k]):
            same = " (two constant columns, or one and the intercept)" if np.ptp(points[:, k]) == 0 else ""
            raise BadInput("contexts", name, f"columns of which none is a combination of those before it{same}")


def _constant(points: Floats) -> Floats | None:
    """The shortest v with ⟨x, v⟩ = 1 for every context."""
    v = np.asarray(np.linalg.lstsq(points, np.ones(points.shape[0]), rcond=None)[0], dtype=float)
    return v if np.abs(points @ v - 1).max() <= DEPENDENT else None
