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
from typing import Any, NamedTuple

from flint import fmpz

from .terms import (
    BINDERS,
    Rejected,
    Term,
    inner,
    joined,
    number,
    parse,
    require,
    sized,
    spend,
    substitute,
    term,
    variable,
)

Monomial = tuple[tuple[int, int], ...]  # (generator, exponent > 0), generators increasing
Polynomial = dict[Monomial, Fraction]
UNIT: Polynomial = {(): Fraction(1)}
MAX_MONOMIALS, MAX_TERMS = 100_000, 20_000
SMALL_PRIMES = [p for p in range(2, 1000) if all(p % q for q in range(2, p))]
_HYPERBOLIC = {
    "sinh": "(exp(u) - exp(-u))/2",
    "cosh": "(exp(u) + exp(-u))/2",
    "tanh": "(exp(u) - exp(-u))/(exp(u) + exp(-u))",
}


def plus(p: Polynomial, q: Polynomial, scale: Fraction | int = 1) -> Polynomial:
    """p + scale*q."""
    spend(len(p) + len(q))
    result = dict(p)
    for monomial, c in q.items():
        result[monomial] = sized(result.get(monomial, Fraction(0)) + scale * c)
    return {monomial: c for monomial, c in result.items() if c}


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    require(len(p) * len(q) <= MAX_MONOMIALS, "a product of polynomials is too long")
    spend(2 * len(p) * len(q))
    result: Polynomial = {}
    for a, c in p.items():
        for b, d in q.items():
            exponents = dict(a)
            for generator, k in b:
                exponents[generator] = exponents.get(generator, 0) + k
            monomial = tuple(sorted(exponents.items()))
            result[monomial] = sized(result.get(monomial, Fraction(0)) + c * d)
    return {monomial: c for monomial, c in result.items() if c}


def whole_power(p: Polynomial, k: int) -> Polynomial:
    require(k <= 1000, f"the exponent {k} is too large")
    return reduce(times, [p] * k, UNIT)


class Ratio(NamedTuple):
    """Numerator over denominator, not in lowest terms; the denominator is not the empty polynomial."""

    num: Polynomial
    den: Polynomial

    def plus(self, other: Ratio, scale: int = 1) -> Ratio:
        if self.den == other.den:
            return Ratio(plus(self.num, other.num, scale), self.den)
        crossed = plus(times(self.num, other.den), times(other.num, self.den), scale)
        return Ratio(crossed, times(self.den, other.den))

    def times(self, other: Ratio) -> Ratio:
        return Ratio(times(self.num, other.num), times(self.den, other.den))

    @property
    def rational(self) -> Fraction | None:
        """The number that a ratio without generators is."""
        if not self.num:
            return Fraction(0)
        return self.num[()] / self.den[()] if set(self.num) | set(self.den) == {()} else None


def exact_root(base: Fraction, q: int) -> Fraction | None:
    """The rational number r >= 0 with r**q = base, if there is one."""
    if base < 0:
        return None
    top, below = (int(fmpz(n).root(q)) for n in base.as_integer_ratio())
    return Fraction(top, below) if (top**q, below**q) == base.as_integer_ratio() else None


def constant(value: Fraction | int) -> Ratio:
    return Ratio({(): Fraction(value)} if value else {}, UNIT)


