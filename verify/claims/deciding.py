"""From the text of a claim to evidence: each link is put to the searchers, and a block with a point to the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.claims.chains import Chain, joined
from glbcheck.verify.claims.text import TIMES, Block, Data, Steps
from glbcheck.verify.counterexample import refuted_at
from glbcheck.verify.decide import decide
from glbcheck.verify.judge import combine, gap
from glbcheck.verify.search import algebra, ladder
from glbcheck.verify.wording import names

_BOUND = re.compile(r"(\w+) ([<>])(=?) (-?\d+(?:/\d+)?)")


def evidence(steps: Steps, expected: Verdict) -> Evidence:
    """What the text has earned: all of its links, or the point that refutes one; for a gap, both."""
    held = [one for block in steps.blocks if block.point is None for one in _links(steps, block)]
    failed = [_failing(steps, block) for block in steps.blocks if block.point is not None]
    if expected is Verdict.GAP and held and failed:
        return gap(combine(*held), combine(*failed))
    if failed and (missing := next((one for one in held if not one.verdict.positive), None)):
        return Evidence(Verdict.UNDECIDED, missing.prover, f"the witness needs more: {missing.summary}")
    return combine(*failed, *held)


def _links(steps: Steps, block: Block) -> Iterator[Evidence]:
    if block.invariant:
        yield _invariant(block)
        return
    chain = Chain(steps)
    for link in block.links:
        found = None if link.known else decided(steps.data(link.given, link.conclusion))
        if (found is None or found.verdict is Verdict.UNDECIDED) and (proof := chain.proof(link)):
            found = joined(steps, link, proof)
        found = found or decided(steps.data(link.given, link.conclusion))
        if found.verdict.positive:
            chain.shown[link] = found.certificate["proof"]
        yield found


def decided(data: Data) -> Evidence:
    """One implication: by multipliers if it is algebraic, else in every way there is."""
    plain = all(kind == "real" for kind in data["variables"].values()) and not data.get("definitions")
    if plain:
        try:
            found = algebra.decide(data["hypotheses"], data["conclusion"], list(data["variables"]))
        except (ValueError, TypeError):
            found = None
        if found and found.verdict in (Verdict.PROVED, Verdict.REFUTED) and found.certificate["statement"] == data:
            return found
    found = decide(data)
    if plain and len(data["variables"]) == 1 and found.verdict is Verdict.CERTIFIED:
        return _by_ladder(data) or found
    return found


def _by_ladder(data: Data) -> Evidence | None:
    """The statement by a derivative ladder, where it is one inequality on an interval."""
    (x,) = data["variables"]
    ends: dict[str, tuple[Fraction, bool]] = {}
    for text in data["hypotheses"]:
        bound = _BOUND.fullmatch(text)
        if bound is None or bound[1] != x:
            return None
        ends[bound[2]] = Fraction(bound[4]), bool(bound[3])
    if ">" not in ends:
        return None
    (low, from_there), (high, up_to_there) = ends[">"], ends.get("<", (None, True))
    try:
        found = ladder.inequality(data["conclusion"], x, low, high, closed=(from_there, up_to_there))
    except (ValueError, TypeError):
        return None
    return found if found.verdict is Verdict.PROVED and found.certificate["statement"] == data else None


def _failing(steps: Steps, block: Block) -> Evidence:
    """The last conclusion of the block at its point."""
    link = block.links[-1]
    data = steps.data(link.given, link.conclusion)
    given = dict(block.point or {})
    functions = {name: given.pop(name) for name, kind in data["variables"].items() if kind == "function"}
    proof = {"rule": "point", "at": given, **({"functions": functions} if functions else {})}
    return refuted_at(data, proof, "counterexample")


def _invariant(block: Block) -> Evidence:
    """Premises that hold always, at first, and from each step to the next; NAME_next is the state one step later."""
    told: dict[str, list[str]] = {time: [p.relation for p in block.premises if p.time == time] for time in TIMES}
    (claimed,) = (link.conclusion for link in block.links)
    every = list(names("\n".join([*told["always"], *told["first"], *told["then"], claimed]), set()))
    state = [name for name in every if f"{name}_next" in every]
    others = [name for name in every if name not in state and name.removesuffix("_next") not in state]
    kept = {*names(claimed, set())} | {*names("\n".join(told["always"]), set())}
    setting: dict[str, Any] = {
        "parameters": [name for name in others if name in kept],
        "auxiliary": [name for name in others if name not in kept],
    }
    return algebra.induction(
        claimed, state, initial=told["first"], transition=told["then"], always=told["always"], **setting
    )
