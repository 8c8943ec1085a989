"""Signs that are evident: of a constant, at a point, and on a whole open interval.

`evident` is deliberately weak and purely structural: sums, products and powers of things already
seen to be positive, and polynomials whose coefficients are nonnegative after the interval has been
mapped to (0, oo).  It answers True only when the sign is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, precision
from glbcheck.core.errors import BadInput
from glbcheck.verify.provers import ring

HALVINGS = 12


class Unknown(ValueError):
    """The sign could not be made out."""


@dataclass(frozen=True)
class Interval:
    """The open interval (low, high) of the variable x; high is None for oo.

    `known` are expressions already proved positive on it.
    """

    x: sp.Symbol
    low: Fraction
    high: Fraction | None
    known: tuple[sp.Expr, ...] = ()

    def __post_init__(self) -> None:
        if self.high is not None and self.low >= self.high:
            raise BadInput("high", str(self.high), f"an end above low = {self.low}")


def sign(value: sp.Expr) -> int:
    """The sign of a closed expression: zero only if exactly zero, otherwise separated from it by a ball."""
    if value.free_symbols or value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I, sp.Float):
        raise Unknown(f"{value} is not a finite exact number")
    try:
        if value.is_Rational:
            return int(value.p > 0) - int(value.p < 0)
        if ring.is_zero(value):
            return 0
        for bits in (64, 256, 1024):
            with precision(bits):
                enclosure = ball(value)
            if enclosure > 0 or enclosure < 0:
                return 1 if enclosure > 0 else -1
    except (NotEnclosed, ring.NotReadable) as error:
        raise Unknown(str(error)) from error
    raise Unknown(f"the sign of {value} is not separated from zero at 1024 bits")


def sign_at(f: sp.Expr, x: sp.Symbol, point: Fraction | None) -> int:
    """The sign of f at a point where it is defined and therefore continuous: nothing singular inside it."""
    if point is None:
        raise Unknown("no sign can be taken at infinity")
    at = sp.Rational(point.numerator, point.denominator)
    for node in sp.preorder_traversal(f):
        if isinstance(node, sp.log) and sign(node.args[0].subs(x, at)) <= 0:
            raise Unknown(f"{node} is undefined at {point}")
        if node.is_Pow and not (node.exp.is_Integer and node.exp.is_positive) and node.base != sp.E:
            base = sign(node.base.subs(x, at))
            if (base < 0 and not node.exp.is_Integer) or (base == 0 and not node.exp.is_positive):
                raise Unknown(f"{node} is undefined at {point}")
    return sign(f.subs(x, at))


def defined(f: sp.Expr, on: Interval) -> bool:
    """Is f smooth on the interval: no division by zero, logarithms and roots of positive things only?"""
    for node in sp.preorder_traversal(f):
        arithmetic = node.is_Rational or node.is_Add or node.is_Mul or node.is_Pow or node in (on.x, sp.E)
        if not arithmetic and not isinstance(node, sp.exp | sp.log | sp.sinh | sp.cosh | sp.tanh):
            return False
        if isinstance(node, sp.log) and not evident(node.args[0], on, strict=True):
            return False
        if node.is_Pow and not isinstance(node, sp.exp) and not (node.exp.is_Integer and node.exp.is_positive):
            nonzero = evident(node.base, on, strict=True) or (
                node.exp.is_Integer and evident(sp.expand(-node.base), on, strict=True)
            )
            if not nonzero or not node.exp.is_Rational:
                return False
    return True


def evident(f: sp.Expr, on: Interval, strict: bool) -> bool:
    """Is f > 0 (or, if not strict, f >= 0) on the open interval, by its form alone?"""
    if not f.free_symbols:
        try:
            return sign(f) > 0 or (not strict and sign(f) == 0)
        except Unknown:
            return False
    if isinstance(f, sp.exp) or is_known(f, on):
        return True
    if isinstance(f, sp.log):
        return evident(f.args[0] - 1, on, strict)
    if f.is_Mul and all(evident(a, on, strict) for a in f.args):
        return True
    if f.is_Pow:
        nonzero = strict or not f.exp.is_positive
        if f.exp.is_Integer and int(f.exp) % 2 == 0:
            return not nonzero or any(evident(b, on, strict=True) for b in (f.base, sp.expand(-f.base)))
        return evident(f.base, on, strict=nonzero)
    if f.is_Add and all(evident(a, on, strict=False) for a in f.args):
        return not strict or any(evident(a, on, strict=True) for a in f.args)
    return collected(f, on, strict)


def is_known(f: sp.Expr, on: Interval) -> bool:
    try:
        return any(f == known or ring.is_zero(f - known) for known in on.known)
    except ring.NotReadable:
        return False


def collected(f: sp.Expr, on: Interval, strict: bool) -> bool:
    """f = sum of p_i(x) * (product of kernels that are positive), every p_i > 0 on the interval."""
    try:
        reader = ring.Ring.over([f])
        whole = reader.read(f)
    except ring.NotReadable:
        return False
    x = next((g for head, _, g in reader.met if head == on.x), None)
    # A kernel of another kind has no sign by its form, and asking would come back here.
    kernels = {g: e for g, e in reader.kernels.items() if isinstance(e, sp.exp | sp.log | sp.Pow) or e == sp.E}
    strictly = {g for g, e in kernels.items() if evident(e, on, strict=True)}
    weakly = strictly | {g for g, e in kernels.items() if evident(e, on, strict=False)}

    def positive(p: ring.Polynomial, strict: bool) -> bool:
        groups: dict[ring.Monomial, dict[int, Fraction]] = {}
        for monomial, c in p.items():
            rest = tuple((g, k) for g, k in monomial if g != x)
            groups.setdefault(rest, {})[dict(monomial).get(x, 0) if x is not None else 0] = c
        if not all(g in weakly for rest in groups for g, _ in rest):
            return False
        if not all(polynomial_positive(dense(c), on.low, on.high, HALVINGS) for c in groups.values()):
            return False
        return not strict or any(all(g in strictly for g, _ in rest) for rest in groups)

    return positive(whole.den, True) and (positive(whole.num, strict) or (not whole.num and not strict))


def dense(sparse: dict[int, Fraction]) -> list[Fraction]:
    return [sparse.get(k, Fraction(0)) for k in range(max(sparse) + 1)]


def polynomial_positive(p: Sequence[Fraction], low: Fraction, high: Fraction | None, halvings: int) -> bool:
    """Is p > 0 on the open interval?  By coefficients on (0, oo), halving the interval where they mix."""
    if all(c >= 0 for c in on_half_line(p, low, high)):
        return any(p)
    middle = (low + high) / 2 if high is not None else max(2 * abs(low), Fraction(1)) + low
    if halvings == 0 or value(p, middle) <= 0:
        return False
    return all(polynomial_positive(p, *part, halvings - 1) for part in ((low, middle), (middle, high)))


def value(p: Sequence[Fraction], at: Fraction) -> Fraction:
    return sum((c * at**k for k, c in enumerate(p)), Fraction(0))


def on_half_line(p: Sequence[Fraction], low: Fraction, high: Fraction | None) -> list[Fraction]:
    """Coefficients, in t > 0, of p(low + t), or of (1 + t)^n p((low + high t)/(1 + t)) if high is finite."""
    n = len(p) - 1
    result = [Fraction(0)] * (n + 1)
    for k, c in enumerate(p):
        if high is None:
            for i in range(k + 1):
                result[i] += c * comb(k, i) * low ** (k - i)
        else:
            for i in range(k + 1):
                for j in range(n - k + 1):
                    result[i + j] += c * comb(k, i) * high**i * low ** (k - i) * comb(n - k, j)
    return result
