"""Answers of an audit, asked in this process, and their files."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from glbcheck.core import catalog
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.documents import gated
from glbcheck.verify.audit.questions import items
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.audit.subject import Subject, subject

Document = dict[str, Any]
ITEMS = {item.name: item for item in items()}
SHAPE = ("domain", "smooth", "convex", "slope", "L_mu", "kappa", "R_s")


def about(spec: str, S: object = 1, **options: str) -> Subject:
    family = catalog.get(spec) if spec.isidentifier() else read(spec, Options(**options)).family
    return subject(family, S)


def answer(spec: str, question: str, S: object = 1, **options: str) -> Finding:
    """The finding as an audit gives it, asked in this process."""
    asked = about(spec, S, **options)
    return gated(asked, question, ITEMS[question].text, ITEMS[question].decide(asked))


@cache
def written(spec: str, question: str, S: object) -> str:
    found = answer(spec, question, S)
    assert found.document, found.evidence
    return json.dumps(found.document)


def document(spec: str, question: str, S: object = 1) -> Document:
    found: Document = json.loads(written(spec, question, S))
    return found
