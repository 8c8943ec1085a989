"""Ways to prove a goal, cheap ones first, each a proof in the kernel's rules; nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

import sympy as sp
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import unrolled
from glbcheck.core.kernel.language import parse as read_term
from glbcheck.core.kernel.rules import Rules, replaced
from glbcheck.core.kernel.terms import Rejected, Term, joined, number, show, substitute, subterms, term, variable
from glbcheck.verify.certificate import EVIDENT, Proof
from glbcheck.verify.search import splits
from glbcheck.verify.search.formulas import text
from glbcheck.verify.search.polynomial_facts import opaque, sum_of
from glbcheck.verify.search.positivstellensatz import multipliers
from glbcheck.verify.search.side_conditions import with_side_conditions
from glbcheck.verify.search.unbounded import CELLS, Search


def proofs(context: Context, goal: Fact, by: Sequence[str] = (), cells: int = CELLS) -> Iterator[tuple[str, Proof]]:
    """Proofs that may do, with the name of what found them; the last leaves the question to solvers."""
    for name in by or TACTICS:
        try:
            proof = sign(context, goal, cells) if name == "signs" else TACTICS[name](context, goal)
        except (Rejected, ExpressionError, RecursionError, NotImplementedError, TypeError, ValueError):
            proof = None
        if proof is not None:
            yield name, proof


def proof_of(context: Context, goal: Fact) -> Proof | None:
    """The first proof that some tactic but the solvers finds."""
    return next((proof for name, proof in proofs(context, goal) if name != "engines"), None)


# --- one goal -------------------------------------------------------------------------------------------------


def evident(context: Context, goal: Fact) -> Proof | None:
    """Equal by normal forms, or of a sign that the kernel sees."""
    Rules().prove(context, goal, EVIDENT)
    return EVIDENT


def quick_algebra(context: Context, goal: Fact) -> Proof | None:
    """Multipliers that are found at first sight, from the facts that are algebraic."""
    return algebra(context, goal, quick=True)


def algebra(context: Context, goal: Fact, quick: bool = False) -> Proof | None:
    """Multipliers, from the facts that are algebraic."""
    return None if any(opaque(goal.gap)) else _multipliers(context, goal, quick=quick)


def named_algebra(context: Context, goal: Fact) -> Proof | None:
    """Multipliers from all facts, with a name for everything that is not algebraic."""
    some = any(True for f in (*context.facts, goal) for _ in opaque(f.gap))
    alone = goal.op == "==" and not context.facts  # no multiplier can help; normal forms were asked before
    return _multipliers(context, goal, everything=True) if some and not alone else None


def _multipliers(context: Context, goal: Fact, everything: bool = False, quick: bool = False) -> Proof | None:
    def found(context: Context, goal: Fact) -> Proof | None:
        with suppress(Rejected):
            return evident(context, goal)
        chosen = [i for i, f in enumerate(context.facts) if everything or not any(opaque(f.gap))]
        if goal.op != "==":
            return multipliers(context, goal, chosen, quick)
        above = multipliers(context, Fact(goal.gap, ">="), chosen, quick)
        below = above and multipliers(context, Fact(-goal.gap, ">="), chosen, quick)
        return below and {"rule": "both", "above": above, "below": below}

    return with_side_conditions(context, goal, found, found)


def sign(context: Context, goal: Fact, cells: int = CELLS) -> Proof | None:
    """Ladders, cells and changes of variable; an equation is two inequalities."""
    if goal.op == "==":
        above, below = (sign(context, Fact(gap, ">="), cells) for gap in (goal.gap, -goal.gap))
        return {"rule": "both", "above": above, "below": below} if above and below else None
    if goal.op == "!=":
        for gap in (goal.gap, -goal.gap):
            if by := sign(context, Fact(gap, ">"), cells):
                return {"rule": "lemma", "relation": f"{show(gap)} > 0", "by": by, "proof": EVIDENT}
        return EVIDENT if context.nonzero(goal.gap) else None
    return Search(cells).sign(context, goal) or merged_logarithms(context, goal)


def merged_logarithms(context: Context, goal: Fact) -> Proof | None:
    """Logarithms whose coefficients are whole numbers as one logarithm, of the product."""
    parts = list(spread(goal.gap, Fraction(1)))
    logs = [(int(c), t.args[0]) for t, c in parts if t.op == "log" and c.denominator == 1]
    if len(logs) < 2:
        return None
    for _, u in logs:
        if not context.evident(u, True):  # first a lemma that it is positive
            positive = algebra(context, Fact(u, ">"))
            proof = positive and merged_logarithms(context.plus(Fact(u, ">")), goal)
            return proof and {"rule": "lemma", "relation": f"{show(u)} > 0", "by": positive, "proof": proof}
    rest = [t * c for t, c in parts if t.op != "log" or c.denominator > 1]
    if not any(t.value != 0 for t in rest):
        return _exponentiated(context, goal.op, logs)
    whole = joined("*", [number(1), *(u**c for c, u in logs)])
    split = joined("+", [term("log", u) * c for c, u in logs])
    equal, then = Fact(split - term("log", whole), "=="), Fact(joined("+", [*rest, term("log", whole)]), goal.op)
    by = Search(CELLS).sign(context, then)
    if by is None:
        return None
    powers = (*logs, (-1, whole))
    sides = {side: _exponentiated(context, ">=", [(s * c, u) for c, u in powers]) for side, s in SIDES.items()}
    count = len(context.facts)
    last = sum_of(context.plus(equal).plus(then), goal, (count + 1,), ((count, 1),))
    second = {"rule": "lemma", "relation": f"{show(then.gap)} {then.op} 0", "by": by, "proof": last}
    return {"rule": "lemma", "relation": f"{show(equal.gap)} == 0", "by": {"rule": "both", **sides}, "proof": second}


SIDES = {"above": 1, "below": -1}


def _exponentiated(context: Context, op: str, logs: Sequence[tuple[int, Term]]) -> Proof | None:
    """A sum of logarithms by the difference of two products."""
    above, below = (joined("*", [number(1), *(u ** (s * c) for c, u in logs if s * c > 0)]) for s in (1, -1))
    then = Fact(above - below, op)
    proof = algebra(context, then) or Search(CELLS).sign(context, then)
    listed = [[c, show(u)] for c, u in logs]
    return proof and {"rule": "exponentiate", "terms": listed, "then": show(then.gap), "proof": proof}


def spread(t: Term, c: Fraction) -> Iterator[tuple[Term, Fraction]]:
    """The terms of a sum with their coefficients, sums inside of it opened."""
    factors = t.args if t.op == "*" else (t,)
    rest = [a for a in factors if a.value is None]
    for a in factors:
        c *= a.value if a.value is not None else 1
    if len(rest) == 1 and rest[0].op == "+":
        for part in rest[0].args:
            yield from spread(part, c)
    else:
        yield joined("*", [number(1), *rest]), c


# --- sums and integrals ---------------------------------------------------------------------------------------


def _outermost(t: Term, op: str) -> Iterator[Term]:
    if t.op == op:
        yield t
    else:
        for a in t.parts:
            yield from _outermost(a, op)


def closed_forms(context: Context, goal: Fact) -> Proof | None:
    """Sums and integrals in closed form, then the rest."""
    for op in ("integral", "sum"):
        found = {}
        for t in set(_outermost(goal.gap, op)):
            primitive = _primitive(context, t)
            if primitive is not None:
                _, name, low, high = t.args
                last = high + 1 if op == "sum" else high
                ends = (substitute(primitive, {name: end}) for end in (last, low))
                found[t] = show(primitive), next(ends) - next(ends)
        if found:
            then = Fact(replaced(goal.gap, {t: value for t, (_, value) in found.items()}), goal.op)
            rest = proof_of(context, then)
            return rest and {"rule": "primitive", "of": [[show(t), of] for t, (of, _) in found.items()], "proof": rest}
    return None


def _primitive(context: Context, t: Term) -> Term | None:
    """F with F' the integrand, or with F(k + 1) - F(k) the summand, if SymPy knows one."""
    body, name, low, _ = t.args
    if t.op == "integral" and any(s.op == "function" and name in s.free for s in subterms(body)):
        return by_parts(body, name)
    symbols = {n: sp.Symbol(n, positive=True) if _positive(context, n) else sp.Symbol(n, real=True) for n in t.free}
    x = sp.Symbol(name, real=True, **({"integer": True} if t.op == "sum" else {}))
    f, start = parse(show(body), {**symbols, name: x}), parse(show(low), symbols)
    if t.op == "integral":
        found = sp.integrate(f, x)
    else:
        end = sp.Symbol(f"{name}_end", integer=True)
        found = sp.simplify(sp.summation(f, (x, start, end)).subs(end, x - 1))
    if isinstance(found, sp.Piecewise):
        found = found.args[-1].expr  # the generic case; whether it holds here is the kernel's question
    if found.has(sp.Integral, sp.Sum, sp.Piecewise, sp.zoo, sp.nan, sp.I):
        return None
    return read_term(text(found), {n: variable(n) for n in (*symbols, name)}, context.functions)


