"""Sums in Coq: one whose summand is F(k + 1) - F(k) telescopes."""

from __future__ import annotations

from dataclasses import replace

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.terms import Term, substitute, variable
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.formulas import Condition, conditions
from glbcheck.verify.coq.setting import Setting
from glbcheck.verify.coq.signs import defined, positive
from glbcheck.verify.coq.writing import Script

IN_REALS = "rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR"


def telescoped(out: Script, at: Setting, whole: Term, F: Term) -> tuple[Setting, str]:
    """The sum is defined and is F(high + 1) - F(low)."""
    body, name, low, high = whole.args
    inner = f"v_{name}"
    names = at.names.bound(name, inner, whole=True)
    functions = [f"(fun {inner} : Z => {names.term(f)})" for f in (body, F)]
    ends = [at.names.integer(low), at.names.integer(high)]
    order, real, law, binder = (out.fresh(stem) for stem in "OOIB")
    with out.block(f"assert ({real} : {at.names.fact(Fact(high - low + 1, '>='))})."):
        positive(out, at, high - low + 1, False)
    out(f"assert ({order} : ({ends[0]} <= {ends[1]} + 1)%Z) by (apply le_IZR; {IN_REALS}; clear -{real}; lra).")
    values = [substitute(F, {name: end}) for end in (high + 1, low)]
    with out.block(f"assert ({law} : {at.names.term(whole)} = {at.names.term(values[0] - values[1])})."):
        out(f"transitivity ({functions[1]} ({ends[1]} + 1)%Z - {functions[1]} {ends[0]}).")
        with out.block():
            out(f"apply (sum_by_primitive {' '.join(functions + ends)}); [exact {order}|].")
            after = substitute(F, {name: variable(name) + 1})
            inside = defined(out, _between(out, at, whole, inner), body, F, after)
            with out.block(f"transitivity {names.term(after - F)}."):
                out(f"{IN_REALS}; fld.")
            equation(out, inside.names, after - F, body)
        out(f"cbv beta; {IN_REALS}; fld.")
    with out.block(f"assert ({binder} : {Condition(binder=whole).text(at.names)})."):
        if conditions(body):
            out(f"split; [exact {order}|].")
            defined(out, _between(out, at, whole, inner), body)
            out("conditions.")
        else:
            out(f"exact {order}.")
    return replace(at, binders=at.binders | {whole}), law


def _between(out: Script, at: Setting, whole: Term, inner: str) -> Setting:
    """A whole number between the ends."""
    name, between = whole.args[1], out.fresh("W")
    names, context, facts = at.names.bound(name, inner, whole=True), at.context.within(whole), list(at.facts)
    first, last = out.fresh("W"), out.fresh("W")
    out(f"intros {inner} {between}; cbv beta; destruct {between} as [{first} {last}].")
    for side in (first, last):
        out(f"apply IZR_le in {side}; {IN_REALS} in {side}.")
    for fact in context.facts[len(facts) :]:
        facts.append(out.fresh("F"))
        out(f"assert ({facts[-1]} : {names.fact(fact)}) by (clear -{first} {last}; lra).")
    return replace(at, context=context, names=names, facts=tuple(facts))
