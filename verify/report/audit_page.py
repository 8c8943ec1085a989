"""An audit as one self-contained page, with its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.report.audit_figures import figures
from glbcheck.verify.report.figures import for_page
from glbcheck.verify.report.html import audits
from glbcheck.verify.report.html.page import document


def page(audit: Mapping[str, Any], subject: Subject) -> str:
    """The whole page as text."""
    title = f"Audit of {audit['family']} on [-{audit['S']}, {audit['S']}]"
    shown = {**audit, **for_page(figures(audit, subject))}
    return document(title, None, audits.section([shown], alone=True))
