"""What is known at a point: the facts of a context, the ranges they give, the signs that are evident.

A context is a set of points: those at which every given fact is defined and true.  `evident` is deliberately
weak and purely structural (sums, products and powers of things already seen to be positive, and polynomials
with nonnegative coefficients once each range is mapped to (0, oo)); it answers True only when the sign is
certain.  `defined` says that a term has a value everywhere in the context, or there all its derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor
from typing import Any, NamedTuple

from flint import fmpq, fmpq_poly

from .evaluate import closed_sign
from .ring import Monomial, Polynomial, Ring, plus, same, times
from .terms import BINDERS, Rejected, Term, free, inner, require, spend, subterms, term, variable

HALVINGS = 12
ENTIRE = ("exp", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "number", "+", "*")
ODD = ("sinh", "tanh", "atan", "asinh", "erf", "asin", "atanh")


class Fact(NamedTuple):
    """gap >= 0, > 0, == 0 or != 0."""

    gap: Term
    op: str

    @classmethod
    def of(cls, left: Term, op: str, right: Term) -> Fact:
        return cls(right - left, {"<=": ">=", "<": ">"}[op]) if op in ("<=", "<") else cls(left - right, op)


class Range(NamedTuple):
    """The values a variable may take: ends (None is infinite) and whether each end is left out."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True)
