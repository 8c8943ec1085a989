"""The whole reproduction: `pytest` on the claims, the audit of every catalogue family, a summary."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.plain_json import dumps
from verify.verbs import AS_EXPECTED, NOT_AS_EXPECTED, UsageError

S = "1"
TILT = 2  # families on a half-line are audited shifted, so that [-S, S] lies inside


def reproduce(claims: str, output: Path, jobs: int) -> tuple[int, list[str], dict[str, Any]]:
    """Exit code, summary lines and data; results.json and audit/*.json are left in the output folder."""
    try:
        (output / "audit").mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise UsageError(f"--output = {str(output)!r}: cannot write there ({err.strerror})") from None
    _stage(1, f"claims of the paper: pytest --pyargs {claims}")
    results = output / "results.json"
    options = ["-q", "--pyargs", claims, "-n", str(jobs), f"--glbcheck-results={results.resolve()}"]
    paper_ok = subprocess.run([sys.executable, "-m", "pytest", *options], stdout=sys.stderr).returncode == 0
    _stage(2, f"audit of every catalogue family on [-{S}, {S}]")
    audits = _audits(output / "audit")
    settled = all(check["verdict"] != "undecided" for audit in audits for check in audit["checks"])
    ok = paper_ok and settled
    found = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {"claims": []}
    lines = list(_summary(audits, found, paper_ok, output))
    return (AS_EXPECTED if ok else NOT_AS_EXPECTED), lines, {"results": found, "audits": audits}


def _audits(folder: Path) -> list[dict[str, Any]]:
    from core import catalog
    from verify.audit import audit_family

    audits = []
    for name in catalog.NAMES:
        family = catalog.get(name)
        usable = family.domain.contains(0) and 0 in family.domain.interior
        audit = audit_family(family if usable else family.tilted(TILT), S)
        (folder / f"{name}.json").write_text(dumps(audit), encoding="utf-8")
        audits.append(audit)
    return audits


def _summary(
    audits: Sequence[dict[str, Any]], found: dict[str, Any], paper_ok: bool, output: Path
) -> Sequence[str]:
    from verify.report.table import WIDTH, clip, wrap

    lines = [f"{'family':<30} {'L_mu':>10} {'kappa':>10} {'R_s':>10} {'R_s, domain':>12}", "-" * (WIDTH - 4)]
    for audit in audits:
        values = [audit["constants"][name] for name in ("L_mu", "kappa", "R_s", "R_s_global")]
        shown = [" " * 10 if v is None else f"{v['upper']:>10.6g}" for v in values]
        lines.append(clip(f"{audit['family']:<30} {shown[0]} {shown[1]} {shown[2]}   {shown[3]}"))
    verdicts = [claim["verdict"] for claim in found["claims"]]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(sorted(verdicts)))
    lines += [
        "",
        *wrap("claims: ", f"{len(verdicts)} ({counts})" if verdicts else "none"),
        f"all as expected: {'yes' if paper_ok else 'no'}",
        f"families audited on [-{S}, {S}]: {len(audits)}",
        f"results: {output / 'results.json'}, {output / 'audit'}",
    ]
    return lines


def _stage(number: int, what: str) -> None:
    print(f"[{number}/2] {what}", file=sys.stderr, flush=True)
