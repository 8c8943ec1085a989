"""Regret: the printed bounds fail where the radius is below 1 or lambda + nL/d is; Coq has the repaired one."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.verify.writing import Evidence, claim, combine, decided, fails, implies, proves

from .determinants import DESIGN
from .setting import BOUNDED, NOISE

GOOD = (
    "every ellipsoid holds theta_*: |c_t - theta_*| <= b_t in V_{t-1}",
    "x_t is optimistic: some parameter of the ellipsoid gives it at least the mean of the best arm",
    "a pull costs at most 2",
    "B >= 1 and B >= b_t for every t <= n",
)


def printed(form: str) -> str:
    """The printed right side for d = 1 or 2 and n = 1, with `form` in the first logarithm."""
    return f"4*sqrt(d*log({form}))*(sqrt(lam)*S + R*sqrt(2*log(1/delta) + d*log(1 + L/(lam*d))))"


@claim(
    "thm:regret",
    "thm:regret/eq1",
    math=r"\sum_{t \le n} r_t \le 4 \sqrt{n d \log (\lambda + n L / d)} \left( \sqrt{\lambda} S + R \sqrt{2 \log "
    r"\tfrac{1}{\delta} + d \log \left( 1 + \tfrac{n L}{\lambda d} \right)} \right)",
    expected="refuted",
    severity="constant",
    consequence="with det V_n/lambda^d in the logarithm and max(1, b_n) for the radius it holds",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms"),
    control=("lambda = 2, where the logarithm is that of 5/2", 2),
    carries=("rare",),
)
def regret(lam: Fraction | int = Fraction(1, 2)) -> Evidence:
    """The regret is at most 4 sqrt(n d log(lambda + n L/d)) times the radius: false where lambda + n L/d <= 1.

    For d = 2, n = 1, L = 1 and lambda = 1/2 the logarithm is 0.  Before the first round the ellipsoid is the ball of
    radius S around 0; with the arms e and -e one of theta_* = S e and -S e makes the first pull cost 2S, whichever arm
    the learner takes.  The logarithm of the determinant is d log(1 + n L^2/(d lambda)): the printed one lost lambda.
    """
    return fails(
        ["lam > 0", "L > 0", "S > 0", "S*L <= 1", "R > 0", "delta > 0", "delta < 1"],
        f"2*S*L <= {printed('lam + L/d')}",
        at={"lam": lam, "L": 1, "S": 1, "R": 1, "delta": Fraction(1, 20), "d": 2},
    )


@claim(
    "thm:regret",
    math=r"\sum_{t \le n} r_t \le 4 \sqrt{n d \log \left( 1 + \tfrac{n L^2}{\lambda d} \right)} \, b_n",
    expected="refuted",
    severity="constant",
    consequence="the capped sum pays min(1, w), so a radius below 1 must be replaced by 1",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms"),
    control=("lambda = 1", 1),
    coq="OFUL.Controls.regret_small_radius_false",
)
def regret_with_the_right_logarithm(lam: Fraction | int = Fraction(1, 100)) -> Evidence:
    """With 1 + n L^2/(lambda d) in the logarithm the printed bound holds: still not, where the radius is below 1.

    d = n = 1 with little noise and small lambda: the pull costs 2S, the bound vanishes with lambda.
    """
    return fails(
        ["lam > 0", "L > 0", "S > 0", "S*L <= 1", "R > 0", "delta > 0", "delta < 1"],
        f"2*S*L <= {printed('1 + L**2/(lam*d)')}",
        at={"lam": lam, "L": 1, "S": 1, "R": Fraction(1, 1000), "delta": Fraction(1, 20), "d": 1},
    )


proves(
    "OFUL.Regret.regret_on_event",
    "thm:regret",
    "thm:regret/eq1",
    id="regret_on_the_event",
    title="While the ellipsoids hold theta_*, the regret is at most 2 B sqrt((3/2) n log(det V_n/lambda^d)).",
    math=r"\sum_{t \le n} r_t \le 2 B \sqrt{\tfrac{3}{2} n \log (\det V_n / \lambda^d)}, \; B \ge \max(1, b_1, "
    r"\dots, b_n)",
    reading="repaired",
    hypotheses=(*DESIGN, *GOOD),
    control=("without B >= 1", "OFUL.Controls.regret_small_radius_false"),
    witness="OFUL.Controls.premises_met",
    why="A pull costs at most 2 min(1, b_t sqrt(w_t)) <= 2 B min(1, sqrt(w_t)); Cauchy-Schwarz and the potential.",
)


@claim(
    "thm:regret",
    math=r"\mathbb{P} \left( \forall n : \sum_{t \le n} r_t \le \sqrt{6 n \ell_n} \max(1, R \sqrt{\ell_n + 2 \log "
    r"\tfrac{1}{\delta}} + \sqrt{\lambda} S) \right) \ge 1 - \delta, \; \ell_n = d \log \left( 1 + \frac{n L^2}{d "
    r"\lambda} \right)",
    reading="repaired",
    hypotheses=(NOISE, BOUNDED, "lambda > 0", "0 < delta < 1", "|<x, theta_*>| <= 1 for all arms"),
    control=("sqrt(5 n ell)", "5"),
    uses=("regret_on_the_event", "explicit_ellipsoid_repaired", "determinant_and_trace"),
)
def regret_repaired(factor: str = "6") -> Evidence:
    """With probability at least 1 - delta the regret is at most sqrt(6 n ell_n) max(1, radius), for all n.

    On the event of the ellipsoids the bound on the event applies with B the larger of 1 and the explicit radius, which
    increases with n; log(det V_n/lambda^d) is at most ell_n.
    """
    return decided(f"B >= 1, n >= 0, ell >= 0 => 2*B*sqrt(3*n*ell/2) <= sqrt(({factor})*n*ell)*B")


@claim(
    "thm:gap",
    "thm:gap/eq1",
    math=r"\sum_{t \le n} r_t \le \frac{16 b_n^2}{\Delta} \log (\det V_n / \lambda^d)",
    expected="refuted",
    severity="constant",
    consequence="as for the regret: max(1, b_n); then 6 in place of 16 will do",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms"),
    control=("lambda = 1", 1),
)
def gap_bound(lam: Fraction | int = Fraction(1, 100)) -> Evidence:
    """With gap Delta the regret is at most 16 b_n^2 log(det V_n/lambda^d)/Delta: not where the radius is below 1.

    d = n = 1, the arms 1 and -1, theta_* = -1, little noise: the pull costs 2 = Delta.
    """
    return fails(
        ["lam > 0", "S > 0", "S <= 1", "R > 0", "delta > 0", "delta < 1"],
        "2*S <= 16*b**2/(2*S)*log(1 + 1/lam)",
        {"b": "R*sqrt(log(1 + 1/lam) + 2*log(1/delta)) + sqrt(lam)*S"},
        at={"lam": lam, "S": 1, "R": Fraction(1, 1000), "delta": Fraction(1, 20)},
    )


@claim(
    "thm:gap",
    "thm:gap/eq1",
    math=r"\sum_{t \le n} r_t \le \frac{6 \max(1, b_n)^2}{\Delta} \log (\det V_n / \lambda^d)",
    reading="repaired",
    hypotheses=(NOISE, BOUNDED, "|<x, theta_*>| <= 1 for all arms", "a pull costs 0 or at least Delta > 0"),
    control=("5 in place of 6", "5"),
    uses=("capped_potential_sharper", "ellipsoid"),
)
def gap_bound_repaired(factor: str = "6") -> Evidence:
    """With gap Delta the regret is at most 6 max(1, b_n)^2 log(det V_n/lambda^d)/Delta on the event of the ellipsoids.

    A pull that costs r costs at most r^2/Delta, and r <= 2 B min(1, sqrt(w)), so at most 4 B^2 min(1, w)/Delta; the sum
    of min(1, w_t) is at most (3/2) log(det V_n/lambda^d).
    """
    return combine(
        implies(["r >= 0", "Delta > 0", "r >= Delta"], "r <= r**2/Delta"),
        implies(["0 <= r", "r <= 2*B*m", "B >= 1", "m >= 0", "Delta > 0"], "r**2/Delta <= 4*B**2*m**2/Delta"),
        implies(
            ["Delta > 0", "B >= 1", "total >= 0", "total <= 3*ell/2"],
            f"4*B**2*total/Delta <= ({factor})*B**2*ell/Delta",
        ),
    )
