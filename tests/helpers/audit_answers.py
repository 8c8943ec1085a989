"""Answers of an audit, asked in this process, and their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.laplace.formula import end_text, text
from glbcheck.core.laplace.witness import in_file
from glbcheck.core.measures.check import FORMAT, check
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


def derived(m: sp.Expr, domain: sp.Interval, tree: Mapping[str, Any], power: Fraction = Fraction(1)) -> bool:
    """Does the checker accept this tree for exp(power m) on the domain?"""
    return _accepted("yes", m, domain, {"g": str(1 / power), "tree": tree})


def refuted(m: sp.Expr, domain: sp.Interval, data: Mapping[str, Any]) -> bool:
    """Does the checker accept this witness, as it is found or as it stands in a file, against exp(power m)?"""
    witness = data if "form" in data else in_file(data, m)
    return _accepted("no", m, domain, {"g": str(1 / Fraction(data["power"])), "witness": witness})


def _accepted(answer: str, m: sp.Expr, domain: sp.Interval, row: Mapping[str, Any]) -> bool:
    family = {"m": text(m), "domain": [end_text(domain.inf, 1), end_text(domain.sup, -1)]}
    asked = {"format": FORMAT, "question": "dispersions", "answer": answer, "family": family, "S": "1", "g": "1"}
    try:
        check({**asked, "by": {"answers": [row]}})
    except Rejected:
        return False
    return True
