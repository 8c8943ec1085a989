"""The learner with a scout: what a pull costs that the index did not choose, and what all of them cost together.

U is the largest index of the arms on offer, in closed form, and l the least <x, theta> over C_t; B(t) is the bound of
`sharpest_regret_bound` for t rounds, with the bounds of V and Lambda that are known before the run.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import constants, sharpest
from glbcheck.verify.search import algebra
from glbcheck.verify.writing import Evidence, claim, combine, implies, nonnegative, text_of

from .sharpest_confidence import NEAR
from .sharpest_regret import EVENT, SETTING


@claim(
    "sec:regret-decompostion-proof/eq1",
    math=r"\mu(z_\star) - \mu(z) \le \mu(\min(U, S)) - \mu(\max(\ell, -S))",
    reading="repaired",
    hypotheses=("theta* in C_t", "|theta*| <= S, |x| <= 1", "U is at least the index of every arm on offer"),
    control=("(1 - 10^-6) of it", 1 - NEAR),
    uses=("any_maximiser_will_do",),
    facts=("monotone", "cauchy-schwarz"),
)
def cost_of_any_pull(share: sp.Rational = sp.S.One) -> Evidence:
    """Whatever arm x is pulled, the round costs at most mu(min(U, S)) - mu(max(l, -S)) with l = <x, theta_t> - r |x|.

    The index of every arm is at least its <x, theta*>, so that z* <= U, and l <= z as theta* is in C_t; both z* and z
    lie in [-S, S], and mu increases.
    """
    inside = ["z_best <= S", "z_best >= -S", "z <= S", "z >= -S", "z_best <= U", "c - z <= r*n"]
    return combine(
        implies(inside, "z_best <= Min(U, S)"),
        implies([*inside, "low == c - r*n"], "Max(low, -S) <= z"),
        # best and mean are mu at z* and z, high and low those at the two ends.
        implies(["best <= high", "low <= mean", "mean <= best"], f"best - mean <= ({share})*(high - low)"),
    )


def bound_increases() -> Evidence:
    """B(t) increases: the determinant's bound in t, Q and P in the determinant, and the bound in V, Q and P."""
    inside = text_of(lambda *known: sp.exp(constants.REPAIRED.logdet_bound(1, *known)), "lam", "L", "t")
    squares = text_of(
        lambda A, B, h, D, step: sharpest.radii_summed(A + h**2, B, 0, D, step), "A", "B", "h", "D", "step"
    )
    bound = text_of(sharpest.regret_of_sums, "v**2", "Q", "p**2", "ia", "psi", "trust")
    more = bound.replace("Q", "(Q + a)").replace("Abs(v)", "(v + b)").replace("Abs(p)", "(p + c)")
    return combine(
        implies(["lam > 0", "L > 0", "t >= 0", "a >= 0"], f"{inside} <= {inside.replace('t', '(t + a)')}"),
        implies(nonnegative("A", "B", "h", "D", "step", "a"), f"{squares} <= {squares.replace('D', '(D + a)')}"),
        implies([*nonnegative("h", "x", "y", "a", "b")], "(x + h*y)**2 <= (x + a + h*(y + b))**2"),
        implies(nonnegative("v", "Q", "p", "ia", "psi", "trust", "a", "b", "c"), f"{bound} <= {more}"),
    )


@claim(
    "theorem:regret",
    math=r"\operatorname{Reg}(T) \le (1 + \rho) B(T)",
    reading="repaired",
    hypotheses=(
        *SETTING,
        "in every round the arm has the largest index over C_t, with or without Theta, or it is a proposal",
        "a proposal is taken only if the costs of all, by `cost_of_any_pull`, stay within rho B(2^k), 2^k <= t",
        EVENT,
    ),
    control=("(1 - 10^-6) (1 + rho) B", 1 - NEAR),
    uses=("cost_of_any_pull", "sharpest_regret_bound"),
    facts=("monotone",),
)
def scouting_within_an_allowance(share: sp.Rational = sp.S.One) -> Evidence:
    """Whatever is proposed, Reg(T) <= (1 + rho) B(T) for all T at once: the proposals pay for themselves.

    The rounds in which the index chose have the bound of all rounds: each of its sums is one of non-negative numbers,
    and both learn from every pull, so that the other rounds only add to it.  B increases in T, so that what proposals
    have cost is at most rho B(T) after every round.
    """
    return combine(
        bound_increases(),
        # Sums over some of the rounds, inner and outer, against those over all.
        implies([*nonnegative("v", "x"), "v <= V", "x <= X", "c <= v*x"], "c <= V*X"),
        algebra.induction(
            "spent <= rho*bound",
            ["spent", "bound"],
            initial=["spent == 0", "bound >= 0"],
            transition=[
                "bound_next >= bound", "cost >= 0", "taken*(1 - taken) == 0", "octave <= bound_next",
                "taken*(spent + cost) <= taken*(rho*octave)", "spent_next == spent + taken*cost",
            ],
            always=["rho >= 0"],
            parameters=["rho"],
            auxiliary=["cost", "taken", "octave"],
        ),
        implies(
            ["rho >= 0", "bound >= 0", "spent <= rho*bound", "own <= bound", "reg <= own + spent"],
            f"reg <= ({share})*(1 + rho)*bound",
        ),
    )  # fmt: skip


@claim(
    "theorem:regret",
    math=r"\operatorname{Reg} \le 2 s Q \sqrt{V} + \frac{2}{\alpha} s Q \sqrt{P} + \psi \bar{g} s^2 Q^2 + "
    r"\mathrm{spent}",
    reading="repaired",
    hypotheses=(
        *SETTING,
        "each pull has the largest index over the set at its pull, with or without Theta, or its cost there is spent",
        "s^2 is the largest det H at an update/det H at its pull",
        EVENT,
    ),
    control=("(1 - 10^-6) of what is spent", 1 - NEAR),
    uses=("cost_of_any_pull", "regret_with_delayed_rewards"),
)
def scouting_with_delayed_rewards(share: sp.Rational = sp.S.One) -> Evidence:
    """With delays the regret of the pulls learnt from is at most the bound with s Q for Q, and what was spent.

    `cost_of_any_pull` speaks of the set at the pull, whenever the reward comes.  The pulls of largest index have the
    bound of `regret_with_delayed_rewards`, to whose sums the others and the rows of others only add.
    """
    return implies(
        ["own <= bound", "paid <= spent", "spent >= 0", "reg <= own + paid"], f"reg <= bound + ({share})*spent"
    )
