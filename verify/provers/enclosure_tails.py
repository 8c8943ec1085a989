"""Unbounded coordinates: from a statement on [c, oo) or (-oo, c] to one on a compact interval.

Four ways, each a lemma:
  reciprocal, exponential  with x = c/t or so, or x = c - log t, the gap times a power of t becomes a
                           function h of t in [0, 1] that is finite to the end; its sign for t > 0 suffices
  shift                    the same with x = c + t or c - t, for a finite end c that is not in the domain
  dominant                 a rational function of x and e^-x has the sign of its dominant terms
  rising                   the gap is fine at x = c and its slope in x is fine beyond

The transformed gap no longer shows whether the formula as written makes sense beyond c, so what the
formula demands (nonzero denominators, positive logarithms) is listed by `demands` and proved as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.enclosure.tails import big, rational_tail, small
from glbcheck.verify.provers.enclosure_rules import exactly_zero

HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)
Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Chart:
    """A change of variable x = x(t) from (0, width] onto the interval without its far (or shifted) end."""

    kind: str
    symbol: sp.Symbol
    end: Fraction
    direction: int
    width: Fraction = Fraction(1)

    @property
    def t(self) -> sp.Symbol:
        return sp.Symbol(f"t_{self.symbol.name}", positive=True)

    def x(self) -> sp.Expr:
        c, s, t = sp.Rational(self.end.numerator, self.end.denominator), self.direction, self.t
        if self.kind == "exponential":
            return c - s * sp.log(t)
        if self.kind == "shift":
            return c + s * t
        return c / t if c * s > 0 else c + s * (1 / t - 1)


def charts(symbol: sp.Symbol, ends: Ends, excluded: tuple[bool, bool] = (False, False)) -> list[Chart]:
    """The changes of variable for an interval, none if it is bounded and has both its ends."""
    low, high = ends
    if low is not None and high is not None:
        left = [Chart("shift", symbol, low, 1, high - low)] if excluded[0] else []
        return left or ([Chart("shift", symbol, high, -1, high - low)] if excluded[1] else [])
    end, direction = (low, 1) if low is not None else (high, -1)
    assert end is not None
    return [Chart(kind, symbol, end, direction) for kind in ("reciprocal", "exponential")]


def substitute(expr: sp.Expr, used: tuple[Chart, ...]) -> sp.Expr:
    exponentials = expr.doit().rewrite(HYPERBOLIC, sp.exp)
    return exponentials.subs({chart.symbol: chart.x() for chart in used}, simultaneous=True)


def forms(gap: sp.Expr, used: tuple[Chart, ...]) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Pairs: an expression in the new variables, and the product of powers of them by which it is the gap."""
    raw = substitute(gap, used)
    for form, multiplier in candidates(raw, [chart.t for chart in used]):
        if same_sign(form, multiplier, raw, used):
            yield form, multiplier


def candidates(raw: sp.Expr, ts: list[sp.Symbol]) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    split = sp.expand(raw.replace(sp.log, lambda u: split_logarithm(u, ts)), log=False)
    yield split, sp.S.One
    top, bottom = sp.fraction(sp.together(split))
    multiplier = sp.S.One
    for t in ts:
        top, k = divided(top, t)
        bottom, m = divided(bottom, t)
        multiplier *= t ** (m - k)
    yield top / bottom, multiplier
    for t, k in product(ts, (1, 2)):
        yield sp.expand(split * t**k, log=False), t**k


def split_logarithm(u: sp.Expr, ts: list[sp.Symbol]) -> sp.Expr:
    """log u with the powers of the new variables taken out, and the quotient split."""
    top, bottom = sp.fraction(sp.together(u))
    total = sp.S.Zero
    for t in ts:
        top, k = divided(top, t)
        bottom, m = divided(bottom, t)
        total += (k - m) * sp.log(t)
    return total + sp.log(top) - sp.log(bottom)


def divided(expr: sp.Expr, t: sp.Symbol) -> tuple[sp.Expr, int]:
    """The expression freed of the largest power of t that stands as a factor of all its terms."""
    terms = sp.Add.make_args(sp.expand(expr, log=False))
    power = min(int(term.as_coeff_exponent(t)[1]) for term in terms) if t in expr.free_symbols else 0
    return sp.expand(expr * t**-power, log=False), power


def same_sign(form: sp.Expr, multiplier: sp.Expr, raw: sp.Expr, used: tuple[Chart, ...]) -> bool:
    """Is the form the raw gap times the multiplier, a product of powers of the new (positive) variables?"""
    powers = (factor.as_base_exp() for factor in sp.Mul.make_args(multiplier))
    if not all(base in [1, *(chart.t for chart in used)] and e.is_Integer for base, e in powers):
        return False
    return exactly_zero(split_all(form - multiplier * raw, used))


