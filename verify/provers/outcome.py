"""From a certified enclosure of a number to a verdict on a statement about that number."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from glbcheck.core.exact import Relation, decide, simplest_between
from glbcheck.core.expression import ExpressionError
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute

# An exact value longer than this is shown through a shorter number between it and the right side.
SHOWN_DIGITS = 60


def judge(
    lower: Fraction,
    upper: Fraction,
    relation: Relation,
    rhs: Fraction,
    *,
    prover: str,
    what: str,
    certificate: Mapping[str, Any],
    positive: Verdict = Verdict.PROVED,
    scope: str = "",
) -> Evidence:
    """The verdict on `v relation rhs`, where v is only known to lie in [lower, upper]."""
    facts = {
        **certificate,
        "lower": str(lower),
        "upper": str(upper),
        "relation": relation,
        "rhs": str(rhs),
    }
    truth = decide(lower, upper, relation, rhs)
    if truth is None:
        return Evidence(Verdict.UNDECIDED, prover, f"the enclosure of {what} meets {rhs}", scope, certificate=facts)
    if truth:
        return Evidence(positive, prover, f"{what} {relation} {rhs}", scope, certificate=facts)
    return _refuted(lower, upper, relation, rhs, prover, facts)


def _refuted(
    lower: Fraction, upper: Fraction, relation: Relation, rhs: Fraction, prover: str, facts: Mapping[str, Any]
) -> Evidence:
    """The enclosure is on the wrong side: the value in it nearest to rhs is the witness."""
    known: tuple[str, ...]
    if lower == upper and len(str(lower)) <= SHOWN_DIGITS:
        value, known = lower, (f"value == {lower}",)
    elif lower > rhs:
        value = _short_above(rhs, lower)
        known = (f"value >= {value}",)
    elif upper < rhs:
        value = -_short_above(-rhs, -upper)
        known = (f"value <= {value}",)
    else:
        # A strict relation or `!=` fails by equality.
        value = lower if lower == upper else rhs
        known = (f"value >= {lower}", f"value <= {upper}")
    try:
        found = refute(Statement(known, f"value {relation} {rhs}"), {"value": value}, prover)
    except ExpressionError as err:
        return Evidence(Verdict.UNDECIDED, prover, f"false, but the witness cannot be written: {err}", "", facts)
    return Evidence(
        found.verdict,
        prover,
        found.summary,
        found.scope,
        {**found.certificate, **facts},
        found.counterexample,
    )


def _short_above(rhs: Fraction, lower: Fraction) -> Fraction:
    """A short rational in (rhs, lower], keeping at least half of the gap."""
    return simplest_between((rhs + lower) / 2, lower)
