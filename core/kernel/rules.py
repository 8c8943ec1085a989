"""The rules of proof: each reduces a goal to simpler ones, down to signs that are evident.

A goal is a fact: gap >= 0, > 0, == 0 or != 0.  `prove` accepts a proof of it in silence, and then the gap is
defined and the fact true at every point of the context; or it raises `Rejected`.  A proof is plain data, a
mapping with the name of its rule; `docs/certificates.md` says what each rule holds and why it is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .context import Context, Fact
from .ring import is_zero, same
from .terms import (
    ONE,
    Rejected,
    Term,
    derivative,
    free,
    joined,
    number,
    parse,
    parse_relation,
    require,
    substitute,
    term,
    variable,
)

Proof = Mapping[str, Any]


@dataclass
class Audit:
    """What a proof rests on besides exact arithmetic, gathered while it is checked."""

    rests_on: set[str] = field(default_factory=set)
    oracle: Callable[[Context, Fact], str] | None = None  # decides what the kernel cannot, and says who did


Rule = Callable[[Context, Fact, Proof, Audit], None]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    RULES[function.__name__] = function
    return function


def prove(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    name = proof.get("rule") if isinstance(proof, Mapping) else None
    require(isinstance(name, str) and name in RULES, f"there is no rule {name!r}")
    RULES[str(name)](context, goal, proof, audit)


def read(text: Any, context: Context, **more: Term) -> Term:
    return parse(text, {**context.names, **more}, context.functions)


def fact(text: Any, context: Context) -> Fact:
    return Fact.of(*parse_relation(text, context.names, context.functions))


def fraction(text: Any) -> Fraction:
    value = parse(text, {}).value
    if value is None:
        raise Rejected(f"{text!r} is not an exact number")
    return value


def require_defined(context: Context, f: Term, smooth: bool = False) -> None:
    require(context.defined(f, smooth), f"{f} is not seen to be {'smooth' if smooth else 'defined'} here")


def require_positive(context: Context, f: Term) -> None:
    require(context.defined(f) and context.evident(f, True), f"{f} is not evidently positive")


def is_strict(goal: Fact) -> bool:
    """Is the goal > and not >=?  The question refuses every goal that is no inequality."""
    require(goal.op in (">", ">="), f"this rule is about inequalities, not {goal.op}")
    return goal.op == ">"


# --- leaves -----------------------------------------------------------------------------------------------


@rule
def evident(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The sign is evident from the form of the gap."""
    require_defined(context, goal.gap)
    nonzero = goal.op == "!=" and context.nonzero(goal.gap)
    require(nonzero or context.evident(goal.gap, is_strict(goal)), f"{goal.gap} {goal.op} 0 is not evident")


