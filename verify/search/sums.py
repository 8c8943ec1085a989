"""Products of facts and squares, with their normal forms, and the proof when some of them add up to zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq
from glbcheck.core.kernel.terms import spend
from glbcheck.verify.search import linear
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Fact
from glbcheck.verify.search.ideal import Rules, elimination_order
from glbcheck.verify.search.polynomial import Monomial, Polynomial
from glbcheck.verify.search.proof import Sum, Term

MOST_PRODUCTS = 4000
LONGEST = 2000
ONE = poly.UNIT


@dataclass(frozen=True)
class Product:
    """A product of facts and a square, and its normal form; strict if it is positive for sure."""

    facts: tuple[int, ...]
    square: Polynomial
    normal: Polynomial
    strict: bool


class Bench:
    """Facts by key, the rules that the equalities make, and products of the others.

    `goal` is the fact that was denied, at which products are aimed.
    """

    def __init__(self, facts: Mapping[int, Fact], goal: int, variables: int) -> None:
        self.facts, self.goal = facts, goal
        equalities = {key: f.polynomial for key, f in facts.items() if f.sign == "=="}
        others = {key: f for key, f in facts.items() if f.sign != "=="}
        # That p is not zero is used as p**2 > 0.
        self.raw = {key: poly.power(f.polynomial, 2 if f.sign == "!=" else 1) for key, f in others.items()}
        self.rules = Rules(elimination_order(equalities, list(self.raw.values()), variables))
        self.rules.complete(equalities)
        self.signs = known_signs(others)
        self.plain = [self.product((key,)) for key in others]

    def product(self, facts: Iterable[int], square: Polynomial = ONE) -> Product:
        spend(100)
        keys = tuple(sorted(facts))
        strict = square == ONE and all(self.facts[key].sign != ">=" for key in keys)
        return Product(keys, square, self.rules.reduce(self.expanded(keys, square)), strict)

    def expanded(self, facts: Iterable[int], square: Polynomial) -> Polynomial:
        return poly.product([*(self.raw[key] for key in facts), square, square])

    def join(self, p: Product, q: Product) -> Product:
        return self.product((*p.facts, *q.facts), poly.multiply(p.square, q.square))

    def up_to(self, level: int, base: Sequence[Product]) -> list[Product]:
        """Products of at most so many of the base, as long as they are not too many."""
        layer = [(self.product(()), 0)]
        found = layer
        for _ in range(level):
            layer = [
                (self.join(p, base[j]), j)
                for p, start in layer
                for j in range(start, len(base))
                if len(p.normal) * len(base[j].normal) <= LONGEST
            ]
            found = [*found, *layer]
            if len(found) > MOST_PRODUCTS:
                break
        return [product for product, _ in found]

    def multiplier(self, monomial: Monomial) -> Product | None:
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
        return self.product(facts, {poly.trimmed(root): poly.ONE})

    def aimed(self, base: Sequence[Product], targets: set[Monomial]) -> list[Product]:
        """The base, also times monomials that are not negative and take one of its monomials to a target."""
        wanted = {
            (n, poly.quotient(target, m)): None
            for n, product in enumerate(base)
            for m in product.normal
            for target in sorted(targets)
            if m != target and poly.divides(m, target)
        }
        multipliers = {monomial: self.multiplier(monomial) for _, monomial in wanted}
        found = list(base)
        for n, monomial in wanted:
            if len(found) < MOST_PRODUCTS and (multiplier := multipliers[monomial]) is not None:
                found.append(self.join(base[n], multiplier))
        return found

    def targets(self, products: Iterable[Product]) -> set[Monomial]:
        """The monomials of the goal, and of the products that use it."""
        goal = self.facts[self.goal]
        return {*goal.polynomial, *monomials(p for p in products if self.goal in p.facts)}

    def proof(self, products: Sequence[Product]) -> Sum | None:
        """The contradiction that a linear program finds among the products, if any."""
        found = linear.combination([p.normal for p in products], [p.strict for p in products])
        if found is None:
            return None
        return self.summed([Term(c, products[k].facts, products[k].square) for k, c in found.items()])

    def summed(self, terms: Sequence[Term]) -> Sum | None:
        """The terms with the multiples of equalities that make their sum zero."""
        total: Polynomial = {}
        for term in terms:
            total = poly.add(total, self.expanded(term.facts, term.square), term.coefficient)
        rest, cofactors = self.rules.divide(total)
        multiples = {key: poly.scale(c, fmpq(-1)) for key, c in cofactors.items() if c}
        return None if rest else Sum(tuple(terms), multiples)


def known_signs(facts: Mapping[int, Fact]) -> dict[int, int]:
    """By variable, the key of the fact that it is positive, or else that it is not negative."""
    signs: dict[int, int] = {}
    for sign in (">", ">="):
        for key, fact in facts.items():
            index = single_variable(fact.polynomial)
            if fact.sign == sign and index is not None:
                signs.setdefault(index, key)
    return signs


def single_variable(p: Polynomial) -> int | None:
    """The variable of which p is a positive multiple."""
    ((monomial, coefficient),) = p.items() if len(p) == 1 else [((), 0)]
    return len(monomial) - 1 if sum(monomial) == 1 and coefficient > 0 else None


def monomials(products: Iterable[Product]) -> set[Monomial]:
    return {m for product in products for m in product.normal}
