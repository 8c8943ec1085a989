"""`glbcheck reproduce`: everything there is to do about a paper, ending with one page."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from glbcheck.command import Outcome, Verb, paper_argument, positive


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", help="folder for everything (default: results/PAPER)")
    cores = os.cpu_count() or 1
    parser.add_argument("--jobs", type=positive, default=cores, metavar="N", help="processes to use")
    parser.add_argument("--smoke", action="store_true", help="small simulations and quick audits")
    parser.add_argument("--fresh", action="store_true", help="do everything again, whatever was done before")
    parser.add_argument("--stages", metavar="A,B,...", default=None, help="only these: claims, audit, coverage, regret")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.reproduce import reproduce, stages_of
    from glbcheck.reproduce.stages import Plan
    from glbcheck.verify.papers import find

    paper = find(args.paper)
    only = stages_of(paper, args.stages)
    output = Path(args.output or Path("results", paper.name))
    return reproduce(Plan(paper, output, args.jobs, args.smoke), args.fresh, only)


VERB = Verb("claims, audits, simulations and one page", arguments, run)
