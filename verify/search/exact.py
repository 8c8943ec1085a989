"""Closed statements between exact numbers, and numbers that a computation of ours has found."""

from __future__ import annotations

from dataclasses import replace

from glbcheck.core.exact import Exact, Relation, check_relation, rational
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import evidence_for
from glbcheck.verify.claim import Evidence, Statement
from glbcheck.verify.counterexample import refute
from glbcheck.verify.decide import decide

PROVER = "exact"


def closed(conclusion: str) -> Evidence:
    """Decide a relation without variables, such as `sum(1/2**k, k, 1, 9) < 1`."""
    return replace(decide({"variables": {}, "hypotheses": [], "conclusion": conclusion}), prover=PROVER)


def compare(lhs: Exact, relation: Relation, rhs: Exact, what: str = "lhs") -> Evidence:
    """Compare a number that Python code has worked out: the comparison is checked, the computation is not.

    So a relation that holds is `certified`, resting on the computation, and never `proved`.
    """
    check_relation(relation)
    value, other = rational("lhs", lhs), rational("rhs", rhs)
    made = {"format": FORMAT, "computed": {"what": what, "value": str(value), "claim": f"{relation} {other}"}}
    found = evidence_for(made, PROVER, f"{what} {relation} {other}", f"computed: {what}")
    if found.verdict.positive:
        return found
    return refute(Statement((f"value == {value}",), f"value {relation} {other}"), {"value": value}, PROVER)
