"""`glbcheck families`: the catalogue."""

from __future__ import annotations

import argparse

from glbcheck.command import AS_EXPECTED, Outcome, Verb


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.report import families

    rows = families.rows()
    return Outcome(AS_EXPECTED, families.table(rows), {"families": rows})


VERB = Verb("the catalogue of GLM families", lambda parser: None, run)
