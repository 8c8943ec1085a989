"""The rules by which a formula is known to be a Laplace transform.

Two kinds of formula, on one open interval:

    transform   f(z) = integral of e^{rz} over a positive measure
    exponent    psi(z) with e^{t psi} a transform for every t > 0: an infinitely divisible law

A rule says what it makes of its parts and its exact parameters, and when it may be applied.  Every exponent
is convex, being the logarithm of a transform; that is what makes D = -psi > 0 decidable at the ends of the
interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.equality import same
from glbcheck.core.laplace.formula import Where, affine, positive, positive_if_concave

TRANSFORM, EXPONENT = "transform", "exponent"
ENTIRE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf)  # on the real line
Parameters = tuple[sp.Expr, ...]
Formulas = Sequence[sp.Expr]


@dataclass(frozen=True)
class Rule:
    """`gives` a transform or an exponent from `count` parts of the kind `takes` and so many `numbers`.

    None is any number of them.
    """

    gives: str
    formula: Callable[[Parameters, Formulas], sp.Expr]
    words: Callable[[Parameters, list[str]], str]
    holds: Callable[[Parameters, Formulas, Where], bool] = lambda p, f, inside: True
    takes: str = TRANSFORM
    count: int | None = 0
    numbers: int | None = 0


# --- side conditions ---------------------------------------------------------------------------------


def _whole(n: sp.Expr, least: int) -> bool:
    return bool(n.is_Integer and n >= least)


def _proper(p: sp.Expr) -> bool:
    return bool(p.is_Rational and 0 < p < 1)


def _affine_positive(w: sp.Expr, inside: Where) -> bool:
    return affine(w) and positive_if_concave(w, inside)


def _affine_within(w: sp.Expr, reach: sp.Expr, inside: Where) -> bool:
    """-reach < w < reach on the interval."""
    return affine(w) and all(positive_if_concave(reach + side * w, inside) for side in (1, -1))


def _quadratic(p: Parameters, f: Formulas, inside: Where) -> bool:
    q, a, b = p
    constants = not any(x.free_symbols for x in p) and all(x.is_zero or positive(x**2) for x in (a, b))
    return constants and bool(q.is_zero or positive(q))


def _uniform(p: Parameters, f: Formulas, inside: Where) -> bool:
    low, high = p
    return all(affine(w) or not w.free_symbols for w in p) and affine(sp.expand(high - low))


def _less_than_one(p: Parameters, f: Formulas, inside: Where) -> bool:
    return positive_if_concave(1 - f[0], inside)


def _negative(p: Parameters, f: Formulas, inside: Where) -> bool:
    return positive_if_concave(-f[0], inside)


def _at_most(c: sp.Expr, bound: sp.Rational) -> bool:
    return bool(c == bound) or positive(bound - c)


def _second_derivative(p: Parameters, f: Formulas, inside: Where) -> bool:
    return _analytic(p[0], inside) and same(sp.diff(p[0], z, 2), f[0])


def _analytic(psi: sp.Expr, inside: Where) -> bool:
    """Analytic on the interval, so that its formal derivative is its derivative: atan(1/z) jumps at 0."""
    if psi == z or not psi.free_symbols:
        return True
    if psi.is_Pow and psi.base != sp.E and not (psi.exp.is_Integer and psi.exp > 0):
        return not psi.exp.free_symbols and _affine_positive(psi.base, inside)
    if isinstance(psi, sp.log | sp.loggamma | sp.gamma):
        return _affine_positive(psi.args[0], inside)
    known = psi.is_Add or psi.is_Mul or psi.is_Pow or isinstance(psi, ENTIRE)
    return bool(known) and all(_analytic(part, inside) for part in psi.args)


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
    "constant": Rule(
        TRANSFORM,
        lambda p, f: p[0],
        lambda p, parts: NOTHING,
        lambda p, f, inside: positive(p[0]),
        numbers=1,
    ),
    "exponential": Rule(TRANSFORM, lambda p, f: sp.exp(f[0]), lambda p, parts: parts[0], takes=EXPONENT, count=1),
    "mixture": Rule(
        TRANSFORM,
        lambda p, f: sp.Add(*f),
        lambda p, parts: f"mixture of [{_join(parts)}]",
        lambda p, f, inside: bool(f),
        count=None,
    ),
    "product": Rule(
        TRANSFORM,
        lambda p, f: sp.Mul(*f),
        _independent,
        lambda p, f, inside: bool(f),
        count=None,
    ),
    "power": Rule(
        TRANSFORM,
        lambda p, f: f[0] ** p[0],
        lambda p, parts: f"sum of {p[0]} independent [{parts[0]}]",
        lambda p, f, inside: _whole(p[0], 1),
        count=1,
        numbers=1,
    ),
    "uniform": Rule(
        TRANSFORM,
        lambda p, f: (sp.exp(p[1]) - sp.exp(p[0])) / sp.expand(p[1] - p[0]),
        lambda p, parts: f"uniform between {sp.diff(p[0], z)} and {sp.diff(p[1], z)}",
        _uniform,
        numbers=2,
    ),
    # I_n(w)/w^n is, up to a positive constant, the integral of e^{rw} (1 - r^2)^{n - 1/2} over [-1, 1].
    "bessel": Rule(
        TRANSFORM,
        lambda p, f: sp.besseli(p[0], p[1]) / p[1] ** p[0],
        lambda p, parts: "arcsine law" if p[0] == 0 else "semicircle law" if p[0] == 1 else "symmetric beta law",
        lambda p, f, inside: _whole(p[0], 0) and affine(p[1]),
        numbers=2,
    ),
    # tan(w)/w is a sum of transforms 8/((2k-1)^2 pi^2 - 4w^2) of Laplace laws.
    "tangent": Rule(
        TRANSFORM,
        lambda p, f: sp.tan(p[0]) / p[0],
        lambda p, parts: "mixture of Laplace laws",
        lambda p, f, inside: _affine_within(p[0], sp.pi / 2, inside),
        numbers=1,
    ),
    # The integral of e^{rw - r^2/(4q)} over r > 0.
    "half-gaussian": Rule(
        TRANSFORM,
        lambda p, f: sp.exp(p[0] * p[1] ** 2) * (1 + sp.erf(sp.sqrt(p[0]) * p[1])),
        lambda p, parts: "Gaussian cut to a half-line",
        lambda p, f, inside: positive(p[0]) and affine(p[1]),
        numbers=2,
    ),
    # From here on, power series with no negative coefficient.
    "thinned-poisson": Rule(
        TRANSFORM,
        lambda p, f: sp.exp(f[0]) - sp.Add(*(c * f[0] ** k for k, c in enumerate(p))),
        lambda p, parts: f"compound Poisson with fewer small counts, jumps [{parts[0]}]",
        lambda p, f, inside: all(_at_most(c, 1 / sp.factorial(k)) for k, c in enumerate(p)),
        count=1,
        numbers=None,
    ),
    "cosh-series": Rule(
        TRANSFORM,
        lambda p, f: sp.cosh(f[0]),
        lambda p, parts: f"even Poisson number of [{parts[0]}]",
        count=1,
    ),
    "sinh-series": Rule(
        TRANSFORM,
        lambda p, f: sp.sinh(f[0]),
        lambda p, parts: f"odd Poisson number of [{parts[0]}]",
        count=1,
    ),
    "bessel-series": Rule(
        TRANSFORM,
        lambda p, f: sp.besseli(p[0], f[0]),
        lambda p, parts: f"Bessel number of [{parts[0]}]",
        lambda p, f, inside: _whole(p[0], 0),
        count=1,
        numbers=1,
    ),
    "logarithmic": Rule(
        TRANSFORM,
        lambda p, f: -sp.log(1 - f[0]),
        lambda p, parts: f"logarithmic number of [{parts[0]}]",
        _less_than_one,
        count=1,
    ),
    # --- exponents
    "quadratic": Rule(
        EXPONENT,
        lambda p, f: p[0] * z**2 + p[1] * z + p[2],
        _gaussian,
        _quadratic,
        numbers=3,
    ),
    "sum": Rule(
        EXPONENT,
        lambda p, f: sp.Add(*f),
        _independent,
        lambda p, f, inside: bool(f),
        takes=EXPONENT,
        count=None,
    ),
    "multiple": Rule(
        EXPONENT,
        lambda p, f: p[0] * f[0],
        lambda p, parts: parts[0],
        lambda p, f, inside: positive(p[0]),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    "jumps": Rule(EXPONENT, lambda p, f: f[0], lambda p, parts: f"compound Poisson, jumps [{parts[0]}]", count=1),
    # D^-t is the gamma mixture of e^{-sD} over s.
    "gamma": Rule(
        EXPONENT,
        lambda p, f: -sp.log(-f[0]),
        _timed("gamma"),
        _negative,
        takes=EXPONENT,
        count=1,
    ),
    # e^{-t D^p} is a mixture of e^{-sD} over the positive stable law of index p.
    "stable-time": Rule(
        EXPONENT,
        lambda p, f: -((-f[0]) ** p[0]),
        _timed("one-sided stable"),
        lambda p, f, inside: _proper(p[0]) and _negative(p, f, inside),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    # Stable laws skewed to one side: e^{w^p}, 1 < p < 2, and e^{w log w}.
    "stable": Rule(
        EXPONENT,
        lambda p, f: p[1] ** p[0],
        lambda p, parts: f"one-sided stable of index {p[0]}, tilted",
        lambda p, f, inside: _proper(p[0] - 1) and _affine_positive(p[1], inside),
        numbers=2,
    ),
    "landau": Rule(
        EXPONENT,
        lambda p, f: p[0] * sp.log(p[0]),
        lambda p, parts: "one-sided stable of index 1, tilted",
        lambda p, f, inside: _affine_positive(p[0], inside),
        numbers=1,
    ),
    # Kolmogorov: psi'' the transform of rho makes psi a drift plus the integral of (e^{rz} - 1 - rz)/r^2 rho.
    "kolmogorov": Rule(
        EXPONENT,
        lambda p, f: p[0],
        lambda p, parts: f"infinitely divisible, jumps r of intensity r^-2 [{parts[0]}]",
        _second_derivative,
        count=1,
        numbers=1,
    ),
    "log-gamma": Rule(
        EXPONENT,
        lambda p, f: sp.loggamma(p[0]),
        lambda p, parts: "logarithm of a gamma variable",
        lambda p, f, inside: _affine_positive(p[0], inside),
        numbers=1,
    ),
    "log-beta": Rule(
        EXPONENT,
        lambda p, f: sp.loggamma(p[0]) - sp.loggamma(p[0] + p[1]),
        lambda p, parts: "logarithm of a beta variable",
        lambda p, f, inside: _affine_positive(p[0], inside) and positive(p[1]),
        numbers=2,
    ),
    # 1/cos w and w/sin w are products of Laplace transforms 1/(1 - w^2/c_k^2).
    "secant": Rule(
        EXPONENT,
        lambda p, f: -sp.log(sp.cos(p[0])),
        lambda p, parts: "hyperbolic secant",
        lambda p, f, inside: _affine_within(p[0], sp.pi / 2, inside),
        numbers=1,
    ),
    "logistic": Rule(
        EXPONENT,
        lambda p, f: sp.log(p[0] / sp.sin(p[0])),
        lambda p, parts: "logistic",
        lambda p, f, inside: _affine_within(p[0], sp.pi, inside),
        numbers=1,
    ),
}
