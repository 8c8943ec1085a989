"""`glbcheck check [ANCHOR...]`: decide the claims of a paper."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glbcheck.command import (
    AS_EXPECTED,
    NOT_AS_EXPECTED,
    UNDECIDED,
    Outcome,
    UsageError,
    Verb,
    paper_argument,
    positive,
    written,
)
from glbcheck.deciding import check


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "anchor",
        nargs="*",
        help="labels of the paper or ids of claims (default: all); before them, the paper's folder instead of --paper",
    )
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes to use (default: 1)")
    parser.add_argument("--output", metavar="DIR", help="write results.json there, and every certificate")
    parser.add_argument("--page", metavar="FILE", help="write a page with one line per anchor of the paper")
    parser.add_argument("--review", action="store_true", help="record the words of these claims as read again")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import ledger, papers
    from glbcheck.verify.report.table import summary

    if args.anchor and papers.is_folder(args.anchor[0]):
        args.paper = args.anchor.pop(0)
    if args.page and args.anchor:
        raise UsageError(f"--page = {args.page!r}: the page needs all claims; name no ANCHOR")
    results = check(args.paper, args.anchor, args.jobs, args.review)
    if args.output:
        ledger.write(results, Path(args.output, "results.json"))
    if args.page:
        written("--page", args.page, _page(args.paper, results))
    return Outcome(exit_code(results, args.strict), summary(results), results)


def _page(paper: str, results: Mapping[str, Any]) -> str:
    from glbcheck.verify.papers import find
    from glbcheck.verify.report.verdicts import page

    return page(find(paper).places(), results)


def exit_code(results: Mapping[str, Any], strict: bool) -> int:
    from glbcheck.verify.ledger import as_expected

    if not all(map(as_expected, results["claims"])):
        return NOT_AS_EXPECTED
    undecided = any(one["verdict"] == "undecided" for one in results["claims"])
    return UNDECIDED if strict and undecided else AS_EXPECTED


VERB = Verb("decide the claims of the paper", arguments, run, "glbcheck check lemma:epl --strict")
