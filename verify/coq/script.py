"""From the kernel's rules of proof to Coq: each rule writes the tactics that do in Coq what it does in the kernel.

The Coq goal of `prove` is the conjunction of the conditions that make the gap defined and of its sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.terms import ONE, Term, joined, number, substitute, term, variable
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.formulas import Untranslated, conditions, conjunction
from glbcheck.verify.coq.ladders import ladder, primitives
from glbcheck.verify.coq.multipliers import contradiction
from glbcheck.verify.coq.setting import KINDS, Setting
from glbcheck.verify.coq.signs import defined, nonzero, positive
from glbcheck.verify.coq.writing import Script, unpacked

Proof = Mapping[str, Any]


def goal_text(at: Setting, goal: Fact) -> str:
    return conjunction([*(c.text(at.names) for c in conditions(goal.gap)), at.names.fact(goal)])


class Rules:
    """One method for each rule, named as in docs/certificates.md."""

    def __init__(self, out: Script) -> None:
        self.out = out

    def prove(self, at: Setting, goal: Fact, proof: Proof) -> None:
        rule = getattr(self, proof["rule"], None)
        if rule is None:
            raise Untranslated(f"the rule {proof['rule']} has no Coq proof")
        rule(at, goal, proof)

    def have(self, at: Setting, goal: Fact, proof: Proof) -> tuple[Setting, str]:
        """Prove something first; the setting that knows its conditions, and the name of its sign."""
        both, sign = self.out.fresh("B"), self.out.fresh("F")
        with self.out.block(f"assert ({both} : {goal_text(at, goal)})."):
            self.prove(at, goal, proof)
        names = []
        for condition in conditions(goal.gap):
            names.append(self.out.fresh("D"))
            if condition.fact is not None:
                at = at.knowing(condition.fact, names[-1])
        self.out(unpacked(both, [*names, sign]))
        return at, sign

    def finish(self, at: Setting, goal: Fact, tactic: str) -> None:
        """Conditions that are known by now, and the sign by a tactic."""
        at = defined(self.out, at, goal.gap)
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            self.out(tactic)
        self.out("conditions.")

    def evident(self, at: Setting, goal: Fact, proof: Proof) -> None:
        at = defined(self.out, at, goal.gap)
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            if goal.op in ("==", ">=") and is_zero(goal.gap):
                self.out("apply zero_is_enough." if goal.op == ">=" else "idtac.")
                equation(self.out, at.names, goal.gap, number(0))
            else:
                self.sign(at, goal)
        self.out("conditions.")

    def sign(self, at: Setting, goal: Fact) -> None:
        if goal.op == "!=":
            nonzero(self.out, at, goal.gap)
        else:
            positive(self.out, at, goal.gap, goal.strict)

    def algebra(self, at: Setting, goal: Fact, proof: Proof) -> None:
        contradiction(self.out, at, goal, proof)

    def engines(self, at: Setting, goal: Fact, proof: Proof) -> None:
        """What z3 and cvc5 decide, Coq's own search may find as well."""
        self.finish(at, goal, "first [lra | nra | psatz R 3].")

    def both(self, at: Setting, goal: Fact, proof: Proof) -> None:
        at, above = self.have(at, Fact(goal.gap, ">="), proof["above"])
        at, below = self.have(at, Fact(-goal.gap, ">="), proof["below"])
        self.finish(at, goal, f"apply (by_both _ {at.names.term(-goal.gap)}); [fld|exact {above}|exact {below}].")

    def lemma(self, at: Setting, goal: Fact, proof: Proof) -> None:
        first = at.context.read_fact(proof["relation"])
        at, name = self.have(at, first, proof["by"])
        self.prove(at.plus(first, name), goal, proof["proof"])

    def cases(self, at: Setting, goal: Fact, proof: Proof) -> None:
        split = at.context.read(proof["at"])
        at, name = defined(self.out, at, split), self.out.fresh("C")
        self.out(f"destruct (Rle_or_lt {at.names.term(split)} 0) as [{name}|{name}].")
        for fact, inner in ((Fact(-split, ">="), proof["below"]), (Fact(split, ">"), proof["above"])):
            with self.out.block():
                turned = self.out.fresh("F")
                self.out(f"assert ({turned} : {at.names.fact(fact)}) by (clear -{name}; lra).")
                self.prove(at.plus(fact, turned), goal, inner)

    def pinned(self, at: Setting, goal: Fact, proof: Proof) -> None:
        fixed = {n: number(r.low) for n, r in at.context.ranges.items() if r.low is not None and r.low == r.high}
        context, laws = at.context, []
        for name, value in fixed.items():
            context, law = context.without(name), self.out.fresh("V")
            self.out(f"assert ({law} : {at.names.term(variable(name))} = {at.names.term(value)}) by lra.")
            laws.append(law)
        inside, instead = at.moved(context, at.names, {}), Fact(substitute(goal.gap, fixed), goal.op)
        equal = f"rewrite {', '.join(f'?{law}' for law in laws)}; fld." if laws else "fld."
        _, sign = self.have(inside, instead, proof["proof"])
        for condition in conditions(goal.gap):
            if condition.fact is None:
                raise Untranslated("a sum or an integral at a pinned point")
            there = Fact(substitute(condition.fact.gap, fixed), condition.fact.op)
            name = self.out.fresh("D")
            with self.out.block(f"assert ({name} : {at.names.fact(condition.fact)})."):
                self.equal_sign(at, condition.fact, there, equal)
                self.sign(inside, there)
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            self.equal_sign(at, goal, instead, equal)
            self.out(f"exact {sign}.")
        self.out("conditions.")

    def equal_sign(self, at: Setting, goal: Fact, instead: Fact, equal: str) -> None:
        """Show another sign instead, of an equal term."""
        self.out(f"apply (by_same_{KINDS[goal.op]} {at.names.term(goal.gap)} {at.names.term(instead.gap)}).")
        with self.out.block():
            self.out(equal)

    def go_on(self, at: Setting, op: str, proof: Proof) -> tuple[Setting, str, Term]:
        then = at.context.read(proof["then"])
        at, sign = self.have(at, Fact(then, op), proof["proof"])
        return at, sign, then

    def times(self, at: Setting, goal: Fact, proof: Proof) -> None:
        factor = at.context.read(proof.get("factor", "1"))
        at = defined(self.out, at, goal.gap, factor)
        known = self.out.fresh("K")
        with self.out.block(f"assert ({known} : {at.names.fact(Fact(factor, '>'))})."):
            positive(self.out, at, factor, True)
        at, sign, then = self.go_on(at, goal.op, proof)
        texts = [at.names.term(t) for t in (factor, goal.gap, then)]
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            self.out(f"apply (by_times_{KINDS[goal.op]} {' '.join(texts)}); [exact {known}| |exact {sign}].")
            with self.out.block(f"transitivity {at.names.term(factor * goal.gap)}."):
                equation(self.out, at.names, then, factor * goal.gap)
            self.out("fld.")
        self.out("conditions.")

    def cells(self, at: Setting, goal: Fact, proof: Proof) -> None:
        """A cover: Coq cuts the box by itself."""
        variables = [f"i_bisect {at.names.known[x]}" for x in proof["variables"]]
        self.finish(at, goal, f"interval with ({', '.join(variables)}, i_depth 24).")

    def substitution(self, at: Setting, goal: Fact, proof: Proof) -> None:
        """x = value(t) for t = inverse(x), which Coq gives a name."""
        old, new = proof["variable"], proof["new"]
        value = at.context.read(proof["value"], **{new: variable(new)})
        inverse = at.context.read(proof["inverse"])
        at, name, law, back = (
            defined(self.out, at, inverse),
            f"v_{new}_{self.out.fresh('')}",
            self.out.fresh("V"),
            self.out.fresh("V"),
        )
        names, context = at.names.bound(new, name), at.context.without(old).with_variable(new, "real")
        self.out(f"destruct (named {at.names.term(inverse)}) as [{name} {law}].")
        with self.out.block(f"assert ({back} : {at.names.term(variable(old))} = {names.term(value)})."):
            undone = substitute(value, {new: inverse})
            with self.out.block(f"transitivity {at.names.term(undone)}."):
                equation(self.out, at.names, variable(old), undone)
            self.out(f"rewrite {law}; fld.")
        inside = at.moved(context, names, {})
        for known in map(context.read_fact, proof["facts"]):
            there, shown = Fact(substitute(known.gap, {new: inverse}), known.op), self.out.fresh("F")
            with self.out.block(f"assert ({shown} : {names.fact(known)})."):
                self.out(f"apply (by_same_{KINDS[known.op]} _ {at.names.term(there.gap)}); [rewrite {law}; fld|].")
                self.sign(at, there)
            inside = inside.plus(known, shown)
        inside = defined(self.out, inside, value)
        for fact, held in zip(at.context.facts, at.facts, strict=True):
            if old in fact.gap.free:
                moved, shown = Fact(substitute(fact.gap, {old: value}), fact.op), self.out.fresh("F")
                with self.out.block(f"assert ({shown} : {names.fact(moved)})."):
                    text = names.term(fact.gap)
                    self.out(f"apply (by_same_{KINDS[fact.op]} _ {text}); [rewrite {back}; fld|exact {held}].")
                inside = inside.plus(moved, shown)
        instead = Fact(substitute(goal.gap, {old: value}), goal.op)
        _, sign = self.have(inside, instead, proof["proof"])
        at = defined(self.out, at, goal.gap)
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            self.out(
                f"apply (by_same_{KINDS[goal.op]} _ {names.term(instead.gap)}); [rewrite {back}; fld|exact {sign}]."
            )
        self.out("conditions.")

    def monotone(self, at: Setting, goal: Fact, proof: Proof) -> None:
        ladder(self, at, goal, proof)

    def exponentiate(self, at: Setting, goal: Fact, proof: Proof) -> None:
        terms = [(int(c), at.context.read(u)) for c, u in proof["terms"]]
        at = defined(self.out, at, goal.gap, *(term("log", u) for _, u in terms))
        at, sign, then = self.go_on(at, goal.op, proof)
        above, below = (joined("*", [ONE, *(u ** Fraction(s * c) for c, u in terms if s * c > 0)]) for s in (1, -1))
        logs = joined("+", [number(0), *(term("log", u) * c for c, u in terms)])
        texts = [at.names.term(t) for t in (above, below, goal.gap, logs, then)]
        with self.out.block(f"assert (Goal : {at.names.fact(goal)})."):
            self.out(f"apply (by_same_{KINDS[goal.op]} {texts[2]} (ln {texts[0]} - ln {texts[1]})).")
            with self.out.block(f"transitivity {texts[3]}."):
                self.out("ln_factors.")
            with self.out.block():
                equation(self.out, at.names, logs, goal.gap)
            self.out(f"apply by_logarithms_{KINDS[goal.op]}; [sgn|sgn|].")
            with self.out.block(f"apply (by_same_{KINDS[goal.op]} _ {texts[4]}); [|exact {sign}]."):
                with self.out.block(f"transitivity {at.names.term(above - below)}."):
                    equation(self.out, at.names, then, above - below)
                self.out("fld.")
        self.out("conditions.")

    def primitive(self, at: Setting, goal: Fact, proof: Proof) -> None:
        primitives(self, at, goal, proof)
