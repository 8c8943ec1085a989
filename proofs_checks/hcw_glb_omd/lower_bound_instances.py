"""The corruption lower bound for logistic and for Poisson bandits: coupling, budget and tail bounds.

The better arm has mean M = mu(S), the others M - Delta; q = Delta/M.  X_1, X_2, ... are the costs of hiding
the pulls of the better arm, and N_j is the first time at which they add up to C or more.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from glbcheck.verify.claim import Evidence, Reading, Severity, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import combine
from glbcheck.verify.registry import claim, structural
from glbcheck.verify.search import algebra, exact, ladder, symbolic
from glbcheck.verify.search.games import dynamic_program

from .bandit_games import hidden_coin

structural("app:logistic", reason="the heading of the logistic version; its displays are claimed one by one")
structural("app:poisson", reason="the heading of the Poisson version; its displays are claimed one by one")

M, Delta, C, lam, p, y = sp.symbols("M Delta C lam p y", positive=True)


# --- logistic bandits ---------------------------------------------------------------------------------------


def flipped_mean(q: sp.Expr) -> Evidence:
    """A one is kept with probability 1 - q: the mean (1 - q) M is that of the other arms."""
    return symbolic.identity((1 - q) * M, M - Delta)


@claim(
    "app:logistic/eq1",
    hypotheses=("0 < Delta < M <= 1",),
    expected=Verdict.PROVED,
    control=("q = Delta", lambda: flipped_mean(Delta)),
)
def flipping_makes_arms_alike() -> Evidence:
    """With q = Delta/mu(S) the better arm's corrupted reward is Bernoulli with the mean of the others.

    A law on {0, 1} is determined by its mean, so the arms are then indistinguishable.
    """
    probability = algebra.decide(["D > 0", "D < M", "M <= 1"], "D/M < 1", ["D", "M"])
    return combine(probability, flipped_mean(Delta / M))


def nothing_is_learnt(T: int) -> Evidence:
    """K = 2 coins of means 3/4 and 1/2, budget 3: the least Bayes regret over T rounds against Delta T/2."""
    game = hidden_coin(2, 3, T, Fraction(3, 4), Fraction(1, 2))
    return dynamic_program(game, "==", Fraction(T, 8), "min")


@claim(
    "app:logistic",
    id="coins_are_alike_while_the_budget_lasts",
    hypotheses=("K = 2", "C = 3", "means 3/4 and 1/2"),
    expected=Verdict.PROVED,
    control=("one round more", lambda: nothing_is_learnt(5)),
    uses=("flipping_makes_arms_alike",),
)
def coins_are_alike_while_the_budget_lasts() -> Evidence:
    """Against the flipping adversary no policy does better than guessing for C + 1 rounds.

    Exact, over all policies, the state being the posterior of arm and remaining budget: regret Delta T/2
    for T = 1, ..., 4.  One round more, and an exhausted budget can show.
    """
    return combine(*(nothing_is_learnt(T) for T in range(1, 5)))


def flips_per_pull(mean: sp.Rational) -> Evidence:
    """The probability that a pull is flipped, P(r = 1) q, against the printed law Ber(q)."""
    statement = Statement(("Delta > 0", "Delta < M", "M <= 1"), "M*q == q", {"q": "Delta/M"})
    return refute(statement, {"M": mean, "Delta": sp.Rational(1, 4)}, "counterexample")


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(\text{a pull of the better arm is flipped}) = q",
    id="rate_of_the_flips",
    hypotheses=("a one is flipped with probability q",),
    expected=Verdict.REFUTED,
    control=("M = 1, every reward a one", lambda: flips_per_pull(sp.S.One)),
    severity=Severity.SLIP,
    consequence="a pull costs 1 with probability Delta <= q, so the printed law spends the budget too fast: "
    "conservative",
)
def rate_of_the_flips() -> Evidence:
    """A pull of the better arm is flipped with probability q: no, with q P(r = 1) = Delta."""
    smaller = algebra.decide(["D > 0", "M > 0", "M <= 1"], "D <= D/M", ["D", "M"])
    return combine(smaller, flips_per_pull(sp.S.Half))


def stopping_against_sum(limit: int) -> Evidence:
    """q = 1/4, C = 1, T_0 = C/(2q) = 2: P(N_j >= 2) = P(X_1 = 0) against P(X_1 + X_2 <= limit)."""
    masses = ("(3/4)**2", "2*(1/4)*(3/4)", "(1/4)**2")
    return exact.closed(f"3/4 >= {' + '.join(masses[: limit + 1])}", "P(N_j >= T_0)")


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(N_j \ge T_0) \ge \mathbb{P}(X_1 + \dots + X_{T_0} \le C), \; X_s \sim "
    r"\operatorname{Ber}(q)",
    id="budget_event_of_the_flips",
    hypotheses=("X_s independent Ber(q)", "T_0 = C/(2q)"),
    expected=Verdict.REFUTED,
    control=("sum below C instead of at most C", lambda: stopping_against_sum(0)),
    severity=Severity.SLIP,
    consequence="the costs may reach C before T_0 and stay there; Hoeffding applied to T_0 - 1 gives the final bound",
)
def budget_event_of_the_flips() -> Evidence:
    """P(N_j >= T_0) >= P(X_1 + ... + X_{T_0} <= C): false, 3/4 against 15/16 for q = 1/4, C = 1, T_0 = 2."""
    return stopping_against_sum(1)


def hoeffding_exponent(factor: int) -> Evidence:
    """factor (C - q T_0)^2/T_0 at T_0 = C/(2q) is C q."""
    q = sp.Symbol("q", positive=True)
    return symbolic.identity(factor * (C - q * C / (2 * q)) ** 2 / (C / (2 * q)), C * q)


def binomial_tails() -> Evidence:
    """P(Bin(T_0 - 1, q) >= C) <= 1 - x + x^2/2 - x^3/6 <= e^-x, x = C q, in six exact cases."""
    cases = [(1, 4), (2, 4), (2, 8), (3, 6), (4, 5), (5, 5)]
    checks = []
    for budget, inverse in cases:
        q, n = Fraction(1, inverse), -(-budget * inverse // 2) - 1
        tail = [f"{comb(n, k)}*({q})**{k}*({1 - q})**{n - k}" for k in range(budget, n + 1)]
        x = f"({budget * q})"
        checks.append(exact.closed(f"{' + '.join(tail) or 0} <= 1 - {x} + {x}**2/2 - {x}**3/6", "the tail"))
    return combine(*checks)


@claim(
    "app:logistic/eq2",
    math=r"\mathbb{P}(N_j < T_0) = \mathbb{P}(X_1 + \dots + X_n \ge C) \le e^{-C q}, \; n = \lceil T_0 "
    r"\rceil - 1",
    reading=Reading.REPAIRED,
    id="survival_of_the_flips",
    hypotheses=("X_s independent Ber(q)", "T_0 = C/(2q) > 1"),
    expected=Verdict.PROVED,
    control=("exponent without the 2", lambda: hoeffding_exponent(1)),
)
def survival_of_the_flips() -> Evidence:
    """P(N_j < T_0) = P(X_1 + ... + X_n >= C) <= exp(-C q), n being the last integer before T_0.

    Hoeffding's inequality for n < T_0 variables gives exp(-2 (C - q n)^2/n); the exponent falls as n grows
    to T_0.  T_0 need not be whole.
    """
    monotone = algebra.decide(
        ["n > 0", "T0 > n", "q > 0", "C >= q*T0"], "(C - q*n)**2/n >= (C - q*T0)**2/T0", ["n", "T0", "q", "C"]
    )
    taylor = ladder.inequality("exp(-x) >= 1 - x + x**2/2 - x**3/6", "x")
    return combine(hoeffding_exponent(2), monotone, taylor, binomial_tails())


def survives_often(budget: int) -> Evidence:
    """1 - exp(-C q) >= 1/10 at q = 1/100."""
    statement = Statement(("C > 0", "q > 0", "q < 1"), "1 - exp(-C*q) >= 1/10")
    return refute(statement, {"C": budget, "q": sp.Rational(1, 100)}, "counterexample")


@claim(
    "app:logistic/eq2",
    math=r"1 - e^{-C q} \ge c > 0 \text{ for every } C > 0",
    id="survival_for_every_budget",
    hypotheses=("C > 0",),
    expected=Verdict.REFUTED,
    control=("C = 100 = mu(S)/Delta", lambda: survives_often(100)),
    severity=Severity.HYPOTHESIS,
    consequence="the logistic version assumes C of order mu(S)/Delta, which the theorem does not; with "
    "Markov's inequality (corruption_bound_of_every_family) the condition disappears",
)
def survival_for_every_budget() -> Evidence:
    """The bound 1 - exp(-C q) stays away from 0 for every budget: false when C is small against mu(S)/Delta.

    The count that follows needs more: the arms with fewer than T_0 pulls are half of all, so the
    probability that both happen is only bounded below when exp(-C q) < 1/2."""
    return survives_often(1)


def pulls_of_other_arms(d: int) -> Evidence:
    """(d - 1) T_0/2 - T_0, what the argument counts as suboptimal pulls."""
    return refute(Statement(("d >= 2", "T0 >= 1"), "(d - 1)*T0/2 - T0 > 0"), {"d": d, "T0": 10}, "counterexample")


@claim(
    "app:logistic/eq3",
    math=r"\frac{(d - 1) T_0}{2} - T_0 > 0 \text{ for every } d \ge 2",
    id="counting_of_suboptimal_pulls",
    hypotheses=("d >= 2",),
    expected=Verdict.REFUTED,
    control=("d = 4", lambda: pulls_of_other_arms(4)),
    severity=Severity.HYPOTHESIS,
    consequence="the stochastic versions are vacuous for d = 2 and d = 3; corruption_bound_of_every_family "
    "covers d >= 2",
)
def counting_of_suboptimal_pulls() -> Evidence:
    """The count (d - 1) T_0/2 - T_0 of suboptimal pulls is positive: it is 0 at d = 3, negative at d = 2."""
    return pulls_of_other_arms(3)


# --- Poisson bandits ----------------------------------------------------------------------------------------


def thinned(rate: sp.Expr) -> Evidence:
    """E (1 - p + p y)^r for r ~ Poi(lam) against the generating function exp(rate (y - 1))."""
    kept = 1 - p + p * y
    return symbolic.identity(sp.exp(lam * (kept - 1)), sp.exp(rate * (y - 1)))


def poisson_generating_function(first: sp.Expr) -> Evidence:
    """d/dy exp(lam (y - 1)) = lam exp(lam (y - 1)): its Taylor coefficients at 0 are those of the law."""
    f = sp.exp(lam * (y - 1))
    return combine(symbolic.identity(sp.diff(f, y), lam * f), symbolic.identity(f.subs(y, 0), first))


@claim(
    "lem:poi",
    hypotheses=("lam > 0", "0 <= p <= 1"),
    expected=Verdict.PROVED,
    control=("Poi(p^2 lam)", lambda: thinned(p**2 * lam)),
)
def poisson_thinning() -> Evidence:
    """Keeping each of Poi(lam) events with probability p leaves Poi(p lam) events.

    A binomial count has generating function (1 - p + p y)^r given r; its mean over r is that of Poi(lam) at
    1 - p + p y, which is exp(p lam (y - 1)).  With 1 - p in place of p the removed events are Poi((1 - p)
    lam).
    """
    return combine(poisson_generating_function(sp.exp(-lam)), thinned(p * lam))


def removed_mean(q: sp.Expr) -> Evidence:
    """Thinning with 1 - q leaves mean M - Delta and removes mean Delta."""
    return combine(symbolic.identity((1 - q) * M, M - Delta), symbolic.identity(q * M, Delta))


@claim(
    "app:poisson",
    id="thinning_makes_arms_alike",
    hypotheses=("0 < Delta < M",),
    expected=Verdict.PROVED,
    control=("q = Delta", lambda: removed_mean(Delta)),
    uses=("poisson_thinning",),
)
def thinning_makes_arms_alike() -> Evidence:
    """With q = Delta/mu(S) all arms show Poi(mu(S) - Delta), and a hidden pull costs Poi(Delta)."""
    return removed_mean(Delta / M)


def sign_of_the_corruption(cost: str) -> Evidence:
    """r~ = r + c, as the setting defines c, at r = 1 and r~ = 0."""
    statement = Statement(("r >= 0", "seen >= 0", "seen <= r"), "seen == r + c", {"c": cost})
    return refute(statement, {"r": 1, "seen": 0}, "counterexample")


@claim(
    "app:poisson",
    math=r"\tilde{r} = r + c \text{ for } c = r - \tilde{r}",
    id="sign_of_the_poisson_corruption",
    hypotheses=("r~ = r + c",),
    expected=Verdict.REFUTED,
    control=("c = r~ - r", lambda: sign_of_the_corruption("seen - r")),
    severity=Severity.SLIP,
    consequence="none: only |c| counts against the budget",
)
def sign_of_the_poisson_corruption() -> Evidence:
    """c = r - r~ in the Poisson version: the setting's r~ = r + c makes it r~ - r."""
    return sign_of_the_corruption("r - seen")


