"""The measure that a derivation gives, in words: a template or a function for each rule of the checker."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy as sp
from glbcheck.core.family import z

Parameters = tuple[sp.Expr, ...]
Words = str | Callable[[Parameters, list[str]], str]
NOTHING = "point mass at 0"


def describe(rule: str, parameters: Parameters, parts: list[str]) -> str:
    """The law that the rule makes of these parameters and of parts with these words."""
    words = WORDS[rule]
    return words.format(p=parameters, parts=parts) if isinstance(words, str) else words(parameters, parts)


def _joined(parts: list[str]) -> str:
    if len(parts) > 4:
        parts = [*parts[:3], f"{len(parts) - 3} more"]
    return " and ".join(parts)


def _independent(p: Parameters, parts: list[str]) -> str:
    """A sum of independent variables; a point mass at 0 adds nothing."""
    kept = [part for part in parts if part != NOTHING]
    return f"sum of independent [{_joined(kept)}]" if len(kept) > 1 else next(iter(kept), NOTHING)


def _timed(what: str) -> Words:
    """A law in random time; of a mere drift only the time is left."""
    return lambda p, parts: what if parts[0].startswith("point mass") else f"{what}-timed [{parts[0]}]"


WORDS: Mapping[str, Words] = {
    "constant": NOTHING,
    "exponential": "{parts[0]}",
    "mixture": lambda p, parts: f"mixture of [{_joined(parts)}]",
    "product": _independent,
    "power": "sum of {p[0]} independent [{parts[0]}]",
    "uniform": lambda p, parts: f"uniform between {sp.diff(p[0], z)} and {sp.diff(p[1], z)}",
    "bessel": lambda p, parts: {0: "arcsine law", 1: "semicircle law"}.get(p[0], "symmetric beta law"),
    "spline": "piecewise polynomial density",
    "weighted-gaussian": "Gaussian times a polynomial",
    "half-gaussian": lambda p, parts: "Gaussian cut to a half-line" + (" times a polynomial" if len(p) > 3 else ""),
    "frullani": _timed("difference of exponentials over r"),
    "thinned-poisson": "compound Poisson with fewer small counts, jumps [{parts[0]}]",
    "cosh-series": "even Poisson number of [{parts[0]}]",
    "sinh-series": "odd Poisson number of [{parts[0]}]",
    "bessel-series": "Bessel number of [{parts[0]}]",
    "logarithmic": "logarithmic number of [{parts[0]}]",
    "sibuya": "Sibuya number of [{parts[0]}]",
    "quadratic": lambda p, parts: f"point mass at {p[1]}" if p[0] == 0 else f"Gaussian of variance {2 * p[0]}",
    "sum": _independent,
    "multiple": "{parts[0]}",
    "jumps": "compound Poisson, jumps [{parts[0]}]",
    "gamma": _timed("gamma"),
    "stable-time": _timed("one-sided stable"),
    "kolmogorov": "infinitely divisible, jumps r of intensity r^-2 [{parts[0]}]",
    "log-gamma": "logarithm of a gamma variable",
    "log-beta": "logarithm of a beta variable",
    "secant": "hyperbolic secant",
    "logistic": "logistic",
}
