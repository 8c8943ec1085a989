"""Certificates, from the side of those who find them: how one is put together, and what the kernel says of it.

A prover never states a verdict: it hands a certificate to `evidence_for`, and the word is the kernel's.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from glbcheck.core.kernel.check import FORMAT, Accepted, Oracle, at_point, check, read_statement, truth
from glbcheck.core.kernel.context import Context
from glbcheck.core.kernel.language import derivative, parse, parse_relation
from glbcheck.core.kernel.ring import rational
from glbcheck.core.kernel.terms import Rejected, Term, number, show, substitute, subterms, variable
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.screen import Screen

Certificate = dict[str, Any]
Proof = Mapping[str, Any]
EVIDENT: Proof = {"rule": "evident"}
# Short numbers in general position: a formula that is undefined or equal at one of them is rarely so at the next.
TRIAL = [Fraction(*pair) for pair in ((2, 1), (1, 2), (3, 1), (1, 3), (5, 2), (-1, 2), (1, 1), (-2, 1), (-3, 1))]


def accepted(certificate: Mapping[str, Any], oracle: Oracle | None = None) -> Accepted:
    """What the kernel says of the certificate as it would stand in a file; `Rejected` if it does not stand."""
    return check(json.loads(json.dumps(certificate, allow_nan=False), parse_float=_refuse), oracle)


def _refuse(text: str) -> Any:
    raise Rejected(f"the number {text} is not exact")


def statement_data(statement: Statement, variables: Mapping[str, str] | Iterable[str]) -> dict[str, Any]:
    """A statement as the kernel reads it; plain names are real variables."""
    kinds = dict(variables) if isinstance(variables, Mapping) else dict.fromkeys(variables, "real")
    data: dict[str, Any] = {"variables": kinds}
    if statement.definitions:
        data["definitions"] = dict(statement.definitions)
    return {**data, "hypotheses": list(statement.hypotheses), "conclusion": statement.conclusion}


def certificate(statement: Mapping[str, Any], proof: Proof, example: Mapping[str, Any] | None = None) -> Certificate:
    made: Certificate = {"format": FORMAT, "statement": dict(statement), "proof": proof}
    return {**made, "example": example} if example is not None else made


def evidence_for(
    found: Certificate, prover: str, summary: str, scope: str = "", oracle: Oracle | None = None
) -> Evidence:
    """The evidence that a certificate is, or UNDECIDED with the kernel's complaint."""
    try:
        word = accepted(found, oracle).word
    except Rejected as complaint:
        return Evidence(Verdict.UNDECIDED, prover, f"{summary}: the kernel does not accept it: {complaint}")
    return Evidence(Verdict(word), prover, summary, scope, found)


def proof_of(
    statement: Mapping[str, Any], proof: Proof, prover: str, summary: str, scope: str = "",
    examples: Iterable[Mapping[str, Any]] = (),
) -> Evidence:  # fmt: skip
    """Evidence for an implication; a point that satisfies its hypotheses is looked for, as the kernel asks for one."""
    example = None
    if statement["hypotheses"]:
        example = example_for(statement, examples)
        if example is None:
            reason = "no point was seen to satisfy the hypotheses: nothing is claimed"
            return Evidence(Verdict.UNDECIDED, prover, f"{summary}: {reason}")
    return evidence_for(certificate(statement, proof, example), prover, summary, scope)


def certifies(certificate: Mapping[str, Any], statements: Sequence[Mapping[str, Any]]) -> bool:
    """Are the statements of this certificate, taken together, these?  A refutation needs one of them only."""
    found = [part.get("statement") for part in certificate.get("all", [certificate])]
    proved = {_meaning(data) for data in found if data}
    claimed = {_meaning(data) for data in statements}
    refutes = certificate.get("proof", {}).get("rule") == "point"
    return None not in found and (proved <= claimed if refutes else proved == claimed)


def not_decided(certificate: Mapping[str, Any], statements: Iterable[Mapping[str, Any]]) -> str:
    """The conclusion of the first of these statements that the certificate does not hold, if there is one."""
    held = {_meaning(data) for data in _statements(certificate)}
    return next((data["conclusion"] for data in statements if _meaning(data) not in held), "")


