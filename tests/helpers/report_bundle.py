"""What the report tests show: the paper's own claims, and hostile data."""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from glbcheck.verify import ledger, papers
from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.judge import Decision
from glbcheck.verify.letters import Letters
from glbcheck.verify.report.html import Bundle

EVIL = "<script>alert('x')</script><img src=http://example.org/x onerror=alert(1)>\"'&amp; $\\foo{}$"


@cache
def real() -> Bundle:
    """All claims and anchors of the paper, made by the first worker of a run that needs it."""
    kept = Path(os.environ["GLBCHECK_TEST_RUN"], "bundle.pickle") if "GLBCHECK_TEST_RUN" in os.environ else None
    if kept and kept.exists():
        found: Bundle = pickle.loads(kept.read_bytes())
        return found
    made = _made()
    if kept:
        own = kept.with_suffix(f".{os.getpid()}")
        own.write_bytes(pickle.dumps(made))
        own.replace(kept)
    return made


def _made() -> Bundle:
    """What is false is checked, the rest is taken as declared."""
    paper = papers.find("hcw_glb_omd")
    claims = paper.claims()
    return Bundle(
        results={
            **ledger.results(map(_row, claims), paper.facts(len(claims))),
            "made": {"date": "2026-01-02", "commit": "0123456789ab"},
        },
        anchors=paper.places(),
        letters=paper.letters,
        audits=[audit("bernoulli"), audit("poisson")],
        simulations={"coverage": simulation(), "regret": simulation()},
        environment={"stages": [{"stage": "claims", "seconds": 1.5}], "machine": {"cores": 2}, "seed": 7},
    )


def _row(claim: Claim) -> ledger.Row:
    false = claim.expected in (Verdict.REFUTED, Verdict.GAP)
    evidence = claim.check() if false else Evidence(claim.expected, "declared", "taken as declared")
    return ledger.row(Decision(claim, evidence, True, (), 0.0))


def audit(name: str) -> dict[str, Any]:
    """An audit in the shape that `glbcheck audit --json` writes."""
    check = {"name": "domain", "question": "inside?", "verdict": "proved", "evidence": "the whole line"}
    return {
        "family": name,
        "S": "1",
        "setting": {"log_partition": "log(exp(z) + 1)", "domain": "(-oo, oo)"},
        "constants": {
            "L_mu": {"exact": "1/4", "lower": 0.25, "upper": 0.25},
            "R_s": {"exact": None, "lower": 0.46211715726, "upper": 0.46211715727},
            "R_s_global": {"exact": "oo", "lower": "inf", "upper": "inf"},
            "kappa": None,
        },
        "checks": [check, {**check, "name": "slow", "verdict": "undecided", "evidence": "no answer"}],
        "theorems": {"theorem:regret": {"applies": True, "reading": "repaired", "reason": "all hypotheses hold"}},
        "is_log_partition": True,
        "advice": ["try a smaller S"],
        "drawings": {"mean": drawing()},
        "captions": {"mean": "mean & slope"},
    }


def simulation() -> dict[str, Any]:
    """A simulation in the shape that `glbcheck simulate --json` writes."""
    cells = [{"family": "gaussian", "T": 1000, "C": c / 2, "misses": 0, "seconds": 0.123456789} for c in range(20)]
    drawn = ["coverage holds: miss <= delta"]
    return {
        "cells": cells, "grid": {"seed": 1}, "versions": {}, "conclusions": {"words": drawn},
        "drawings": {"radius": drawing()}, "captions": {"radius": "radius & error"},
    }  # fmt: skip


def drawing() -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><path d="M0 0L1 1"/></svg>'


def hostile() -> Bundle:
    """Every text that a file can bring into the page, each with markup in it."""
    statement = {"hypotheses": [EVIL], "conclusion": EVIL, "definitions": {EVIL: EVIL}}
    found = {"statement": statement, "point": {EVIL: EVIL}, "residuals": {EVIL: EVIL}, "margin": EVIL}
    claim = {
        "id": f"evil {EVIL}", "anchors": [EVIL], "title": EVIL, "math": EVIL, "reading": "as-printed",
        "verdict": "refuted", "expected": "refuted", "prover": EVIL, "scope": EVIL,
        "evidence": {"summary": EVIL, "hypotheses": [EVIL], "certificate": {EVIL: EVIL}, "problems": [EVIL],
                     "location": EVIL},
        "counterexample": found, "severity": "substance", "consequence": EVIL,
        "control": {"statement": EVIL, "rejected": True}, "uses": [EVIL], "holds_up_to": "refuted",
        "facts": [EVIL], "all_facts": [EVIL], "carries": [EVIL], "falls_with_it": [EVIL], "seconds": 0.1,
        "letters": {EVIL: EVIL}, "chain": False,
        "steps": {"definitions": {EVIL: EVIL}, "beside": [EVIL], "blocks": [
            {"case": EVIL, "premises": [{"relation": EVIL, "because": [EVIL], "time": EVIL}], "conclusions": [EVIL],
             "fails_at": {EVIL: EVIL}}]},
    }  # fmt: skip
    check = {"name": EVIL, "question": EVIL, "verdict": "proved", "evidence": EVIL}
    return Bundle(
        results={"paper": {EVIL: EVIL, "title": EVIL, "authors": [EVIL], "sha256": EVIL}, "versions": {EVIL: EVIL},
                 "made": {"date": EVIL, "commit": EVIL}, "claims": [claim],
                 "facts": [{"id": EVIL, "statement": EVIL, "reference": EVIL, "used_by": [EVIL, claim["id"]]}]},
        anchors=[{"id": EVIL, "kind": "theorem", "line": 1, "name": EVIL}],
        letters=Letters({EVIL: EVIL}, {f"evil {EVIL}": {EVIL: EVIL}}),
        audits=[{"family": EVIL, "S": EVIL, "constants": {}, "checks": [check],
                 "theorems": {EVIL: {"applies": EVIL, "reason": EVIL}}}],
        simulations={EVIL: {"cells": [{EVIL: EVIL}], EVIL: EVIL, "drawings": {EVIL: EVIL}, "captions": {EVIL: EVIL},
                            "conclusions": {"words": [EVIL]}}},
        environment={EVIL: EVIL, "table": [{EVIL: EVIL}]},
        folder=EVIL,
    )  # fmt: skip
