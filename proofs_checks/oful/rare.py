"""A parameter that is seldom updated: how often, and what it costs."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.verify.writing import Evidence, claim, decided, fails, proves

from .determinants import DESIGN
from .regret import printed
from .setting import BOUNDED, NOISE

proves(
    "OFUL.Regret.switch_count",
    "lem:switches",
    id="number_of_switches",
    title="k updates, each after the determinant grew by 1 + C, need log(det V_n/lambda^d) >= k log(1 + C).",
    math=r"k \log (1 + C) \le \log (\det V_n / \lambda^d)",
    hypotheses=(*DESIGN, "C > 0", "det V at an update is at least 1 + C times that at the last one"),
    control=("k + 1 updates", "OFUL.Controls.one_more_switch_false"),
    witness="OFUL.Controls.premises_met",
    why="The determinants at the updates grow by a factor 1 + C each, and do not decrease after the last.",
)


@claim(
    "thm:rare",
    "thm:rare/eq1",
    math=r"\sum_{t \le n} r_t \le 4 \sqrt{(1 + C) n d \log (\lambda + n L / d)} \left( \sqrt{\lambda} S + R \sqrt{2 "
    r"\log \tfrac{1}{\delta} + d \log \left( 1 + \tfrac{n L}{\lambda d} \right)} \right)",
    expected="refuted",
    severity="constant",
    consequence="the same two repairs as for the regret",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms", "C > 0"),
    control=("lambda = 2, where the logarithm is that of 5/2", 2),
)
def rare(lam: Fraction | int = Fraction(1, 2)) -> Evidence:
    """With seldom updates the regret is at most sqrt(1 + C) times the printed bound: false where lambda + n L/d <= 1.

    In the first round nothing differs, and the logarithm is 0 for d = 2, n = L = 1, lambda = 1/2, whatever C is.
    """
    return fails(
        ["lam > 0", "L > 0", "S > 0", "S*L <= 1", "R > 0", "delta > 0", "delta < 1", "C > 0"],
        f"2*S*L <= sqrt(1 + C)*{printed('lam + L/d')}",
        at={"lam": lam, "L": 1, "S": 1, "R": 1, "delta": Fraction(1, 20), "d": 2, "C": 1},
    )


@claim(
    "thm:rare",
    "thm:rare/eq1",
    math=r"\sum_{t \le n} r_t \le 2 B \sqrt{\tfrac{3}{2} (1 + C) n \log (\det V_n / \lambda^d)}",
    reading="repaired",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms", "C > 0", "B >= 1 and B >= b_t for every t <= n"),
    control=("without the factor 1 + C", "1"),
    uses=("regret_on_the_event", "ratio_of_norms", "ellipsoid"),
)
def rare_repaired(growth: str = "1 + C") -> Evidence:
    """With seldom updates the repaired bound holds with (1 + C) n in place of n, on the event of the ellipsoids.

    Between updates the determinant is at most 1 + C times that of the ellipsoid in use, so that w_old <= (1 + C) w by
    the ratio of norms; a pull costs at most 2 B min(1, sqrt(w_old)), hence at most 2 B sqrt(1 + C) min(1, sqrt(w)), and
    the rest is the proof of the bound on the event.
    """
    return decided(f"C > 0, w >= 0 => min(1, sqrt((1 + C)*w)) <= sqrt({growth})*min(1, sqrt(w))")
