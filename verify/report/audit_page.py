"""An audit as one self-contained page: figures, checks, theorems, advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from verify.audit.subject import Subject
from verify.report.audit_figures import figures
from verify.report.audit_table import ANSWERS

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #8886; }
td.v { white-space: nowrap; font-weight: 600; }
figure { margin: 1.5rem 0; } svg { width: 100%; height: auto; }
figure.radius svg { max-width: 42rem; } code { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; } thead { display: none; }
  td { border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid #8886; padding: .5rem 0; }
}
"""
MARKS = {"proved": "✓", "certified": "✓", "certified-on-box": "◪", "stress-tested": "○", "refuted": "✗"}


def page(audit: Mapping[str, Any], subject: Subject) -> str:
    """The whole page as text."""
    title = f"Audit of {audit['family']} on [-{audit['S']}, {audit['S']}]"
    setting = audit["setting"]
    known = {True: "yes", False: "no", None: "not settled"}[audit["is_log_partition"]]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>m = <code>{escape(setting['log_partition'])}</code> on {escape(setting['domain'])}; "
        f"d = {setting['d']}, T = {setting['T']}, C = {setting['C']:g}, δ = {setting['delta']:g}, "
        f"g = {escape(setting['g'])}. A log-partition function: <strong>{known}</strong>.</p>",
        *(f'<figure class="{name}">{svg}</figure>' for name, svg in figures(audit, subject).items()),
        "<h2>Checks</h2>",
        _table(("question", "verdict", "evidence"), (_check(check) for check in audit["checks"])),
    ]
    if audit["not_asked"]:
        items = (f"<li>{escape(name)}: {escape(why)}</li>" for name, why in audit["not_asked"].items())
        parts += ["<h2>Not asked</h2>", f"<ul>{''.join(items)}</ul>"]
    if audit["theorems"]:
        rows = (_theorem(anchor, one) for anchor, one in audit["theorems"].items())
        parts += ["<h2>Which theorems apply</h2>", _table(("statement", "answer", "why"), rows)]
    if audit["advice"]:
        parts += [
            "<h2>Advice</h2>",
            f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in audit['advice'])}</ul>",
        ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _table(heads: tuple[str, ...], rows: Iterable[str]) -> str:
    head = "".join(f'<th scope="col">{word}</th>' for word in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _check(check: Mapping[str, Any]) -> str:
    mark = MARKS.get(check["verdict"], "·")
    return (
        f"<tr><td>{escape(check['question'])}</td><td class=v>{mark} {escape(check['verdict'])}</td>"
        f"<td>{escape(check['evidence'])}</td></tr>"
    )


def _theorem(anchor: str, one: Mapping[str, Any]) -> str:
    note = f" <em>{escape(one['note'])}</em>" if one["note"] else ""
    return (
        f"<tr><td>{escape(anchor)} ({escape(one['reading'])})</td><td class=v>{ANSWERS[one['applies']]}</td>"
        f"<td>{escape(one['reason'])}.{note}</td></tr>"
    )
