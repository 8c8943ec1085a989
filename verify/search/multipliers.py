"""Multipliers for an obligation over the reals: a proof that the kernel can multiply out.

`Search` looks for a proof that polynomial facts (those of the hypotheses and of the denied conclusion, see
`flatten`) contradict each other.  A proof is one of

    {"terms": [{"coefficient": "3/2", "facts": [0, 4], "square": "x - y"}],
     "multiples": [{"fact": 2, "times": "x"}]}
        the terms (coefficient times facts times the square of a polynomial) and the multiples of equalities
        add up to the polynomial zero, and one term is positive: it has no square, and its facts are strict
        (`p != 0` counts as p**2 > 0, and no facts at all as 1)
    {"split": "x - y", "cases": {"<": proof, "=": proof, ">": proof}}
        each case may use one more fact: y - x > 0, x - y == 0 or x - y > 0; a lemma is a split in two cases,
        where it fails, which is refuted, and where it holds

Facts are known by their place: first those of the obligation, then what splits add on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, count, permutations
from typing import Any, TypeAlias

from flint import fmpq
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.attempts import linear, quick, squares
from glbcheck.verify.search.flatten import Definition, Fact, Flattening
from glbcheck.verify.search.polynomial import Polynomial
from glbcheck.verify.search.proof import CASES, Proof, Sum, lemma, split, written
from glbcheck.verify.search.sums import Bench

STEPS = 40
Attempt: TypeAlias = Callable[[Bench, Mapping[int, Definition]], Sum | None]
PASSES: tuple[tuple[int, Attempt], ...] = ((0, linear), (1, linear), (2, linear), (0, squares), (1, squares))
"""How deep to split, and what to try on each case."""


class Search:
    """One contradiction to be found, in a limited number of steps."""

    def __init__(self, flat: Flattening) -> None:
        self.flat = flat
        self.keys = count(10**6)
        self.steps = 0
        self.failed: set[Any] = set()

    def proof(self, facts: Sequence[Fact], hints: Sequence[Fact] = ()) -> dict[str, Any] | None:
        known = dict(enumerate(facts))
        goal = len(facts) - 1
        proof = self.tried(known, goal, quick) or self.with_lemmas(known, goal, hints)
        return None if proof is None else written(proof, list(known), self.flat.names)

    def bench(self, facts: Mapping[int, Fact], goal: int) -> Bench:
        return Bench(facts, goal, len(self.flat.names))

    def with_lemmas(self, facts: Mapping[int, Fact], goal: int, hints: Sequence[Fact]) -> Proof | None:
        """A proof that may use the hints, and whatever signs can be proved at once."""
        lemmas: list[tuple[int, Fact, Proof]] = []
        known = dict(facts)
        for fact in [*self.signs(facts), *hints]:
            if fact in known.values() or Fact(fact.polynomial, ">") in known.values():
                continue
            key = next(self.keys)
            denied = {**known, key: fact.denied()}
            if why := self.tried(denied, key, quick) or (fact in hints and self.tried(denied, key, linear)):
                lemmas.append((key, fact, why))
                known[key] = fact
        proof = None
        for depth, attempt in PASSES:
            self.steps = 0
            proof = proof or self.explore(known, goal, depth, attempt)
        for key, fact, why in reversed(lemmas):
            proof = proof and lemma(key, fact, why, proof)
        return proof

    def signs(self, facts: Mapping[int, Fact]) -> Iterator[Fact]:
        """Variables, denominators and differences of terms of a kind are positive, or not negative."""
        occurring = set().union(*(poly.variables_of(fact.polynomial) for fact in facts.values()))
        made = {index: d for index, d in self.flat.definitions.items() if index in occurring}
        wanted: list[Polynomial] = []
        for index in sorted(occurring):
            wanted += made[index].of if index in made and made[index].kind == "reciprocal" else ()
            wanted.append(poly.variable(index))
        for a, b in permutations(made, 2):
            if made[a].kind == made[b].kind:
                wanted.append(poly.add(poly.variable(a), poly.variable(b), fmpq(-1)))
        for p in wanted:
            yield Fact(p, ">")
            yield Fact(p, ">=")

    def explore(self, facts: Mapping[int, Fact], goal: int, depth: int, attempt: Attempt) -> Proof | None:
        """A sum, or a split whose cases are settled; extremes are split first, and do not count as depth."""
        extremes, others = self.questions(facts, goal)
        if not extremes and (proof := self.tried(facts, goal, attempt)):
            return proof
        for p in extremes or (others if depth else ()):
            cases: dict[str, tuple[int, Proof]] = {}
            for sign, (factor, relation) in CASES.items():
                key = next(self.keys)
                case = {**facts, key: Fact(poly.scale(p, fmpq(factor)), relation)}
                found = self.tried(case, goal, quick)
                found = found or self.explore(case, goal, depth - (not extremes), attempt)
                if found is None:
                    break
                cases[sign] = (key, found)
            else:
                return split(p, cases)
        return None

    def tried(self, facts: Mapping[int, Fact], goal: int, attempt: Attempt) -> Proof | None:
        """What comes of the attempt, unless it failed before or there are no steps left."""
        this = (attempt, frozenset((frozenset(f.polynomial.items()), f.sign) for f in facts.values()))
        if this in self.failed or self.steps >= STEPS:
            return None
        self.steps += attempt is not quick
        proof = attempt(self.bench(facts, goal), self.flat.definitions)
        if proof is None:
            self.failed.add(this)
        return proof

    def questions(self, facts: Mapping[int, Fact], goal: int) -> tuple[list[Polynomial], list[Polynomial]]:
        """Polynomials whose sign may decide: what an extreme is equal to; which variables are zero."""
        settled = [fact.polynomial for fact in facts.values() if fact.sign in ("==", ">")]
        for index, definition in self.flat.definitions.items():
            for gap in definition.gaps(index):
                if Fact(gap, ">=") in facts.values() and gap not in settled:
                    return [gap], []
        bench = self.bench(facts, goal)
        for product in bench.plain:
            if vanishing := only_even(product.normal):
                return [], [vanishing]
        zero = [poly.variable(index) for index, key in bench.signs.items() if facts[key].sign == ">="]
        together = {
            (a, b) for m in bench.targets(bench.plain) for a, b in combinations([i for i, e in enumerate(m) if e], 2)
        }
        differences = [poly.add(poly.variable(a), poly.variable(b), fmpq(-1)) for a, b in sorted(together)]
        return [], [*zero, *(d for d in differences if d not in settled)]


def only_even(p: Polynomial) -> Polynomial | None:
    """The variable of which p is a negative multiple of an even power."""
    ((monomial, coefficient),) = p.items() if len(p) == 1 else [((), 0)]
    alone = sum(e > 0 for e in monomial) == 1
    return poly.variable(len(monomial) - 1) if alone and monomial[-1] % 2 == 0 and coefficient < 0 else None
