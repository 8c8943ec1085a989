"""Products of facts and squares, with their normal forms, and the proof when some of them add up to zero.

Which products to try for one set of facts is said last, the cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import prod

from glbcheck.core.kernel.terms import spend
from glbcheck.verify.search import gram, linear_program
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.gram import Term
from glbcheck.verify.search.groebner import Rules, elimination_order
from glbcheck.verify.search.polynomial import Monomial, Polynomial, Ring
from glbcheck.verify.search.polynomial_facts import Definition, Fact

MOST_PRODUCTS = 4000
LONGEST = 2000
MOST_SQUARES = 20
MOST_ENTRIES = 250


@dataclass(frozen=True)
class Sum:
    """Terms, and multiples of equalities, that add up to zero."""

    terms: tuple[Term, ...]
    multiples: Mapping[int, Polynomial]


@dataclass(frozen=True)
class Product:
    """A product of facts and a square, and its normal form; strict if it is positive for sure."""

    facts: tuple[int, ...]
    square: Polynomial
    normal: Polynomial
    strict: bool


class ProductSet:
    """Facts by key, the rules that the equalities make, and products of the others.

    `goal` is the fact that was denied, at which products are aimed.
    """

    def __init__(self, facts: Mapping[int, Fact], goal: int, ring: Ring) -> None:
        self.facts, self.goal, self.ring, self.one = facts, goal, ring, ring.constant(1)
        equalities = {key: f.polynomial for key, f in facts.items() if f.sign == "=="}
        others = {key: f for key, f in facts.items() if f.sign != "=="}
        # That p is not zero is used as p**2 > 0.
        self.raw = {key: f.polynomial ** (2 if f.sign == "!=" else 1) for key, f in others.items()}
        self.rules = Rules(ring, elimination_order(equalities, list(self.raw.values()), ring))
        self.rules.complete(equalities)
        self.signs = known_signs(others)
        self.plain = [self.product((key,)) for key in others]

    def product(self, facts: Iterable[int], square: Polynomial | None = None) -> Product:
        spend(100)
        keys, square = tuple(sorted(facts)), self.one if square is None else square
        strict = square == 1 and all(self.facts[key].sign != ">=" for key in keys)
        return Product(keys, square, self.rules.reduce(self.expanded(keys, square)), strict)

    def expanded(self, facts: Iterable[int], square: Polynomial) -> Polynomial:
        return prod((self.raw[key] for key in facts), start=square * square)

    def join(self, p: Product, q: Product) -> Product:
        return self.product((*p.facts, *q.facts), p.square * q.square)

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
        return self.product(facts, poly.power_of(self.ring, tuple(root)))

    def aimed(self, base: Sequence[Product], targets: set[Monomial]) -> list[Product]:
        """The base, also times monomials that are not negative and take one of its monomials to a target."""
        wanted = {
            (n, poly.quotient(target, m)): None
            for n, product in enumerate(base)
            for m in product.normal.monoms()
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
        return {*goal.polynomial.monoms(), *monomials(p for p in products if self.goal in p.facts)}

    def proof(self, products: Sequence[Product]) -> Sum | None:
        """The contradiction that a linear program finds among the products, if any."""
        found = linear_program.combination([p.normal for p in products], [p.strict for p in products])
        if found is None:
            return None
        return self.summed([Term(c, products[k].facts, products[k].square) for k, c in found.items()])

    def summed(self, terms: Sequence[Term]) -> Sum | None:
        """The terms with the multiples of equalities that make their sum zero."""
        total = sum((self.expanded(term.facts, term.square) * term.coefficient for term in terms), self.one * 0)
        rest, cofactors = self.rules.divide(total)
        multiples = {key: -c for key, c in cofactors.items() if c}
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
    alone = len(p) == 1 and p.total_degree() == 1 and p.coefficient(0) > 0
    return next(iter(poly.variables_of(p))) if alone else None


def monomials(products: Iterable[Product]) -> set[Monomial]:
    return {m for product in products for m in product.normal.monoms()}


# --- which to try ------------------------------------------------------------------------------------------------


def first_products(made: ProductSet, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of two facts; then facts times monomials of the goal and of its products."""
    base = made.plain
    if proof := made.proof(made.up_to(1, base)):
        return proof
    pairs = made.up_to(2, base)
    if proof := made.proof(pairs):
        return proof
    return made.proof([*pairs, *made.aimed(made.up_to(1, base), made.targets(pairs))])


