"""`glbcheck show ANCHOR`: everything known about one place of the paper."""

from __future__ import annotations

import argparse

from glbcheck.command import AS_EXPECTED, Outcome, UsageError, Verb, paper_argument
from glbcheck.deciding import check
from glbcheck.verbs.check import exit_code


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("anchor", help="a label of the paper or the id of a claim")
    parser.add_argument("--results", metavar="FILE", help="read this results file instead of deciding again")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import ledger, papers
    from glbcheck.verify.report.table import detail

    places = papers.find(args.paper).places()
    if rule := next((place["silent"] for place in places if place["id"] == args.anchor), ""):
        return Outcome(AS_EXPECTED, [f"{args.anchor}: asserts nothing: {rule}"], {"claims": [], "silent": rule})
    results = ledger.read(args.results) if args.results else check(args.paper, [args.anchor])
    chosen = [one for one in results["claims"] if args.anchor in (one["id"], *one["anchors"])]
    if not chosen:
        raise UsageError(f"ANCHOR = {args.anchor!r}: no claim in {args.results} speaks about it")
    lines = [line for one in chosen for line in (*detail(one, results.get("facts", ())), "")]
    shown = {**results, "claims": chosen}
    return Outcome(exit_code(shown, args.strict), lines[:-1], shown)


VERB = Verb("everything known about one anchor", arguments, run, "glbcheck show lemma:epl")
