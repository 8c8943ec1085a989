"""`glbcheck replay FILE`: decide a counterexample again from its file."""

from __future__ import annotations

import argparse

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, Verb


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a counterexample as JSON")


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.claim import Verdict
    from glbcheck.verify.counterexample import replay
    from glbcheck.verify.report.table import wrap

    evidence = replay(args.file)
    stands = evidence.verdict is Verdict.REFUTED
    data = {
        "file": args.file,
        "stands": stands,
        "verdict": str(evidence.verdict),
        "summary": evidence.summary,
    }
    lines = wrap("stands: " if stands else "does not stand: ", evidence.summary)
    return Outcome(AS_EXPECTED if stands else NOT_AS_EXPECTED, lines, data)


VERB = Verb("decide a counterexample again from its file", arguments, run)