@rule
def identity(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The normal form of the gap is 0."""
    require(goal.op in ("==", ">="), f"an identity does not give {goal.op}")
    require_defined(context, goal.gap)
    require(is_zero(goal.gap), f"the normal form of {goal.gap} is not 0")


@rule
def engines(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Others decide; who they are is recorded, and the kernel vouches for nothing."""
    if audit.oracle is None:
        raise Rejected("this rests on engines that the kernel does not contain")
    audit.rests_on.add(audit.oracle(context, goal))


# --- structure --------------------------------------------------------------------------------------------


@rule
def both(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """gap == 0 from gap >= 0 and -gap >= 0."""
    require(goal.op == "==", "both sides are for an equation")
    prove(context, Fact(goal.gap, ">="), proof["above"], audit)
    prove(context, Fact(-goal.gap, ">="), proof["below"], audit)


@rule
def lemma(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """A relation is proved first and then known."""
    first = fact(proof["relation"], context)
    prove(context, first, proof["by"], audit)
    prove(context.knowing(first), goal, proof["proof"], audit)


@rule
def cases(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """Once where a term is <= 0 and once where it is > 0."""
    split = read(proof["at"], context)
    require_defined(context, split)
    prove(context.plus(Fact(-split, ">=")), goal, proof["below"], audit)
    prove(context.plus(Fact(split, ">")), goal, proof["above"], audit)


@rule
def pinned(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """A variable whose range is one point is replaced by it."""
    fixed = {n: number(r.low) for n, r in context.ranges.items() if r.low is not None and r.low == r.high}
    for name in fixed:
        context = context.without(name)
    prove(context, Fact(substitute(goal.gap, fixed), goal.op), proof["proof"], audit)


@rule
def times(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """then = factor * gap for an evidently positive factor, and then has the sign."""
    factor, then = read(proof.get("factor", "1"), context), read(proof["then"], context)
    require_defined(context, goal.gap)
    require_positive(context, factor)
    require(same(factor * goal.gap, then), f"{then} is not {factor} times {goal.gap}")
    prove(context, Fact(then, goal.op), proof["proof"], audit)


@rule
def substitution(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """x = value(t) with t = inverse(x), of which the listed facts evidently hold."""
    old, new = proof["variable"], proof["new"]
    value, inverse = read(proof["value"], context, **{new: variable(new)}), read(proof["inverse"], context)
    require(new not in context.names and old in context.names and old not in free(value), f"{old} = {value}?")
    require_defined(context, inverse)
    require(same(substitute(value, {new: inverse}), variable(old)), f"{inverse} does not undo {value}")
    inside = context.without(old).with_variable(new, "real")
    facts = [fact(text, inside) for text in proof["facts"]]
    for known in facts:
        evident(context, Fact(substitute(known.gap, {new: inverse}), known.op), {}, audit)
    inside = inside.plus(*facts)
    require_defined(inside, value)
    moved = [Fact(substitute(f.gap, {old: value}), f.op) for f in context.given if old in free(f.gap)]
    prove(inside.plus(*moved), Fact(substitute(goal.gap, {old: value}), goal.op), proof["proof"], audit)


# --- calculus ---------------------------------------------------------------------------------------------


@rule
def monotone(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The sign holds at one end of the range of a variable, and the gap does not fall on the way from there.

    A strict goal needs a positive start, or a start that does not belong to the range and a positive slope.
    """
    strict, x, low_side = is_strict(goal), proof["variable"], {"low": True, "high": False}[proof["from"]]
    r = context.ranges[x]
    start, left_out = (r.low, r.low_open) if low_side else (r.high, r.high_open)
    if start is None:
        raise Rejected(f"{x} has no end on the {proof['from']} side")
    positive_start = strict and proof.get("start") == "positive"
    require(not strict or positive_start or left_out, f"{x} = {start} belongs to the range of a strict goal")
    inside = context.interval(x, inner=True)
    require_defined(context.interval(x), goal.gap)
    require_defined(inside, goal.gap, smooth=True)
    at_start = Fact(substitute(goal.gap, {x: number(start)}), ">" if positive_start else ">=")
    prove(context.without(x), at_start, proof["at"], audit)
    slope, then = derivative(goal.gap, x), read(proof["then"], context)
    require_defined(inside, then)
    require(same(slope if low_side else -slope, then), f"{then} is not the slope of {goal.gap}")
    prove(inside, Fact(then, ">" if strict and not positive_start else ">="), proof["proof"], audit)


@rule
def exponentiate(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """gap = sum of c log(u) with whole c has the sign of prod_(c > 0) u**c - prod_(c < 0) u**-c."""
    is_strict(goal)
    terms = [(int(c), read(u, context)) for c, u in proof["terms"]]
    for _, u in terms:
        require_positive(context, u)
    require_defined(context, goal.gap)
    require(same(joined("+", [term("log", u) * c for c, u in terms]), goal.gap), f"{goal.gap} is another sum")
    above, below = (joined("*", [ONE, *(u ** (s * c) for c, u in terms if s * c > 0)]) for s in (1, -1))
    then = read(proof["then"], context)
    require_defined(context, then)
    require(same(above - below, then), f"{then} is not the difference of the products")
    prove(context, Fact(then, goal.op), proof["proof"], audit)
