"""Contradictions by multipliers: a sum of products that are not negative, one of them positive, is 0.

The facts of the context and the denied goal become polynomials in the variables and in *atoms*, names for what
is not polynomial.  The certificate lists its atoms; the kernel adds what it knows of each:

  b**(1/q)        r:  r >= 0 and r**q = b             b**-1         i:  i*b = 1
  abs(a)          m:  m >= a, m >= -a, m**2 = a**2    exp(a)        e:  e > 0
  max(a, ...)     m:  m >= each, product of m - each is 0;  min likewise;  anything else is just a name

A proof is a tree: {"terms", "multiples"} closes a branch, {"split", "cases"} and {"cut", ...} grow it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from .context import Context, Fact
from .ring import Polynomial, plus, same, times, whole_power
from .rules import Audit, Proof, fraction, read, require_defined, rule
from .terms import Rejected, Term, neg, parse, power, require

OPAQUE = ("log", "sin", "cos", "function", "sum", "integral", "pi", "erf", "atan", "sinh", "cosh", "tanh")
DENIED = {">=": (-1, ">"), ">": (-1, ">="), "!=": (1, "==")}
Known = tuple[Polynomial, str]


@rule
def algebra(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The facts and the denied goal contradict each other."""
    require_defined(context, goal.gap)
    if goal.op == "==":
        for direction in ("above", "below"):
            gap = goal.gap if direction == "above" else neg(goal.gap)
            algebra(context, Fact(gap, ">="), {**proof, "tree": proof[direction]}, audit)
        return
    atoms = Atoms.read(context, proof.get("atoms", []))
    facts = [(atoms.polynomial(fact.gap), fact.op) for fact in context.facts]
    for name, definition in atoms.definitions.items():
        facts += atoms.facts(name, definition)
    sign, op = DENIED[goal.op]
    facts.append((times({(): Fraction(sign)}, atoms.polynomial(goal.gap)), op))
    contradiction(facts, proof["tree"], atoms)


@dataclass
class Atoms:
    """The variables and atoms, numbered, and what each atom stands for."""

    context: Context
    numbers: dict[str, int]
    definitions: dict[str, Term]

    @classmethod
    def read(cls, context: Context, listed: Any) -> Atoms:
        atoms = cls(context, {name: i for i, name in enumerate(context.names)}, {})
        for name, text in listed:
            require(name not in atoms.numbers, f"the atom {name!r} has the name of something else")
            atoms.definitions[name] = read(text, context, **atoms.definitions)
            atoms.numbers[name] = len(atoms.numbers)
        return atoms

    def name(self, name: str) -> Polynomial:
        return {((self.numbers[name], 1),): Fraction(1)}

    def polynomial(self, t: Term) -> Polynomial:
        """The term as a polynomial in variables and atoms."""
        if t.value is not None:
            return {(): t.value} if t.value else {}
        if t.op == "variable" and t.args[0] in self.context.names:
            return self.name(t.args[0])
        if t.op in ("+", "*"):
            parts = [self.polynomial(a) for a in t.args]
            return reduce(plus, parts) if t.op == "+" else reduce(times, parts)
        if t.op == "**" and t.args[1].value is not None:
            base, e = t.args[0], t.args[1].value
            if e.denominator == 1 and e >= 0:
                return whole_power(self.polynomial(base), int(e))
            if e.denominator > 1 and e.numerator != 1:  # b**(p/q) is a power of the root b**(1/q)
                return self.polynomial(power(power(base, Fraction(1, e.denominator)), e.numerator))
            if e.denominator == 1 and e < -1:
                return whole_power(self.polynomial(power(base, -1)), -int(e))
        for name, definition in self.definitions.items():
            if definition is t or (definition.op == t.op and same(definition, t)):
                return self.name(name)
        raise Rejected(f"{t} is no polynomial, and no atom stands for it")

    def facts(self, name: str, t: Term) -> list[Known]:
        """What is known of an atom wherever its definition has a value."""
        atom = self.name(name)
        if t.op == "**" and t.args[1].value is not None:
            base, e = self.polynomial(t.args[0]), t.args[1].value
            if e == -1:
                return [(plus(times(atom, base), {(): Fraction(1)}, -1), "==")]
            require(e.numerator == 1, f"the atom {name} is neither a root nor a reciprocal")
            return [(atom, ">="), (plus(whole_power(atom, e.denominator), base, -1), "==")]
        if t.op in ("max", "min", "abs"):
            inner = [self.polynomial(a) for a in t.args]
            inner += [times({(): Fraction(-1)}, inner[0])] if t.op == "abs" else []
            gaps = [plus(atom, a, -1) for a in inner]
            side = 1 if t.op != "min" else -1
            return [*((times({(): Fraction(side)}, g), ">=") for g in gaps), (reduce(times, gaps), "==")]
        if t.op == "exp":
            return [(atom, ">")]
        require(t.op in OPAQUE, f"{t} cannot be an atom")
        return []


def contradiction(facts: list[Known], tree: Any, atoms: Atoms) -> None:
    """No point satisfies all these facts."""
    require(isinstance(tree, Mapping), "a contradiction is a mapping")
    read_polynomial = lambda text: atoms.polynomial(parse(text, _terms(atoms), atoms.context.functions))  # noqa: E731
    if "split" in tree:
        p = read_polynomial(tree["split"])
        minus = times({(): Fraction(-1)}, p)
        new = {"<": (minus, ">"), "<=": (minus, ">="), "=": (p, "=="), ">": (p, ">"), ">=": (p, ">=")}
        allowed = ({"<", "=", ">"}, {"<=", ">"}, {"<", ">="}, {"<=", ">="})
        require(set(tree["cases"]) in allowed, "the cases leave something out")
        for case, inner in tree["cases"].items():
            contradiction([*facts, new[case]], inner, atoms)
        return
    if "cut" in tree:
        p, op = read_polynomial(tree["cut"]), tree["sign"]
        require(op in DENIED, f"a lemma with the sign {op!r}")
        sign, denied = DENIED[op]
        contradiction([*facts, (times({(): Fraction(sign)}, p), denied)], tree["by"], atoms)
        return contradiction([*facts, (p, op)], tree["tree"], atoms)
    total: Polynomial = {}
    positive = False
    for entry in tree["terms"]:
        coefficient, chosen = fraction(entry["coefficient"]), [facts[i] for i in entry["facts"]]
        require(coefficient > 0 and all(op != "==" for _, op in chosen), "a term that may be negative")
        value: Polynomial = {(): coefficient}
        for p, op in chosen:
            value = times(value, times(p, p) if op == "!=" else p)
        if "square" in entry:
            value = times(value, whole_power(read_polynomial(entry["square"]), 2))
        positive |= "square" not in entry and all(op != ">=" for _, op in chosen)
        total = plus(total, value)
    for entry in tree.get("multiples", []):
        p, op = facts[entry["fact"]]
        require(op == "==", "a multiple of something that need not be 0")
        total = plus(total, times(p, read_polynomial(entry["times"])))
    require(positive, "no term is positive")
    require(not total, "the terms do not add up to 0")


def _terms(atoms: Atoms) -> dict[str, Term]:
    return {**atoms.context.names, **atoms.definitions}
