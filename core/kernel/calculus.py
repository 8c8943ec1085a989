"""Rules for sums and integrals: telescoping, antiderivatives, induction on a whole number."""

from __future__ import annotations

from collections.abc import Mapping

from .context import Context, Fact
from .evaluate import unrolled
from .ring import same
from .rules import Audit, Proof, prove, read, require_defined, rule
from .terms import BINDERS, ONE, Rejected, Term, derivative, free, number, require, substitute, subterms, term, variable


@rule
def antiderivative(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Integrals become F(high) - F(low), where F' is the integrand and F is smooth on the whole way."""
    values = {}
    for text, primitive in proof["of"]:
        whole = read(text, context)
        body, name, low, high = whole.args
        forwards = context.evident(high - low, False)
        way = context.within(whole, "real") if forwards else context.with_variable(name, "real")
        F = read(primitive, way)
        require_defined(way, F, smooth=True)
        for f, where in ((body, way), (low, context), (high, context)):
            require_defined(where, f)
        require(whole.op == "integral" and same(derivative(F, name), body), f"{F} does not have slope {body}")
        values[whole] = substitute(F, {name: high}) - substitute(F, {name: low})
    prove(context, Fact(replaced(goal.gap, values), goal.op), proof["proof"], audit)


@rule
def telescoping(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Sums become F(high + 1) - F(low), where F(k + 1) - F(k) is the summand for every k in between."""
    values = {}
    for text, primitive in proof["of"]:
        whole = read(text, context)
        body, name, low, high = whole.args
        require_defined(context, whole)
        between = context.within(whole, "integer")
        F = read(primitive, between)
        after, first, last = (substitute(F, {name: at}) for at in (variable(name) + 1, low, high + 1))
        for f, where in ((F, between), (after, between), (first, context), (last, context)):
            require_defined(where, f)
        require(whole.op == "sum" and same(after - F, body), f"{body} is not the difference of {F}")
        values[whole] = last - first
    prove(context, Fact(replaced(goal.gap, values), goal.op), proof["proof"], audit)


@rule
def induction(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """A goal for every whole n >= start, whatever else is known of n: at start, and at n + 1 if at n."""
    n = proof["variable"]
    start = context.ranges[n].low
    if start is None or (n, "integer") not in context.kinds:
        raise Rejected(f"{n} is not a whole number with a smallest value")
    others = context.without(n)
    first = written_out(substitute(goal.gap, {n: number(start)}))
    prove(others, Fact(first, goal.op), proof["base"], audit)
    assumed = others.with_variable(n, "integer", Fact(variable(n) - start, ">="), goal)
    prove(assumed, Fact(peeled(goal.gap, n, assumed), goal.op), proof["step"], audit)


def peeled(gap: Term, n: str, context: Context) -> Term:
    """The gap at n + 1, with sum(body, k, low, high + 1) as sum(body, k, low, high) + body at high + 1."""
    step, values = {n: variable(n) + 1}, {}
    for t in subterms(gap):
        if t.op == "sum" and n in free(t):
            body, name, low, high = t.args
            later = substitute(high, step)
            grows = n not in free(body) | free(low) and same(later - high, ONE)
            require(grows and context.defined(t), f"{t} does not grow by its last term")
            values[substitute(t, step)] = t + substitute(body, {name: later})
    return replaced(substitute(gap, step), values)


def written_out(gap: Term) -> Term:
    """Sums between numbers replaced by their terms."""
    values = {}
    for t in subterms(gap):
        if t.op == "sum" and not free(t.args[2]) | free(t.args[3]):
            values[t] = unrolled(t)
    return replaced(gap, values)


def replaced(t: Term, values: Mapping[Term, Term]) -> Term:
    """The term with these subterms replaced, but not inside the body of a sum or an integral."""
    known: dict[Term, Term] = dict(values)

    def walk(here: Term) -> Term:
        if here not in known:
            kept = here.args[:1] if here.op in BINDERS else ()
            rest = here.args[len(kept) :]
            known[here] = term(here.op, *kept, *(walk(a) if isinstance(a, Term) else a for a in rest))
        return known[here]

    return walk(t)
