"""Claims declared by their text: facts, what they use, hypotheses and letters follow from it alone.

    claim(
        "lemma:solve-ineq",
        id="quadratic_inequality",
        steps="X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)",
    )

Without `says` the text is one statement: what is shown is what is decided, and the word may be `proved`.  With `says`
it is an argument, each premise with its reason, and at best `argued`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from glbcheck.verify.claim import Claim, Control, Evidence, Formal, Reading, Severity, Verdict
from glbcheck.verify.claims import words
from glbcheck.verify.claims.text import Steps, TextError, read
from glbcheck.verify.registry import REGISTRY, ClaimError, Registry, texts, theories, word


def claim(*anchors: str, id: str, steps: str, registry: Registry = REGISTRY, **more: Any) -> Claim:
    """A claim about the paper's `anchors`; `more` is what `declared` accepts."""
    return declared(anchors, id, steps, sys._getframe(1), registry, **more)


def refuted(
    *anchors: str,
    id: str,
    steps: str,
    severity: Severity | str,
    consequence: str,
    repaired: Mapping[str, Any] | None = None,
    registry: Registry = REGISTRY,
    **more: Any,
) -> Claim:
    """A printed statement that fails at a point, and together with it what holds instead.

    `repaired` is a claim about the same anchors, unless it names its own; letters are those of both.
    """
    caller = sys._getframe(1)
    weighed = {"severity": severity, "consequence": consequence, **more}
    printed = declared(anchors, id, steps, caller, registry, **{"expected": "refuted", **weighed})
    if repaired is not None:
        held = {"reading": "repaired", **repaired}
        shared = printed.steps.letters if printed.steps else {}
        places, name, text = held.pop("anchors", anchors), held.pop("id"), held.pop("steps")
        declared(places, name, text, caller, registry, letters=shared, **held)
    return printed


def declared(
    anchors: Iterable[str],
    id: str,
    text: str,
    caller: Any,
    registry: Registry,
    *,
    says: str = "",
    why: str = "",
    expected: Verdict | str = Verdict.PROVED,
    control: tuple[str, str] | None = None,
    reading: Reading | str = Reading.AS_PRINTED,
    severity: Severity | str | None = None,
    consequence: str = "",
    discharges: Mapping[str, str] | None = None,
    carries: Iterable[str] = (),
    coq: str = "",
    math: str = "",
    chain: bool = False,
    letters: Mapping[str, str] | None = None,
) -> Claim:
    """The claim of a text; `expected` is what its links should earn.

    `control` is an edit of the text that must be refuted; without one, the recorded edits of the links stand for it.
    `chain` is said only where the last conclusion is the statement of the anchors, quantifiers included.
    """
    try:
        steps = read(text, letters)
    except TextError as problem:
        raise ClaimError(id, f"steps: {problem}") from None
    core = word(id, "expected", Verdict, expected)
    stated = "" if says else _only_statement(id, steps)
    if says and core.positive:
        _refuse_without_reason(id, steps)
    for name, free in (("says", says), ("why", why)):
        for complaint in words.complaints(free, steps):
            raise ClaimError(id, f"{name}: {complaint}")
    return registry.add(
        Claim(
            id=id,
            anchors=tuple(anchors),
            title=words.prose(says) if says else stated,
            check=partial(_evidence, steps, core),
            expected=Verdict.ARGUED if says and core.machine_checked else core,
            core=core,
            argument=words.prose(why),
            facts=steps.named("fact"),
            control=None if control is None else _edit(id, steps, core, *control),
            reading=word(id, "reading", Reading, reading),
            hypotheses=steps.named("assumed"),
            uses=steps.named("claim"),
            severity=None if severity is None else word(id, "severity", Severity, severity),
            consequence=consequence,
            location=f"{caller.f_globals.get('__name__', '')}:{caller.f_lineno}",
            math=math,
            states=stated,
            discharges=dict(discharges or {}),
            carries=texts(id, "carries", carries),
            coq=Formal(coq, theories(caller.f_globals)) if coq else None,
            steps=steps,
            chain=chain,
        ),
        home=caller.f_globals,
    )


def _evidence(steps: Steps, core: Verdict) -> Evidence:
    from glbcheck.verify.claims.deciding import evidence  # searchers are needed when a claim is decided

    return evidence(steps, core)


def _only_statement(id: str, steps: Steps) -> str:
    """The one statement of a text without words, on one line."""
    links = [link for block in steps.blocks for link in block.links]
    one = len(steps.blocks) == 1 and not steps.definitions and not steps.blocks[0].invariant
    if not one or len({link.given[: len(steps.blocks[0].premises)] for link in links}) > 1:
        raise ClaimError(
            id, "says nothing: only one block of premises => conclusions, without definitions, says itself"
        )
    kinds = [f"{name}: {kind}" for name, kind in steps.kinds.items()]
    given = ", ".join((*kinds, *links[0].given))
    return f"{given} => {', '.join(link.conclusion for link in links)}" if given else links[0].conclusion


def _refuse_without_reason(id: str, steps: Steps) -> None:
    for block in steps.blocks:
        for premise in block.premises:
            if not premise.reasons and block.point is None:
                raise ClaimError(id, f"steps: {premise.relation!r} has no reason; write [fact], [claim], [place], "
                                     "[assumed: words], [meaning] or [above] behind it")  # fmt: skip


def _edit(id: str, steps: Steps, core: Verdict, old: str, new: str) -> Control:
    count = steps.shown.count(old)
    if count != 1 or old == new:
        raise ClaimError(id, f"control = {(old, new)!r}: the piece to be edited occurs {count} times")
    edited = read(steps.shown.replace(old, new), steps.letters)
    return Control(f"{new} instead of {old}", partial(_evidence, edited, core))
