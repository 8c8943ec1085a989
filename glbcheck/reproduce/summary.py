"""The end of a reproduction in ten lines, and its tables as CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glbcheck.core.extras import is_installed
from glbcheck.verify.report.counting import recorded, tally
from glbcheck.verify.report.table import wrap

Record = Mapping[str, Any]
CLAIM_FIELDS = (
    "id", "anchors", "title", "reading", "verdict", "expected", "prover", "scope", "severity", "consequence",
    "uses", "holds_up_to", "seconds",
)  # fmt: skip


def lines(found: Record, audits: Sequence[Record], output: Path, ok: Mapping[str, bool], seconds: float) -> list[str]:
    """Headline counts, what is false, families, simulations, time."""
    count = tally(found["claims"])
    counted = ", ".join(f"{number} {verdict}" for verdict, number in count.verdicts.items()) or "none"
    false = ", ".join(f"{number} {kind}" for kind, number in count.severities.items())
    told = [
        *wrap("claims     ", f"{count.claims}: {counted}"),
        f"expected   {count.as_expected} of {count.claims}",
        *wrap("wrong      ", false or "nothing refuted, nothing incomplete"),
    ]
    if number := recorded(found["claims"]):
        told.append(f"coq        not asked: {number} theorems are judged by their recorded check")
    if audits:
        every = sum(all(one["applies"] for one in audit["theorems"].values()) for audit in audits)
        told.append(f"families   {len(audits)} audited; every theorem, as repaired, applies to {every}")
    told += [f"{name:<10} {'as expected' if fine else 'NOT AS EXPECTED'}" for name, fine in ok.items()]
    told += [f"time       {seconds:.0f} s", f"results    {output}"]
    return told


def write_tables(output: Path, found: Record, audits: Sequence[Record]) -> None:
    """claims.csv and families.csv, and the claims as Parquet where pyarrow is installed."""
    rows = [
        {name: " ".join(value) if isinstance(value := one[name], list) else value for name in CLAIM_FIELDS}
        for one in found["claims"]
    ]
    _csv(output / "claims.csv", CLAIM_FIELDS, rows)
    if rows and is_installed("pyarrow"):
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), output / "claims.parquet")
    names = ("L_mu", "kappa", "R_s", "R_s_global")
    fields = ["family", "S", *(f"{name}_{end}" for name in names for end in ("lower", "upper"))]
    _csv(output / "families.csv", fields, [_family(audit, names) for audit in audits])


def _family(audit: Record, names: Sequence[str]) -> dict[str, Any]:
    row = {"family": audit["family"], "S": audit["S"]}
    for name in names:
        constant = audit["constants"][name] or {"lower": None, "upper": None}
        row |= {f"{name}_{end}": constant[end] for end in ("lower", "upper")}
    return row


def _csv(path: Path, fields: Sequence[str], rows: Sequence[Record]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields)
        writer.writeheader()
        writer.writerows(rows)
