"""`glbcheck show ANCHOR`: everything known about one place of the paper."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glbcheck.command import AS_EXPECTED, Outcome, Verb, paper_argument
from glbcheck.deciding import check, unknown_anchor
from glbcheck.verbs.check import exit_code


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("anchor", help="a label of the paper, such as lemma:epl, or the id of a claim")
    parser.add_argument("--results", metavar="FILE", help="read this results file instead of deciding again")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import ledger, papers
    from glbcheck.verify.report.answers import digest_line

    paper = papers.find(args.paper)
    if rule := next((place["silent"] for place in paper.places() if place["id"] == args.anchor), ""):
        return Outcome(AS_EXPECTED, [f"{args.anchor}: asserts nothing: {rule}"], {"claims": [], "silent": rule})
    results = ledger.read(args.results) if args.results else check(args.paper, [args.anchor])
    chosen = [one for one in results["claims"] if args.anchor in (one["id"], *one["anchors"])]
    if not chosen:
        known = {name for one in results["claims"] for name in (one["id"], *one["anchors"])}
        raise unknown_anchor(args.anchor, known, paper)
    lines = [*digest_line(results.get("paper", {})), *_lines(args.anchor, chosen, results)]
    shown = {**results, "claims": chosen}
    return Outcome(exit_code(shown, args.strict), lines, shown)


def _lines(name: str, chosen: Sequence[Mapping[str, Any]], results: Mapping[str, Any]) -> Iterator[str]:
    """The answer in a few lines, if a place was asked for; then the claims, what is printed before what repairs it."""
    from glbcheck.verify.claim import Reading, Verdict
    from glbcheck.verify.report import answers
    from glbcheck.verify.report.table import detail

    answer = answers.about({"id": name}, results["claims"])
    if answer.printed or answer.repaired:
        yield from answers.told(answer, proof=False)
        yield ""

    def order(one: Mapping[str, Any]) -> tuple[bool, int]:
        repaired = one["reading"] == Reading.REPAIRED
        return repaired, 0 if repaired else -Verdict(one["verdict"]).rank

    for number, one in enumerate(sorted(chosen, key=order)):
        yield from [""] if number else []
        yield from detail(one, results.get("facts", ()))


VERB = Verb("everything known about one anchor", arguments, run, "glbcheck show lemma:epl")
