"""How long does an audit take?  Run by hand: python -m benchmarks.bench_audit [--every N] [--only WORD]

Seconds of computing (user and system, children included) of `glbcheck audit` as a user starts it, without its cache,
for the catalogue and every N-th formula of the corpus, quick and full: the distribution, how many keep within what is
asked (5 s; 20 s for nine of ten and 60 s for all) and the slowest ten with the questions that cost most.  One audit at
a time; what the journal (--results FILE) holds is not measured again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.verify.audit.spec import Options, read

from tests.corpus.families import CORPUS
from tests.corpus.held_out import HELD_OUT

S = "1/2"
GOALS = {"quick": (5.0, 5.0), "full": (20.0, 60.0)}  # seconds: for nine of ten, for all
TILTS = ("0", "1", "-1", "2", "-2")


def subjects(every: int) -> Iterator[tuple[str, str | None]]:
    """Catalogue families by name, formulas with the domain that is stated for them."""
    for name in catalog.NAMES:
        yield name, None
    for entry in [*CORPUS, *HELD_OUT][::every]:
        yield entry.m, entry.domain


def stated(spec: str, domain: str | None) -> list[str]:
    """Options of the command: the domain, and --tilt where [-S, S] is not inside it."""
    options = [] if domain is None else [f"--domain={domain}"]
    try:
        inside = read(spec, Options(domain=domain)).family.domain
    except BadInput:
        return options
    for tilt in map(Fraction, TILTS):
        ends = [number(side * Fraction(S) - tilt) for side in (1, -1)]
        if all(bool(inside.inf < end) and bool(end < inside.sup) for end in ends):
            return [*options, f"--tilt={tilt}"] if tilt else options
    return options


def measured(spec: str, domain: str | None, kind: str) -> dict[str, Any]:
    """One audit in a process of its own."""
    command = [sys.executable, "-m", "glbcheck", "audit", "--S", S, "--no-cache", "--json", "-"]
    command += [*(["--quick"] if kind == "quick" else []), *stated(spec, domain), "--", spec]
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    checks = json.loads(done.stdout)["checks"] if done.returncode in (0, 1) else []
    slow = sorted(((check["seconds"], check["name"]) for check in checks), reverse=True)[:3]
    return {
        "subject": [spec, domain],
        "kind": kind,
        "seconds": round(spent, 2),
        "code": done.returncode,
        "slowest": [f"{name} {seconds:.1f}" for seconds, name in slow],
        "undecided": [check["name"] for check in checks if check["verdict"] == "undecided"],
    }


def shown(rows: Sequence[dict[str, Any]], kind: str) -> None:
    taken = sorted((row["seconds"], row["subject"][0], row["slowest"]) for row in rows if row["kind"] == kind)
    if len(taken) < 2:
        return
    seconds = [row[0] for row in taken]
    middle, nine = statistics.median(seconds), statistics.quantiles(seconds, n=10, method="inclusive")[8]
    print(f"{kind}: {len(seconds)} audits, median {middle:.1f} s, nine of ten {nine:.1f} s, most {seconds[-1]:.1f} s")
    print("  within " + ", ".join(f"{goal:.0f} s: {sum(s <= goal for s in seconds)}" for goal in GOALS[kind]))
    for spent, name, slowest in taken[:-11:-1]:
        print(f"  {spent:6.1f} s  {name[:70]:70}  {', '.join(slowest)}")


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--every", type=int, default=6, help="every N-th formula of the corpus (default 6)")
    options.add_argument("--only", default="", help="formulas and names that contain this")
    options.add_argument("--results", type=Path, default=Path("build/bench_audit.jsonl"))
    chosen = options.parse_args()
    chosen.results.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in chosen.results.read_text().splitlines()] if chosen.results.exists() else []
    known = {(*row["subject"], row["kind"]) for row in rows}
    wanted = [subject for subject in subjects(chosen.every) if chosen.only in subject[0]]
    with chosen.results.open("a") as journal:
        for subject, kind in itertools.product(wanted, GOALS):
            if (*subject, kind) not in known:
                rows.append(measured(*subject, kind))
                print(json.dumps(rows[-1]), file=journal, flush=True)
    for kind in GOALS:
        shown([row for row in rows if tuple(row["subject"]) in set(wanted)], kind)


if __name__ == "__main__":
    main()
