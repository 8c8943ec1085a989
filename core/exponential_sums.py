"""m = k log(sum of c_i e^{a_i z}) + a line: the self-concordance ratio without cancellation.

With M the sum and V = sum over i < j of c_i c_j (a_i - a_j)^2 e^{(a_i + a_j) z}, Lagrange's identity says
m'' = k V / M^2, so m'''/m'' = (log V)' - 2 (log M)'.  Both are means under positive weights that grow with z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, ball
from glbcheck.core.family import z

HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)
LARGEST = 12  # terms
Terms = Sequence[tuple[sp.Expr, sp.Expr]]  # weight, exponent


@dataclass(frozen=True)
class Sum:
    """The weights c_i > 0 and exponents a_i, different from each other, of a sum of at least two exponentials."""

    terms: tuple[tuple[sp.Expr, sp.Expr], ...]

    @property
    def pairs(self) -> list[tuple[sp.Expr, sp.Expr]]:
        return [(c * d * (a - b) ** 2, a + b) for (c, a), (d, b) in combinations(self.terms, 2)]

    @property
    def log_slope(self) -> sp.Expr:
        """A function whose derivative is m'''/m''."""
        V, M = (sp.Add(*(c * sp.exp(a * z) for c, a in terms)) for terms in (self.pairs, self.terms))
        return sp.log(V) - 2 * sp.log(M)

    def ratio_beyond(self, side: int, start: int) -> Ball:
        """A ball around m'''/m'' for all z with side * z >= start: each mean lies between its values at both ends."""
        at = Fraction(side * start)
        near = [_mean(terms, at) for terms in (self.pairs, self.terms)]
        far = [_extreme(terms, side) for terms in (self.pairs, self.terms)]
        return near[0].union(far[0]) - 2 * near[1].union(far[1])


def exponential_sum(m: sp.Expr) -> Sum | None:
    """The sum inside m, or None if m is not of this form."""
    curved = [t for t in sp.Add.make_args(sp.expand(m.rewrite(HYPERBOLIC, sp.exp), log=False)) if not _line(t)]
    number, core = curved[0].as_independent(z, as_Add=False) if len(curved) == 1 else (sp.S.Zero, sp.S.Zero)
    if not isinstance(core, sp.log) or not number.is_positive:
        return None
    collected: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(core.args[0])):
        weight, power = term.as_independent(z, as_Add=False)
        exponent = sp.log(power) if power == 1 else power.args[0] if isinstance(power, sp.exp) else z**2
        if not _line(exponent) or not exponent.coeff(z, 1).is_Rational:
            return None
        slope = exponent.coeff(z, 1)
        collected[slope] = collected.get(slope, sp.S.Zero) + weight * sp.exp(exponent.subs(z, 0))
    if not 2 <= len(collected) <= LARGEST or not all(map(_positive, collected.values())):
        return None
    return Sum(tuple((collected[a], a) for a in sorted(collected)))


def _line(t: sp.Expr) -> bool:
    return bool(t.is_polynomial(z) and sp.degree(t, z) <= 1)


def _positive(c: sp.Expr) -> bool:
    try:
        return bool(ball(c) > 0)
    except NotEnclosed:
        return False


def _mean(terms: Terms, at: Fraction) -> Ball:
    weights = [ball(c) * (ball(a) * ball(at)).exp() for c, a in terms]
    return sum((w * ball(a) for w, (_, a) in zip(weights, terms, strict=True)), ball(0)) / sum(weights, ball(0))


def _extreme(terms: Terms, side: int) -> Ball:
    """The limit of the mean as side * z -> oo."""
    exponents = [a for _, a in terms]
    return ball(max(exponents) if side > 0 else min(exponents))
