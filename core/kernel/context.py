"""What is known at a point: the facts of a context, the ranges they give, the signs that are evident.

A context is a set of points: those at which every fact is defined and true.  `evident` is deliberately weak
and purely structural (sums, products and powers of things already seen to be positive, and polynomials with
nonnegative coefficients once each range is mapped to (0, oo)); it answers True only when the sign is certain.
`defined` says that a term has a value everywhere in the context, `smooth` that it has all derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, floor
from typing import Any, NamedTuple

from . import evaluate
from .ring import Monomial, Polynomial, Ring, plus, same, times
from .terms import (
    MINUS,
    ONE,
    Rejected,
    Term,
    add,
    free,
    neg,
    number,
    power,
    require,
    sub,
    subterms,
    term,
    variable,
)

HALVINGS = 12
ENTIRE = ("exp", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "besseli")
ODD = ("sinh", "tanh", "atan", "asinh", "erf", "asin", "atanh")


class Fact(NamedTuple):
    """gap >= 0, > 0, == 0 or != 0."""

    gap: Term
    op: str


def facts_of(left: Term, op: str, right: Term) -> Fact:
    if op in ("<=", "<"):
        left, right, op = right, left, {"<=": ">=", "<": ">"}[op]
    return Fact(sub(left, right), op)


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

    def plus(self, *given: Fact) -> Context:
        return Context(self.kinds, self.functions, (*self.given, *given), self.shown)

    def knowing(self, fact: Fact) -> Context:
        return Context(self.kinds, self.functions, self.given, (*self.shown, fact))

    def with_variable(self, name: str, kind: str, *given: Fact) -> Context:
        require(name not in dict(self.kinds), f"{name} is already a variable")
        return Context((*self.kinds, (name, kind)), self.functions, (*self.given, *given), self.shown)

    def without(self, name: str) -> Context:
        """The same without this variable and every fact about it: all points that lie below some point here."""
        given, shown = (tuple(f for f in fs if name not in free(f.gap)) for fs in (self.given, self.shown))
        return Context(tuple(k for k in self.kinds if k[0] != name), self.functions, given, shown)

    def interval(self, name: str, inner: bool = False) -> Context:
        """At least these points, with the variable filling an interval (or, if inner, its inside)."""
        r, x = self.ranges[name], variable(name)
        ends = [(sub(x, number(r.low)), r.low_open)] if r.low is not None else []
        ends += [(sub(number(r.high), x), r.high_open)] if r.high is not None else []
        about = [f for f in self.given if name in free(f.gap)]
        kept = tuple(f for f in self.given if name not in free(f.gap))
        # What was shown from facts that are dropped here need not hold any more.
        shown = self.shown if all(_bounds(f) for f in about) else self.without(name).shown
        given = tuple(Fact(gap, ">" if inner or is_open else ">=") for gap, is_open in ends)
        return Context(self.kinds, self.functions, kept + given, shown)

    @property
    def names(self) -> dict[str, Term]:
        return {name: variable(name) for name, _ in self.kinds}

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """What the facts that are linear in one variable say about its range."""
        found = {name: Range() for name, _ in self.kinds}
        for fact in self.facts:
            for name, at, side, is_open in _bounds(fact):
                found[name] = _tightened(found[name], at, side, is_open, dict(self.kinds)[name] == "integer")
        return found

    # --- signs ------------------------------------------------------------------------------------------

    def evident(self, f: Term, strict: bool) -> bool:
        """Is f > 0 (f >= 0 if not strict) at every point where it is defined, by its form alone?"""
        key = f, strict
        if key not in self.memory:
            self.memory[key] = False  # until shown: asked again on the way, it is not yet known
            self.memory[key] = self._evident(f, strict)
        return self.memory[key]

    def _evident(self, f: Term, strict: bool) -> bool:
        if not free(f) and not any(t.op == "function" for t in subterms(f)):
            found = closed_sign(f)
            return found is not None and (found > 0 or (found == 0 and not strict))
        if self.known(f, strict):
            return True
        parts = [a for a in f.args if isinstance(a, Term)]
        match f.op:
            case "exp" | "cosh":
                return True
            case "abs":
                return not strict or self.nonzero(f.args[0])
            case "log":
                return self.evident(sub(f.args[0], ONE), strict) or self.evident(_less_one(f.args[0]), strict)
            case "max":
                return any(self.evident(a, strict) for a in parts)
            case "min":
                return all(self.evident(a, strict) for a in parts)
            case "sum":
                inner = self.within(f, "integer")
                return not strict and inner is not None and inner.evident(f.args[0], False)
            case "integral":
                inner = self.within(f, "real") if self.evident(sub(f.args[3], f.args[2]), False) else None
                return not strict and inner is not None and inner.evident(f.args[0], False)
            case "**":
                return self._evident_power(*f.args, strict)
            case "*" if all(self.evident(a, strict) for a in parts):
                return True
            case "+" if all(self.evident(a, False) for a in parts):
                return not strict or any(self.evident(a, True) for a in parts)
            case "gamma":
                return self.evident(f.args[0], True)
            case op if op in ODD:
                return self.evident(f.args[0], strict)
        return self._collected(f, strict)

    def _evident_power(self, base: Term, exponent: Term, strict: bool) -> bool:
        e = exponent.value
        if e is None:
            return self.evident(base, True)
        nonzero = strict or e <= 0
        if e.denominator == 1 and e % 2 == 0:
            return not nonzero or self.nonzero(base)
        if e.denominator > 1 and not nonzero:
            return True  # a root is not negative where it is defined
        return self.evident(base, nonzero)

    def nonzero(self, f: Term) -> bool:
        """Is f evidently different from 0?"""
        if f.value is not None:
            return f.value != 0
        if any(fact.op == "!=" and _proportional(f, fact.gap) for fact in self.facts):
            return True
        if f.op == "*":
            return all(self.nonzero(a) for a in f.args)
        if f.op == "**" and f.args[1].value is not None:
            return self.nonzero(f.args[0])
        return self.evident(f, True) or self.evident(neg(f), True)

    def known(self, f: Term, strict: bool) -> bool:
        allowed = (">",) if strict else (">", ">=", "==")
        if any(fact.op in allowed and free(fact.gap) == free(f) and same(f, fact.gap) for fact in self.facts):
            return True
        return not strict and any(fact.op == "==" and same(neg(f), fact.gap) for fact in self.facts)

    def within(self, f: Term, kind: str) -> Context | None:
        """The context of the body of a sum or an integral: its variable lies between the ends."""
        body, name, low, high = f.args
        if name in dict(self.kinds):
            return None
        x = variable(name)
        return self.with_variable(name, kind, Fact(sub(x, low), ">="), Fact(sub(high, x), ">="))

    def _collected(self, f: Term, strict: bool) -> bool:
        """f = sum of p_i(variables) * (product of kernels that are positive), every p_i positive."""
        try:
            ring = Ring.over([f])
            whole = ring.read(f)
            kernels = {g: k for g, k in enumerate(ring.kernels) if k.op in ("exp", "log", "**", "abs")}
            strictly = {g for g, k in kernels.items() if self.evident(k, True)}
            weakly = strictly | {g for g, k in kernels.items() if self.evident(k, False)}
            axes = {g: self.ranges[k.args[0]] for g, k in enumerate(ring.kernels) if k.op == "variable"}
        except (Rejected, KeyError):
            return False

        def positive(p: Polynomial, wanted: bool) -> bool:
            groups: dict[Monomial, Polynomial] = {}
            for monomial, c in p.items():
                rest = tuple((g, k) for g, k in monomial if g not in axes)
                inner = tuple((g, k) for g, k in monomial if g in axes)
                groups.setdefault(rest, {})[inner] = c
            if not all(g in weakly for rest in groups for g, _ in rest):
                return False
            found = {rest: polynomial_sign(q, axes, HALVINGS) for rest, q in groups.items()}
            if min(found.values(), default=0) < 0:
                return False
            return not wanted or any(
                s > 0 and all(g in strictly for g, _ in rest) for rest, s in found.items()
            )

        return positive(whole.den, True) and positive(whole.num, strict)

    # --- definedness ------------------------------------------------------------------------------------

    def defined(self, f: Term, smooth: bool = False) -> bool:
        """Has f a value (and, if smooth, all its derivatives) at every point of the context?"""
        key = f, "smooth" if smooth else "defined"
        if key not in self.memory:
            inner = (
                (a for a in f.args if isinstance(a, Term)) if f.op not in ("sum", "integral") else f.args[2:]
            )
            self.memory[key] = self._node(f, smooth) and all(self.defined(a, smooth) for a in inner)
        return self.memory[key]

    def _node(self, f: Term, smooth: bool) -> bool:
        match f.op:
            case "number" | "variable" | "+" | "*" | "pi" | "function":
                return f.op != "variable" or f.args[0] in dict(self.kinds)
            case "**":
                base, e = f.args[0], f.args[1].value
                if e is not None and e.denominator == 1:
                    return e >= 0 or self.nonzero(base)
                return self.evident(base, strict=smooth or e is None or e < 0)
            case "log" | "gamma" | "loggamma":
                return self.evident(f.args[0], True)
            case "polygamma":
                return f.args[0].value in range(100) and self.evident(f.args[1], True)
            case "asin" | "acos" | "atanh":
                square = sub(ONE, power(f.args[0], 2))
                return self.evident(square, smooth or f.op == "atanh")
            case "acosh":
                return self.evident(sub(f.args[0], ONE), smooth)
            case "tan":
                return self.nonzero(term("cos", f.args[0]))
            case "abs" | "min" | "max":
                return not smooth or (f.op == "abs" and self.nonzero(f.args[0]))
            case "sum":
                inside = self.within(f, "integer")
                whole = self.integer(f.args[2]) and self.integer(f.args[3])
                fits = self.evident(add(f.args[3], ONE, neg(f.args[2])), False)
                return whole and fits and inside is not None and inside.defined(f.args[0], smooth)
            case "integral":
                inside = self.within(f, "real") if self.evident(sub(f.args[3], f.args[2]), False) else None
                return not smooth and inside is not None and inside.defined(f.args[0])
        return f.op in ENTIRE

    def integer(self, f: Term) -> bool:
        """Is f a whole number by its form?"""
        if f.value is not None:
            return f.value.denominator == 1
        if f.op == "variable":
            return dict(self.kinds).get(f.args[0]) == "integer"
        if f.op in ("+", "*", "min", "max", "abs"):
            return all(self.integer(a) for a in f.args)
        if f.op == "**":
            e = f.args[1].value
            return e is not None and e >= 0 and e.denominator == 1 and self.integer(f.args[0])
        return False


def closed_sign(f: Term) -> int | None:
    """The sign of a term without variables: 0 only by its normal form, otherwise from balls."""
    try:
        found = evaluate.sign(f, {}, 64)
        if found is None:
            found = 0 if same(f, sub(ONE, ONE)) and _exists(f) else evaluate.sign(f, {}, 4096)
    except Rejected:
        return None
    return found


def _exists(f: Term) -> bool:
    with evaluate.precision(256):
        return bool(evaluate.Program([f], [], evaluate.BALLS)()[0].is_finite())


def _less_one(f: Term) -> Term:
    """f - 1 with a written summand 1 taken away, so that log(1 + u) is seen to have the sign of u."""
    rest = list(f.args) if f.op == "+" else []
    if ONE in rest:
        rest.remove(ONE)
        return add(*rest)
    return add(f, MINUS)


def _proportional(f: Term, gap: Term) -> bool:
    return free(f) == free(gap) and (same(f, gap) or same(neg(f), gap))


# --- ranges -----------------------------------------------------------------------------------------------


def _bounds(fact: Fact) -> list[tuple[str, Fraction, str, bool]]:
    """The bounds on one variable that a fact c1*x + c0 >= 0, > 0 or == 0 gives: name, value, side, open."""
    if fact.op == "!=" or len(free(fact.gap)) != 1:
        return []
    try:
        ring = Ring.over([fact.gap])
        whole = ring.read(fact.gap)
    except Rejected:
        return []
    if len(ring.kernels) != 1 or ring.kernels[0].op != "variable" or set(whole.den) != {()}:
        return []
    if set(whole.num) - {(), ((0, 1),)} or ((0, 1),) not in whole.num:
        return []
    slope = whole.num[((0, 1),)] / whole.den[()]
    at = -whole.num.get((), Fraction(0)) / whole.den[()] / slope
    name, side = ring.kernels[0].args[0], "low" if slope > 0 else "high"
    if fact.op == "==":
        return [(name, at, "low", False), (name, at, "high", False)]
    return [(name, at, side, fact.op == ">")]


def _tightened(r: Range, at: Fraction, side: str, is_open: bool, whole: bool) -> Range:
    if whole:  # the next whole number inside
        up = floor(at) + 1 if is_open or at.denominator > 1 else at
        down = -floor(-at) - 1 if is_open or at.denominator > 1 else at
        at, is_open = Fraction(up if side == "low" else down), False
    if side == "low":
        if r.low is None or at > r.low or (at == r.low and is_open):
            return r._replace(low=at, low_open=is_open)
    elif r.high is None or at < r.high or (at == r.high and is_open):
        return r._replace(high=at, high_open=is_open)
    return r


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
    bounded = {g: axes[g] for g in used}
    if all(c > 0 and all(_even_or_bounded(k, bounded[g]) for g, k in m) for m, c in q.items()):
        # Positive off the ends; at each corner of ends some monomial must survive.
        corners = product(*(_closed_ends(r, degrees[g]) for g, r in bounded.items()))
        return int(bool(q) and all(any(_survives(dict(m), bounded, corner) for m in q) for corner in corners))
    if halvings and len(used) == 1:
        return _halved(p, used[0], axes[used[0]], halvings)
    return -1


def _even_or_bounded(k: int, r: Range) -> bool:
    return k % 2 == 0 or r.low is not None or r.high is not None


def _survives(m: dict[int, int], ranges: dict[int, Range], corner: tuple[int | None, ...]) -> bool:
    return all(k is None or m.get(g, 0) == k for g, k in zip(ranges, corner, strict=True))


def _closed_ends(r: Range, degree: int) -> list[int | None]:
    """The exponents of t that survive at each end that belongs to the range; [None] if none does."""
    if r.low is None and r.high is None:
        return [0]
    ends: list[int | None] = []
    if r.low is not None and not r.low_open:
        ends.append(0)
    if r.high is not None and not r.high_open:
        ends.append(0 if r.low is None else degree)
    return ends or [None]


def _mapped(p: Polynomial, g: int, r: Range, degree: int) -> Polynomial:
    if r.low is None and r.high is None:
        return p
    result: Polynomial = {}
    for monomial, c in p.items():
        k = dict(monomial).get(g, 0)
        rest = tuple((h, e) for h, e in monomial if h != g)
        if r.low is not None and r.high is not None:
            inner = _expanded([(r.low, r.high, k), (Fraction(1), Fraction(1), degree - k)])
        elif r.low is not None:
            inner = _expanded([(r.low, Fraction(1), k)])
        else:
            inner = _expanded([(r.high, Fraction(-1), k)])  # type: ignore[list-item]
        moved = {((g, e),) if e else (): v for e, v in enumerate(inner) if v}
        result = plus(result, times({rest: c}, moved))
    return result


def _expanded(factors: list[tuple[Fraction, Fraction, int]]) -> list[Fraction]:
    """Coefficients in t of the product of (a + b t)**k."""
    total = [Fraction(1)]
    for a, b, k in factors:
        factor = [comb(k, i) * a ** (k - i) * b**i for i in range(k + 1)]
        out = [Fraction(0)] * (len(total) + k)
        for (i, u), (j, v) in product(enumerate(total), enumerate(factor)):
            out[i + j] += u * v
        total = out
    return total


def _halved(p: Polynomial, g: int, r: Range, halvings: int) -> int:
    if r.low is None or (r.high is not None and r.low >= r.high):
        return -1
    middle = (r.low + r.high) / 2 if r.high is not None else max(2 * abs(r.low), Fraction(1)) + r.low
    value = sum((c * middle ** dict(m).get(g, 0) for m, c in p.items()), Fraction(0))
    if value <= 0:
        return -1
    parts = (r._replace(high=middle, high_open=False), r._replace(low=middle, low_open=False))
    return min(polynomial_sign(p, {g: part}, halvings - 1) for part in parts)
