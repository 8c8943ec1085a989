"""Polynomial and root statements over the reals: multipliers that the kernel multiplies out, or two engines.

First a proof is looked for, and the kernel decides whether it is one.  Where none is found z3 and cvc5 are asked
about the denied statement: if both say `unsat` the word is `certified`, by them.  A model from either engine is
only a hint: it is rounded to a short rational point, and refutes if the kernel agrees.  Disagreement, silence and
contradictory hypotheses are all `undecided`.
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
from glbcheck.core.kernel.check import FORMAT, read_statement
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import EVIDENT, accepted, certificate, evidence_for, example_for, statement_data
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.memory import remembered
from glbcheck.verify.screen import refuting
from glbcheck.verify.search import contradiction, smt
from glbcheck.verify.search.inputs import Relation, relation
from glbcheck.verify.search.second_opinion import agreed, encode, oracle, said

PROVER = "algebra"


@remembered
def decide(
    hypotheses: Sequence[Relation], conclusion: Relation, variables: Sequence[str], hints: Sequence[str] = ()
) -> Evidence:
    """Do the hypotheses imply the conclusion for all real values of the variables?

    `hints` are relations that follow from the hypotheses and help to find a proof.
    """
    names = checked_names(variables)
    assumed = [reality(relation("hypotheses", h, names), names) for h in hypotheses]
    claimed = reality(relation("conclusion", conclusion, names), names)
    statement = Statement(
        tuple(text(h, r) for h, r in zip(hypotheses, assumed, strict=True)), text(conclusion, claimed)
    )
    try:
        questions = encode(assumed, claimed, names)
    except smt.NotEncodable as error:
        return undecided(statement, str(error))
    answers: list[smt.Answer] = []
    for ask in smt.ENGINES:
        answers.append(ask(questions[0]))
        if found := refutation(statement, answers[-1], names):
            return found
        if answers[-1].status == "unsat":
            break  # what the other one says matters if no proof is found
    # A model, even one that cannot be rounded to a point, says that there is no proof to look for.
    refutable = any(answer.status == "sat" for answer in answers)
    found = None if refutable else proof(statement, names, questions, hints)
    return found or by_engines(statement, names, questions, answers)


Questions = tuple[str, str, tuple[smt.Debt, ...]]


def proof(statement: Statement, names: tuple[str, ...], questions: Questions, hints: Sequence[str]) -> Evidence | None:
    """The statement by its normal form or by multipliers, if the kernel accepts one of them."""
    data = statement_data(statement, names)
    found = [EVIDENT] if "==" in statement.conclusion else []
    found += [p] if (p := contradiction.find(statement.hypotheses, statement.conclusion, names, hints)) else []
    if not found:
        return None
    example = example_for(data) if data["hypotheses"] else None
    if data["hypotheses"] and example is None:
        example = example_for(data, models(questions[1], names))
    for why in found:
        made = certificate(data, why, example)
        try:
            accepted(made)
        except Rejected:
            continue
        how = "its normal form" if why is EVIDENT else "multipliers"
        return evidence_for(made, PROVER, f"{shown(statement)}: by {how}", f"all real {', '.join(names)}")
    return None


def models(satisfiable: str, names: tuple[str, ...]) -> Iterator[Mapping[str, Fraction]]:
    """Points near what the engines say satisfies the hypotheses."""
    for ask in smt.ENGINES:
        answer = ask(satisfiable)
        if answer.status == "sat":
            yield from nearby({name: answer.model.get(name, Fraction(0)) for name in names})


def by_engines(
    statement: Statement, names: tuple[str, ...], questions: Questions, first: Sequence[smt.Answer]
) -> Evidence:
    """What the engines say together; the first ones have been asked."""
    question, satisfiable, debts = questions
    answers = [*first, *(ask(question) for ask in smt.ENGINES[len(first) :])]
    for answer in answers[len(first) :]:
        if evidence := refutation(statement, answer, names):
            return evidence
    if not agreed(answers):
        return undecided(statement, "the engines do not both say unsat: " + said(answers))
    for debt in debts:
        settled = [ask(debt.question) for ask in smt.ENGINES]
        if not agreed(settled):
            return undecided(
                statement, f"{debt.condition} is not known to follow from what precedes it: {said(settled)}"
            )
    data = statement_data(statement, names)
    example = example_for(data, models(satisfiable, names)) if data["hypotheses"] else None
    if data["hypotheses"] and example is None:
        return undecided(statement, "no point was seen to satisfy the hypotheses: nothing is claimed")
    summary = f"{shown(statement)}: no real counterexample exists ({said(answers)})"
    made = certificate(data, {"rule": "engines"}, example)
    return evidence_for(made, PROVER, summary, f"all real {', '.join(names)}", oracle)


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


def refutation(statement: Statement, answer: smt.Answer, names: tuple[str, ...]) -> Evidence | None:
    """The shortest rational point near the model of an answer that is a certified counterexample, if there is one."""
    if answer.status != "sat":
        return None
    point = {name: answer.model.get(name, Fraction(0)) for name in names}
    context, goal = read_statement(statement_data(statement, names))
    for candidate in refuting(context, goal, ({"at": at} for at in nearby(point))):
        evidence = refute(statement, candidate["at"], PROVER)
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
) -> Evidence:
    """The invariant holds at every time, by induction.

    `state` names the quantities that change; NAME_next is the value one step later.  The base is
    always + initial => invariant; the step is always + invariant + transition => invariant of the
    next state.  `auxiliary` names further quantities of a step, such as the observation made in it.
    """
    if anew := set(re.findall(r"\w+", invariant)) & set(auxiliary):
        raise BadInput("invariant", invariant, f"no {sorted(anew)}, which are chosen anew in every step")
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
    base = decide([*always, *initial], invariant, list(kinds))
    step = decide([*always, invariant, *transition], later, everything)
    if base.verdict is Verdict.REFUTED:
        return base  # the first instance of the claim is false, so the claim is
    for name, evidence in (("base", base), ("step", step)):
        if not evidence.verdict.positive:
            reason = f"{invariant} at every time: the {name} is {evidence.verdict}: {evidence.summary}"
            return Evidence(verdict=Verdict.UNDECIDED, prover=PROVER, summary=reason)
        made[name] = {k: v for k, v in evidence.certificate.items() if k in ("proof", "example")}
    return evidence_for(
        made, PROVER, f"{invariant} at every time, by induction", f"all real {', '.join(kinds)}, all times", oracle
    )
