"""The text of a claim as plain data, for `results.json` and the page: blocks of premises with reasons, conclusions."""

from __future__ import annotations

from typing import Any

from glbcheck.verify.claims.text import Block, Reason, Steps

SAID = {"meaning": "by the meaning of the letters", "above": "shown above"}


def plain(steps: Steps) -> dict[str, Any]:
    """Definitions, what the words rest on besides, and every block."""
    return {
        "definitions": dict(steps.definitions),
        "beside": [because(reason) for reason in steps.beside],
        "blocks": [_block(block) for block in steps.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    premises = [
        {"relation": p.relation, "because": [because(reason) for reason in p.reasons], "time": p.time}
        for p in block.premises
    ]
    conclusions = [link.conclusion for link in block.links]
    point = None if block.point is None else dict(block.point)
    return {"case": block.case, "premises": premises, "conclusions": conclusions, "fails_at": point}


def because(reason: Reason) -> str:
    """A reason in words.

    >>> because(Reason("fact", "triangle", {"a": "S"}))
    'triangle with a = S'
    """
    said = f"assumed: {reason.name}" if reason.kind == "assumed" else SAID.get(reason.kind, reason.name)
    values = ", ".join(f"{letter} = {value}" for letter, value in reason.instance.items())
    return f"{said} with {values}" if values else said
