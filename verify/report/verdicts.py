"""One line per anchor of the paper: the page that answers "what became of this equation?"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.verify.report.counting import SERIOUS_FIRST, severity, wrong

HEADER = """# Verdicts

One line per anchor of the paper, in its order; generated from `results.json` by
`glbcheck check --page FILE`. Each claim is named with its verdict; `(repaired)` marks our reading of a
statement that is false or incomplete as printed. `glbcheck show ID` prints all that is known about it.
"""


def page(anchors: Sequence[Mapping[str, Any]], results: Mapping[str, Any]) -> str:
    """The page as Markdown; an anchor that no claim speaks about says so."""
    speaking: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for claim in results["claims"]:
        for anchor in claim["anchors"]:
            speaking[anchor].append(claim)
    lines = [HEADER, "| line | anchor | kind | verdicts |", "|---|---|---|---|"]
    for anchor in sorted(anchors, key=lambda a: (a["line"], a["id"])):
        found = "; ".join(map(_words, speaking[anchor["id"]])) or _nothing(anchor)
        lines.append(f"| {anchor['line']} | `{anchor['id']}` | {anchor['kind']} | {found} |")
    return "\n".join([*lines, "", *_findings(results["claims"]), ""])


def _nothing(anchor: Mapping[str, Any]) -> str:
    return f"asserts nothing: {anchor['silent']}" if anchor.get("silent") else "**no claim**"


def _words(claim: Mapping[str, Any]) -> str:
    reading = " (repaired)" if claim["reading"] == "repaired" else ""
    return f"{claim['verdict']}{reading}: `{claim['id']}`"


def _findings(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong, most serious first, with the consequence in one line."""
    found = sorted(wrong(claims), key=lambda c: (SERIOUS_FIRST.index(severity(c)), c["id"]))
    lines = ["## What is false or incomplete as printed", "", "| severity | claim | consequence |", "|---|---|---|"]
    for c in found:
        title, consequence = (c[field].replace("|", "\\|") for field in ("title", "consequence"))
        lines.append(f"| {severity(c)} | {c['verdict']}: {title} (`{c['id']}`) | {consequence} |")
    return lines
