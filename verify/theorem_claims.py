"""Claims that are Coq theorems: declared beside `claim` and `states`, decided by Coq alone."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import partial

from glbcheck.verify.claim import Claim, Control, Formal, Reading, Verdict
from glbcheck.verify.coq import theorem as coq
from glbcheck.verify.registry import REGISTRY, Registry, texts, theories, word


def proves(
    theorem: str,
    *anchors: str,
    id: str,
    title: str,
    control: tuple[str, str],
    witness: str = "",
    math: str = "",
    why: str = "",
    hypotheses: Iterable[str] = (),
    premises: Mapping[str, str] | None = None,
    uses: Iterable[str] = (),
    reading: Reading | str = Reading.AS_PRINTED,
    registry: Registry = REGISTRY,
) -> Claim:
    """A claim that is a Coq theorem, `Library.File.name`: what is shown beside its words is what Coq prints.

    `control` is a near mutant in words and the Coq theorem that denies it, `witness` a Coq theorem that shows how
    the hypotheses can be met; `premises` maps definitions that the theorem assumes to the textbook facts they are.
    Sources lie in the folder `coq` beside the caller.
    """
    caller = sys._getframe(1)
    formal = Formal(theorem, theories(caller.f_globals), control[1], witness, tuple((premises or {}).items()))
    return registry.add(
        Claim(
            id=id,
            anchors=tuple(anchors),
            title=title,
            check=partial(coq.evidence, formal),
            expected=Verdict.PROVED,
            core=Verdict.PROVED,
            control=Control(control[0], partial(coq.denial, formal)),
            reading=word(id, "reading", Reading, reading),
            hypotheses=texts(id, "hypotheses", hypotheses),
            uses=texts(id, "uses", uses),
            location=f"{caller.f_globals.get('__name__', '')}:{caller.f_lineno}",
            math=math,
            argument=why,
            facts=tuple((premises or {}).values()),
            coq=formal,
        ),
        home=caller.f_globals,
    )
