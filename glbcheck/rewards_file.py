"""Rewards, contexts and dispersions from a CSV or Parquet file, read as a stream; refusals name row and column.

Rows are counted from 1, the header not included.
"""

from __future__ import annotations

import csv
import difflib
import itertools
import math
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glbcheck.command import UsageError
from glbcheck.core.extras import require

if TYPE_CHECKING:
    from glbcheck.core.arrays import Floats

MOST_ROWS = 1_000_000
MOST_COLUMNS = 10_000
NO_CONTEXTS = "none"
ACCEPTED = "a CSV file with column names in its first line, or a Parquet file"


@dataclass(frozen=True)
class Wanted:
    """What the command line says about columns."""

    reward: str
    contexts: str | None  # None: every other column
    dispersion: str | None  # a column or a number


@dataclass(frozen=True)
class RewardsFile:
    """The columns that were asked for."""

    rewards: Floats
    contexts: Floats | None
    dispersion: Floats | float | None
    columns: tuple[str, ...]
    cut: bool  # are there more rows than were read?


def read(path: str, wanted: Wanted, rows: int = MOST_ROWS) -> RewardsFile:
    """The wanted columns of the first `rows` rows."""
    import numpy as np

    place = Path(path)
    if not place.is_file():
        raise UsageError(f"DATA = {path!r}: no such file; accepted is {ACCEPTED}")
    with _opened(place) as (names, records):
        contexts, dispersion = _columns(wanted, names)
        chosen = [wanted.reward, *contexts, *([dispersion] if isinstance(dispersion, str) else [])]
        values, cut = _numbers(path, chosen, [names.index(name) for name in chosen], records, rows)
    table = np.frombuffer(values, dtype=float).reshape(-1, len(chosen))
    if table.shape[0] == 0:
        raise UsageError(f"DATA = {path!r}: has a header and no rows; accepted is at least two rows")
    known = table[:, -1] if isinstance(dispersion, str) else dispersion
    points = table[:, 1 : 1 + len(contexts)] if contexts else None
    return RewardsFile(table[:, 0], points, known, tuple(contexts), cut)


# --- which columns ----------------------------------------------------------------------------------------


def _columns(wanted: Wanted, names: Sequence[str]) -> tuple[list[str], str | float | None]:
    _known("--reward", wanted.reward, names)
    dispersion = _dispersion(wanted.dispersion, names)
    taken = {wanted.reward, dispersion}
    if wanted.contexts is None:
        return [name for name in names if name not in taken], dispersion
    if wanted.contexts == NO_CONTEXTS and NO_CONTEXTS not in names:
        return [], dispersion
    contexts = [part.strip() for part in wanted.contexts.split(",")]
    for name in contexts:
        _known("--contexts", name, names)
        if name in taken or contexts.count(name) > 1:
            raise UsageError(f"--contexts = {name!r}: is taken already; accepted are columns that are used once")
    return contexts, dispersion


def _dispersion(text: str | None, names: Sequence[str]) -> str | float | None:
    if text is None or text in names:
        return text
    try:
        value = float(text)
    except ValueError:
        _known("--dispersion", text, names, " or a number g > 0")
    if not 0 < value < math.inf:
        raise UsageError(f"--dispersion = {text!r}: accepted is a column, or a finite number g > 0")
    return value


def _known(option: str, name: str, names: Sequence[str], more: str = "") -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        meant = f"did you mean {near[0]!r}? " if near else ""
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        raise UsageError(f"--{option.lstrip('-')} = {name!r}: no such column; {meant}the file has {shown}{more}")


# --- cells ------------------------------------------------------------------------------------------------


def _numbers(
    path: str, names: Sequence[str], places: Sequence[int], records: Iterator[Sequence[Any]], rows: int
) -> tuple[array[float], bool]:
    values = array("d")
    for row, record in enumerate(records, start=1):
        if row > rows:
            return values, True
        for name, place in zip(names, places, strict=True):
            values.append(_number(path, row, name, record[place]))
    return values, False


def _number(path: str, row: int, column: str, cell: object) -> float:
    """A finite number; a missing one, text and infinities are refused."""
    where = f"DATA = {path!r}, row {row}, column {column!r}"
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        raise UsageError(f"{where}: the cell is empty; accepted are rows without missing values")
    try:
        if isinstance(cell, str) and "_" in cell:
            raise ValueError
        value = float(cell)  # type: ignore[arg-type]  # what has no number raises
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{where}: {str(cell)[:40]!r} is no number; choose columns with --contexts") from None
    if not math.isfinite(value):
        raise UsageError(f"{where}: {value} is not accepted; accepted are finite numbers, so drop or fill such rows")
    return value


# --- files ------------------------------------------------------------------------------------------------


@contextmanager
def _opened(path: Path) -> Iterator[tuple[list[str], Iterator[Sequence[Any]]]]:
    """The column names and the rows after them."""
    try:
        with path.open("rb") as file:
            parquet = file.read(4) == b"PAR1"
        if parquet:
            yield _parquet(path)
            return
        with path.open(encoding="utf-8-sig", newline="") as text:
            yield _csv(path, text)
    except UnicodeDecodeError as err:
        raise UsageError(
            f"DATA = {str(path)!r}: is not UTF-8 text (byte {err.start}); accepted is {ACCEPTED}"
        ) from None
    except csv.Error as err:
        raise UsageError(f"DATA = {str(path)!r}: is no CSV file ({err}); accepted is {ACCEPTED}") from None
    except OSError as err:
        raise UsageError(f"DATA = {str(path)!r}: cannot be read ({err.strerror or str(err).strip()})") from None


def _csv(path: Path, text: Any) -> tuple[list[str], Iterator[Sequence[Any]]]:
    first = text.readline(1 << 20)
    if not first.strip():
        raise UsageError(f"DATA = {str(path)!r}: is empty; accepted is {ACCEPTED}")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(itertools.chain([first], text), delimiter=delimiter, strict=True)
    names = [name.strip() for name in next(reader)]
    _check_names(path, names)
    return names, _csv_rows(path, reader, len(names))


def _csv_rows(path: Path, reader: Iterator[list[str]], width: int) -> Iterator[Sequence[Any]]:
    row = 0
    for record in reader:
        if record:
            row += 1
            if len(record) != width:
                words = f"{len(record)} cells; accepted are {width}, as in the header"
                raise UsageError(f"DATA = {str(path)!r}, row {row}: {words}")
            yield record


def _parquet(path: Path) -> tuple[list[str], Iterator[Sequence[Any]]]:
    require("data", f"DATA = {str(path)!r}: a Parquet file", "pyarrow")
    import pyarrow as arrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
    except arrow.ArrowException as err:
        raise UsageError(f"DATA = {str(path)!r}: is no readable Parquet file ({err})") from None
    names = list(file.schema_arrow.names)
    _check_names(path, names)

    def rows() -> Iterator[Sequence[Any]]:
        for batch in file.iter_batches(batch_size=1 << 14):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    return names, rows()


def _check_names(path: Path, names: Sequence[str]) -> None:
    if len(names) > MOST_COLUMNS:
        raise UsageError(f"DATA = {str(path)!r}: {len(names)} columns; accepted are at most {MOST_COLUMNS}")
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise UsageError(f"DATA = {str(path)!r}: two columns are called {double!r}; accepted are names that differ")
    try:
        [float(name) for name in names]
    except ValueError:
        return
    raise UsageError(f"DATA = {str(path)!r}: the first line holds numbers, not names; accepted is {ACCEPTED}")