@dataclass
class Ring:
    """The generators met so far, and what is known of each."""

    kernels: list[Term] = field(default_factory=list)  # what each generator stands for
    met: list[tuple[Any, tuple[Ratio, ...], int]] = field(default_factory=list)  # head, arguments, generator
    units: dict[Monomial, int] = field(default_factory=dict)  # exp(m / units[m]) is a generator
    roots: dict[int, tuple[int, Ratio]] = field(default_factory=dict)  # r -> (q, b) where r**q = b
    logarithms: dict[int, Term] = field(default_factory=dict)  # the generator log(b) -> b
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
        """Is the numerator 0 once every root is below its degree, r**q replaced by what it equals?"""
        p = a.num
        for r in sorted(self.roots, reverse=True):  # a root's own base holds earlier generators only
            q, base = self.roots[r]
            top = max((dict(monomial).get(r, 0) // q for monomial in p), default=0)
            lowered: Polynomial = {}
            for monomial, c in p.items():
                whole, rest = divmod(dict(monomial).get(r, 0), q)
                others = [(g, k) for g, k in monomial if g != r] + [(r, rest)] * (rest > 0)
                instead = times(whole_power(base.num, whole), whole_power(base.den, top - whole))
                lowered = plus(lowered, times({tuple(sorted(others)): c}, instead))
            p = lowered
        return not p

    def generator(self, head: Any, arguments: tuple[Ratio, ...], kernel: Term, k: int = 1) -> Ratio:
        """The k-th power of head(arguments), a known generator if the arguments are equal, else a new one."""
        spend(len(self.met))
        index = len(self.kernels)
        for known, theirs, place in self.met:
            alike = known == head and len(theirs) == len(arguments)
            if alike and all(self.zero(a.plus(b, -1)) for a, b in zip(arguments, theirs, strict=True)):
                index = place
                break
        else:
            self.kernels.append(kernel)
            self.met.append((head, arguments, index))
        return self.to_power(Ratio({((index, 1),): Fraction(1)}, UNIT), k)

    def to_power(self, a: Ratio, k: int) -> Ratio:
        require(k >= 0 or not self.zero(a), "a denominator is identically zero")
        num, den = (a.num, a.den) if k >= 0 else (a.den, a.num)
        return Ratio(whole_power(num, abs(k)), whole_power(den, abs(k)))

    def read(self, t: Term) -> Ratio:
        """The term as a ratio of polynomials in the generators of this ring."""
        if t not in self.known:
            self.known[t] = self.build(t)
        return self.known[t]

    def build(self, t: Term) -> Ratio:
        if t.value is not None:
            return constant(t.value)
        if t.op in ("+", "*"):
            return reduce(Ratio.plus if t.op == "+" else Ratio.times, map(self.read, t.args))
        if t.op == "**":
            return self.power(t.args[0], t.args[1])
        if t.op == "exp":
            return self.exponential(t.args[0])
        if t.op == "log":
            return self.logarithm(t.args[0])
        if t.op in _HYPERBOLIC:
            return self.read(substitute(parse(_HYPERBOLIC[t.op], {"u": variable("u")}), {"u": t.args[0]}))
        if t.op in ("sin", "tan", "asin", "atan", "asinh", "atanh", "erf") and self.read(t.args[0]).rational == 0:
            return constant(0)
        if t.op in ("abs", "min", "max"):
            values = [self.read(a).rational for a in t.args]
            known = [v for v in values if v is not None]
            if len(known) == len(values):
                return constant({"abs": abs(known[0]), "min": min(known), "max": max(known)}[t.op])
        if t.op == "sum" and (written := self.written_out(t)) is not None:
            return self.read(written)
        # Sums and integrals are equal if their bodies are the same and their ends are equal.
        arguments = t.args[2:] if t.op in BINDERS else inner(t)
        head = t.args[:2] if t.op in BINDERS else tuple(a for a in t.args if not isinstance(a, Term))
        return self.generator((t.op, head), tuple(map(self.read, arguments)), t)

    def written_out(self, t: Term) -> Term | None:
        """A sum between two numbers as its terms."""
        low, high = (self.read(end).rational for end in t.args[2:])
        if low is None or high is None or low.denominator != 1 or not -1 <= high - low <= MAX_TERMS:
            return None
        terms = [substitute(t.args[0], {t.args[1]: number(low + i)}) for i in range(int(high - low) + 1)]
        return joined("+", terms) if high.denominator == 1 else None

    def power(self, base: Term, exponent: Term) -> Ratio:
        e = exponent.value
        if e is None:
            return self.exponential(exponent * term("log", base))  # the definition, away from base 0
        b, q = self.read(base), e.denominator
        exactly = exact_root(b.rational, q) if b.rational is not None else None
        if q == 1 or exactly is not None:
            return self.to_power(b if exactly is None else constant(exactly), e.numerator)
        root = self.generator(("root", q), (b,), base ** Fraction(1, q))
        self.roots[next(iter(root.num))[0][0]] = (q, b)
        return self.to_power(root, e.numerator)

    def logarithm(self, b: Term) -> Ratio:
        """log b, of a rational number through the logarithms of its small prime factors."""
        value = self.read(b).rational
        if value is None or value <= 0:
            return self.plain_logarithm(b)
        total = constant(0)
        for n, direction in ((value.numerator, 1), (value.denominator, -1)):
            for p in SMALL_PRIMES:  # a large factor that is missed costs a proof and nothing else
                while n % p == 0:
                    n, total = n // p, total.plus(self.plain_logarithm(number(p)), direction)
            total = total.plus(self.plain_logarithm(number(n)), direction) if n > 1 else total
        return total

    def plain_logarithm(self, b: Term) -> Ratio:
        made = self.generator("log", (self.read(b),), term("log", b))
        self.logarithms[next(iter(made.num))[0][0]] = b
        return made

    def exponential(self, exponent: Term) -> Ratio:
        a = self.read(exponent)
        if set(a.den) == {()}:
            parts = (self.exponential_of(m, c / a.den[()]) for m, c in a.num.items())
            return reduce(Ratio.times, parts, constant(1))
        for head, b, index in self.met:
            if head == "exp" and self.zero(a.plus(b[0])):
                return self.to_power(Ratio({((index, 1),): Fraction(1)}, UNIT), -1)
        return self.generator("exp", (a,), term("exp", exponent))

    def exponential_of(self, m: Monomial, c: Fraction) -> Ratio:
        """exp(c*m) for one monomial m, as a power of exp(m/unit)."""
        if len(m) == 1 and m[0][1] == 1 and m[0][0] in self.logarithms:
            return self.power(self.logarithms[m[0][0]], number(c))
        unit = lcm(self.units.get(m, 1), c.denominator)
        require(not self.surveyed or unit == self.units.get(m), "an exponential is finer than the survey saw")
        self.units[m] = unit  # while surveying, the unit grows and the powers do not matter
        exponent = joined("*", [number(Fraction(1, unit)), *(self.kernels[g] ** k for g, k in m)])
        return self.generator(("exp", m), (), term("exp", exponent), int(c * unit))


@lru_cache(50_000)
def is_zero(t: Term) -> bool:
    """Does the term vanish wherever it is defined?  False means only: not seen by this arithmetic."""
    try:
        ring = Ring.over([t])
        return ring.zero(ring.read(t))
    except Rejected:
        return False


def rational(t: Term) -> Fraction | None:
    """The number that the normal form of a term without variables is, if it has a value at all."""
    try:
        return Ring.over([t]).read(t).rational
    except Rejected:
        return None


def same(a: Term, b: Term) -> bool:
    """Are the two equal wherever both are defined?"""
    return a is b or is_zero(a - b)
