"""The appendix on unknown budgets: how far the guarantee for known ones goes, what that costs, and what remains.

Two worlds.  In the clean one an arm is better than all others by Delta.  In the other one of these others is better
still, by Delta' more than the first, and the adversary hides it: at D = Delta + Delta' a pull it looks as before.
"""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.core.theory import constants, lower_constants
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, combine, implies, proves, text_of
from glbcheck.verify.writing import claim as program

from ..bandit_games import two_worlds
from ..coq_lower_bounds import FINITE_FAMILY, POLICY
from ..unprinted import NORMALISED

# The widening of the radius when the learner is told G for C, with the weights of the theorem.
GUESSED = text_of(lambda eta, d, G: constants.widening(eta, constants.alpha(d, G), G), "eta", "d", "G")
FLOOR = text_of(lower_constants.unknown_budget_floor, "d", "C", "T", "Delta", "rise", "clean")
LINEAR_FROM = text_of(lower_constants.budget_of_linear_regret, "d", "Delta", "rise", "clean")

# --- the appendix as printed ---------------------------------------------------------------------------------

claim(
    "app:unknown-C",
    "app:unknown-C/s5",
    id="comparable_guarantee_without_the_budget",
    says="Without knowing C a guarantee like that for a known C is possible: the guess `G == sqrt(V)/kappa` costs no "
    "more than `2*(K*(d*sqrt(V) + d*kappa*C))`, but for larger budgets no learner has such a guarantee.",
    steps=f"""
    d: the dimension; C: the budget; T: the rounds; V: the sum in the bound with dispersions, or T
    K: the constant of the bound; kappa: the inverse of the smallest slope; G: the budget that the learner is told
    Delta: the gap in the clean world; rise: the further gap in the other; clean: the bound without corruption
    q: the sum over Delta and the other arms of the bound, in units of the root of T; r: the root of T
    root: the fourth root of T
    [assumed: the adversary of the paper, who sees the arm before it corrupts; assumed: C not told to the learner]
    [assumed: with C told, Reg(T) <= K (d sqrt(T) + d kappa C); assumed: d >= 2; price_of_not_knowing_the_budget]
    d >= 2, K >= 1, kappa >= 1, V > 0, C >= 0, G == sqrt(V)/kappa
    => K*(d*sqrt(V) + d*kappa*G) <= 2*(K*(d*sqrt(V) + d*kappa*C))

    d >= 2, Delta > 0, rise > 0, K >= 1, kappa >= 1, T >= 1, clean == K*d*sqrt(T), C == {LINEAR_FROM}
    => {FLOOR} <= clean + K*d*kappa*C
    fails at d = 2, Delta = 1/10, rise = 1/10, K = 100, kappa = 10, T = 10**16, clean = 2*10**10, C = 16*10**10

    d >= 2, Delta > 0, rise > 0, K >= 1, kappa >= 1
    q == K*d/((d - 1)*Delta), r > 4*(K*d*(1 + 4*kappa*(Delta + rise)*q)/rise + q)/3
    => rise*(3*r/4 - q) > K*d + K*d*kappa*4*(Delta + rise)*q

    d >= 2, Delta > 0, rise > 0, K >= 1, kappa >= 1, T >= 1, clean > 0, C == {LINEAR_FROM}
    => {FLOOR} == rise*(3*T/4 - clean/((d - 1)*Delta))

    root >= 1
    => root + root**2 >= root*root
    """,
    why="A guess is valid for every smaller budget (valid_guess).  The sentence has no limit; the footnote before it "
    "takes back budgets of the order of the regret over d.  For suppose that the bound holds for every C: at "
    f"`C == {LINEAR_FROM}` price_of_not_knowing_the_budget asks for regret linear in T, and the bound is of the order "
    "of its root.  Powers of the logarithm of T in K change nothing.  No way of aggregating base learners escapes: "
    "nothing is assumed of the learner.",
    expected="gap",
    severity="hypothesis",
    consequence="for the rate d sqrt(T) + d kappa C one guess will do up to C = sqrt(T)/kappa, without model "
    "selection, and for d sqrt(V) + d kappa C one guess up to sqrt(V)/kappa, if V is known; from C of the order "
    "Reg(T)/d on, where the footnote stops too, no learner has either rate, for logistic bandits and every S > 0 too, "
    "and one that is told a bound on C pays for it (the_bound_is_paid_for)",
    coq="HCW.UnknownBudget.comparable_guarantee_somewhere_false",
    math=r"\exists \pi \; \forall C : \; \operatorname{Reg}(T) \le 2 K (d \sqrt{T} + d \kappa C) \impliedby C \le "
    r"\frac{\sqrt{T}}{\kappa}",
)

