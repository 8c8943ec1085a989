"""Ways to prove a goal, cheap ones first, each a proof in the kernel's rules; nothing here is trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import unrolled
from glbcheck.core.kernel.language import parse as read_term
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.rules import replaced
from glbcheck.core.kernel.terms import Rejected, Term, joined, number, show, substitute, subterms, term, variable
from glbcheck.verify.certificate import EVIDENT, Proof
from glbcheck.verify.search import contradiction, splits
from glbcheck.verify.search.atoms import folded, spread, sum_of
from glbcheck.verify.search.formulas import text
from glbcheck.verify.search.tails import Search, times

CELLS = 20_000
OPAQUE = ("sum", "integral", "log", "function", "pi", "sin", "cos", "erf", "atan")


def proofs(context: Context, goal: Fact, by: Sequence[str] = ()) -> Iterator[tuple[str, Proof]]:
    """Proofs that may do, with the name of what found them; the last leaves the question to engines."""
    for name in by or TACTICS:
        try:
            proof = TACTICS[name](context, goal)
        except (Rejected, ExpressionError, RecursionError, NotImplementedError, TypeError, ValueError):
            proof = None
        if proof is not None:
            yield name, proof


def proof_of(context: Context, goal: Fact) -> Proof | None:
    """The first proof that some tactic but the engines finds."""
    return next((proof for name, proof in proofs(context, goal) if name != "engines"), None)


# --- one goal -------------------------------------------------------------------------------------------------


def identity(context: Context, goal: Fact) -> Proof | None:
    return EVIDENT if goal.op in ("==", ">=") and is_zero(goal.gap) else None


def algebra(context: Context, goal: Fact) -> Proof | None:
    """Multipliers, from the facts that are algebraic."""
    facts = context.facts
    plain = [i for i, f in enumerate(facts) if not any(_outermost(f.gap, OPAQUE))]
    return None if any(_outermost(goal.gap, OPAQUE)) else _from_chosen(context, goal, plain)


def named_algebra(context: Context, goal: Fact) -> Proof | None:
    """Multipliers from all facts, with a name for everything that is not algebraic."""
    if not any(True for f in (*context.facts, goal) for _ in _outermost(f.gap, OPAQUE)):
        return None  # `algebra` was that already
    return _from_chosen(context, goal, range(len(context.facts)))


def _from_chosen(context: Context, goal: Fact, chosen: Sequence[int]) -> Proof | None:
    found = _multipliers(context, [context.facts[i] for i in chosen], goal)
    return dict(renumbered(found, chosen, len(context.facts))) if found else None


def _multipliers(context: Context, facts: Sequence[Fact], goal: Fact) -> Proof | None:
    inside = {t for f in (*facts, goal) for t in _outermost(f.gap, OPAQUE)}
    names = {t: f"_{i}" for i, t in enumerate(sorted(inside, key=lambda t: (t.depth, show(t))), 1001)}
    terms = {t: variable(name) for t, name in names.items()}
    texts = [f"{show(replaced(f.gap, terms))} {f.op} 0" for f in (*facts, goal)]
    found = contradiction.find(texts[:-1], texts[-1], [*context.names, *names.values()])
    return None if found is None else dict(_named(found, {name: show(t) for t, name in names.items()}))


def renumbered(proof: Any, chosen: Sequence[int], total: int) -> Any:
    """The proof from chosen facts as one from all of them."""

    def place(i: int) -> int:
        return chosen[i] if i < len(chosen) else i - len(chosen) + total

    if isinstance(proof, Mapping):
        changed = {key: renumbered(value, chosen, total) for key, value in proof.items()}
        if "facts" in proof and "coefficient" in proof:
            changed["facts"] = [place(i) for i in proof["facts"]]
        if "fact" in proof and "times" in proof:
            changed["fact"] = place(proof["fact"])
        return changed
    return [renumbered(part, chosen, total) for part in proof] if isinstance(proof, list) else proof


def _named(proof: Any, names: Mapping[str, str]) -> Any:
    """The proof with these atoms declared where it is algebra, and written out where it is not."""
    if not isinstance(proof, Mapping):
        return proof
    if proof.get("rule") == "algebra":
        return {**proof, "atoms": [*map(list, names.items()), *proof["atoms"]]} if names else proof
    spelled = {key: _named(value, names) for key, value in proof.items()}
    if "relation" in spelled:
        for name, stands_for in names.items():
            spelled["relation"] = re.sub(rf"\b{name}\b", f"({stands_for})", spelled["relation"])
    return spelled


def _outermost(t: Term, ops: tuple[str, ...]) -> Iterator[Term]:
    if t.op in ops:
        yield t
    else:
        for a in t.args:
            if isinstance(a, Term):
                yield from _outermost(a, ops)


def sign(context: Context, goal: Fact) -> Proof | None:
    """Ladders, cells and changes of variable; an equation is two inequalities."""
    if goal.op == "==":
        above, below = (sign(context, Fact(gap, ">=")) for gap in (goal.gap, -goal.gap))
        return {"rule": "both", "above": above, "below": below} if above and below else None
    if goal.op == "!=":
        for gap in (goal.gap, -goal.gap):
            if by := sign(context, Fact(gap, ">")):
                return {"rule": "lemma", "relation": f"{show(gap)} > 0", "by": by, "proof": EVIDENT}
        return EVIDENT if context.nonzero(goal.gap) else None
    return Search(CELLS).sign(context, goal) or merged_logarithms(context, goal)


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
    proof = identity(context, then) or algebra(context, then) or Search(CELLS).sign(context, then)
    listed = [[c, show(u)] for c, u in logs]
    return proof and {"rule": "exponentiate", "terms": listed, "then": show(then.gap), "proof": proof}


# --- sums and integrals ---------------------------------------------------------------------------------------


def closed_forms(context: Context, goal: Fact) -> Proof | None:
    """Sums and integrals in closed form, then the rest."""
    for op in ("integral", "sum"):
        found = {}
        for t in set(_outermost(goal.gap, (op,))):
            primitive = _primitive(context, t)
            if primitive is not None:
                _, name, low, high = t.args
                last = high + 1 if op == "sum" else high
                ends = (substitute(primitive, {name: end}) for end in (last, low))
                found[t] = show(primitive), next(ends) - next(ends)
        if found:
            then = Fact(replaced(goal.gap, {t: value for t, (_, value) in found.items()}), goal.op)
            plain = folded(then.gap)
            rest = proof_of(context, Fact(plain, goal.op))
            rest = rest and times(then.gap, number(1), plain, rest)
            return rest and {"rule": "primitive", "of": [[show(t), of] for t, (of, _) in found.items()], "proof": rest}
    return None


def _primitive(context: Context, t: Term) -> Term | None:
    """F with F' the integrand, or with F(k + 1) - F(k) the summand, if SymPy knows one."""
    body, name, low, _ = t.args
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


def engines(context: Context, goal: Fact) -> Proof | None:
    return {"rule": "engines"}


TACTICS = {
    "identity": identity, "algebra": algebra, "closed-forms": closed_forms, "induction": induction, "signs": sign,
    "constants": constants, "cases": cases, "hypotheses": plain_hypotheses, "names": named_algebra,
    "engines": engines,
}  # fmt: skip
AT_ONCE, SEARCHED = ("identity",), tuple(TACTICS)[1:]
