"""Contradictions by multipliers: a sum of products that are not negative, one of them positive, is 0.

The facts of the context and the denied goal become polynomials in the variables and in *atoms*, names for
what is not polynomial.  The certificate lists its atoms; the kernel adds what it knows of each:

  b**(1/q)        r:  r >= 0 and r**q = b             b**-1         i:  i*b = 1
  abs(a)          m:  m >= a, m >= -a, m**2 = a**2    exp(a)        e:  e > 0
  max(a, ...)     m:  m >= each, product of m - each is 0;  min likewise;  anything else is just a name

A proof is a tree: {"terms", "multiples"} closes a branch, {"split", "cases"} and {"cut", ...} grow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from .context import Context, Fact
from .ring import UNIT, Polynomial, plus, same, times, whole_power
from .rules import Audit, Proof, fraction, read, require_defined, rule
from .terms import Rejected, Term, outer_terms, parse, require

DENIED = {">=": (-1, ">"), ">": (-1, ">="), "!=": (1, "==")}
Known = tuple[Polynomial | Term, str]


@rule
def algebra(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The facts and the denied goal contradict each other; an equation is two inequalities."""
    require_defined(context, goal.gap)
    if goal.op == "==":
        for sign, side in ((1, "above"), (-1, "below")):
            algebra(context, Fact(goal.gap * sign, ">="), {**proof, "tree": proof[side]}, audit)
        return
    atoms = Atoms(context, {name: i for i, name in enumerate(context.names)}, {})
    for name, text in proof.get("atoms", []):
        require(name not in atoms.numbers, f"the atom {name!r} has the name of something else")
        atoms.numbers[name], atoms.stands_for[name] = (len(atoms.numbers), read(text, context, **atoms.stands_for))
    there = {t for fact in (*context.facts, goal) for t in outer_terms(fact.gap)}
    for t in atoms.stands_for.values():  # of 1/x at 0 nothing is known
        require(t in there or context.defined(t), f"{t} is not seen to be defined here")
    facts: list[Known] = [(fact.gap, fact.op) for fact in context.facts]  # polynomials once they are used
    for name in atoms.stands_for:
        facts += atoms.facts(name)
    sign, op = DENIED[goal.op]
    atoms.contradiction([*facts, (plus({}, atoms.polynomial(goal.gap), sign), op)], proof["tree"])


@dataclass
class Atoms:
    """The variables and atoms, numbered, and what each atom stands for."""

    context: Context
    numbers: dict[str, int]
    stands_for: dict[str, Term]

    def name(self, name: str) -> Polynomial:
        return {((self.numbers[name], 1),): Fraction(1)}

    def polynomial(self, t: Term) -> Polynomial:
        """The term as a polynomial in variables and atoms."""
        if t.value is not None:
            return {(): t.value} if t.value else {}
        if t.op == "variable" and t.args[0] in self.numbers:
            return self.name(t.args[0])
        if t.op in ("+", "*"):
            return reduce(plus if t.op == "+" else times, map(self.polynomial, t.args))
        e = t.args[1].value if t.op == "**" else None
        if e is not None and e.denominator == 1 and e >= 0:
            return whole_power(self.polynomial(t.args[0]), int(e))
        if e is not None and e.denominator > 1 and e.numerator != 1:  # b**(p/q) is a power of the root b**(1/q)
            return self.polynomial((t.args[0] ** Fraction(1, e.denominator)) ** e.numerator)
        if e is not None and e.denominator == 1 and e < -1:
            return whole_power(self.polynomial(t.args[0] ** -1), -int(e))
        equal = [n for n, a in self.stands_for.items() if a is t] or [
            n for n, a in self.stands_for.items() if a.op == t.op and same(a, t)
        ]
        if equal:
            return self.name(equal[0])
        raise Rejected(f"{t} is no polynomial, and no atom stands for it")

    def facts(self, name: str) -> list[Known]:
        """What is known of an atom wherever what it stands for has a value."""
        atom, t = self.name(name), self.stands_for[name]
        if t.op == "**" and t.args[1].value is not None:
            base, e = self.polynomial(t.args[0]), t.args[1].value
            require(e == -1 or (e.numerator == 1 and e < 1), f"the atom {name} is neither a root nor a reciprocal")
            if e == -1:
                return [(plus(times(atom, base), UNIT, -1), "==")]
            return [(atom, ">="), (plus(whole_power(atom, e.denominator), base, -1), "==")]
        if t.op in ("max", "min", "abs"):
            inside = [self.polynomial(a) for a in t.args]
            inside += [plus({}, inside[0], -1)] if t.op == "abs" else []
            gaps = [plus({}, plus(atom, a, -1), -1 if t.op == "min" else 1) for a in inside]
            return [*((gap, ">=") for gap in gaps), (reduce(times, gaps), "==")]
        return [(atom, ">")] if t.op == "exp" else []

    def read(self, text: Any) -> Polynomial:
        return self.polynomial(parse(text, {**self.context.names, **self.stands_for}, self.context.functions))

    def fact(self, facts: list[Known], i: int) -> tuple[Polynomial, str]:
        p, op = facts[i]
        return (self.polynomial(p) if isinstance(p, Term) else p), op

    def contradiction(self, facts: list[Known], tree: Any) -> None:
        """No point satisfies all these facts."""
        if "split" in tree:
            p = self.read(tree["split"])
            minus = plus({}, p, -1)
            new = {"<": (minus, ">"), "<=": (minus, ">="), "=": (p, "=="), ">": (p, ">"), ">=": (p, ">=")}
            complete = ({"<", "=", ">"}, {"<=", ">"}, {"<", ">="}, {"<=", ">="})
            require(set(tree["cases"]) in complete, "the cases leave something out")
            for case, inner in tree["cases"].items():
                self.contradiction([*facts, new[case]], inner)
        elif "cut" in tree:
            p, op = self.read(tree["cut"]), tree["sign"]
            sign, denied = DENIED[op]
            self.contradiction([*facts, (plus({}, p, sign), denied)], tree["by"])
            self.contradiction([*facts, (p, op)], tree["tree"])
        else:
            self.close(facts, tree)

    def close(self, facts: list[Known], tree: Any) -> None:
        """The terms are not negative, one is positive, and with multiples of what is 0 they add up to 0."""
        total, positive = dict[Any, Fraction](), False
        for entry in tree["terms"]:
            coefficient, chosen = fraction(entry["coefficient"]), [self.fact(facts, i) for i in entry["facts"]]
            require(coefficient > 0 and all(op != "==" for _, op in chosen), "a term that may be negative")
            value: Polynomial = {(): coefficient}
            for p, op in chosen:
                value = times(value, times(p, p) if op == "!=" else p)
            if "square" in entry:
                value = times(value, whole_power(self.read(entry["square"]), 2))
            positive |= "square" not in entry and all(op != ">=" for _, op in chosen)
            total = plus(total, value)
        for entry in tree.get("multiples", []):
            p, op = self.fact(facts, entry["fact"])
            require(op == "==", "a multiple of something that need not be 0")
            total = plus(total, times(p, self.read(entry["times"])))
        require(positive, "no term is positive")
        require(not total, "the terms do not add up to 0")
