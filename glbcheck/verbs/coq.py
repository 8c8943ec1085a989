"""`glbcheck coq`: compile the Coq theories of a paper and compare every theorem with what is written down."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError, Verb, paper_argument


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pin", action="store_true", help="write down what Coq says, for somebody who has read it")
    parser.add_argument("--recheck", action="store_true", help="also run coqchk on the compiled theories")
    paper_argument(parser)


def run(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.coq import driver, pins
    from glbcheck.verify.papers import find

    folder = find(args.paper).folder / "coq"
    known = pins.read(folder)
    if not known.statements:
        raise UsageError(f"paper = {args.paper!r}: no {pins.STATEMENTS} in {folder}")
    if not driver.ready():
        if args.pin or args.recheck:
            raise UsageError(f"--pin and --recheck ask Coq, which is not installed here; {_install()}")
        lines = ["Coq, or a library that the theories need, is not installed; recorded checks are shown.", _install()]
        return _outcome(folder, known.statements, lines)
    lines = []
    started = time.perf_counter()
    compiled = driver.build(pins.all_libraries(known), driver.store(), None, _progress)
    lines.append(f"{len(compiled)} modules compiled in {time.perf_counter() - started:.0f} s, store {driver.store()}")
    if args.pin:
        changed = pins.pin(folder, driver.store(), _progress)
        lines += [f"written down anew: {name}" for name in changed]
    if args.recheck:
        said = driver.coqchk(pins.all_libraries(known), driver.store())
        lines += ["coqchk accepts every module", *(line for line in said.splitlines() if line.strip())]
    return _outcome(folder, known.statements, lines)


def _outcome(folder: Path, names: Any, lines: list[str]) -> Outcome:
    from glbcheck.verify.coq import theorem
    from glbcheck.verify.coq.sources import CoqError

    found, fine = [], True
    for name in names:
        _progress(name)
        try:
            answer = theorem.consult(name, folder)
            found.append(answer.data())
            how = "accepted" if answer.asked == "here" else f"accepted, check recorded {answer.date}"
            lines.append(f"{name}: {how}, {len(answer.axioms)} axioms")
        except CoqError as complaint:
            fine = False
            found.append({"theorem": name, "refused": str(complaint)})
            lines.append(f"{name}: REFUSED, {complaint}")
    return Outcome(AS_EXPECTED if fine else NOT_AS_EXPECTED, lines, {"theorems": found})


def _progress(what: str) -> None:
    print(f"coq: {what}", file=sys.stderr, flush=True)


def _install() -> str:
    from glbcheck.verify.coq.driver import INSTALL

    return f"try: {INSTALL}"


VERB = Verb(
    "compile the Coq theories and compare every theorem with what is written down",
    arguments,
    run,
    "glbcheck coq --paper oful",
)
