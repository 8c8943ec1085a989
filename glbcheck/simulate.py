"""`glbcheck simulate coverage|regret`: arguments, who does the work, and what is left on disk."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, positive
from glbcheck.core.extras import is_installed
from glbcheck.core.processors import processors
from glbcheck.core.simulation.grid import ADVERSARIES, AXES, Block, Grid, read

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from glbcheck.core.simulation.shards import Piece
    from glbcheck.core.simulation.tables import Tables
    from glbcheck.verify.runner import Engine

Table = Sequence[Mapping[str, Any]]

KINDS = ("coverage", "regret")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options; an axis given here replaces that axis in every block of the grid.

    Of the default grid, families and algorithms choose a part.
    """
    parser.add_argument("what", choices=KINDS, help="what to measure")
    parser.add_argument("--smoke", action="store_true", help="a small grid, well under a minute")
    parser.add_argument("--grid", metavar="FILE", help="a grid as JSON, in place of the default one")
    for axis, kind, text in (
        ("families", str, "names from `glbcheck families`"),
        ("d", int, "dimensions"),
        ("S", float, "radii of the parameter set"),
        ("dispersions", str, "numbers, decades:LOW:HIGH, spikes:BASE:HEIGHT:EVERY or dyadic:G_MAX"),
        ("adversaries", str, f"{', '.join(ADVERSARIES)} or searched:GENERATIONS"),
        ("C", float, "corruption budgets"),
        ("alpha", _threshold, "trust thresholds of the weights; auto: the paper's"),
        ("constants", str, "paper, repaired, local, sharpest"),
        ("index", str, "exact, closed-form: what is optimistic, for the algorithms that have both"),
        ("algorithms", str, "learners to play"),
        ("arms", str, "basis, sphere:K, changing:K, hostile:K, turning, two-worlds, corruption:PHI or data:NAME"),
        ("T", int, "numbers of rounds"),
        ("delta", float, "failure probabilities"),
        ("variants", str, "correct, or the names of broken learners"),
    ):
        parser.add_argument(f"--{axis}", type=_several(kind), metavar="A,B,...", help=text)
    parser.add_argument("--unknown-C", action="store_true", help="beside each learner that has a bound, one not told C")
    parser.add_argument("--replicates", type=int, metavar="N", help="independent runs of every cell")
    parser.add_argument("--seed", type=int, metavar="N", help="where all randomness comes from")
    parser.add_argument("--workers", type=positive, default=processors(), metavar="N", help="processes to use")
    parser.add_argument("--dask", metavar="ADDRESS", help="run on the cluster of this scheduler instead")
    parser.add_argument(
        "--output",
        metavar="DIR",
        help="folder for tables, figures and the journal of this run alone (default: results/simulate/WHAT)",
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in the output folder")


def run(args: argparse.Namespace) -> Outcome:
    """Play the grid; exit 1 if a guarantee failed more often than it may."""
    from glbcheck.verify.runner import Engine

    output = Path(args.output or Path("results") / "simulate" / args.what)
    return study(args.what, _grid(args), output, Engine(args.workers, args.dask), args.resume)


def _grid(args: argparse.Namespace) -> Grid:
    """A grid from a file with the given axes in place of its own; of the default one the part that is asked for."""
    from glbcheck.core import rivals
    from glbcheck.core.simulation import cells, defaults

    names = (*AXES, "replicates")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    # What is no value at all is refused before the default grid is worked out, which may compile.
    for axis, known in (("families", cells.known_family), ("algorithms", rivals.known)):
        for name in given.get(axis, ()):
            known(name)
    Grid(0, (Block(),)).changed(given, args.seed)
    axes: list[str] = []  # that the options give of the default grid
    if args.grid:
        chosen = read(args.grid)
    else:
        named = [arms.removeprefix("data:") for arms in given.get("arms", ()) if arms.startswith("data:")]
        only_data = len(named) == len(given.get("arms", ()))
        chosen = defaults.grid(args.what, args.smoke, named if only_data else ())
        if named and only_data:
            del given["arms"]
        axes = [name for name in given if name != "replicates"]
        for axis in ("families", "algorithms"):
            if axis in given:
                chosen = chosen.narrowed(axis, given.pop(axis))
    grid = chosen.changed(given, args.seed)
    if axes:
        grid, refusals = defaults.fitting(grid, axes)
        if refusals:
            options = ", ".join(f"--{axis}" for axis in axes)
            more = f" (and {len(refusals) - 1} more)" if len(refusals) > 1 else ""
            print(f"left out of the default grid, where {options} does not fit: {refusals[0]}{more}", file=sys.stderr)
    return beside_known(grid) if args.unknown_C else grid


def beside_known(grid: Grid) -> Grid:
    """The same grid, and beside each learner with a bound one that is not told C, where the arms stay."""
    from glbcheck.core.names import SUFFIX
    from glbcheck.core.rivals import ALGORITHMS
    from glbcheck.core.simulation.instances import STAYING

    def with_wrappers(block: Block) -> Block:
        stay = all(arms.partition(":")[0] in STAYING for arms in block.arms)
        wrapped = [f"{name}{SUFFIX}" for name in block.algorithms if name in ALGORITHMS and ALGORITHMS[name].confident]
        return replace(block, algorithms=(*block.algorithms, *wrapped)) if stay else block

    return replace(grid, blocks=tuple(map(with_wrappers, grid.blocks)))


def _several(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    def read(text: str) -> list[Any]:
        try:
            return [kind(piece.strip()) for piece in text.split(",")]
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a list of values of this kind") from None

    return read


def _threshold(text: str) -> float | None:
    return None if text == "auto" else float(text)


# --- from a grid to its tables and figures ----------------------------------------------------------------


def study(kind: str, grid: Grid, output: Path, engine: Engine, resume: bool) -> Outcome:
    """Play the grid and leave its tables and figures in the output folder."""
    from glbcheck.compiling import compile_engine
    from glbcheck.core.simulation import shards
    from glbcheck.core.simulation.tables import tables
    from glbcheck.core.versions import simulation_versions
    from glbcheck.verify import runner
    from glbcheck.verify.report.simulation_table import named

    def do(pieces: Sequence[Piece]) -> Mapping[str, Any]:
        compile_engine(grid.cells())  # every cell was accepted
        identity = {"kind": kind, "seed": grid.seed, "grid": grid.name}
        work = [runner.Shard(*piece) for piece in pieces]
        return runner.run(work, shards.work, output, identity, engine, resume)

    found = tables(grid, do)
    rows: dict[str, Any] = {"cells": found.cells, "power": found.power, "searches": found.searches}
    if kind == "regret":
        rows["conclusions"], rows["bounds"] = _concluded(found), _bounds({row["family"] for row in found.cells})
    data = {"kind": kind, **rows, "grid": grid.plain(), "versions": simulation_versions()}
    drawn = _figures(kind, data, found.curves)
    data["captions"] = {name: caption for name, (_, caption) in drawn.items()}
    _write(data, found.curves, output)
    for name, (fig, _) in drawn.items():
        write_figure(output, name, fig)
    failed = [row for row in found.cells if row["alarm"]]
    played = len(found.cells) + len(found.power)
    lines = [*_lines(kind, data), "", f"{played} cells; tables and figures in {output}"]
    lines += [f"FAILED more often than delta allows: {named(row)}" for row in failed]
    return Outcome(NOT_AS_EXPECTED if failed else AS_EXPECTED, lines, data)


def _concluded(found: Tables) -> dict[str, Any]:
    """Who wins where and how regret grows, in numbers and in words."""
    from glbcheck.core.simulation import conclusions
    from glbcheck.verify.report.simulation_words import words

    played = list(map(conclusions.Contender, found.cells, found.regrets))
    judged = conclusions.settings(played)
    numbers = {
        "measure": conclusions.measure(judged),
        "settings": judged,
        "exponents": conclusions.exponents(played),
        "claims": conclusions.claims(played),
        "untold": conclusions.untold(found.cells),
    }
    return {"words": words(numbers), **numbers}


def _bounds(played: Collection[str]) -> list[dict[str, Any]]:
    """Upper and lower bound on regret by family and horizon, of the families played; of all if it has none of them."""
    from dataclasses import asdict

    from glbcheck.core.theory.bounds import gaps

    known = list(gaps())
    own = [gap for gap in known if gap.family in played]
    return [{**asdict(gap), "ratio": gap.ratio} for gap in own or known]


def _lines(kind: str, data: Mapping[str, Any]) -> list[str]:
    from glbcheck.verify.report.exponent_table import exponent_lines
    from glbcheck.verify.report.simulation_table import coverage_lines, power_lines, regret_lines, search_lines
    from glbcheck.verify.report.simulation_words import paragraphs

    if kind == "regret":
        found = data["conclusions"]
        orders = exponent_lines(found["exponents"], found["claims"])
        return [*regret_lines(data["cells"]), *orders, *paragraphs(found["words"])]
    return [*coverage_lines(data["cells"]), *power_lines(data["power"]), *search_lines(data["searches"])]


def _figures(kind: str, data: Mapping[str, Any], curves: Table) -> dict[str, tuple[Figure, str]]:
    """Figure and caption by name."""
    from glbcheck.verify.report.bound_figure import gap_figure
    from glbcheck.verify.report.regret_figures import regret_figures
    from glbcheck.verify.report.simulation_figures import coverage_figures

    if kind == "coverage":
        return coverage_figures(data["cells"], curves)
    return {**regret_figures(data["cells"], data["conclusions"]["untold"]), "bounds": gap_figure(data["bounds"])}


def _write(data: Mapping[str, Any], curves: Table, output: Path) -> None:
    """Write the tables as JSON, and as Parquet too where pyarrow is installed."""
    points = [
        {**{k: v for k, v in curve.items() if k != "points"}, **point} for curve in curves for point in curve["points"]
    ]
    for name, rows in (("cells", data["cells"]), ("power", data["power"]), ("curves", points)):
        if rows and is_installed("pyarrow"):
            _write_parquet(output / f"{name}.parquet", rows)
    _write_json(output / "curves.json", {"curves": curves})
    _write_json(output / "cells.json", data)


# --- files, complete or not there at all --------------------------------------------------------------------


def _write_json(path: Path, data: Any) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    _whole(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8"))


def _write_parquet(path: Path, rows: Table) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([dict(row) for row in rows])
    _whole(path, lambda unfinished: pq.write_table(table, unfinished))


def write_figure(folder: Path, name: str, figure: Figure) -> None:
    """The figure as SVG and PDF."""
    from glbcheck.verify.report.figures import FORMATS, draw

    for kind in FORMATS:
        _whole(folder / f"{name}.{kind}", partial(draw, figure, kind))


def _whole(path: Path, write: Callable[[Path], object]) -> None:
    from glbcheck.core.errors import RunError

    unfinished = path.with_name(f".{path.name}.part")
    try:
        write(unfinished)
        unfinished.replace(path)
    except OSError as err:
        raise RunError(
            f"cannot write {path} ({err.strerror or err}); the journal keeps every run: "
            "make room and run again with --resume"
        ) from None
