"""Certificates for false inequalities, each wrong in exactly one place.

A ladder is believed because every rung is recomputed.  Each forgery here would pass if one
particular check of the replay were missing.
"""

from __future__ import annotations

from typing import Any

EVIDENT = [{"rule": "evident"}]


def forged(claim: str, f: str, rungs: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    whole = {"variable": "x", "low": "0", "high": "oo", "closed_low": False, "closed_high": False}
    return {**whole, "claim": claim, "f": f, "lemmas": [], "rungs": rungs, **changes}


FORGED: dict[str, dict[str, Any]] = {
    "nothing evident about it": forged("x >= 1", "x - 1", EVIDENT),
    "a logarithm taken for positive": forged("log(x) >= 0", "log(x)", EVIDENT),
    "a square taken for positive": forged("(x - 1)**2 > 0", "(x - 1)**2", EVIDENT),
    "another function than the claim's": forged("x >= 1", "x", EVIDENT),
    "the claim turned around": forged("x <= 0", "x", EVIDENT),
    "a negative start": forged("x >= 1/10**7", "x - 1/10**7", [{"rule": "left", "then": "1"}, *EVIDENT]),
    "a negative end": forged(
        "1 >= x + 1/10**7",
        "1 - x - 1/10**7",
        [{"rule": "right", "then": "1"}, *EVIDENT],
        high="1",
    ),
    "a wrong slope": forged("1 >= x", "1 - x", [{"rule": "left", "then": "1"}, *EVIDENT]),
    "a slope off by a billionth": forged("1 >= 1 + x/10**9", "-x/10**9", [{"rule": "left", "then": "0"}, *EVIDENT]),
    "the slope of a fall taken for a rise": forged(
        "x <= 1/2",
        "1/2 - x",
        [{"rule": "right", "then": "-1"}, {"rule": "times", "factor": "-1", "then": "1"}],
    ),
    "a negative factor": forged("-x >= 0", "-x", [{"rule": "times", "factor": "-1", "then": "x"}, *EVIDENT]),
    "a wrong product": forged("x >= 1", "x - 1", [{"rule": "times", "factor": "1", "then": "x"}, *EVIDENT]),
    "a strict sign from a flat start": forged("x - x > 0", "0", [{"rule": "left", "then": "0"}, *EVIDENT]),
    "a strict sign across a zero": forged(
        "x**2 - 2*x + 1 > 0", "(x - 1)**2", [{"rule": "split", "at": "1", "below": EVIDENT, "above": EVIDENT}]
    ),
    "a cut outside the interval": forged(
        "x >= 1",
        "x - 1",
        [{"rule": "split", "at": "-1", "below": EVIDENT, "above": EVIDENT}],
    ),
    "one side of a cut left open": forged(
        "x >= 1", "x - 1", [{"rule": "split", "at": "2", "below": [], "above": EVIDENT}]
    ),
    "a closed end with equality": forged(
        "exp(x) > 1 + x",
        "exp(x) - 1 - x",
        [{"rule": "left", "then": "exp(x) - 1"}, {"rule": "left", "then": "exp(x)"}, *EVIDENT],
        closed_low=True,
    ),
    "a closed end where nothing is defined": forged("x/x >= 1", "0", EVIDENT, closed_low=True),
    "a closed end in the middle of a pole": forged("1/(1/x) >= 0", "x", EVIDENT, closed_low=True),
    "a logarithm of negative numbers": forged("log(x) - log(x) >= 0", "0", EVIDENT, low="-1"),
    "a pole inside": forged("1/(x - 1) - 1/(x - 1) >= 0", "0", EVIDENT),
    "a reciprocal across zero": forged(
        "x >= 0", "x", [{"rule": "reciprocal", "then": "1/x"}, *EVIDENT], low="-1", high="1"
    ),
    "a wrong reciprocal": forged("x >= 1", "x - 1", [{"rule": "reciprocal", "then": "1/x"}, *EVIDENT]),
    "a sum of other logarithms": forged(
        "log(1 + x) >= x",
        "log(1 + x) - x",
        [{"rule": "exponentiate", "terms": [[1, "1 + x"]], "then": "x"}, *EVIDENT],
    ),
    "a wrong exponential": forged(
        "log(1 + x) - log(2) >= 0",
        "log(1 + x) - log(2)",
        [{"rule": "exponentiate", "terms": [[1, "1 + x"], [-1, "2"]], "then": "x"}, *EVIDENT],
    ),
    "a lemma that is not proved": forged(
        "x >= 1", "x - 1", EVIDENT, lemmas=[{"f": "x - 1", "rungs": [{"rule": "evident"}]}]
    ),
    "a ladder that ends in the air": forged("x >= 1", "x - 1", [{"rule": "left", "then": "1"}]),
    "an equation": forged("x == x", "0", EVIDENT),
    "no such rule": forged("x >= 1", "x - 1", [{"rule": "trust me"}]),
}
