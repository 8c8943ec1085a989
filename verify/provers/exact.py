"""Finite sums and discrete expectations in rational arithmetic, compared without rounding."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, Relation, check_relation, natural, rational
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.provers.outcome import judge

Outcome = TypeVar("Outcome", bound=Hashable)


def finite_sum(term: Callable[[int], Exact], first: int, last: int) -> Fraction:
    """The sum of term(n) for n = first, …, last, both included; empty if last < first."""
    natural("last - first + 1", last - first + 1)
    return sum((rational(f"term({n})", term(n)) for n in range(first, last + 1)), Fraction(0))


def expectation(pmf: Mapping[Outcome, Exact], f: Callable[[Outcome], Exact]) -> Fraction:
    """E[f(X)] for a probability mass function whose weights are non-negative and sum to exactly one."""
    weights = {outcome: rational(f"pmf[{outcome!r}]", weight) for outcome, weight in pmf.items()}
    for outcome, weight in weights.items():
        if weight < 0:
            raise BadInput(f"pmf[{outcome!r}]", str(weight), "a non-negative probability")
    total = sum(weights.values(), Fraction(0))
    if total != 1:
        raise BadInput("pmf", f"total mass {total}", "weights that sum to exactly 1")
    return sum(
        (weight * rational(f"f({outcome!r})", f(outcome)) for outcome, weight in weights.items()), Fraction(0)
    )


def compare(lhs: Exact, relation: Relation, rhs: Exact, what: str = "lhs") -> Evidence:
    """Decide `lhs relation rhs` between two exact numbers: proved or refuted, unless too long to write."""
    check_relation(relation)
    left, right = rational("lhs", lhs), rational("rhs", rhs)
    evidence = judge(left, left, relation, right, prover="exact", what=what, certificate={"value": str(left)})
    if (evidence.verdict is Verdict.PROVED) is not comparison_holds(evidence.certificate):
        raise AssertionError(f"the replay of {left} {relation} {right} disagrees with the verdict")
    return evidence


def comparison_holds(certificate: Mapping[str, Any]) -> bool:
    """Replay a comparison from its certificate alone, by cross-multiplied integers."""
    left, right = Fraction(certificate["value"]), Fraction(certificate["rhs"])
    excess = left.numerator * right.denominator - right.numerator * left.denominator
    sign = (excess > 0) - (excess < 0)
    allowed = {"<": {-1}, "<=": {-1, 0}, "==": {0}, "!=": {-1, 1}, ">=": {0, 1}, ">": {1}}
    return sign in allowed[certificate["relation"]]
