"""lemma:mixture: the weighted likelihood ratio against a mixture is a supermartingale; Ville's inequality.

Write rho for the ratio of the mixture's density of the new reward to the true one.  Given the past, x_t,
tau_t and w_t are fixed and the reward is drawn from the true density, so the conditional mean of rho is
the mass of the mixture; the rest is the inequality rho^w <= 1 + w(rho - 1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.family import RECIPROCAL, Family
from glbcheck.core.family import g as dispersion
from glbcheck.core.family import r as reward
from glbcheck.core.family import z as natural
from glbcheck.verify.search import exact, montecarlo, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, definition, fails, gap, implies
from numpy.typing import NDArray

from .unprinted import NORMALISED, PREDICTABLE

Array = NDArray[np.float64]


definition(
    "lemma:mixture/eq1",
    reason="M_t is the exponential of the weighted log-likelihood ratio; as M_0, the empty product is 1",
)


# --- the supermartingale --------------------------------------------------------------------------------


def power_below_tangent(factor: sp.Rational) -> Evidence:
    """x^w <= 1 + factor w (x - 1): phi, the difference of logarithms, is concave in w, zero at 0 and 1."""
    x, w = sp.symbols("x w", positive=True)
    phi = sp.log(1 + factor * w * (x - 1)) - w * sp.log(x)
    ends = [f"log(1 + ({factor})*{w}*(x - 1)) - {w}*log(x)" for w in (0, 1)]
    return combine(
        symbolic.identity(sp.Derivative(phi, w, 2), -((factor * (x - 1) / (1 + factor * w * (x - 1))) ** 2)),
        *(symbolic.identity(end, "0", variables=["x"], hypotheses=["x > 0"]) for end in ends),
    )


@claim(
    "lemma:mixture/eq3",
    "lemma:mixture/eq4",
    math=r"\mathbb{E}[M_t \mid F_t] \le M_{t-1} \text{ for } 0 < w_t \le 1",
    reading="repaired",
    hypotheses=(PREDICTABLE, NORMALISED),
    control=("tangent of slope 9/10 w", lambda: power_below_tangent(sp.Rational(9, 10))),
    facts=("tower", "tonelli", "convex-tangent"),
)
def weighted_supermartingale() -> Evidence:
    """E[M_t | F_t] <= M_{t-1} for weights in (0, 1].

    M_t = M_{t-1} rho^w (eq3), and rho^w <= 1 + w(rho - 1), which is the tangent of the concave power at
    1 (at rho = 0 it says 0 <= 1 - w); conditional means keep this inequality.  E[rho | F_t] is the
    integral of the mixture's density where the true one is positive: by Tonelli the mean over P_t of
    masses that are at most one.  The factor of the density that depends on r and tau_t alone cancels in
    rho.
    """
    Y, loss, mix, w = sp.symbols("Y loss mix w", real=True)
    step = symbolic.identity(sp.exp(Y + w * loss - w * mix), sp.exp(Y) * sp.exp(loss - mix) ** w)
    return combine(step, power_below_tangent(sp.S.One))


def masses(family: Family, odds: Fraction) -> dict[sp.Rational, Fraction]:
    """The law of a lattice family with finite support at z = log(odds), exactly."""
    support, at = family.support, sp.log(sp.Rational(odds.numerator, odds.denominator))
    g = sp.Rational(1, 5) if family.dispersions is RECIPROCAL else sp.S.One
    step = sp.S(support.step).subs(dispersion, g)
    law = {}
    for k in range(int((support.upper - support.lower) / step) + 1):
        value = support.lower + k * step
        logarithm = family.log_density_expr.subs({natural: at, reward: value, dispersion: g})
        mass = sp.simplify(sp.exp(sp.simplify(logarithm.rewrite(sp.exp))))
        law[value] = Fraction(int(mass.p), int(mass.q))
    return law


FINITE = ("bernoulli", "binomial", "binomial_proportion", "rademacher", "truncated_poisson")
MIXTURE = {Fraction(1, 3): Fraction(1, 2), Fraction(2): Fraction(1, 4), Fraction(7): Fraction(1, 4)}


def one_step(name: str, w: Fraction) -> Evidence:
    """E[rho^w] <= 1 for a mixture of three parameters against odds 3/2: exact for w = 1, else by balls."""
    family = catalog.get(name)
    true = masses(family, Fraction(3, 2))
    mixed = {odds: masses(family, odds) for odds in MIXTURE}
    rho = {
        value: sum((share * mixed[odds][value] for odds, share in MIXTURE.items()), Fraction(0)) / mass
        for value, mass in true.items()
    }
    mean = exact.closed(f"{weighted_mean(true, rho, 1)} == 1")
    if w == 1:
        return mean
    return combine(mean, exact.closed(f"{weighted_mean(true, rho, w)} <= 1"))


def weighted_mean(law: Mapping[sp.Rational, Fraction], rho: Mapping[sp.Rational, Fraction], w: Fraction | int) -> str:
    """E[rho^w], written out as a sum."""
    return " + ".join(f"({mass})*({rho[value]})**({w})" for value, mass in law.items())


@claim(
    "lemma:mixture/eq4",
    reading="repaired",
    hypotheses=(PREDICTABLE, NORMALISED),
    control=("weight 101/100", lambda: one_step("bernoulli", Fraction(101, 100))),
    uses=("weighted_supermartingale",),
)
def one_step_of_finite_families() -> Evidence:
    """The conditional mean computed from the catalogue's own densities, weights 1/10, 1/2, 99/100 and 1.

    At w = 1 it is exactly one: a martingale, and the mixture mass is exactly one.  Above 1 it exceeds
    one.
    """
    weights = (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100), Fraction(1))
    return combine(*(one_step(name, w) for name in FINITE for w in weights))


@claim(
    "lemma:mixture/eq4",
    math=r"\mathbb{E}[\rho^w] = \exp \left( \frac{m((1 - w) z_\star + w z) - (1 - w) m(z_\star) - w m(z)}{g} \right) "
    r"\le 1",
    reading="repaired",
    hypotheses=(PREDICTABLE, NORMALISED, "P_t is a point mass"),
    control=("the parameter between taken at w^2", 2),
    uses=("weighted_supermartingale",),
    facts=("convex-tangent",),
)
def one_step_of_every_family(power: int = 1) -> Evidence:
    """E[rho^w] = exp((m((1-w) z_* + w z) - (1-w) m(z_*) - w m(z))/g) when P_t sits at z: <= 1 as m is convex.

    True for every GLM, discrete or not: the product of powers of two densities of the family is a density
    of it times a constant.  Less than one for 0 < w < 1 unless m is linear between the two points.
    """
    # The exponent of p_*^(1-w) p^w against that of the density at (1 - w^power) z_* + w^power z.
    z_star, z, r, g, w = sp.symbols("z_star z r g w")
    m = symbolic.smooth("m")
    between = (1 - w**power) * z_star + w**power * z
    joint = ((1 - w) * (r * z_star - m(z_star)) + w * (r * z - m(z))) / g
    excess = (m(between) - (1 - w) * m(z_star) - w * m(z)) / g
    return symbolic.identity(joint, (r * between - m(between)) / g + excess)


@claim(
    "lemma:mixture",
    "lemma:mixture/eq4",
    "sec:proof-sketch/eq3",
    math=r"\mathbb{E}[\rho] \le 1 \impliedby \int e^{(r z - m(z))/g} \, d\nu_g(r) \le 1 \text{ for every } z",
    hypotheses=("rewards have density proportional to exp((r z - m(z))/g) for a fixed base measure",),
    expected="gap",
    control=("the same coin with g = 1", 1),
    severity="hypothesis",
    consequence="exp(-loss) must integrate to one for every theta: the base measure has to depend on tau_t",
    carries=("confidence_sequence_as_printed",),
)
def likelihoods_must_be_normalised(g: int = 2) -> Evidence:
    """exp(-loss) is taken for a density in theta; proportionality alone does not give that.

    With m(z) = log(1 + e^z), rewards 0 and 1 and g = 2, the normaliser (1 + e^{z/2})/(1 + e^z)^{1/2}
    depends on z, and one step multiplies the mean of M by 91/85.  The mixing law is Gaussian, so the
    density is needed on the whole line: outside the natural domain it must be read as zero, which only
    lowers the mass.
    """
    # E[rho] for rewards 0 and 1 with dispersion g, P_t at odds k^g, the truth at ks^g, one base measure.
    # The true law is proportional to exp(r z/g): a head has probability ks/(1 + ks) with ks = e^(z/g).
    normaliser = fails(
        ("k > 0", "ks > 0"),
        "tail*scale + head*(k/ks)*scale <= 1",
        {"head": "ks/(1 + ks)", "tail": "1/(1 + ks)", "scale": f"(1 + ks**{g})**(1/{g})/(1 + k**{g})**(1/{g})"},
        at={"k": Fraction(3, 4), "ks": Fraction(12, 5)},
    )
    return gap(power_below_tangent(sp.S.One), normaliser)


# --- Ville's inequality -------------------------------------------------------------------------------------


def crossing_step() -> Evidence:
    """V <= delta M for the chance V of reaching 1/delta from M: kept by one more round, true on arrival."""
    average = implies(
        ["delta > 0", "p >= 0", "p <= 1", "V1 <= delta*M1", "V2 <= delta*M2", "p*M1 + (1 - p)*M2 <= M"],
        "p*V1 + (1 - p)*V2 <= delta*M",
    )
    arrival = implies(["delta > 0", "M >= 1/delta"], "1 <= delta*M")
    return combine(average, arrival)


def crossing_probability(scale: int, delta: Fraction, rounds: int = 12) -> Evidence:
    """The exact chance that M reaches 1/delta for a fair coin, with weights and mixtures that adapt.

    After a head the mixture gives heads 3/4 and the weight is scale/2; after a tail, 1/3 and scale.
    Its square M^2 is rational.
    """

    def reach(square: Fraction, head: bool, left: int) -> Fraction:
        if square * delta**2 >= 1:
            return Fraction(1)
        if left == 0:
            return Fraction(0)
        q, power = (Fraction(3, 4), scale) if head else (Fraction(1, 3), 2 * scale)
        up, down = square * (2 * q) ** power, square * (2 - 2 * q) ** power
        return (reach(up, True, left - 1) + reach(down, False, left - 1)) / 2

    return exact.compare(reach(Fraction(1), False, rounds), "<=", delta, what="the chance of crossing")


@claim(
    "lemma:mixture",
    "lemma:mixture/eq2",
    "eq:term-a",
    math=r"\mathbb{P} \left( Y_t \le \log \frac{1}{\delta} \text{ for all } t \right) \ge 1 - \delta",
    reading="repaired",
    hypotheses=(PREDICTABLE, NORMALISED, "0 < delta <= 1"),
    expected="certified",
    control=(
        "weights up to 3 in the example",
        lambda: combine(crossing_step(), crossing_probability(3, Fraction(1, 4))),
    ),
    uses=("weighted_supermartingale",),
    facts=("ville", "tower"),
)
def mixture_confidence() -> Evidence:
    """With probability at least 1 - delta, Y_t <= log(1/delta) for all t at once.

    Ville's inequality: backwards from any horizon, the chance of reaching 1/delta from the value M is at
    most delta M, because conditional means keep the inequality and M does not grow on average (written
    for two outcomes; means of any law keep inequalities and sums in the same way).  M_0 = 1, and the
    horizon tends to infinity.  P_t = N(theta_t, gamma H_t^-1) and w_t depend on the past, x_t and tau_t
    only, as required. An adaptive example is enumerated exactly.
    """
    return combine(crossing_step(), crossing_probability(1, Fraction(1, 4)))


# --- the process itself -----------------------------------------------------------------------------


def crossings(threshold: float, generator: np.random.Generator, trials: int) -> int:
    """How many of `trials` coin bandits with d = 1 let Y_t exceed the threshold within 40 rounds.

    S = 1, eta = 2, lambda = 28, gamma = 3, alpha = 1/10: the weights are about 1/2.  Each of the first
    ten rewards is replaced by one, which moves the iterates and hence the later weights and mixtures.
    """
    target, eta, alpha, gamma, S = 0.8, 2.0, 0.1, 3.0, 1.0
    nodes, shares = np.polynomial.hermite_e.hermegauss(40)
    theta, H = np.zeros(trials), np.full(trials, 28.0)
    Y, crossed = np.zeros(trials), np.zeros(trials, dtype=bool)

    def chance(at: Array) -> Array:
        return np.asarray(1 / (1 + np.exp(-at)))

    for t in range(40):
        x = generator.uniform(0.3, 1.0, trials)
        w = np.minimum(1.0, alpha * np.sqrt(H) / x)
        true = generator.random(trials) < chance(target * x)
        grid = (x * theta)[:, None] + np.outer(x * np.sqrt(gamma / H), nodes)
        mixed = np.where(true[:, None], chance(grid), chance(-grid)) @ shares / math.sqrt(2 * math.pi)
        Y += w * (np.log(mixed) - np.log(np.where(true, chance(target * x), chance(-target * x))))
        crossed |= threshold < Y
        seen = np.where(t < 10, 1.0, true)
        p = chance(x * theta)
        curvature = w * p * (1 - p) * x**2
        theta = np.clip(theta - w * (p - seen) * x / (curvature + H / eta), -S, S)
        p = chance(x * theta)
        H += w * p * (1 - p) * x**2
    return int(crossed.sum())


@claim(
    "lemma:mixture",
    "eq:term-a",
    reading="repaired",
    hypotheses=("logistic bandit, d = 1, weights below one, corrupted rewards", "delta = 1/10"),
    discharges={
        NORMALISED: "a coin has g = 1, and counting measure normalises its m",
        PREDICTABLE: "the simulation computes weight and mixture before it draws the coin",
    },
    expected="stress-tested",
    control=("the threshold log(1/delta)/2", math.log(10) / 2),
    uses=("mixture_confidence",),
)
def mixture_confidence_on_runs(threshold: float = math.log(10)) -> Evidence:
    """The whole process with Gaussian mixtures, adaptive weights and corruption, simulated.

    The runs notice a threshold that is too low by a factor of two.
    """
    return montecarlo.bernoulli_at_most(
        lambda generator, trials: crossings(threshold, generator, trials),
        Fraction(1, 10), 4000, Fraction(1, 1000), Fraction(13, 100), seed=5,
    )  # fmt: skip
