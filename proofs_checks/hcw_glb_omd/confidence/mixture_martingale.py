"""lemma:mixture: the weighted likelihood ratio against a mixture is a supermartingale; Ville's inequality."""

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
from glbcheck.verify import writing
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.search import exact, montecarlo
from glbcheck.verify.writing import Evidence, combine, definition, implies
from numpy.typing import NDArray

from ..unprinted import NORMALISED, PREDICTABLE

Array = NDArray[np.float64]

definition(
    "lemma:mixture/eq1",
    reason="M_t is the exponential of the weighted log-likelihood ratio; as M_0, the empty product is 1",
)

# --- the supermartingale --------------------------------------------------------------------------------

claim(
    "lemma:mixture/eq3",
    "lemma:mixture/eq4",
    id="weighted_supermartingale",
    says="Given the past, the conditional mean `after` of the ratio is at most `before`, its last value.",
    steps=f"""
    Y: the logarithm of the last value of M; loss, mix: the loss at theta_* and the mix loss; w: the weight
    => exp(Y + w*loss - w*mix) == exp(Y)*exp(w*(loss - mix))

    rho: the ratio of the density of the mixture to the true one; x: a value of it
    w > 0, x > 0, 1 + w*(x - 1) > 0      [meaning]
    => diff(diff(log(1 + w*(x - 1)) - w*log(x), w), w) == -((x - 1)/(1 + w*(x - 1)))**2

    x > 0      [meaning]
    => log(1 + 0*(x - 1)) - 0*log(x) == 0, log(1 + 1*(x - 1)) - 1*log(x) == 0

    mean, power: the conditional means of rho and of its power w; before, after: the last value and the mean of the next
    w > 0, w <= 1                      [assumed: {PREDICTABLE}]
    mean <= 1                          [tonelli; assumed: {NORMALISED}]
    power <= 1 + w*(mean - 1)          [convex-tangent; tower]
    before > 0, after == before*power  [tower]
    => after <= before
    """,
    why="A function of the weight that is concave and vanishes at both ends is not negative between them, so the power "
    "lies below its tangent.  The mean of rho is the integral of the density of the mixture where the true one is "
    "positive.  The factor of the density that depends on the reward and the dispersion alone cancels.",
    reading="repaired",
    math=r"\mathbb{E}[M_t \mid F_t] \le M_{t-1} \text{ for } 0 < w_t \le 1",
)


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


@writing.claim(
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


claim(
    "lemma:mixture/eq4",
    id="one_step_of_every_family",
    says="For a point mass the conditional mean is `exp(excess) <= 1`, with the exponent "
    "`(between - (1 - w)*at_star - w*at_z)/g`, as m is convex.",
    steps=f"""
    m: function, the log-partition function
    z_star, z: the true natural parameter and that of the mixture; w: the weight; r: the reward; g: the dispersion
    g > 0      [meaning]
    => ((1 - w)*(r*z_star - m(z_star)) + w*(r*z - m(z)))/g == (r*((1 - w)*z_star + w*z) \
- m((1 - w)*z_star + w*z))/g + (m((1 - w)*z_star + w*z) - (1 - w)*m(z_star) - w*m(z))/g

    at_star, at_z, between: m at both and at their mean of weight w
    g > 0                                       [meaning]
    between <= (1 - w)*at_star + w*at_z         [convex-tangent]
    => (between - (1 - w)*at_star - w*at_z)/g <= 0

    excess: the exponent
    excess <= 0      [above with excess = (between - (1 - w)*at_star - w*at_z)/g]
    => exp(excess) <= 1
    [weighted_supermartingale; assumed: P_t is a point mass; assumed: {PREDICTABLE}; assumed: {NORMALISED}]
    """,
    why="Discrete or not: the product of powers of two densities of the family is a density of it times a constant.",
    reading="repaired",
    math=r"\mathbb{E}[\rho^w] = \exp \left( \frac{m((1 - w) z_\star + w z) - (1 - w) m(z_\star) - w m(z)}{g} \right) "
    r"\le 1",
)

claim(
    "lemma:mixture",
    "lemma:mixture/eq4",
    "sec:proof-sketch/eq3",
    id="likelihoods_must_be_normalised",
    says="exp(-loss) is taken for a density; proportionality alone does not give that.",
    steps="""
    w: the weight; mean, power: the conditional means of rho and of its power w
    w > 0, w <= 1                 [meaning]
    power <= 1 + w*(mean - 1)     [convex-tangent]
    mean <= 1                     [assumed: exp(-loss) integrates to one]
    => power <= 1
    [weighted_supermartingale]

    k, ks: the odds of a reward under the mixture and under the truth, to the power 1/g, for a coin with g = 2
    head, tail: the true chances; scale: the quotient of the two normalisers
    head := ks/(1 + ks)
    tail := 1/(1 + ks)
    scale := (1 + ks**2)**(1/2)/(1 + k**2)**(1/2)
    k > 0, ks > 0      [assumed: rewards have density proportional to exp((r z - m(z))/g) for a fixed base measure]
    => tail*scale + head*(k/ks)*scale <= 1
    fails at k = 3/4, ks = 12/5
    """,
    why="The mixing law is Gaussian, so the density is needed on the whole line: outside of the natural domain it must "
    "be read as zero, which only lowers the mass.",
    expected="gap",
    severity="hypothesis",
    consequence="exp(-loss) must integrate to one for every theta: the base measure has to depend on tau_t",
    carries=("confidence_sequence_as_printed",),
    math=r"\mathbb{E}[\rho] \le 1 \impliedby \int e^{(r z - m(z))/g} \, d\nu_g(r) \le 1 \text{ for every } z",
)

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


@writing.claim(
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


@writing.claim(
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
