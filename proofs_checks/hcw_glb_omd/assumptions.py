"""The assumptions on the log-partition m, the arms and the link mu = m', and what follows from them.

z = <x, theta> lies in [-S, S]; L, R and kappa are the paper's L_mu, R_s and kappa.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.family import z
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, definition, fails, gap, implies

from .technical_lemmas import slope_times_exponential

R = sp.Symbol("R", positive=True)

definition(
    "assumption:bound",
    reason="names the unit ball of arms and the ball of radius S that holds the parameter; what follows from "
    "them, z in [-S, S], is decided at assumption:link-function",
)


@claim(
    "assumption:m",
    hypotheses=("m is differentiable and convex",),
    control=("a strictly increasing mean", "(a - b)**2/10**6"),
    facts=("convex-tangent",),
)
def mean_does_not_decrease(least: str = "0") -> Evidence:
    """mu = m' does not decrease; a slope mu' > 0 does not follow."""
    # The tangents of m at a and at b, each below the other point, added up.
    return implies(["m_b >= m_a + mu_a*(b - a)", "m_a >= m_b + mu_b*(a - b)"], f"(mu_a - mu_b)*(a - b) >= {least}")


def curvature_bound(rate: sp.Rational) -> Evidence:
    """kappa mu'(0) <= e^{rate R S}, put to the extremal mu' = e^{Rz} with u = RS, and the argument for it."""
    return combine(
        slope_times_exponential(R), slope_times_exponential(-R), ladder.inequality(f"1/exp(-u) <= exp({rate}*u)", "u")
    )


@claim(
    "assumption:m",
    "assumption:link-function",
    math=r"\kappa = \frac{1}{\min_{\lvert z \rvert \le S} \mu'(z)} < \infty \impliedby \mu'(z) > 0 \text{ for some } "
    r"z \in [-S, S]",
    hypotheses=("m is convex", "mu' <= L and |mu''| <= R mu' on [-S, S]"),
    expected="gap",
    control=("slopes of at least 10^-6", Fraction(1, 10**6)),
    severity="hypothesis",
    consequence="harmless: a reward of positive variance at one z has mu' > 0 on all of [-S, S]; without it the "
    "reward is a constant and there is no regret",
    facts=("monotone",),
    carries=("second_sum", "third_sum"),
)
def curvature_constant_is_finite(floor: Fraction = Fraction(0)) -> Evidence:
    """kappa = 1/min mu' is a number: it needs mu' > 0 somewhere on [-S, S], and then kappa <= e^{RS}/mu'(0).

    mu' e^{Rz} increases and mu' e^{-Rz} decreases, so mu'(z) >= mu'(0) e^{-R|z|}, and mu' vanishes nowhere
    or everywhere.  Attained by the Poisson law.  A constant reward, m = cz, meets both assumptions, and its
    kappa is 1/0.
    """
    # The assumptions at one point z, for a slope that may be as small as the floor.
    some_slope_is_positive = fails(
        ("L > 0", "R >= 0", f"slope >= {floor}", "slope <= L", "abs(bend) <= R*slope"),
        "slope > 0",
        at={"L": 1, "R": 1, "slope": floor, "bend": 0},
    )
    return gap(curvature_bound(sp.S.One), some_slope_is_positive)


@claim(
    "assumption:link-function",
    math=r"\lvert \mu(b) - \mu(a) \rvert \le L_\mu \lvert b - a \rvert \text{ for all real } a, b",
    hypotheses=("mu' <= L on [-S, S]",),
    expected="refuted",
    control=("two points of [-S, S]", -1, 1),
    severity="slip",
    consequence="none: mu is only compared at points of [-S, S], where the mean value theorem is enough",
    carries=("covering_number",),
)
def slope_bound_is_lipschitz(a: int = 0, b: int = 2) -> Evidence:
    """L is the Lipschitz constant of mu on the line: false, the assumption only speaks of [-S, S]."""
    # |mu(b) - mu(a)| <= L |b - a| for mu = e^z with L = e^S the largest slope on [-S, S], at S = 1.
    return fails(("S > 0", "a < b"), "exp(b) - exp(a) <= exp(S)*(b - a)", at={"S": 1, "a": a, "b": b})


def increment_of_the_mean(factor: int) -> Evidence:
    """mu(b) - mu(a) = integral over v in [0, 1] of factor (b - a) mu'(a + v(b - a)), for generic mu."""
    a, b, v = sp.symbols("a b v", real=True)
    path = a + v * (b - a)
    slope = factor * (b - a) * symbolic.smooth("mu", 1)(path)
    return symbolic.taylor_remainder("mu", 0, slope, v, path, a, b, (0, 1))


