"""Normal forms: a term as a ratio of two polynomials in generators, in plain fractions.

Generators are variables, exp(a) for rationally independent exponents a, roots r with r**q = b, logarithms,
and values of every other function.  If the numerator of a term reduces to the empty polynomial, the term is 0
wherever it is defined; a numerator that does not reduce means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from math import lcm
from typing import Any

from .evaluate import exact_root
from .terms import Rejected, Term, mul, number, parse, power, require, sub, substitute, term, variable

Monomial = tuple[tuple[int, int], ...]  # (generator, exponent > 0), generators increasing
Polynomial = dict[Monomial, Fraction]
MAX_MONOMIALS = 100_000
SMALL_PRIMES = [p for p in range(2, 1000) if all(p % q for q in range(2, p))]
_HYPERBOLIC = {
    "sinh": "(exp(u) - exp(-u))/2",
    "cosh": "(exp(u) + exp(-u))/2",
    "tanh": "(exp(u) - exp(-u))/(exp(u) + exp(-u))",
}


@dataclass(frozen=True)
class Ratio:
    """Numerator over denominator, not in lowest terms; the denominator is not the empty polynomial."""

    num: Polynomial
    den: Polynomial


def constant(value: Fraction | int) -> Ratio:
    return Ratio({(): Fraction(value)} if value else {}, {(): Fraction(1)})


def rational(a: Ratio) -> Fraction | None:
    """The number that a ratio without generators is."""
    if not set(a.num) | set(a.den) <= {()}:
        return None
    return a.num.get((), Fraction(0)) / a.den[()]


def plus(p: Polynomial, q: Polynomial, scale: Fraction | int = 1) -> Polynomial:
    """p + scale*q."""
    result = dict(p)
    for monomial, c in q.items():
        result[monomial] = result.get(monomial, Fraction(0)) + scale * c
    return {monomial: c for monomial, c in result.items() if c}


def merge(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    exponents = dict(a)
    for generator, k in b:
        exponents[generator] = exponents.get(generator, 0) + k
    return tuple(sorted(exponents.items()))


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    require(len(p) * len(q) <= MAX_MONOMIALS, "a product of polynomials is too long")
    result: Polynomial = {}
    for a, c in p.items():
        for b, d in q.items():
            monomial = merge(a, b)
            result[monomial] = result.get(monomial, Fraction(0)) + c * d
    return {monomial: c for monomial, c in result.items() if c}


def whole_power(p: Polynomial, k: int) -> Polynomial:
    require(k <= 1000, f"the exponent {k} is too large")
    return reduce(times, [p] * k, {(): Fraction(1)})


def add(a: Ratio, b: Ratio, scale: int = 1) -> Ratio:
    if a.den == b.den:
        return Ratio(plus(a.num, b.num, scale), a.den)
    return Ratio(plus(times(a.num, b.den), times(b.num, a.den), scale), times(a.den, b.den))


def multiply(a: Ratio, b: Ratio) -> Ratio:
    return Ratio(times(a.num, b.num), times(a.den, b.den))


@dataclass
class Ring:
    """The generators met so far, and what is known of each."""

    kernels: list[Term] = field(default_factory=list)  # what each generator stands for
    met: list[tuple[Any, tuple[Ratio, ...], int]] = field(default_factory=list)  # head, arguments, generator
    units: dict[Monomial, int] = field(default_factory=dict)  # exp(m / units[m]) is a generator
    roots: dict[int, tuple[int, Ratio]] = field(default_factory=dict)  # r -> (q, b) where r**q = b
    arguments: dict[int, Term] = field(default_factory=dict)  # the generator log(b) -> b
    known: dict[Term, Ratio] = field(default_factory=dict)
    surveyed: bool = False

    @classmethod
    def over(cls, terms: Iterable[Term]) -> Ring:
        """A ring fine enough that every exp(a) of the terms is a whole power of a generator."""
        scout = cls()
        for t in terms:
            scout.read(t)
        return cls(units=scout.units, surveyed=True)

    def zero(self, a: Ratio) -> bool:
        return not self.lowered(a.num)

    def lowered(self, p: Polynomial) -> Polynomial:
        """p times nonzero things, with every root below its degree: r**q replaced by what it equals."""
        for r in sorted(self.roots, reverse=True):  # a root's own base holds earlier generators only
            q, base = self.roots[r]
            top = max((dict(monomial).get(r, 0) // q for monomial in p), default=0)
            result: Polynomial = {}
            for monomial, c in p.items():
                whole, rest = divmod(dict(monomial).get(r, 0), q)
                others = tuple((g, k) for g, k in monomial if g != r) + (((r, rest),) if rest else ())
                replaced = times(whole_power(base.num, whole), whole_power(base.den, top - whole))
                result = plus(result, times({tuple(sorted(others)): c}, replaced))
            p = result
        return p

    def generator(self, head: Any, arguments: tuple[Ratio, ...], kernel: Term) -> int:
        """The generator head(arguments): the known one if the arguments are equal, else a new one."""
        for known, theirs, index in self.met:
            alike = known == head and len(theirs) == len(arguments)
            if alike and all(self.zero(add(a, b, -1)) for a, b in zip(arguments, theirs, strict=True)):
                return index
        self.kernels.append(kernel)
        self.met.append((head, arguments, len(self.kernels) - 1))
        return len(self.kernels) - 1

    def to_power(self, a: Ratio, k: int) -> Ratio:
        require(k >= 0 or not self.zero(a), "a denominator is identically zero")
        num, den = (a.num, a.den) if k >= 0 else (a.den, a.num)
        return Ratio(whole_power(num, abs(k)), whole_power(den, abs(k)))

    def named(self, index: int, k: int = 1) -> Ratio:
        return self.to_power(Ratio({((index, 1),): Fraction(1)}, {(): Fraction(1)}), k)

    def read(self, t: Term) -> Ratio:
        """The term as a ratio of polynomials in the generators of this ring."""
        if t not in self.known:
            self.known[t] = self.build(t)
        return self.known[t]

    def build(self, t: Term) -> Ratio:
        if t.value is not None:
            return constant(t.value)
        if t.op in ("+", "*"):
            return reduce(add if t.op == "+" else multiply, [self.read(a) for a in t.args])
        if t.op == "**":
            return self.power(t.args[0], t.args[1])
        if t.op == "exp":
            return self.exponential(t.args[0])
        if t.op == "log":
            return self.logarithm(t.args[0])
        if t.op in _HYPERBOLIC:
            formula = parse(_HYPERBOLIC[t.op], {"u": variable("u")})
            return self.read(substitute(formula, {"u": t.args[0]}))
        inner = tuple(a for a in t.args if isinstance(a, Term))
        outer: tuple[Any, ...] = tuple(a for a in t.args if not isinstance(a, Term))
        if t.op in ("sum", "integral"):  # equal if the bodies are the same and the ends are equal
            outer, inner = (*outer, t.args[0]), t.args[2:]
        return self.named(self.generator((t.op, outer), tuple(map(self.read, inner)), t))

    def power(self, base: Term, exponent: Term) -> Ratio:
        e = exponent.value
        if e is None:
            return self.exponential(mul(exponent, term("log", base)))  # the definition, away from base 0
        if e.denominator == 1:
            return self.to_power(self.read(base), int(e))
        b, q = self.read(base), e.denominator
        value = rational(b)
        if value is not None and (exactly := exact_root(value, q)) is not None:
            return self.to_power(constant(exactly), e.numerator)
        root = self.generator(("root", q), (b,), power(base, Fraction(1, q)))
        self.roots[root] = (q, b)
        return self.named(root, e.numerator)

    def logarithm(self, b: Term) -> Ratio:
        value = rational(self.read(b))
        if value is None or value <= 0:
            return self.opaque_logarithm(b)
        total, rest = constant(0), [value.numerator, value.denominator]
        for p in SMALL_PRIMES:  # a large factor that is missed costs a proof and nothing else
            for side, direction in ((0, 1), (1, -1)):
                while rest[side] % p == 0:
                    rest[side] //= p
                    total = add(total, self.opaque_logarithm(number(p)), direction)
        for left, direction in zip(rest, (1, -1), strict=True):
            if left != 1:
                total = add(total, self.opaque_logarithm(number(left)), direction)
        return total

    def opaque_logarithm(self, b: Term) -> Ratio:
        index = self.generator("log", (self.read(b),), term("log", b))
        self.arguments[index] = b
        return self.named(index)

    def exponential(self, exponent: Term) -> Ratio:
        a = self.read(exponent)
        if set(a.den) != {()}:
            for head, b, g in self.met:
                if head == "exp" and self.zero(add(a, b[0])):
                    return self.named(g, -1)
            return self.named(self.generator("exp", (a,), term("exp", exponent)))
        parts = [self.exponential_of(m, c / a.den[()]) for m, c in a.num.items()]
        return reduce(multiply, parts, constant(1))

    def exponential_of(self, m: Monomial, c: Fraction) -> Ratio:
        """exp(c*m) for one monomial m, as a power of exp(m/unit)."""
        if len(m) == 1 and m[0][1] == 1 and m[0][0] in self.arguments:
            return self.power(self.arguments[m[0][0]], number(c))
        unit = lcm(self.units.get(m, 1), c.denominator)
        require(not self.surveyed or unit == self.units.get(m), "an exponential is finer than the survey saw")
        self.units[m] = unit  # while surveying, the unit grows and the powers do not matter
        factors = [power(self.kernels[g], k) for g, k in m]
        exponent = mul(number(Fraction(1, unit)), *factors)
        return self.named(self.generator(("exp", m), (), term("exp", exponent)), int(c * unit))


@lru_cache(50_000)
def is_zero(t: Term) -> bool:
    """Does the term vanish wherever it is defined?  False means only: not seen by this arithmetic."""
    try:
        ring = Ring.over([t])
        return ring.zero(ring.read(t))
    except Rejected:
        return False


def same(a: Term, b: Term) -> bool:
    """Are the two equal wherever both are defined?"""
    return a is b or is_zero(sub(a, b))
