"""Contexts as people have them: arrays, lists, or tables with named columns (pandas, polars, pyarrow).

Nothing of these libraries is imported; a table is what has names for its columns and columns that become arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput, meant
from numpy.typing import ArrayLike, NDArray

Table: TypeAlias = ArrayLike | Any  # whatever `names_of` finds names in
NAMED = 12  # columns that a refusal names


def names_of(table: Any) -> tuple[str, ...] | None:
    """The names of the columns, in their order; None for what has none."""
    if hasattr(table, "collect_schema") and not hasattr(table, "to_numpy"):
        raise BadInput("table", type(table).__name__, "a table whose rows are there: collect() it first")
    names = getattr(table, "column_names", getattr(table, "columns", None))  # pyarrow has the first
    return None if names is None or not hasattr(table, "__getitem__") else tuple(map(str, names))


def raw_column(table: Any, name: str) -> Any:
    """One column as an array of whatever it holds."""
    names = getattr(table, "column_names", getattr(table, "columns", ()))
    keys = [key for key in names if str(key) == name]  # pandas may have numbers for names
    if len(keys) != 1:
        raise BadInput("columns", name, f"names that differ; {len(keys)} columns have this one")
    raw = table[keys[0]]
    return np.asarray(raw.to_numpy() if hasattr(raw, "to_numpy") else raw)


def column(table: Any, name: str, *, gaps: bool = False) -> Floats:
    """One column as numbers; truth values count as 0 and 1, and what is missing, if there may be gaps, as NaN."""
    values = raw_column(table, name)
    if values.dtype.kind not in "fiub":
        accepted = "real numbers or truth values, none missing; categories become columns of truth values first"
        raise BadInput(f"column {name!r}", f"values of type {values.dtype}", accepted)
    numbers = np.asarray(values, dtype=float)
    if not (gaps or np.isfinite(numbers).all()):
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise BadInput(f"column {name!r}, row {row + 1}", float(numbers[row]), "a finite number in every row")
    return numbers


def matrix(argument: str, table: Table, columns: Sequence[str] | None) -> Floats | ArrayLike:
    """The rows in the order of these columns; what has no names is returned as it is, to be checked by position."""
    names = names_of(table)
    if names is None:
        return table.astype(float) if isinstance(table, np.ndarray) and table.dtype.kind == "b" else table
    wanted = names if columns is None else tuple(columns)
    missing = [name for name in wanted if name not in names]
    if missing:
        near = meant(missing[0], [name for name in names if name not in wanted])
        accepted = f"the columns {listed(wanted)}, in any order; {near}missing: {listed(missing)}"
        raise BadInput(argument, f"columns {listed(names)}", accepted)
    return np.column_stack([column(table, name) for name in wanted])


def listed(names: Sequence[str]) -> str:
    """The names, or the first and the number of those that are many."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def entries(
    argument: str, values: ArrayLike | Any, rows: int, *, repeat: bool = False, beside: object = None
) -> NDArray[Any]:
    """One entry for each row, as it is; with `repeat` one number will do for all.

    What has an index must have that of the table `beside` it: nobody can tell whether rows or labels were meant.
    """
    accepted, (own, others) = f"{rows} numbers, one for each row", (getattr(x, "index", None) for x in (values, beside))
    if own is not None and hasattr(own, "equals") and hasattr(others, "equals") and not own.equals(others):
        by_place = "entries with the index of the contexts, or an array, which goes by place"
        raise BadInput(argument, f"{type(values).__name__} with another index", by_place)
    try:
        found = np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
    except (TypeError, ValueError, RecursionError):
        raise BadInput(argument, values, accepted) from None
    if np.ma.is_masked(values):
        raise BadInput(argument, values, accepted)
    if found.shape != (rows,) and not (found.ndim == 0 and repeat):
        raise BadInput(argument, f"array of shape {found.shape}", accepted)
    return np.full(rows, found) if found.ndim == 0 else found


def scaled(argument: str, rows: Floats | ArrayLike, scales: Floats | None) -> Floats | ArrayLike:
    """Every column divided by its scale; what has none is checked by whoever takes it."""
    if scales is None:
        return rows
    try:
        points = np.asarray(rows)
        wrong = points.dtype.kind not in "fiu" or np.ma.is_masked(rows)
        if wrong or points.ndim != 2 or points.shape[1] != scales.size:
            raise ValueError
    except (TypeError, ValueError, RecursionError):
        raise BadInput(argument, rows, f"rows of {scales.size} real numbers") from None
    return np.asarray(points / scales)


def checked_scales(scales: ArrayLike | None, d: int) -> Floats | None:
    """What the columns are divided by: one positive number for each."""
    if scales is None:
        return None
    try:
        values = np.broadcast_to(np.asarray(scales, dtype=float), (d,)).copy()
        if not (np.isfinite(values) & (values > 0)).all():
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BadInput("scales", scales, f"a positive number, or {d} of them") from None
    return values


def checked_columns(columns: Sequence[str] | None, d: int) -> tuple[str, ...] | None:
    """The names of the d columns, in the order of θ."""
    if columns is None:
        return None
    listed_ones = isinstance(columns, Iterable) and not isinstance(columns, str)
    names = tuple(columns) if listed_ones else ()
    words = all(isinstance(name, str) for name in names)
    double = next((name for name in names if words and names.count(name) > 1), None)
    if not words or len(names) != d or double is not None:
        found = f"; {double} is there twice" if double is not None else f"; these are {len(names)}"
        raise BadInput("columns", columns, f"{d} names that differ, as d = {d}{found if words else ''}")
    return names