proves(
    "HCW.UnknownBudget.price_of_ignorance",
    "app:unknown-C",
    id="price_of_not_knowing_the_budget",
    title="A bound on the regret for every budget has bound(C) >= Delta'(T - bound(0)/((d-1) Delta) (1 + T D/C)).",
    math=r"B(C) \ge \Delta' \left( T - \frac{B(0)}{(d - 1) \Delta} \left( 1 + \frac{T (\Delta + \Delta')}{C} \right) "
    r"\right), \; \Delta = \mu(s) - \mu(0), \; \Delta' = \mu(b) - \mu(s)",
    reading="repaired",
    hypotheses=(
        FINITE_FAMILY,
        "arms e_1, ..., e_d, d >= 2",
        "0 <= s <= b, s^2 + b^2 <= S^2, Delta > 0, Delta' >= 0, C > 0",
        POLICY,
        "B(C) bounds its expected regret over T rounds, for every C >= 0, theta in the ball and adversary within C",
    ),
    control=("3/2 times the bound", "HCW.BudgetControls.price_larger_false"),
    witness="HCW.UnknownBudget.logistic_guarantee",
    why="D = Delta + Delta'.  In the clean world theta = s e_k some arm j is pulled at most r = B(0)/((d-1) Delta) "
    "times in mean.  In the world s e_k + b e_j the adversary reveals, in place of a reward of arm j, one of the law "
    "of mean mu(0) that is coupled with it and not larger, while the budget lasts.  Without a limit that costs D r in "
    "mean and looks like the clean world; so with budget C it fails with probability at most D r/C, and otherwise "
    "every pull of another arm, T - r in mean, costs Delta' at least.  The adversary never leaves C.",
)

claim(
    "app:unknown-C",
    id="linear_regret_without_the_budget",
    steps=f"""
    clean: the bound without corruption; bound: that with budget C
    d >= 2, Delta > 0, rise > 0, T > 0, clean >= 0, C > 0, clean <= (d - 1)*Delta*T/4, C >= {LINEAR_FROM}
    bound >= {FLOOR}      [price_of_not_knowing_the_budget]
    => bound >= rise*T/2
    """,
    reading="repaired",
    why="The footnote's belief that the linear lower bound holds in this setting too, with constants: at a budget of "
    "the order of the regret without corruption over d.",
)

# --- sharpness -----------------------------------------------------------------------------------------------


