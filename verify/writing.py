"""What the claims of a paper are written with, in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from glbcheck.core.expression import parse, to_text
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.decide import decide
from glbcheck.verify.judge import combine, gap
from glbcheck.verify.registry import cited, claim, definition, states, structural, undecided
from glbcheck.verify.search import algebra
from glbcheck.verify.theorem_claims import proves
from glbcheck.verify.wording import names

__all__ = [
    "Evidence",
    "cited",
    "claim",
    "combine",
    "decided",
    "definition",
    "fails",
    "gap",
    "implies",
    "nonnegative",
    "proves",
    "refuted",
    "states",
    "structural",
    "text_of",
    "undecided",
]


def implies(hypotheses: Sequence[str], conclusion: str, *, hints: Sequence[str] = ()) -> Evidence:
    """Do the hypotheses imply the conclusion, for all real values of the variables in them?"""
    return algebra.decide(hypotheses, conclusion, list(names("\n".join((*hypotheses, conclusion)), set())), hints)


def decided(statement: str) -> Evidence:
    """What `glbcheck decide` says of this statement, by whichever way it found."""
    return replace(decide(statement), prover="decide")


def fails(
    hypotheses: Sequence[str],
    conclusion: str,
    definitions: Mapping[str, str] | None = None,
    *,
    at: Mapping[str, Fraction | int | Any],
) -> Evidence:
    """Refuted by this point, if the kernel agrees that every hypothesis holds there and the conclusion does not."""
    return refute(Statement(tuple(hypotheses), conclusion, definitions or {}), at, "counterexample")


def refuted(witness: Evidence, *support: Evidence) -> Evidence:
    """What the witness says, if all that makes it admissible, or one of a family without limit, holds as well.

    An order, "at most a constant times", is refuted by `support`: for every constant there is such a witness.
    """
    for part in support:
        if not part.verdict.positive:
            return Evidence(Verdict.UNDECIDED, witness.prover, f"the witness needs more: {part.summary}")
    return combine(witness, *support)


def nonnegative(*names: str) -> list[str]:
    return [f"{name} >= 0" for name in names]


def text_of(function: Callable[..., Any], *arguments: str) -> str:
    """A function of numbers as a formula: its value at these arguments, names or formulas, as text.

    >>> text_of(lambda eta, alpha: 2 * eta * alpha, "eta", "1/3")
    '2*eta/3'
    """
    declared = list(names(", ".join(arguments), set()))
    return to_text(function(*(parse(a, declared) for a in arguments)))
