"""The search for a derivation that M = exp(m) is a Laplace transform.

It matches the shape of the formula against the rules, from the outside in, and proposes a tree.  Nothing is
trusted here: `derivation.derives` has every step checked, and that the tree stands for the M that was asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.density_shapes import density_of
from glbcheck.core.laplace.derivation import Construction, derives, holds
from glbcheck.core.laplace.exponent_search import exponent_of, ratio_as_jumps
from glbcheck.core.laplace.formula import (
    Where,
    affine,
    expanded,
    exponent,
    exponentiated,
    factored,
    in_exponentials,
    in_partial_fractions,
    interior_point,
    positive,
    rational,
    where,
)
from glbcheck.core.laplace.shapes import as_exponent, log_of, multiple, over, pairs_of, raised, times
from glbcheck.core.measures.rules import EXPONENT, TRANSFORM

Tree = Construction
DEEPEST = 12
LONGEST = 40  # operations in a derivative worth looking at


def construct(m: sp.Expr, domain: sp.Interval, *, power: Fraction = Fraction(1)) -> Construction | None:
    """A checked derivation that exp(power m) is a transform on the interior of the domain, or None."""
    return _constructed(m, domain, power)


@lru_cache(maxsize=64)  # each power asks for the whole and for its roots, and other questions ask again
def _constructed(m: sp.Expr, domain: sp.Interval, power: Fraction) -> Construction | None:
    e = in_exponentials(exponent(m, power))
    if power != 1 and (tree := _power_of(construct(m, domain), power)) and derives(tree, m, domain, power):
        return tree
    search = _Search(where(domain))
    for tree in search.whole(e):
        if tree is not None and derives(tree, m, domain, power):
            return tree
    tree = over("exponential", multiple(rational(power), _by_second_derivative(m, domain)))
    if tree is not None and derives(tree, m, domain, power):
        return tree
    if power.numerator > 1 and (root := construct(m, domain, power=power / power.numerator)) is not None:
        tree = raised(root, sp.Integer(power.numerator))
        return tree if derives(tree, m, domain, power) else None
    return None


def _power_of(whole: Construction | None, power: Fraction) -> Construction | None:
    """The derivation of a power from that of the whole: of any if it is infinitely divisible, else of whole powers."""
    if whole is None:
        return None
    if not whole.infinitely_divisible:
        return raised(whole, sp.Integer(power.numerator)) if power.denominator == 1 else None
    return Tree("exponential", (), (Tree("multiple", (rational(power),), (as_exponent(whole),)),))


@lru_cache(maxsize=16)  # the same for every power
def _by_second_derivative(m: sp.Expr, domain: sp.Interval) -> Construction | None:
    return _Search(where(domain)).kolmogorov(in_exponentials(exponent(m, Fraction(1))))


class _Search:
    """Proposals on one interval; remembers what failed, and gives up in the depths."""

    def __init__(self, inside: Where) -> None:
        self.inside = inside
        self.known: dict[tuple[str, sp.Expr], Tree | None] = {}
        self.depth = 0

    def whole(self, e: sp.Expr) -> Iterator[Tree | None]:
        """exp(e): infinitely divisible if possible, else factor by factor, else multiplied out."""
        shapes = (e, self._factored(e))
        for shape in shapes:
            yield over("exponential", self.exponent(shape))
        for shape in shapes:
            M = exponentiated(shape)
            yield self.transform(M)
            yield self.transform(flat := expanded(M))
            yield self.transform(sp.factor_terms(flat))
            yield self.transform(in_partial_fractions(flat))

    def _factored(self, e: sp.Expr) -> sp.Expr:
        """Arguments of logarithms split into factors, each with the sign that it has inside the interval."""
        x = interior_point(self.inside)
        if x is None:
            return e

        def split(f: sp.Expr) -> sp.Expr:
            number, rest = factored(f).as_independent(z, as_Add=False)
            logs = sp.S.Zero
            for factor, k in (part.as_base_exp() for part in sp.Mul.make_args(rest)):
                if not k.is_Integer or factor == sp.E:
                    return sp.log(f)
                negative = positive(-factor.subs(z, sp.Rational(x.numerator, x.denominator)))
                number *= (-1) ** k if negative else 1
                logs += k * sp.log(sp.expand(-factor) if negative else factor)
            return logs + sp.log(number) if positive(number) else sp.log(f)

        return e.replace(sp.log, split)

    def transform(self, f: sp.Expr) -> Tree | None:
        return self._once(TRANSFORM, f, self._transform)

    def exponent(self, psi: sp.Expr) -> Tree | None:
        return self._once(EXPONENT, psi, lambda e: exponent_of(self, e))

    def _once(self, kind: str, expr: sp.Expr, look: Callable[[sp.Expr], Tree | None]) -> Tree | None:
        key = (kind, expr)
        if key not in self.known:
            if self.depth >= DEEPEST:
                return None
            self.known[key] = None  # a formula that needs itself is not derived
            self.depth += 1
            tree = look(expr)
            self.depth -= 1
            self.known[key] = tree if tree is not None and holds(tree, kind, self.inside) else None
        return self.known[key]

    # --- transforms --------------------------------------------------------------------------------

    def _transform(self, f: sp.Expr) -> Tree | None:
        if not f.free_symbols:
            return Tree("constant", (f,))
        if isinstance(f, sp.exp) or (f.is_Pow and f.base == sp.E):
            return over("exponential", self.exponent(f.as_base_exp()[1] if f.is_Pow else f.args[0]))
        if f.is_Add:
            return self._sum(f) or self._known_density(f)
        if f.is_Mul:
            return self._product(f) or self._known_density(f)
        if f.is_Pow:
            return self._power(f.base, f.exp)
        if isinstance(f, sp.gamma):
            return over("exponential", self.exponent(sp.loggamma(f.args[0])))
        return self._function(f)

    def _known_density(self, f: sp.Expr) -> Tree | None:
        return next((tree for tree in density_of(f) if tree is not None and holds(tree, TRANSFORM, self.inside)), None)

    def _function(self, f: sp.Expr) -> Tree | None:
        if isinstance(f, sp.besseli) and affine(f.args[1]):
            return Tree("bessel", (f.args[0], f.args[1]))
        if isinstance(f, sp.log) and f.args[0].is_Mul:
            return ratio_as_jumps(self, sp.Add(*map(log_of, f.args[0].args)))
        series = {sp.cosh: "cosh-series", sp.sinh: "sinh-series", sp.besseli: "bessel-series"}
        if f.func not in series:
            return None
        return over(series[f.func], self.transform(f.args[-1]), *f.args[:-1])

    def _power(self, base: sp.Expr, power: sp.Expr) -> Tree | None:
        if (psi := self.exponent(power * sp.log(base))) is not None:
            return over("exponential", psi)
        return over("power", self.transform(base), power) if power.is_Integer and power > 1 else None

    def _sibuya(self, f: sp.Expr) -> Tree | None:
        """1 - (1 - g)^p."""
        base, power = (1 - f).as_base_exp()
        return (
            over("sibuya", self.transform(sp.expand(1 - base)), power) if power.is_Rational and 0 < power < 1 else None
        )

    def _sum(self, f: sp.Expr) -> Tree | None:
        if (parts := self._all(self.transform, f.args)) is not None:
            return Tree("mixture", (), parts)
        if (tree := self._thinned(f) or self._sibuya(f) or ratio_as_jumps(self, f)) is not None:
            return tree
        flat = expanded(f)
        if flat != f:
            return self.transform(flat)
        joined = sp.factor_terms(sp.together(f))
        return self.transform(joined) if joined.is_Mul and joined != f else None

    def _thinned(self, f: sp.Expr) -> Tree | None:
        """c (exp(L) - a polynomial in L)."""
        for term in f.args:
            number, core = term.as_independent(z, as_Add=False)
            if not isinstance(core, sp.exp) or core.args[0].is_polynomial(z):
                continue
            shift, L = core.args[0].as_independent(z, as_Add=True)
            scale, unit = L.as_independent(z, as_Add=False)
            rest = sp.expand((term - f) / (number * sp.exp(shift)))
            jumps = self.transform(L)
            if jumps is None or not rest.is_polynomial(unit):
                continue
            coefficients = sp.Poly(rest, unit).all_coeffs()[::-1]
            if not any(c.free_symbols for c in coefficients):
                thinned = tuple(c / scale**k for k, c in enumerate(coefficients))
                return times(number * sp.exp(shift), Tree("thinned-poisson", thinned, (jumps,)))
        return None

    def _product(self, f: sp.Expr) -> Tree | None:
        number, rest = f.as_independent(z, as_Add=False)
        if number.is_negative and isinstance(rest, sp.log):
            return times(-number, over("logarithmic", self.transform(sp.expand(1 - rest.args[0]))))
        if number.is_negative:
            return self._with_sign_moved(-number, list(sp.Mul.make_args(rest)))
        return times(number, self._factors(list(sp.Mul.make_args(rest))))

    def _with_sign_moved(self, size: sp.Expr, factors: list[sp.Expr]) -> Tree | None:
        """-(a - b) c = (b - a) c."""
        for i, factor in enumerate(factors):
            base, power = factor.as_base_exp()
            if not (power.is_odd and (base.is_Add or affine(base))):
                continue
            if len(factors) == 1:
                return times(size, self._power(sp.expand(-base), power))
            changed = [*factors[:i], sp.expand(-base) ** power, *factors[i + 1 :]]
            if (tree := self._factors(changed)) is not None:
                return times(size, tree)
        return None

    def _factors(self, factors: list[sp.Expr]) -> Tree | None:
        """A product, two factors at a time where only the pair is a transform, one at a time otherwise."""
        if len(factors) == 1:
            return self.transform(factors[0])
        for a, b in permutations(factors, 2):
            for pair, left in pairs_of(a, b):
                rest = [*(x for x in factors if x is not a and x is not b), *left]
                others = self._factors(rest) if rest else None
                if not rest or others is not None:
                    return pair if others is None else Tree("product", (), (pair, others))
        if (psi := self.exponent(sp.Add(*map(log_of, factors)))) is not None:
            return over("exponential", psi)
        parts = self._all(self.transform, factors)
        return None if parts is None else Tree("product", (), parts)

    def kolmogorov(self, psi: sp.Expr) -> Tree | None:
        """Through the second derivative; the last resort, for derivatives are long."""
        second = sp.diff(psi, z, 2)
        if second.count_ops() > LONGEST:
            return None
        w = sp.Dummy("w", positive=True)  # beside 0, so that roots and powers of -z are seen as one power
        mirrored = second.subs(z, -w).subs(w, -z) if self.inside.high == 0 else second
        for form in (second, sp.expand(second), exponentiated(self._factored(sp.log(second))), mirrored):
            if (inner := self.transform(form)) is not None:
                return Tree("kolmogorov", (psi,), (inner,))
        return None

    def _all(self, look: Callable[[sp.Expr], Tree | None], items: Iterable[sp.Expr]) -> tuple[Tree, ...] | None:
        found: list[Tree] = []
        for tree in map(look, items):
            if tree is None:
                return None
            found.append(tree)
        return tuple(found)
