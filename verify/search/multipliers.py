"""Multipliers for an obligation over the reals: products of its facts and squares that add up to a contradiction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from flint import fmpq
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.flatten import Fact, Flattening, NotAlgebraic, flatten
from glbcheck.verify.search.polynomial import Polynomial
from glbcheck.verify.search.proof import Lemma, Proof, lemma, split, written
from glbcheck.verify.search.sums import Bench, Product, monomials

DEPTH = 4


def find(hypotheses, conclusion, variables, hints=None):
    try:
        flat = flatten(hypotheses, conclusion, variables)
    except NotAlgebraic:
        return None
    demands = []
    for demand in flat.demands:
        proof = Search(flat).run([*flat.facts[: demand.before], demand.fact.denied()])
        if proof is None:
            return None
        demands.append(proof)
    proof = Search(flat).run(flat.facts)
    return None if proof is None else {"demands": demands, "proof": proof}


@dataclass
class Search:
    flat: Flattening

    def run(self, facts):
        self.keys = count(len(facts))
        proof = self.refute(dict(enumerate(facts)), len(facts) - 1)
        return None if proof is None else written(proof, range(len(facts)), self.flat.names)

    def quick(self, facts, goal) -> Proof | None:
        bench = Bench(facts, len(self.flat.names))
        base = bench.plain()
        return self.attempt(bench, base, (
            lambda: bench.up_to(1, base),
            lambda: bench.up_to(2, base),
            lambda: [*bench.up_to(2, base), *bench.aimed(base, reach(bench, base, goal))],
        ))

    def attempt(self, bench, base, ideas):
        for idea in ideas:
            if proof := bench.proof(idea()):
                return proof
        return None

    def refute(self, facts, goal):
        if proof := self.quick(facts, goal):
            return proof
        lemmas = self.signs(facts)
        more = {**facts, **{key: fact for key, fact, _ in lemmas}}
        proof = self.splits(more, goal, DEPTH)
        if proof is None:
            return None
        for key, fact, why in reversed(lemmas):
            proof = lemma(key, fact, why, proof)
        return proof

    def splits(self, facts, goal, depth):
        if proof := self.thorough(facts, goal):
            return proof
        if not depth:
            return None
        for p in self.questions(facts):
            cases = {}
            for sign, (factor, fact_sign) in {"<": (-1, ">"), "=": (1, "=="), ">": (1, ">")}.items():
                key = next(self.keys)
                fact = Fact(poly.scale(p, fmpq(factor)), fact_sign)
                case = {**facts, key: fact}
                proof = self.quick(case, goal) or (self.splits(case, goal, depth - 1) if sign != "<" else None)
                if proof is None:
                    break
                cases[sign] = (key, proof)
            else:
                return split(p, cases)
        return None

    def questions(self, facts):
        """Polynomials whose sign may decide: what a maximum is equal to; a variable that may be zero."""
        asked = [f.polynomial for f in facts.values() if f.sign in ("==", ">")]
        for index, definition in self.flat.definitions.items():
            if definition.kind in ("abs", "max", "min"):
                side = fmpq(-1 if definition.kind == "min" else 1)
                for choice in definition.of:
                    p = poly.scale(poly.add(poly.variable(index), choice, fmpq(-1)), side)
                    if Fact(p, ">=") in facts.values() and p not in asked:
                        return [p]
        bench = Bench(facts, len(self.flat.names))
        for key in bench.others:
            p = bench.rules.reduce(bench.raw[key])
            if len(p)==1:
                ((m,c),)=p.items()
                if c<0 and facts[key].sign == ">=":
                    vs=[v for v,e in enumerate(m) if e]
                    if len(vs)==1 and m[vs[0]]%2==0:
                        return [poly.variable(vs[0])]
        signs = bench.signs
        return [poly.variable(v) for v in signs if facts[signs[v]].sign == ">="]

    def thorough(self, facts, goal):
        bench = Bench(facts, len(self.flat.names))
        plain, cleared = bench.plain(), self.cleared(bench, facts)
        for base in (cleared, plain) if cleared != plain else (plain,):
            squares = self.squares(bench, base)
            goals = [p for p in base if goal in p.facts]
            most = max((sum(m) for p in base for m in p.normal), default=0)
            proof = self.attempt(bench, base, (
                lambda: bench.up_to(2, base),
                lambda: bench.up_to(3, base),
                lambda: bench.up_to(2, [*base, *squares]),
                ))
            if proof:
                return proof
            for level in (1, 2):
                targets = monomials(goals)
                for r in range(3):
                    products = bench.aimed([*bench.up_to(level, base), *squares], targets)
                    if proof := bench.proof(products):
                        return proof
                    targets = {m for m in monomials(products) if sum(m) <= most}
                    if r == 0: targets |= monomials(base)
        return None

    def squares(self, bench, base):
        """Squares of derivatives: what completes the square of a fact that is quadratic in a variable."""
        found = {}
        for product in base:
            for v in poly.variables_of(product.normal):
                if max(poly.exponent(m, v) for m in product.normal) == 2:
                    d = poly.derivative(product.normal, v)
                    if len(d) > 1:
                        found.setdefault(frozenset(d), d)
        for product in base:
            for m in product.normal:
                vs=[v for v,e in enumerate(m) if e]
                for a in vs:
                    for b in vs:
                        if a<b:
                            for sg in (1,-1):
                                d=poly.add(poly.variable(a),poly.variable(b),fmpq(sg))
                                found.setdefault((a,b,sg),d)
        return [bench.product((), d) for d in found.values()][:20]

    def cleared(self, bench, facts):
        """The facts, multiplied by the denominators of known sign that occur in them."""
        base = bench.plain()
        positive = {frozenset(f.polynomial.items()): key for key, f in facts.items() if f.sign == ">"}
        for index, definition in reversed(self.flat.definitions.items()):
            if definition.kind != "reciprocal":
                continue
            key = positive.get(frozenset(definition.of[0].items()))
            if key is None:
                continue
            new = []
            for p in base:
                e = max((poly.exponent(m, index) for m in p.normal), default=0)
                if e:
                    p = bench.product((*p.facts, *[key] * e), p.square)
                new.append(p)
            base = new
        return base

    def signs(self, facts) -> list[tuple[int, Fact, Proof]]:
        """Signs of variables and of denominators that can be proved at once."""
        found: list[tuple[int, Fact, Proof]] = []
        known = dict(facts)
        wanted: list[Polynomial] = []
        for index in range(len(self.flat.names)):
            definition = self.flat.definitions.get(index)
            if definition and definition.kind == "reciprocal":
                wanted.append(definition.of[0])
            wanted.append(poly.variable(index))
        for a in self.flat.definitions:
            for b in self.flat.definitions:
                if a != b and self.flat.definitions[a].kind == self.flat.definitions[b].kind:
                    wanted.append(poly.add(poly.variable(a), poly.variable(b), fmpq(-1)))
        used = set().union(*(poly.variables_of(f.polynomial) for f in facts.values()))
        for p in wanted:
            if not poly.variables_of(p) <= used:
                continue
            for sign in (">", ">="):
                if any(f.polynomial == p and f.sign in (sign, ">") for f in known.values()):
                    break
                key = next(self.keys)
                fact = Fact(p, sign)
                if proof := self.quick({**known, key: fact.denied()}, key):
                    found.append((key, fact, proof))
                    known[key] = fact
                    break
        return found


def reach(bench, base, goal):
    goals = [p for p in base if goal in p.facts]
    return monomials(goals) | monomials(bench.join(p, q) for p in goals for q in base)