@program(
    "app:unknown-C",
    math=r"\frac{\operatorname{Reg}(0)}{\Delta (N + 1)} + \sum_{j = 2}^{d} \frac{\operatorname{Reg}_j(C)}{\Delta' T} "
    r"\ge d - 1, \; N = \lfloor C / (\Delta + \Delta') \rfloor < T, \text{ with equality}",
    reading="repaired",
    hypotheses=("rewards without noise", "d arms, T >= N + 1"),
    control=("the N-th pull in place of the next", 0),
    facts=("deterministic-policies", "backward-induction"),
)
def frontier_of_the_two_worlds(more: int = 1) -> Evidence:
    """Without noise clean regret over Delta(N+1), plus regret at budget C over Delta' T in each world, is >= d - 1.

    N = floor(C/D) pulls can be hidden.  A deterministic policy plays one sequence while nothing is revealed; if
    it pulls arm j n times in the clean world, it pays Delta for each there, and in world j it pays Delta' T at
    least minus Delta' n if n <= N: in either case n/(N+1) plus its wrong rounds over T is at least 1.  Randomised
    policies are averages.  It is attained: never looking costs 0 and Delta' T; looking at arm j for N + 1 rounds
    first costs Delta(N+1) and 0; a coin between the two has every point of the frontier for d = 2.
    """
    # One sequence, n pulls of the arm, w wrong rounds in its world; then exact values of the game.
    hidden = implies(["T >= N + 1", "n >= 0", "n <= N", "N >= 0", "w >= T - n"], "n/(N + 1) + w/T >= 1")
    found = implies(["T >= N + 1", "N >= 0", f"n >= N + ({more})", "w >= 0"], "n/(N + 1) + w/T >= 1")
    gaps = ((F(1), F(1)), (F(3, 5), F(1, 5)))
    cases = [(d, N, T, *gap) for d, N, T in ((2, 0, 1), (2, 2, 3), (2, 2, 8), (2, 5, 9), (3, 1, 5)) for gap in gaps]
    games = [dynamic_program(two_worlds(d, N, T, Delta, rise), "==", d - 1, "min") for d, N, T, Delta, rise in cases]
    return combine(hidden, found, *games)


claim(
    "app:unknown-C",
    id="linear_regret_with_high_probability",
    says="If clean regret is at most `k*Delta` with high probability, regret with budget C is at least `rise*(T - n)` "
    "with a probability p of at least `1 - delta - k/((d - 1)*(n + 1)) - n*(Delta + rise)/C`.",
    steps=f"""
    n: whole number of pulls that the adversary can hide; k: the pulls of other arms in the clean world
    many: how many of these arms have more than n pulls; total: its mean; d: the number of arms
    least: the least probability that one of them has more than n pulls; lost: that of the arm, or of more regret
    delta: the probability of more clean regret; mean: the mean cost of hiding n pulls; C: the budget
    spent: the probability that this costs more; Delta, rise: the gaps of the two worlds; p: the probability
    regret, clean: the regret in either world; T: the rounds; pulls: those of other arms in the world that is hidden
    [assumed: any exponential family, arms e_1, ..., e_d, the two worlds; assumed: {NORMALISED}]
    [assumed: in the clean world the regret is at most R with probability at least 1 - delta]
    [mean_and_variance_repaired]
    Delta > 0, k >= 0, clean <= k*Delta                 [assumed: n whole, C > 0]
    n >= 0, many*(n + 1)*Delta <= clean                 [meaning]
    => many <= k/(n + 1)

    d >= 2, (d - 1)*least <= total                      [meaning]
    total <= k/(n + 1)                                  [above with total = many]
    => least <= k/((d - 1)*(n + 1))
    C > 0, mean <= n*(Delta + rise)                     [stochastic-order]
    spent <= mean/C                                     [markov]
    => spent <= n*(Delta + rise)/C                      [in spent, mean, n, Delta, rise, C]
    lost <= delta + least, p >= 1 - lost - spent        [meaning]
    => p >= 1 - delta - k/((d - 1)*(n + 1)) - n*(Delta + rise)/C

    rise >= 0, pulls >= T - n, regret >= rise*pulls     [meaning]
    => regret >= rise*(T - n)
    """,
    reading="repaired",
    why="While the first n pulls of the least frequent arm are hidden both worlds look the same, and in the hidden one "
    "each pull of another arm costs `rise` or more.",
)

# --- what remains --------------------------------------------------------------------------------------------

claim(
    "app:unknown-C",
    id="the_bound_is_paid_for",
    steps=f"""
    clean: the bound without corruption; bound: that with budget C
    d >= 2, Delta > 0, rise > 0, T > 0, C > 0, clean >= 0
    bound >= {FLOOR}      [price_of_not_knowing_the_budget]
    bound < rise*T/2, C <= (Delta + rise)*T
    => clean > (d - 1)*Delta*C/(4*(Delta + rise))
    """,
    reading="repaired",
    why="A learner that is told a bound on C pays that beside the clean term (valid_guess): so to choose a bound and "
    "pay for it is the best there is, up to constants and the slopes.",
)

