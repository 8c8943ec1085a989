"""Which products to try for one set of facts, the cheapest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement

from flint import fmpq
from glbcheck.verify.search import gram
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Definition
from glbcheck.verify.search.polynomial import Monomial, Polynomial
from glbcheck.verify.search.proof import Sum
from glbcheck.verify.search.sums import ONE, Bench, Product, monomials

MOST_SQUARES = 20
MOST_ENTRIES = 250


def quick(bench: Bench, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of two facts; then facts times monomials of the goal and of its products."""
    base = bench.plain
    if proof := bench.proof(bench.up_to(1, base)):
        return proof
    pairs = bench.up_to(2, base)
    if proof := bench.proof(pairs):
        return proof
    return bench.proof([*pairs, *bench.aimed(bench.up_to(1, base), bench.targets(pairs))])


def linear(bench: Bench, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of three, completed squares, products that reach for each other."""
    clear = cleared(bench, definitions)
    for base in [clear] if clear == bench.plain else [clear, bench.plain]:
        for products in candidates(bench, base):
            if proof := bench.proof(products):
                return proof
    return None


def candidates(bench: Bench, base: Sequence[Product]) -> Iterator[list[Product]]:
    yield bench.up_to(2, base)
    yield bench.up_to(3, base)
    completed = completed_squares(bench, base)
    yield bench.up_to(2, [*base, *completed])
    highest = max((poly.degree(p.normal) for p in base), default=0)
    for level in (1, 2):
        some = [*bench.up_to(level, base), *completed]
        products = bench.aimed(some, bench.targets(base))
        yield products
        targets = monomials([*products, *base])
        for _ in range(2):
            products = bench.aimed(some, {m for m in targets if sum(m) <= highest})
            yield products
            targets = monomials(products)


def cleared(bench: Bench, definitions: Mapping[int, Definition]) -> list[Product]:
    """The facts times the denominators in them that are known to be positive."""
    positive = {frozenset(fact.polynomial.items()): key for key, fact in bench.facts.items() if fact.sign == ">"}
    base = bench.plain
    for index, definition in reversed(list(definitions.items())):
        key = positive.get(frozenset(definition.of[0].items()))
        if definition.kind == "reciprocal" and key is not None:
            base = [bench.product((*p.facts, *[key] * highest(p.normal, index))) for p in base]
    return base


def highest(p: Polynomial, index: int) -> int:
    return max((poly.exponent(m, index) for m in p), default=0)


def completed_squares(bench: Bench, base: Sequence[Product]) -> list[Product]:
    """Squares of derivatives of what is quadratic in a variable, and of sums and differences of two variables.

    Variables that share a monomial come first; there are at most MOST_SQUARES.
    """
    found: dict[str, Polynomial] = {}
    for p in (product.normal for product in base):
        for index in sorted(poly.variables_of(p)):
            if highest(p, index) == 2:
                slope = poly.derivative(p, index)
                found.setdefault(str(sorted(slope)), slope)
    indices = sorted({index for product in base for index in poly.variables_of(product.normal)}, reverse=True)
    together = {frozenset(i for i, e in enumerate(monomial) if e) for monomial in monomials(base)}
    pairs = combinations(indices, 2)
    for a, b in sorted(pairs, key=lambda pair: (not any(some.issuperset(pair) for some in together), pair)):
        for sign in (1, -1):
            found[f"{a} {b} {sign}"] = poly.add(poly.variable(a), poly.variable(b), fmpq(sign))
    return [bench.product((), square) for square in found.values() if len(square) > 1][:MOST_SQUARES]


def squares(bench: Bench, definitions: Mapping[int, Definition]) -> Sum | None:
    """Products of facts, and facts times sums of squares, of degree no higher than the goal's."""
    base = cleared(bench, definitions)
    for level in (1, 2):
        products = bench.up_to(level, base)
        shapes: list[tuple[Product, tuple[Polynomial, ...]]] = [(p, (ONE,)) for p in products]
        shapes += [(p, halves(bench, bench.targets(products), poly.degree(p.normal))) for p in (products[0], *base)]
        blocks, room = [], MOST_ENTRIES
        for multiplier, basis in shapes:
            entries = len(basis) * (len(basis) + 1) // 2
            if 0 < entries <= room:
                room -= entries
                blocks.append(block(bench, multiplier, basis))
        if found := gram.complete(blocks):
            return bench.summed(found)
    return None


def halves(bench: Bench, targets: set[Monomial], less: int) -> tuple[Polynomial, ...]:
    """The monomials whose squares, times something of degree `less`, are between the targets and rules."""
    heads = {rule.head for rule in bench.rules.rules if sum(rule.head) > 1}
    reached = sorted(targets | heads)
    variables = sorted({index for m in reached for index, e in enumerate(m) if e})
    most = {index: (max(poly.exponent(m, index) for m in reached) + 1) // 2 for index in variables}
    degrees = [sum(m) for m in reached]
    lowest, highest = (max(0, end - less) for end in (min(degrees), max(degrees)))
    return tuple(
        poly.product(map(poly.variable, chosen))
        for size in range(lowest // 2, highest // 2 + 1)
        for chosen in combinations_with_replacement(variables, size)
        if all(chosen.count(index) <= most[index] for index in variables)
    )


def block(bench: Bench, multiplier: Product, basis: tuple[Polynomial, ...]) -> gram.Block:
    entries = tuple(
        tuple(bench.rules.reduce(poly.product([multiplier.normal, left, right])) for right in basis) for left in basis
    )
    return gram.Block(multiplier.facts, basis, entries, multiplier.strict and basis == (ONE,))
