"""The corruption-dependent lower bound: noiseless game, a repaired theorem for every family.

K arms, one of them better by Delta in mean.  The adversary makes pulls of the better arm look like pulls of
any other, at cost Delta each while rewards carry no noise, for N = floor(C/Delta) pulls.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import lower_constants
from glbcheck.verify.search import symbolic
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, structural, text_of

from .bandit_games import hidden_arm
from .unprinted import NORMALISED

R, D, s = sp.symbols("R D s", positive=True)

structural("app:lower-bound-corruption", reason="the heading; construction, game and bound are claimed one by one")


# --- the printed theorem ------------------------------------------------------------------------------------


@claim(
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge c_3 \min(d C, T) \text{ for a } c_3 > 0 "
    r"\text{ that may depend on } S",
    hypotheses=("d >= 2", "C > 0", "theta in the ball of radius S"),
    expected="refuted",
    control=("slope 1", sp.S.One),
    coq="HCW.PrintedCorruption.printed_corruption_theorem_false",
    severity="hypothesis",
    consequence="T has to be multiplied by the largest gap mu(S) - mu(0): see corruption_bound_of_the_noiseless_game "
    "and corruption_bound_of_every_family",
    carries=("tight_up_to_kappa",),
)
def corruption_bound_absolute_constant(slope: sp.Rational = sp.Rational(1, 4)) -> Evidence:
    """An absolute c_3 with regret >= c_3 min(dC, T) exists: false for every S, as regret <= (mu(S) - mu(-S)) T.

    For Gaussian rewards and the link mu(z) = a z that is 2 a S T, and a = c_3/(4 S) contradicts any c_3, even one that
    depends on S, when T <= dC; so does the link mu(z) = z with S = c_3/4, if c_3 is absolute.  In Coq it is the
    logistic link far to the left of the origin.
    """
    most = implies(["a > 0", "abs(best) <= S", "abs(played) <= S"], "a*best - a*played <= 2*a*S")
    known = ["d >= 2", "C > 0", "c3 > 0", "S > 0", "a > 0", "T >= 1", "T <= d*C"]
    every = implies([*known, "a == c3/(4*S)"], "c3*min(d*C, T) > 2*a*S*T")
    # Regret is at most 2 a S T whatever is played; d = 2, C = T = 100, c_3 = 1.
    at = {"d": 2, "C": 100, "T": 100, "c3": 1, "S": 1, "a": slope}
    return refuted(fails(known, "c3*min(d*C, T) <= 2*a*S*T", at=at), every, most)


@claim(
    "thm:lower-bound-corruption",
    "app:lower-bound-corruption",
    math=r"\operatorname{Reg}(T) > 0 \text{ on } d - 1 \text{ arms, for } d = 2",
    hypotheses=("d = 2",),
    expected="refuted",
    control=("two arms", 2),
    coq="HCW.PrintedConstruction.printed_construction_false",
    severity="hypothesis",
    consequence="the proof covers d >= 3 only; the d arms e_1, ..., e_d in place of d - 1 cover d = 2 too",
    carries=("corruption_bound_absolute_constant",),
)
def construction_in_two_dimensions(K: int = 1) -> Evidence:
    """The d - 1 arms of the construction force regret for d = 2: there is one arm, and its regret is 0."""
    # The best policy's Bayes regret in the game with K arms, two hidden pulls and nine rounds.
    return dynamic_program(hidden_arm(K, 2, 9), ">", 0, "min")


def needed_horizon(T: int) -> Evidence:
    """Three arms, N = 3: the best policy's regret over T rounds against (K - 1)(N + 1)/2 = 4."""
    return dynamic_program(hidden_arm(3, 3, T), ">=", 4, "min")


def short_horizon(T: int) -> Evidence:
    """c d N Delta <= Delta T, which no regret exceeds, for d = 3 arms, c = 1/1000 and N = 10^6 hidden pulls."""
    return fails(
        ("c > 0", "d >= 2", "N >= 1", "T >= 1", "Delta > 0"),
        "c*d*N*Delta <= Delta*T",
        at={"c": sp.Rational(1, 1000), "d": 3, "N": 10**6, "T": T, "Delta": 1},
    )


