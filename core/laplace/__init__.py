"""Is m a log-partition function at all, that is, M = exp(m) the Laplace transform of a positive measure?

Both answers come with an exact certificate that the checker of answers, core/measures, has accepted:

- `refute` finds a square whose mean would be negative, a `Witness`;
- `construct` derives M from known laws by closure rules, a `Construction`.

None means that neither was found.  With `power` s the question is about exp(s m), which is what dispersion
g = 1/s needs.

>>> import sympy as sp
>>> from glbcheck.core.family import z
>>> decide(sp.log(1 + sp.exp(z)), sp.S.Reals).words
'mixture of [point mass at 0 and point mass at 1]'
>>> decide(z**4, sp.S.Reals).words
'the characteristic function at z = 0 would exceed 1 at t = 1'
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.laplace.construct import construct
from glbcheck.core.laplace.derivation import Construction
from glbcheck.core.laplace.refute import refute
from glbcheck.core.laplace.witness import Witness

__all__ = ["POWERS", "Construction", "Dispersions", "Witness", "construct", "decide", "dispersions", "refute"]

Answer = Witness | Construction | None
EVERY = "every g > 0"
POWERS = tuple(Fraction(s) for s in ("1", "2", "3", "1/2", "3/2", "1/3", "2/3", "5/2"))


def decide(m: sp.Expr, domain: sp.Interval, *, power: Fraction = Fraction(1), quick: bool = False) -> Answer:
    """A derivation of exp(power m), a witness against it, or None; on the interior of the domain."""
    return construct(m, domain, power=power) or refute(m, domain, power=power, quick=quick)


@dataclass(frozen=True)
class Dispersions:
    """Which dispersions g = 1/s are possible: one line in words, and the answer for each s asked."""

    words: str
    answers: tuple[tuple[Fraction, Answer], ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "every": self.words == EVERY,
            "answers": [
                {"g": str(1 / s), "possible": _possible(a), "certificate": None if a is None else a.as_dict()}
                for s, a in self.answers
            ],
        }


def dispersions(m: sp.Expr, domain: sp.Interval, *, quick: bool = False) -> Dispersions:
    """Ask for g = 1/s over a short list of s; infinite divisibility settles every g > 0 at once."""
    answers = [(s, decide(m, domain, power=s, quick=quick)) for s in POWERS]
    return Dispersions(_summary(dict(answers)), tuple(answers))


def _summary(answers: dict[Fraction, Answer]) -> str:
    first = answers[Fraction(1)]
    refuted = [str(1 / s) for s, a in sorted(answers.items()) if isinstance(a, Witness)]
    without = f"; impossible for g = {', '.join(reversed(refuted))}" if refuted else ""
    if isinstance(first, Construction):
        if first.infinitely_divisible:
            return EVERY
        return f"g = 1/n for every positive integer n{without}"
    possible = [str(1 / s) for s, a in sorted(answers.items()) if isinstance(a, Construction)]
    return (f"g = {', '.join(possible)}" if possible else "no g is known to be possible") + without


def _possible(answer: Answer) -> bool | None:
    return None if answer is None else isinstance(answer, Construction)
