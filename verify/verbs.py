"""The verbs of the command line, one function each; what a verb needs is imported when it runs.

A verb turns its parsed arguments into an `Outcome`: the exit code, the lines to print and the data for
`--json`.  To add one, write its two functions and enter them in `VERBS`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glbcheck.verify.audit import verbs as auditing
from glbcheck.verify.command import (
    AS_EXPECTED,
    NOT_AS_EXPECTED,
    UNDECIDED,
    Outcome,
    UsageError,
    Verb,
    claims_argument,
    load,
    positive,
)
from glbcheck.verify.report import verbs as reporting

from glbcheck import simulate as simulation

if TYPE_CHECKING:
    from glbcheck.verify.claim import Claim

# --- check and show ----------------------------------------------------------------------------


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("anchor", nargs="*", help="labels of the paper or ids of claims (default: all)")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes to use (default: 1)")
    parser.add_argument("--page", metavar="FILE", help="write a page with one line per anchor of the paper")
    claims_argument(parser)


def _check(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.report.table import summary

    if args.page and args.anchor:
        raise UsageError(f"--page = {args.page!r}: the page needs all claims; name no ANCHOR")
    results = _decided(args, args.anchor, args.jobs)
    if args.page:
        _write_page(args, results)
    return Outcome(_code(results, args.strict), summary(results), results)


def _write_page(args: argparse.Namespace, results: Mapping[str, Any]) -> None:
    from dataclasses import asdict

    from glbcheck.verify import paper, registry
    from glbcheck.verify.report.verdicts import page

    index = paper.read_index(Path(registry.home(args.claims), paper.INDEX_NAME))
    try:
        Path(args.page).write_text(page([asdict(a) for a in index.anchors], results), encoding="utf-8")
    except OSError as err:
        raise UsageError(f"--page = {args.page!r}: cannot write there ({err.strerror})") from None


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("anchor", help="a label of the paper or the id of a claim")
    parser.add_argument("--results", metavar="FILE", help="read this results file instead of deciding again")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something is undecided")
    claims_argument(parser)


def _show(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify import ledger
    from glbcheck.verify.report.table import detail

    results = ledger.read(args.results) if args.results else _decided(args, [args.anchor], 1)
    chosen = [one for one in results["claims"] if args.anchor in (one["id"], *one["anchors"])]
    if not chosen:
        raise UsageError(f"ANCHOR = {args.anchor!r}: no claim in {args.results} speaks about it")
    lines = [line for one in chosen for line in (*detail(one), "")]
    shown = {**results, "claims": chosen}
    return Outcome(_code(shown, args.strict), lines[:-1], shown)


def _decided(args: argparse.Namespace, anchors: Sequence[str], jobs: int) -> dict[str, Any]:
    """The results of the chosen claims and of everything they rest on."""
    from glbcheck.verify import ledger, paper, registry

    claims = load(args.claims)
    ledger.check_graph(claims)
    uses = {claim.id: claim.uses for claim in claims}
    wanted = {name for claim in _choose(claims, anchors) for name in ledger.ancestors(claim.id, uses)}
    rows = _rows([claim.id for claim in claims if claim.id in wanted], args.claims, jobs)
    home = Path(registry.home(args.claims), paper.INDEX_NAME)
    return ledger.results(rows, paper.identity(home))


def _rows(ids: Sequence[str], package: str, jobs: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    if jobs == 1 or len(ids) < 2:
        for claim_id in ids:
            _progress(len(rows), len(ids), claim_id)
            rows.append(_row(package, claim_id))
    else:
        from concurrent.futures import ProcessPoolExecutor, as_completed

        with ProcessPoolExecutor(jobs) as pool:
            waiting = [pool.submit(_row, package, claim_id) for claim_id in ids]
            for done in as_completed(waiting):
                rows.append(done.result())
                _progress(len(rows), len(ids), rows[-1]["id"])
    _progress(len(ids), len(ids), "")
    return rows


def _row(package: str, claim_id: str) -> dict[str, Any]:
    from glbcheck.verify import judge, ledger, registry

    registry.load(package)
    return ledger.row(judge.decide(registry.REGISTRY[claim_id]))


def _choose(claims: Sequence[Claim], anchors: Sequence[str]) -> list[Claim]:
    if not claims:
        raise UsageError("no claims found: the package declares none")
    if not anchors:
        return list(claims)
    known = {name for claim in claims for name in (claim.id, *claim.anchors)}
    for anchor in anchors:
        if anchor not in known:
            from difflib import get_close_matches

            near = get_close_matches(anchor, known, n=3) or sorted(known)[:3]
            raise UsageError(
                f"ANCHOR = {anchor!r}: no claim speaks about it; known are, e.g., {', '.join(near)}"
            )
    return [claim for claim in claims if {claim.id, *claim.anchors} & set(anchors)]


def _code(results: Mapping[str, Any], strict: bool) -> int:
    from glbcheck.verify.ledger import as_expected

    if not all(map(as_expected, results["claims"])):
        return NOT_AS_EXPECTED
    undecided = any(one["verdict"] == "undecided" for one in results["claims"])
    return UNDECIDED if strict and undecided else AS_EXPECTED


# --- replay ------------------------------------------------------------------------------------


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a counterexample as JSON")


def _replay(args: argparse.Namespace) -> Outcome:
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


# --- index -------------------------------------------------------------------------------------


def _index_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tex", help="the paper's TeX source")
    parser.add_argument("--write", action="store_true", help="write the index that ships with the claims")
    claims_argument(parser)


def _index(args: argparse.Namespace) -> Outcome:
    from dataclasses import asdict

    from glbcheck.verify import paper, registry
    from glbcheck.verify.report.table import clip

    found = paper.scan(paper.read_tex(args.tex))
    claims = load(args.claims)
    home = Path(registry.home(args.claims), paper.INDEX_NAME)
    shipped = paper.read_index(home) if home.exists() else None
    if args.write:
        paper.write_index(found, home)
        shipped = found
    difference = paper.compare(found, shipped, [name for claim in claims for name in claim.anchors])
    unknown = sorted({name for claim in claims for name in claim.anchors} - found.ids())
    data = {
        "paper": {"sha256": found.sha256},
        "counts": paper.counts(found),
        **{kind: [anchor["id"] for anchor in places] for kind, places in asdict(difference).items()},
        "unknown": unknown,
    }
    lines = [", ".join(f"{count} {what}" for what, count in paper.counts(found).items())]
    for kind, places in vars(difference).items():
        lines += [f"{kind} ({len(places)})", *(f"  line {a.line:<5} {a.kind:<11} {a.id}" for a in places)]
    lines += [f"claimed but not in the paper ({len(unknown)})", *(f"  {name}" for name in unknown)]
    settled = args.write or not any(vars(difference).values())
    return Outcome(AS_EXPECTED if settled else NOT_AS_EXPECTED, [clip(line) for line in lines], data)


# --- families and reproduce ----------------------------------------------------------------------


def _families(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.report import families

    rows = families.rows()
    return Outcome(AS_EXPECTED, families.table(rows), {"families": rows})


def _reproduce_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", default="results", help="folder for everything produced")
    cores = os.cpu_count() or 1
    parser.add_argument("--jobs", type=positive, default=cores, metavar="N", help="processes to use")
    parser.add_argument("--smoke", action="store_true", help="small simulations and quick audits")
    parser.add_argument("--fresh", action="store_true", help="do everything again, whatever was done before")
    parser.add_argument(
        "--stages", metavar="A,B,...", default=None, help="only these: claims, audit, coverage, regret"
    )
    claims_argument(parser)


def _reproduce(args: argparse.Namespace) -> Outcome:
    from glbcheck.verify.reproduce import STAGES, reproduce, stage_names

    only = STAGES if args.stages is None else stage_names(args.stages)
    return reproduce(args.claims, Path(args.output), args.jobs, args.smoke, args.fresh, only)


# --- progress ---------------------------------------------------------------------


def _progress(done: int, total: int, what: str) -> None:
    """A moving line on stderr, for people only."""
    if sys.stderr.isatty():
        line = f"[{done}/{total}] {what}"[:79]
        print(f"\r{line:<79}" if done < total else f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)


VERBS: Mapping[str, Verb] = {
    "check": Verb("decide the claims of the paper", _check_arguments, _check),
    "show": Verb("everything known about one anchor", _show_arguments, _show),
    "replay": Verb("decide a counterexample again from its file", _replay_arguments, _replay),
    "index": Verb("scan a paper's source for its anchors", _index_arguments, _index),
    "audit": Verb("audit a GLM family of your own", auditing.arguments, auditing.run),
    "families": Verb("the catalogue of GLM families", lambda parser: None, _families),
    "simulate": Verb("coverage and regret under attack", simulation.arguments, simulation.run),
    "report": Verb("write one HTML page from a results folder", reporting.arguments, reporting.run),
    "reproduce": Verb("claims, audits, simulations and one page", _reproduce_arguments, _reproduce),
}
