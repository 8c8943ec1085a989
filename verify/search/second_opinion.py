"""What the kernel leaves to others: two engines that must agree, asked about the very goal it was given."""

from __future__ import annotations

from glbcheck.core.expression import parse_relation
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected, show
from glbcheck.verify.search import algebra, smt


def oracle(context: Context, goal: Fact) -> str:
    """Who says that the facts imply the goal; `Rejected` unless both engines do."""
    names = tuple(context.names)
    try:
        assumed = [parse_relation(f"{show(f.gap)} {f.op} 0", names, evaluate=False) for f in context.facts]
        claimed = parse_relation(f"{show(goal.gap)} {goal.op} 0", names, evaluate=False)
        question, _, debts = algebra.encode(assumed, claimed, names)
    except (smt.NotEncodable, ValueError) as error:
        raise Rejected(str(error)) from None
    for asked in (question, *(debt.question for debt in debts)):
        answers = [ask(asked) for ask in smt.ENGINES]
        if not algebra.agreed(answers):
            raise Rejected(f"the engines do not both agree: {algebra.said(answers)}")
    return " and ".join(sorted(answer.engine for answer in answers))
