"""Zero-testing by hand: rational functions over the rationals, in plain Python fractions.

An expression is read as a ratio of two polynomials in *generators*: its symbols, exp(a) for
rationally independent exponents a, roots r with r**q = b, logarithms, and values f(u) of any other
function.  If the numerator reduces to the empty polynomial, the expression vanishes wherever it is
defined; a non-empty one means nothing.  SymPy supplies the expression tree and no arithmetic, so
this module checks SymPy, whatever its ground types are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

import sympy as sp

Monomial = tuple[tuple[int, int], ...]  # (generator, exponent > 0), generators increasing
Polynomial = dict[Monomial, Fraction]


class NotReadable(TypeError):
    """The expression is not a rational function of generators known here."""


@dataclass(frozen=True)
class Ratio:
    """numerator / denominator, not in lowest terms; the denominator is not the empty polynomial."""

    num: Polynomial
    den: Polynomial


# --- polynomials and ratios ----------------------------------------------------------------------


def constant(value: Fraction | int) -> Ratio:
    return Ratio({(): Fraction(value)} if value else {}, {(): Fraction(1)})


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    result = dict(p)
    for monomial, c in q.items():
        result[monomial] = result.get(monomial, Fraction(0)) + c
    return {monomial: c for monomial, c in result.items() if c}


def merge(a: Monomial, b: Monomial) -> Monomial:
    exponents = dict(a)
    for generator, k in b:
        exponents[generator] = exponents.get(generator, 0) + k
    return tuple(sorted(exponents.items()))


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for a, c in p.items():
        for b, d in q.items():
            monomial = merge(a, b)
            result[monomial] = result.get(monomial, Fraction(0)) + c * d
    return {monomial: c for monomial, c in result.items() if c}


def whole_power(p: Polynomial, k: int) -> Polynomial:
    return reduce(times, [p] * k, {(): Fraction(1)})


def add(a: Ratio, b: Ratio) -> Ratio:
    if a.den == b.den:
        return Ratio(plus(a.num, b.num), a.den)
    return Ratio(plus(times(a.num, b.den), times(b.num, a.den)), times(a.den, b.den))


def multiply(a: Ratio, b: Ratio) -> Ratio:
    return Ratio(times(a.num, b.num), times(a.den, b.den))


def minus(a: Ratio) -> Ratio:
    return Ratio({monomial: -c for monomial, c in a.num.items()}, a.den)


# --- generators ----------------------------------------------------------------------------------

HYPERBOLIC = {
    sp.sinh: (lambda u: (sp.exp(u) - sp.exp(-u)) / 2),
    sp.cosh: (lambda u: (sp.exp(u) + sp.exp(-u)) / 2),
    sp.tanh: (lambda u: (sp.exp(u) - sp.exp(-u)) / (sp.exp(u) + sp.exp(-u))),
    sp.coth: (lambda u: (sp.exp(u) + sp.exp(-u)) / (sp.exp(u) - sp.exp(-u))),
    sp.sech: (lambda u: 2 / (sp.exp(u) + sp.exp(-u))),
    sp.csch: (lambda u: 2 / (sp.exp(u) - sp.exp(-u))),
}


@dataclass
class Ring:
    """The generators met so far, and what is known of each."""

    kernels: dict[int, sp.Expr] = field(default_factory=dict)  # what each generator stands for
    met: list[tuple[Any, tuple[Ratio, ...], int]] = field(default_factory=list)  # head, arguments, generator
    units: dict[Monomial, int] = field(default_factory=dict)  # exp(m / units[m]) is a generator
    roots: dict[int, tuple[int, Ratio]] = field(default_factory=dict)  # r -> (q, b) where r**q = b
    arguments: dict[int, sp.Expr] = field(default_factory=dict)  # the generator log(b) -> b
    surveyed: bool = False

    @classmethod
    def over(cls, expressions: Iterable[sp.Expr]) -> Ring:
        """A ring fine enough that every exp(a) of the expressions is a whole power of a generator."""
        scout = cls()
        for expression in expressions:
            scout.read(expression)
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

    def generator(self, head: Any, arguments: tuple[Ratio, ...], kernel: sp.Expr) -> int:
        """The generator head(arguments): the known one if the arguments are equal, else a new one."""
        for known, theirs, index in self.met:
            if known == head and len(theirs) == len(arguments):
                gaps = [add(a, minus(b)) for a, b in zip(arguments, theirs, strict=True)]
                if all(self.zero(gap) for gap in gaps):
                    return index
        index = len(self.kernels)
        self.kernels[index] = kernel
        self.met.append((head, arguments, index))
        return index

    def to_power(self, a: Ratio, k: int) -> Ratio:
        if k < 0 and self.zero(a):
            raise NotReadable("a denominator is identically zero")
        num, den = (a.num, a.den) if k >= 0 else (a.den, a.num)
        return Ratio(whole_power(num, abs(k)), whole_power(den, abs(k)))

    # --- reading an expression -------------------------------------------------------------------

    def read(self, e: sp.Expr) -> Ratio:
        """The expression as a ratio of polynomials in the generators of this ring."""
        if e.is_Rational:
            return constant(Fraction(int(e.p), int(e.q)))
        if e.is_Add:
            return reduce(add, [self.read(a) for a in e.args])
        if e.is_Mul:
            return reduce(multiply, [self.read(a) for a in e.args])
        if e == sp.E or isinstance(e, sp.exp):
            return self.exponential(sp.Integer(1) if e == sp.E else e.exp)
        if e.is_Pow:
            return self.power(e.base, e.exp)
        if isinstance(e, sp.log):
            return self.logarithm(e.args[0])
        if e.func in HYPERBOLIC:
            return self.read(HYPERBOLIC[e.func](e.args[0]))
        if isinstance(e, sp.Function):
            return self.named(self.generator(e.func, tuple(self.read(a) for a in e.args), e))
        if e.is_Symbol or isinstance(e, sp.Derivative) or e in (sp.pi, sp.EulerGamma):
            return self.named(self.generator(e, (), e))
        raise NotReadable(f"{e} of type {type(e).__name__} is no rational function of known generators")

    def named(self, index: int, k: int = 1) -> Ratio:
        return self.to_power(Ratio({((index, 1),): Fraction(1)}, {(): Fraction(1)}), k)

    def power(self, base: sp.Expr, exponent: sp.Expr) -> Ratio:
        if exponent.is_Integer:
            return self.to_power(self.read(base), int(exponent))
        if exponent.is_Rational:
            b, q = self.read(base), int(exponent.q)
            root = self.generator(("root", q), (b,), base ** sp.Rational(1, q))
            self.roots[root] = (q, b)
            return self.named(root, int(exponent.p))
        return self.exponential(exponent * sp.log(base))  # the definition of a power, away from base 0

    def logarithm(self, b: sp.Expr) -> Ratio:
        if b.is_Rational and b.is_positive:
            # Small factors only: finding large ones is slow, and a missed one costs only a proof.
            above, below = sp.factorint(b.p, limit=1000), sp.factorint(b.q, limit=1000)
            powers = [*above.items(), *((p, -k) for p, k in below.items())]
            parts = [multiply(constant(k), self.opaque_logarithm(sp.Integer(p))) for p, k in powers if p != 1]
            return reduce(add, parts, constant(0))
        return self.opaque_logarithm(b)

    def opaque_logarithm(self, b: sp.Expr) -> Ratio:
        index = self.generator(sp.log, (self.read(b),), sp.log(b))
        self.arguments[index] = b
        return self.named(index)

    def exponential(self, exponent: sp.Expr) -> Ratio:
        a = self.read(exponent)
        if set(a.den) != {()}:
            inverse = [g for head, b, g in self.met if head == "exp" and self.zero(add(a, b[0]))]
            if inverse:
                return self.named(inverse[0], -1)
            return self.named(self.generator("exp", (a,), sp.exp(exponent)))
        parts = [self.exponential_of(m, c / a.den[()]) for m, c in a.num.items()]
        return reduce(multiply, parts, constant(1))

    def exponential_of(self, m: Monomial, c: Fraction) -> Ratio:
        """exp(c*m) for one monomial m, as a power of exp(m/unit)."""
        if len(m) == 1 and m[0][1] == 1 and m[0][0] in self.arguments:
            return self.power(self.arguments[m[0][0]], sp.Rational(c.numerator, c.denominator))
        unit = lcm(self.units.get(m, 1), c.denominator)
        if self.surveyed and unit != self.units.get(m):
            raise NotReadable(f"exp({c}*...) is finer than what the survey of this ring saw")
        self.units[m] = unit  # while surveying, the unit grows and the powers do not matter
        power = sp.Mul(*(self.kernels[g] ** k for g, k in m))
        index = self.generator(("exp", m), (), sp.exp(power / unit))
        return self.named(index, int(c * unit))


def is_zero(expression: sp.Expr) -> bool:
    """Does the expression vanish wherever it is defined?  False means only: not seen by this arithmetic."""
    ring = Ring.over([expression])
    return ring.zero(ring.read(expression))