claim(
    "app:unknown-C",
    id="valid_guess",
    steps=f"""
    spent: the corruption; G: the guess
    spent <= C, C <= G, G >= 0, eta >= 1, d >= 1
    => spent <= G, {GUESSED} <= 2*eta*sqrt(d)
    [corruption_chain]
    """,
    why="The proofs use the budget only through the sum of the corruption.  So every bound in C becomes the same bound "
    "in G, in particular one that is linear in C becomes linear in G.",
)

claim(
    "app:unknown-C",
    id="number_of_guesses",
    steps="""
    G: the first valid guess; T: the largest budget
    C >= 1, G >= C, G/2 < C
    => G < 2*C
    """,
    reading="repaired",
    why="The guess before G was too small.  Guesses up to T mean logarithmically many learners: the remark that the "
    "cost of a round is lost is right.  This factor is not the price of not knowing C: the learner cannot tell which "
    "guess is valid, and pays what price_of_not_knowing_the_budget says.",
)

claim(
    "app:unknown-C/s6",
    "app:unknown-C/s7",
    id="guesses_grow_with_the_budget",
    says="No fixed number of guesses is enough: the budget `2*P` exceeds every guess, `G <= P`.",
    steps="""
    P: the largest guess; G: a guess; C: the budget
    P >= 1, G <= P      [assumed: one learner for each of the guesses 1, 2, 4, ..., up to the largest budget]
    C == 2*P            [meaning]
    => G < C
    """,
)

claim(
    "app:unknown-C",
    id="an_adversary_that_commits",
    says="Against an adversary that commits before the arm is drawn, two worlds can be told apart without knowing C: "
    "the regret of one learner is at most `Delta*root` in the clean one, and at most `rise*(C/(Delta + rise) + root)` "
    "in the other.",
    steps="""
    u: the probability of no look in a round; e: that of a look; n: integer, the number of rounds
    wait: the mean number of rounds up to a look; rest: the probability that none comes
    T: the rounds; root: the root of T; Delta, rise: the gaps of the two worlds
    C: the budget; hidden: the rounds in which a look deceives
    clean, regret: the mean regret of this learner in the clean world and in the other
    [assumed: the two worlds without noise, d = 2, the clean one not corrupted; deterministic-policies]
    [assumed: an adversary that chooses c_t(x) for all arms before the arm is drawn and pays the largest |c_t(x)|]
    [assumed: T >= 1, C >= 0 not told to the learner]
    n >= 0, u > 0                       [meaning]
    => sum(u**k*(1 - u), k, 0, n) == 1 - u**(n + 1)

    e > 0, e <= 1, rest >= 0, wait*e == 1 - rest      [meaning]
    => wait <= 1/e

    T >= 1, Delta > 0, root == sqrt(T), e == 1/root, clean <= T*e*Delta      [meaning]
    => clean <= Delta*root

    T >= 1, Delta > 0, rise > 0, C >= 0, root == sqrt(T), e == 1/root        [meaning]
    hidden*(Delta + rise) <= C, regret <= rise*(hidden + wait)               [meaning]
    wait <= 1/e                                                              [above]
    => regret <= rise*(C/(Delta + rise) + root)
    """,
    reading="repaired",
    why="The learner looks at the other arm with probability `1/root` in every round, until a look is not the clean "
    "mean, and then stays there.  A look deceives only if it pays exactly the clean mean, which costs the adversary "
    "`Delta + rise` in the round, pulled or not.  So what price_of_not_knowing_the_budget rests on, a look that is "
    "corrupted only when it is taken, is gone.  It is not a learner for use: corruption in the clean world would "
    "drive it away.",
)
