"""The rules by which a formula is known to be a Laplace transform.

Two kinds of formula, on one open interval:

    transform   f(z) = integral of e^{rz} over a positive measure
    exponent    psi(z) with e^{t psi} a transform for every t > 0: an infinitely divisible law

A rule says what it makes of its parts and its exact parameters, and when it may be applied.  Every exponent
is convex, being the logarithm of a transform; that is what makes D = -psi > 0 decidable at the ends of the
interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.conditions import (
    Formulas,
    Parameters,
    affine_ends,
    affine_positive,
    affine_within,
    at_most,
    less_than_one,
    negative,
    proper,
    real_quadratic,
    second_derivative,
    whole_from,
)
from glbcheck.core.laplace.formula import Where, affine, positive

TRANSFORM, EXPONENT = "transform", "exponent"


@dataclass(frozen=True)
class Rule:
    """`gives` a transform or an exponent from `count` parts of the kind `takes` and so many `numbers`.

    None is any number of them.  `words` are a function or a text with places for p and parts.
    """

    gives: str
    formula: Callable[[Parameters, Formulas], sp.Expr]
    words: str | Callable[[Parameters, list[str]], str]
    holds: Callable[[Parameters, Formulas, Where], bool] = lambda p, f, inside: True
    takes: str = TRANSFORM
    count: int | None = 0
    numbers: int | None = 0

    def describe(self, p: Parameters, parts: list[str]) -> str:
        return self.words.format(p=p, parts=parts) if isinstance(self.words, str) else self.words(p, parts)


# --- words ---------------------------------------------------------------------------------------------


NOTHING = "point mass at 0"


def _join(parts: list[str]) -> str:
    if len(parts) > 4:
        parts = [*parts[:3], f"{len(parts) - 3} more"]
    return " and ".join(parts)


def _independent(p: Parameters, parts: list[str]) -> str:
    """A sum of independent variables; a point mass at 0 adds nothing."""
    kept = [part for part in parts if part != NOTHING]
    return f"sum of independent [{_join(kept)}]" if len(kept) > 1 else next(iter(kept), NOTHING)


def _timed(what: str) -> Callable[[Parameters, list[str]], str]:
    """A law in random time; of a mere drift only the time is left."""
    return lambda p, parts: what if parts[0].startswith("point mass") else f"{what}-timed [{parts[0]}]"


def _gaussian(p: Parameters, parts: list[str]) -> str:
    q, a, _ = p
    return f"point mass at {a}" if q == 0 else f"Gaussian of variance {2 * q}"


RULES: Mapping[str, Rule] = {
    # --- transforms
    "constant": Rule(TRANSFORM, lambda p, f: p[0], NOTHING, lambda p, f, inside: positive(p[0]), numbers=1),
    "exponential": Rule(TRANSFORM, lambda p, f: sp.exp(f[0]), "{parts[0]}", takes=EXPONENT, count=1),
    "mixture": Rule(
        TRANSFORM,
        lambda p, f: sp.Add(*f),
        lambda p, parts: f"mixture of [{_join(parts)}]",
        lambda p, f, inside: bool(f),
        count=None,
    ),
    "product": Rule(TRANSFORM, lambda p, f: sp.Mul(*f), _independent, lambda p, f, inside: bool(f), count=None),
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
    # The integral of e^{rw - r^2/(4q)} over r > 0.
    "half-gaussian": Rule(
        TRANSFORM,
        lambda p, f: sp.exp(p[0] * p[1] ** 2) * (1 + sp.erf(sp.sqrt(p[0]) * p[1])),
        "Gaussian cut to a half-line",
        lambda p, f, inside: positive(p[0]) and affine(p[1]),
        numbers=2,
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
    # --- exponents
    "quadratic": Rule(EXPONENT, lambda p, f: p[0] * z**2 + p[1] * z + p[2], _gaussian, real_quadratic, numbers=3),
    "sum": Rule(
        EXPONENT, lambda p, f: sp.Add(*f), _independent, lambda p, f, inside: bool(f), takes=EXPONENT, count=None
    ),
    "multiple": Rule(
        EXPONENT,
        lambda p, f: p[0] * f[0],
        "{parts[0]}",
        lambda p, f, inside: positive(p[0]),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    "jumps": Rule(EXPONENT, lambda p, f: f[0], "compound Poisson, jumps [{parts[0]}]", count=1),
    # D^-t is the gamma mixture of e^{-sD} over s.
    "gamma": Rule(EXPONENT, lambda p, f: -sp.log(-f[0]), _timed("gamma"), negative, takes=EXPONENT, count=1),
    # e^{-t D^p} is a mixture of e^{-sD} over the positive stable law of index p.
    "stable-time": Rule(
        EXPONENT,
        lambda p, f: -((-f[0]) ** p[0]),
        _timed("one-sided stable"),
        lambda p, f, inside: proper(p[0]) and negative(p, f, inside),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    # Stable laws skewed to one side: e^{w^p}, 1 < p < 2, and e^{w log w}.
    "stable": Rule(
        EXPONENT,
        lambda p, f: p[1] ** p[0],
        "one-sided stable of index {p[0]}, tilted",
        lambda p, f, inside: proper(p[0] - 1) and affine_positive(p[1], inside),
        numbers=2,
    ),
    "landau": Rule(
        EXPONENT,
        lambda p, f: p[0] * sp.log(p[0]),
        "one-sided stable of index 1, tilted",
        lambda p, f, inside: affine_positive(p[0], inside),
        numbers=1,
    ),
    # Kolmogorov: psi'' the transform of rho makes psi a drift plus the integral of (e^{rz} - 1 - rz)/r^2 rho.
    "kolmogorov": Rule(
        EXPONENT,
        lambda p, f: p[0],
        "infinitely divisible, jumps r of intensity r^-2 [{parts[0]}]",
        second_derivative,
        count=1,
        numbers=1,
    ),
    "log-gamma": Rule(
        EXPONENT,
        lambda p, f: sp.loggamma(p[0]),
        "logarithm of a gamma variable",
        lambda p, f, inside: affine_positive(p[0], inside),
        numbers=1,
    ),
    "log-beta": Rule(
        EXPONENT,
        lambda p, f: sp.loggamma(p[0]) - sp.loggamma(p[0] + p[1]),
        "logarithm of a beta variable",
        lambda p, f, inside: affine_positive(p[0], inside) and positive(p[1]),
        numbers=2,
    ),
    # 1/cos w and w/sin w are products of Laplace transforms 1/(1 - w^2/c_k^2).
    "secant": Rule(
        EXPONENT,
        lambda p, f: -sp.log(sp.cos(p[0])),
        "hyperbolic secant",
        lambda p, f, inside: affine_within(p[0], sp.pi / 2, inside),
        numbers=1,
    ),
    "logistic": Rule(
        EXPONENT,
        lambda p, f: sp.log(p[0] / sp.sin(p[0])),
        "logistic",
        lambda p, f, inside: affine_within(p[0], sp.pi, inside),
        numbers=1,
    ),
}
