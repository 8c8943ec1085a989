"""`glbcheck report`: a results folder becomes one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path

from glbcheck.command import AS_EXPECTED, Outcome, Verb, paper_argument
from glbcheck.page import PAGE, write


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where to read and where to write."""
    parser.add_argument(
        "--results",
        metavar="DIR",
        help="folder with results.json and, if there, audit/ and simulate/ (default: results/PAPER)",
    )
    parser.add_argument("--output", metavar="FILE", help=f"the page (default: {PAGE} in the results folder)")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Write the page; what it shows was decided before, so there is nothing here that could fail a claim."""
    from glbcheck.verify.papers import find
    from glbcheck.verify.report import answers
    from glbcheck.verify.report.counting import tally

    paper = find(args.paper)
    folder = Path(args.results or Path("results", paper.name))
    output = Path(args.output) if args.output else folder / PAGE
    bundle, size = write(folder, output, paper)
    claims = bundle.results["claims"]
    data = {
        "report": str(output),
        "bytes": size,
        "claims": len(claims),
        "anchors": len(bundle.anchors),
        "verdicts": tally(claims).verdicts,
        "audits": len(bundle.audits),
        "simulations": sorted(bundle.simulations),
    }
    lines = [
        f"{len(claims)} claims, {len(bundle.anchors)} anchors, {len(bundle.audits)} families, "
        f"{len(bundle.simulations)} simulations",
        f"report: {output} ({size / 1e6:.1f} MB)",
        *answers.digest_line(bundle.results.get("paper", {})),
        *answers.lines(bundle.anchors, claims),
    ]
    return Outcome(AS_EXPECTED, lines, data)


VERB = Verb(
    "write one HTML page from a results folder", arguments, run, "glbcheck report --paper hcw_glb_omd", "report"
)
