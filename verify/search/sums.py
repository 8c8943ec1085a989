"""Products of facts and squares that may add up to zero: which to try, and the proof when some do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Fact
from glbcheck.verify.search.ideal import Rules, elimination_order
from glbcheck.verify.search.polynomial import Monomial, Polynomial
from glbcheck.verify.search.products import contradiction
from glbcheck.verify.search.proof import Sum, Term

MOST_PRODUCTS = 4000


@dataclass(frozen=True)
class Product:
    """A product of facts and a square, with its normal form; strict if it is positive, not only nonnegative."""

    facts: tuple[int, ...]
    square: Polynomial
    normal: Polynomial
    strict: bool


ONE = poly.constant(1)


@dataclass
class Bench:
    """Facts by key, the rules that their equalities make, and products of the others."""

    facts: Mapping[int, Fact]
    count: int

    def __post_init__(self) -> None:
        self.equalities = {k: f.polynomial for k, f in self.facts.items() if f.sign == "=="}
        self.others = {k: f for k, f in self.facts.items() if f.sign != "=="}
        polynomials = [f.polynomial for f in self.others.values()]
        self.rules = Rules(elimination_order(self.equalities, polynomials, self.count))
        self.rules.complete(self.equalities)
        self.raw = {
            k: poly.power(f.polynomial, 2 if f.sign == "!=" else 1) for k, f in self.others.items()
        }
        self.signs = self.known_signs()

    def known_signs(self) -> dict[int, int]:
        """By variable, the key of the fact that it is positive, or that it is not negative."""
        signs: dict[int, int] = {}
        for key, fact in sorted(self.others.items(), key=lambda item: item[1].sign != ">"):
            p = fact.polynomial
            if fact.sign != "!=" and len(p) == 1 and sum(m := next(iter(p))) == 1 and p[m] > 0:
                signs.setdefault(len(m) - 1, key)
        return signs

    def expand(self, facts: tuple[int, ...], square: Polynomial) -> Polynomial:
        p = poly.product(self.raw[k] for k in facts)
        return p if square is ONE else poly.product([p, square, square])

    def product(self, facts: Iterable[int], square: Polynomial = ONE) -> Product:
        keys = tuple(sorted(facts))
        strict = square is ONE and all(self.facts[k].sign != ">=" for k in keys)
        return Product(keys, square, self.rules.reduce(self.expand(keys, square)), strict)

    def multiplier(self, monomial: Monomial) -> tuple[tuple[int, ...], Polynomial] | None:
        """The monomial as facts and a square, if it cannot be negative."""
        facts: list[int] = []
        root = [0] * len(monomial)
        for index, e in enumerate(monomial):
            if index in self.signs:
                facts += [self.signs[index]] * e
            elif e % 2:
                return None
            else:
                root[index] = e // 2
        return tuple(facts), {poly.trimmed(root): poly.ONE} if any(root) else ONE

    def proof(self, products: Sequence[Product]) -> Sum | None:
        found = contradiction(products)
        if found is None:
            return None
        total: Polynomial = {}
        for coefficient, product in found:
            total = poly.add(total, self.expand(product.facts, product.square), coefficient)
        rest, cofactors = self.rules.divide(total)
        if rest:
            return None
        multiples = {key: poly.scale(c, fmpq(-1)) for key, c in cofactors.items() if c}
        return Sum(tuple(Term(c, p.facts, p.square) for c, p in found), multiples)

    def up_to(self, level: int, base: Sequence[Product]) -> list[Product]:
        """Products of at most so many of the base."""
        layers: list[list[tuple[Product, int]]] = [[(self.product(()), 0)]]
        for _ in range(level):
            layers.append(
                [
                    (self.join(product, base[j]), j)
                    for product, start in layers[-1]
                    for j in range(start, len(base))
                ]
            )
            if sum(map(len, layers)) > MOST_PRODUCTS:
                break
        return [product for layer in layers for product, _ in layer]

    def join(self, p: Product, q: Product) -> Product:
        square = q.square if p.square is ONE else p.square if q.square is ONE else poly.multiply(p.square, q.square)
        return self.product((*p.facts, *q.facts), square)

    def plain(self) -> list[Product]:
        return [self.product((key,)) for key in self.others]

    def aimed(self, base: Sequence[Product], targets: set[Monomial]) -> list[Product]:
        """The base times monomials that are not negative, where one of the monomials becomes a target."""
        result, seen = list(base), set()
        for product in base:
            for m in product.normal:
                for target in targets:
                    if not poly.divides(m, target) or m == target:
                        continue
                    monomial = poly.quotient(target, m)
                    if (product.facts, monomial) in seen:
                        continue
                    seen.add((product.facts, monomial))
                    if (found := self.multiplier(monomial)) is not None:
                        facts, square = found
                        more = Product(facts, square, {}, False)
                        result.append(self.join(product, more))
                        if len(result) > MOST_PRODUCTS:
                            return result
        return result


def monomials(products: Iterable[Product]) -> set[Monomial]:
    return {m for product in products for m in product.normal}
