"""The rule `algebra` for Coq: the certificate's own products add up to zero, which `ring` checks without a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.language import fraction
from glbcheck.core.kernel.rules import Algebra
from glbcheck.core.kernel.terms import Term, number, substitute
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.formulas import Untranslated
from glbcheck.verify.coq.setting import KINDS, Setting
from glbcheck.verify.coq.signs import defined
from glbcheck.verify.coq.writing import Script

SPLITS = {
    ("<", "=", ">"): "destruct (Rtotal_order {0} 0) as [{1}|[{1}|{1}]].",
    ("<=", ">"): "destruct (Rle_or_lt {0} 0) as [{1}|{1}].",
    ("<", ">="): "destruct (Rlt_or_le {0} 0) as [{1}|{1}].",
    ("<=", ">="): "destruct (Rle_or_lt {0} 0) as [{1}|{1}].",
    ("!=", "="): "destruct (apart {0}) as [{1}|{1}].",
}


def contradiction(out: Script, at: Setting, goal: Fact, proof: Mapping[str, Any]) -> None:
    """Write a proof of an inequality: its denial contradicts the facts, by the tree of the certificate."""
    at = defined(out, at, goal.gap)
    shown = at.names.fact(goal)
    with out.block(f"assert (Goal : {shown})."):
        _Contradiction(out, at, goal).write(proof)
    out("conditions.")


class _Contradiction:
    """Facts as polynomials in variables and atoms, each a hypothesis of the Coq proof."""

    def __init__(self, out: Script, at: Setting, goal: Fact) -> None:
        self.out, self.at, self.goal, self.algebra, self.names = out, at, goal, Algebra(at.context), at.names
        self.atoms: list[tuple[str, str]] = []  # hypothesis atom = value, and the atom

    def write(self, proof: Mapping[str, Any]) -> None:
        for name, text in proof.get("atoms", []):
            atom = self.algebra.atoms[name] = self.at.context.read(text, **self.algebra.atoms)
            self.at = defined(self.out, self.at, atom)
            self.name_atom(name, atom)
        gaps = [self.known(fact, name) for fact, name in zip(self.at.context.facts, self.at.facts, strict=True)]
        for name in self.algebra.atoms:
            gaps += self.about(name)
        denied = self.goal.denied
        deny = self.out.fresh("N")
        self.out(f"{_DENY[self.goal.op].format(self.names.term(self.goal.gap))} as [?|{deny}]; [assumption|exfalso].")
        turned = self.out.fresh("N")
        self.out(f"assert ({turned} : {self.names.fact(denied)}) by (clear -{deny}; lra).")
        gaps.append(self.known(denied, turned))
        self.refute(gaps, proof["tree"])

    def name_atom(self, name: str, atom: Term) -> None:
        identifier, law = f"a{name}_{self.out.fresh('')}", self.out.fresh("A")
        value = self.names.term(atom)
        self.out(f"destruct (named {value}) as [{identifier} {law}].")
        self.atoms.insert(0, (law, identifier))
        self.names = self.names.bound(name, identifier)

    def unfolded(self) -> str:
        """Each atom replaced by what it stands for."""
        return f"rewrite {', '.join(f'?{law}' for law, _ in self.atoms)}" if self.atoms else "idtac"

    def known(self, fact: Fact, name: str) -> tuple[Fact, str]:
        """The fact as a polynomial in the atoms; one that has none may stay out of every product."""
        try:
            polynomial = self.algebra.polynomial(fact.gap)
        except ValueError:
            return fact, name
        made = Fact(polynomial, fact.op)
        if polynomial is fact.gap:
            return made, name
        new = self.out.fresh("P")
        with self.out.block(f"assert ({new} : {self.names.fact(made)})."):
            texts = self.names.term(polynomial), self.at.names.term(fact.gap)
            self.out(f"apply (by_same_{KINDS[fact.op]} {texts[0]} {texts[1]}); [|exact {name}].")
            expanded = substitute(polynomial, self.algebra.atoms)
            with self.out.block(f"transitivity {self.at.names.term(expanded)}."):
                equation(self.out, self.at.names, fact.gap, expanded)
            self.out(f"{self.unfolded()}; fld.")
        return made, new

    def about(self, name: str) -> list[tuple[Fact, str]]:
        """What is known of an atom, from the laws of what it stands for."""
        atom, found = self.algebra.atoms[name], []
        for fact in self.algebra.about(name):
            new = self.out.fresh("P")
            with self.out.block(f"assert ({new} : {self.names.fact(fact)})."):
                self.out(f"{self.unfolded()}; {_LAWS.get(atom.op, 'atom_laws')}.")
            found.append((fact, new))
        return found

    def read(self, text: str) -> Term:
        return self.algebra.read(text)

    def refute(self, facts: Sequence[tuple[Fact, str]], tree: Mapping[str, Any]) -> None:
        if "split" in tree:
            self.split(facts, tree)
        else:
            self.close(facts, tree)

    def split(self, facts: Sequence[tuple[Fact, str]], tree: Mapping[str, Any]) -> None:
        p, name = self.read(tree["split"]), self.out.fresh("S")
        new = {"<": (-p, ">"), "<=": (-p, ">="), "=": (p, "=="), "!=": (p, "!="), ">": (p, ">"), ">=": (p, ">=")}
        order = next(order for order in SPLITS if set(order) == set(tree["cases"]))
        self.out(SPLITS[order].format(self.names.term(p), name))
        for case in order:
            with self.out.block():
                fact, turned = Fact(*new[case]), self.out.fresh("S")
                self.out(f"assert ({turned} : {self.names.fact(fact)}) by (clear -{name}; first [assumption | lra]).")
                self.refute([*facts, (fact, turned)], tree["cases"][case])

    def close(self, facts: Sequence[tuple[Fact, str]], tree: Mapping[str, Any]) -> None:
        """The products, a positive one first, and the multiples of zero: a sum that is 0 and not 0."""
        entries = [self.product(facts, entry) for entry in tree["terms"]]
        entries.sort(key=lambda entry: not entry[2])
        for entry in tree.get("multiples", []):
            fact, name = facts[entry["fact"]]
            times = self.names.term(self.read(entry["times"]))
            entries.append((f"({times}) * ({self.names.term(fact.gap)})", f"(multiple _ _ {name})", False))
        if not entries or not entries[0][2]:
            raise Untranslated("no product is positive")
        terms, reasons = [entry[0] for entry in entries] + ["0"], [entry[1] for entry in entries[1:]]
        whole, rest = terms[-1], "(Rle_refl 0)"
        for text in reversed(terms[1:-1]):
            whole = f"({text} + {whole})"
        for i in reversed(range(len(reasons))):
            reason = reasons[i] if not entries[i + 1][2] else f"(Rlt_le _ _ {reasons[i]})"
            rest = f"(plus_ge _ _ {reason} {rest})"
        total = self.out.fresh("Z")
        self.out(f"assert ({total} : {terms[0]} + {whole} = 0) by fld.")
        self.out(f"exact (no_sum _ _ {total} {entries[0][1]} {rest}).")

    def product(self, facts: Sequence[tuple[Fact, str]], entry: Mapping[str, Any]) -> tuple[str, str, bool]:
        """A positive number times facts times a square: the text, the reason for its sign, and whether it is > 0."""
        coefficient, chosen = fraction(entry["coefficient"]), [facts[i] for i in entry["facts"]]
        strict = "square" not in entry and all(fact.op != ">=" for fact, _ in chosen)
        text = self.names.term(number(coefficient))
        reason = f"(ltac:(lra) : {'0 <' if strict else '0 <='} {text})"
        factors = [self.factor(fact, name, strict) for fact, name in chosen]
        if "square" in entry:
            root = self.names.term(self.read(entry["square"]))
            factors.append((f"(({root}) ^ 2)", f"(square_ge {root})"))
        for factor, why in factors:
            text, lemma = f"({text} * {factor})", "Rmult_lt_0_compat" if strict else "Rmult_le_pos"
            reason = f"({lemma} _ _ {reason} {why})"
        return text, reason, strict

    def factor(self, fact: Fact, name: str, strict: bool) -> tuple[str, str]:
        text = self.names.term(fact.gap)
        if fact.op == "!=":
            return f"({text} ^ 2)", f"(square_gt _ {name})" if strict else f"(square_ge {text})"
        return text, name if strict or fact.op == ">=" else f"(Rlt_le _ _ {name})"


_DENY = {">=": "destruct (Rle_or_lt 0 {0})", ">": "destruct (Rlt_or_le 0 {0})", "!=": "destruct (apart {0})"}
_LAWS = {"max": "max_laws", "min": "min_laws", "abs": "abs_laws", "exp": "sgn"}
