"""What the claims of a paper are written with, in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from glbcheck.verify.claim import Evidence, Statement
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import combine, gap
from glbcheck.verify.registry import cited, claim, definition, states, structural
from glbcheck.verify.search import algebra
from glbcheck.verify.theorem_claims import proves
from glbcheck.verify.wording import names

__all__ = [
    "Evidence",
    "cited",
    "claim",
    "combine",
    "definition",
    "fails",
    "gap",
    "implies",
    "nonnegative",
    "proves",
    "states",
    "structural",
]


def implies(hypotheses: Sequence[str], conclusion: str, *, hints: Sequence[str] = ()) -> Evidence:
    """Do the hypotheses imply the conclusion, for all real values of the variables in them?"""
    return algebra.decide(hypotheses, conclusion, list(names("\n".join((*hypotheses, conclusion)), set())), hints)


def fails(
    hypotheses: Sequence[str],
    conclusion: str,
    definitions: Mapping[str, str] | None = None,
    *,
    at: Mapping[str, Fraction | int | Any],
) -> Evidence:
    """Refuted by this point, if the kernel agrees that every hypothesis holds there and the conclusion does not."""
    return refute(Statement(tuple(hypotheses), conclusion, definitions or {}), at, "counterexample")


def nonnegative(*names: str) -> list[str]:
    return [f"{name} >= 0" for name in names]
