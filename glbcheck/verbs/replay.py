"""`glbcheck replay FILE...`: the kernel on certificates, and nothing but the kernel."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError, Verb


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", help="certificates as JSON")


def run(args: argparse.Namespace) -> Outcome:
    found = [_replayed(path) for path in args.file]
    code = max((one["code"] for one in found), default=AS_EXPECTED)
    lines = [f"{one['file']}: {one['says']}" for one in found]
    return Outcome(code, lines, {"files": [{k: v for k, v in one.items() if k != "code"} for one in found]})


def _replayed(path: str) -> dict[str, Any]:
    from glbcheck.core.kernel.check import check, load
    from glbcheck.core.kernel.terms import Rejected

    if Path(path).is_fifo():  # opening it would wait for a writer that may never come
        raise UsageError(f"FILE = {path!r}: a named pipe; a file is accepted")
    try:
        certificate = load(path)
    except (OSError, Rejected) as problem:
        raise UsageError(f"FILE = {path!r}: not a certificate ({problem})") from None
    try:
        found = check(certificate)
    except Rejected as problem:
        says = f"does not stand: {problem}"
        return {"file": path, "verdict": None, "says": says, "code": NOT_AS_EXPECTED}
    rests = f", resting on {', '.join(found.rests_on)}" if found.rests_on else ""
    return {"file": path, "verdict": found.word, "says": f"stands: {found.word}{rests}", "code": AS_EXPECTED}


VERB = Verb("check certificates again from their files alone", arguments, run)
