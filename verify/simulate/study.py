"""From a grid to its tables and figures: check, play, count, write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from glbcheck.core.versions import checksum, simulation_versions
from glbcheck.verify import runner
from glbcheck.verify.report.figures import inline_svg
from glbcheck.verify.report.simulation_figures import coverage_figures, regret_figures
from glbcheck.verify.report.simulation_table import (
    coverage_lines,
    named,
    power_lines,
    regret_lines,
    search_lines,
)
from glbcheck.verify.runner import Engine
from glbcheck.verify.simulate import cells, shards, tables
from glbcheck.verify.simulate.grid import CORRECT, Cell, Grid
from glbcheck.verify.simulate.store import write_figure, write_json, write_parquet

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome

Data = dict[str, Any]


def study(kind: str, grid: Grid, output: Path, engine: Engine, resume: bool) -> Outcome:
    """Play the grid and leave its tables and figures in the output folder."""
    wanted = grid.cells()
    for cell in wanted:
        cells.check(cell)
    identity = {"kind": kind, "seed": grid.seed, "grid": checksum(grid.plain())}
    results = runner.run(shards.cut(wanted, grid.seed), shards.work, output, identity, engine, resume)
    data, curves = _tables(kind, grid, wanted, results)
    figures = _written(kind, data, curves, output)
    failed = [row for row in data["cells"] if row["alarm"]]
    lines = [*_lines(kind, data), "", f"{len(wanted)} cells; tables and figures in {output}"]
    lines += [f"FAILED more often than delta allows: {named(row)}" for row in failed]
    return Outcome(NOT_AS_EXPECTED if failed else AS_EXPECTED, lines, {**data, "figures": figures})


def _tables(kind: str, grid: Grid, wanted: Sequence[Cell], results: Mapping[str, Any]) -> tuple[Data, list[Data]]:
    """Everything the run found, as plain data; and the curves."""
    found: Data = {"kind": kind, "cells": [], "power": [], "searches": []}
    curves = []
    for played in shards.gather(wanted, results):
        cell, rows = played.cell, played.rows
        if cell.variant == CORRECT:
            found["cells"].append(tables.summary(cell, rows, played.seconds, grid.seed))
            curves.append({**asdict(cell), "points": tables.curves(cell, rows)})
        else:
            found["power"].append(tables.power(cell, rows, played.seconds, grid.seed))
        if played.found is not None:
            found["searches"].append(tables.searched(cell, rows, played.found))
    return {**found, "grid": grid.plain(), "versions": simulation_versions()}, curves


def _written(kind: str, data: Data, curves: Sequence[Data], output: Path) -> dict[str, str]:
    """Tables and figures on disk; returns the figures for a page."""
    for name in ("cells", "power"):
        if data[name]:
            write_parquet(output, f"{name}.parquet", data[name])
    points = [
        {k: v for k, v in curve.items() if k != "points"} | point for curve in curves for point in curve["points"]
    ]
    write_parquet(output, "curves.parquet", points)
    write_json(output, "curves.json", {"curves": curves})
    write_json(output, "cells.json", data)
    drawn = coverage_figures(data["cells"], curves) if kind == "coverage" else regret_figures(data["cells"])
    pages = {}
    for name, (figure, label) in drawn.items():
        write_figure(output, name, figure)
        pages[name] = inline_svg(figure, label, f"{kind}-{name}")
    return pages


def _lines(kind: str, data: Data) -> list[str]:
    if kind == "regret":
        return regret_lines(data["cells"])
    return [
        *coverage_lines(data["cells"]),
        *power_lines(data["power"]),
        *search_lines(data["searches"]),
    ]
