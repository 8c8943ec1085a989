"""`glbcheck report`: a results folder becomes one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from glbcheck.verify.command import AS_EXPECTED, Outcome, UsageError, claims_argument, load

if TYPE_CHECKING:
    from glbcheck.verify.report.html import Bundle

PAGE = "report.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where to read and where to write."""
    parser.add_argument(
        "--results",
        metavar="DIR",
        default="results",
        help="folder with results.json and, if there, audit/ and simulate/ (default: results)",
    )
    parser.add_argument("--output", metavar="FILE", help=f"the page (default: {PAGE} in the results folder)")
    claims_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Write the page; what it shows was decided before, so there is nothing here that could fail a claim."""
    from glbcheck.verify.report.html.index import counts

    folder = Path(args.results)
    output = Path(args.output) if args.output else folder / PAGE
    bundle, size = write(folder, output, args.claims)
    claims = bundle.results["claims"]
    data = {
        "report": str(output),
        "bytes": size,
        "claims": len(claims),
        "anchors": len(bundle.anchors),
        "verdicts": counts(claims, "verdict"),
        "audits": len(bundle.audits),
        "simulations": sorted(bundle.simulations),
    }
    lines = [
        f"{len(claims)} claims, {len(bundle.anchors)} anchors, {len(bundle.audits)} families, "
        f"{len(bundle.simulations)} simulations",
        f"report: {output} ({size / 1e6:.1f} MB)",
    ]
    return Outcome(AS_EXPECTED, lines, data)


def write(folder: Path, output: Path, claims: str) -> tuple[Bundle, int]:
    """The page of a results folder, and what it shows; the anchors are those shipped with the claims."""
    from glbcheck.verify import paper, registry
    from glbcheck.verify.report.html import render
    from glbcheck.verify.report.html.bundle import read

    load(claims)
    bundle = read(folder, Path(registry.home(claims), paper.INDEX_NAME))
    text = render(bundle)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as err:
        raise UsageError(f"--output = {str(output)!r}: cannot write there ({err.strerror})") from None
    return bundle, len(text.encode())
