"""Appendix C, first half: one round's regret, split into first and second order, and what the slopes become.

Notation of one round: x the pulled arm, n its norm in H_t^-1, z = <x, theta*>, z* the best value of the
round, a = mu'(z), b = mu'(<x, theta_{t+1}>), r the radius of C_t, q >= r that of C_{t+1} or of any later
round, and K = R_s L_mu.  On the event of the confidence sequence theta* lies in every C_t.  Since Theta is
a ball around 0, every point between two values <x, theta> is again such a value, so the constants of the link
apply there.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import algebra, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, nonnegative, structural

NEAR = sp.Rational(1, 10**6)

v, R, x, y, z = sp.symbols("v R x y z", real=True)

structural("app:proof-regret", reason="heading of the proof; the claims below decide its steps")
structural("sec:regret-decompostion-proof", reason="heading of the proof of the decomposition")


# --- Taylor, optimism, Cauchy-Schwarz -------------------------------------------------------------------


def taylor(start: sp.Symbol, end: sp.Symbol, weight: sp.Expr) -> Evidence:
    """mu(end) to first order at start, plus the integral of weight mu''(path)(end - start)^2."""
    step = end - start
    path = start + v * step
    integrand = weight * symbolic.smooth("mu", 2)(path) * step**2
    return symbolic.taylor_remainder("mu", 1, integrand, v, path, start, end, (0, 1))


@claim(
    "theorem:regret/eq2",
    hypotheses=("mu is twice differentiable between <x_t, theta*> and <x*, theta*>",),
    control=("weight v instead of 1 - v in the remainder", lambda: taylor(y, z, v)),
    facts=("taylor",),
)
def taylor_at_the_best_arm() -> Evidence:
    """The round's regret is mu'(z*)(z* - z) minus the integral of (1-v) mu''(z* + v(z - z*))(z - z*)^2.

    Taylor's theorem at z*, with its integral remainder.  The proof of the theorem does not use it:
    it expands at z and moves the slope to z* afterwards (lemma:decomposition/eq3).
    """
    return taylor(y, z, 1 - v)


@claim(
    "sec:regret-decompostion-proof/eq1",
    hypotheses=("theta* in C_t", "(x_t, theta~_t) maximises <x, theta>", "mu does not decrease"),
    control=("the remainder weighted by v", v),
    facts=("taylor",),
)
def regret_by_optimism(weight: sp.Expr = 1 - v) -> Evidence:
    """The regret is at most the sum of mu(<x_t, theta~_t>) - mu(z_t), which is A + B exactly.

    (x*, theta*) competes in the maximisation because theta* is in C_t, and mu does not decrease; a maximiser
    of <x, theta> is one of mu(<x, theta>).  The equality is Taylor's theorem at z_t.
    """
    # Taylor at z up to the optimistic value y, and the order of three means that optimism gives.
    order = implies(["best <= optimistic"], "best - mean <= optimistic - mean")
    return combine(taylor(z, y, weight), order)


def cauchy_schwarz() -> Evidence:
    """(sum p_i q_i)^2 <= sum p_i^2 sum q_i^2, one more pair at a time."""
    return algebra.induction(
        "P**2 <= A*B",
        ["P", "A", "B"],
        initial=["P == p*q", "A == p**2", "B == q**2"],
        transition=["P_next == P + p*q", "A_next == A + p**2", "B_next == B + q**2"],
        always=["A >= 0", "B >= 0"],
        auxiliary=["p", "q"],
    )


@claim(
    "sec:regret-decompostion-proof/eq2",
    hypotheses=("theta*, theta~_t in C_t", "mu' >= 0", "the radii do not decrease"),
    control=("factor 2 - 10^-6", 2 - NEAR),
    facts=("cauchy-schwarz", "triangle"),
)
def first_order_term(factor: sp.Rational = sp.S(2)) -> Evidence:
    """A <= 2 r_T sum mu'(z_t) n_t, then split by whether mu'(z_t) or mu'(<x_t, theta_{t+1}>) is larger.

    In coordinates where H_t is the identity, <x, theta~ - theta*> is a sum of products (Cauchy-Schwarz) and
    the distance of two points of a ball of radius r is at most 2r; r_t <= r_T as beta_t does not decrease.
    """
    # |theta~ - theta*| <= factor r when both are within r of theta_t; then term A.
    triangle = implies(
        [*nonnegative("s", "t", "D", "r"), "D**2 <= s**2 + 2*s*t + t**2", "s <= r", "t <= r"], f"D <= ({factor})*r"
    )
    larger_radius = implies(
        [*nonnegative("a", "n", "r"), "q >= r", f"D <= ({factor})*r", "i <= n*D"], f"a*i <= ({factor})*q*a*n"
    )
    return combine(cauchy_schwarz(), triangle, larger_radius)


# --- the slope at the next iterate ------------------------------------------------------------------------


def logistic_slopes(conclusion: str) -> Evidence:
    """Slopes and means of the logistic link at z = 0 and at y = S = 1, where the slope is smaller.

    R = tanh(S/2) is the least constant of the link on [-S, S].
    """
    return fails(
        ("S > 0", "abs(z) <= S", "abs(y) <= S", "z <= y", "slope0 >= slope1"),
        conclusion,
        {
            "R": "tanh(S/2)",
            "slope0": "exp(-z)/(1 + exp(-z))**2",
            "slope1": "exp(-y)/(1 + exp(-y))**2",
            "mean0": "1/(1 + exp(-z))",
            "mean1": "1/(1 + exp(-y))",
        },
        at={"z": 0, "y": 1, "S": 1},
    )


@claim(
    "sec:regret-decompostion-proof/eq3",
    math=r"\mu'(z) \le \mu'(y) + R_s (z - y) \int_0^1 \mu'(y + v (z - y)) \, dv",
    hypotheses=("|mu''| <= R_s mu'", "mu'(<x, theta*>) >= mu'(<x, theta_{t+1}>)"),
    expected="refuted",
    control=("the absolute value of the step", lambda: logistic_slopes("slope0 <= slope1 + R*abs(mean0 - mean1)")),
    severity="slip",
    consequence="the next line bounds the step by a norm, and with an absolute value the chain holds",
    carries=("rounds_with_dropping_slope",),
)
def slope_at_next_iterate() -> Evidence:
    """Second line: mu'(z) <= mu'(y) + R_s (integral of mu') (z - y), y = <x, theta_{t+1}>; false when z < y.

    The step z - y may be negative on rounds with mu'(z) >= mu'(y): logistic link, z = 0, y = 1.  So it is for
    d = S = x = 1, theta_* = 0 and theta_1 = 1 = theta_2, after a reward 1, which pushes against the border.
    """
    return logistic_slopes("slope0 <= slope1 + R*(mean0 - mean1)")


@claim(
    "sec:regret-decompostion-proof/eq3",
    math=r"\mu'(z) \le \mu'(y) + R_s \lvert \mu(z) - \mu(y) \rvert \le \mu'(y) + R_s L_\mu r_{t+1} \lVert x_t "
    r"\rVert_{H_t^{-1}}",
    reading="repaired",
    hypotheses=("|mu''| <= R_s mu' and mu' <= L_mu on [-S, S]", "theta*, theta_{t+1} in Theta", "theta* in C_{t+1}"),
    control=("R_s replaced by (1 - 10^-6) R_s", 1 - NEAR),
    uses=("first_order_term",),
    facts=("monotone", "mean-value", "cauchy-schwarz", "loewner-order"),
)
def slope_at_next_iterate_repaired(share: sp.Rational = sp.S.One) -> Evidence:
    """mu'(z) <= mu'(y) + R_s |mu(z) - mu(y)| <= mu'(y) + R_s L_mu r_{t+1} n_t, whatever the sign of z - y.

    mu' + R_s mu increases and mu' - R_s mu decreases.  Then |z - y| <= |x| |theta* - theta_{t+1}| in
    dual norms of H_{t+1} >= H_t.  The radius is that of round t + 1, so for t = T that of C_{T+1}.
    """
    return slope_change(share)


def slope_change(share: sp.Rational) -> Evidence:
    """mu' +- R mu are monotone, so mu' changes by at most R |mu(z) - mu(y)| <= R L |z - y| <= R L n q."""
    slope, bend = symbolic.smooth("mu", 1)(x), symbolic.smooth("mu", 2)(x)
    mean = symbolic.smooth("mu", 0)(x)
    rising = symbolic.identity(sp.Derivative(slope + share * R * mean, x), bend + R * slope)
    falling = symbolic.identity(sp.Derivative(slope - share * R * mean, x), bend - R * slope)
    # |x|^2 in H_{t+1}^-1 is n^2/(1 + c n^2) by the rank-one update of the inverse.
    shrinks = implies([*nonnegative("n", "c")], "n**2/(1 + c*n**2) <= n**2")
    product = implies(
        [*nonnegative("R", "L", "n", "m", "q", "D"), "m <= n", "s <= m*D", "D <= q", "a <= b + R*L*s"],
        "a <= b + R*L*q*n",
    )
    return combine(rising, falling, shrinks, product)


# --- first order: rounds where the slope drops, rounds where it grows --------------------------------------


@claim(
    "sec:regret-decompostion-proof/eq4",
    hypotheses=(
        "|mu''| <= R_s mu' and mu' <= L_mu on [-S, S]",
        "theta* in C_{t+1}",
        "b <= a for every round of the set",
        "r_t <= r_T <= r_{T+1}",
    ),
    control=("2 - 2 10^-6 instead of 2 R_s L_mu", 1 - NEAR),
    uses=("first_order_term",),
    facts=("monotone", "mean-value", "cauchy-schwarz", "loewner-order"),
)
def rounds_with_dropping_slope(share: sp.Rational = sp.S.One) -> Evidence:
    """A_1: on rounds with b <= a, 2 r a n <= 2 r b n + 2 K q^2 n^2, and b <= sqrt(ab) where w_t = 1.

    All three steps term by term; the sums follow.  a <= b + K r_{t+1} n is the last line of
    sec:regret-decompostion-proof/eq3, whose second line is false; our proof of it is that mu' +- R_s mu are
    monotone, and |z - y| <= |x| |theta* - theta_{t+1}| in dual norms of H_{t+1} >= H_t.
    """
    # 2 r a n with b <= a <= b + K q n, against the weight-one and the low-weight form.
    hypotheses = [*nonnegative("b", "n", "r", "K"), "q >= r", "a >= b", "a <= b + K*q*n"]
    low = implies(hypotheses, f"2*r*a*n <= 2*r*b*n + ({2 * share})*K*q**2*n**2")
    geometric = implies([*nonnegative("b", "n"), "a >= b"], "b*n <= sqrt(a*b)*n")
    return combine(slope_change(sp.S.One), low, geometric)


@claim(
    "sec:regret-decompostion-proof/eq5",
    hypotheses=("0 <= a < b for every round of the set",),
    control=("factor 1 - 10^-6", 1 - NEAR),
)
def rounds_with_growing_slope(share: sp.Rational = sp.S.One) -> Evidence:
    """A_2: on rounds with a < b, a <= sqrt(ab) where w_t = 1 and a <= b where w_t < 1."""
    hypotheses = [*nonnegative("a", "n"), "a <= b"]
    return combine(implies(hypotheses, f"a*n <= ({share})*sqrt(a*b)*n"), implies(hypotheses, f"a*n <= ({share})*b*n"))


@claim(
    "sec:regret-decompostion-proof/eq6",
    hypotheses=("the bounds on A_1 and A_2", "0 <= n_t"),
    control=("2 - 2 10^-6 in the second-order sums", 1 - NEAR),
    uses=("rounds_with_dropping_slope", "rounds_with_growing_slope"),
)
def first_order_combined(share: sp.Rational = sp.S.One) -> Evidence:
    """A <= 2 r_T (sum sqrt(ab) n over w = 1, plus sum b n over w < 1) + 2 K r_{T+1}^2 sum n^2.

    One round at a time, with s = sqrt(ab) or s = b; the last step adds further n^2 >= 0.
    """
    # a <= sqrt(ab) + K q n and a <= b + K q n on every round, so 2 r a n splits.
    slope = implies([*nonnegative("a", "b", "e"), "a <= b + e"], "a <= sqrt(a*b) + e")
    hypotheses = [*nonnegative("s", "K", "n", "r"), "q >= r", "a <= s + K*q*n"]
    split = implies(hypotheses, f"2*r*a*n <= 2*r*s*n + ({2 * share})*K*q**2*n**2")
    return combine(slope, split)


# --- second order --------------------------------------------------------------------------------------


def second_order(constant: sp.Rational) -> Evidence:
    """(K/2) D^2 with D <= 2 r n, against constant K q^2 n^2; the weight 1 - v has mass 1/2."""
    mass = symbolic.integral(1 - v, v - v**2 / 2, v, 0, 1, sp.S.Half)
    bound = implies(
        [*nonnegative("K", "n", "r", "D"), "q >= r", "D <= 2*r*n", "B <= K*D**2/2"], f"B <= ({constant})*K*q**2*n**2"
    )
    return combine(mass, bound)


@claim(
    "sec:regret-decompostion-proof/eq7",
    hypotheses=("|mu''| <= R_s mu' and mu' <= L_mu on [-S, S]", "theta*, theta~_t in C_t, so in Theta"),
    control=("a constant below 2", lambda: second_order(2 - NEAR)),
    uses=("regret_by_optimism", "first_order_term"),
    facts=("cauchy-schwarz",),
)
def second_order_term() -> Evidence:
    """B <= 4 R_s L_mu r_{T+1}^2 sum n_t^2: each step holds; the mass 1/2 of the weight 1 - v is not used."""
    return second_order(sp.S(4))


def whole_round(first: sp.Rational, second: sp.Rational) -> Evidence:
    """a D + (K/2) D^2 with D <= 2 r n and a <= s + K q n, against 2 r s n + (first + second) K q^2 n^2."""
    return implies(
        [*nonnegative("a", "s", "K", "n", "r", "D"), "q >= r", "D <= 2*r*n", "a <= s + K*q*n"],
        f"a*D + K/2*D**2 <= 2*r*s*n + ({first + second})*K*q**2*n**2",
    )


@claim(
    "lemma:decomposition",
    "lemma:decomposition/eq1",
    "sec:regret-decompostion-proof/eq8",
    hypotheses=("theta* in every C_t up to t = T + 1", "theta~_t in Theta"),
    control=("4 - 10^-6 in place of 6", lambda: whole_round(sp.S(2), 2 - NEAR)),
    uses=("regret_by_optimism", "first_order_combined", "second_order_term"),
)
def decomposition() -> Evidence:
    """Reg(T) <= 2 r_T (S_0 + S_1) + 6 R_s L_mu r_{T+1}^2 (S_2 + S_3), the sums over all rounds of [T].

    2 + 4 = 6.  The event must include C_{T+1}; it is stated for all t >= 1, though C_t is defined on [T].
    """
    return whole_round(sp.S(2), sp.S(4))


@claim(
    "lemma:decomposition",
    "lemma:decomposition/eq1",
    "sec:regret-decompostion-proof/eq7",
    math=r"\operatorname{Reg}(T) \le 2 r_T (S_0 + S_1) + 4 R_s L_\mu r_{T+1}^2 (S_2 + S_3)",
    reading="repaired",
    hypotheses=("theta* in every C_t up to t = T + 1", "z* <= <x_t, theta~_t>; theta~_t may lie outside Theta"),
    control=("4 - 10^-6 in place of 4", 2 - NEAR),
    uses=("first_order_combined", "taylor_at_the_best_arm"),
    facts=("taylor",),
)
def decomposition_sharp(second: sp.Rational = sp.S(2)) -> Evidence:
    """Reg(T) <= 2 r_T (S_0 + S_1) + 4 R_s L_mu r_{T+1}^2 (S_2 + S_3), also for the index without Theta.

    Expand at z_t up to z* instead of <x_t, theta~_t>: both lie in [-S, S] whatever theta~_t is, and
    0 <= z* - z <= <x, theta~ - theta*> <= 2 r n.  So no step needs theta~ in Theta, for any family.
    """
    gap = implies(["best <= optimistic", "optimistic - z <= 2*r*n"], "best - z <= 2*r*n")
    return combine(taylor(z, y, 1 - v), gap, second_order(second), whole_round(sp.S(2), second))