def _statements(certificate: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every statement in a certificate, proved or refuted."""
    for part in (*certificate.get("all", ()), *certificate.get("gap", {}).values()):
        yield from _statements(part)
    if "statement" in certificate:
        yield certificate["statement"]


def relations(data: Mapping[str, Any]) -> list[tuple[Term, str, Term]]:
    """The hypotheses of a statement and last its conclusion, each side as it is written."""
    declared = data.get("variables", {})
    functions = frozenset(name for name, kind in declared.items() if kind == "function")
    names = {name: variable(name) for name in declared if name not in functions}
    for name, text in data.get("definitions", {}).items():
        names[name] = parse(text, names, functions)
    return [parse_relation(text, names, functions) for text in (*data.get("hypotheses", []), data["conclusion"])]


def says_nothing(statement: Mapping[str, Any]) -> bool:
    """Has the conclusion one term on both sides?  Whatever was to be shown was worked out before it was stated."""
    left, _, right = relations(statement)[-1]
    return left is right


def idle(certificate: Mapping[str, Any]) -> Iterator[str]:
    """The conclusions in a certificate that say nothing."""
    if "all" in certificate or "gap" in certificate:
        for part in certificate.get("all") or certificate["gap"].values():
            yield from idle(part)
    elif "statement" in certificate and says_nothing(certificate["statement"]):
        yield certificate["statement"]["conclusion"]


def _meaning(data: Mapping[str, Any]) -> Any:
    """What a statement says, whatever the order of its hypotheses."""
    context, goal = read_statement(data)
    return frozenset(context.kinds), context.functions, frozenset(context.facts), goal


# --- points that satisfy the hypotheses -----------------------------------------------------------------------


def example_for(statement: Mapping[str, Any], hints: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any] | None:
    """A point at which every hypothesis holds, from the hints or from short numbers within the ranges."""
    context, _ = read_statement(statement)
    given = Screen(context, context.facts)
    for point in itertools.chain(hints, trial_points(context)):
        made: dict[str, Any] = {"at": {name: str(value) for name, value in point.items()}}
        if not given.may_hold(made):
            continue
        if context.functions:
            made["functions"] = dict.fromkeys(sorted(context.functions), "t**2/2")
        try:
            at = at_point(context, made)
            if all(truth(at(given)) for given in context.facts):
                return made
        except (Rejected, ArithmeticError):
            continue
    return None


def trial_points(context: Context, count: int = 200) -> Iterator[dict[str, Fraction]]:
    """Short points within the ranges that the hypotheses give, made to satisfy equations such as `x == a + b`."""
    for point in free_points(context, count):
        yield point
        if solved := with_equations(context, point):
            yield solved


def with_equations(context: Context, point: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
    """The point with each variable that a hypothesis `x == formula` determines set to its value."""
    found = dict(point)
    for _ in range(2):  # an equation may come before those that it needs
        for gap, name, slope in _linear(context):
            rest = rational(substitute(gap, {n: number(found[n]) for n in gap.free}))
            if rest is not None:
                found[name] -= rest / slope
    return found if found != point else None


@lru_cache(64)
def _linear(context: Context) -> list[tuple[Term, str, Fraction]]:
    """The equations among the hypotheses, each with a variable that has a number as its coefficient."""
    found = []
    for gap in (given.gap for given in context.facts if given.op == "=="):
        slopes = ((name, _slope(gap, name)) for name in sorted(gap.free))
        found += [(gap, name, slope) for name, slope in slopes if slope][:1]
    return found


def _slope(gap: Term, name: str) -> Fraction | None:
    try:
        return derivative(gap, name).value
    except Rejected:  # inside a maximum, say
        return None


def free_points(context: Context, count: int) -> Iterator[dict[str, Fraction]]:
    """Short points within the ranges; whole numbers where these are declared."""
    kinds = dict(context.kinds)
    for i in range(count):
        point = {}
        for j, (name, r) in enumerate(context.ranges.items()):
            value = TRIAL[(i + 2 * j * (1 + i // len(TRIAL))) % len(TRIAL)]
            if r.low is not None and r.high is not None:
                share = abs(value) / (1 + abs(value))
                value = r.low + (r.high - r.low) * (share if i % 5 else Fraction(i // 5 % 2))
            elif r.low is not None:
                value = r.low + (abs(value) if r.low_open or i % 7 else 0)
            elif r.high is not None:
                value = r.high - (abs(value) if r.high_open or i % 7 else 0)
            point[name] = Fraction(value.__ceil__()) if kinds[name] == "integer" else value
        yield point


# --- what a formula needs to be defined ------------------------------------------------------------------------


def conditions(context: Context, *formulas: Term, smooth: bool = False) -> list[str]:
    """Hypotheses under which the formulas are defined, none where that is evident already."""
    needed: list[str] = []
    for formula in formulas:
        for t in sorted(subterms(formula), key=lambda t: (t.depth, show(t))):
            if text := _condition(context, t, smooth):
                needed.append(text)
                context = context.plus(context.read_fact(text))
    return list(dict.fromkeys(needed))


def _condition(context: Context, t: Term, smooth: bool) -> str:
    if t.op == "**" and t.args[1].value is not None:
        base, e = t.args[0], t.args[1].value
        if e.denominator == 1:
            return f"{show(base)} != 0" if e < 0 and not context.nonzero(base) else ""
        strict = smooth or e < 0
        return "" if context.evident(base, strict) else f"{show(base)} {'>' if strict else '>='} 0"
    if t.op in ("log", "**", "gamma", "loggamma"):
        return "" if context.evident(t.args[0], True) else f"{show(t.args[0])} > 0"
    return ""
