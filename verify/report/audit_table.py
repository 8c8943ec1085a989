"""An audit as a table as wide as the terminal: a verdict per check, then which theorems apply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.verify.report.table import wrap

ANSWERS = {True: "applies", False: "does not apply", None: "not settled"}


def table(audit: Mapping[str, Any]) -> list[str]:
    """The whole audit for reading."""
    setting = audit["setting"]
    lines = [
        *wrap("", f"{audit['family']} on [-{audit['S']}, {audit['S']}]"),
        *wrap("", f"m = {setting['log_partition']} on {setting['domain']}"),
        *wrap(
            "",
            f"d = {setting['d']}, T = {setting['T']}, C = {setting['C']:g}, delta = {setting['delta']:g}, "
            f"g = {setting['g']}",
        ),
        "",
    ]
    for check in audit["checks"]:
        lines += wrap(f"{check['name']:<16}{check['verdict']:<17}", check["evidence"])
    if audit["not_asked"]:
        reasons: dict[str, list[str]] = {}
        for name, reason in audit["not_asked"].items():
            reasons.setdefault(reason, []).append(name)
        lines += [
            line
            for reason, names in reasons.items()
            for line in wrap(f"{'(not asked)':<16}", f"{', '.join(names)}: {reason}")
        ]
    known = {True: "yes", False: "no", None: "not settled"}[audit["is_log_partition"]]
    lines += ["", f"a log-partition function: {known}"]
    if audit["theorems"]:
        lines += ["", "theorems"]
    for anchor, one in audit["theorems"].items():
        reading = "" if one["reading"] == "as-printed" else f" ({one['reading']})"
        lines += wrap(f"  {anchor}{reading}: ", f"{ANSWERS[one['applies']]}; {one['reason']}", indent=6)
        if one["note"]:
            lines += wrap("      ", one["note"], indent=6)
    if audit["advice"]:
        lines += ["", "advice", *(line for words in audit["advice"] for line in wrap("  - ", words, indent=4))]
    return lines
