"""What a formula needs to be defined: that a divisor is not 0, say; and goals that are proved after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Term, show, subterms
from glbcheck.verify.certificate import Proof

Prover = Callable[[Context, Fact], "Proof | None"]


def with_side_conditions(
    context: Context, goal: Fact, prove: Prover, then: Prover, signs: bool = False
) -> Proof | None:
    """What the goal needs to be defined as lemmas, proved by `prove`, before it is left to `then`.

    With `signs` a divisor is shown to be positive, or else negative, where it is enough that it is not 0.
    """
    lemmas = list[tuple[str, Proof]]()
    for text in conditions(context, goal.gap):
        needed = context.read_fact(text)
        base = needed.gap.args[0] if needed.op == "!=" and needed.gap.op == "**" else needed.gap
        choices = [Fact(base, ">"), Fact(-base, ">")] if signs and needed.op == "!=" else [needed]
        found = ((known, by) for known in choices if (by := prove(context, known)))
        known, by = next(found, (needed, None))
        if by is None:
            return None
        lemmas.append((f"{show(known.gap)} {known.op} 0", by))
        context = context.plus(known)
    proof = then(context, goal)
    return proof and after(lemmas, proof)


def after(lemmas: Sequence[tuple[str, Proof]], proof: Proof) -> Proof:
    """The proof from relations that are proved before it."""
    for relation, by in reversed(lemmas):
        proof = {"rule": "lemma", "relation": relation, "by": by, "proof": proof}
    return proof


def conditions(context: Context, *formulas: Term, smooth: bool = False) -> list[str]:
    """Hypotheses under which the formulas are defined, none where that is evident already."""
    needed: list[str] = []
    for formula in formulas:
        for t in sorted(subterms(formula), key=lambda t: (t.depth, show(t))):
            if t.free <= context.names.keys() and (text := _condition(context, t, smooth)):
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