def by_parts(body: Term, name: str) -> Term | None:
    """A primitive of sums of c(x) m^(k)(p(x)), with p linear and c polynomial in x.

    It is the sum over i of (-1)^i c^(i) m^(k-1-i)(p) / p'^(i+1), so Taylor's remainders are among them.
    """
    x, parts = sp.Symbol(name, real=True), list[Term]()
    values = [s for s in subterms(body) if s.op == "function" and name in s.free]
    marks = {s: variable(f"_{i}") for i, s in enumerate(values)}
    names = {n: sp.Symbol(n, real=True) for n in (*body.free, *(mark.args[0] for mark in marks.values()))}
    whole = sp.expand(parse(show(replaced(body, dict(marks))), names))
    for value, mark in marks.items():
        m, order, path = value.args
        c = whole.coeff(names[mark.args[0]])
        whole -= sp.expand(c * names[mark.args[0]])
        slope = sp.diff(parse(show(path), names), x)
        while c != 0:
            c = sp.cancel(c / slope)
            order -= 1
            if order < 0 or slope.has(x) or not c.is_polynomial(x):
                return None
            parts.append(read_term(text(c), {n: variable(n) for n in body.free}) * term("function", m, order, path))
            c = -sp.diff(c, x)
    return joined("+", parts) if parts and whole == 0 else None


