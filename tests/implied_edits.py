"""Edits that follow from what was edited: the old proof, with a lemma before it or a step behind it.

A hypothesis that implies the old one makes no difference, and a conclusion that the old one implies neither.  What
comes out is a certificate, and the kernel says whether it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import show
from glbcheck.verify.certificate import Certificate, Proof, certificate, example_for
from glbcheck.verify.search import tactics, tails

Data = Mapping[str, Any]


def certificates(part: Data, edited: Data) -> Iterator[Certificate]:
    """Certificates of an edit of this part that rest on the proof of the part."""
    context, goal = read_statement(edited)
    before, old_goal = read_statement(part["statement"])
    example = example_for(edited, [part["example"]["at"]] if "example" in part else []) if context.facts else None
    if context.facts and example is None:
        return
    if goal != old_goal:
        if before.facts == context.facts:
            made = ((_lemma(old_goal, part["proof"], then)) for then in _ways(context.plus(old_goal), goal))
            yield from (certificate(edited, proof, example) for proof in made)
    elif len(before.facts) == len(context.facts):
        changed = [i for i, (old, new) in enumerate(zip(before.facts, context.facts, strict=True)) if old != new]
        for i in changed if len(changed) == 1 else ():
            yield from (
                certificate(edited, _lemma(before.facts[i], by, _moved(part["proof"], i, len(before.facts))), example)
                for by in _ways(context, before.facts[i])
            )


def _lemma(fact: Fact, by: Proof, then: Proof) -> Proof:
    return {"rule": "lemma", "relation": f"{show(fact.gap)} {fact.op} 0", "by": by, "proof": then}


def _ways(context: Context, goal: Fact) -> Iterator[Proof]:
    if goal.op in (">=", ">") and (evident := tails.at_once(context, goal)):
        yield evident
    yield from (proof for _, proof in tactics.proofs(context, goal, ("identity", "algebra")))


def _moved(proof: Proof, i: int, count: int) -> Proof:
    """The proof with fact i at the end, where the lemma has put it."""
    places = [count if j == i else j for j in range(count)]
    return dict(tactics.renumbered(proof, places, count + 1))
