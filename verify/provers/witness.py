"""The one way in which the algebraic provers refute: a counterexample that survives its own replay."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import confirm, refute


def refuted_at(statement: Statement, point: Mapping[str, Fraction], prover: str) -> Evidence | None:
    """The refutation at this point, if balls and 50-digit arithmetic both certify it."""
    evidence = refute(statement, point, prover)
    if evidence.verdict is not Verdict.REFUTED or evidence.counterexample is None:
        return None
    return evidence if confirm(evidence.counterexample).verdict is Verdict.REFUTED else None
