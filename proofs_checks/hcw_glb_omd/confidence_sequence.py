"""The statement of the confidence sequence: its constants, its first rounds, and runs of it.

Symbols: eta the step size, lam the regularisation, alpha the trust threshold of the weights, gamma the
spread of the mixture, V the sum of squared moves, D the logarithm of det H_t / det H_1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, basis, changing
from glbcheck.core.theory.constants import PAPER
from glbcheck.core.theory.parameters import parameters
from glbcheck.verify.search import ladder, montecarlo, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, text_of

from .confidence_proof import first_round, printed_lambda, solved, substituted
from .inverse_regret import SETTING
from .quantities import lam
from .unprinted import BUDGET, GROWTH, NORMALISED

v = sp.Symbol("v", real=True)


@claim("eq:CS", hypotheses=("H is positive semidefinite",), control=("v in place of v(1 - v)", v))
def confidence_set_is_convex(weight: sp.Expr = v * (1 - v)) -> Evidence:
    """C_t is convex: the intersection of Theta with an ellipsoid, both balls of a norm.

    If |A| and |B| are at most rho, so is |(1-v)A + vB|, whose square is at most (1-v)|A|^2 + v|B|^2.
    """
    # (1-v)|A|^2 + v|B|^2 - |(1-v)A + vB|^2 = weight |A - B|^2; p, c, o are |A|^2, <A, B>, |B|^2.
    p, c, o = sp.symbols("p c o", real=True)
    mixed = (1 - v) ** 2 * p + 2 * v * (1 - v) * c + v**2 * o
    return symbolic.identity((1 - v) * p + v * o - mixed, weight * (p - 2 * c + o))


@claim(
    "theorem:confidence-sequence/eq2",
    hypotheses=(
        "eq:term-a and eq:term-b",
        "eta = 1 + R S",
        "lam >= 14 d eta R^2",
        "lam >= 36 (eta alpha R S L)^2",
        "lam > 0",
    ),
    control=("D multiplied by 1 - 10^-6 in beta_t", 1 - sp.Rational(1, 10**6)),
    uses=("estimation_error", "determinant_bound", "lambda_of_the_theorem_suffices"),
)
def radius_constants(share: sp.Rational = sp.S.One) -> Evidence:
    """The lemmas add up to beta_t^2 as printed, with its factors 2 eta, d(6 eta^2 + eta) and 4 lam S^2.

    The 6 is 4 gamma/eta with gamma = 3 eta/2, the least spread for which the moves V cancel: the inverse
    regret lemma leaves 2/3 of them, and eta/gamma = 2/3.  14 exceeds the 96/7 that the mixture lemma needs.
    The third part of lam, d/(4 S^2), is not used in this proof; it keeps lam > 0 when R = 0.
    """
    # The bounds of appendix B together, with this share of D in beta_t, and lam as printed.
    return combine(substituted(share), printed_lambda(lam()))


@claim(
    "theorem:confidence-sequence/eq2",
    hypotheses=("L, lam, g > 0", "d, eta >= 1", "0 < delta < 1"),
    control=("a round that takes away from the sum", "(-y)"),
)
def radius_increases(added: str = "y") -> Evidence:
    """beta_t increases with t: each round adds L/(lam g) > 0 under the logarithm."""
    # log(1 + B + added) - log(1 + B) = log(1 + u) with u = added/(1 + B).
    return combine(
        ladder.inequality("log(1 + u) >= 0", "u"),
        implies(["B >= 0", "y > 0"], f"{added}/(1 + B) > 0"),
        implies(["p > 0", "p2 > p", "r > 0", "r**2 == p", "r2 > 0", "r2**2 == p2"], "r2 > r"),
    )


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    hypotheses=("theta_1 in Theta", "H_1 = lam I"),
    control=("beta_1^2 multiplied by 1 - 10^-6", lambda: first_round(1 - sp.Rational(1, 10**6))),
    facts=("triangle",),
)
def first_set_is_everything() -> Evidence:
    """C_1 = Theta: beta_1^2 >= 4 lam S^2, the squared diameter of Theta in H_1; so t = 1 always holds."""
    return first_round(sp.S.One)


@claim(
    "theorem:confidence-sequence",
    hypotheses=("logistic rewards", "d = 2", "S = R_s = g = 1", "delta = 1/20", "C = 0", "alpha = sqrt(2)"),
    control=("16 rounds", 16),
    facts=("triangle", "spectrum"),
)
def first_rounds_teach_nothing(rounds: int = 15) -> Evidence:
    """With the printed constants C_t = Theta for t <= 16, whatever is observed (logistic, d = 2, S = 1).

    H_t is at most (lam + sum L/g) I and Theta has diameter 2S, so C_t = Theta as long as 4 S^2 sum L/g is
    at most 2 eta log(1/delta) + d(6 eta^2 + eta) log(1 + sum L/(lam g)).  Corruption only widens the set.
    """
    # (lam + s L) 4 S^2 <= beta^2 after s <= rounds rounds, where C = 0.
    # L = 1/4, d = 2, S = R_s = g = 1, delta = 1/20; then eta = 2, alpha^2 = 2 and lam is the largest of 56,
    # 18 and 1/2; 4 lam S^2 cancels on both sides.
    squared = text_of(lambda *given: PAPER.beta(*given) ** 2, "2", "1", "1/20", "2", "56", "1/4", "s")
    return combine(
        implies(["a2 == 2", "eta == 2", f"lam == {lam('2', '1', 'eta', 'sqrt(a2)', '1', '1/4')}"], "lam == 56"),
        ladder.inequality(f"(56 + s/4)*4 <= {squared}", "s", 0, rounds),
    )


def run_misses(gaussian: bool, share: float, seed: int) -> bool:
    """One run of 200 rounds against an adversary that mirrors theta_*; was it ever beyond this share of the radius?

    A run in which C_t stays Theta, or all weights stay 1, would show nothing and counts as a miss.
    """
    path = mirrored_run(gaussian, seed)
    return path.worst_ratio > share or path.first_informative == 0 or path.discounted == 0


@cache  # the control looks at the same runs
def mirrored_run(gaussian: bool, seed: int) -> Outcome:
    """The run, with Gaussian or Poisson rewards."""
    S, C = 1.0, 5.0
    family, d, alpha = (catalog.get("gaussian"), 2, None) if gaussian else (catalog.get("poisson"), 1, 0.1)
    truth = np.full(d, -S / np.sqrt(d))
    # In two dimensions the contexts are chosen against the learner, too.
    arms = changing(6, d, 1 - 1e-9) if gaussian else basis(d)
    world = World(truth, arms, attack=adversary.mirror(C), hostile_contexts=gaussian)
    return run(parameters(family, d, S, 0.2, C, alpha), world, 200, seed)


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    reading="repaired",
    hypotheses=("Gaussian and Poisson rewards", NORMALISED, GROWTH, BUDGET),
    expected="stress-tested",
    control=("two fifths of the radius", 0.4),
    uses=("confidence_sequence_repaired",),
)
def confidence_sequence_holds(share: float = 0.5) -> Evidence:
    """theta_* lies within half of the radius of C_t for all t with probability >= 1 - delta, on runs.

    C_t is smaller than Theta and weights are below 1 in them, for two families whose R_s is global, Gaussian and
    Poisson in turn, at delta = 1/5.  The radius counts 2S, the width of Theta, twice the distance that theta_* can
    have from the start: so the runs, those with Poisson rewards, notice a radius that is 2.5 times too small, and
    none of them one that is half as large.  lam depends on alpha, alpha on d and C only, so nothing is circular.
    """

    def misses(rng: np.random.Generator, trials: int) -> int:
        seeds = (int(seed) for seed in rng.integers(1 << 30, size=trials))
        return sum(run_misses(i % 2 == 0, share, seed) for i, seed in enumerate(seeds))

    tenth_percent = sp.Rational(1, 1000)
    return montecarlo.bernoulli_at_most(misses, sp.Rational(1, 5), 40, tenth_percent, sp.Rational(1, 2), seed=5)


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    math=r"\mathbb{P} \left( \lVert \theta_t - \theta_\star \rVert_{H_t} \le \beta_t(\delta) + 2 \eta \alpha C \text{ "
    r"for all } t \right) \ge 1 - \delta \text{ if } \lvert \mu'' \rvert \le R_s \mu' \text{ on the line, } \nu = "
    r"\nu_g, \; C \text{ fixed in advance}",
    reading="repaired",
    hypotheses=(NORMALISED, GROWTH, BUDGET, *SETTING, "lambda and beta_t as printed, with this C in alpha"),
    control=("2 eta alpha C multiplied by 1 - 10^-6", lambda: solved(1 - sp.Rational(1, 10**6))),
    uses=("event_is_likely", "radius_of_the_theorem", "radius_increases"),
)
def confidence_sequence_repaired() -> Evidence:
    """The theorem with its printed constants, once three hypotheses are stated; the last step of its proof.

    theta_* is in Theta, and X_t <= beta_t + 2 eta alpha C for all t on an event of probability 1 - delta.
    Everything else is in the claims it uses.
    """
    return solved(sp.S.One)


# --- the theorem under the printed hypotheses alone -------------------------------------------------------


def one_measure_for_all_dispersions(g: Fraction) -> Evidence:
    """One round with m = z^2/2, nu = N(0, 1) whatever g is, d = x = 1 and theta_1 = 0: is theta_* in C_2?

    The law proportional to exp(r z/g) dnu is N(z/g, 1).  The reward is at least its median with probability 1/2,
    more than delta; theta_2 increases with it, and `step` is theta_2 at the median.  R_s = 0 leaves lambda free of
    alpha, which makes the weight 1.
    """
    return fails(
        ("S > 0", "delta > 0", "delta < 1/2", "g > 0", "alpha*g*sqrt(lam) >= 1", "abs(star) <= S"),
        "sqrt(lam + 1/g)*(step - star) <= radius",
        {
            "lam": "1/(4*S**2)",
            "median": "star/g",
            "step": "min(S, median/(1 + lam*g))",
            "radius": "sqrt(2*log(1/delta) + 7*log(1 + 1/(lam*g)) + 4*lam*S**2)",
        },
        at={"S": 2, "delta": Fraction(1, 4), "g": g, "alpha": 4 / g, "star": 1},
    )


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    "app:proof-cs/eq11",
    math=r"\mathbb{P}(\theta_\star \in C_t \text{ for all } t) \ge 1 - \delta \impliedby \nu = \nu_g, \; C "
    r"\text{ fixed in advance}",
    hypotheses=("the printed assumptions", "one base measure nu for all dispersions"),
    expected="gap",
    control=("dispersion 1, which this measure is made for", Fraction(1)),
    severity="hypothesis",
    consequence="the theorem, its event and all that is proved on it need a base measure for each dispersion; the "
    "printed proof also needs self-concordance on the line, the statement does not; the budget is fixed in advance",
    uses=("confidence_sequence_on_the_interval",),
    carries=("decomposition", "regret_theorem"),
)
def confidence_sequence_as_printed(g: Fraction = Fraction(1, 10**4)) -> Evidence:
    """theta_* lies in C_t for all t with probability >= 1 - delta: true once two hypotheses are added.

    Without the first of them it fails in one round: the law of the reward is then another one than the learner's,
    with mean z/g in place of z.  At g = 10^-4 the estimate jumps to the border of Theta with probability above
    1/2, although delta = 1/4.  What happens without the other is decided at
    assumption:link-function/remark1.  Self-concordance beyond [-S, S], which the printed proof needs, the statement
    does not.
    """
    return gap(
        combine(first_round(sp.S.One), substituted(sp.S.One), solved(sp.S.One)), one_measure_for_all_dispersions(g)
    )
