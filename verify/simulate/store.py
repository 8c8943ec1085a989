"""Tables on disk, as Parquet and as JSON, complete or not there at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from glbcheck.core.errors import RunError
from glbcheck.verify.report.figures import FORMATS, draw
from matplotlib.figure import Figure


def write_json(folder: Path, name: str, data: Any) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    _whole(folder / name, lambda path: path.write_text(text, encoding="utf-8"))


def write_parquet(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([dict(row) for row in rows])
    _whole(folder / name, lambda path: pq.write_table(table, path))


def write_figure(folder: Path, name: str, figure: Figure) -> None:
    """The figure as SVG and PDF."""
    for kind in FORMATS:
        _whole(folder / f"{name}.{kind}", partial(draw, figure, kind))


def _whole(path: Path, write: Callable[[Path], object]) -> None:
    unfinished = path.with_name(f".{path.name}.part")
    try:
        write(unfinished)
        unfinished.replace(path)
    except OSError as err:
        raise RunError(
            f"cannot write {path} ({err.strerror or err}); the journal keeps every run: "
            "make room and run again with --resume"
        ) from None
