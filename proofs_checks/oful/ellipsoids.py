"""Confidence ellipsoids: with the determinant as printed; the explicit radius is wrong in dimension one."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, decided, fails, implies, refuted, states

from .setting import BOUNDED, NOISE


@claim(
    "thm:ellipsoid",
    "thm:ellipsoid/eq1",
    math=r"\mathbb{P} \left( \forall t : |\hat\theta_t - \theta_\star|_{V_t} \le b_t \right) \ge 1 - \delta",
    hypotheses=(NOISE, BOUNDED, "lambda > 0", "0 < delta < 1"),
    control=("half of sqrt(lambda) S", "1/2"),
    uses=("self_normalised",),
    facts=("triangle", "loewner-order"),
)
def ellipsoid(share: str = "1") -> Evidence:
    """With probability at least 1 - delta, theta_* lies in the ellipsoid of radius b_t around the estimate, for all t.

    The error is V_t^-1 (z_t - lambda theta_*), whose norm in V_t is that of z_t - lambda theta_* in V_t^-1.  By the
    triangle inequality it is at most n + p, with n = |z_t| and p = lambda |theta_*| in V_t^-1; as V_t - lambda I is
    positive semidefinite, p^2 <= lambda |theta_*|^2.
    """
    return implies(
        ["n <= b", "p >= 0", "p**2 <= lam*s**2", "s >= 0", "s <= S", "lam > 0", "root >= 0", "root**2 == lam"],
        f"n + p <= b + ({share})*root*S",
    )


def mills() -> Evidence:
    """The derivative behind P(N > s) >= phi(s) (1/s - 1/s^3)."""
    s = sp.Symbol("s", positive=True)
    lower = sp.exp(-(s**2) / 2) * (1 / s - 1 / s**3)
    return symbolic.identity(sp.Derivative(lower, s), -sp.exp(-(s**2) / 2) * (1 - 3 / s**4))


@claim(
    "thm:explicit-ellipsoid",
    "thm:explicit-ellipsoid/eq1",
    math=r"\mathbb{P} \left( \forall t : |\hat\theta_t - \theta_\star|_{V_t} \le R \sqrt{d \log \frac{1 + t L^2 / "
    r"\lambda}{\delta}} + \sqrt{\lambda} S \right) \ge 1 - \delta",
    expected="refuted",
    severity="hypothesis",
    consequence="for d = 1 the logarithm of 1/delta needs the factor 2; for d >= 2 the radius is right",
    hypotheses=(NOISE, BOUNDED),
    control=("the radius with 2 log(1/delta)", 2),
    facts=("normal-density", "taylor"),
)
def explicit_ellipsoid(copies: int = 1) -> Evidence:
    """The radius R sqrt(d log((1 + t L^2/lambda)/delta)) + sqrt(lambda) S suffices: not for d = 1.

    One pull of x = 1 with standard normal noise and theta_* = 0: the error is |eta|/sqrt(lambda + 1) in the norm, so
    that theta_* is lost where |eta| > s.  The function phi(s) (1/s - 1/s^3) has a derivative of at least -phi(s) and
    vanishes at infinity, so that it is at most P(eta > s); already its double exceeds delta.
    """
    witness = fails(
        ["lam > 0", "delta > 0", "delta < 1", "S > 0"],
        "2*exp(-s**2/2)/sqrt(2*pi)*(1/s - 1/s**3) <= delta",
        {"s": f"sqrt(lam + 1)*(sqrt(log(1 + 1/lam) + {copies}*log(1/delta)) + sqrt(lam)*S)"},
        at={"lam": Fraction(1, 10), "delta": Fraction(1, 10**6), "S": Fraction(1, 1000)},
    )
    return refuted(witness, mills())


states(
    "d: integer, d >= 2, delta > 0, delta <= 1, a >= 0 => "
    "d*log(1 + a/d) + 2*log(1/delta) <= d*(log(1 + a) + log(1/delta))",
    "thm:explicit-ellipsoid",
    id="explicit_radius_from_two_dimensions",
    reading="repaired",
    control=("d >= 2", "d >= 1"),
    why="a = t L^2/lambda.  By lem:det-trace the left side is at least 2 log(sqrt(det V_t/lambda^d)/delta), so for "
    "d >= 2 the printed radius is at least b_t.",
)


@claim(
    "thm:explicit-ellipsoid",
    math=r"b_t \le R \sqrt{d \log \left( 1 + \frac{t L^2}{d \lambda} \right) + 2 \log \frac{1}{\delta}} + "
    r"\sqrt{\lambda} S",
    reading="repaired",
    hypotheses=(NOISE, BOUNDED, "lambda > 0", "0 < delta < 1"),
    control=("log(1/delta) without its factor 2", "1"),
    uses=("ellipsoid", "determinant_and_trace"),
)
def explicit_ellipsoid_repaired(factor: str = "2") -> Evidence:
    """With R sqrt(d log(1 + t L^2/(d lambda)) + 2 log(1/delta)) + sqrt(lambda) S the ellipsoids hold theta_*.

    ell = log(det V_t/lambda^d) is at most h = d log(1 + t L^2/(d lambda)), and k = 2 log(1/delta) >= 0; the radius
    increases with the determinant.
    """
    return combine(
        decided(f"R > 0, k >= 0, ell >= 0, h >= ell => R*sqrt(ell + k) <= R*sqrt(h + ({factor})/2*k)"),
        decided("D >= 1, delta > 0, delta <= 1 => 2*log(sqrt(D)/delta) == log(D) + 2*log(1/delta)"),
    )
