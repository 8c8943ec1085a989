"""`glbcheck fit DATA --reward COLUMN`: which families of the catalogue fit a data set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError, Verb, positive, written
from glbcheck.core.extras import require
from glbcheck.rewards_file import MOST_ROWS, RewardsFile, Wanted, read

if TYPE_CHECKING:
    from glbcheck.core.fitting import Fit


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", help="a CSV file with column names in its first line, or Parquet")
    parser.add_argument("--reward", required=True, metavar="COLUMN", help="the column of rewards")
    parser.add_argument("--contexts", metavar="COL,COL", help="the context columns, or none (default: all others)")
    parser.add_argument("--intercept", action="store_true", help="add a constant to every context")
    parser.add_argument("--dispersion", metavar="COLUMN|NUMBER", help="known dispersions (default: estimated)")
    parser.add_argument("--families", metavar="NAME,NAME", help="e.g. poisson,binomial(n=20) (default: all)")
    parser.add_argument("--rows", type=positive, default=MOST_ROWS, help=f"rows read at most (default: {MOST_ROWS})")
    parser.add_argument("--seed", type=int, default=0, help="of the randomised residuals and the draws (default: 0)")
    parser.add_argument("--figure", metavar="FILE", help="write the figure, .svg or .pdf")
    parser.add_argument("--html", metavar="FILE", help="write a page with the figure")


def run(args: argparse.Namespace) -> Outcome:
    kind = _figure_kind(args.figure)
    if args.figure or args.html:
        require("report", f"glbcheck fit {'--html' if args.html else '--figure'}")
    table = read(args.data, Wanted(args.reward, args.contexts, args.dispersion), args.rows)
    found = _fit(args, table)
    from glbcheck.verify.report import fit_table

    data = {"data": args.data, **found.as_dict()}
    if table.cut:
        data["notes"].append(f"the file has more than {args.rows} rows; the others were not read (--rows N)")
    if args.figure:
        _write_figure(found, args.figure, kind)
    if args.html:
        from glbcheck.verify.report.fit_page import page

        written("--html", args.html, page(found, Path(args.data).name))
    return Outcome(AS_EXPECTED if found.best else NOT_AS_EXPECTED, fit_table.table(data), data)


def _fit(args: argparse.Namespace, table: RewardsFile) -> Fit:
    from glbcheck.core.fitting import fit

    found = fit(
        table.rewards,
        table.contexts,
        dispersion=table.dispersion,
        families=args.families.split(",") if args.families else None,
        intercept=args.intercept,
        columns=table.columns or None,
        seed=args.seed,
        progress=_tell,
    )
    _tell("", 0, 0)
    return found


def _tell(name: str, done: int, of: int) -> None:
    """At a terminal: the family that is being fitted; no name leaves the line empty."""
    if sys.stderr.isatty():
        line = f"{name} ({done + 1} of {of})" if name else ""
        print(f"\r{line:<60}", end="\r", file=sys.stderr, flush=True)


def _figure_kind(path: str | None) -> str:
    kind = Path(path).suffix.lstrip(".").lower() if path else "svg"
    if kind not in ("svg", "pdf"):
        raise UsageError(f"--figure = {path!r}: accepted are names that end in .svg or .pdf")
    return kind


def _write_figure(found: Fit, path: str, kind: str) -> None:
    from glbcheck.verify.report.figures import draw
    from glbcheck.verify.report.fit_figure import drawn

    fig = drawn(found)
    if fig is None:
        raise UsageError(f"--figure = {path!r}: no family could be tested, so there is nothing to draw")
    try:
        draw(fig, kind, Path(path))
    except OSError as err:
        raise UsageError(f"--figure = {path!r}: cannot write there ({err.strerror})") from None


VERB = Verb(
    "which families of the catalogue fit a data set",
    arguments,
    run,
    "glbcheck fit visits.csv --reward visits --intercept",
)
