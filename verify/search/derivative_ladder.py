"""The search for a ladder: guesses freely, because only the kernel decides what a guess is worth.

Differentiate and take the sign at an end; strip evidently positive factors; multiply by exp(-kx) or
divide by what multiplies a logarithm, so that the next derivative is simpler; exponentiate a sum of
logarithms; cut where the function touches zero; turn x into 1/x when equality lies at infinity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import ball_function
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import closed_sign
from glbcheck.core.kernel.terms import Rejected, substitute, variable
from glbcheck.core.kernel.terms import number as exactly
from glbcheck.verify.certificate import EVIDENT, Proof
from glbcheck.verify.search.formulas import term_of, text

DEEPEST = 40
LARGEST = 150  # operations; beyond it, differentiation only makes things worse
TURNED = 20  # the depth that counts as: already turned around


@dataclass(frozen=True)
class Interval:
    """The open interval (low, high) of the variable x; high is None for oo.  `known` is positive on it."""

    x: sp.Symbol
    low: Fraction
    high: Fraction | None
    known: tuple[sp.Expr, ...] = ()

    def __post_init__(self) -> None:
        if self.high is not None and self.low >= self.high:
            raise BadInput("high", str(self.high), f"an end above low = {self.low}")

    @cached_property
    def context(self) -> Context:
        x = variable(self.x.name)
        given = [Fact(x - self.low, ">")]
        given += [] if self.high is None else [Fact(-x + self.high, ">")]
        shown = tuple(Fact(term_of(u), ">") for u in self.known)
        return Context(((self.x.name, "real"),), frozenset(), (*given, *shown))


def expanded(f: sp.Expr) -> sp.Expr:
    """Multiplied out, but the logarithm of a product is left: the kernel does not see that it is a sum."""
    return sp.expand(f, log=False)


def evident(f: sp.Expr, on: Interval, strict: bool) -> bool:
    try:
        return on.context.evident(term_of(f), strict)
    except Rejected:
        return False


def defined(f: sp.Expr, on: Interval) -> bool:
    try:
        return on.context.defined(term_of(f), True)
    except Rejected:
        return False


def known_sign(f: sp.Expr, x: sp.Symbol, at: Fraction | None) -> int | None:
    """The sign of f at a point where it has a value, as far as the kernel can tell."""
    if at is None:
        return None
    try:
        return closed_sign(substitute(term_of(f), {x.name: exactly(at)}))
    except Rejected:
        return None


@dataclass
class Search:
    """Depth-first search for a ladder, within a number of steps; failures are remembered."""

    effort: int
    failed: set[tuple[Any, ...]] = field(default_factory=set)

    def helpers(self, f: sp.Expr, on: Interval) -> tuple[Interval, list[tuple[sp.Expr, Proof]]]:
        """Ladders for what f divides by or takes the logarithm of, where that is not evidently positive."""
        lemmas: list[tuple[sp.Expr, Proof]] = []
        inner = [g.args[0] for g in f.atoms(sp.log)]
        inner += [p.base for p in f.atoms(sp.Pow) if p.exp.is_negative and not isinstance(p, sp.exp)]
        for u in sorted(inner, key=sp.count_ops):
            if on.x in u.free_symbols and not evident(u, on, strict=True):
                proof = self.climb(u, on, strict=True)
                if proof is not None:
                    lemmas.append((u, proof))
                    on = Interval(on.x, on.low, on.high, (*on.known, u))
        return on, lemmas

    def climb(self, f: sp.Expr, on: Interval, strict: bool, depth: int = 0) -> Proof | None:
        """A proof of f >= 0 (f > 0) on the interval."""
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
            return EVIDENT
        self.failed.add(key)  # until it succeeds: a ladder must not run in circles
        self.effort -= 1
        if self.effort < 0:
            return None
        for move, then in moves(f, on, strict):
            needs_strict = strict and move.get("start") != "positive"
            rest = self.climb(then, on, needs_strict, depth + 1)
            if rest is not None:
                return {**move, "then": text(then), "proof": rest}
        return (
            self.split(f, on, strict, depth, zeros(f, on))
            or self.turn(f, on, strict, depth)
            or self.split(f, on, strict, depth, [middle(on)])
        )

    def turn(self, f: sp.Expr, on: Interval, strict: bool, depth: int) -> Proof | None:
        """Replace x by 1/x, once, so that equality at infinity becomes equality at an end."""
        if on.low < 0 or on.high is not None or depth >= TURNED:
            return None
        turned = Interval(on.x, Fraction(0), 1 / on.low if on.low else None)
        then = expanded(f.subs(on.x, 1 / on.x))
        rest = self.climb(then, turned, strict, TURNED)
        if rest is None:
            return None
        old, new = on.x.name, f"{on.x.name}_"
        facts = [f"{new} > 0", *([f"{new} < {1 / on.low}"] if on.low else [])]
        inner: Proof = {"rule": "times", "then": renamed(text(then), old, new), "proof": renamed(rest, old, new)}
        return {"rule": "substitution", "variable": old, "new": new, "value": f"1/{new}", "inverse": f"1/{old}",
                "facts": facts, "proof": inner}  # fmt: skip

    def split(self, f: sp.Expr, on: Interval, strict: bool, depth: int, places: list[Fraction]) -> Proof | None:
        """Cut the interval at one of the places, and climb on both sides."""
        for at in places:
            s = known_sign(f, on.x, at)
            if s is None or s < int(strict):
                continue
            below = self.climb(f, Interval(on.x, on.low, at, on.known), strict, depth + 8)
            above = below and self.climb(f, Interval(on.x, at, on.high, on.known), strict, depth + 8)
            if below and above:
                pinned = {"rule": "pinned", "proof": EVIDENT}
                left = {"rule": "cases", "at": f"({at}) - {on.x.name}", "below": pinned, "above": below}
                return {"rule": "cases", "at": f"{on.x.name} - ({at})", "below": left, "above": above}
        return None


def on_interval(f: sp.Expr, on: Interval, strict: bool, closed: tuple[bool, bool], search: Search) -> Proof | None:
    """A proof on the open interval, with the ends that belong to the interval taken one by one."""
    inside, lemmas = search.helpers(f, on)
    proof = search.climb(f, inside, strict)
    if proof is None:
        return None
    proof = {"rule": "times", "then": text(f), "proof": proof}
    for u, by in reversed(lemmas):
        proof = {"rule": "lemma", "relation": f"{text(u)} > 0", "by": by, "proof": proof}
    x = on.x.name
    for belongs, at in zip(closed, (f"{x} - ({on.low})", f"{on.high} - {x}"), strict=True):
        if belongs:
            pinned = {"rule": "pinned", "proof": EVIDENT}
            proof = {"rule": "cases", "at": at, "above": proof, "below": pinned}
    return proof


def renamed(proof: Any, old: str, new: str) -> Any:
    """The proof with one variable called otherwise."""
    if isinstance(proof, str):
        return re.sub(rf"\b{re.escape(old)}\b", new, proof)
    if isinstance(proof, dict):
        return {key: value if key == "rule" else renamed(value, old, new) for key, value in proof.items()}
    return [renamed(value, old, new) for value in proof] if isinstance(proof, list) else proof


def moves(f: sp.Expr, on: Interval, strict: bool) -> Iterator[tuple[dict[str, Any], sp.Expr]]:
    """Rungs worth trying on f, most promising first, each with the expression it leads to."""
    if stripped := without_positive_factors(f, on):
        factor, rest = stripped
        yield {"rule": "times", "factor": text(factor)}, rest
        return
    if terms := as_logarithms(f, on):
        above = sp.Mul(*(u**c for c, u in terms if c > 0))
        below = sp.Mul(*(u**-c for c, u in terms if c < 0))
        yield {"rule": "exponentiate", "terms": [[c, text(u)] for c, u in terms]}, expanded(above - below)
    yield from slopes(f, on, strict)
    for factor in multipliers(f, on):
        yield {"rule": "times", "factor": text(factor)}, expanded(factor * f)


def slopes(f: sp.Expr, on: Interval, strict: bool) -> Iterator[tuple[dict[str, Any], sp.Expr]]:
    slope = sp.diff(f, on.x)
    if sp.count_ops(slope) > LARGEST:
        return
    slope = expanded(slope)
    for side, end, then in (("low", on.low, slope), ("high", on.high, expanded(-slope))):
        s = known_sign(f, on.x, end)
        if s is not None and s >= 0:
            start = "positive" if strict and s > 0 else "zero"
            yield {"rule": "monotone", "variable": on.x.name, "from": side, "start": start,
                   "at": EVIDENT}, then  # fmt: skip


def without_positive_factors(f: sp.Expr, on: Interval) -> tuple[sp.Expr, sp.Expr] | None:
    """(1/g, f/g) for the product g of all evidently positive factors of f; None if there are none."""
    marks = {g: sp.Dummy(real=True) for g in f.atoms(sp.log)}  # for SymPy would take log(2*x) apart
    back = {mark: g for g, mark in marks.items()}
    parts = [part.xreplace(back) for part in sp.Mul.make_args(sp.factor(sp.together(f.xreplace(marks))))]
    positive = [p for p in parts if not p.is_Rational and evident(p, on, strict=True)]
    if not positive:
        return None
    rest = expanded(sp.Mul(*(p for p in parts if p not in positive)))
    factor = sp.Mul(*(1 / p for p in positive))
    return (factor, rest) if rest != f and defined(factor, on) else None


def multipliers(f: sp.Expr, on: Interval) -> Iterator[sp.Expr]:
    """Positive factors that make differentiation bite: exp(-kx), and 1/p where p multiplies a logarithm."""
    flat = expanded(f)
    for e in sorted((g for g in flat.atoms(sp.exp) if g.has(on.x)), key=sp.default_sort_key):
        yield sp.exp(-e.exp)
    for g in sorted((g for g in flat.atoms(sp.log) if g.has(on.x)), key=sp.default_sort_key):
        p = flat.coeff(g, 1)
        for coefficient in (p, expanded(-p)):
            if coefficient.has(on.x) and evident(coefficient, on, strict=True):
                yield 1 / sp.factor(coefficient)


def as_logarithms(f: sp.Expr, on: Interval) -> list[tuple[int, sp.Expr]] | None:
    """f as a sum of whole multiples of logarithms, two of them at least in the variable; else None."""
    terms: list[tuple[int, sp.Expr]] = []
    for term in sp.Add.make_args(expanded(f)):
        c, rest = term.as_coeff_Mul()
        if not c.is_Integer or not isinstance(rest, sp.log):
            return None
        terms.append((int(c), rest.args[0]))
    usable = len(terms) > 1 and all(evident(u, on, strict=True) for _, u in terms)
    return terms if usable else None


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
    simple = sorted({Fraction(p, q) for q in (1, 2, 3) for p in range(-3, 4)}, key=lambda r: (r.denominator, abs(r)))
    inside = [at for at in simple if on.low < at and (on.high is None or at < on.high)]
    return [at for at in inside if known_sign(f, on.x, at) == 0]


def middle(on: Interval) -> Fraction:
    return on.low + 1 if on.high is None else (on.low + on.high) / 2
