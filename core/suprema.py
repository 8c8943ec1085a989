"""Where a supremum may be, and the constant that comes of it: brackets, closed forms and words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import sympy as sp
from glbcheck.core.bracket import Constant
from glbcheck.core.closed_forms import magnitude, parity
from glbcheck.core.enclosure import Ball, ball, float_above, float_below
from glbcheck.core.enclosure.extrema import Maximum


@dataclass(frozen=True)
class Candidate:
    """A place where the supremum may be: its bracket, its words, and its exact value if there is one."""

    low: Ball
    high: Ball
    attained: str
    exact: sp.Expr | None = None


def located(
    best: Maximum, expr: sp.Expr, strictly_concave: Callable[[Fraction, Fraction], bool]
) -> Iterator[Candidate]:
    """A bracket as candidates: with a closed form at an end of [-S, S] or at a maximum exactly at 0."""
    for end in best.ends:
        yield Candidate(best.lower, best.upper, end_words(1 if end > 0 else -1), magnitude(expr, end))
    if best.ends:
        return
    low, high = best.places[0]
    if len(best.places) == 1 and low <= 0 <= high and parity(expr) == 1 and strictly_concave(low, high):
        # An even function has slope zero at 0, and a strictly concave one has no other maximum.
        yield Candidate(best.lower, best.upper, "at z = 0", magnitude(expr, Fraction(0)))
    else:
        yield Candidate(best.lower, best.upper, "near " + _middles(best.places))


def _middles(places: tuple[tuple[Fraction, Fraction], ...]) -> str:
    middles = [float((a + b) / 2) for a, b in places]
    if len(places) == 2 and places[0] == (-places[1][1], -places[1][0]):
        return f"|z| = {middles[1]:.5f}"
    return " and ".join(f"z = {x:.5f}" for x in middles)


def end_words(side: int) -> str:
    return "at z = S" if side > 0 else "at z = -S"


def integer(b: Ball) -> sp.Expr | None:
    found = b.unique_fmpz()
    return sp.Integer(int(found)) if found is not None and b.is_exact() else None


def largest(candidates: Sequence[Candidate]) -> Constant:
    """The supremum over all candidates; ties, as for a family symmetric in z, are all named."""
    for c in candidates:
        if c.exact == sp.oo:
            return Constant("oo", math.inf, math.inf, c.attained)
    floor = reduce(lambda a, b: a.max(b), (c.low.lower() for c in candidates))
    winners = [c for c in candidates if not c.high < floor]
    top = reduce(lambda a, b: a.max(b), (c.high.upper() for c in winners))
    # Those at -S and S were made equal by parity, or share no form.
    forms = {c.exact for c in winners}
    exact = forms.pop() if len(forms) == 1 else None
    if exact is not None and (ball(exact) < floor or ball(exact) > top):
        raise ArithmeticError(f"the closed form {exact} lies outside [{floor}, {top}]")
    words = _joined([c.attained for c in winners])
    return Constant(None if exact is None else str(exact), float_below(floor), float_above(top), words)


def _joined(words: list[str]) -> str:
    both = {
        frozenset(("at z = S", "at z = -S")): "at z = -S and z = S",
        frozenset(("only as z -> oo", "only as z -> -oo")): "only as |z| -> oo",
    }
    return both.get(frozenset(words)) or " and ".join(dict.fromkeys(words))