def more_products(made: ProductSet, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of three, completed squares, products that reach for each other."""
    clear = cleared(made, definitions)
    for base in [clear] if clear == made.plain else [clear, made.plain]:
        for products in candidates(made, base):
            if proof := made.proof(products):
                return proof
    return None


def candidates(made: ProductSet, base: Sequence[Product]) -> Iterator[list[Product]]:
    yield made.up_to(2, base)
    yield made.up_to(3, base)
    completed = completed_squares(made, base)
    yield made.up_to(2, [*base, *completed])
    highest = max((p.normal.total_degree() for p in base), default=0)
    for level in (1, 2):
        some = [*made.up_to(level, base), *completed]
        products = made.aimed(some, made.targets(base))
        yield products
        targets = monomials([*products, *base])
        for _ in range(2):
            products = made.aimed(some, {m for m in targets if sum(m) <= highest})
            yield products
            targets = monomials(products)


def cleared(made: ProductSet, definitions: Mapping[int, Definition]) -> list[Product]:
    """The facts times the denominators in them that are known to be positive."""
    positive = {poly.key(fact.polynomial): key for key, fact in made.facts.items() if fact.sign == ">"}
    base = made.plain
    for index, definition in reversed(list(definitions.items())):
        key = positive.get(poly.key(definition.of[0]))
        if definition.kind == "reciprocal" and key is not None:
            base = [made.product((*p.facts, *[key] * p.normal.degrees()[index])) for p in base]
    return base


def completed_squares(made: ProductSet, base: Sequence[Product]) -> list[Product]:
    """Squares of derivatives of what is quadratic in a variable, and of sums and differences of two variables.

    Variables that share a monomial come first; there are at most MOST_SQUARES.
    """
    found, gens = dict[str, Polynomial](), made.ring.gens()
    for p in (product.normal for product in base):
        for index in sorted(poly.variables_of(p)):
            if p.degrees()[index] == 2:
                slope = p.derivative(index)
                found.setdefault(str(slope.monoms()), slope / slope.leading_coefficient())
    indices = sorted({index for product in base for index in poly.variables_of(product.normal)}, reverse=True)
    together = {frozenset(i for i, e in enumerate(monomial) if e) for monomial in monomials(base)}
    pairs = combinations(indices, 2)
    for a, b in sorted(pairs, key=lambda pair: (not any(some.issuperset(pair) for some in together), pair)):
        for sign in (1, -1):
            found[f"{a} {b} {sign}"] = gens[a] + gens[b] * sign
    return [made.product((), square) for square in found.values() if len(square) > 1][:MOST_SQUARES]


def squares(made: ProductSet, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of facts, and facts times sums of squares, of degree no higher than the goal's."""
    base = cleared(made, definitions)
    for level in (1, 2):
        products = made.up_to(level, base)
        shapes: list[tuple[Product, tuple[Polynomial, ...]]] = [(p, (made.one,)) for p in products]
        shapes += [(p, halves(made, made.targets(products), p.normal.total_degree())) for p in (products[0], *base)]
        blocks, room = [], MOST_ENTRIES
        for multiplier, basis in shapes:
            entries = len(basis) * (len(basis) + 1) // 2
            if 0 < entries <= room:
                room -= entries
                blocks.append(block(made, multiplier, basis))
        if found := gram.complete(blocks):
            return made.summed(found)
    return None


def halves(made: ProductSet, targets: set[Monomial], less: int) -> tuple[Polynomial, ...]:
    """The monomials whose squares, times something of degree `less`, are between the targets and rules."""
    heads = {rule.head for rule in made.rules.rules if sum(rule.head) > 1}
    reached, gens = sorted(targets | heads), made.ring.gens()
    variables = sorted({index for m in reached for index, e in enumerate(m) if e})
    most = {index: (max(m[index] for m in reached) + 1) // 2 for index in variables}
    degrees = [sum(m) for m in reached]
    lowest, highest = (max(0, end - less) for end in (min(degrees), max(degrees)))
    return tuple(
        prod((gens[index] for index in chosen), start=made.one)
        for size in range(lowest // 2, highest // 2 + 1)
        for chosen in combinations_with_replacement(variables, size)
        if all(chosen.count(index) <= most[index] for index in variables)
    )


def block(made: ProductSet, multiplier: Product, basis: tuple[Polynomial, ...]) -> gram.Block:
    entries = tuple(tuple(made.rules.reduce(multiplier.normal * left * right) for right in basis) for left in basis)
    return gram.Block(multiplier.facts, basis, entries, multiplier.strict and basis == (made.one,))
