"""Rewards that come late: what stays of the confidence sequence and of the regret bound.

A pull uses H_k, the radius r_k and the iterate of the updates so far; its reward is learnt from later, at H and r, with
n the norm of the arm in H^-1, q the radius after the update, and s^2 = det H/det H_k; else as in `sharpest_regret`.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import sharpest
from glbcheck.verify.search import algebra
from glbcheck.verify.writing import Evidence, claim, combine, implies, nonnegative, text_of

from .sharpest_confidence import LOCAL, NEAR
from .sharpest_regret import EVENT, SETTING

# --- the law of the reward that is learnt from next -----------------------------------------------------------


def which_comes_first(*chances: str) -> Evidence:
    """The mean of the factor that is taken up, for two coins on their way.

    Coin 1 falls on heads with chance p and has factor A or B; coin 2 with chance q, and has C or D.  `chances` are
    those of learning from coin 1 first, after HH, HT, TH, TT.
    """
    hh, ht, th, tt = chances
    coins = ["p >= 0", "p <= 1", "q >= 0", "q <= 1", "s >= 0", "s <= 1", "u >= 0", "u <= 1", *nonnegative(*"ABCD")]
    mean = (
        f"p*q*({hh}*A + (1 - {hh})*C) + p*(1 - q)*({ht}*A + (1 - {ht})*D)"
        f" + (1 - p)*q*({th}*B + (1 - {th})*C) + (1 - p)*(1 - q)*({tt}*B + (1 - {tt})*D)"
    )
    return implies([*coins, "p*A + (1 - p)*B <= 1", "q*C + (1 - q)*D <= 1"], f"{mean} <= 1")


@claim(
    "lemma:mixture",
    reading="repaired",
    hypotheses=(
        "the noises of different pulls are independent",
        "a reward is on its way until it is learnt from, even if it has come",
        "which reward is learnt from next, and which never, may depend on those learnt from, not on those on their way",
        "so may arms, dispersions and corruption, but that of a reward also on the reward itself",
        "the weight is computed at the update",
    ),
    control=("heads come first", lambda: which_comes_first("s", "1", "0", "u")),
    uses=("order_of_play",),
    facts=("tower",),
)
def order_of_updates() -> Evidence:
    """With delayed rewards the confidence sequence holds, update by update, if the order ignores rewards on their way.

    Write the noise of pull i as U_i.  All that was seen and done before an update is a function of the U learnt from
    and of chance that is independent of the others, so by induction the others are as they were, given all of it: the
    next reward has its law, and its weighted likelihood ratio a conditional mean of at most one.  Here for two coins
    on their way.  If each reward waits for those of all pulls before it that are not given up, delays may depend on
    all rewards and arms on those of earlier pulls: arm, dispersion and weight of update i are still a function of
    U_1, ..., U_{i-1} and of chance, and the same holds.
    """
    return which_comes_first("s", "s", "s", "s")


# --- the regret -----------------------------------------------------------------------------------------------


def norms_between(share: sp.Rational) -> Evidence:
    """|v|^2 in A^-1 is at most (1 + u c) times that in (A + u x x^T)^-1, where c = |x|^2 in A^-1; then by induction."""
    return combine(
        # By Sherman-Morrison the latter is b = a - u i^2/(1 + u c), with i = <v, x> in A^-1 and i^2 <= a c.
        implies(
            [*nonnegative("a", "c", "u"), "i**2 <= a*c", "b*(1 + u*c) == a*(1 + u*c) - u*i**2"],
            f"a <= ({share})*(1 + u*c)*b",
        ),
        algebra.induction(
            "first <= ratio*now",
            ["first", "ratio", "now"],
            initial=["ratio == 1", "first == now"],
            transition=["step >= 1", "now <= step*now_next", "ratio_next == step*ratio", "first_next == first"],
            always=["ratio >= 1", "now >= 0", "first >= 0"],
            auxiliary=["step"],
        ),
    )


@claim(
    "lemma:decomposition",
    math=r"\mu(z_\star) - \mu(z) \le 2 s r \sigma n + s^2 \psi b q^2 n^2, \quad s^2 = \frac{\det H}{\det H_k}",
    reading="repaired",
    hypotheses=(*LOCAL, "theta* in C_k and in the sets before and after the update", "0 <= r_k <= r <= q", "rho > 0"),
    control=("det H/det H_k multiplied by 1 - 10^-6", 1 - NEAR),
    uses=("any_maximiser_will_do", "one_round_by_the_mean_slope", "near_and_far_rounds"),
    facts=("sherman-morrison", "cauchy-schwarz", "determinant-lemma"),
)
def one_delayed_round(share: sp.Rational = sp.S.One) -> Evidence:
    """A pull that is learnt from later costs at most the bound it would have then, with s r and s q for r and q.

    By optimism z* - z <= 2 r_k n_k, and n_k <= s n: each update in between divides |x|^2 by 1 + u c at most, which is
    what it multiplies the determinant by.  sigma is sqrt(a* b) or b, and psi as in `near_and_far_rounds` with rounds
    near if s q n <= rho, or 4 bend/b.
    """
    near = text_of(sharpest.second_order_near, "R", "rho").replace("exp(3*R*rho)", "X")
    far = text_of(sharpest.second_order_far, "k", "span", "rho")
    second = text_of(sharpest.second_order, "K", "1")
    late = [*nonnegative("n", "r", "D", "m", "f"), "q >= r", "s >= 1", "D <= 2*(s*(r*n))", "m <= q*n"]
    # t = s q n, and both the step D <= 2 t and the move m <= t.
    steps = [*nonnegative("t", "D", "m", "z", "K"), "D <= 2*t", "m <= t", "slope <= z + K*(m + D/2)"]
    return combine(
        norms_between(share),
        implies([*nonnegative("rk", "nk", "n"), "r >= rk", "s >= 1", "nk <= s*n", "D <= 2*rk*nk"], "D <= 2*(s*(r*n))"),
        implies([*late, "t == s*(q*n)"], "D <= 2*t"),
        implies([*late, "t == s*(q*n)"], "m <= t"),
        implies([*nonnegative("R"), "D <= 2*t", "m <= t", "t <= rho", "f <= D"], "R*(f + m) <= 3*R*rho"),
        implies(steps, f"slope*D <= z*D + ({second})*t**2"),
        implies([*steps, *nonnegative("R", "b", "X"), "K <= R*b*X"], f"slope*D <= z*D + ({near})*b*t**2"),
        implies(["span >= 0", "rho > 0", "k > 0", "b >= 1/k", "t > rho", "cost <= span"], f"cost <= ({far})*b*t**2"),
    )


@claim(
    "theorem:regret",
    math=r"\operatorname{Reg} \le 2 s Q \sqrt{V} + \frac{2}{\alpha} s Q \sqrt{P} + \psi \bar{g} s^2 Q^2",
    reading="repaired",
    hypotheses=(
        *SETTING,
        "each pulled arm has the largest index over the set at its pull, with or without Theta",
        "s^2 is the largest det H at an update/det H at its pull",
        EVENT,
    ),
    control=("(2 - 2 10^-6) s Q sqrt(V)", 1 - NEAR),
    uses=("order_of_updates", "one_delayed_round", "sharpest_regret_bound"),
    facts=("cauchy-schwarz",),
)
def regret_with_delayed_rewards(share: sp.Rational = sp.S.One) -> Evidence:
    """The regret of all pulls whose rewards were learnt from has the bound of `sharpest_regret_bound` with s Q for Q.

    All sums are those of the updates.  Rows that others have pulled add to Lambda and not to the regret.  If at most M
    rewards are learnt from between a pull and its own update, s^2 <= (1 + u_0)^M; and s is known after the run.
    """
    bound = text_of(sharpest.regret_of_sums, "v**2", "s*Q", "p**2", "ia", "psi", "trust")
    grown = ["u0 >= 0", "l >= 0", "l <= u0", "D >= 1", "D <= top"]
    return combine(
        implies([*nonnegative("v", "Q"), "s >= 1", "c <= v*Q"], "s*c <= s*(v*Q)"),
        implies([*nonnegative("p", "Q", "ia"), "s >= 1", "e <= ia*(Q*p)"], "s*e <= s*(ia*(Q*p))"),
        implies([*nonnegative("Q"), "s >= 1", "k >= 0", "k == psi*trust", "h <= k*Q**2"], "s**2*h <= s**2*k*Q**2"),
        implies(
            [*nonnegative("v", "p", "Q"), "s >= 1", "a <= s*(v*Q)", "f <= s*(ia*(Q*p))", "h <= s**2*psi*trust*Q**2",
             "reg <= 2*a + 2*f + h"],
            f"reg <= {bound.replace('2*Q*s*Abs(v)', f'({2 * share})*Q*s*Abs(v)')}",
        ),
        implies(grown, "(1 + l)*D <= (1 + u0)*top"),
    )  # fmt: skip
