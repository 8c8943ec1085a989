"""What is known and a denied goal as polynomial facts, numbered as the kernel's rule `algebra` numbers them.

First come the facts of the context, then what is known of each atom, then the denied goal; splits add more.  An
atom is a name for a term that is no polynomial, 1/b, b**(1/q), abs, max and min among them, and the kernel's own
`rules.Algebra` says what is known of it.  All other terms, logarithms and sums, say, are `opaque`: of their values
nothing is known but that exp(x) > 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import fmpq
from glbcheck.core.kernel.context import Context
from glbcheck.core.kernel.context import Fact as Relation
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.rules import Algebra
from glbcheck.core.kernel.terms import Term, require, show
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.polynomial import Polynomial

Proof = dict[str, Any]
LARGEST_POWER, LONGEST = 64, 2000
CHOICES = ("abs", "max", "min")
DENIED = {">=": (-1, ">"), ">": (-1, ">="), "==": (1, "!="), "!=": (1, "==")}


@dataclass(frozen=True)
class Fact:
    """`polynomial sign 0`, where the sign is one of >=, >, ==, !=."""

    polynomial: Polynomial
    sign: str

    def denied(self) -> Fact:
        factor, sign = DENIED[self.sign]
        return Fact(self.polynomial * factor, sign)


@dataclass(frozen=True)
class Definition:
    """What an atom stands for: `reciprocal`, `root q`, `abs`, `max` or `min`, and the polynomials it is made of."""

    kind: str
    of: tuple[Polynomial, ...]

    def gaps(self, index: int) -> list[Polynomial]:
        """For a choice, its distances to what it is made of: none is negative, and one is zero."""
        if self.kind not in CHOICES:
            return []
        side = -1 if self.kind == "min" else 1
        return [(a.context().gen(index) - a) * side for a in self.of]


class PolynomialFacts:
    """Some facts of a context, by their numbers, and a denied goal."""

    def __init__(self, context: Context, goal: Relation, chosen: Iterable[int]) -> None:
        listed = {i: context.facts[i] for i in chosen}
        self.algebra = Algebra(context, atoms(context, [f.gap for f in (*listed.values(), goal)]))
        known = [*(fact for name in self.algebra.atoms for fact in self.algebra.about(name)), goal.denied]
        self.relations = listed | dict(enumerate(known, len(context.facts)))
        self.goal = len(context.facts) + len(known) - 1
        names = [*context.names, *self.algebra.atoms]
        self.ring = poly.ring(names)
        self.place = {name: i for i, name in enumerate(names)}

    @cached_property
    def facts(self) -> dict[int, Fact]:
        return {i: Fact(self.polynomial(fact.gap), fact.op) for i, fact in self.relations.items()}

    @cached_property
    def definitions(self) -> dict[int, Definition]:
        """By the index of their atoms."""
        found = {}
        for name, t in self.algebra.atoms.items():
            e = t.args[1].value if t.op == "**" else None
            if t.op in CHOICES:
                inside = (*t.args, *([-t.args[0]] if t.op == "abs" else []))
                found[self.place[name]] = Definition(t.op, tuple(map(self.polynomial, inside)))
            elif e is not None:
                kind = "reciprocal" if e == -1 else f"root {1 / e}"
                found[self.place[name]] = Definition(kind, (self.polynomial(t.args[0]),))
        return found

    def polynomial(self, t: Term) -> Polynomial:
        return self._expanded(self.algebra.polynomial(t))

    def _expanded(self, t: Term) -> Polynomial:
        if t.value is not None:
            return self.ring.constant(fmpq(*t.value.as_integer_ratio()))
        if t.op == "variable":
            return self.ring.gen(self.place[t.args[0]])
        if t.op == "+":
            return sum(map(self._expanded, t.args), self.ring.constant(0))
        total = self.ring.constant(1)
        for factor in map(self._expanded, t.args if t.op == "*" else [t.args[0]] * small(t.args[1].value)):
            total *= factor
            require(len(total) <= LONGEST, f"a product has more than {LONGEST} monomials")
        return total

    def proof(self, tree: Any) -> Proof:
        """The tree as a proof by the rule `algebra`."""
        named = [[name, show(t)] for name, t in self.algebra.atoms.items()]
        return {"rule": "algebra", "atoms": named, "tree": tree}


def small(exponent: Fraction) -> int:
    require(exponent <= LARGEST_POWER, f"the exponent {exponent} is larger than {LARGEST_POWER}")
    return int(exponent)


def atoms(context: Context, terms: Iterable[Term]) -> dict[str, Term]:
    """Names for what is no polynomial in the terms, and in what is known of these atoms; inner ones come first."""
    found: list[Term] = []

    def enter(t: Term) -> None:
        e = t.args[1].value if t.op == "**" else None
        if t.op in ("number", "variable"):
            return
        if t.op in ("+", "*") or (e is not None and e.denominator == 1 and e >= 0):
            for a in t.parts:
                enter(a)
        elif e is not None and e.denominator > 1 and e.numerator != 1:
            enter((t.args[0] ** Fraction(1, e.denominator)) ** e.numerator)
        elif e is not None and e < -1:
            enter(t.args[0] ** -1)
        elif not any(a is t or (a.op == t.op and same(a, t)) for a in found):
            for a in t.parts if e is not None or t.op in CHOICES else ():
                enter(a)
            found.append(t)

    for t in terms:
        enter(t)
    free = (name for i in range(1, len(found) + len(context.names) + 1) if (name := f"_{i}") not in context.names)
    return dict(zip(free, found, strict=False))


def opaque(t: Term) -> Iterator[Term]:
    """The outermost terms of whose values algebra knows nothing."""
    powers = t.op == "**" and t.args[1].value is not None
    if powers or t.op in ("number", "variable", "+", "*", *CHOICES):
        for a in t.parts:
            yield from opaque(a)
    else:
        yield t


def sum_of(context: Context, goal: Relation, facts: Sequence[int], zeros: Sequence[tuple[int, int]] = ()) -> Proof:
    """The goal as the sum of these facts and multiples of zeros."""
    known = PolynomialFacts(context, goal, (*facts, *(i for i, _ in zeros)))
    terms = [{"coefficient": "1", "facts": [i]} for i in (*facts, known.goal)]
    return known.proof({"terms": terms, "multiples": [{"fact": i, "times": str(c)} for i, c in zeros]})


# --- as questions to solvers --------------------------------------------------------------------------------------


def smt_text(context: Context, goal: Relation | None = None) -> str:
    """Is there a point at which all facts hold, and the goal does not?  As SMT-LIB, atoms being further unknowns."""
    facts = [*context.facts, *([] if goal is None else [Relation(goal.gap, "==") if goal.op == "!=" else goal])]
    algebra = Algebra(context, atoms(context, [fact.gap for fact in facts]))
    known = [*context.facts, *(fact for name in algebra.atoms for fact in algebra.about(name))]
    lines = [f"(declare-const v_{name} Real)" for name in (*context.names, *algebra.atoms)]
    lines += [f"(assert {_relation(algebra, fact)})" for fact in known]
    lines += [] if goal is None else [f"(assert (not {_relation(algebra, goal)}))"]
    return "\n".join(["(set-logic QF_NRA)", *lines, "(check-sat)"]) + "\n"


def _relation(algebra: Algebra, fact: Relation) -> str:
    operator = {"==": "=", "!=": "distinct"}.get(fact.op, fact.op)
    return f"({operator} {_text(algebra.polynomial(fact.gap))} 0.0)"


def _text(t: Term) -> str:
    if t.value is not None:
        size = f"{abs(t.value.numerator)}.0"
        size = size if t.value.denominator == 1 else f"(/ {size} {t.value.denominator}.0)"
        return f"(- {size})" if t.value < 0 else size
    if t.op == "variable":
        return f"v_{t.args[0]}"
    if t.op == "**":
        k = small(t.args[1].value)
        return f"(* {' '.join([_text(t.args[0])] * k)})" if k > 1 else _text(t.args[0]) if k else "1.0"
    return f"({t.op} {' '.join(map(_text, t.args))})"
