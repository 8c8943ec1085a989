"""The appendix on unknown budgets: how far the guarantee for known ones goes, what that costs, and what remains.

Two worlds.  In the clean one an arm is better than all others by Delta.  In the other one of these others is better
still, by Delta' more than the first, and the adversary hides it: at D = Delta + Delta' a pull it looks as before.
"""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.core.theory import constants, lower_constants
from glbcheck.verify.search import symbolic
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, proves, refuted, states, text_of

from .bandit_games import two_worlds
from .coq_lower_bounds import FINITE_FAMILY, POLICY
from .unprinted import NORMALISED

# The widening of the radius when the learner is told G for C, with the weights of the theorem.
GUESSED = text_of(lambda eta, d, G: constants.widening(eta, constants.alpha(d, G), G), "eta", "d", "G")
FLOOR = text_of(lower_constants.unknown_budget_floor, "d", "C", "T", "Delta", "rise", "clean")
LINEAR_FROM = text_of(lower_constants.budget_of_linear_regret, "d", "Delta", "rise", "clean")

# --- the appendix as printed ---------------------------------------------------------------------------------


@claim(
    "app:unknown-C",
    "app:unknown-C/s5",
    math=r"\exists \pi \; \forall C : \; \operatorname{Reg}(T) \le 2 K (d \sqrt{T} + d \kappa C) \impliedby C \le "
    r"\frac{\sqrt{T}}{\kappa}",
    hypotheses=(
        "the adversary of the paper, who sees the arm before it corrupts",
        "C not told to the learner",
        "with C told, Reg(T) <= K (d sqrt(T) + d kappa C)",
        "d >= 2",
    ),
    expected="gap",
    control=("10^12 rounds, too few for these constants", 12),
    coq="HCW.UnknownBudget.comparable_guarantee_somewhere_false",
    severity="hypothesis",
    consequence="for the rate d sqrt(T) + d kappa C one guess will do up to C = sqrt(T)/kappa, without model "
    "selection, and for d sqrt(V) + d kappa C one guess up to sqrt(V)/kappa, if V is known; from C of the order "
    "Reg(T)/d on, where the footnote stops too, no learner has either rate, for logistic bandits and every S > 0 too, "
    "and one that is told a bound on C pays for it (the_bound_is_paid_for)",
    uses=("price_of_not_knowing_the_budget",),
)
def comparable_guarantee_without_the_budget(digits: int = 16) -> Evidence:
    """Without knowing C a guarantee like that for a known C is possible: for C <= sqrt(T)/kappa, not for every C.

    Up to there the learner that is told sqrt(T)/kappa has at most twice the bound for the true C (`valid_guess`).  That
    is said of d sqrt(T); with the d sqrt(V) of Theorem regret the guess is sqrt(V)/kappa, and sqrt(T)/kappa costs too
    much where V is small: for Gaussian rewards with d = kappa = 1 and g = T^(-1/2) it turns T^(1/4) into T^(1/2).  The
    sentence has no limit; the footnote before it takes back C from the order Reg(T)/d on.  For suppose that
    K(d sqrt(T) + d kappa C) bounds the regret for every C.  At C = 0 it is F = K d sqrt(T), and
    `price_of_not_knowing_the_budget` at C = 4 D F/((d-1) Delta) asks for Delta'(3T/4 - F/((d-1) Delta)), of order T,
    where the bound is of order sqrt(T).  Powers of log T in K change nothing; Coq has the case of any F and G with
    F(1 + G) = o(T).  No way of aggregating base learners escapes: nothing is assumed of the learner.
    """
    known = ["d >= 2", "Delta > 0", "rise > 0", "K >= 1", "kappa >= 1", "T >= 1"]
    # The bound of the learner that is told G = sqrt(V)/kappa, V = T or smaller, against twice that for the true C.
    one_guess = implies(
        ["d >= 2", "K >= 1", "kappa >= 1", "V > 0", "C >= 0", "G == sqrt(V)/kappa"],
        "K*(d*sqrt(V) + d*kappa*G) <= 2*(K*(d*sqrt(V) + d*kappa*C))",
    )
    # With r = T^(1/4): G = sqrt(T) and sqrt(V) = sqrt(T g) = T^(1/4) at d = kappa = 1, C = 0.
    too_large = implies(["r >= 1", "G == r**2", "s == r"], "s + G >= r*s")
    # The price at this C, against the bound; then with r = sqrt(T), divided by r, for every K and kappa.
    witness = fails(
        known,
        f"{FLOOR} <= clean + K*d*kappa*C",
        {"clean": "K*d*sqrt(T)", "C": LINEAR_FROM},
        at={"d": 2, "Delta": F(1, 10), "rise": F(1, 10), "K": 100, "kappa": 10, "T": 10**digits},
    )
    q = "K*d/((d - 1)*Delta)"
    every = implies(
        [*known[:-1], f"q == {q}", "r > 4*(K*d*(1 + 4*kappa*(Delta + rise)*q)/rise + q)/3"],
        "rise*(3*r/4 - q) > K*d + K*d*kappa*4*(Delta + rise)*q",
    )
    at_that_budget = implies(
        [*known, "clean > 0", f"C == {LINEAR_FROM}"], f"{FLOOR} == rise*(3*T/4 - clean/((d - 1)*Delta))"
    )
    return gap(one_guess, refuted(witness, every, at_that_budget, too_large))


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