@claim(
    "assumption:link-function",
    "assumption:bound",
    math=r"\lvert \mu(\langle x, \theta \rangle) - \mu(\langle x, \theta' \rangle) \rvert \le L_\mu \lvert \langle x, "
    r"\theta - \theta' \rangle \rvert \text{ for } \lVert x \rVert \le 1, \; \theta, \theta' \in \Theta",
    reading="repaired",
    hypotheses=("mu' <= L on [-S, S]", "|x| <= 1", "theta and theta' in the ball of radius S"),
    control=("Cauchy-Schwarz with the constant 99/100", "(99/100)"),
    facts=("taylor", "cauchy-schwarz"),
)
def slope_bound_is_lipschitz_repaired(share: str = "1") -> Evidence:
    """|mu(<x, theta>) - mu(<x, theta'>)| <= L |<x, theta - theta'>|: all values between lie in [-S, S].

    |<x, theta>| <= |x| |theta| <= S, the interval is convex, and the increment is the integral of mu'.  The
    assumption names the arms that will appear; constants for all of [-S, S] do not depend on them.
    """
    # <x, theta>^2 <= share |x|^2 |theta|^2: with p = <x, theta>, from |x - t theta|^2 >= 0 at the best t.
    inner_product_range = implies(["n > 0", "q >= 0", "q - 2*p*t + n*t**2 >= 0", "t == p/n"], f"p**2 <= {share}*n*q")
    return combine(increment_of_the_mean(1), inner_product_range)


@claim(
    "assumption:link-function",
    hypotheses=("mu(z) = 1/(1 + e^-z)",),
    control=("R_s = tanh(1/2), the constant on [-1, 1], for all z", "tanh(1/2)"),
)
def self_concordance_is_local(bound: str = "1") -> Evidence:
    """The logistic mean has R_s = tanh(S/2) on [-S, S] and R_s = 1, no less, on the line.

    |mu''|/mu' = tanh(|z|/2), written in y = e^|z| as (y - 1)/(y + 1).  So the constant the assumption asks
    for is smaller than what holds outside [-S, S], and a step that leaves the interval, such as a Gaussian
    mixture over theta, may not use it.
    """
    # mu'' = -tanh(z/2) mu' for the logistic mean; tanh(z/2) grows, under the bound and past any R < 1.
    m = catalog.get("bernoulli").log_partition
    ratio = (sp.exp(z) - 1) / (sp.exp(z) + 1)
    return combine(
        symbolic.identity(sp.Derivative(m, z, 3), -ratio * sp.Derivative(m, z, 2)),
        symbolic.identity(ratio, sp.tanh(z / 2)),
        symbolic.identity(sp.Derivative(ratio, z), 2 * sp.exp(z) / (1 + sp.exp(z)) ** 2),
        ladder.inequality(f"exp(z) - 1 <= {bound}*(exp(z) + 1)", "z"),
        implies(["R >= 0", "R < 1", "y > (1 + R)/(1 - R)"], "y - 1 > R*(y + 1)"),
    )


@claim("assumption:link-function", hypotheses=("m(z) = -log(a - z)", "0 < S < a"), control=("R_s = 1/(a - S)", 1))
def gamma_is_self_concordant_inside(constant: int = 2) -> Evidence:
    """Gamma rewards meet the assumption on [-S, S] with R_s = 2/(a - S) when shifted to live on z < a.

    They have no finite constant on their whole domain, and m is not defined on the line; only the mixture
    over theta in R^d asks for either.
    """
    # m = -log(a - z): mu'' = 2 mu'/(a - z) <= (constant/(a - S)) mu' for |z| <= S < a.
    a = sp.Symbol("a", positive=True)
    slope, bend = (sp.Derivative(-sp.log(a - z), z, order) for order in (2, 3))
    return combine(
        symbolic.identity(bend, 2 * slope / (a - z), hypotheses=["z < a"]),
        implies(["S > 0", "a > S", "z <= S"], f"2/(a - z) <= {constant}/(a - S)"),
    )
