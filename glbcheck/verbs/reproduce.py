"""`glbcheck reproduce`: everything there is to do about a paper, ending with one page; or about all of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from glbcheck.command import AS_EXPECTED, Outcome, UsageError, Verb, paper_argument, positive, written
from glbcheck.core.processors import processors

if TYPE_CHECKING:
    from glbcheck.verify.papers import Paper

ALL, INDEX = "all", "index.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", help="folder for everything (default: results/PAPER)")
    parser.add_argument("--jobs", type=positive, default=processors(), metavar="N", help="processes to use")
    parser.add_argument("--smoke", action="store_true", help="small simulations and quick audits")
    parser.add_argument("--fresh", action="store_true", help="do everything again, whatever was done before")
    parser.add_argument("--stages", metavar="A,B,...", default=None, help="only these: claims, audit, coverage, regret")
    paper_argument(parser, f"; {ALL}: every installed paper, each in a folder below, and {INDEX} beside them")


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.papers import find, installed

    if args.paper != ALL:
        paper = find(args.paper)
        return _one(paper, Path(args.output or Path("results", paper.name)), args)
    if args.stages:
        raise UsageError(f"--stages = {args.stages!r}: papers differ in their stages; name one with --paper")
    home = Path(args.output or "results")
    done = {name: _one(find(name), home / name, args) for name in installed()}
    return _shelved(home, done)


def _one(paper: Paper, output: Path, args: argparse.Namespace) -> Outcome:
    from glbcheck.reproduce import reproduce, stages_of
    from glbcheck.reproduce.stages import Plan

    return reproduce(Plan(paper, output, args.jobs, args.smoke), args.fresh, stages_of(paper, args.stages))


def _shelved(home: Path, done: dict[str, Outcome]) -> Outcome:
    """The page that leads to those of the papers; as expected if every paper is."""
    from glbcheck.page import PAGE
    from glbcheck.verify.report.html.shelf import render

    page = home / INDEX
    written("--output", page, render((one.data["results"], f"{name}/{PAGE}") for name, one in done.items()))
    lines = [line for name, one in done.items() for line in (name, *(f"  {told}" for told in one.lines), "")]
    code = next((one.code for one in done.values() if one.code != AS_EXPECTED), AS_EXPECTED)
    return Outcome(code, [*lines, f"papers: {page}"], {name: one.data for name, one in done.items()})


VERB = Verb(
    "claims, audits, simulations and one page",
    arguments,
    run,
    "glbcheck reproduce --smoke --output out",
    "papers,report,simulate",
)