states(
    f"d >= 2, Delta > 0, rise > 0, T > 0, clean >= 0, C > 0, clean <= (d - 1)*Delta*T/4, C >= {LINEAR_FROM}, "
    f"bound >= {FLOOR} => bound >= rise*T/2",
    "app:unknown-C",
    id="linear_regret_without_the_budget",
    control=("clean <= (d - 1)*Delta*T/4", "clean <= (d - 1)*Delta*T/2"),
    uses=("price_of_not_knowing_the_budget",),
    reading="repaired",
    why="The footnote's belief that the linear lower bound holds in this setting too, with constants: a learner with "
    "regret at most `clean` at budget 0 has regret Delta' T/2 at C = 4(1 + Delta'/Delta) clean/(d-1), of order "
    "Reg(T)/d.",
)


# --- sharpness -----------------------------------------------------------------------------------------------


@claim(
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


@claim(
    "app:unknown-C",
    math=r"\mathbb{P} \left( \operatorname{Reg}(C) \ge \Delta' (T - n) \right) \ge 1 - \delta - "
    r"\frac{k}{(d - 1)(n + 1)} - \frac{n (\Delta + \Delta')}{C}, \; k = \lfloor R / \Delta \rfloor",
    reading="repaired",
    hypotheses=(
        "any exponential family, arms e_1, ..., e_d, the two worlds",
        NORMALISED,
        "in the clean world the regret is at most R with probability at least 1 - delta",
        "n whole, C > 0",
    ),
    control=("d - 2 in place of d - 1", "(d - 2)"),
    uses=("mean_and_variance_repaired",),
    facts=("stochastic-order", "markov"),
)
def linear_regret_with_high_probability(others: str = "(d - 1)") -> Evidence:
    """If clean regret is at most R with probability 1 - delta, regret at budget C is linear with high probability.

    At most k = floor(R/Delta) pulls of other arms are made in the clean world, but for an event of probability
    delta.  Then at most k/(n+1) of the d-1 arms have more than n pulls, so some arm j has more than n with
    probability at most delta + k/((d-1)(n+1)).  Hiding its first n pulls costs n D in mean, and more than C with
    probability at most n D/C by Markov's inequality.  Otherwise both worlds look the same for all T rounds, and
    each of the T - n pulls of other arms at least costs Delta'.  Without noise the last term is 0 for C >= n D, and
    with d = 2 and n = k so is the one before it: probability 1 - delta at C = k D.
    """
    # `many` of the d - 1 other arms have n + 1 pulls each, of k in all; the least frequent of them; then Markov.
    arms = implies(["n >= 0", "many*(n + 1) <= k"], "many <= k/(n + 1)")
    share = implies(
        ["d >= 2", "n >= 0", "k >= 0", f"{others}*least <= total", "total <= k/(n + 1)"], "least <= k/((d - 1)*(n + 1))"
    )
    cost = implies(["D > 0", "C > 0", "n >= 0", "mean <= n*D"], "mean/C <= n*D/C")
    sums = implies(["lost <= delta + x", "spent <= y"], "1 - lost - spent >= 1 - delta - x - y")
    return combine(arms, share, cost, sums)


# --- what remains --------------------------------------------------------------------------------------------


states(
    f"d >= 2, Delta > 0, rise > 0, T > 0, C > 0, clean >= 0, bound >= {FLOOR}, bound < rise*T/2, C <= (Delta + rise)*T "
    "=> clean > (d - 1)*Delta*C/(4*(Delta + rise))",
    "app:unknown-C",
    id="the_bound_is_paid_for",
    control=("/(4*(Delta + rise))", "/(3*(Delta + rise))"),
    uses=("price_of_not_knowing_the_budget",),
    reading="repaired",
    why="Who wants regret below Delta' T/2 at budget C pays more than (d-1) C/(4(1 + Delta'/Delta)) when nothing is "
    "corrupted.  A learner that is told a bound G on C and sets C = G pays d kappa G plus the clean term "
    "(`valid_guess`): so to choose a bound and pay for it is the best there is, up to kappa and constants.  G = "
    "sqrt(T)/kappa costs no more than d sqrt(T), and G = sqrt(V)/kappa no more than d sqrt(V), and covers C <= G; for "
    "larger budgets that learner has only the trivial bound.",
)


states(
    f"spent <= C, C <= G, G >= 0, eta >= 1, d >= 1 => spent <= G, {GUESSED} <= 2*eta*sqrt(d)",
    "app:unknown-C",
    id="valid_guess",
    control=("=> spent <= G", "=> spent <= (1 - 10**-6)*G"),
    uses=("corruption_chain",),
    why="A guess G >= C is a valid budget, and with alpha = sqrt(d)/max(G, 1) corruption widens the radius by at most "
    "2 eta sqrt(d).  The proofs use the budget only through sum |c_t| <= C.  So every bound in C becomes the same "
    "bound in G, in particular one that is linear in C becomes linear in G.",
)


states(
    "C >= 1, G >= C, G/2 < C => G < 2*C",
    "app:unknown-C",
    id="number_of_guesses",
    control=("< 2*C", "< (2 - 10**-6)*C"),
    reading="repaired",
    why="G is the first valid guess among 1, 2, 4, ...: the one before it was too small.  Guesses up to T mean 1 + "
    "log2 T learners, and each round costs log T times as much: the remark that O(1) is lost is right.  The factor 2 "
    "is not the price of not knowing C: the learner cannot tell which guess is valid, and pays what "
    "`price_of_not_knowing_the_budget` says, however it chooses among its guesses.",
)


@claim(
    "app:unknown-C/s6",
    "app:unknown-C/s7",
    hypotheses=("one learner for each of the guesses 1, 2, 4, ..., up to the largest budget",),
    control=("a budget that is one of the guesses", "P"),
)
def guesses_grow_with_the_budget(budget: str = "2*P") -> Evidence:
    """No fixed number of guesses is enough: a budget twice the largest guess has no valid one.

    So guesses for all budgets up to T mean 1 + log2 T learners at least, and as many times the cost of a round.
    """
    return implies(["P >= 1", "G <= P", f"C == {budget}"], "G < C")


@claim(
    "app:unknown-C",
    math=r"\operatorname{Reg}(0) \le \Delta \sqrt{T}, \quad \operatorname{Reg}(C) \le \Delta' \left( \tfrac{C}{\Delta "
    r"+ \Delta'} + \sqrt{T} \right)",
    reading="repaired",
    hypotheses=(
        "the two worlds without noise, d = 2; the clean one is not corrupted",
        "an adversary that chooses c_t(x) for all arms before the arm is drawn and pays the largest |c_t(x)|",
        "T >= 1, C >= 0 not told to the learner",
    ),
    control=("half as many looks", F(1, 2)),
    facts=("deterministic-policies",),
)
def an_adversary_that_commits(rate: F = F(1)) -> Evidence:
    """Against an adversary that commits before the arm is drawn, two worlds can be told apart without knowing C.

    The learner looks at the other arm with probability 1/sqrt(T) in every round, until a look is not the clean mean,
    and then stays there.  Clean, that costs Delta/sqrt(T) a round.  In the other world a look deceives only if it pays
    exactly the clean mean, which costs the adversary D in the round, pulled or not: in C/D rounds at most.  In each
    of the others the look happens with the same probability, so that these last sqrt(T) rounds in mean.  So what
    `price_of_not_knowing_the_budget` rests on, a look that is corrupted only when it is taken, is gone.  It is not a
    learner for use: corruption in the clean world would drive it away.  What is possible there for this adversary is
    left to the literature on model selection.
    """
    # With u = 1 - e the mean wait is the sum of u^k, at most 1/e; a look in `rate` times as many rounds.
    wait = symbolic.sum_identity("u**k*(1 - u)", "1 - u**(n + 1)", "k", 0, "n", variables=["u"])
    longest = implies(["e > 0", "e <= 1", "rest >= 0", "wait*e == 1 - rest"], "wait <= 1/e")
    looks = implies(["T >= 1", "Delta > 0", "root == sqrt(T)", "e == 1/root"], "T*e*Delta <= Delta*root")
    seldom = implies(
        [
            "T >= 1",
            "rise > 0",
            "D > 0",
            "C >= 0",
            "root == sqrt(T)",
            f"e == {rate}/root",
            "hidden*D <= C",
            "wait <= 1/e",
        ],
        "rise*(hidden + wait) <= rise*(C/D + root)",
    )
    return combine(wait, longest, looks, seldom)
