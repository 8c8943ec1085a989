"""The rules about slopes for Coq: `monotone`, by the ladder lemmas, and `primitive`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.rules import replaced
from glbcheck.core.kernel.terms import Term, number, substitute, variable
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.formulas import Condition, Untranslated, conditions
from glbcheck.verify.coq.setting import KINDS, Setting
from glbcheck.verify.coq.signs import defined, positive
from glbcheck.verify.coq.slopes import continuity_proof, derivative_proof
from glbcheck.verify.coq.sums import telescoped
from glbcheck.verify.coq.writing import Script

Proof = Mapping[str, Any]


class Prover(Protocol):
    """What the other rules offer."""

    out: Script

    def have(self, at: Setting, goal: Fact, proof: Proof) -> tuple[Setting, str]: ...

    def sign(self, at: Setting, goal: Fact) -> None: ...


def ladder(rules: Prover, at: Setting, goal: Fact, proof: Proof) -> None:
    """The sign at one end of the range of a variable, and that of the slope on the way from there."""
    out, x, up = rules.out, proof["variable"], proof["from"] == "low"
    end = at.context.ranges[x].low if up else at.context.ranges[x].high
    if end is None:
        raise Untranslated("a ladder without a start")
    start, then = number(end), at.context.read(proof["then"])
    from_positive = goal.strict and proof.get("start") == "positive"
    slope_op = ">" if goal.strict and not from_positive else ">="
    kind = "_strict" if slope_op == ">" else "_start" if from_positive else ""
    at = defined(out, at, goal.gap)
    first = Fact(substitute(goal.gap, {x: start}), ">" if from_positive else ">=")
    below = at.moved(at.context.without(x), at.names, {})
    _, begin = rules.have(below, first, proof["at"])
    ends = [at.names.term(start), at.names.term(variable(x))][:: 1 if up else -1]
    inner, slope = f"{at.names.known[x]}_{out.fresh('')}", then if up else -then
    functions = [f"(fun {inner} => {at.names.bound(x, inner).term(f)})" for f in (goal.gap, slope)]
    with out.block(f"assert (Goal : {at.names.fact(goal)})."):
        out(f"apply (ladder_{'up' if up else 'down'}{kind} {' '.join(functions + ends)}).")
        with out.block():
            point = from_the_start(rules, at, below, goal.gap, (x, inner), start)
            out(f"exact {continuity_proof(point, goal.gap, x)}.")
        with out.block():
            derived(out, on_the_way(out, at, x, inner), goal.gap, x, slope)
        with out.block():
            out("lra.")
        with out.block():
            inside = on_the_way(out, at, x, inner)
            _, sign = rules.have(inside, Fact(then, slope_op), proof["proof"])
            texts = inside.names.term(slope), inside.names.term(then)
            out(f"{'' if up else f'replace (- {texts[0]}) with {texts[1]} by fld; '}exact {sign}.")
        out(f"apply (by_same_{KINDS[first.op]} _ {at.names.term(first.gap)}); [fld|exact {begin}].")
    out("conditions.")


def on_the_way(out: Script, at: Setting, x: str, inner: str) -> Setting:
    """A point between the ends, and what the kernel knows of it there."""
    between = out.fresh("W")
    out(f"intros {inner} {between}; cbv beta.")
    return _known_there(out, at, x, inner, between)


def _known_there(out: Script, at: Setting, x: str, inner: str, why: str, inside: bool = True) -> Setting:
    context, names, facts = at.context.interval(x, inside=inside), at.names.bound(x, inner), dict[Fact, str]()
    here = dict(zip(at.context.facts, at.facts, strict=True))
    ends = " ".join(name for fact, name in here.items() if fact.gap.free == {x})
    for fact in context.facts:
        if x in fact.gap.free:
            facts[fact] = out.fresh("F")
            out(f"assert ({facts[fact]} : {names.fact(fact)}) by (clear -{why} {ends}; lra).")
        else:
            facts[fact] = here[fact]
    known = tuple((fact, name) for fact, name in at.known if x not in fact.gap.free)
    return Setting(context, names, tuple(facts[fact] for fact in context.facts), known)


def from_the_start(
    rules: Prover, at: Setting, below: Setting, f: Term, moving: tuple[str, str], start: Term
) -> Setting:
    """A point between the ends, or the start itself, which the range may leave out; f is defined at either."""
    out, (x, inner), between = rules.out, moving, rules.out.fresh("W")
    out(f"intros {inner} {between}; cbv beta.")
    names = at.names.bound(x, inner)
    found = replace(below, names=names, context=below.context.with_variable(x, "real"))
    for condition in conditions(f):
        if condition.fact is None:
            raise Untranslated("a sum or an integral in a ladder")
        name, equal = out.fresh("D"), out.fresh("E")
        there = Fact(substitute(condition.fact.gap, {x: start}), condition.fact.op)
        with out.block(f"assert ({name} : {names.fact(condition.fact)})."):
            out(f"destruct (Req_dec {inner} {at.names.term(start)}) as [{equal}|{equal}].")
            with out.block():
                out(f"apply (by_same_{KINDS[there.op]} _ {at.names.term(there.gap)}); [rewrite {equal}; fld|].")
                rules.sign(below, there)
            with out.block():
                inside = _known_there(out, at, x, inner, f"{between} {equal}", inside=False)
                rules.sign(defined(out, inside, condition.fact.gap), condition.fact)
        found = found.knowing(condition.fact, name)
    return found


def continuous(out: Script, at: Setting, f: Term, x: str) -> None:
    """The goal `continuous f x`."""
    out(f"exact {continuity_proof(defined(out, at, f), f, x)}.")


def derived(out: Script, at: Setting, f: Term, x: str, then: Term) -> None:
    """The goal `is_derive f x then`: by the rules, as the kernel writes the slope, and as the certificate does."""
    slope = derivative(f, x)
    at = defined(out, at, f, smooth=True)
    at = defined(out, at, slope, then)
    out(f"refine (slope_eq _ _ _ {derivative_proof(at, f, x)} _ _).")
    out("cbv beta; cbn [INR pred Nat.pred].")
    with out.block(f"transitivity {at.names.term(slope)}."):
        out("first [fld | unfold Rpower; fld].")
    equation(out, at.names, slope, then)


def primitives(rules: Prover, at: Setting, goal: Fact, proof: Proof) -> None:
    """Integrals and sums become differences of primitives."""
    out, values, laws = rules.out, dict[Term, Term](), []
    for text, primitive in proof["of"]:
        whole = at.context.read(text)
        name, low, high = whole.args[1:]
        summed = whole.op == "sum"
        forwards = summed or at.context.evident(high - low, False)
        way = at.context.within(whole) if forwards else at.context.with_variable(name, "real")
        F = way.read(primitive)
        at, law = telescoped(out, at, whole, F) if summed else _integral(out, at, whole, F, forwards)
        laws.append(law)
        values[whole] = substitute(F, {name: high + int(summed)}) - substitute(F, {name: low})
    instead = Fact(replaced(goal.gap, values), goal.op)
    at, sign = rules.have(at, instead, proof["proof"])
    at = defined(out, at, goal.gap)
    texts = at.names.term(goal.gap), at.names.term(instead.gap)
    with out.block(f"assert (Goal : {at.names.fact(goal)})."):
        out(f"apply (by_same_{KINDS[goal.op]} {texts[0]} {texts[1]}); [|exact {sign}].")
        out(f"rewrite {', '.join(laws)}; fld.")
    out("conditions.")


def _integral(out: Script, at: Setting, whole: Term, F: Term, forwards: bool) -> tuple[Setting, str]:
    """The integral is defined and is F(high) - F(low)."""
    body, name, low, high = whole.args
    inner = f"v_{name}"
    names = at.names.bound(name, inner)
    functions = [f"(fun {inner} => {names.term(f)})" for f in (F, body)]
    ends = [at.names.term(low), at.names.term(high)]
    order, both, exists, law, binder = (out.fresh(stem) for stem in "OIIIB")
    if forwards:
        with out.block(f"assert ({order} : 0 <= {at.names.term(high - low)})."):
            positive(out, at, high - low, False)
    value = f"{functions[0]} {ends[1]} - {functions[0]} {ends[0]}"
    arguments = " ".join(functions[1:] + ends)
    with out.block(f"assert ({both} : ex_RInt {arguments} /\\ RInt {arguments} = {value})."):
        out(f"apply (integral_by_primitive {' '.join(functions + ends)}).")
        with out.block():
            derived(out, _between(out, at, whole, inner, order if forwards else ""), F, name, body)
        continuous(out, _between(out, at, whole, inner, order if forwards else ""), body, name)
    out(f"destruct {both} as [{exists} {law}]; cbv beta in {law}.")
    condition = Condition(binder=whole)
    with out.block(f"assert ({binder} : {condition.text(at.names)})."):
        out(f"first [exact {exists} | split; [exact {exists}|]].")
        if _conditional(condition, at):
            inside = _between(out, at, whole, inner, order if forwards else "")
            defined(out, inside, body)
            out("conditions.")
    return replace(at, binders=at.binders | {whole}), law


def _conditional(condition: Condition, at: Setting) -> bool:
    return "->" in condition.text(at.names)


def _between(out: Script, at: Setting, whole: Term, inner: str, order: str) -> Setting:
    """A point on the way from the lower to the upper end."""
    name = whole.args[1]
    between, names = out.fresh("W"), at.names.bound(name, inner)
    out(f"intros {inner} {between}; cbv beta.")
    if not order:
        return replace(at, context=at.context.with_variable(name, "real"), names=names)
    context, facts = at.context.within(whole), list(at.facts)
    out(f"rewrite Rmin_left, Rmax_right in {between} by (clear -{order}; lra).")
    for fact in context.facts[len(facts) :]:
        facts.append(out.fresh("F"))
        out(f"assert ({facts[-1]} : {names.fact(fact)}) by (clear -{between}; lra).")
    return replace(at, context=context, names=names, facts=tuple(facts))