def poisson_stopping(limit: str) -> Evidence:
    """Delta = 1/4, C = 1, T_0 = 2: P(N_j >= 2) = P(X_1 = 0) against P(X_1 + X_2 <= 1 or < 1)."""
    statement = Statement(
        ("Delta > 0", "T0 == 1/(2*Delta)"), f"exp(-Delta) >= ({limit})*exp(-rate)", {"rate": "Delta*T0"}
    )
    return refute(statement, {"Delta": sp.Rational(1, 4), "T0": 2}, "counterexample")


@claim(
    "lem:poi/eq1",
    math=r"\mathbb{P}(N_j \ge T_0) \ge \mathbb{P}(X_1 + \dots + X_{T_0} \le C), \; X_s \sim "
    r"\operatorname{Poi}(\Delta)",
    id="budget_event_of_the_thinning",
    hypotheses=("X_s independent Poi(Delta)", "T_0 = C/(2 Delta)"),
    expected=Verdict.REFUTED,
    control=("sum below C", lambda: poisson_stopping("1")),
    severity=Severity.SLIP,
    consequence="as for the flips: the tail bound applied before T_0 gives the final bound",
)
def budget_event_of_the_thinning() -> Evidence:
    """P(N_j >= T_0) >= P(X_1 + ... + X_{T_0} <= C): false, e^(-1/4) < (3/2) e^(-1/2) at C = 1, T_0 = 2."""
    return poisson_stopping("1 + rate")


