"""Implications over the reals and invariants, as claims call them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import to_text
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify import decide as door
from glbcheck.verify.certificate import evidence_for, statement_data
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.search.inputs import Relation, relation
from glbcheck.verify.search.solvers import oracle

PROVER = "algebra"


def decide(
    hypotheses: Sequence[Relation], conclusion: Relation, variables: Sequence[str], hints: Sequence[str] = ()
) -> Evidence:
    """Do the hypotheses imply the conclusion for all real values of the variables?

    `hints` are relations that follow from the hypotheses and help to find a proof.
    """
    names = checked_names(variables)
    assumed = [reality(relation("hypotheses", h, names), names) for h in hypotheses]
    claimed = reality(relation("conclusion", conclusion, names), names)
    given = tuple(text(h, r) for h, r in zip(hypotheses, assumed, strict=True))
    data = statement_data(Statement(given, text(conclusion, claimed)), names)
    return replace(door.decide(data, steps=tuple(hints)), prover=PROVER)


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
