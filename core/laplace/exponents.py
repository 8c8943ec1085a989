"""The rules by which a formula is known to be the exponent of an infinitely divisible law.

Every exponent is convex, being the logarithm of a transform; that is what makes D = -psi > 0 decidable at the
ends of the interval.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.conditions import (
    affine_positive,
    affine_within,
    less_than_one,
    negative,
    proper,
    real_quadratic,
    second_derivative,
)
from glbcheck.core.laplace.formula import positive
from glbcheck.core.laplace.rule import EXPONENT, Rule, gaussian, independent, timed

EXPONENTS: Mapping[str, Rule] = {
    "quadratic": Rule(EXPONENT, lambda p, f: p[0] * z**2 + p[1] * z + p[2], gaussian, real_quadratic, numbers=3),
    "sum": Rule(
        EXPONENT, lambda p, f: sp.Add(*f), independent, lambda p, f, inside: bool(f), takes=EXPONENT, count=None
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
    "gamma": Rule(EXPONENT, lambda p, f: -sp.log(-f[0]), timed("gamma"), negative, takes=EXPONENT, count=1),
    # e^{-t D^p} is a mixture of e^{-sD} over the positive stable law of index p.
    "stable-time": Rule(
        EXPONENT,
        lambda p, f: -((-f[0]) ** p[0]),
        timed("one-sided stable"),
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
    # w tan w = sum of 2 (1/(1 - w^2/c_k^2) - 1) over the poles c_k > 0 of tan; so is 1 - w cot w.
    "tangent-jumps": Rule(
        EXPONENT,
        lambda p, f: p[0] * sp.tan(p[0]),
        "compound Poisson, jumps of Laplace laws at the poles of the tangent",
        lambda p, f, inside: affine_within(p[0], sp.pi / 2, inside),
        numbers=1,
    ),
    "cotangent-jumps": Rule(
        EXPONENT,
        lambda p, f: -p[0] / sp.tan(p[0]),
        "compound Poisson, jumps of Laplace laws at the poles of the cotangent",
        lambda p, f, inside: affine_within(p[0], sp.pi, inside),
        numbers=1,
    ),
    # cosh(x^(1/2)) and sinh(x^(1/2))/x^(1/2) are products of 1 + x/c_k^2: sums of gamma times.
    "cosh-time": Rule(
        EXPONENT,
        lambda p, f: -sp.log(sp.cosh(sp.sqrt(-f[0]))),
        timed("exit time of a Brownian motion from an interval"),
        negative,
        takes=EXPONENT,
        count=1,
    ),
    "sinh-time": Rule(
        EXPONENT,
        lambda p, f: sp.log(sp.sqrt(-f[0])) - sp.log(sp.sinh(sp.sqrt(-f[0]))),
        timed("hitting time of a sphere by a three-dimensional Brownian motion"),
        negative,
        takes=EXPONENT,
        count=1,
    ),
    # Kaluza: where a_{k-1} a_{k+1} >= a_k^2 > 0 the logarithm of the sum of a_k x^k has no negative coefficient.
    "log-convex-logarithmic": Rule(
        EXPONENT,
        lambda p, f: sp.log(-sp.log(1 - f[0])) - sp.log(f[0]),
        "logarithmic number of [{parts[0]}], less one",
        less_than_one,
        count=1,
    ),
    "log-convex-sibuya": Rule(
        EXPONENT,
        lambda p, f: sp.log(1 - (1 - f[0]) ** p[0]) - sp.log(f[0]),
        "Sibuya number of [{parts[0]}], less one",
        lambda p, f, inside: proper(p[0]) and less_than_one(p, f, inside),
        count=1,
        numbers=1,
    ),
}
