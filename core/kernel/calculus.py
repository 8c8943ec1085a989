"""Rules for sums and integrals: telescoping, antiderivatives, induction on a whole number."""

from __future__ import annotations

from collections.abc import Mapping

from .context import Context, Fact
from .evaluate import Undefined, exact, unrolled
from .ring import same
from .rules import Audit, Proof, prove, read, require_defined, rule
from .terms import (
    ONE,
    Rejected,
    Term,
    add,
    derivative,
    free,
    number,
    require,
    sub,
    substitute,
    subterms,
    term,
    variable,
)


@rule
def antiderivative(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Integrals are replaced by F(high) - F(low), where F' is the integrand and F is smooth on the whole way."""
    values = {}
    for text, primitive in proof["of"]:
        integral = _inside(goal.gap, text, context, "integral")
        body, name, low, high = integral.args
        t = variable(name)
        forwards = context.evident(sub(high, low), False)
        ends = (Fact(sub(t, low), ">="), Fact(sub(high, t), ">=")) if forwards else ()
        way = context.with_variable(name, "real", *ends)
        F = read(primitive, context, **{name: t})
        require_defined(way, F, smooth=True)
        require_defined(way, body)
        require_defined(context, low)
        require_defined(context, high)
        require(same(derivative(F, name), body), f"the derivative of {F} is not {body}")
        values[integral] = sub(substitute(F, {name: high}), substitute(F, {name: low}))
    prove(context, Fact(replaced(goal.gap, values), goal.op), proof["proof"], audit)


@rule
def telescoping(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Sums are replaced by F(high + 1) - F(low), where F(k + 1) - F(k) is the summand for every k in between."""
    values = {}
    for text, primitive in proof["of"]:
        total = _inside(goal.gap, text, context, "sum")
        body, name, low, high = total.args
        require_defined(context, total)
        k = variable(name)
        between = context.within(total, "integer")
        if between is None:
            raise Rejected(f"{name} is bound in {total} and a variable")
        F = read(primitive, context, **{name: k})
        after, first, last = (substitute(F, {name: at}) for at in (add(k, ONE), low, add(high, ONE)))
        for f, where in ((F, between), (after, between), (first, context), (last, context)):
            require_defined(where, f)
        require(same(sub(after, F), body), f"{body} is not the difference of {F}")
        values[total] = sub(last, first)
    prove(context, Fact(replaced(goal.gap, values), goal.op), proof["proof"], audit)


@rule
def induction(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """A goal for every whole n >= start: at start, and at n + 1 if at n.  Sums up to n + 1 lose their last term."""
    n = proof["variable"]
    require(dict(context.kinds).get(n) == "integer", f"{n} is not declared as a whole number")
    start = context.ranges[n].low
    if start is None:
        raise Rejected(f"{n} has no smallest value")
    only = Context(context.kinds, context.functions, context.without(n).given)
    require(context.ranges[n].high is None, f"{n} is bounded above")
    floor = Fact(sub(variable(n), number(start)), ">=")
    # The goal is proved for every n >= start, whatever else is known of n: a stronger statement.
    at_start = written_out(substitute(goal.gap, {n: number(start)}))
    prove(only.without(n), Fact(at_start, goal.op), proof["base"], audit)
    assumed = only.plus(floor, goal)
    later = peeled(goal.gap, n, assumed)
    prove(assumed, Fact(later, goal.op), proof["step"], audit)


def peeled(gap: Term, n: str, context: Context) -> Term:
    """The gap at n + 1, where sum(body, k, low, high + 1) is written sum(body, k, low, high) + body at high + 1."""
    x = variable(n)
    values = {}
    for t in subterms(gap):
        if t.op == "sum" and n in free(t):
            body, name, low, high = t.args
            later = substitute(high, {n: add(x, ONE)})
            steps = n not in free(body) | free(low) and same(sub(later, high), ONE)
            require(steps and context.defined(t), f"{t} does not grow by its last term")
            values[substitute(t, {n: add(x, ONE)})] = add(t, substitute(body, {name: later}))
    return replaced(substitute(gap, {n: add(x, ONE)}), values)


def written_out(gap: Term) -> Term:
    """Sums between written numbers replaced by their terms."""
    values = {}
    for t in subterms(gap):
        if t.op == "sum" and not free(t.args[2]) | free(t.args[3]):
            try:
                low, high = exact(t.args[2]), exact(t.args[3])
            except Undefined:
                continue
            values[t] = unrolled(term("sum", t.args[0], t.args[1], number(low), number(high)))
    return replaced(gap, values)


def replaced(t: Term, values: Mapping[Term, Term]) -> Term:
    """The term with these subterms replaced; what is replaced is never inside the range of a bound name."""
    known: dict[Term, Term] = dict(values)

    def walk(here: Term) -> Term:
        if here not in known:
            bound = here.op in ("sum", "integral")
            parts = [
                a if not isinstance(a, Term) or (bound and i == 0) else walk(a)
                for i, a in enumerate(here.args)
            ]
            known[here] = term(here.op, *parts)
        return known[here]

    return walk(t)


def _inside(gap: Term, text: str, context: Context, op: str) -> Term:
    found = read(text, context)
    require(found.op == op and any(t is found for t in subterms(gap)), f"{text} does not occur in the goal")
    return found
