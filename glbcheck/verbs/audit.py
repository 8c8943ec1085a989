"""`glbcheck audit SPEC --S S`: arguments, a limit for reading the formula, delivery."""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from glbcheck.answered import answered
from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, UNDECIDED, Outcome, UsageError, Verb, paper_argument, written
from glbcheck.core.extras import require

if TYPE_CHECKING:
    from glbcheck.verify.audit.check import Check
    from glbcheck.verify.audit.models import Recognised
    from glbcheck.verify.audit.subject import Subject

READING_SECONDS = 8.0  # of computing
CUT_SHORT = ("stopped by the clock", "a worker process died")  # by the machine, not by the question


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "spec", metavar="SPEC", help="a formula in z, a catalogue name, file.py:NAME (runs the file), or scipy:DIST"
    )
    parser.add_argument("--S", required=True, metavar="S", help="radius of the parameter ball, e.g. 3 or 5/2")
    parser.add_argument("--domain", metavar="A,B", help="where m lives, oo allowed (default: found)")
    parser.add_argument("--support", metavar="SET", help="0,1 or integers:0,oo or interval:0,1 or lattice:0,oo,g")
    parser.add_argument("--base", metavar="EXPR", help="log of the base density, in r and g")
    parser.add_argument("--dispersion", metavar="SET", help="1, positive, reciprocal, or numbers 1/2,1")
    parser.add_argument("--natural", metavar="MAP", help="for scipy: parameters in z, e.g. 'mu=exp(z)'")
    parser.add_argument("--partition", metavar="EXPR", help="for scipy: m(z), if not recognised")
    parser.add_argument("--tilt", metavar="A", default="0", help="audit m(z - A) instead")
    parser.add_argument("--delta", type=float, default=0.05, help="allowed failure probability")
    parser.add_argument("--C", type=float, default=1.0, help="corruption budget")
    parser.add_argument("--d", type=int, default=2, help="dimension")
    parser.add_argument("--T", type=int, default=10_000, help="horizon")
    parser.add_argument("--quick", action="store_true", help="short budgets: an answer within 5 s")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    parser.add_argument("--html", metavar="FILE", help="write a page with figures")
    parser.add_argument("--certificates", metavar="DIR", help="write one file per answer there, for `glbcheck replay`")
    parser.add_argument("--no-cache", action="store_true", help="ask again, whatever was answered before")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    """The user's own code may do anything, and pages and files are made anew: these are always asked."""
    from glbcheck.verify.papers import find

    if args.html:
        require("report", "glbcheck audit --html")
    if args.no_cache or args.html or args.certificates or ".py:" in args.spec:
        return _audited(args)
    question = {name: repr(value) for name, value in vars(args).items() if name not in ("json", "no_cache")}
    return answered(question, [find(args.paper).folder], lambda: _audited(args), _finished)


def _finished(audit: Mapping[str, Any]) -> bool:
    """Was every question asked to its end, or until its share of computing was used up?"""
    return not any(check["evidence"].startswith(CUT_SHORT) for check in audit["checks"])


def _audited(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.audit import audit_subject
    from glbcheck.verify.papers import find
    from glbcheck.verify.report.audit_table import table

    if args.spec.startswith("scipy:"):
        importlib.import_module("scipy.stats")  # takes seconds, which are not the formula's
    paper = find(args.paper)
    with limited(READING_SECONDS, args.spec):
        subject, model = _subject(args)
    checks: list[Check] = []

    def progress(check: Check) -> None:
        checks.append(check)
        _progress(check)

    audit = audit_subject(subject, paper.requirements(), paper.questions(), progress)
    if model is not None:
        from glbcheck.verify.audit.models import with_link

        audit = with_link(audit, model, paper.requirements())
    if args.certificates:
        _write_certificates(args.certificates, checks)
    if args.html:
        from glbcheck.verify.report.audit_page import page

        written("--html", args.html, page(audit, subject))
    return Outcome(_exit_code(audit, args.strict), table(audit), audit)


def _exit_code(audit: Mapping[str, Any], strict: bool) -> int:
    """Not as expected if a check that a theorem needs is refuted, or if numbers contradict a check."""
    verdicts = {check["verdict"] for check in audit["checks"]}
    failed = any(one["failed_checks"] for one in audit["theorems"].values())
    if failed or "contradicted" in verdicts or audit["is_log_partition"] is False:
        return NOT_AS_EXPECTED
    return UNDECIDED if strict and "undecided" in verdicts else AS_EXPECTED


def _write_certificates(folder: str, checks: list[Check]) -> None:
    """One file for each answer that the checker accepted."""
    for check in checks:
        if check.document:
            path = Path(folder, f"{check.name}.json")
            text = json.dumps(check.document, ensure_ascii=False, indent=1)
            written("--certificates", path, text + "\n", make_folder=True)


def _subject(args: argparse.Namespace) -> tuple[Subject, Recognised | None]:
    from glbcheck.core.exact import stated
    from glbcheck.verify.audit.spec import Options, listed_dispersions, read
    from glbcheck.verify.audit.subject import LARGEST, subject

    options = Options(args.domain, args.support, args.base, args.dispersion, args.natural, args.partition)
    candidate = read(args.spec, options)
    if candidate.runs_code:
        print(f"running the Python code in {candidate.origin}", file=sys.stderr)
    family = candidate.family
    tilt = stated("--tilt", args.tilt, "an exact number such as 2 or 1/2")
    if abs(tilt) > LARGEST or tilt.denominator > 10**40:
        raise UsageError(f"--tilt = {args.tilt[:40]!r}: a short number between -1e6 and 1e6 is accepted")
    if tilt:
        family = family.tilted(tilt)
    listed = listed_dispersions(args.dispersion or "")
    asked = subject(
        family,
        args.S,
        g=None if not listed or family.dispersions.allows(1.0) else listed[0],
        d=args.d,
        T=args.T,
        C=args.C,
        delta=args.delta,
        quick=args.quick,
        oracle=candidate.oracle if not tilt else None,
    )
    return asked, candidate.model


@contextmanager
def limited(seconds: float, spec: str) -> Iterator[None]:
    """SymPy may take any time over a formula; in the main thread of a POSIX system it is stopped."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        from glbcheck.core.errors import BadInput

        shown = spec if len(spec) <= 60 else spec[:57] + "..."
        accepted = f"a formula that can be read within {seconds:g} s of computing; --domain A,B may help"
        raise BadInput("SPEC", shown, accepted)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _progress(check: Check) -> None:
    if sys.stderr.isatty():
        print(f"\r{check.name}: {check.verdict}"[:79].ljust(79), end="\r", file=sys.stderr, flush=True)


VERB = Verb("audit a GLM family of your own", arguments, run, 'glbcheck audit "log(1+exp(z))" --support 0,1 --S 3')
