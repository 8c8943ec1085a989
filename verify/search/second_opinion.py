"""What the kernel leaves to others: two engines that must agree, asked about the very goal it was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from glbcheck.core.expression import parse_relation
from glbcheck.core.extras import install, missing
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected, show
from glbcheck.verify.search import smt


def oracle(context: Context, goal: Fact) -> str:
    """Who says that the facts imply the goal; `Rejected` unless both engines do."""
    for asked in questions(context, goal):
        answers = [ask(asked) for ask in smt.ENGINES]
        if not agreed(answers):
            raise Rejected(f"the engines do not both agree: {said(answers)}")
    return " and ".join(sorted(answer.engine for answer in answers))


def not_asked(context: Context, goal: Fact) -> str:
    """Which solvers would be asked about the goal and are not installed; empty if none."""
    lacking = missing("solvers")
    try:
        asked = bool(lacking and questions(context, goal))
    except Rejected:
        asked = False
    return f"not asked: {', '.join(lacking)}, which {install('solvers')} installs" if asked else ""


def questions(context: Context, goal: Fact) -> list[str]:
    """What both solvers must call unsatisfiable: the facts with the goal denied, then the side conditions."""
    names = tuple(context.names)
    try:
        assumed = [parse_relation(f"{show(f.gap)} {f.op} 0", names, evaluate=False) for f in context.facts]
        claimed = parse_relation(f"{show(goal.gap)} {goal.op} 0", names, evaluate=False)
        question, _, debts = encode(assumed, claimed, names)
    except (smt.NotEncodable, ValueError) as error:
        raise Rejected(str(error)) from None
    return [question, *(debt.question for debt in debts)]


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
    words = ", ".join(f"{answer.engine} {answer.status}" for answer in answers)
    return f"{words}; {install('solvers')}" if any(a.status == smt.NOT_INSTALLED for a in answers) else words
