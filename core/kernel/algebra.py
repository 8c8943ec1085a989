"""Contradictions by multipliers: a sum of products that are not negative, one of them positive, is 0.

Facts and the denied goal become polynomials in variables and *atoms*, names for what is not polynomial.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .context import Context, Fact
from .language import fraction
from .ring import Ring, same
from .terms import Term, joined, number, require, subterms, variable


def contradiction(context: Context, goal: Fact, proof: Mapping[str, Any]) -> None:
    """The facts and the denied goal contradict each other; an equation is two inequalities."""
    context.require_defined(goal.gap)
    if goal.op == "==":
        contradiction(context, Fact(goal.gap, ">="), {**proof, "tree": proof["above"]})
        contradiction(context, Fact(-goal.gap, ">="), {**proof, "tree": proof["below"]})
        return
    algebra = Algebra(context)
    there = {t for fact in (*context.facts, goal) for t in subterms(fact.gap, outer=True)}
    for name, text in proof.get("atoms", []):
        require(name not in (*context.names, *algebra.atoms), f"the atom {name!r} has the name of something else")
        atom = algebra.atoms[name] = context.read(text, **algebra.atoms)
        require(atom in there or context.defined(atom), f"{atom} is not seen to be defined here")
    known = [fact for name in algebra.atoms for fact in algebra.about(name)]
    algebra.refute([*context.facts, *known, denied(goal)], proof["tree"])


def denied(fact: Fact) -> Fact:
    scale, op = {">=": (-1, ">"), ">": (-1, ">="), "!=": (1, "==")}[fact.op]
    return Fact(fact.gap * scale, op)


class Algebra:
    """Polynomials in variables and atoms, as terms in which each atom is a variable of its own."""

    def __init__(self, context: Context) -> None:
        self.context, self.atoms, self.ring = context, dict[str, Term](), Ring()

    def read(self, text: Any) -> Term:
        return self.polynomial(self.context.read(text, **{name: variable(name) for name in self.atoms}))

    def polynomial(self, t: Term) -> Term:
        """The term with atoms for what is not polynomial."""
        e = t.args[1].value if t.op == "**" else None
        if t.op in ("number", "variable", "+", "*") or (e is not None and e.denominator == 1 and e >= 0):
            return t.rebuilt(self.polynomial)
        if e is not None and e.denominator > 1 and e.numerator != 1:  # b**(p/q) is a power of the root b**(1/q)
            return self.polynomial((t.args[0] ** Fraction(1, e.denominator)) ** e.numerator)
        if e is not None and e.denominator == 1 and e < -1:
            return self.polynomial(t.args[0] ** -1) ** int(-e)
        found = [name for name, a in self.atoms.items() if a is t]
        found += [name for name, a in self.atoms.items() if a.op == t.op and same(a, t)]
        require(found, f"{t} is no polynomial, and no atom stands for it")
        return variable(found[0])

    def about(self, name: str) -> list[Fact]:
        """What is known of an atom wherever what it stands for has a value."""
        atom, t = variable(name), self.atoms[name]
        e = t.args[1].value if t.op == "**" else None
        if e == -1:
            return [Fact(atom * self.polynomial(t.args[0]) - 1, "==")]
        if e is not None and e.numerator == 1 and e < 1:
            return [Fact(atom, ">="), Fact(atom**e.denominator - self.polynomial(t.args[0]), "==")]
        if t.op in ("max", "min", "abs"):
            inside = [self.polynomial(a) for a in (*t.args, *([-t.args[0]] if t.op == "abs" else []))]
            gaps = [a - atom if t.op == "min" else atom - a for a in inside]
            return [*(Fact(gap, ">=") for gap in gaps), Fact(joined("*", gaps), "==")]
        return [Fact(atom, ">")] if t.op == "exp" else []

    def refute(self, facts: list[Fact], tree: Any) -> None:
        """No point satisfies all these facts."""
        if "split" in tree:
            p = self.read(tree["split"])
            new = {"<": (-p, ">"), "<=": (-p, ">="), "=": (p, "=="), ">": (p, ">"), ">=": (p, ">=")}
            complete = set(tree["cases"]) in ({"<", "=", ">"}, {"<=", ">"}, {"<", ">="}, {"<=", ">="})
            require(complete, "the cases leave something out")
            for case, inner in tree["cases"].items():
                self.refute([*facts, Fact(*new[case])], inner)
        elif "cut" in tree:
            cut = Fact(self.read(tree["cut"]), tree["sign"])
            self.refute([*facts, denied(cut)], tree["by"])
            self.refute([*facts, cut], tree["tree"])
        else:
            self.close(facts, tree)

    def close(self, facts: list[Fact], tree: Any) -> None:
        """The terms are not negative, one is positive, and with multiples of what is 0 they add up to 0."""
        terms, positive = list[Term](), False
        for entry in tree["terms"]:
            coefficient, chosen = fraction(entry["coefficient"]), [facts[i] for i in entry["facts"]]
            require(coefficient > 0 and all(op != "==" for _, op in chosen), "a term that may be negative")
            square = [self.read(entry["square"]) ** 2] if "square" in entry else []
            factors = (self.polynomial(p) ** (2 if op == "!=" else 1) for p, op in chosen)
            terms.append(joined("*", [number(coefficient), *square, *factors]))
            positive |= not square and all(op != ">=" for _, op in chosen)
        for entry in tree.get("multiples", []):
            p, op = facts[entry["fact"]]
            require(op == "==", "a multiple of something that need not be 0")
            terms.append(self.polynomial(p) * self.read(entry["times"]))
        require(positive, "no term is positive")
        require(self.ring.zero(self.ring.read(joined("+", terms))), "the terms do not add up to 0")
