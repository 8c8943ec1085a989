"""Contexts as people have them: arrays, lists, or tables with named columns (pandas, polars, pyarrow).

Nothing of these libraries is imported; a table is what has names for its columns and columns that become arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from numpy.typing import ArrayLike

Table: TypeAlias = ArrayLike | Any  # whatever `names_of` finds names in


def names_of(table: object) -> tuple[str, ...] | None:
    """The names of the columns, in their order; None for what has none."""
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        names = getattr(table, "columns", None)
    if names is None or not hasattr(table, "__getitem__"):
        return None
    found = tuple(str(name) for name in names)
    double = next((name for name in found if found.count(name) > 1), None)
    if double is not None:
        raise BadInput("columns", double, "names that differ")
    return found


def column(table: Any, name: str) -> Floats:
    """One column as numbers; truth values count as 0 and 1, and what is missing as no number."""
    keys = getattr(table, "column_names", None) or table.columns
    raw = table[next(key for key in keys if str(key) == name)]  # pandas may have numbers for names
    values = np.asarray(raw.to_numpy() if hasattr(raw, "to_numpy") else raw)
    if values.dtype.kind not in "fiub":
        raise BadInput(f"column {name!r}", f"values of type {values.dtype}", "a column of real numbers without gaps")
    return np.asarray(values, dtype=float)


def matrix(argument: str, table: Table, columns: Sequence[str] | None) -> Floats | ArrayLike:
    """The rows in the order of these columns; what has no names is returned as it is, to be checked by position."""
    names = names_of(table)
    if names is None:
        return table
    wanted = names if columns is None else tuple(columns)
    missing = [name for name in wanted if name not in names]
    if missing:
        raise BadInput(argument, f"columns {', '.join(names)}", f"the columns {', '.join(wanted)}, in any order")
    return np.column_stack([column(table, name) for name in wanted])


def scaled(argument: str, rows: Floats | ArrayLike, scales: Floats | None) -> Floats | ArrayLike:
    """Every column divided by its scale."""
    if scales is None:
        return rows
    try:
        points = np.asarray(rows, dtype=float)
        if points.ndim != 2 or points.shape[1] != scales.size:
            raise ValueError
    except (TypeError, ValueError):
        raise BadInput(argument, rows, f"rows of {scales.size} real numbers") from None
    return np.asarray(points / scales)


def checked_scales(scales: ArrayLike | None, d: int) -> Floats | None:
    """What the columns are divided by: one positive number for each."""
    if scales is None:
        return None
    try:
        values = np.broadcast_to(np.asarray(scales, dtype=float), (d,)).copy()
    except (TypeError, ValueError):
        raise BadInput("scales", scales, f"a positive number, or {d} of them") from None
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise BadInput("scales", scales, f"a positive number, or {d} of them")
    return values


def checked_columns(columns: Sequence[str] | None, d: int) -> tuple[str, ...] | None:
    """The names of the d columns, in the order of θ."""
    if columns is None:
        return None
    names = tuple(columns)
    if (
        isinstance(columns, str)
        or len(names) != d
        or len(set(names)) != d
        or not all(isinstance(n, str) for n in names)
    ):
        raise BadInput("columns", columns, f"{d} names that differ")
    return names
