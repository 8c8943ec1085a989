"""The corruption lower bound for logistic and for Poisson bandits: coupling, budget and tail bounds.

The better arm has mean M = mu(S), the others M - Delta; q = Delta/M.  X_1, X_2, ... are the costs of hiding
the pulls of the better arm, and N_j is the first time at which they add up to C or more.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from glbcheck.verify.search import exact, ladder, symbolic
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, structural

from .bandit_games import hidden_coin

structural("app:logistic", reason="the heading of the logistic version; its displays are claimed one by one")
structural("app:poisson", reason="the heading of the Poisson version; its displays are claimed one by one")

M, Delta, C, lam, p, y = sp.symbols("M Delta C lam p y", positive=True)

# The means of the construction: S > 0 and 0 < phi < pi/2 put 0 < S cos^2 phi < S, so 1/2 < M - Delta < M < 1.
LOGISTIC = ("Delta > 0", "M - Delta > 1/2", "M < 1", "q == Delta/M")
COIN = {"M": Fraction(4, 5), "Delta": Fraction(1, 5), "q": Fraction(1, 4)}


# --- logistic bandits ---------------------------------------------------------------------------------------


@claim("app:logistic/eq1", hypotheses=("0 < Delta < M <= 1",), control=("q = Delta", Delta))
def flipping_makes_arms_alike(q: sp.Expr = Delta / M) -> Evidence:
    """With q = Delta/mu(S) the better arm's corrupted reward is Bernoulli with the mean of the others.

    A law on {0, 1} is determined by its mean, so the arms are then indistinguishable.
    """
    probability = implies(["D > 0", "D < M", "M <= 1"], "D/M < 1")
    # A one is kept with probability 1 - q: the mean (1 - q) M is that of the other arms.
    flipped_mean = symbolic.identity((1 - q) * M, M - Delta)
    return combine(probability, flipped_mean)


def nothing_is_learnt(T: int) -> Evidence:
    """K = 2 coins of means 4/5 and 3/5, budget 3: the least Bayes regret over T rounds against Delta T/2."""
    game = hidden_coin(2, 3, T, Fraction(4, 5), Fraction(3, 5))
    return dynamic_program(game, "==", Fraction(T, 10), "min")


@claim(
    "app:logistic",
    hypotheses=("K = 2", "C = 3", "means 4/5 and 3/5"),
    control=("one round more", lambda: nothing_is_learnt(5)),
    uses=("flipping_makes_arms_alike",),
    facts=("backward-induction",),
)
def coins_are_alike_while_the_budget_lasts() -> Evidence:
    """With two arms and a budget of 3 no policy beats guessing for 4 rounds, against the flipping adversary.

    Exact, over all policies, the state being the posterior of arm and remaining budget: regret Delta T/2
    for T = 1, ..., 4.  One round more, and an exhausted budget can show.
    """
    return combine(*(nothing_is_learnt(T) for T in range(1, 5)))


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(\text{a pull of the better arm is flipped}) = q",
    hypotheses=("a one is flipped with probability q",),
    expected="refuted",
    control=("q P(r = 1)", "q*M"),
    severity="slip",
    consequence="a pull costs 1 with probability Delta <= q, so the printed law spends the budget too fast: "
    "conservative",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def rate_of_the_flips(printed: str = "q") -> Evidence:
    """A pull of the better arm is flipped with probability q: no, with q P(r = 1) = Delta.

    Means 4/5 and 3/5 give q = 1/4 and 1/5 of the pulls flipped; q is too large for all means.
    """
    # The probability that a pull is flipped, P(r = 1) q, against the printed law Ber(q).
    return refuted(fails(LOGISTIC, f"M*q == {printed}", at=COIN), implies([*LOGISTIC], "M*q < q"))


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(N_j \ge T_0) \ge \mathbb{P}(X_1 + \dots + X_{T_0} \le C), \; X_s \sim \operatorname{Ber}(q)",
    hypotheses=("X_s independent Ber(q)", "T_0 = C/(2q)", "C of the order 1/q or more"),
    expected="refuted",
    control=("sum below C instead of at most C", 3),
    severity="slip",
    consequence="the costs may reach C before T_0 and stay there; Hoeffding applied to T_0 - 1 gives the final bound",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def budget_event_of_the_flips(limit: int = 4) -> Evidence:
    """P(N_j >= T_0) >= P(X_1 + ... + X_{T_0} <= C): false, 0.93 against 0.97 for q = 1/4, C = 4, T_0 = 8.

    N_j >= T_0 says that the sum is below C one step earlier, and then it is at most C at T_0; the converse fails
    where C is reached before T_0 and stays: for every q and every whole C < T_0.
    """
    # q = 1/4, C = 1/q = 4, T_0 = C/(2q) = 8: P(N_j >= 8) = P(X_1 + ... + X_7 <= 3) against P(X_1 + ... + X_8 <= limit).
    earlier, later = binomial_sum(7, 3), binomial_sum(8, limit)
    known = (*LOGISTIC, "T0 == C/(2*q)", "C*q >= 1", "T0 == 8", "C == 4")
    witness = fails(known, f"{earlier} >= {later}", at={**COIN, "C": 4, "T0": 8})
    # below = P(sum < C), equal = P(sum = C), both one step before T_0.
    every = implies(["q > 0", "q < 1", "equal > 0", "later == below + equal*(1 - q)"], "below < later")
    return refuted(witness, every)


def binomial_sum(n: int, most: int) -> str:
    """P(Bin(n, q) <= most), written out."""
    return " + ".join(f"{comb(n, k)}*q**{k}*(1 - q)**{n - k}" for k in range(most + 1))


def binomial_tails() -> Evidence:
    """P(Bin(T_0 - 1, q) >= C) <= 1 - x + x^2/2 - x^3/6 <= e^-x, x = C q, in six exact cases."""
    cases = [(1, 4), (2, 4), (2, 8), (3, 6), (4, 5), (5, 5)]
    checks = []
    for budget, inverse in cases:
        q, n = Fraction(1, inverse), -(-budget * inverse // 2) - 1
        tail = [f"{comb(n, k)}*({q})**{k}*({1 - q})**{n - k}" for k in range(budget, n + 1)]
        x = f"({budget * q})"
        checks.append(exact.closed(f"{' + '.join(tail) or 0} <= 1 - {x} + {x}**2/2 - {x}**3/6"))
    return combine(*checks)


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(N_j < T_0) = \mathbb{P}(X_1 + \dots + X_n \ge C) \le e^{-C q}, \; n = \lceil T_0 \rceil - 1",
    reading="repaired",
    hypotheses=("X_s independent Ber(q)", "T_0 = C/(2q) > 1"),
    control=("exponent without the 2", 1),
    facts=("hoeffding",),
)
def survival_of_the_flips(factor: int = 2) -> Evidence:
    """P(N_j < T_0) = P(X_1 + ... + X_n >= C) <= exp(-C q), n being the last integer before T_0.

    Hoeffding's inequality for n < T_0 variables gives exp(-2 (C - q n)^2/n); the exponent falls as n grows
    to T_0.  T_0 need not be whole.
    """
    monotone = implies(["n > 0", "T0 > n", "q > 0", "C >= q*T0"], "(C - q*n)**2/n >= (C - q*T0)**2/T0")
    taylor = ladder.inequality("exp(-x) >= 1 - x + x**2/2 - x**3/6", "x")
    # factor (C - q T_0)^2/T_0 at T_0 = C/(2q) is C q.
    T0 = "(C/(2*q))"
    hoeffding_exponent = symbolic.identity(f"{factor}*(C - q*{T0})**2/{T0}", "C*q", variables=["C", "q"])
    return combine(hoeffding_exponent, monotone, taylor, binomial_tails())


@claim(
    "app:logistic/eq2",
    "thm:lower-bound-corruption",
    math=r"1 - e^{-C q} \ge c > 0 \text{ for every } C > 0 \impliedby C \ge \frac{1}{q} = \frac{\mu(S)}{\Delta}",
    hypotheses=("C > 0, as in the theorem",),
    expected="gap",
    control=("C = 100 = mu(S)/Delta", 100),
    severity="hypothesis",
    consequence="the logistic version assumes C of order mu(S)/Delta, as it says, which the theorem does not; with "
    "Markov's inequality (corruption_bound_of_every_family) the condition disappears",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def survival_for_every_budget(budget: int = 1) -> Evidence:
    """The bound 1 - exp(-C q) stays away from 0 for every budget of the theorem: if C is at least mu(S)/Delta.

    The count that follows needs more: the arms with fewer than T_0 pulls are half of all, so the
    probability that both happen is only bounded below when exp(-C q) < 1/2.  Means 4/5 and 99/125 give
    q = 1/100, and with C = 1 the bound is below 1/100; as C q -> 0 it is below any c."""
    # 1 - exp(-C q) >= c, with x = C q.
    small = fails(
        ("C > 0", *LOGISTIC, "c > 0"),
        "1 - exp(-C*q) >= c",
        at={"C": budget, "M": Fraction(4, 5), "Delta": Fraction(1, 125), "q": Fraction(1, 100), "c": Fraction(1, 99)},
    )
    every = [ladder.inequality("1 - exp(-x) <= x", "x"), implies(["q > 0", "c > 0", "C == c/(2*q)"], "C*q < c")]
    return gap(ladder.inequality("1 - exp(-x) > 1/2", "x", 1), refuted(small, *every))


@claim(
    "app:logistic/eq3",
    math=r"\frac{(d - 1) T_0}{2} - T_0 = \Omega(d T_0) \text{ for every } d \ge 2",
    hypotheses=("d >= 2",),
    expected="refuted",
    control=("d = 4", 4),
    coq="HCW.PrintedConstruction.printed_count_false",
    severity="hypothesis",
    consequence="the stochastic versions are vacuous for d = 2 and d = 3; corruption_bound_of_every_family covers d "
    ">= 2",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def counting_of_suboptimal_pulls(d: int = 3) -> Evidence:
    """The count (d - 1) T_0/2 - T_0 of suboptimal pulls is of order d T_0: it is 0 at d = 3, negative at d = 2."""
    # (d - 1) T_0/2 - T_0, what the argument counts as suboptimal pulls, against c d T_0.
    known = ("d >= 2", "T0 >= 1", "c > 0")
    none = fails(known, "(d - 1)*T0/2 - T0 >= c*d*T0", at={"d": d, "T0": 10, "c": Fraction(1, 1000)})
    return refuted(none, implies([*known, "d <= 3"], "(d - 1)*T0/2 - T0 < c*d*T0"))


# --- Poisson bandits ----------------------------------------------------------------------------------------


def poisson_generating_function() -> Evidence:
    """d/dy exp(lam (y - 1)) = lam exp(lam (y - 1)), which is e^-lam e^(lam y): the Taylor coefficients of the law."""
    f = sp.exp(lam * (y - 1))
    split = symbolic.identity(f, "exp(-lam)*exp(lam*y)", variables=["lam", "y"])
    return combine(symbolic.identity(sp.Derivative(f, y), lam * f), split)


@claim(
    "lem:poi",
    hypotheses=("lam > 0", "0 <= p <= 1"),
    control=("Poi(p^2 lam)", p**2 * lam),
    facts=("generating-function",),
)
def poisson_thinning(rate: sp.Expr = p * lam) -> Evidence:
    """Keeping each of Poi(lam) events with probability p leaves Poi(p lam) events.

    A binomial count has generating function (1 - p + p y)^r given r; its mean over r is that of Poi(lam) at
    1 - p + p y, which is exp(p lam (y - 1)).  With 1 - p in place of p the removed events are Poi((1 - p)
    lam).
    """
    # E (1 - p + p y)^r for r ~ Poi(lam) against the generating function exp(rate (y - 1)).
    kept = 1 - p + p * y
    thinned = symbolic.identity(sp.exp(lam * (kept - 1)), sp.exp(rate * (y - 1)))
    return combine(poisson_generating_function(), thinned)


@claim("app:poisson", hypotheses=("0 < Delta < M",), control=("q = Delta", "Delta"), uses=("poisson_thinning",))
def thinning_makes_arms_alike(q: str = "(Delta/M)") -> Evidence:
    """With q = Delta/mu(S) all arms show Poi(mu(S) - Delta), and a hidden pull costs Poi(Delta)."""
    # Thinning with 1 - q leaves mean M - Delta and removes mean Delta.
    names = ["Delta", "M"]
    kept = symbolic.identity(f"(1 - {q})*M", "M - Delta", variables=names)
    return combine(kept, symbolic.identity(f"{q}*M", "Delta", variables=names))


@claim(
    "app:poisson",
    math=r"\tilde{r} = r + c \text{ for } c = r - \tilde{r}",
    hypotheses=("r~ = r + c",),
    expected="refuted",
    control=("c = r~ - r", "seen - r"),
    severity="slip",
    consequence="none: only |c| counts against the budget",
)
def sign_of_the_poisson_corruption(cost: str = "r - seen") -> Evidence:
    """c = r - r~ in the Poisson version: the setting's r~ = r + c makes it r~ - r."""
    # r~ = r + c, as the setting defines c, at r = 1 and r~ = 0.
    return fails(("r >= 0", "seen >= 0", "seen <= r"), "seen == r + c", {"c": cost}, at={"r": 1, "seen": 0})


