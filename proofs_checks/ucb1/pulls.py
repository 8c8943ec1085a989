"""Pulls: the printed bound holds, and of its pi^2/3 a quarter of one pull is needed."""

from __future__ import annotations

from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, decided, implies, proves, states

from .setting import POLICY, REWARDS

proves(
    "UCB1.Pulls.late_pulls",
    "lem:late-pulls",
    id="late_pulls",
    title="The pulls of arm i are at most l and those that come after at least l earlier ones.",
    math=r"T_i(n) \le \ell + \# \{ t < n : I_t = i, \; T_i(t) \ge \ell \}",
    control=("l - 1 in place of l", "UCB1.Controls.late_pulls_fewer_false"),
    why="A pull is one of the first l of its arm, or l earlier ones precede it; this holds for l = 0 as well.",
)

proves(
    "UCB1.Pulls.ucb1_pulls",
    "lem:three-events",
    "lem:third-event",
    "thm:pulls",
    id="pulls_along_a_run",
    title="Along every run of UCB1 arm i is pulled at most l times, and after l pulls only where a mean deviates.",
    math=r"T_i(n) \le \ell + \# \{ t < n : I_t = i, \; T_i(t) \ge \ell, \; \bar X_{\star, s} \le \mu_\star - c_{t, s} "
    r"\text{ or } \bar X_{i, s_i} \ge \mu_i + c_{t, s_i} \}",
    hypotheses=(
        "UCB1 pulls an arm for the first time, or all arms were pulled and none has a larger index",
        "l >= 1 and l >= 8 log n/Delta_i^2, Delta_i > 0",
    ),
    control=("l - 1 in place of l", "UCB1.Controls.ucb1_pulls_fewer_false"),
    witness="UCB1.Controls.premises_met",
    why="A late pull finds one of the three events, and the third does not happen after l pulls.  I_t is the arm "
    "pulled after t pulls, s and s_i are T_*(t) and T_i(t), both at least 1.",
)


@claim(
    "lem:double-sum",
    "lem:double-sum/eq1",
    math=r"\sum_{t = 1}^{\infty} \sum_{s = 1}^{t - 1} \sum_{s_i = 1}^{t - 1} 2 t^{-4} \le \frac{\pi^2}{3}",
    control=("3/5 in place of pi^2/3", "3/5"),
)
def double_sum(bound: str = "pi**2/3") -> Evidence:
    """The sum over t and over s, s_i < t of 2 t^-4 is at most pi^2/3.

    For one t there are (t - 1)^2 equal terms; the sum up to n is at most 2 - 2/n, for every n, and 2 <= pi^2/3.
    """
    return combine(
        decided("n: integer, n >= 1 => sum(2*(t - 1)**2/t**4, t, 1, n) <= 2 - 2/n"), decided(f"2 <= {bound}")
    )


states(
    "n: integer, n >= 1 => sum(2*(t - 1)/t**4, t, 1, n) <= 1/4 - 1/(n**2 + n + 2)",
    "lem:double-sum",
    id="single_sum",
    reading="repaired",
    control=("1/4", "6/25"),
    why="Neither deviation depends on both s and s_i, so a union over s and another over s_i suffice: 2 (t - 1) terms "
    "t^-4 for each t, and not (t - 1)^2 pairs.  The whole sum is 2 (zeta(3) - zeta(4)) = 0.2395.",
)


def counted(gap_factor: str, rounding: str, rest: str) -> Evidence:
    """The first l = ceil(8 L/gap^2) pulls and those after, in which one of the two deviations happened."""
    return implies(
        ["gap > 0", "L >= 0", "l <= 8*L/gap**2 + 1", "late <= rest", "pulls <= l + late"],
        f"pulls <= ({gap_factor})*L/gap**2 + ({rounding}) + ({rest})",
    )


@claim(
    "thm:pulls",
    "thm:pulls/eq1",
    math=r"\mathbb{E} T_i(n) \le \frac{8 \log n}{\Delta_i^2} + 1 + \frac{\pi^2}{3}",
    hypotheses=(REWARDS, POLICY, "Delta_i > 0", "n >= 1"),
    control=("without the 1 that the ceiling needs", "0"),
    uses=("pulls_along_a_run", "index_deviation", "double_sum"),
)
def pulls(rounding: str = "1") -> Evidence:
    """An arm with gap Delta is pulled at most 8 log n/Delta^2 + 1 + pi^2/3 times in the mean, for every n >= 1.

    For n = 1 it is pulled at most once.  Otherwise take l = ceil(8 log n/Delta^2) >= 1 in the bound along a run.
    Before a late pull, after t pulls in all, s of them of the best arm and s_i of this one, a mean deviates; as there
    are at least two arms, each pulled once, s and s_i are less than t.  A union over the pairs, each with probability
    at most 2 t^-4: `late` is the mean number of such pulls, and `rest` stands for pi^2/3.
    """
    return counted("8", rounding, "rest")


@claim(
    "thm:pulls",
    "thm:pulls/eq1",
    math=r"\mathbb{E} T_i(n) \le \frac{8 \log n}{\Delta_i^2} + \frac{5}{4}",
    reading="repaired",
    hypotheses=(REWARDS, POLICY, "Delta_i > 0", "n >= 1"),
    control=("7 in place of 8", "7"),
    uses=("pulls_along_a_run", "index_deviation", "single_sum"),
)
def pulls_sharper(factor: str = "8") -> Evidence:
    """The constant 1 + pi^2/3 = 4.29 of the bound on the pulls may be replaced by 5/4.

    As printed, but with one union over s < t for the best arm and one over s_i < t for arm i: after t pulls the
    deviations have probability at most 2 (t - 1) t^-4 together, and these add up to at most 1/4 = `rest`.
    """
    return combine(counted(factor, "1", "rest"), implies(["bound == x + 1 + rest", "rest <= 1/4"], "bound <= x + 5/4"))


@claim(
    "thm:pulls",
    math=r"\mathbb{E} T_i(n) \le \frac{8 \log n}{\Delta_i^2} + 1 + \frac{1}{756}",
    reading="repaired",
    hypotheses=(REWARDS, POLICY, "Delta_i > 0", "n >= 1"),
    control=("n - 1 <= 8 log n up to n = 28", 28),
    uses=("pulls_along_a_run", "index_deviation"),
)
def pulls_sharpest(small: int = 27) -> Evidence:
    """The constant 1 + pi^2/3 of the bound on the pulls may be replaced by 1 + 1/756, and 1 is needed for n = 1.

    For n = 1 there is at most one pull.  For n = 2 to 27 there are at most n - 1, as another arm is pulled once, and
    these are at most 8 log n <= 8 log n/Delta^2.  From n = 28 on l = ceil(8 log n/Delta^2) > 26, so that a late pull
    comes after t >= l + 1 >= 28 pulls.  The deviations of two unions, 2 (t - 1) t^-4, are at most the differences of
    1/((t - 1) t), which from t = 28 on add up to less than 1/(27*28) = 1/756 = `rest`.
    """
    return combine(
        ladder.inequality("n - 1 <= 8*log(n)", "n", 2, 8),
        ladder.inequality("n - 1 <= 8*log(n)", "n", 8, small),
        decided("n >= 28 => 8*log(n) > 26"),
        decided("t >= 2 => 2*(t - 1)/t**4 <= 1/((t - 1)*t) - 1/(t*(t + 1))"),
        counted("8", "1", "rest"),
    )
