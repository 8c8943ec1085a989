"""What the claims of a paper are written with, in one place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from glbcheck.core.expression import CONSTANTS
from glbcheck.verify.claim import Evidence, Statement
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import combine, gap
from glbcheck.verify.registry import cited, claim, definition, states, structural
from glbcheck.verify.search import algebra

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
    "states",
    "structural",
]

VARIABLE = re.compile(r"\b[A-Za-z_]\w*\b(?!\()")  # a name before a parenthesis is a function


def implies(hypotheses: Sequence[str], conclusion: str, *, hints: Sequence[str] = ()) -> Evidence:
    """Do the hypotheses imply the conclusion, for all real values of the variables in them?"""
    names = dict.fromkeys(name for text in (*hypotheses, conclusion) for name in VARIABLE.findall(text))
    return algebra.decide(hypotheses, conclusion, [name for name in names if name not in CONSTANTS], hints)


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