def chernoff(factor: sp.Rational) -> Evidence:
    """(1 + u) log(1 + u) - u >= u^2/(factor (1 + u)): Chernoff's exponent against the printed one."""
    return ladder.inequality(f"(1 + u)*((1 + u)*log(1 + u) - u) >= u**2/({factor})", "u")


@claim(
    "lem:poi/eq1",
    math=r"\mathbb{P}(N_j < T_0) = \mathbb{P}(\operatorname{Poi}(\Delta n) \ge C) \le e^{-C/8}, \; n = "
    r"\lceil T_0 \rceil - 1",
    reading=Reading.REPAIRED,
    id="survival_of_the_thinning",
    hypotheses=("X_s independent Poi(Delta)", "T_0 = C/(2 Delta)"),
    expected=Verdict.PROVED,
    control=("1.99 in place of 2", lambda: chernoff(sp.Rational(199, 100))),
    uses=("poisson_thinning",),
)
def survival_of_the_thinning() -> Evidence:
    """P(N_j < T_0) = P(Poi(Delta n) >= C) <= exp(-C/8), n being the last integer before T_0.

    Chernoff: P(Poi(lam) >= (1 + u) lam) <= exp(-lam ((1 + u) log(1 + u) - u)), and that exponent is at
    least lam u^2/(2(1 + u)) = (C - lam)^2/(2C) for C = (1 + u) lam; it falls as lam grows to Delta T_0 =
    C/2.
    """
    u = sp.Symbol("u", positive=True)
    printed = symbolic.identity(((C - lam) ** 2 / (2 * C)).subs(C, (1 + u) * lam), lam * u**2 / (2 * (1 + u)))
    halved = symbolic.identity((C - C / 2) ** 2 / (2 * C), C / 8)
    monotone = algebra.decide(["l >= 0", "l <= C/2", "C > 0"], "(C - l)**2/(2*C) >= C/8", ["l", "C"])
    return combine(printed, chernoff(sp.S(2)), halved, monotone)
