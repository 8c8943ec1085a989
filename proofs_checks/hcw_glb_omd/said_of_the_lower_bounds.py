"""What statements and proofs of the lower bounds leave unsaid: chance, noise, the size of the gap, small budgets."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, decided, fails, gap, implies, refuted

# --- thm:lower-bound, thm:lower-bound-corruption: regret is random ------------------------------------------


@claim(
    "thm:lower-bound/eq1",
    "thm:lower-bound-corruption/eq1",
    "app:logistic/eq3",
    "app:logistic/s17",
    math=r"\forall \pi \; \exists \theta : \; \mathbb{P} \left( \operatorname{Reg}(T) \ge b \right) = 1, \; b > 0",
    hypotheses=("Reg(T) is the random sum of eqn:regret", "K arms in every round", "each arm drawn uniformly"),
    expected="refuted",
    control=("with probability at least 1/2", Fraction(1, 2)),
    severity="slip",
    consequence="both theorems are about the expectation of Reg(T), as their proofs are and as every repair here is; a "
    "bound with probability 1 would imply one in expectation, so what is refuted of the means is refuted of both",
)
def lower_bounds_without_an_expectation(level: Fraction = Fraction(1)) -> Evidence:
    """Every policy has regret above the bound, as printed without expectation: not on every path.

    The regret of eqn:regret depends on the arms that were drawn.  Who draws uniformly among K arms plays a best arm in
    all T rounds with probability at least K^-T, whatever theta and the adversary are, and then has no regret; so no
    positive bound holds with probability 1.  On infinite arm sets a law with mass near every arm does the same, up to
    any error.  The logistic proof mixes the two: "with the same probability" it bounds an expectation.
    """
    # The largest probability of positive regret, 1 - K^-T, against the level.
    lucky = fails(("K >= 2", "T >= 1"), f"1 - K**(-T) >= {level}", at={"K": 2, "T": 10})
    return refuted(lucky, decided("K >= 1, T >= 1 => K**(-T) > 0"))


# --- app:lower-bound-corruption: rewards without noise ------------------------------------------------------

# Of rewards 0, 1, 2 with masses proportional to 1, y, y^2: m(z) = log(1 + e^z + e^2z), y = e^z and g = 1.
THREE_VALUES = "(({y} + 4*{y}**2)/(1 + {y} + {y}**2) - (({y} + 2*{y}**2)/(1 + {y} + {y}**2))**2)"


@claim(
    "app:lower-bound-corruption",
    "app:lower-bound-corruption/eq1",
    "app:lower-bound-corruption/s15",
    "sec:lower-bound/s19",
    math=r"r - \Delta \text{ of the better arm has the law of the others} \impliedby \text{the noise does not depend "
    r"on the arm}",
    hypotheses=("rewards of eqn:GLM with g > 0 and mu' > 0", "the adversary of the main proof, who subtracts Delta"),
    expected="gap",
    control=("rewards of variance 1", "(1 + 0*{y})"),
    severity="hypothesis",
    consequence="rewards without noise are no instance of the setting, where the variance is g mu' > 0, so the main "
    "proof is for noise that does not depend on the arm, as with Gaussian rewards; couplings are printed for Bernoulli "
    "and Poisson rewards only, and corruption_bound_of_every_family has one for every family",
    carries=("corruption_bound_absolute_constant",),
)
def observations_without_noise(variance: str = THREE_VALUES) -> Evidence:
    """Subtracting Delta makes the better arm look like the others: if the noise does not depend on the arm.

    The main proof assumes that the mean itself is observed.  Delta > 0 needs mu' > 0, on all of [-S, S] by
    self-concordance, and then the variance g mu' is positive.  Normal rewards of one variance may be shifted.  Rewards
    0, 1 and 2 with m(z) = log(1 + e^z + e^(2z)) may not: for z > 0 their variance falls with z, and a shifted reward
    is not even one of the three values.  The footnote leaves such families to couplings, and has two.
    """
    shifted = implies(["g > 0"], "-(r + Delta - M)**2/(2*g) == -(r - (M - Delta))**2/(2*g)")
    noisy = combine(
        implies(["g > 0", "slope > 0"], "g*slope > 0"), implies(["y > 0"], f"{THREE_VALUES.format(y='y')} > 0")
    )
    # The variances at the arguments S and S cos^2 phi; share is cos^2 phi.
    told_apart = fails(
        ("S > 0", "share > 0", "share < 1"),
        f"{variance.format(y='better')} == {variance.format(y='other')}",
        {"better": "exp(S)", "other": "exp(S*share)"},
        at={"S": 1, "share": Fraction(1, 2)},
    )
    return gap(shifted, refuted(told_apart, noisy))


@claim(
    "sec:lower-bound/s22",
    math=r"\Delta = \mu(S) - \mu(S \cos^2 \varphi) \text{ grows with } \kappa",
    hypotheses=("logistic rewards", "kappa is one over the smallest slope on [-S, S]", "phi fixed"),
    expected="refuted",
    control=("the same ball twice", 10),
    severity="slip",
    consequence="the gap is of order 1/kappa where S sin^2 phi is bounded, as the construction itself says; that it "
    "cancels is right either way",
)
def gap_scales_with_kappa(second: int = 20) -> Evidence:
    """The gap Delta scales with kappa: with 1/kappa, it is Delta <= 4 (e^D - 1)/kappa for D = S sin^2 phi.

    For the logistic link and sin^2 phi = 1/100 the gap shrinks from S = 10 to S = 20, while kappa, which is
    (1 + e^S)^2/e^S, grows.
    """
    gap_at = "1/(1 + exp(-{S})) - 1/(1 + exp(-{S}*(1 - sin2)))"
    # Do kappa and Delta grow together, from one ball to another?
    larger_ball = fails(
        ("S_1 > 0", "S_2 > 0", "sin2 > 0", "sin2 < 1"),
        "(kappa_2 - kappa_1)*(Delta_2 - Delta_1) >= 0",
        {
            "Delta_1": gap_at.format(S="S_1"),
            "Delta_2": gap_at.format(S="S_2"),
            "kappa_1": "(1 + exp(S_1))**2/exp(S_1)",
            "kappa_2": "(1 + exp(S_2))**2/exp(S_2)",
        },
        at={"S_1": 10, "S_2": second, "sin2": Fraction(1, 100)},
    )
    # t = e^-S and y = e^D: Delta = t (y - 1)/((1 + t)(1 + y t)).
    inverse = implies(
        ["t > 0", "t <= 1", "y >= 1", "kappa == (1 + t)**2/t"], "t*(y - 1)/((1 + t)*(1 + y*t)) <= 4*(y - 1)/kappa"
    )
    return refuted(larger_ball, inverse)


# --- app:logistic, app:poisson: the budget ------------------------------------------------------------------


@claim(
    "app:logistic/s9",
    math=r"X_1 + \dots + X_{N_j} \le C, \; N_j = \inf \{ t : X_1 + \dots + X_t \ge C \}",
    hypotheses=("X_s is 0 or 1, the cost of a pull of the better arm",),
    expected="refuted",
    control=("a whole budget, C = 2", 2),
    severity="slip",
    consequence="the arms look alike before the N_j-th pull, and at it if C is whole; nothing else changes.  In the "
    "Poisson version one pull may cost more than 1 and overshoot a whole budget too",
)
def flips_up_to_the_last_one(budget: Fraction | int = Fraction(3, 2)) -> Evidence:
    """Up to time N_j nothing can be told: before N_j, as the flip at N_j itself may exceed the budget.

    N_j is the time of the first whole number of flips that is C or more.  At C = 3/2 that is the second flip, and two
    flips cost 2.  One flip less is always below C.
    """
    # The flips up to N_j are the least whole number that is at least C.
    known = ["C > 0", "flips >= C", "flips < C + 1"]
    overspent = fails((*known, "flips == 2"), "flips <= C", at={"C": budget, "flips": 2})
    return refuted(overspent, implies(known, "flips - 1 < C"))


@claim(
    "lem:poi/eq1",
    "lem:poi/eq2",
    "app:poisson/s12",
    "thm:lower-bound-corruption",
    math=r"\tfrac{1}{2} - e^{-C/8} \ge c > 0 \text{ for every } C > 0 \impliedby C \ge 6",
    hypotheses=("C > 0, as in the theorem", "Poisson rewards"),
    expected="gap",
    control=("C = 6", 6),
    severity="hypothesis",
    consequence="the Poisson version is shown for C > 8 log 2 = 5.55 only, which neither it nor the theorem assumes; "
    "with Markov's inequality (corruption_bound_of_every_family) the condition disappears",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def survival_of_the_thinning_for_every_budget(budget: int = 1) -> Evidence:
    """The tail bound exp(-C/8) leaves a constant probability for every budget C > 0: for C >= 6, not for C = 1.

    The count refers to the logistic one: half of the arms have fewer than T_0 pulls, and the budget lasts for T_0 pulls
    of the optimal one with probability 1 - exp(-C/8).  Both happen with probability 1/2 - exp(-C/8) at least, which is
    -0.38 at C = 1.  Hidden and shown counts of Poisson rewards are independent, which is not used; then (1 -
    exp(-C/8))/2 would do for C of order 1, but it is at most C/16 and below any c for small C.
    """
    enough = decided("C >= 6 => 1/2 - exp(-C/8) >= 1/40")
    small = fails(
        ("C > 0", "Delta > 0", "S > 0", "Delta < exp(S) - 1", "c > 0"),
        "1/2 - exp(-C/8) >= c",
        at={"C": budget, "S": 1, "Delta": Fraction(1, 100), "c": Fraction(1, 100)},
    )
    every = [ladder.inequality("1 - exp(-x) <= x", "x"), implies(["c > 0", "C == 8*c"], "C/16 < c")]
    return gap(enough, refuted(small, *every))