@claim(
    "app:lower-bound-corruption/eq1",
    "app:logistic/eq3",
    "lem:poi/eq2",
    math=r"\mathbb{E} \operatorname{Reg}(T) = \Omega(d N \Delta) \impliedby T \ge (K - 1)(N + 1)",
    hypotheses=("no condition on T",),
    expected="gap",
    control=("3000 rounds, c d N", lambda: gap(needed_horizon(12), short_horizon(3000))),
    severity="slip",
    consequence="regret is at most Delta T, so Omega(dC) needs T of the order dC/Delta; the min(dC, T) of the theorem "
    "asks for T of the order dC only, too few rounds where Delta is small (corruption_bound_absolute_constant)",
    facts=("backward-induction",),
    carries=("corruption_bound_absolute_constant",),
)
def regret_of_order_dC_needs_a_horizon() -> Evidence:
    """The expected regret is of order d N Delta: with T >= (K - 1)(N + 1) rounds, and not with far fewer.

    Exact values of the noiseless game with K = 3, N = 3, Delta = 1 are 4 from T = 8 on; in general see
    `corruption_bound_of_the_noiseless_game`.  Regret is at most Delta T, below c d N Delta for T < c d N.
    """
    every = implies(["c > 0", "d >= 2", "T >= 1", "Delta > 0", "N == (T + 1)/c"], "c*d*N*Delta > Delta*T")
    return gap(combine(needed_horizon(8), needed_horizon(12)), refuted(short_horizon(1), every))


# --- the repaired theorem -----------------------------------------------------------------------------------


@claim(
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    "app:lower-bound-corruption/eq1",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \tfrac{1}{4} \min(d C, (\mu(S) - \mu(0)) T)",
    reading="repaired",
    hypotheses=("rewards mu(<x, theta>) plus noise that does not depend on the arm", "d >= 2", "C > 0", "T >= 1"),
    control=("26% instead of 25%", sp.Rational(26, 100)),
    facts=("deterministic-policies",),
)
def corruption_bound_of_the_noiseless_game(share: sp.Rational = sp.Rational(1, 4)) -> Evidence:
    """Regret >= min(dC, (mu(S) - mu(0)) T)/4 for some theta in the ball, every d >= 2, C > 0 and T.

    Arms e_1, ..., e_d, parameters S e_i, Delta = mu(S) - mu(0); in general K arms and Delta min(2(K-1)n,
    T)/4 with n = N + 1 > C/Delta.  Until the n-th pull of the better arm all observations are the same in
    all instances, so a deterministic policy plays one fixed sequence.  In instance i it pays for every
    other arm up to the n-th pull of i.  In the order of these n-th pulls, the k-th arm comes after (k-1)n
    other pulls; an arm without n-th pull has T - N other pulls.  So the average is at least the mean of
    min((k-1)n, T - N) over k = 1, ..., K.  If T < 2N, at most one arm has its n-th pull, and the other K -
    1 alone pay (K-1)T minus the pulls they received, at most T - n.  Randomised policies are averages, and
    noise only hides more.  Finally 2(d-1) >= d.
    """
    short = combine(
        implies(["K >= 2", "T >= 1"], "(K - 1)*T/K >= T/4"),
        implies(["K >= 2", "T >= 1", "T < 2*N"], "((K - 1)*T - (T - N - 1))/K >= T/4"),
    )
    # Delta min(2(d-1)n, T)/4 with n > C/Delta is at least the floor.
    floor = implies(
        ["d >= 2", "C > 0", "T >= 1", "Delta > 0", "n*Delta >= C", "regret >= Delta*min(2*(d - 1)*n, T)/4"],
        f"regret >= {text_of(lower_constants.noiseless_floor, 'd', 'C', 'T', 'Delta')}",
    )
    # T >= 2N: the sum over k < K of min(kn, T - N), n = N + 1, is at least K share min(2(K-1)n, T).
    facts = ["K >= 2", "n >= 1", "T >= 2*(n - 1)", "T >= 1", "m == T - n + 1"]
    term = implies(["K >= 2", "k >= 0", "k <= K - 1", "n > 0", "m >= 0"], "min(k*n, m) >= k*min(n, m/(K - 1))")
    total = symbolic.sum_identity("k", "n*(n + 1)/2", "k", 0, "n")
    whole = implies(facts, f"(K - 1)/2*min(n, m/(K - 1)) >= ({share})*min(2*(K - 1)*n, T)")
    ordered_arms = combine(term, total, whole)
    return combine(ordered_arms, short, floor)