@claim(
    "lem:poi/eq1",
    math=r"\mathbb{P}(N_j \ge T_0) \ge \mathbb{P}(X_1 + \dots + X_{T_0} \le C), \; X_s \sim \operatorname{Poi}(\Delta)",
    hypotheses=("X_s independent Poi(Delta)", "T_0 = C/(2 Delta)"),
    expected="refuted",
    control=("sum below C", "1"),
    severity="slip",
    consequence="as for the flips: the tail bound applied before T_0 gives the final bound",
    carries=("regret_of_order_dC_needs_a_horizon",),
)
def budget_event_of_the_thinning(limit: str = "1 + rate") -> Evidence:
    """P(N_j >= T_0) >= P(X_1 + ... + X_{T_0} <= C): false, e^(-1/4) < (3/2) e^(-1/2) at C = 1, T_0 = 2."""
    # Delta = 1/4, C = 1, T_0 = 2: P(N_j >= 2) = P(X_1 = 0) against P(X_1 + X_2 <= 1 or < 1).
    # Delta < e^S - 1, as Delta = e^S - e^(S cos^2 phi).
    return fails(
        ("Delta > 0", "S > 0", "Delta < exp(S) - 1", "C == 1", "T0 == C/(2*Delta)"),
        f"exp(-Delta) >= ({limit})*exp(-rate)",
        {"rate": "Delta*T0"},
        at={"S": 1, "Delta": sp.Rational(1, 4), "C": 1, "T0": 2},
    )