def split_all(expr: sp.Expr, used: tuple[Chart, ...]) -> sp.Expr:
    return expr.replace(sp.log, lambda u: split_logarithm(u, [chart.t for chart in used]))


# --- dominant terms ----------------------------------------------------------------------------------


def dominant_sign(gap: sp.Expr, symbols: tuple[sp.Symbol, ...], intervals: tuple[Ends, ...]) -> int:
    """The sign of a rational function of x and e^-x on a whole unbounded interval; 0 if not settled."""
    if len(symbols) != 1 or gap.free_symbols != set(symbols) or None not in intervals[0]:
        return 0
    symbol, chart = symbols[0], charts(symbols[0], intervals[0])[0]
    shift = chart.end * chart.direction
    if shift < 1 or shift.denominator != 1:
        return 0
    outward = gap.doit().rewrite(HYPERBOLIC, sp.exp).subs(symbol, chart.direction * big)
    try:
        rational = sp.expand_power_exp(sp.expand(outward, log=False)).replace(sp.exp, exponential_to_small)
        if rational.free_symbols - {big, small} or not rational.is_rational_function(big, small):
            return 0
        return rational_tail(rational, int(shift)).sign
    except (NotEnclosed, ValueError, ZeroDivisionError, sp.PolynomialError):
        return 0


def exponential_to_small(exponent: sp.Expr) -> sp.Expr:
    rate, rest = sp.expand(exponent).coeff(big, 1), sp.expand(exponent).coeff(big, 0)
    if not rate.is_Integer or sp.expand(rate * big + rest - exponent) != 0:
        raise ValueError(f"exp({exponent}) is not a power of exp(-b)")
    return small**-rate * sp.exp(rest)


# --- what a formula demands ---------------------------------------------------------------------------

POSITIVE, NONZERO, NONNEGATIVE = "positive", "nonzero", "nonnegative"
Demand = tuple[str, sp.Expr]
EVERYWHERE = (sp.exp, sp.sin, sp.cos, sp.atan, sp.asinh, sp.Abs, sp.Max, sp.Min, sp.erf, sp.erfc, sp.besseli)


def demands(written: sp.Expr) -> list[Demand]:
    """What must hold for the formula to make sense, apart from what is evident from its form."""
    found: list[Demand] = []
    for node in sp.preorder_traversal(written):
        found += [d for d in of_node(node) if d not in found and not evident(*d)]
    return found


def of_node(node: sp.Expr) -> list[Demand]:
    if node.is_Pow and node.base != sp.E:
        base, exponent = node.base, node.exp
        if exponent.is_Integer:
            return [(NONZERO, base)] if exponent.is_negative else []
        positive_power = exponent.is_Rational and exponent.is_positive
        return [(NONNEGATIVE if positive_power else POSITIVE, base)]
    if isinstance(node, sp.log | sp.gamma | sp.loggamma | sp.polygamma):
        return [(POSITIVE, node.args[-1])]
    if isinstance(node, sp.asin | sp.acos):
        return [(NONNEGATIVE, 1 - node.args[0] ** 2)]
    if isinstance(node, sp.acosh):
        return [(NONNEGATIVE, node.args[0] - 1)]
    if isinstance(node, sp.atanh):
        return [(POSITIVE, 1 - node.args[0] ** 2)]
    if isinstance(node, sp.LambertW):
        return [(NONNEGATIVE, node.args[0])]
    if isinstance(node, sp.coth | sp.csch):
        return [(NONZERO, node.args[0])]
    known = (*EVERYWHERE, sp.sinh, sp.cosh, sp.tanh, sp.sech)
    if isinstance(node, sp.Function) and not isinstance(node, known):
        return [(NONZERO, sp.S.Zero)]  # a demand that nothing meets
    return []


def evident(kind: str, expr: sp.Expr) -> bool:
    """Positive (so nonzero) or nonnegative by its form, for all real values of the variables."""
    if kind == NONNEGATIVE:
        return nonnegative(expr)
    return positive(expr) or (kind == NONZERO and expr.is_Rational and expr != 0)


def positive(e: sp.Expr) -> bool:
    if e.is_Rational or e.is_Symbol:
        return bool(e.is_Rational and e > 0)
    if e in (sp.pi, sp.E) or isinstance(e, sp.exp | sp.cosh) or (e.is_Pow and e.base == sp.E):
        return True
    if e.is_Add:
        return all(map(nonnegative, e.args)) and any(map(positive, e.args))
    return bool((e.is_Mul and all(map(positive, e.args))) or (e.is_Pow and positive(e.base)))


def nonnegative(e: sp.Expr) -> bool:
    if e.is_Rational:
        return bool(e >= 0)
    if isinstance(e, sp.Abs) or (e.is_Pow and e.exp.is_Integer and e.exp.is_even and e.exp.is_positive):
        return True
    if e.is_Add or e.is_Mul:
        return all(map(nonnegative, e.args))
    return positive(e)
