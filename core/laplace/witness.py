"""A certificate that M = exp(m) is no Laplace transform: a square whose mean would be negative.

The kinds are those of `core.measures.witness`, which says why each is one and accepts or rejects it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath as mp
import sympy as sp
from glbcheck.core.enclosure import upper
from glbcheck.core.kernel.terms import budget
from glbcheck.core.laplace.derivation import REFUSED
from glbcheck.core.laplace.formula import exponent, exponentiated, text, where
from glbcheck.core.measures.check import MAX_STEPS
from glbcheck.core.measures.witness import refutes
from glbcheck.core.translation import term_of

LONGEST = 100  # of the squares that a sentence writes out


@dataclass(frozen=True)
class Witness:
    """The mean of the square is at most value_upper < 0; the points are powers of r, speeds, or one time."""

    kind: str
    power: Fraction
    z0: Fraction
    points: tuple[Fraction, ...]
    weights: tuple[Fraction, ...] = ()
    value_upper: Fraction = Fraction(0)

    @property
    def words(self) -> str:
        """One plain sentence."""
        if self.kind == "characteristic":
            return f"the characteristic function at z = {self.z0} would exceed 1 at t = {self.points[0]}"
        if self.kind == "moments" and set(self.points) <= {0, 1}:
            return f"the variance m''({self.z0}) would be negative"
        base = f"({_polynomial(self) if self.kind == 'moments' else _exponentials(self)})^2"
        if len(base) > LONGEST:
            what = f"polynomial of degree {max(self.points)} in r" if self.kind == "moments" else "sum of exponentials"
            base = f"the square of a {what}"
        return f"at z = {self.z0} the mean of {base} would be at most {_few_digits(self.value_upper)}"

    def as_dict(self) -> dict[str, Any]:
        """The numbers as text."""
        return {
            "kind": self.kind,
            "power": str(self.power),
            "z0": str(self.z0),
            "points": list(map(str, self.points)),
            "weights": list(map(str, self.weights)),
            "value_upper": str(self.value_upper),
            "words": self.words,
        }


def in_file(data: Mapping[str, Any], m: sp.Expr) -> dict[str, Any]:
    """What `as_dict` wrote of a witness against exp(power m), as it stands in the file of an answer."""
    kept = {key: data[key] for key in ("kind", "power", "z0", "points", "weights")}
    if data["kind"] != "characteristic":
        return kept
    return {**kept, "form": text(exponentiated(exponent(m, Fraction(data["power"]))))}


def certified(m: sp.Expr, domain: sp.Interval, draft: Witness) -> Witness | None:
    """The draft with the value that the checker of answers finds for it, or None."""
    try:
        with budget(MAX_STEPS):
            value = refutes(term_of(m), where(domain).interval, in_file(draft.as_dict(), m))
        return replace(draft, value_upper=_rounded_up(upper(value)))
    except REFUSED:
        return None


# --- words -----------------------------------------------------------------------------------------


def _rounded_up(x: Fraction) -> Fraction:
    """A nearby short fraction above a negative number, still negative."""
    scale = Fraction(1)
    while -x * scale < 1000:
        scale *= 2
    return Fraction(-(int(-x * scale)), 1) / scale


def _few_digits(x: Fraction) -> str:
    return str(mp.nstr(mp.mpf(x.numerator) / x.denominator, 3))


def _sum(pieces: list[tuple[Fraction, str]]) -> str:
    text = ""
    for v, what in pieces:
        sign = " - " if v < 0 else " + "
        size = "" if abs(v) == 1 and what else str(abs(v)) + (" " if what else "")
        text += sign + size + what
    return text.removeprefix(" + ").replace(" - ", "-", 1) if text.startswith(" - ") else text[3:]


def _polynomial(w: Witness) -> str:
    names = {Fraction(0): "", Fraction(1): "r"}
    return _sum([(v, names.get(k, f"r^{k}")) for k, v in zip(w.points, w.weights, strict=True) if v][::-1])


def _exponentials(w: Witness) -> str:
    return _sum([(v, f"exp({x} r)" if x else "") for x, v in zip(w.points, w.weights, strict=True) if v])