class Context:
    """Variables with their kinds (real or integer), declared smooth functions, and facts.

    `given` facts say which points these are; `shown` ones were proved to hold at all of them.
    """

    kinds: tuple[tuple[str, str], ...]
    functions: frozenset[str] = frozenset()
    given: tuple[Fact, ...] = ()
    shown: tuple[Fact, ...] = ()
    memory: dict[Any, bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.given + self.shown

    @property
    def names(self) -> dict[str, Term]:
        return {name: variable(name) for name, _ in self.kinds}

    def plus(self, *given: Fact) -> Context:
        return replace(self, given=(*self.given, *given), memory={})

    def knowing(self, fact: Fact) -> Context:
        return replace(self, shown=(*self.shown, fact), memory={})

    def with_variable(self, name: str, kind: str, *given: Fact) -> Context:
        require(name not in self.names, f"{name} is already a variable")
        return replace(self.plus(*given), kinds=(*self.kinds, (name, kind)), memory={})

    def without(self, name: str) -> Context:
        """The same without this variable and every fact about it: whatever lies below some point here."""
        given, shown = (tuple(f for f in fs if name not in free(f.gap)) for fs in (self.given, self.shown))
        # What was shown from a dropped fact about other variables too need not follow from the rest.
        kept = all(free(f.gap) <= {name} for f in self.given if name in free(f.gap))
        kinds = tuple(k for k in self.kinds if k[0] != name)
        return Context(kinds, self.functions, given, shown if kept else ())

    def interval(self, name: str, inner: bool = False) -> Context:
        """At least these points, with the variable filling an interval (or, if inner, its inside)."""
        r, x = self.ranges[name], variable(name)
        ends = [(x - r.low, r.low_open)] if r.low is not None else []
        ends += [(-x + r.high, r.high_open)] if r.high is not None else []
        given = (Fact(gap, ">" if inner or is_open else ">=") for gap, is_open in ends)
        rest = self.without(name)
        # What was shown from facts that are dropped here, or for whole numbers, need not hold any more.
        kept = (name, "real") in self.kinds and all(_bound(f) for f in self.given if name in free(f.gap))
        kinds = tuple((n, "real" if n == name else kind) for n, kind in self.kinds)
        return Context(kinds, self.functions, (*rest.given, *given), self.shown if kept else rest.shown)

    def within(self, f: Term, kind: str) -> Context:
        """The context of the body of a sum or an integral: its variable lies between the ends."""
        x = variable(f.args[1])
        return self.with_variable(f.args[1], kind, Fact(x - f.args[2], ">="), Fact(f.args[3] - x, ">="))

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """What the facts that are linear in one variable say about its range."""
        found = {name: Range() for name, _ in self.kinds}
        for fact in self.facts:
            for name, at, low, is_open in _bound(fact):
                if dict(self.kinds)[name] == "integer":  # the next whole number inside
                    strict = is_open or at.denominator > 1
                    at, is_open = Fraction(floor(at) + strict if low else -floor(-at) - strict), False
                r = found[name]
                if low and (r.low is None or at > r.low or (at == r.low and is_open)):
                    found[name] = r._replace(low=at, low_open=is_open)
                if not low and (r.high is None or at < r.high or (at == r.high and is_open)):
                    found[name] = r._replace(high=at, high_open=is_open)
        return found

    # --- signs ------------------------------------------------------------------------------------------

    def evident(self, f: Term, strict: bool) -> bool:
        """Is f > 0 (f >= 0 if not strict) at every point where it is defined, by its form alone?"""
        spend(1)
        if (f, strict) not in self.memory:
            self.memory[f, strict] = False  # until shown: asked again on the way, it is not yet known
            self.memory[f, strict] = self._evident(f, strict)
        return self.memory[f, strict]

    def _evident(self, f: Term, strict: bool) -> bool:
        if not free(f) and not any(t.op == "function" for t in subterms(f)):
            found = closed_sign(f)
            return found is not None and found >= int(strict)
        allowed = (">",) if strict else (">", ">=", "==")
        if any(k.op in allowed and free(k.gap) == free(f) and same(f, k.gap) for k in self.facts):
            return True
        parts = inner(f)
        match f.op:
            case "exp" | "cosh":
                return True
            case "abs":
                return not strict or self.nonzero(parts[0])
            case "log":
                return self.evident(parts[0] - 1, strict)
            case "max":
                return any(self.evident(a, strict) for a in parts)
            case "min":
                return all(self.evident(a, strict) for a in parts)
            case "**":
                return self._evident_power(parts[0], parts[1].value, strict)
            case "*" if all(self.evident(a, strict) for a in parts):
                return True
            case "+" if all(self.evident(a, False) for a in parts):
                return not strict or any(self.evident(a, True) for a in parts)
            case op if op in ODD:
                return self.evident(parts[0], strict)
            case "sum" if f.args[1] not in self.names:
                return not strict and self.within(f, "integer").evident(f.args[0], False)
        return self._collected(f, strict)

    def _evident_power(self, base: Term, e: Fraction | None, strict: bool) -> bool:
        if e is None:
            return self.evident(base, True)
        nonzero = strict or e <= 0
        if e.denominator == 1 and e % 2 == 0:
            return not nonzero or self.nonzero(base)
        # A root is not negative where it is defined.
        return (e.denominator > 1 and not nonzero) or self.evident(base, nonzero)

    def nonzero(self, f: Term) -> bool:
        """Is f evidently different from 0?"""
        if any(k.op == "!=" and free(k.gap) == free(f) and (same(f, k.gap) or same(-f, k.gap)) for k in self.facts):
            return True
        if f.op == "*" or (f.op == "**" and f.args[1].value is not None):
            return all(self.nonzero(a) for a in (f.args if f.op == "*" else f.args[:1]))
        return self.evident(f, True) or self.evident(-f, True)

    def _collected(self, f: Term, strict: bool) -> bool:
        """f = sum of p_i(variables) * (product of kernels that are positive), every p_i positive."""
        try:
            ring = Ring.over([f])
            whole = ring.read(f)
            axes = {g: self.ranges[k.args[0]] for g, k in enumerate(ring.kernels) if k.op == "variable"}
        except (Rejected, KeyError):
            return False
        kernels = {g: k for g, k in enumerate(ring.kernels) if k.op in ("exp", "log", "**", "abs")}
        strictly = {g for g, k in kernels.items() if self.evident(k, True)}
        weakly = strictly | {g for g, k in kernels.items() if self.evident(k, False)}

        def positive(p: Polynomial, wanted: bool) -> bool:
            groups: dict[Monomial, Polynomial] = {}
            for monomial, c in p.items():
                rest = tuple((g, k) for g, k in monomial if g not in axes)
                groups.setdefault(rest, {})[tuple(x for x in monomial if x[0] in axes)] = c
            if not all(g in weakly for rest in groups for g, _ in rest):
                return False
            found = {rest: polynomial_sign(q, axes, HALVINGS) for rest, q in groups.items()}
            seen = any(s > 0 and all(g in strictly for g, _ in rest) for rest, s in found.items())
            return min(found.values(), default=0) >= 0 and (seen or not wanted)

        return positive(whole.den, True) and positive(whole.num, strict)

    # --- definedness ------------------------------------------------------------------------------------

    def defined(self, f: Term, smooth: bool = False) -> bool:
        """Has f a value (and, if smooth, all its derivatives) at every point of the context?"""
        spend(1)
        if (f, smooth, "defined") not in self.memory:
            parts = f.args[2:] if f.op in BINDERS else inner(f)
            fine = all(self.defined(a, smooth) for a in parts) and self._defined_at(f, smooth)
            self.memory[f, smooth, "defined"] = fine
        return self.memory[f, smooth, "defined"]

    def _defined_at(self, f: Term, smooth: bool) -> bool:
        """Is f defined wherever its arguments are?"""
        match f.op:
            case "variable":
                return f.args[0] in self.names
            case "**":
                base, e = f.args[0], f.args[1].value
                if e is not None and e.denominator == 1:
                    return e >= 0 or self.nonzero(base)
                return self.evident(base, strict=smooth or e is None or e < 0)
            case "log" | "gamma" | "loggamma":
                return self.evident(f.args[0], True)
            case "besseli" | "polygamma":
                order = f.args[0].value in range(100)
                return order and (f.op == "besseli" or self.evident(f.args[1], True))
            case "asin" | "acos" | "atanh":
                return self.evident(-(f.args[0] ** 2) + 1, smooth or f.op == "atanh")
            case "acosh":
                return self.evident(f.args[0] - 1, smooth)
            case "tan":
                return self.nonzero(term("cos", f.args[0]))
            case "abs" | "min" | "max":
                return not smooth
            case "sum" | "integral" if f.args[1] not in self.names:
                whole = f.op == "sum"
                fits = self.evident(f.args[3] - f.args[2] + int(whole), False)
                if not fits or (whole and not all(self.integer(end) for end in f.args[2:])):
                    return False
                return self.within(f, "integer" if whole else "real").defined(f.args[0], smooth)
        return f.op in (*ENTIRE, "pi", "function")

    def integer(self, f: Term) -> bool:
        """Is f a whole number by its form?"""
        spend(1)
        if f.value is not None or f.op == "variable":
            return (f.value or Fraction(0)).denominator == 1 and (
                f.value is not None or (f.args[0], "integer") in self.kinds
            )
        return f.op in ("+", "*", "min", "max", "abs") and all(self.integer(a) for a in f.args)


def _bound(fact: Fact) -> list[tuple[str, Fraction, bool, bool]]:
    """The bounds on one variable that c1*x + c0 >= 0, > 0 or == 0 gives: name, value, from below?, open?"""
    if fact.op == "!=" or len(free(fact.gap)) != 1:
        return []
    try:
        ring = Ring.over([fact.gap])
        whole = ring.read(fact.gap)
    except Rejected:
        return []
    x = ((0, 1),)
    linear = len(ring.kernels) == 1 and set(whole.den) == {()} and x in whole.num and not set(whole.num) - {(), x}
    if not linear or ring.kernels[0].op != "variable":
        return []
    at, name = -whole.num.get((), Fraction(0)) / whole.num[x], ring.kernels[0].args[0]
    if fact.op == "==":
        return [(name, at, True, False), (name, at, False, False)]
    return [(name, at, whole.num[x] / whole.den[()] > 0, fact.op == ">")]


# --- polynomials on products of ranges --------------------------------------------------------------------


def polynomial_sign(p: Polynomial, axes: dict[int, Range], halvings: int) -> int:
    """1 if p > 0 on the whole product of ranges, 0 if p >= 0, -1 if neither is seen.

    Each range is mapped to t in (0, oo), by x = low + t, x = high - t or x = (low + high t)/(1 + t); then
    coefficients that are all nonnegative decide.  In one variable the range is halved where they mix.
    """
    used = sorted({g for monomial in p for g, _ in monomial})
    degrees = {g: max(dict(m).get(g, 0) for m in p) for g in used}
    q = p
    for g in used:
        q = _mapped(q, g, axes[g], degrees[g])
    free_axes = {g for g in used if axes[g].low is None and axes[g].high is None}
    if all(c > 0 and all(k % 2 == 0 or g not in free_axes for g, k in m) for m, c in q.items()):
        # Positive off the ends; at each corner of ends some monomial must survive.
        corners = product(*(_closed_ends(axes[g], degrees[g]) for g in used))
        survivors = (any(all(k is None or dict(m).get(g, 0) == k for g, k in zip(used, corner, strict=True)) for m in q)
                     for corner in corners)  # fmt: skip
        return int(bool(q) and all(survivors))
    return _halved(p, used[0], axes[used[0]], halvings) if halvings and len(used) == 1 else -1


def _closed_ends(r: Range, degree: int) -> list[int | None]:
    """The exponents of t that survive at each end that belongs to the range; [None] if none does."""
    if r.low is None and r.high is None:
        return [0]
    ends: list[int | None] = [0] if r.low is not None and not r.low_open else []
    ends += [0 if r.low is None else degree] if r.high is not None and not r.high_open else []
    return ends or [None]


def _mapped(p: Polynomial, g: int, r: Range, degree: int) -> Polynomial:
    if r.low is None and r.high is None:
        return p
    result: Polynomial = {}
    for monomial, c in p.items():
        k = dict(monomial).get(g, 0)
        if r.low is not None and r.high is not None:
            moved = _line(r.low, r.high) ** k * _line(1, 1) ** (degree - k)
        else:
            moved = (_line(r.low, 1) if r.low is not None else _line(r.high or 0, -1)) ** k
        powers: Polynomial = {
            ((g, e),) if e else (): Fraction(int(v.p), int(v.q)) for e, v in enumerate(moved.coeffs()) if v
        }
        result = plus(result, times({tuple(x for x in monomial if x[0] != g): c}, powers))
    return result


def _line(a: Fraction | int, b: Fraction | int) -> Any:
    """a + b t."""
    return fmpq_poly([fmpq(*Fraction(v).as_integer_ratio()) for v in (a, b)])


def _halved(p: Polynomial, g: int, r: Range, halvings: int) -> int:
    if r.low is None or (r.high is not None and r.low >= r.high):
        return -1
    middle = (r.low + r.high) / 2 if r.high is not None else max(2 * abs(r.low), Fraction(1)) + r.low
    if sum(c * middle ** dict(m).get(g, 0) for m, c in p.items()) <= 0:
        return -1
    parts = (r._replace(high=middle, high_open=False), r._replace(low=middle, low_open=False))
    return min(polynomial_sign(p, {g: part}, halvings - 1) for part in parts)