def _positive(context: Context, name: str) -> bool:
    return name in context.names and context.evident(variable(name), True)


def induction(context: Context, goal: Fact) -> Proof | None:
    """On a whole number that is the upper end of a sum; the step by what one round adds."""
    for n, kind in context.kinds:
        start = context.ranges[n].low
        sums = [t for t in subterms(goal.gap) if t.op == "sum" and n in t.args[3].free]
        if kind != "integer" or start is None or not sums:
            continue
        others = context.without(n)
        first = substitute(goal.gap, {n: number(start)})
        closed = {t: unrolled(t) for t in subterms(first) if t.op == "sum" and not t.args[2].free | t.args[3].free}
        then = replaced(first, closed)
        base = proof_of(others, Fact(then, goal.op))
        if base is None:
            continue
        assumed = others.with_variable(n, "integer", Fact(variable(n) - start, ">="), goal)
        later = Fact(_at_next(goal.gap, n), goal.op)
        step = algebra(assumed, later) or _increment(assumed, goal, later)
        if step is not None:
            written_out = {"rule": "times", "then": show(then), "proof": base}
            return {"rule": "induction", "variable": n, "base": written_out, "step": step}
    return None


def _at_next(gap: Term, n: str) -> Term:
    """The gap at n + 1, the last term of each sum by itself."""
    step, peeled = {n: variable(n) + 1}, dict[Term, Term]()
    for t in subterms(gap):
        if t.op == "sum" and n in t.free:
            body, name, _, high = t.args
            peeled[substitute(t, step)] = t + substitute(body, {name: substitute(high, step)})
    return replaced(substitute(gap, step), peeled)


def _increment(assumed: Context, goal: Fact, later: Fact) -> Proof | None:
    """The gap at n + 1 is that at n and what is added, which has the sign by itself."""
    parts: dict[Term, Fraction] = {}
    for t, c in (*spread(later.gap, Fraction(1)), *spread(goal.gap, Fraction(-1))):
        parts[t] = parts.get(t, Fraction(0)) + c
    more = Fact(joined("+", [t * c for t, c in parts.items() if c] or [number(0)]), ">=")
    by = algebra(assumed, more) or sign(assumed, more)
    if by is None:
        return None
    step = sum_of(assumed.plus(more), later, (assumed.facts.index(goal), len(assumed.facts)))
    return {"rule": "lemma", "relation": f"{show(more.gap)} >= 0", "by": by, "proof": step}


def cases(context: Context, goal: Fact) -> Proof | None:
    return splits.by_cases(context, goal, named_algebra, proof_of)


def plain_hypotheses(context: Context, goal: Fact) -> Proof | None:
    return splits.without_choices(context, goal, algebra, proof_of)


def constants(context: Context, goal: Fact) -> Proof | None:
    return splits.with_bounds(context, goal, named_algebra)


def solvers(context: Context, goal: Fact) -> Proof | None:
    return {"rule": "engines"}


TACTICS = {
    "evident": evident, "quick-algebra": quick_algebra, "closed-forms": closed_forms, "induction": induction,
    "algebra": algebra, "signs": sign, "constants": constants, "cases": cases, "hypotheses": plain_hypotheses,
    "names": named_algebra, "engines": solvers,
}  # fmt: skip
AT_ONCE, LAST = ("evident",), ("engines",)
SLOW = ("signs", "constants", "cases", "hypotheses", "names")
