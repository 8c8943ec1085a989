"""What is commonly said of UCB1: true from the second round on, or not at all."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.verify.writing import Evidence, claim, combine, decided, fails, implies, refuted

from .setting import POLICY, REWARDS

SETTING = (REWARDS, POLICY)


@claim(
    "cor:uniform",
    math=r"\forall n \ge 1 : R_n \le C \log n",
    expected="refuted",
    severity="slip",
    consequence="log 1 = 0: it holds for n >= 2",
    hypotheses=SETTING,
    control=("n = 2", 2),
)
def uniform(n: int = 1) -> Evidence:
    """For every problem some C has R_n <= C log n for all n >= 1: false for n = 1, whatever C is.

    Where the arm that is pulled first has a gap, the first round costs that gap, and log 1 = 0.
    """
    witness = fails(["gap > 0", "gap <= 1", "C > 0"], "gap <= C*log(n)", at={"gap": 1, "C": 10**6, "n": n})
    return refuted(witness, decided("gap > 0, C > 0 => gap > C*log(1)"))


@claim(
    "cor:uniform",
    math=r"\forall n \ge 2 : R_n \le \sum_{i : \Delta_i > 0} \left( \frac{8}{\Delta_i} + 2 \Delta_i \right) \log n",
    reading="repaired",
    hypotheses=(*SETTING, "n >= 2"),
    control=("Delta in place of 2 Delta", "1"),
    uses=("regret_sharper",),
)
def uniform_repaired(factor: str = "2") -> Evidence:
    """For n >= 2 the regret is at most the sum of 8/Delta_i + 2 Delta_i, times log n.

    5/4 <= 2 log 2 <= 2 log n; the bound of one arm, then of all.
    """
    return combine(
        decided(f"n >= 2 => 5/4 <= ({factor})*log(n)"),
        implies(["gap > 0", "5/4 <= y"], "8*L/gap + 5/4*gap <= 8*L/gap + y*gap"),
    )


@claim(
    "cor:gap-free",
    "cor:gap-free/eq1",
    math=r"\forall n \ge 1 : R_n \le C \sqrt{K n \log n}",
    expected="refuted",
    severity="slip",
    consequence="as before: it holds for n >= 2, with C = sqrt(10)",
    hypotheses=SETTING,
    control=("n = 2", 2),
)
def gap_free(n: int = 1) -> Evidence:
    """Some C has R_n <= C sqrt(K n log n) for all problems and n >= 1: false for n = 1, whatever C is.

    As for the logarithm: the first round may cost a gap, here of two arms.
    """
    witness = fails(
        ["gap > 0", "gap <= 1", "C > 0", "K >= 2"],
        "gap <= C*sqrt(K*n*log(n))",
        at={"gap": 1, "C": 10**6, "K": 2, "n": n},
    )
    return refuted(witness, decided("gap > 0, C > 0, K >= 2 => gap > C*sqrt(K*log(1))"))


@claim(
    "cor:gap-free",
    "cor:gap-free/eq1",
    math=r"\forall n \ge 2 : R_n \le \sqrt{10 K n \log n}",
    reading="repaired",
    hypotheses=(*SETTING, "n >= 2"),
    control=("9 in place of 10", "9"),
    uses=("decomposition", "pulls_sharper"),
    facts=("cauchy-schwarz",),
)
def gap_free_repaired(constant: str = "10") -> Evidence:
    """For n >= 2 the regret is at most sqrt(10 K n log n).

    By Cauchy-Schwarz the square of the sum of Delta_i E T_i is at most the sum of the E T_i, which is n, times the sum
    of Delta_i^2 E T_i, of which each is at most 8 log n + 5/4 <= 10 log n as Delta_i <= 1.
    """
    return combine(
        implies(["gap > 0", "gap <= 1", "pulls <= 8*L/gap**2 + 5/4"], "gap**2*pulls <= 8*L + 5/4"),
        decided(f"n >= 2 => 8*log(n) + 5/4 <= ({constant})*log(n)"),
    )


@claim(
    "cor:gap-free-explicit",
    "cor:gap-free-explicit/eq1",
    math=r"R_n \le 4 \sqrt{2 K n \log n} + \left( 1 + \frac{\pi^2}{3} \right) \sum_i \Delta_i",
    hypotheses=(*SETTING, "n >= 1"),
    control=("3 in place of 4", "3"),
    uses=("decomposition", "pulls", "regret"),
)
def gap_free_explicit(factor: str = "4") -> Evidence:
    """The regret is at most 4 sqrt(2 K n log n) + (1 + pi^2/3) sum Delta_i, for all n >= 1.

    For n = 1 it is at most the sum of the gaps.  Otherwise let g = sqrt(8 K L/n), L = log n.  Pulls of arms with gaps
    up to g cost at most n g in all; each other arm costs at most 8 L/Delta_i <= 8 L/g, and (1 + pi^2/3) Delta_i.
    """
    return combine(
        implies(["g > 0", "gap >= g", "L >= 0"], "8*L/gap <= 8*L/g"),
        implies(
            ["n >= 1", "K >= 2", "L > 0", "g > 0", "n*g**2 == 8*K*L", "root > 0", "root**2 == 2*K*n*L"],
            f"n*g + 8*K*L/g <= ({factor})*root",
        ),
    )


@claim(
    "rem:larger-gaps",
    math=r"0 < a \le b \le 1 \implies \frac{8 \log n}{b} + \left( 1 + \tfrac{\pi^2}{3} \right) b \le "
    r"\frac{8 \log n}{a} + \left( 1 + \tfrac{\pi^2}{3} \right) a",
    expected="refuted",
    severity="slip",
    consequence="for n = 1 only; from n = 2 on it decreases",
    hypotheses=("n >= 1",),
    control=("n = 2", 2),
)
def larger_gaps(n: int = 1) -> Evidence:
    """The bound of an arm decreases with its gap, for every n >= 1: not for n = 1, where only the constant is left."""
    return fails(
        ["a > 0", "a <= b", "b <= 1", "n >= 1"],
        "8*log(n)/b + (1 + pi**2/3)*b <= 8*log(n)/a + (1 + pi**2/3)*a",
        at={"a": Fraction(1, 2), "b": 1, "n": n},
    )


@claim(
    "rem:larger-gaps",
    math=r"n \ge 2, \; 0 < a \le b \le 1 \implies \frac{8 \log n}{b} + \left( 1 + \tfrac{\pi^2}{3} \right) b \le "
    r"\frac{8 \log n}{a} + \left( 1 + \tfrac{\pi^2}{3} \right) a",
    reading="repaired",
    hypotheses=("n >= 2",),
    control=("6 log n in place of 8 log n", "6"),
)
def larger_gaps_repaired(factor: str = "8") -> Evidence:
    """From n = 2 on the bound of an arm decreases with its gap.

    1 + pi^2/3 <= 8 log 2, and c/b + d b is at most c/a + d a for d <= c and a <= b <= 1.
    """
    return combine(
        decided(f"n >= 2 => 1 + pi**2/3 <= ({factor})*log(n)"),
        implies(["d >= 0", "d <= c", "a > 0", "a <= b", "b <= 1"], "c/b + d*b <= c/a + d*a"),
    )


@claim(
    "rem:optimal",
    math=r"\frac{8}{\Delta_i^2} \le \frac{C}{\mathrm{KL}(\mu_i, \mu_\star)}",
    expected="refuted",
    severity="substance",
    consequence="optimal in the order of n for each problem, not up to a number: the best mean may be near 1",
    hypotheses=("Bernoulli rewards",),
    control=("C = 200 for the same two coins", 200),
)
def optimal(C: int = 100) -> Evidence:
    """The factor 8/Delta^2 is at most a numerical constant times 1/KL(mu_i, mu_*): for no constant C.

    KL >= 2 Delta^2 says the opposite.  For mu_i = 1/2 and mu_* = 1 - x the divergence is -log(4 x (1 - x))/2, at least
    -log(4 x)/2, which is C/32 for x = 1/(4 y) with log y = C/16, while 8/Delta^2 > 32.
    """
    witness = fails(
        ["x > 0", "x < 1/2", "C > 0"],
        "8/(1/2 - x)**2 <= C/kl",
        {"kl": "log(1/(2*(1 - x)))/2 + log(1/(2*x))/2"},
        at={"x": Fraction(1, 10**4), "C": C},
    )
    return refuted(
        witness,
        decided("y > 1 => -log(4*(1/(4*y)))/2 == log(y)/2"),
        decided("x > 0, x < 1/2 => log(1/(2*(1 - x)))/2 + log(1/(2*x))/2 == -log(4*x)/2 - log(1 - x)/2"),
        decided("x > 0, x < 1/2 => log(1 - x) <= 0"),
        implies(["x > 0", "x < 1/2", "C > 0", "kl >= C/32"], "8/(1/2 - x)**2*kl > C"),
    )


@claim(
    "rem:optimal",
    math=r"\frac{8}{\Delta_i^2} \le \frac{8}{\mu_\star (1 - \mu_\star)} \cdot \frac{1}{\mathrm{KL}(\mu_i, \mu_\star)}",
    reading="repaired",
    hypotheses=("Bernoulli rewards", "0 < mu_* < 1", "Delta_i > 0"),
    control=("7 in place of 8", "7"),
    facts=("kl-below-chi-square",),
)
def optimal_repaired(factor: str = "8") -> Evidence:
    """The factor 8/Delta^2 is at most 8/(mu_* (1 - mu_*)) times 1/KL(mu_i, mu_*), for Bernoulli rewards.

    KL <= chi^2 = Delta^2/(q (1 - q)) with q = mu_*.
    """
    return implies(
        ["gap > 0", "q > 0", "q < 1", "kl > 0", "kl <= gap**2/(q*(1 - q))"], f"8/gap**2 <= ({factor})/(q*(1 - q))/kl"
    )
