"""What a claim may rest on: refused, by claim and edge, before anything is decided.

A name must be known and nothing may rest on itself.  A statement as it is printed never rests on a repair of
ours, nor on what is refuted or a gap; and a hypothesis that the paper does not state is stated by everything
that rests on it, so that no theorem needs more than it says.  The other way, what is refuted or a gap carries the
printed statements whose printed proofs cite it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from glbcheck.verify.claim import Claim, Reading, Verdict
from glbcheck.verify.claims import instances

WRONG = (Verdict.REFUTED, Verdict.GAP)


class GraphError(ValueError):
    """The claims do not form a graph of support; the message names claim and edge."""


def check_graph(claims: Iterable[Claim], unprinted: Collection[str] = ()) -> None:
    """Refuse the first claim that may not rest on what it uses; `unprinted` lists what the paper does not assume."""
    known = {claim.id: claim for claim in claims}
    for claim in known.values():
        if complaint := graph_complaint(claim, known, unprinted):
            raise GraphError(complaint)


def graph_complaint(claim: Claim, known: Mapping[str, Claim], unprinted: Collection[str] = ()) -> str | None:
    """What is wrong with the claim's place in the graph, or None."""
    return next(_complaints(claim, known, unprinted), None)


def _complaints(claim: Claim, known: Mapping[str, Claim], unprinted: Collection[str]) -> Iterator[str]:
    for verb, names in (("uses", claim.uses), ("carries", claim.carries)):
        missing = next((name for name in names if name not in known), None)
        if missing is not None:
            yield f"claim {claim.id!r} {verb} {missing!r}, which is not the id of any claim"
            return
    if path := _path_back(claim.id, {name: one.uses for name, one in known.items()}):
        yield f"claim {claim.id!r} rests on itself: {' -> '.join(path)}"
        return
    if path := _path_back(claim.id, {name: one.carries for name, one in known.items()}):
        yield f"claim {claim.id!r} falls with itself: {' -> '.join(path)}"
    for name in claim.carries:
        if known[name].reading is Reading.REPAIRED:
            yield f"claim {claim.id!r} carries {name!r}, which is repaired; the printed proof of it cites nothing"
    yield from (f"claim {claim.id!r}: {complaint}" for complaint in instances.complaints(claim, known))
    if claim.chain and not instances.bound(claim, known):
        yield f"claim {claim.id!r} is called a chain, and a premise of it rests on words alone"
    if not claim.expected.positive:
        return
    printed = claim.reading is Reading.AS_PRINTED
    extra = next((text for text in claim.hypotheses if text in unprinted), None)
    if printed and extra is not None:
        yield f"claim {claim.id!r} is as printed and assumes {extra!r}, which the paper does not"
    for other in _named(claim, known) if printed else ():
        if _unfit(other):
            yield f"claim {claim.id!r} is as printed and argues with {other.id!r}, which is {_described(other)}"
    for used in _decided_support(claim, known):
        if printed and _unfit(used):
            yield f"claim {claim.id!r} is as printed and uses {used.id!r}, which is {_described(used)}"
        for text in used.hypotheses:
            needed = used.expected.positive and text in unprinted
            if needed and text not in claim.hypotheses and text not in claim.discharges:
                yield f"claim {claim.id!r} uses {used.id!r} and neither states nor discharges its hypothesis {text!r}"
    for text in claim.discharges:
        if not any(text in used.hypotheses for used in _decided_support(claim, known)):
            yield f"claim {claim.id!r} discharges {text!r}, which nothing that it uses assumes"


def _decided_support(claim: Claim, known: Mapping[str, Claim]) -> Iterator[Claim]:
    """What the claim uses; a note with nothing to decide stands for what it uses in turn."""
    names, seen = list(claim.uses), set[str]()
    for name in names:
        if name in known and name not in seen:
            seen.add(name)
            if known[name].expected.nothing_to_decide:
                names += known[name].uses
            else:
                yield known[name]


def _named(claim: Claim, known: Mapping[str, Claim]) -> Iterator[Claim]:
    """The claims that the argument names; an id without underscore may be an ordinary word."""
    return (known[name] for name in re.findall(r"\w+", claim.argument) if "_" in name and name in known)


def _unfit(claim: Claim) -> bool:
    """Nothing that a printed statement may rest on."""
    return claim.reading is Reading.REPAIRED or claim.expected in WRONG


def _described(claim: Claim) -> str:
    return "repaired" if claim.reading is Reading.REPAIRED else f"expected {claim.expected}"


def _path_back(start: str, uses: Mapping[str, Sequence[str]]) -> list[str]:
    """A path from `start` along `uses` back to itself, empty if there is none."""
    reached_from: dict[str, str] = {}
    stack = [start]
    while stack:
        here = stack.pop()
        for name in uses.get(here, ()):
            if name == start:
                path = [start]
                while here != start:
                    path.insert(0, here)
                    here = reached_from[here]
                return [start, *path]
            if name not in reached_from:
                reached_from[name] = here
                stack.append(name)
    return []
