"""Normal forms: a term as a ratio of polynomials in generators; if the numerator is 0, so is the term where defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any, NamedTuple

from flint import fmpz

from .terms import BINDERS, Rejected, Term, joined, number, require, sized, spend, substitute, term

Monomial = tuple[tuple[int, Any], ...]  # (generator, exponent), generators increasing; those of exp: any fraction
Polynomial = dict[Monomial, Fraction]
UNIT: Polynomial = {(): Fraction(1)}
MAX_MONOMIALS, MAX_TERMS, TRIAL_PRIMES = 100_000, 20_000, 168


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
            monomial = tuple(sorted(power for power in exponents.items() if power[1]))
            result[monomial] = sized(result.get(monomial, Fraction(0)) + c * d)
    return {monomial: c for monomial, c in result.items() if c}


def whole_power(p: Polynomial, k: int) -> Polynomial:
    require(k <= 1000, f"the exponent {k} is too large")
    return reduce(times, [p] * k, UNIT)


class Ratio(NamedTuple):
    """Numerator over denominator, not in lowest terms; the denominator is not the empty polynomial."""

    num: Polynomial
    den: Polynomial

    @classmethod
    def of(cls, value: Fraction | int) -> Ratio:
        return cls({(): Fraction(value)} if value else {}, UNIT)

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


@dataclass
class Ring:
    """The generators met so far (variables, exp(m), roots, ...): head, arguments in earlier ones, the term it is."""

    generators: list[tuple[tuple[Any, ...], tuple[Ratio, ...], Term]] = field(default_factory=list)
    known: dict[Term, Ratio] = field(default_factory=dict)

    def zero(self, a: Ratio) -> bool:
        """Is the numerator 0 once every root is below its degree, r**q replaced by what it equals?"""
        p, heads = a.num, [head for head, _, _ in self.generators]
        for r in reversed([g for g, head in enumerate(heads) if head[0] == "root"]):  # its base is of earlier ones
            q, (base,) = heads[r][1], self.generators[r][1]
            powers = {monomial: divmod(dict(monomial).get(r, 0), q) for monomial in p}
            top, lowered = max((whole for whole, _ in powers.values()), default=0), Polynomial()
            for monomial, (whole, rest) in powers.items():
                others = [(g, k) for g, k in monomial if g != r] + [(r, rest)] * (rest > 0)
                instead = times(whole_power(base.num, whole), whole_power(base.den, top - whole))
                lowered = plus(lowered, times({tuple(sorted(others)): p[monomial]}, instead))
            p = lowered
        return not p

    def generator(self, head: tuple[Any, ...], arguments: tuple[Ratio, ...], stands_for: Term, k: Any = 1) -> Ratio:
        """The k-th power of head(arguments), a known generator if the arguments are equal, else a new one."""
        spend(len(self.generators))
        for index, (known, theirs, _) in enumerate(self.generators):
            if known == head and all(self.zero(a.plus(b, -1)) for a, b in zip(arguments, theirs, strict=True)):
                return Ratio({((index, k),): Fraction(1)}, UNIT)
        self.generators.append((head, arguments, stands_for))
        return Ratio({((len(self.generators) - 1, k),): Fraction(1)}, UNIT)

    def read(self, t: Term) -> Ratio:
        """The term as a ratio of polynomials in the generators of this ring."""
        if t not in self.known:
            found = self.build(t)
            self.known[t] = found if found.rational is None else Ratio.of(found.rational)
        return self.known[t]

    def build(self, t: Term) -> Ratio:
        makers: dict[str, Callable[..., Ratio]] = {"**": self.power, "exp": self.exponential, "log": self.logarithm}
        if t.op in ("number", *makers):
            return Ratio.of(t.args[0]) if t.op == "number" else makers[t.op](*t.args)
        if t.op in ("+", "*"):
            return reduce(Ratio.plus if t.op == "+" else Ratio.times, map(self.read, t.args))
        if t.op in ("sinh", "cosh", "tanh"):
            up, down = term("exp", t.args[0]), term("exp", -t.args[0])
            odd, even = (up - down) * Fraction(1, 2), (up + down) * Fraction(1, 2)
            return self.read({"sinh": odd, "cosh": even, "tanh": odd * even**-1}[t.op])
        values = [self.read(a).rational for a in t.outer]
        if t.op in ("sin", "tan", "asin", "atan", "asinh", "atanh", "erf") and values == [0]:
            return Ratio.of(0)
        known = [v for v in values if v is not None]
        if t.op in ("abs", "min", "max") and len(known) == len(values):
            return Ratio.of({"abs": abs(known[0]), "min": min(known), "max": max(known)}[t.op])
        if t.op == "sum" and (written := written_out(t, *values)) is not None:
            return self.read(written)
        # Sums and integrals are equal if their bodies are the same and their ends are equal.
        head = t.args[:2] if t.op in BINDERS else tuple(a for a in t.args if not isinstance(a, Term))
        return self.generator((t.op, len(t.args), *head), tuple(map(self.read, t.outer)), t)

    def power(self, base: Term, exponent: Term) -> Ratio:
        e = exponent.value
        if e is None:
            return self.exponential(exponent * term("log", base))  # the definition, away from base 0
        b, q = self.read(base), e.denominator
        if q > 1:
            value = b.rational if b.rational is not None and b.rational >= 0 else Fraction(0)
            exactly = Fraction(*(int(fmpz(n).root(q)) for n in value.as_integer_ratio()))
            known = exactly**q == b.rational
            b = Ratio.of(exactly) if known else self.generator(("root", q), (b,), base ** Fraction(1, q))
        require(e >= 0 or not self.zero(b), "a denominator is identically zero")
        num, den = b if e >= 0 else (b.den, b.num)
        return Ratio(whole_power(num, abs(e.numerator)), whole_power(den, abs(e.numerator)))

    def logarithm(self, b: Term) -> Ratio:
        """log b, of a rational number through the logarithms of its small prime factors."""
        value = self.read(b).rational
        if value is None or value <= 0:
            return self.generator(("log",), (self.read(b),), term("log", b))
        total = Ratio.of(0)
        for n, sign in ((value.numerator, 1), (value.denominator, -1)):
            for p, k in fmpz(n).factor(trial_limit=TRIAL_PRIMES):  # the last may be composite, and is a prime here
                prime = number(int(p))
                total = total.plus(self.generator(("log",), (self.read(prime),), term("log", prime)), sign * int(k))
        return total

    def exponential(self, exponent: Term) -> Ratio:
        a = self.read(exponent)
        if a.den.keys() == {()}:  # the product of the c-th powers of exp(m), for c times the monomial m
            return reduce(Ratio.times, (self.exponential_of(m, c / a.den[()]) for m, c in a.num.items()), Ratio.of(1))
        for index, (head, arguments, _) in enumerate(self.generators):
            if head == ("exp",) and self.zero(a.plus(arguments[0])):
                return Ratio({((index, -1),): Fraction(1)}, UNIT)
        return self.generator(("exp",), (a,), term("exp", exponent))

    def exponential_of(self, m: Monomial, c: Fraction) -> Ratio:
        factors = [self.generators[g][2] ** k for g, k in m]
        if len(factors) == 1 and factors[0].op == "log":
            return self.power(factors[0].args[0], number(c))
        k = c if c.denominator > 1 else int(c)
        return self.generator(("exp", m), (), term("exp", joined("*", factors)), k)


def written_out(t: Term, low: Fraction | None, high: Fraction | None) -> Term | None:
    """A sum between two whole numbers as its terms, if they are not too many; one over no terms is 0."""
    if low is None or high is None or low.denominator * high.denominator > 1 or not -1 <= high - low <= MAX_TERMS:
        return None
    return joined("+", [substitute(t.args[0], {t.args[1]: number(k)}) for k in range(int(low), int(high) + 1)])


@lru_cache(50_000)
def normal_form(t: Term) -> tuple[Ring, Ratio, bool]:
    """The ring of a term, the term as a ratio, and whether that is seen to be 0."""
    ring = Ring()
    try:
        found = ring.read(t)
        return ring, found, ring.zero(found)
    except Rejected:  # too much work: a generator of which nothing is known
        return ring, Ratio({((-1, 1),): Fraction(1)}, UNIT), False


def rational(t: Term) -> Fraction | None:
    """The number that the normal form of a term without variables is, if it has a value at all."""
    return normal_form(t)[1].rational


def is_zero(t: Term) -> bool:
    """Does the term vanish wherever it is defined?  False means only: not seen by this arithmetic."""
    return normal_form(t)[2]


def same(a: Term, b: Term) -> bool:
    """Are the two equal wherever both are defined?"""
    return a is b or is_zero(a - b)
