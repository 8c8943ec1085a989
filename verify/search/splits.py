"""Goals made smaller before they are proved: one case of a maximum at a time, constants by rational bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, evaluate
from glbcheck.core.kernel.rules import replaced
from glbcheck.core.kernel.terms import BINDERS, Term, number, show, term
from glbcheck.verify.certificate import EVIDENT, Proof

Prover = Callable[[Context, Fact], Proof | None]
DENOMINATOR, ROOM = 10**9, 4  # of the bounds of a constant, and how far they lie from it
MOST = 6  # cases or constants of one goal


def by_cases(context: Context, goal: Fact, algebra: Prover, prove: Prover) -> Proof | None:
    """A maximum, minimum or absolute value is what it is in each of two cases; there the goal is a simpler one."""
    chosen = next(_choices(goal.gap), None)
    if chosen is None or sum(1 for _ in _choices(goal.gap)) > MOST:
        return None
    split, below, above = _two_cases(chosen)
    sides = {}
    for side, fact, value in (("below", Fact(-split, ">="), below), ("above", Fact(split, ">"), above)):
        here = context.plus(fact)
        simpler = Fact(replaced(goal.gap, {chosen: value}), goal.op)
        by = prove(here, simpler)
        then = by and algebra(here.plus(simpler), goal)
        if not then:
            return None
        sides[side] = {"rule": "lemma", "relation": f"{show(simpler.gap)} {goal.op} 0", "by": by, "proof": then}
    return {"rule": "cases", "at": show(split), **sides}


def _choices(t: Term) -> Iterator[Term]:
    """Outermost choices that do not stand inside of a sum or an integral."""
    if t.op in ("max", "min", "abs"):
        yield t
    elif t.op not in BINDERS:
        for a in t.args:
            if isinstance(a, Term):
                yield from _choices(a)


def _two_cases(t: Term) -> tuple[Term, Term, Term]:
    """A term s, and what t is where s <= 0 and where s > 0."""
    if t.op == "abs":
        return t.args[0], -t.args[0], t.args[0]
    first, *rest = t.args
    other = rest[0] if len(rest) == 1 else term(t.op, *rest)
    smaller_first = (first, other) if t.op == "min" else (other, first)
    return first - other, *smaller_first


def without_choices(context: Context, goal: Fact, algebra: Prover, prove: Prover) -> Proof | None:
    """The goal from what hypotheses with a maximum, a minimum or an absolute value say about what stands in them."""
    more = list[tuple[Fact, Proof]]()
    for fact in context.facts:
        for chosen in _choices(fact.gap):
            for value in (chosen.args[0], -chosen.args[0]) if chosen.op == "abs" else chosen.args:
                plain = Fact(replaced(fact.gap, {chosen: value}), fact.op)
                by = None if plain in context.facts or len(more) == MOST else algebra(context, plain)
                if by:
                    more.append((plain, by))
                    context = context.plus(plain)
    proof = prove(context, goal) if more else None
    for fact, by in reversed(more):
        relation = f"{show(fact.gap)} {fact.op} 0"
        proof = proof and {"rule": "lemma", "relation": relation, "by": by, "proof": proof}
    return proof


def with_bounds(context: Context, goal: Fact, prove: Prover) -> Proof | None:
    """The goal from rational bounds of the constants in it, such as pi or log(2)."""
    constants = list(dict.fromkeys(_constants(goal.gap)))
    facts = [fact for t in constants for fact in _bounds(t)]
    if not facts or len(constants) > MOST or not all(context.evident(fact.gap, True) for fact in facts):
        return None
    proof = prove(context.plus(*facts), goal)
    for fact in reversed(facts):
        proof = proof and {"rule": "lemma", "relation": f"{show(fact.gap)} > 0", "by": EVIDENT, "proof": proof}
    return proof


def _constants(t: Term) -> Iterator[Term]:
    if not t.free and t.value is None and t.op in ("pi", "exp", "log", "sin", "cos", "erf", "atan"):
        yield t
    elif t.op not in BINDERS:
        for a in t.args:
            if isinstance(a, Term):
                yield from _constants(a)


def _bounds(t: Term) -> Iterator[Fact]:
    """Two numbers with a common denominator just below and just above the constant."""
    middle = int(float(evaluate(t, {}, BALLS).mid()) * DENOMINATOR)
    yield Fact(t - number(Fraction(middle - ROOM, DENOMINATOR)), ">")
    yield Fact(number(Fraction(middle + ROOM, DENOMINATOR)) - t, ">")
