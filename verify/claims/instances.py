"""A premise with a fact or a claim as its reason is an instance of what that says: compared by the kernel, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import Rejected, Term, substitute, variable
from glbcheck.verify.claim import Claim
from glbcheck.verify.claims.text import Block, Data, Premise, Reason, Steps
from glbcheck.verify.facts import FACTS
from glbcheck.verify.wording import read

MOST = 5  # letters that are matched without being told


def complaints(claim: Claim, known: Mapping[str, Claim]) -> Iterator[str]:
    """The premises that are no instances of the formulas that they name, and the instances that name none."""
    if claim.steps is None:
        return
    for block, premise, reason in _named(claim.steps):
        formulas = recorded(reason, known)
        if reason.instance and not formulas:
            yield f"{premise.relation!r} is said to be an instance of {reason.name!r}, which records no formula"
        elif formulas and not any(_instance(claim.steps, block, premise, reason, one) for one in formulas):
            yield f"{premise.relation!r} is no instance of {reason.name!r}: {shown(formulas[0])}"


def bound(claim: Claim, known: Mapping[str, Claim]) -> bool:
    """Is no premise there by words alone: all that name facts or claims are instances of recorded formulas?"""
    if claim.steps is None:
        return False
    if claim.steps.named("assumed"):
        return False
    return all(recorded(reason, known) for _, _, reason in _named(claim.steps))


def _named(steps: Steps) -> Iterator[tuple[Block, Premise, Reason]]:
    for block in steps.blocks:
        for premise in block.premises:
            yield from ((block, premise, reason) for reason in premise.reasons if reason.kind in ("fact", "claim"))


def recorded(reason: Reason, known: Mapping[str, Claim]) -> list[Data]:
    """What a fact or a claim says as formulas, if it does."""
    if reason.kind == "fact":
        formula = FACTS[reason.name].formula
        return read(formula) if formula else []
    other = known.get(reason.name)
    if other is None:
        return []
    if other.steps is not None:
        return other.steps.statements()
    return read(other.states) if other.states else []


def shown(data: Data) -> str:
    given = ", ".join(data["hypotheses"])
    return f"{given} => {data['conclusion']}" if given else str(data["conclusion"])


def _instance(steps: Steps, block: Block, premise: Premise, reason: Reason, formula: Data) -> bool:
    """Is the premise the conclusion of the formula at some letters, with its hypotheses there known in the block?"""
    given = tuple(p.relation for p in block.premises)
    try:
        context, goal = read_statement(steps.data(given, premise.relation))
        inner, conclusion = read_statement(formula)
    except Rejected:
        return False
    if context.functions or inner.functions:
        return False
    for values in _values(context, inner, conclusion, reason.instance, goal):
        made = Fact(substitute(conclusion.gap, values), conclusion.op)
        if _equal(made, goal) and all(_known(context, Fact(substitute(f.gap, values), f.op)) for f in inner.facts):
            return True
    return False


def _values(
    context: Context, inner: Context, conclusion: Fact, told: Mapping[str, str], goal: Fact
) -> Iterator[dict[str, Term]]:
    """What the letters of the formula may stand for: as told, or the letters of the premise in some order."""
    letters = [name for name, _ in inner.kinds if any(name in one.gap.free for one in (*inner.facts, conclusion))]
    try:
        known = {name: context.read(text) for name, text in told.items() if name in letters}
    except Rejected:
        return
    rest = [name for name in letters if name not in known]
    if len(known) < len(told) or len(rest) > MOST:
        return
    offered: Iterable[str] = dict.fromkeys((*rest, *sorted(goal.gap.free)))
    usable = [name for name in offered if name in context.names]
    for chosen in permutations(usable, len(rest)):
        yield {**known, **{name: variable(value) for name, value in zip(rest, chosen, strict=True)}}


def _equal(made: Fact, goal: Fact) -> bool:
    try:
        if made.op == "==" == goal.op and same(made.gap, -goal.gap):
            return True
        return made.op == goal.op and same(made.gap, goal.gap)
    except (Rejected, ArithmeticError):
        return False


def _known(context: Context, fact: Fact) -> bool:
    """Is this among the facts of the context, or evident from them?"""
    if any(_equal(fact, one) or (one.op == ">" and _equal(fact, Fact(one.gap, ">="))) for one in context.facts):
        return True
    try:
        return fact.op in (">=", ">") and context.evident(fact.gap, fact.strict)
    except (Rejected, ArithmeticError):
        return False
