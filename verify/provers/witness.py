"""The one way in which the algebraic provers refute: a counterexample that the kernel accepts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute


def refuted_at(statement: Statement, point: Mapping[str, Fraction], prover: str) -> Evidence | None:
    """The refutation at this point, if there is one."""
    evidence = refute(statement, point, prover)
    return evidence if evidence.verdict is Verdict.REFUTED else None