@claim(
    "lem:poi/eq1",
    math=r"\mathbb{P}(N_j < T_0) = \mathbb{P}(\operatorname{Poi}(\Delta n) \ge C) \le e^{-C/8}, \; n = \lceil T_0 "
    r"\rceil - 1",
    reading="repaired",
    hypotheses=("X_s independent Poi(Delta)", "T_0 = C/(2 Delta)"),
    control=("1.99 in place of 2", sp.Rational(199, 100)),
    uses=("poisson_thinning",),
    facts=("chernoff",),
)
def survival_of_the_thinning(factor: sp.Rational = sp.S(2)) -> Evidence:
    """P(N_j < T_0) = P(Poi(Delta n) >= C) <= exp(-C/8), n being the last integer before T_0.

    Chernoff: P(Poi(lam) >= (1 + u) lam) <= exp(-lam ((1 + u) log(1 + u) - u)), and that exponent is at
    least lam u^2/(2(1 + u)) = (C - lam)^2/(2C) for C = (1 + u) lam; it falls as lam grows to Delta T_0 =
    C/2.
    """
    u = sp.Symbol("u", positive=True)
    budget = "((1 + u)*lam)"
    printed = symbolic.identity(f"({budget} - lam)**2/(2*{budget})", lam * u**2 / (2 * (1 + u)), variables=["u", "lam"])
    halved = symbolic.identity("(C - C/2)**2/(2*C)", "C/8", variables=["C"])
    monotone = implies(["l >= 0", "l <= C/2", "C > 0"], "(C - l)**2/(2*C) >= C/8")
    # (1 + u) log(1 + u) - u >= u^2/(factor (1 + u)): Chernoff's exponent against the printed one.
    chernoff = ladder.inequality(f"(1 + u)*((1 + u)*log(1 + u) - u) >= u**2/({factor})", "u")
    return combine(printed, chernoff, halved, monotone)
