"""`glbcheck decide STATEMENT`: one statement, decided while you wait."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, UNDECIDED, Outcome, Verb, written

EXAMPLE = "X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("statement", help=f"hypotheses => conclusion, such as {EXAMPLE!r}; `n: integer` declares")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate or counterexample there")
    parser.add_argument("--strict", action="store_true", help="exit 3 when it is undecided")


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.claim import Verdict
    from glbcheck.verify.decide import decide
    from glbcheck.verify.plain_json import dumps

    found = decide(args.statement)
    undecided, refuted = (found.verdict is word for word in (Verdict.UNDECIDED, Verdict.REFUTED))
    if args.certificate and not undecided:
        written("--certificate", args.certificate, dumps(found.certificate))
    data: dict[str, Any] = {
        "statement": args.statement,
        "verdict": str(found.verdict),
        "prover": found.prover,
        "certificate": None if undecided else found.certificate,
        "counterexample": None if found.counterexample is None else dict(found.counterexample.point),
        "reason": found.summary,
    }
    lines = [f"{found.verdict}: {found.summary}"]
    if not undecided:
        file = args.certificate or "certificate.json"
        again = "" if args.certificate else f"glbcheck decide {shlex.quote(args.statement)} --certificate {file} && "
        lines.append(f"replay: {again}glbcheck replay {file}")
    code = UNDECIDED if undecided and args.strict else NOT_AS_EXPECTED if refuted else AS_EXPECTED
    return Outcome(code, lines, data)


VERB = Verb(
    "decide one statement: proof, counterexample or an honest no answer",
    arguments,
    run,
    'glbcheck decide "x >= 0 => log(1 + x) <= x"',
)
