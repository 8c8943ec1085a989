"""Multipliers for facts that contradict each other: a proof that the kernel can multiply out.

A proof is one of

    {"terms": [{"coefficient": "3/2", "facts": [0, 4], "square": "x - y"}],
     "multiples": [{"fact": 2, "times": "x"}]}
        the terms (coefficient times facts times the square of a polynomial) and the multiples of equalities
        add up to the polynomial zero, and one term is positive: it has no square, and its facts are strict
        (`p != 0` counts as p**2 > 0, and no facts at all as 1)
    {"split": "x - y", "cases": {"<": proof, "=": proof, ">": proof}}
        each case may use one more fact: y - x > 0, x - y == 0 or x - y > 0; a lemma is a split in two cases,
        where it fails, which is refuted, and where it holds

Facts are known by their numbers: those of `polynomial_facts`, then what splits add on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, permutations
from typing import Any, TypeAlias

from glbcheck.core.kernel.context import Context
from glbcheck.core.kernel.context import Fact as Relation
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.gram import Term
from glbcheck.verify.search.polynomial import Polynomial
from glbcheck.verify.search.polynomial_facts import Definition, Fact, PolynomialFacts
from glbcheck.verify.search.products import ProductSet, Sum, first_products, more_products, squares

STEPS = 40
Attempt: TypeAlias = Callable[[ProductSet, Mapping[int, Definition]], "Sum | None"]
PASSES: tuple[tuple[int, Attempt], ...] = (
    (0, more_products), (1, more_products), (2, more_products), (0, squares), (1, squares),
)  # fmt: skip
"""How deep to split, and what to try on each case."""
CASES = {"<": (-1, ">"), "=": (1, "=="), ">": (1, ">")}
TWO_CASES = {">=": ("<", ">="), ">": ("<=", ">"), "==": ("!=", "="), "!=": ("=", "!=")}  # of a fact: denied and not


def multipliers(context: Context, goal: Relation, chosen: Sequence[int], quick: bool = False) -> dict[str, Any] | None:
    """A proof of the goal, an inequality or !=, from the chosen facts of the context; at first sight if `quick`."""
    known = PolynomialFacts(context, goal, chosen)
    proof = Search(known).proof(quick)
    return None if proof is None else known.proof(written(proof, {}, known))


@dataclass(frozen=True)
class Split:
    """In each case of the sign of the polynomial, the key of the new fact and a proof."""

    polynomial: Polynomial
    cases: Mapping[str, tuple[int, Proof]]


Proof: TypeAlias = "Sum | Split"


class Search:
    """One contradiction to be found, in a limited number of steps."""

    def __init__(self, known: PolynomialFacts) -> None:
        self.known = known
        self.goal, self.definitions = known.goal, known.definitions
        self.keys = count(10**6)
        self.steps = 0
        self.failed: set[Any] = set()

    def proof(self, quick: bool) -> Proof | None:
        proof = self.tried(self.known.facts, self.goal, first_products)
        return proof if proof or quick else self.with_lemmas(self.known.facts)

    def products(self, facts: Mapping[int, Fact], goal: int) -> ProductSet:
        return ProductSet(facts, goal, self.known.ring)

    def with_lemmas(self, facts: Mapping[int, Fact]) -> Proof | None:
        """A proof that may use whatever signs can be proved at once."""
        lemmas: list[tuple[int, Fact, Proof]] = []
        known = dict(facts)
        for fact in self.signs(facts):
            if fact in known.values() or Fact(fact.polynomial, ">") in known.values():
                continue
            key = next(self.keys)
            if why := self.tried({**known, key: fact.denied()}, key, first_products):
                lemmas.append((key, fact, why))
                known[key] = fact
        proof = None
        for depth, attempt in PASSES:
            self.steps = 0
            proof = proof or self.explore(known, self.goal, depth, attempt)
        for key, fact, why in reversed(lemmas):
            proof = proof and lemma(key, fact, why, proof)
        return proof

    def signs(self, facts: Mapping[int, Fact]) -> Iterator[Fact]:
        """Variables, denominators and differences of atoms of a kind are positive, or not negative."""
        gens = self.known.ring.gens()
        occurring = set().union(*(poly.variables_of(fact.polynomial) for fact in facts.values()))
        made = {index: d for index, d in self.definitions.items() if index in occurring}
        wanted: list[Polynomial] = []
        for index in sorted(occurring):
            wanted += made[index].of if index in made and made[index].kind == "reciprocal" else ()
            wanted.append(gens[index])
        for a, b in permutations(made, 2):
            if made[a].kind == made[b].kind:
                wanted.append(gens[a] - gens[b])
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
                case = {**facts, key: Fact(p * factor, relation)}
                found = self.tried(case, goal, first_products)
                found = found or self.explore(case, goal, depth - (not extremes), attempt)
                if found is None:
                    break
                cases[sign] = (key, found)
            else:
                return split(p, cases)
        return None

    def tried(self, facts: Mapping[int, Fact], goal: int, attempt: Attempt) -> Proof | None:
        """What comes of the attempt, unless it failed before or there are no steps left."""
        this = (attempt, frozenset((poly.key(f.polynomial), f.sign) for f in facts.values()))
        if this in self.failed or self.steps >= STEPS:
            return None
        self.steps += attempt is not first_products
        proof = attempt(self.products(facts, goal), self.definitions)
        if proof is None:
            self.failed.add(this)
        return proof

    def questions(self, facts: Mapping[int, Fact], goal: int) -> tuple[list[Polynomial], list[Polynomial]]:
        """Polynomials whose sign may decide: what an extreme is equal to; which variables are zero."""
        settled = [fact.polynomial for fact in facts.values() if fact.sign in ("==", ">")]
        for index, definition in self.definitions.items():
            for gap in definition.gaps(index):
                if Fact(gap, ">=") in facts.values() and gap not in settled:
                    return [gap], []
        made, gens = self.products(facts, goal), self.known.ring.gens()
        for product in made.plain:
            if vanishing := only_even(product.normal):
                return [], [vanishing]
        zero = [gens[index] for index, key in made.signs.items() if facts[key].sign == ">="]
        together = {
            (a, b) for m in made.targets(made.plain) for a, b in combinations([i for i, e in enumerate(m) if e], 2)
        }
        differences = [gens[a] - gens[b] for a, b in sorted(together)]
        return [], [*zero, *(d for d in differences if d not in settled)]


def only_even(p: Polynomial) -> Polynomial | None:
    """The variable of which p is a negative multiple of an even power."""
    alone = sorted(poly.variables_of(p)) if len(p) == 1 and p.coefficient(0) < 0 else []
    return p.context().gen(alone[0]) if len(alone) == 1 and p.total_degree() % 2 == 0 else None


# --- as plain data ------------------------------------------------------------------------------------------------


def uses(proof: Proof, key: int) -> bool:
    match proof:
        case Sum(terms, multiples):
            return key in multiples or any(key in term.facts for term in terms)
        case Split(_, cases):
            return any(uses(case, key) for _, case in cases.values())


def split(polynomial: Polynomial, cases: Mapping[str, tuple[int, Proof]]) -> Proof:
    """The split, or the proof of one of its cases if that does not need the case."""
    for key, proof in cases.values():
        if not uses(proof, key):
            return proof
    return Split(polynomial, cases)


def lemma(key: int, fact: Fact, proof: Proof, then: Proof) -> Proof:
    """A fact, proved from its denial, and the proof that uses it; both know it by the same key."""
    denied, known = TWO_CASES[fact.sign]
    return split(fact.polynomial, {known: (key, then), denied: (key, proof)})


def written(proof: Proof, at: Mapping[int, int], known: PolynomialFacts) -> dict[str, Any]:
    """The proof as plain data; `at` are the numbers of the facts that splits have added, by their keys."""
    match proof:
        case Sum(terms, multiples):
            times = {at.get(key, key): poly.show(p) for key, p in sorted(multiples.items())}
            return {
                "terms": [written_term(term, at) for term in terms],
                "multiples": [{"fact": number, "times": text} for number, text in times.items()],
            }
        case Split(p, cases):
            number = known.goal + 1 + len(at)
            return {
                "split": poly.show(p),
                "cases": {sign: written(case, {**at, key: number}, known) for sign, (key, case) in cases.items()},
            }


def written_term(term: Term, at: Mapping[int, int]) -> dict[str, Any]:
    numbers = sorted(at.get(key, key) for key in term.facts)
    data = {"coefficient": str(term.coefficient), "facts": numbers}
    return data if term.square == 1 else {**data, "square": poly.show(term.square)}
