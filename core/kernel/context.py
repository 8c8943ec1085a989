"""What is known at a point: the facts of a context, the ranges they give, the signs that are evident."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from math import floor
from typing import Any, NamedTuple

from .evaluate import closed_sign
from .language import parse, parse_relation
from .ring import Polynomial, normal_form, plus, same, times, whole_power
from .terms import BINDERS, Term, require, spend, subterms, term, variable

ENTIRE = ("exp", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "number", "+", "*", "pi", "function")
ODD = ("sinh", "tanh", "atan", "asinh", "erf", "asin", "atanh")


class Fact(NamedTuple):
    """gap >= 0, > 0, == 0 or != 0."""

    gap: Term
    op: str

    @classmethod
    def of(cls, left: Term, op: str, right: Term) -> Fact:
        return cls(right - left, {"<=": ">=", "<": ">"}[op]) if op in ("<=", "<") else cls(left - right, op)

    @property
    def strict(self) -> bool:
        """Is it > and not >=?  The question refuses whatever is no inequality."""
        require(self.op in (">", ">="), f"this rule is about inequalities, not {self.op}")
        return self.op == ">"

    @property
    def denied(self) -> Fact:
        scale, op = {">=": (-1, ">"), ">": (-1, ">="), "!=": (1, "==")}[self.op]
        return Fact(self.gap * scale, op)


class Range(NamedTuple):
    """The values a variable may take: ends (None is infinite) and whether each end is left out."""

    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False


def once(decide: Callable[[Context, Term, bool], bool]) -> Callable[..., bool]:
    """A question that a context answers only once; asked again on the way to its answer, it is not yet shown."""

    def answered(context: Context, f: Term, extra: bool = False) -> bool:
        spend(1)
        if (decide, f, extra) not in context.memory:
            context.memory[decide, f, extra] = False
            context.memory[decide, f, extra] = decide(context, f, extra)
        return context.memory[decide, f, extra]

    return answered


@dataclass(frozen=True)
class Context:
    """A set of points: variables with their kinds (real or integer), smooth functions, facts that hold there."""

    kinds: tuple[tuple[str, str], ...]
    functions: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    memory: dict[Any, bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> dict[str, Term]:
        return {name: variable(name) for name, _ in self.kinds}

    def read(self, text: Any, **more: Term) -> Term:
        return parse(text, {**self.names, **more}, self.functions)

    def read_fact(self, text: Any) -> Fact:
        return Fact.of(*parse_relation(text, self.names, self.functions))

    def plus(self, *facts: Fact) -> Context:
        return replace(self, facts=(*self.facts, *facts), memory={})

    def with_variable(self, name: str, kind: str, *facts: Fact) -> Context:
        require(name not in self.names, f"{name} is already a variable")
        return replace(self.plus(*facts), kinds=(*self.kinds, (name, kind)))

    def without(self, *names: str) -> Context:
        """The same without these variables and every fact about them: at least what lies below some point."""
        facts = tuple(f for f in self.facts if f.gap.free.isdisjoint(names))
        return Context(tuple(k for k in self.kinds if k[0] not in names), self.functions, facts)

    def interval(self, name: str, inside: bool = False) -> Context:
        """At least these points (or those off the ends), with the variable a real number between its ends."""
        low, low_open, high, high_open = self.ranges[name]
        x, rest = variable(name), self.without(name)
        ends = [Fact(x - low, ">" if inside or low_open else ">=")] if low is not None else []
        ends += [Fact(-x + high, ">" if inside or high_open else ">=")] if high is not None else []
        return rest.with_variable(name, "real", *ends)

    def within(self, f: Term) -> Context:
        """The context of the body of a sum or an integral: its variable lies between the ends."""
        x, kind = variable(f.args[1]), "integer" if f.op == "sum" else "real"
        return self.with_variable(f.args[1], kind, Fact(x - f.args[2], ">="), Fact(f.args[3] - x, ">="))

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """What the facts that are linear in one variable say about its range."""
        found = {}
        for name, _ in self.kinds:
            low, low_open = max(self._bounds(name, 1), default=(None, False))
            high, high_open = max(self._bounds(name, -1), default=(None, False))
            found[name] = Range(low, low_open, None if high is None else -high, high_open)
        return found

    def _bounds(self, name: str, direction: int) -> list[tuple[Fraction, bool]]:
        """Numbers v with direction*x >= v, and whether v itself is left out, by facts about some a + slope*x."""
        found, lines = [], [fact for fact in self.facts if fact.gap.free == {name} and fact.op != "!="]
        for gap, op in lines:
            ring, (num, den), _ = normal_form(gap)
            x = next((((g, 1),) for g, known in enumerate(ring.generators) if known[2].op == "variable"), None)
            if x is None or x not in num or not num.keys() <= {(), x} or den.keys() != {()}:
                continue
            if op == "==" or num[x] * den[()] * direction > 0:
                at, is_open = -direction * num.get((), Fraction(0)) / num[x], op == ">"
                if (name, "integer") in self.kinds:  # the next whole number inside
                    at, is_open = Fraction(floor(at) + (is_open or at.denominator > 1)), False
                found.append((at, is_open))
        return found

    @once
    def evident(self, f: Term, strict: bool) -> bool:
        """Is f > 0 (f >= 0 if not strict) at every point where it is defined, by its form alone?"""
        if not f.free and not any(t.op == "function" for t in subterms(f)):
            found = closed_sign(f)
            return found is not None and found >= int(strict)
        allowed, op, us = (">",) if strict else (">", ">=", "=="), f.op, f.parts
        e = us[1].value if op == "**" else None
        return (
            any(k.op in allowed and k.gap.free == f.free and same(f, k.gap) for k in self.facts)
            or op in ("exp", "cosh")
            or (op == "abs" and (not strict or self.nonzero(us[0])))
            or (op == "log" and self.evident(us[0] - 1, strict))
            or (op == "max" and any(self.evident(a, strict) for a in us))
            or (op in ("min", "*", *ODD) and all(self.evident(a, strict) for a in us))
            or (op == "+" and all(self.evident(a, False) for a in us) and any(self.evident(a, strict) for a in us))
            or (op == "**" and self.evident(us[0], strict or e is None or e <= 0))
            or (op == "**" and e is not None and not strict and e > 0 and (e.denominator > 1 or e % 2 == 0))
            or (op == "**" and e is not None and e.denominator == 1 and e % 2 == 0 and self.nonzero(us[0]))
            or (op == "sum" and not strict and f.args[1] not in self.names and self.within(f).evident(us[0], False))
            or self._collected(f, strict)
        )

    def nonzero(self, f: Term) -> bool:
        """Is f evidently different from 0?"""
        if any(k.op == "!=" and k.gap.free == f.free and (same(f, k.gap) or same(-f, k.gap)) for k in self.facts):
            return True
        if f.op == "*" or (f.op == "**" and f.args[1].value is not None):
            return all(self.nonzero(a) for a in (f.args if f.op == "*" else f.args[:1]))
        return self.evident(f, True) or self.evident(-f, True)

    def _collected(self, f: Term, strict: bool) -> bool:
        """Is the normal form of f a ratio of polynomials in variables and positive kernels that has the sign?"""
        (ring, (num, den), _), axes = normal_form(f), dict[int, Range]()
        for g, (_, _, kernel) in enumerate(ring.generators):
            if kernel.op == "variable" and kernel.args[0] in self.ranges:
                axes[g] = self.ranges[kernel.args[0]]
            elif kernel.op in ("exp", "log", "**", "abs") and self.evident(kernel, False):
                axes[g] = Range(Fraction(0), low_open=self.evident(kernel, True))
        return sign(den, axes) > 0 and sign(num, axes) >= int(strict)

    def require_defined(self, f: Term, smooth: bool = False) -> None:
        require(self.defined(f, smooth), f"{f} is not seen to be {'smooth' if smooth else 'defined'} here")

    @once
    def defined(self, f: Term, smooth: bool) -> bool:
        """Has f a value (and, if smooth, all its derivatives) at every point of the context?"""
        op, args = f.op, f.args
        e = args[1].value if op == "**" else None
        return all(self.defined(a, smooth) for a in f.outer) and (
            op in ENTIRE
            or (op == "variable" and args[0] in self.names)
            or (op == "**" and e is not None and e.denominator == 1 and (e >= 0 or self.nonzero(args[0])))
            or (op == "**" and self.evident(args[0], smooth or e is None or e < 0))
            or (op in ("log", "gamma", "loggamma") and self.evident(args[0], True))
            or (op == "besseli" and args[0].value in range(100))
            or (op == "polygamma" and args[0].value in range(100) and self.evident(args[1], True))
            or (op in ("asin", "acos", "atanh") and self.evident(-(args[0] ** 2) + 1, smooth or op == "atanh"))
            or (op == "acosh" and self.evident(args[0] - 1, smooth))
            or (op == "tan" and self.nonzero(term("cos", args[0])))
            or (op in ("abs", "min", "max") and not smooth)
            or (
                op in BINDERS  # one way from the lower to the upper end, and the body defined on it
                and args[1] not in self.names
                and (op == "integral" or (self.integer(args[2]) and self.integer(args[3])))
                and self.evident(args[3] - args[2] + int(op == "sum"), False)
                and self.within(f).defined(args[0], smooth)
            )
        )

    def integer(self, f: Term) -> bool:
        """Is f a whole number by its form?"""
        spend(1)
        if f.op in ("number", "variable"):
            return f.args[0].denominator == 1 if f.op == "number" else (f.args[0], "integer") in self.kinds
        return f.op in ("+", "*", "min", "max", "abs") and all(self.integer(a) for a in f.args)


def sign(p: Polynomial, axes: dict[int, Range]) -> int:
    """1 if p > 0 with each generator anywhere in its range, 0 if p >= 0, -1 if neither is seen.

    A range is mapped to t in (0, oo) by x = low + t, x = high - t or x = (low + high t)/(1 + t); then all
    coefficients are positive, and where closed ends meet some monomial with just these powers of t is left.
    """
    used, ends = sorted({g for monomial in p for g, _ in monomial}), list[list[int | None]]()
    if not axes.keys() >= set(used):
        return -1
    for g, degree in [(g, max(dict(monomial).get(g, 0) for monomial in p)) for g in used]:
        low, low_open, high, high_open = axes[g]
        first_open, last_open = high_open if low is None else low_open, None in (low, high) or high_open
        ends.append([0] * (not first_open) + [degree] * (not last_open) or [None])
        if high is not None or low:  # x = (start + slope t)/(1 + two t), and p times (1 + two t)**degree
            t, two = ((g, 1),), low is not None and high is not None
            start, slope = (low, high if two else 1) if low is not None else (high, -1)
            lines = ((start, slope), (1, two))
            above, below = (plus({}, {(): Fraction(a or 0), t: Fraction(b or 0)}) for a, b in lines)
            powers = [(dict(m).get(g, 0), {tuple(power for power in m if power[0] != g): c}) for m, c in p.items()]
            parts = (times(rest, times(whole_power(above, k), whole_power(below, degree - k))) for k, rest in powers)
            p = reduce(plus, parts, Polynomial())
    both_ways = {g for g in used if axes[g].low is None and axes[g].high is None}
    if not all(c > 0 and all(k % 2 == 0 for g, k in m if g in both_ways) for m, c in p.items()):
        return -1
    exponents = [[dict(monomial).get(g, 0) for g in used] for monomial in p]
    left = (any(all(k in (None, e) for k, e in zip(at, es, strict=True)) for es in exponents) for at in product(*ends))
    return int(bool(p) and all(left))
