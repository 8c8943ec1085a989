"""The rules by which a formula is known to be a Laplace transform of a positive measure."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.conditions import (
    affine_ends,
    affine_within,
    at_most,
    less_than_one,
    negative,
    proper,
    whole_from,
)
from glbcheck.core.laplace.densities import (
    is_density,
    spline,
    weight_on_the_half_line,
    weight_on_the_line,
    weighted_gaussian,
    weighted_half_gaussian,
)
from glbcheck.core.laplace.formula import affine, positive
from glbcheck.core.laplace.rule import EXPONENT, NOTHING, TRANSFORM, Rule, independent, joined, timed

TRANSFORMS: Mapping[str, Rule] = {
    "constant": Rule(TRANSFORM, lambda p, f: p[0], NOTHING, lambda p, f, inside: positive(p[0]), numbers=1),
    "exponential": Rule(TRANSFORM, lambda p, f: sp.exp(f[0]), "{parts[0]}", takes=EXPONENT, count=1),
    "mixture": Rule(
        TRANSFORM,
        lambda p, f: sp.Add(*f),
        lambda p, parts: f"mixture of [{joined(parts)}]",
        lambda p, f, inside: bool(f),
        count=None,
    ),
    "product": Rule(TRANSFORM, lambda p, f: sp.Mul(*f), independent, lambda p, f, inside: bool(f), count=None),
    "power": Rule(
        TRANSFORM,
        lambda p, f: f[0] ** p[0],
        "sum of {p[0]} independent [{parts[0]}]",
        lambda p, f, inside: whole_from(p[0], 1),
        count=1,
        numbers=1,
    ),
    "uniform": Rule(
        TRANSFORM,
        lambda p, f: (sp.exp(p[1]) - sp.exp(p[0])) / sp.expand(p[1] - p[0]),
        lambda p, parts: f"uniform between {sp.diff(p[0], z)} and {sp.diff(p[1], z)}",
        affine_ends,
        numbers=2,
    ),
    # I_n(w)/w^n is, up to a positive constant, the integral of e^{rw} (1 - r^2)^{n - 1/2} over [-1, 1].
    "bessel": Rule(
        TRANSFORM,
        lambda p, f: sp.besseli(p[0], p[1]) / p[1] ** p[0],
        lambda p, parts: "arcsine law" if p[0] == 0 else "semicircle law" if p[0] == 1 else "symmetric beta law",
        lambda p, f, inside: whole_from(p[0], 0) and affine(p[1]),
        numbers=2,
    ),
    # tan(w)/w is a sum of transforms 8/((2k-1)^2 pi^2 - 4w^2) of Laplace laws.
    "tangent": Rule(
        TRANSFORM,
        lambda p, f: sp.tan(p[0]) / p[0],
        "mixture of Laplace laws",
        lambda p, f, inside: affine_within(p[0], sp.pi / 2, inside),
        numbers=1,
    ),
    "spline": Rule(TRANSFORM, spline, "piecewise polynomial density", is_density, numbers=None),
    "weighted-gaussian": Rule(
        TRANSFORM, weighted_gaussian, "Gaussian times a polynomial", weight_on_the_line, numbers=None
    ),
    "half-gaussian": Rule(
        TRANSFORM,
        weighted_half_gaussian,
        lambda p, parts: "Gaussian cut to a half-line" + (" times a polynomial" if len(p) > 3 else ""),
        weight_on_the_half_line,
        numbers=None,
    ),
    # log((d + D)/D) is the integral of e^{-sD} (1 - e^{-sd})/s over s > 0 (Frullani).
    "frullani": Rule(
        TRANSFORM,
        lambda p, f: sp.log(p[0] - f[0]) - sp.log(-f[0]),
        timed("difference of exponentials over r"),
        lambda p, f, inside: positive(p[0]) and negative(p, f, inside),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    # From here on, power series with no negative coefficient.
    "thinned-poisson": Rule(
        TRANSFORM,
        lambda p, f: sp.exp(f[0]) - sp.Add(*(c * f[0] ** k for k, c in enumerate(p))),
        "compound Poisson with fewer small counts, jumps [{parts[0]}]",
        lambda p, f, inside: all(at_most(c, 1 / sp.factorial(k)) for k, c in enumerate(p)),
        count=1,
        numbers=None,
    ),
    "cosh-series": Rule(TRANSFORM, lambda p, f: sp.cosh(f[0]), "even Poisson number of [{parts[0]}]", count=1),
    "sinh-series": Rule(TRANSFORM, lambda p, f: sp.sinh(f[0]), "odd Poisson number of [{parts[0]}]", count=1),
    "bessel-series": Rule(
        TRANSFORM,
        lambda p, f: sp.besseli(p[0], f[0]),
        "Bessel number of [{parts[0]}]",
        lambda p, f, inside: whole_from(p[0], 0),
        count=1,
        numbers=1,
    ),
    "logarithmic": Rule(
        TRANSFORM, lambda p, f: -sp.log(1 - f[0]), "logarithmic number of [{parts[0]}]", less_than_one, count=1
    ),
    "sibuya": Rule(
        TRANSFORM,
        lambda p, f: 1 - (1 - f[0]) ** p[0],
        "Sibuya number of [{parts[0]}]",
        lambda p, f, inside: proper(p[0]) and less_than_one(p, f, inside),
        count=1,
        numbers=1,
    ),
}
