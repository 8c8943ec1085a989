"""What equalities say: rewriting rules, each with the combination of the equalities that makes it.

A polynomial is brought to normal form monomial by monomial, so that the normal form of a sum is the sum of
the normal forms.  Rules are completed by Buchberger's method, for so many steps; what is missing then only
misses proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.polynomial import Monomial, Polynomial, Ring

STEPS = 60
LONGEST = 40
Cofactors: TypeAlias = dict[int, Polynomial]
"""By the number of an equality, the polynomial that multiplies it."""


@dataclass(frozen=True)
class Rule:
    """head -> tail: the difference is the combination of the equalities with these cofactors."""

    head: Monomial
    tail: Polynomial
    difference: Polynomial
    cofactors: Cofactors


@dataclass
class Rules:
    """Rewriting rules for an order of the variables, the largest first; the smallest heads come first."""

    ring: Ring
    order: list[int]
    rules: list[Rule] = field(default_factory=list)
    known: dict[Monomial, Polynomial | None] = field(default_factory=dict)

    def key(self, monomial: Monomial) -> tuple[int, ...]:
        return tuple(monomial[index] for index in self.order)

    def rule_for(self, monomial: Monomial) -> Rule | None:
        return next((rule for rule in self.rules if poly.divides(rule.head, monomial)), None)

    def reduce(self, p: Polynomial) -> Polynomial:
        """The normal form of p."""
        kept, total = dict[Monomial, Any](), self.ring.constant(0)
        for monomial, coefficient in p.terms():
            normal = self.normal(monomial)
            if normal is None:
                kept[monomial] = coefficient
            else:
                total += normal * coefficient
        return p if len(kept) == len(p) else total + self.ring.from_dict(kept)

    def normal(self, monomial: Monomial) -> Polynomial | None:
        """The normal form of a monomial that is not one itself."""
        if monomial not in self.known:
            rule = self.rule_for(monomial)
            rest = rule and poly.power_of(self.ring, poly.quotient(monomial, rule.head)) * rule.tail
            self.known[monomial] = None if rest is None else self.reduce(rest)
        return self.known[monomial]

    def divide(self, p: Polynomial) -> tuple[Polynomial, Cofactors]:
        """The normal form n of p, and cofactors c with p = n + the sum of c_i times the i-th equality."""
        rest = self.ring.constant(0)
        cofactors: Cofactors = {}
        while p:
            monomial = max(p.monoms(), key=self.key)
            leading = poly.power_of(self.ring, monomial, p.to_dict()[monomial])
            rule = self.rule_for(monomial)
            if rule is None:
                rest, p = rest + leading, p - leading
                continue
            multiplier = poly.power_of(self.ring, poly.quotient(monomial, rule.head), leading.coefficient(0))
            p -= multiplier * rule.difference
            combine(cofactors, rule.cofactors, multiplier)
        return rest, cofactors

    def complete(self, equalities: Mapping[int, Polynomial]) -> None:
        """Make rules of the equalities, and of what follows from them by pairs of rules."""
        waiting = [(p, {number: self.ring.constant(1)}) for number, p in equalities.items()]
        for _ in range(STEPS):
            if not waiting:
                return
            waiting.sort(key=lambda pair: (pair[0].total_degree(), len(pair[0])))
            p, cofactors = waiting.pop(0)
            rest, used = self.divide(p)
            if rest and len(rest) <= LONGEST:
                waiting += self.enter(rest, combine(dict(cofactors), used, self.ring.constant(-1)))

    def enter(self, p: Polynomial, cofactors: Cofactors) -> list[tuple[Polynomial, Cofactors]]:
        """Make a rule of p == 0; returned is what must be looked at again."""
        head = max(p.monoms(), key=self.key)
        scale = 1 / p.to_dict()[head]
        difference = p * scale
        tail = poly.power_of(self.ring, head) - difference
        rule = Rule(head, tail, difference, combine({}, cofactors, self.ring.constant(scale)))
        superseded = [old for old in self.rules if poly.divides(head, old.head)]
        kept = [old for old in self.rules if old not in superseded]
        self.rules = sorted([*kept, rule], key=lambda r: self.key(r.head))
        self.known.clear()
        pairs = [self.overlap(rule, old) for old in kept if any(map(min, rule.head, old.head))]
        return [*((old.difference, old.cofactors) for old in superseded), *pairs]

    def overlap(self, first: Rule, second: Rule) -> tuple[Polynomial, Cofactors]:
        """The difference of the two ways to rewrite the least monomial that both heads divide."""
        common = tuple(map(max, first.head, second.head))
        up, down = (poly.power_of(self.ring, poly.quotient(common, rule.head)) for rule in (first, second))
        cofactors = combine(combine({}, first.cofactors, up), second.cofactors, -down)
        return up * first.difference - down * second.difference, cofactors


def combine(total: Cofactors, more: Cofactors, multiplier: Polynomial) -> Cofactors:
    """Add multiplier times the cofactors `more` to `total`, in place."""
    for number, cofactor in more.items():
        total[number] = multiplier * cofactor + total.get(number, 0)
    return total


def elimination_order(equalities: Mapping[int, Polynomial], others: list[Polynomial], ring: Ring) -> list[int]:
    """The variables, largest first: those for which an equality can be solved, then the latest."""
    solved: list[int] = []
    left = dict(equalities)
    while found := solvable(left, others):
        number, index = found
        p, gens = left.pop(number), list(ring.gens())
        gens[index] -= p / p.derivative(index).coefficient(0)
        solved.append(index)
        left = {n: q.compose(*gens, ctx=ring) for n, q in left.items()}
    return [*solved, *(index for index in reversed(range(ring.nvars())) if index not in solved)]


def solvable(equalities: Mapping[int, Polynomial], others: list[Polynomial]) -> tuple[int, int] | None:
    """An equality and a variable that occurs in it once, alone; rather one that occurs in few other facts."""
    choices = [
        (sum(index in poly.variables_of(q) for q in others), number, index)
        for number, p in equalities.items()
        for index in sorted(poly.variables_of(p))
        if p.derivative(index).is_constant()
    ]
    return min(choices)[1:] if choices else None
