"""The factor 8 of the bound on the pulls: every factor above 2 will do, with another constant, and none below."""

from __future__ import annotations

from glbcheck.verify.writing import Evidence, claim, combine, decided, implies, states

from .setting import POLICY, REWARDS


@claim(
    "thm:pulls",
    math=r"\mathbb{E} T_i(n) \le \frac{2 (1 + \varepsilon)^2 \log n}{\Delta_i^2} + \frac{(1 + \varepsilon)^2}{2 "
    r"\varepsilon^2 \Delta_i^2} + \frac{9}{8}",
    reading="repaired",
    hypotheses=(REWARDS, POLICY, "Delta_i > 0", "n >= 1", "e > 0"),
    control=("(1 + e)^2 in place of 2 (1 + e)^2", "1"),
    uses=("late_pulls", "mean_deviation", "index_deviation", "single_sum"),
)
def every_factor_above_two(factor: str = "2") -> Evidence:
    """For every e > 0 the pulls are at most 2 (1 + e)^2 log n/Delta^2 + (1 + e)^2/(2 e^2 Delta^2) + 9/8 in the mean.

    For n = 1 there is at most one pull.  Otherwise L = log n and l = ceil(2 (1 + e)^2 L/Delta^2) >= 1, and count the
    pulls after at least l earlier ones.  Rounds in which the mean of the best arm is c_{t,s} too low for some s < t add
    up to at most 1/8 in the mean, half of the sum over two arms.  In the others its index is above mu_*; so then is
    that of arm i, after s pulls of it, whose mean exceeds mu_i by more than Delta - sqrt(2 L/s), at least
    Delta - Delta/(1 + e), of square h = e^2 Delta^2/(1 + e)^2.  That has probability at most q^s, q = exp(-2 h), and
    arm i is pulled after s pulls of it once only.  The sum of q^s over s >= 1 is at most q/(1 - q) = 1/y with
    y = exp(2 h) - 1 >= 2 h.
    """
    return combine(
        decided(f"gap > 0, e > 0, L >= 0, s > 0, s >= ({factor})*(1 + e)**2*L/gap**2 => sqrt(2*L/s) <= gap/(1 + e)"),
        decided("gap > 0, e > 0 => (gap - gap/(1 + e))**2 == e**2*gap**2/(1 + e)**2"),
        decided("N: integer, N >= 1, q > 0, q < 1 => sum(q**s, s, 1, N) <= q/(1 - q)"),
        decided("h > 0 => exp(2*h) - 1 >= 2*h"),
        implies(
            ["gap > 0", "e > 0", "h == e**2*gap**2/(1 + e)**2", "l <= x + 1", "late <= 1/8 + 1/y", "y >= 2*h"],
            "l + late <= x + 9/8 + (1 + e)**2/(2*e**2*gap**2)",
        ),
    )


states(
    "L >= 0, gap > 0, m > 0, k > 0, 1 + sqrt(2*L/m) >= 1 - gap + sqrt(2*L/k) => k >= 2*L/(gap + sqrt(2*L/m))**2",
    "thm:pulls",
    id="no_factor_below_two",
    reading="repaired",
    control=("k >= 2*L", "k >= 3*L"),
    why="Two arms with the constant rewards 1 and 1 - Delta.  When the better one is pulled after t pulls, m and k of "
    "the two, and L = log t, then k is at least this.  By the bound on the pulls m/t goes to 1, so that k is at least "
    "about 2 log t/Delta^2, whatever constant is added.",
)
