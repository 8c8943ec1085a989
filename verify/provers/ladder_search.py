"""The search for a ladder: guesses freely, because only `ladder_checker` decides what a guess is worth.

Differentiate and take the sign at an end; strip evidently positive factors; multiply by exp(-kx) or
divide by what multiplies a logarithm, so that the next derivative is simpler; exponentiate a sum of
logarithms; cut where the function touches zero; turn x into 1/x when equality lies at infinity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import ball_function
from glbcheck.core.exact import number
from glbcheck.verify.provers.signs import Interval, Unknown, defined, evident, sign_at

Rungs = list[dict[str, Any]]
DEEPEST = 40
LARGEST = 150  # operations; beyond it, differentiation only makes things worse
TURNED = 20  # the depth that counts as: already turned around


@dataclass
class Search:
    """Depth-first search for a ladder, within a number of steps; failures are remembered."""

    effort: int
    failed: set[tuple[Any, ...]] = field(default_factory=set)

    def helpers(self, f: sp.Expr, on: Interval) -> tuple[Interval, list[dict[str, Any]]]:
        """Ladders for what f divides by or takes the logarithm of, where that is not evidently positive."""
        lemmas: list[dict[str, Any]] = []
        inner = [g.args[0] for g in f.atoms(sp.log)]
        inner += [p.base for p in f.atoms(sp.Pow) if p.exp.is_negative and not isinstance(p, sp.exp)]
        for u in sorted(inner, key=sp.count_ops):
            if on.x in u.free_symbols and not evident(u, on, strict=True):
                rungs = self.climb(u, on, strict=True)
                if rungs is not None:
                    lemmas.append({"f": sp.sstr(u), "rungs": rungs})
                    on = Interval(on.x, on.low, on.high, (*on.known, u))
        return on, lemmas

    def climb(self, f: sp.Expr, on: Interval, strict: bool, depth: int = 0) -> Rungs | None:
        """Rungs for f >= 0 (f > 0) on the interval."""
        key = (f, on.low, on.high, strict)
        if (
            depth > DEEPEST
            or sp.count_ops(f) > LARGEST
            or key in self.failed
            or not defined(f, on)
            or negative_somewhere(f, on)
        ):
            return None
        if evident(f, on, strict):
            return [{"rule": "evident"}]
        self.failed.add(key)  # until it succeeds: a ladder must not run in circles
        self.effort -= 1
        if self.effort < 0:
            return None
        for rung, then in moves(f, on):
            rest = self.climb(then, on, strict and not rung.pop("positive start", False), depth + 1)
            if rest is not None:
                return [{**rung, "then": sp.sstr(then)}, *rest]
        return (
            self.split(f, on, strict, depth, zeros(f, on))
            or self.turn(f, on, strict, depth)
            or self.split(f, on, strict, depth, [middle(on)])
        )

    def turn(self, f: sp.Expr, on: Interval, strict: bool, depth: int) -> Rungs | None:
        """Replace x by 1/x, once, so that equality at infinity becomes equality at an end."""
        if on.low < 0 or on.high is not None or depth >= TURNED:
            return None
        turned = Interval(on.x, Fraction(0), 1 / on.low if on.low else None)
        then = sp.expand(f.subs(on.x, 1 / on.x), log=False)
        rest = self.climb(then, turned, strict, TURNED)
        return None if rest is None else [{"rule": "reciprocal", "then": sp.sstr(then)}, *rest]

    def split(
        self, f: sp.Expr, on: Interval, strict: bool, depth: int, places: list[Fraction]
    ) -> Rungs | None:
        """Cut the interval at one of the places, and climb on both sides."""
        for at in places:
            s = known_sign(f, on.x, at)
            if s is None or s < int(strict):
                continue
            below = self.climb(f, Interval(on.x, on.low, at, on.known), strict, depth + 8)
            above = below and self.climb(f, Interval(on.x, at, on.high, on.known), strict, depth + 8)
            if below and above:
                return [{"rule": "split", "at": str(at), "below": below, "above": above}]
        return None


def moves(f: sp.Expr, on: Interval) -> Iterator[tuple[dict[str, Any], sp.Expr]]:
    """Rungs worth trying on f, most promising first, each with the expression it leads to."""
    if stripped := without_positive_factors(f, on):
        factor, rest = stripped
        yield {"rule": "times", "factor": sp.sstr(factor)}, rest
        return
    if terms := as_logarithms(f, on):
        above = sp.Mul(*(u**c for c, u in terms if c > 0))
        below = sp.Mul(*(u**-c for c, u in terms if c < 0))
        yield {"rule": "exponentiate", "terms": [[c, sp.sstr(u)] for c, u in terms]}, sp.expand(above - below)
    yield from slopes(f, on)
    for factor in multipliers(f, on):
        yield {"rule": "times", "factor": sp.sstr(factor)}, sp.expand(factor * f)


def slopes(f: sp.Expr, on: Interval) -> Iterator[tuple[dict[str, Any], sp.Expr]]:
    slope = sp.diff(f, on.x)
    if sp.count_ops(slope) > LARGEST:
        return
    slope = sp.expand(slope)
    for rule, end, then in (("left", on.low, slope), ("right", on.high, sp.expand(-slope))):
        s = None if end is None else known_sign(f, on.x, end)
        if s is not None and s >= 0:
            yield {"rule": rule, "positive start": s > 0}, then


def without_positive_factors(f: sp.Expr, on: Interval) -> tuple[sp.Expr, sp.Expr] | None:
    """(1/g, f/g) for the product g of all evidently positive factors of f; None if there are none."""
    parts = sp.Mul.make_args(sp.factor(sp.together(f)))
    positive = [p for p in parts if not p.is_Rational and evident(p, on, strict=True)]
    if not positive:
        return None
    rest = sp.expand(sp.Mul(*(p for p in parts if p not in positive)))
    factor = sp.Mul(*(1 / p for p in positive))
    return (factor, rest) if rest != f and defined(factor, on) else None


def multipliers(f: sp.Expr, on: Interval) -> Iterator[sp.Expr]:
    """Positive factors that make differentiation bite: exp(-kx), and 1/p where p multiplies a logarithm."""
    flat = sp.expand(f)
    for e in sorted((g for g in flat.atoms(sp.exp) if g.has(on.x)), key=sp.default_sort_key):
        yield sp.exp(-e.exp)
    for g in sorted((g for g in flat.atoms(sp.log) if g.has(on.x)), key=sp.default_sort_key):
        p = flat.coeff(g, 1)
        for coefficient in (p, sp.expand(-p)):
            if coefficient.has(on.x) and evident(coefficient, on, strict=True):
                yield 1 / sp.factor(coefficient)


def as_logarithms(f: sp.Expr, on: Interval) -> list[tuple[int, sp.Expr]] | None:
    """f as a sum of whole multiples of logarithms, two of them at least in the variable; else None."""
    terms: list[tuple[int, sp.Expr]] = []
    for term in sp.Add.make_args(sp.expand(f, log=False)):
        c, rest = term.as_coeff_Mul()
        if not c.is_Integer or not isinstance(rest, sp.log):
            return None
        terms.append((int(c), rest.args[0]))
    usable = len(terms) > 1 and all(evident(u, on, strict=True) for _, u in terms)
    return terms if usable else None


def known_sign(f: sp.Expr, x: sp.Symbol, at: Fraction) -> int | None:
    try:
        return sign_at(f, x, at)
    except Unknown:
        return None


def negative_somewhere(f: sp.Expr, on: Interval) -> bool:
    """A cheap glance at a few points: a ladder for something negative cannot exist."""
    value = ball_function(f, [on.x])
    return any(value(number(at)) < 0 for at in glance(on))


def glance(on: Interval) -> Iterator[Fraction]:
    for k in range(-6, 7, 2):
        step = Fraction(2) ** k
        yield on.low + (step if on.high is None else (on.high - on.low) * step / (1 + step))


def zeros(f: sp.Expr, on: Interval) -> list[Fraction]:
    """Simple numbers inside the interval where f vanishes: there it must be cut, or nowhere."""
    simple = sorted(
        {Fraction(p, q) for q in (1, 2, 3) for p in range(-3, 4)}, key=lambda r: (r.denominator, abs(r))
    )
    inside = [at for at in simple if on.low < at and (on.high is None or at < on.high)]
    return [at for at in inside if known_sign(f, on.x, at) == 0]


def middle(on: Interval) -> Fraction:
    return on.low + 1 if on.high is None else (on.low + on.high) / 2
