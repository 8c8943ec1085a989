"""Certificates of the enclosure prover that look right and prove something false or nothing."""

from __future__ import annotations

from typing import Any

WHOLE = [[0, 0]]
LEFT, RIGHT = [[0, 1]], [[1, 1]]


def forged(conclusion: str, *leaves: Any, high: str = "1", hypotheses: Any = (), **more: Any) -> dict[str, Any]:
    """A certificate about x in [0, high] with these leaves, at 64 bits."""
    part = {
        "method": "cells",
        "boxes": len(leaves),
        "bits": 64,
        "depth": 9,
        "leaves": [list(x) for x in leaves],
    }
    return {
        "method": "enclosure",
        "conclusion": conclusion,
        "hypotheses": list(hypotheses),
        "box": {"x": ["0", high]},
        "pieces": {"x": ["0", high]},
        "example": None,
        "parts": [part],
        **more,
    }


def tail(conclusion: str, sign: dict[str, Any], demands: Any = ()) -> dict[str, Any]:
    """A certificate about all x >= 4 by this lemma."""
    return {
        **forged(conclusion),
        "box": {"x": ["4", "oo"]},
        "pieces": {"x": ["4", "oo"]},
        "parts": [{"method": "tail", "sign": sign, "demands": list(demands)}],
    }


def chart(form: str, multiplier: str = "1", kind: str = "reciprocal", rule: Any = "natural") -> dict[str, Any]:
    cells = {"method": "cells", "boxes": 1, "bits": 64, "depth": 0, "leaves": [[WHOLE, rule]]}
    return {"method": "chart", "charts": [kind], "form": form, "multiplier": multiplier, "cells": cells}


FORGED: dict[str, dict[str, Any]] = {
    "half of the box": forged("x <= 1/2", [LEFT, ["slope", 0, 1, "natural", "zero"]]),
    "no leaf at all": forged("x <= 1/2"),
    "one half twice": forged("x <= 3/4", [LEFT, "natural"], [LEFT, "natural"]),
    "a cell outside the box": forged("x <= 3/4", [LEFT, "natural"], [[[2, 1]], "natural"]),
    "a cell too many": forged("x <= 2", [WHOLE, "natural"], [LEFT, "natural"]),
    "a wrong sign": forged("x >= 1", [WHOLE, "natural"]),
    "a sign that is not known": forged("x*(1 - x) >= 1/10", [WHOLE, "natural"]),
    "a mean without its reach": forged("x**2 >= 1/5", [WHOLE, "mean"]),
    "a zero that is none": forged("x <= 0", [WHOLE, "zero"]),
    "an order too high": forged("x**2 >= x/10", [WHOLE, ["taylor", 0, 0, 2, "natural"]]),
    "an order of nothing": forged("x >= -1", [WHOLE, ["taylor", 0, 0, 0, "natural"]]),
    "an odd zero from the right": forged("x - 1 >= 0", [WHOLE, ["taylor", 0, 1, 1, "natural"]]),
    "a strict sign at a zero": forged("exp(x) > 1 + x", [WHOLE, ["taylor", 0, 0, 2, "natural"]]),
    "the wrong side": forged("-x >= 0", [WHOLE, ["slope", 0, 0, "natural", "zero"]]),
    "a slope of the wrong sign": forged("x <= 0", [WHOLE, ["slope", 0, 0, "natural", "zero"]]),
    "a face that is negative": forged("x >= 1/2", [WHOLE, ["slope", 0, 0, "natural", "natural"]]),
    "an unknown rule": forged("x >= 0", [WHOLE, ["obvious", 0, 0]]),
    "a hypothesis that does not fail": forged(
        "x >= 1/2", [WHOLE, ["outside", 0]], hypotheses=["x <= 1/4"], example={"x": "0"}
    ),
    "an example that is none": forged("x >= 5", [WHOLE, ["outside", 0]], hypotheses=["x >= 2"], example={"x": "3"}),
    "no example": forged("x >= 5", [WHOLE, ["outside", 0]], hypotheses=["x >= 2"]),
    "a hole in the pieces": forged("x >= -1", [WHOLE, "natural"], pieces={"x": ["0", "1/2"]}),
    "pieces out of order": forged("x >= -1", [WHOLE, "natural"], pieces={"x": ["0", "2", "1/2", "1"]}),
    "a part left out": forged("x >= -1", pieces={"x": ["0", "1"]}, parts=[None]),
    "a form of something else": tail("1/x >= 1/2", chart("1 + t_x"), [[1, {"method": "dominant"}]]),
    "a negative multiplier": tail("1/x >= 1/2", chart("1/2 - t_x/4", "-1"), [[1, {"method": "dominant"}]]),
    "a demand not met": tail("(x - 100)/(x - 100) >= 0", chart("1")),
    "a demand met with the wrong sign": tail(
        "log(-x)**2 >= -1", {"method": "dominant"}, [[-1, {"method": "dominant"}]]
    ),
    "dominant terms of the wrong sign": tail("exp(-x) >= 1/x", {"method": "dominant"}, [[1, {"method": "dominant"}]]),
    "cells for an unbounded part": tail("x >= 5", {"method": "cells", "bits": 64, "leaves": [[WHOLE, "natural"]]}),
    "a chart that does not exist": tail("x >= 5", chart("1", kind="shift")),
    "rising from a negative value": tail(
        "x >= 5",
        {
            "method": "rising",
            "variable": "x",
            "at end": {"method": "cells", "boxes": 1, "bits": 64, "depth": 0, "leaves": [[[], "natural"]]},
            "slope": {"method": "cells", "boxes": 1, "bits": 64, "depth": 0, "leaves": [[[], "natural"]]},
        },
    ),
}
