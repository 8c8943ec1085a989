"""The corruption-dependent lower bound: the arms, their means, and how far apart these are."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import lower_constants
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, text_of

R, D, s = sp.symbols("R D s", positive=True)


@claim("app:lower-bound-corruption", hypotheses=("d >= 3",), control=("cos phi", 1))
def construction_of_the_arms(power: int = 2) -> Evidence:
    """Unit vectors with inner product cos^2 phi: one arm has mean mu(S), the others mu(S cos^2 phi).

    The two arguments differ by D = S sin^2 phi.
    """
    # x_i = e_1 cos phi + e_(i+1) sin phi are unit vectors with <x_i, x_j> = cos^power phi.
    distance = text_of(lambda S, c: lower_constants.gap(lambda z: z, S, c), "S", "c")
    square = implies(["c**2 + s**2 == 1"], f"{distance} == S*s**2")
    return combine(
        implies(["c**2 + s**2 == 1"], "c*c + s*s + 0*0 == 1"),
        implies(["c**2 + s**2 == 1"], f"c*c + s*0 + 0*s == c**{power}"),
        square,
    )


def mean_slope(rate: sp.Rational) -> Evidence:
    """(e^u - 1)/u <= e^(rate u) and (1 - e^-u)/u >= e^(-rate u), for u >= 0."""
    return combine(
        ladder.inequality(f"exp(u) - 1 <= u*exp(({rate})*u)", "u"),
        ladder.inequality(f"1 - exp(-u) >= u*exp(-({rate})*u)", "u"),
    )


def saturated_logistic(S: int) -> Evidence:
    """Delta <= K mu'(S) D for the logistic link at sin^2 phi = 1/1000, with K = 10^6."""
    return fails(
        ("S > 0", "sin2 > 0", "sin2 <= 1/1000", "K >= 1"),
        "delta_over_slope <= K*D",
        {"D": "S*sin2", "delta_over_slope": "(1 + exp(-S))*(exp(D) - 1)/(1 + exp(D - S))"},
        at={"S": S, "sin2": sp.Rational(1, 1000), "K": 10**6},
    )


def beyond_every_factor() -> Evidence:
    """With t = e^-S, y = e^D, Delta/mu'(S) is (1 + t)(y - 1)/(1 + y t) >= (y - 1)/2, and y > 1 + D + D^2/2."""
    t, y = sp.symbols("t y", positive=True)
    quotient = symbolic.identity((1 / (1 + t) - 1 / (1 + y * t)) / (t / (1 + t) ** 2), (1 + t) * (y - 1) / (1 + y * t))
    ratio = implies(["t > 0", "t <= 1", "y >= 1", "y*t <= 1"], "(1 + t)*(y - 1)/(1 + y*t) >= (y - 1)/2")
    return combine(quotient, ratio, ladder.inequality("exp(D) > 1 + D + D**2/2", "D", closed=(False, True)))


@claim(
    "app:lower-bound-corruption",
    math=r"\Delta \asymp \mu'(S) D, \; D = S \sin^2 \varphi \impliedby R_s D = O(1)",
    hypotheses=("|mu''| <= R mu'",),
    expected="gap",
    control=("S = 250, so u = 1/4", lambda: gap(mean_slope(sp.S.One), saturated_logistic(250))),
    severity="slip",
    consequence="Delta = mu'(S) S sin^2 phi up to a factor needs R S sin^2 phi bounded: phi small for S fixed, not S "
    "large for phi fixed; the proof does not use it",
    uses=("self_concordance_mean",),
    facts=("monotone", "taylor"),
)
def gap_is_slope_times_distance() -> Evidence:
    """Delta is mu'(S) D, D = S sin^2 phi, within the factors e^(+-u) for u = R D; not for S large, phi small.

    Slopes at distance s from S lie within e^(+-Rs) of mu'(S), so Delta/mu'(S) lies between the integrals (1
    - e^-u)/R and (e^u - 1)/R.  However small phi is, S may be so large that D is large too: for the logistic
    link Delta/(mu'(S) D) is at least (e^D - 1)/(2D) > 1/2 + D/4, and no factor bounds it.
    """
    closed = combine(
        symbolic.integral(sp.exp(R * s), sp.exp(R * s) / R, s, 0, D, (sp.exp(R * D) - 1) / R),
        symbolic.integral(sp.exp(-R * s), -sp.exp(-R * s) / R, s, 0, D, (1 - sp.exp(-R * D)) / R),
    )
    return gap(combine(closed, mean_slope(sp.S.One)), refuted(saturated_logistic(10**5), beyond_every_factor()))


@claim(
    "app:lower-bound-corruption",
    math=r"\mu'(S) \asymp \frac{1}{\kappa} \text{ for large } S",
    hypotheses=("Poisson rewards",),
    expected="refuted",
    control=(
        "logistic rewards, whose slope is even and decreasing",
        "exp(-S)/(1 + exp(-S))**2",
        "exp(-S)/(1 + exp(-S))**2",
    ),
    severity="slip",
    consequence="for Poisson rewards theta = S x_i lies in the steepest region and Delta is near kappa S sin^2 phi; "
    "the bound does not depend on it, the story of the saturated regime does",
)
def edge_of_the_ball_is_flat(slope: str = "exp(S)", smallest: str = "exp(-S)") -> Evidence:
    """mu'(S) is about 1/kappa: false for Poisson rewards, whose slope is smallest at -S; mu'(S) = kappa.

    The ratio kappa mu'(S) = e^(2S) exceeds every factor K, at S = K already.
    """
    # mu'(S) <= K/kappa, kappa being one over the smallest slope on [-S, S].
    steep = fails(
        ("S > 0", "K >= 1"), "slope <= K/kappa", {"slope": slope, "kappa": f"1/({smallest})"}, at={"S": 10, "K": 10**6}
    )
    return refuted(steep, ladder.inequality("exp(2*S) > S", "S"))
