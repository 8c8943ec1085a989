"""Polynomial and root statements over the reals, decided by two engines that must agree.

`proved` needs `unsat` from z3 and from cvc5 on the denied statement, and likewise on every side
condition (a divisor is not zero, a radicand is not negative).  A model from either engine is only a
hint: it is rounded to a short rational point, and refutes if that point is a certified
counterexample.  Disagreement, silence and contradictory hypotheses are all `undecided`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import to_text
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import certificate, evidence_for, example_for, statement_data
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import smt
from glbcheck.verify.provers.inputs import Relation, relation

PROVER = "algebra"
SECONDS = 10


def decide(
    hypotheses: Sequence[Relation], conclusion: Relation, variables: Sequence[str], *, seconds: int = SECONDS
) -> Evidence:
    """Do the hypotheses imply the conclusion for all real values of the variables?

    `seconds` limits each engine on each question.
    """
    names = checked_names(variables)
    assumed = [reality(relation("hypotheses", h, names), names) for h in hypotheses]
    claimed = reality(relation("conclusion", conclusion, names), names)
    statement = Statement(
        tuple(text(h, r) for h, r in zip(hypotheses, assumed, strict=True)), text(conclusion, claimed)
    )
    try:
        question, satisfiable, debts = encode(assumed, claimed, names)
    except smt.NotEncodable as error:
        return undecided(statement, str(error))
    answers = [ask(question, seconds) for ask in smt.ENGINES]
    for answer in answers:
        if answer.status == "sat" and (evidence := refutation(statement, answer.model, names)):
            return evidence
    if not agreed(answers):
        return undecided(statement, "the engines do not both say unsat: " + said(answers))
    for debt in debts:
        settled = [ask(debt.question, seconds) for ask in smt.ENGINES]
        if not agreed(settled):
            return undecided(
                statement, f"{debt.condition} is not known to follow from what precedes it: {said(settled)}"
            )
    possible = [ask(satisfiable, seconds) for ask in smt.ENGINES]
    if any(answer.status == "unsat" for answer in possible):
        return undecided(statement, "the hypotheses contradict each other: nothing is claimed")
    data = statement_data(statement, names)
    summary = f"{shown(statement)}: no real counterexample exists ({said(answers)})"
    hints = [
        near
        for answer in possible
        if answer.status == "sat"
        for near in nearby({n: answer.model.get(n, Fraction(0)) for n in names})
    ]
    example = example_for(data, hints) if data["hypotheses"] else None
    made = certificate(data, {"rule": "engines"}, example)
    from glbcheck.verify.provers.second_opinion import oracle

    return evidence_for(made, PROVER, summary, f"all real {', '.join(names)}", oracle)


def encode(assumed: Sequence[Any], claimed: Any, names: tuple[str, ...]) -> tuple[str, str, tuple[smt.Debt, ...]]:
    """The denied statement, the hypotheses alone, and the side conditions, as questions to an engine.

    Hypotheses without divisions and roots come first, so that they can settle the others' debts.
    """
    encoder = smt.Encoder(names)
    for hypothesis in sorted(assumed, key=partial):
        encoder.assume(hypothesis)
    satisfiable = encoder.question()
    return encoder.question(claimed), satisfiable, tuple(encoder.debts)


def partial(r: Any) -> bool:
    """Does the relation hold something that is not defined everywhere?"""
    return any(not (p.exp.is_Integer and p.exp.is_nonnegative) and not p.base.is_Rational for p in r.atoms(sp.Pow))


def agreed(answers: Sequence[smt.Answer]) -> bool:
    return len(answers) == 2 and all(answer.status == "unsat" for answer in answers)


def said(answers: Sequence[smt.Answer]) -> str:
    return ", ".join(f"{answer.engine} {answer.status}" for answer in answers)


def shown(statement: Statement) -> str:
    return f"{', '.join(statement.hypotheses) or 'always'} => {statement.conclusion}"


def undecided(statement: Statement, reason: str) -> Evidence:
    return Evidence(verdict=Verdict.UNDECIDED, prover=PROVER, summary=f"{shown(statement)}: {reason}")


def checked_names(variables: Sequence[str]) -> tuple[str, ...]:
    for name in variables:
        if not isinstance(name, str) or not name.isidentifier():
            raise BadInput("variables", name, "plain names, as text")
    return tuple(variables)


def reality(r: Any, names: tuple[str, ...]) -> Any:
    """The relation over real symbols of the declared names, and no others."""
    if unknown := {s.name for s in r.free_symbols} - set(names):
        raise BadInput("variables", names, f"all variables must be declared; {sorted(unknown)} are not")
    change = {s: sp.Symbol(s.name, real=True) for s in r.free_symbols if not s.is_real}
    # Sides without a change are left as they are: rebuilding them would cancel what the text divides by.
    return r.func(r.lhs.xreplace(change), r.rhs.xreplace(change), evaluate=False) if change else r


def text(given: Relation, read: Any) -> str:
    return given if isinstance(given, str) else to_text(read)


# --- refutation ----------------------------------------------------------------------------------


def refutation(statement: Statement, model: Mapping[str, Fraction], names: tuple[str, ...]) -> Evidence | None:
    """The shortest rational point near the model that is a certified counterexample, if there is one."""
    point = {name: model.get(name, Fraction(0)) for name in names}
    for candidate in nearby(point):
        evidence = refute(statement, candidate, PROVER)
        if evidence.verdict is Verdict.REFUTED:
            return evidence
    return None


def nearby(point: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """The point rounded to ever finer grids, in all directions while that is cheap; last, itself."""
    for grid in (1, 2, 4, 10, 100, 1000, 10**4, 10**6, 10**8, 10**10, 10**12, 10**16):
        yield {name: Fraction(round(v * grid), grid) for name, v in point.items()}
        if len(point) <= 4:
            sides = [(Fraction(floor(v * grid), grid), Fraction(ceil(v * grid), grid)) for v in point.values()]
            for corner in product(*sides):
                yield dict(zip(point, corner, strict=True))
    yield dict(point)


# --- induction -----------------------------------------------------------------------------------


def induction(
    invariant: str,
    state: Sequence[str],
    *,
    initial: Sequence[str],
    transition: Sequence[str],
    always: Sequence[str] = (),
    parameters: Sequence[str] = (),
    auxiliary: Sequence[str] = (),
    seconds: int = SECONDS,
) -> Evidence:
    """The invariant holds at every time, by induction.

    `state` names the quantities that change; NAME_next is the value one step later.  The base is
    always + initial => invariant; the step is always + invariant + transition => invariant of the
    next state.  `auxiliary` names further quantities of a step, such as the observation made in it.
    """
    kinds = dict.fromkeys([*state, *parameters, *auxiliary], "real")
    made: dict[str, Any] = {
        "format": FORMAT,
        "invariant": {
            "variables": kinds,
            "state": list(state),
            "parameters": list(parameters),
            "always": list(always),
            "initial": list(initial),
            "transition": list(transition),
            "claim": invariant,
        },
    }
    later = re.sub(rf"\b({'|'.join(checked_names(state))})\b", r"\1_next", invariant)
    everything = [*kinds, *(f"{s}_next" for s in state)]
    base = decide([*always, *initial], invariant, list(kinds), seconds=seconds)
    step = decide([*always, invariant, *transition], later, everything, seconds=seconds)
    if base.verdict is Verdict.REFUTED:
        return base  # the first instance of the claim is false, so the claim is
    for name, evidence in (("base", base), ("step", step)):
        if not evidence.verdict.positive:
            reason = f"{invariant} at every time: the {name} is {evidence.verdict}: {evidence.summary}"
            return Evidence(verdict=Verdict.UNDECIDED, prover=PROVER, summary=reason)
        made[name] = {k: v for k, v in evidence.certificate.items() if k in ("proof", "example")}
    from glbcheck.verify.provers.second_opinion import oracle

    return evidence_for(
        made,
        PROVER,
        f"{invariant} at every time, by induction",
        f"all real {', '.join(kinds)}, all times",
        oracle,
    )
