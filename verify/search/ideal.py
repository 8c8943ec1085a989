"""What equalities say: rewriting rules, each with the combination of the equalities that makes it.

A polynomial is brought to normal form monomial by monomial, so that the normal form of a sum is the sum of
the normal forms.  Rules are completed by Buchberger's method, for so many steps; what is missing then only
misses proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from flint import fmpq
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.polynomial import Monomial, Polynomial

STEPS = 60
LONGEST = 40
Cofactors: TypeAlias = dict[int, Polynomial]
"""By the number of an equality, the polynomial that multiplies it."""


@dataclass(frozen=True)
class Rule:
    """head -> tail, because head - tail is the combination of the equalities with these cofactors."""

    head: Monomial
    tail: Polynomial
    cofactors: Cofactors

    def difference(self) -> Polynomial:
        return poly.add({self.head: poly.ONE}, self.tail, fmpq(-1))


@dataclass
class Rules:
    """Rewriting rules for an order of the variables, the largest first; the smallest heads come first."""

    order: list[int]
    rules: list[Rule] = field(default_factory=list)
    known: dict[Monomial, Polynomial] = field(default_factory=dict)

    def key(self, monomial: Monomial) -> tuple[int, ...]:
        return tuple(poly.exponent(monomial, index) for index in self.order)

    def rule_for(self, monomial: Monomial) -> Rule | None:
        return next((rule for rule in self.rules if poly.divides(rule.head, monomial)), None)

    def reduce(self, p: Polynomial) -> Polynomial:
        """The normal form of p."""
        total: Polynomial = {}
        for monomial, coefficient in p.items():
            poly.add_to(total, self.normal(monomial), coefficient)
        return total

    def normal(self, monomial: Monomial) -> Polynomial:
        if monomial not in self.known:
            rule = self.rule_for(monomial)
            self.known[monomial] = (
                {monomial: poly.ONE}
                if rule is None
                else self.reduce(poly.multiply({poly.quotient(monomial, rule.head): poly.ONE}, rule.tail))
            )
        return self.known[monomial]

    def divide(self, p: Polynomial) -> tuple[Polynomial, Cofactors]:
        """The normal form n of p, and cofactors c with p = n + the sum of c_i times the i-th equality."""
        left = dict(p)
        rest: Polynomial = {}
        cofactors: Cofactors = {}
        while left:
            monomial = max(left, key=self.key)
            rule = self.rule_for(monomial)
            if rule is None:
                rest[monomial] = left.pop(monomial)
                continue
            multiplier = {poly.quotient(monomial, rule.head): left[monomial]}
            left = poly.add(left, poly.multiply(multiplier, rule.difference()), fmpq(-1))
            combine(cofactors, rule.cofactors, multiplier)
        return rest, cofactors

    def complete(self, equalities: Mapping[int, Polynomial]) -> None:
        """Make rules of the equalities, and of what follows from them by pairs of rules."""
        waiting = [(p, {number: poly.constant(1)}) for number, p in equalities.items()]
        for _ in range(STEPS):
            if not waiting:
                return
            waiting.sort(key=lambda pair: (poly.degree(pair[0]), len(pair[0])))
            p, cofactors = waiting.pop(0)
            rest, used = self.divide(p)
            if not rest or len(rest) > LONGEST:
                continue
            cofactors = dict(cofactors)
            combine(cofactors, used, poly.constant(-1))
            waiting += self.enter(rest, cofactors)

    def enter(self, p: Polynomial, cofactors: Cofactors) -> list[tuple[Polynomial, Cofactors]]:
        """Make a rule of p == 0; returned is what must be looked at again."""
        head = max(p, key=self.key)
        monic = poly.constant(1 / p[head])
        tail = poly.scale({m: c for m, c in p.items() if m != head}, -1 / p[head])
        rule = Rule(head, tail, combine({}, cofactors, monic))
        superseded = [old for old in self.rules if poly.divides(head, old.head)]
        kept = [old for old in self.rules if old not in superseded]
        self.rules = sorted([*kept, rule], key=lambda r: self.key(r.head))
        self.known.clear()
        pairs = [overlap(rule, old) for old in kept if meet(rule.head, old.head)]
        return [*((old.difference(), old.cofactors) for old in superseded), *pairs]


def meet(a: Monomial, b: Monomial) -> bool:
    return any(x and y for x, y in zip(a, b, strict=False))


def overlap(first: Rule, second: Rule) -> tuple[Polynomial, Cofactors]:
    """The difference of the two ways to rewrite the least monomial that both heads divide."""
    short, long = sorted((first.head, second.head), key=len)
    common = (*map(max, short, long), *long[len(short) :])
    up, down = ({poly.quotient(common, rule.head): poly.ONE} for rule in (first, second))
    p = poly.add(poly.multiply(up, first.difference()), poly.multiply(down, second.difference()), fmpq(-1))
    cofactors = combine({}, first.cofactors, up)
    return p, combine(cofactors, second.cofactors, poly.scale(down, fmpq(-1)))


def combine(total: Cofactors, more: Cofactors, multiplier: Polynomial) -> Cofactors:
    """Add multiplier times the cofactors `more` to `total`, in place."""
    for number, cofactor in more.items():
        total[number] = poly.add(total.get(number, {}), poly.multiply(multiplier, cofactor))
    return total


def elimination_order(equalities: Mapping[int, Polynomial], others: list[Polynomial], count: int) -> list[int]:
    """The variables, largest first: those for which an equality can be solved, then the latest."""
    solved: list[int] = []
    left = dict(equalities)
    while found := solvable(left, others):
        number, index = found
        solution = left.pop(number)
        solved.append(index)
        left = {n: substitute(p, index, solution) for n, p in left.items()}
    return [*solved, *(index for index in reversed(range(count)) if index not in solved)]


def solvable(equalities: Mapping[int, Polynomial], others: list[Polynomial]) -> tuple[int, int] | None:
    """An equality and a variable that occurs in it once, alone; rather one that occurs in few other facts."""
    choices = [
        (sum(index in poly.variables_of(q) for q in others), number, index)
        for number, p in equalities.items()
        for index in poly.variables_of(p)
        if alone(index) in p and sum(poly.exponent(m, index) for m in p) == 1
    ]
    return min(choices)[1:] if choices else None


def alone(index: int) -> Monomial:
    return (0,) * index + (1,)


def substitute(p: Polynomial, index: int, solution: Polynomial) -> Polynomial:
    """p with the variable replaced by what solution == 0 says it is."""
    value = poly.scale({m: c for m, c in solution.items() if m != alone(index)}, -1 / solution[alone(index)])
    total: Polynomial = {}
    for monomial, coefficient in p.items():
        e = poly.exponent(monomial, index)
        rest = poly.quotient(monomial, (0,) * index + (e,)) if e else monomial
        total = poly.add(total, poly.multiply({rest: coefficient}, poly.power(value, e)))
    return total