@claim(
    "app:lower-bound-corruption/eq1",
    math=r"\min_\pi \operatorname{Reg}(T) = \tfrac{1}{2} (K - 1)(N + 1) \text{ on average over the instances, for } T "
    r"\ge (K - 1)(N + 1)",
    reading="repaired",
    hypotheses=("Delta = 1", "K <= 4", "N <= 3", "T = (K - 1)(N + 1) and T = K (N + 1)"),
    control=("one percent more", sp.Rational(1, 100)),
    uses=("corruption_bound_of_the_noiseless_game",),
    facts=("backward-induction",),
)
def exact_values_of_the_noiseless_game(excess: sp.Rational = sp.S.Zero) -> Evidence:
    """Over all policies the least Bayes regret is (K-1)(N+1)/2 once T >= (K-1)(N+1), attained arm after arm.

    This is (K-1)C/2 for C = N + 1 just too small for one more pull: the printed order d C with the constant
    1/2.
    """
    # Exact values of the game for K = 2, 3, 4 and N = 0, ..., 3 against (K-1)(N+1)/2 times 1 + excess.
    cases = [(K, N, rounds) for K in (2, 3, 4) for N in range(4) for rounds in (K - 1, K)]
    values = {(K, N): sp.Rational((K - 1) * (N + 1), 2) * (1 + excess) for K, N, _ in cases}
    return combine(*(dynamic_program(hidden_arm(K, N, r * (N + 1)), "==", values[K, N], "min") for K, N, r in cases))


@claim(
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    "app:logistic/eq3",
    "lem:poi/eq2",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \min \left( \tfrac{3}{8} \Delta T, "
    r"\tfrac{3}{1024} d C \right), \; \Delta = \mu(S) - \mu(0), \; C \ge 8 \Delta",
    reading="repaired",
    hypotheses=("any exponential family and dispersions", NORMALISED, "d >= 2", "C >= 8 (mu(S) - mu(0))", "T >= 1"),
    control=("60% of the arms", sp.Rational(3, 5)),
    uses=("mean_and_variance_repaired",),
    facts=("stochastic-order", "markov"),
)
def corruption_bound_of_every_family(share: sp.Rational = sp.Rational(3, 4)) -> Evidence:
    """In every family some theta in the ball has regret >= min(3 Delta T/8, 3 d C/1024).

    Delta = mu(S) - mu(0), arms e_1, ..., e_d, parameters S e_i.

    Laws of an exponential family increase with the natural parameter, so a reward r of the better arm can
    be coupled with r~ <= r that has the law of the others; E(r - r~) = Delta (flips for Bernoulli and
    thinning for Poisson rewards are this coupling).  The adversary reveals r~ while the budget lasts.  With
    n = floor(C/(8 Delta)), by Markov's inequality the first n pulls cost more than C with probability at
    most 1/8.  With an unlimited budget the history has the same law in all instances; stop at T1 = min(T,
    max(n, floor(dn/4))).  Fewer than T1/n <= d/4 arms have more than n pulls (none if T1 <= n), so the mean
    over i of E[(T1 - n_i) 1(n_i <= n)] is at least T1/2, and the average regret at least Delta T1 (1/2 -
    1/8).  Lastly T1 >= min(T, dn/8) and n >= C/(16 Delta).  For C < 8 Delta use a smaller S with 8 Delta =
    C: then C T/8 replaces Delta T.  No C >> mu(S)/Delta, no tail bound, no rounding of T_0 is needed.
    Coq checks all of it for countably many reward values (`corruption_bound_for_countably_many_rewards`).
    """
    markov = implies(["D > 0", "C > 0", "n >= 0", "n <= C/(8*D)"], "n*D/C <= 1/8")
    untried = implies(["K >= 2", "T1 >= 0"], "(K - 1)*T1 >= K*T1/2")
    floors = implies(["k >= 1", "k <= x", "x < k + 1"], "k >= x/2")
    # D = min(Delta, C/8) is the gap that is used, and the regret at least D T1 (1/2 - 1/8).
    constant = implies(
        ["d >= 2", "D > 0", "C >= 8*D", "D == min(Delta, C/8)", "16*n*D >= C", "T1 >= min(T, d*n/8)", "T >= 1"],
        f"D*T1*(1/2 - 1/8) >= {text_of(lower_constants.family_floor, 'd', 'C', 'T', 'Delta')}",
    )
    # K >= 4, T1 <= K n/4: at least share K of the arms have at most n pulls, and these pay K T1/2 in sum.
    few_arms_are_tried = implies(["K >= 4", "T1 >= 0", f"A >= ({share})*K"], "A*T1 - T1 >= K*T1/2")
    return combine(markov, few_arms_are_tried, untried, floors, constant)
