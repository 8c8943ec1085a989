"""`glbcheck families`: the catalogue."""

from __future__ import annotations

import argparse

from glbcheck.answered import answered
from glbcheck.command import AS_EXPECTED, Outcome, Verb


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-cache", action="store_true", help="compute again, whatever was found before")


def run(args: argparse.Namespace) -> Outcome:
    return _table() if args.no_cache else answered("families", [], _table, bool)


def _table() -> Outcome:
    from glbcheck.verify.report import families

    rows = families.rows()
    return Outcome(AS_EXPECTED, families.table(rows), {"families": rows})


VERB = Verb("the catalogue of GLM families", arguments, run, "glbcheck families --json families.json")
