"""`glbcheck replay FILE...`: check certificates and the answers of audits again, from their files alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
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
    certificate = _loaded(path)
    try:
        return {"file": path, **(_coq(certificate["coq"]) if "coq" in certificate else _checked(certificate))}
    except NotACertificate as problem:
        raise UsageError(f"FILE = {path!r}: {problem}") from None


def _loaded(path: str) -> dict[str, Any]:
    from glbcheck.core.kernel.check import load

    if Path(path).is_fifo():  # opening it would wait for a writer that may never come
        raise UsageError(f"FILE = {path!r}: a named pipe; a file is accepted")
    try:
        certificate = load(path)
    except OSError as problem:
        raise UsageError(f"FILE = {path!r}: cannot be read ({problem.strerror or problem})") from None
    except ValueError as problem:  # also a path with a NUL in it
        raise UsageError(f"FILE = {path!r}: {problem}") from None
    if not isinstance(certificate, dict):
        raise UsageError(f"FILE = {path!r}: not a certificate (a JSON object is accepted)")
    return certificate


class NotACertificate(Exception):
    """Neither true nor false: a part is missing, of another kind, not in the language, or asks for too much work."""


def _checked(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """What the kernel, or the checker of answers, says of the file."""
    from glbcheck.core.kernel.check import BROKEN, check
    from glbcheck.core.kernel.check import FORMAT as KERNEL
    from glbcheck.core.kernel.terms import Rejected
    from glbcheck.core.measures.check import EARLIER, FORMAT
    from glbcheck.core.measures.check import check as check_answer
    from glbcheck.core.measures.interval import Malformed

    if "format" not in certificate:
        raise NotACertificate(f"not a certificate (it has no format, such as {KERNEL})")
    try:
        found = (check_answer if certificate.get("format") in (FORMAT, EARLIER) else check)(certificate)
    except Rejected as problem:
        # The kernel begins so, inside an answer too, where what it reads is no certificate.
        if isinstance(problem, Malformed) or str(problem).startswith(BROKEN):
            raise NotACertificate(str(problem)) from None
        return {"verdict": None, "says": f"does not stand: {problem}", "code": NOT_AS_EXPECTED}
    rests = f", resting on {', '.join(found.rests_on)}" if found.rests_on else ""
    return {"verdict": found.word, "says": f"stands: {found.word}{rests}", "code": AS_EXPECTED}


def _coq(given: Any) -> dict[str, Any]:
    """What Coq says, asked again, of the theorem in a certificate; the sources are those of an installed paper."""
    from glbcheck.verify.coq import pins, theorem
    from glbcheck.verify.coq.sources import CoqError
    from glbcheck.verify.papers import installed

    parts = list(given.values()) if isinstance(given, dict) and "theorem" in given else [None]
    if not all(isinstance(one, dict) and isinstance(one.get("theorem"), str) for one in parts):
        raise NotACertificate("not a certificate (coq holds a theorem, a control, a witness, each with its name)")
    name = given["theorem"]["theorem"]
    homes = [folder / "coq" for folder in installed().values() if name in pins.read(folder / "coq").statements]
    try:
        if not homes:
            raise CoqError(f"no installed paper has the theorem {name}")
        answers = [theorem.consult(one["theorem"], homes[0]) for one in given.values()]
    except CoqError as problem:
        return {"verdict": None, "says": f"does not stand: {problem}", "code": NOT_AS_EXPECTED}
    shown = [{field: one.get(field) for field in answers[0].data()} for one in given.values()]
    if [answer.data() for answer in answers] != shown:
        return {"verdict": None, "says": f"does not stand: it is not what Coq says of {name}", "code": NOT_AS_EXPECTED}
    when = "" if answers[0].asked == "here" else f" (check recorded {answers[0].date}; Coq was not asked here)"
    return {"verdict": "proved", "says": f"stands: proved by {answers[0].version}{when}", "code": AS_EXPECTED}


VERB = Verb(
    "check certificates again from their files alone",
    arguments,
    run,
    "glbcheck replay results/hcw_glb_omd/certificates/elliptical_potential.json",
)
