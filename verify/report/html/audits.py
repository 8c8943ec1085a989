"""The audit of each family: certified constants, answered questions, which theorems apply, figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.verify.claim import Reading
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.formulas import formula, prose
from glbcheck.verify.report.html.index import anchor_link
from glbcheck.verify.report.html.markup import Child, Safe, el, images, part, table, target
from glbcheck.verify.report.html.words import badge

CONSTANTS = {"L_mu": "L_mu", "kappa": "kappa", "R_s": "R_s", "R_s_global": "R_s over the whole domain"}


def section(audits: Sequence[Record], alone: bool = False) -> Safe | None:
    """One table of constants, then one part per family: folded, or open if it stands alone on its page."""
    if not audits:
        return None
    families = (_family(audit, number, alone) for number, audit in enumerate(audits))
    lead = "Each constant is a certified bracket."
    return part("audits", "Families audited", lead, _constants(audits), _questions(audits), families)


def _questions(audits: Sequence[Record]) -> Safe:
    """What is asked of each family, once for all of them."""
    asked = {check["name"]: check["question"] for audit in audits for check in audit.get("checks", ())}
    rows = ([name, prose(question)] for name, question in asked.items())
    return el("details", el("summary", "What is asked"), table("Questions", ("check", "question"), rows))


def _constants(audits: Sequence[Record]) -> Safe:
    rows = (
        [audit["family"], str(audit["S"]), *(_constant(audit["constants"].get(c)) for c in CONSTANTS)]
        for audit in audits
    )
    columns = ("family", "S", *map(prose, CONSTANTS.values()))
    return table("Certified constants on [-S, S]", columns, rows)


def _constant(found: Mapping[str, Any] | None) -> Child:
    """Exact where there is a closed form, else the bracket to ten digits."""
    if found is None:
        return "none"
    digits = "∞" if math.isinf(float(found["lower"])) else f"{float(found['lower']):.10g}"
    exact = found.get("exact")
    if exact in (None, "oo", digits):
        return el("span", digits, title=f"in [{found['lower']}, {found['upper']}]")
    return [formula(exact), f" = {digits}"]


def _family(audit: Record, number: int, alone: bool) -> Safe:
    checks = audit.get("checks", [])
    rows = ([check["name"], badge(check["verdict"]), prose(check["evidence"])] for check in checks)
    parts: list[Child] = [
        _setting(audit),
        table(f"Answers about {audit['family']}", ("check", "verdict", "evidence"), rows),
    ]
    if audit.get("theorems"):
        parts.append(_theorems(audit, alone))
    if audit.get("advice"):
        parts.append(el("div", el("b", "To try"), el("ul", (el("li", prose(line)) for line in audit["advice"]))))
    parts += images(audit)
    return el(
        "details",
        el(
            "summary",
            el("b", audit["family"]),
            f" on [-{audit['S']}, {audit['S']}] ",
            ([one, " "] for one in _tally(checks)),
        ),
        parts,
        class_="family",
        open=alone,
        id=target("family", f"{number}-{audit['family']}"),
    )


def _setting(audit: Record) -> Safe | None:
    """The log-partition function, where it lives, and whether it is one."""
    setting = audit.get("setting", {})
    known = {True: "✓ yes", False: "✗ no", None: "? not settled"}
    facts: list[tuple[str, Child]] = [
        ("m(z)", formula(setting["log_partition"]) if "log_partition" in setting else None),
        ("domain", str(setting.get("domain", "")).replace("oo", "∞")),
        ("log-partition function", known[audit["is_log_partition"]] if "is_log_partition" in audit else None),
    ]
    given = [el("li", f"{name}: ", value) for name, value in facts if value]
    return el("ul", given) if given else None


def _tally(checks: Sequence[Record]) -> list[Safe]:
    verdicts = [check["verdict"] for check in checks]
    return [el("span", badge(v), f" {verdicts.count(v)}", class_="tally") for v in dict.fromkeys(verdicts)]


def _theorems(audit: Record, alone: bool) -> Safe:
    """Which apply; in the report each links to its anchor, which a page of its own does not have."""
    rows = (
        [
            [el("code", anchor) if alone else anchor_link(anchor), _reading(found)],
            _applies(found["applies"]),
            prose("; ".join(filter(None, (str(found["reason"]), str(found.get("note") or ""))))),
        ]
        for anchor, found in audit["theorems"].items()
    )
    return table(f"Theorems for {audit['family']}", ("theorem", "applies", "reason"), rows)


def _reading(found: Mapping[str, Any]) -> str:
    """That the answer is about the repaired theorem, if it is."""
    reading = found.get("reading", Reading.AS_PRINTED)
    return "" if reading == Reading.AS_PRINTED else f" ({reading})"


def _applies(answer: object) -> str:
    words = {True: "✓ yes", False: "✗ no", None: "? undecided"}
    return words[answer] if answer is None or isinstance(answer, bool) else str(answer)
