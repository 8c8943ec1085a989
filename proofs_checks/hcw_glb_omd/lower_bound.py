"""The corruption-free lower bound: what its hypotheses allow, what contradicts it, and what can be proved.

Two upper bounds on regret need no algorithm.  Playing x_{t,*}, the best arm at the centre theta_*, costs
<x~ - x_*, theta~> <= <x~ - x_*, theta~ - theta_*> <= 2 |theta~ - theta_*| a round in a linear bandit; and
no play costs more than mu(S) - mu(-S) <= 2 S L_mu a round while theta~ stays in the ball.  A lower bound
with absolute constants must stay below both.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import algebra, exact
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, refuted, structural

HALF = sp.S.Half

structural(
    "sec:lower-bound", reason="the heading; its theorems are claimed one by one, its sentences are anchors of their own"
)


# --- which (d, T) the theorem speaks about ---------------------------------------------------------------


@claim(
    "thm:lower-bound",
    hypotheses=("d >= ceil(log2 T) + 1", "sqrt(sum g mu') >= 4 d sqrt(g_max L_mu)", "d <= 12"),
    control=("d <= 13", 13),
)
def lower_bound_is_silent_in_low_dimension(last: int = 12) -> Evidence:
    """No horizon and no dispersions meet both hypotheses for d <= 12: there the theorem says nothing.

    As g <= g_max and mu' <= L_mu, the second hypothesis gives T g_max L_mu >= 16 d^2 g_max L_mu, so T >= 16
    d^2; the first says T <= 2^(d-1).  Both together need 16 d^2 <= 2^(d-1), which fails for d = 1, ..., 12.
    """
    dimensions = [exact.closed(f"16*{d}**2 > 2**{d - 1}") for d in range(1, last + 1)]
    forced = implies(["G <= T*m", "m > 0", "T > 0", "d >= 1", "G >= 16*d**2*m"], "T >= 16*d**2")
    return combine(forced, *dimensions)


@claim(
    "thm:lower-bound",
    math=r"\text{for every } d \ge 13 \text{ some } T \text{ has } 16 d^2 \le T \le 2^{d-1}",
    reading="repaired",
    hypotheses=("d >= 13",),
    control=("from d = 12 on", 12),
)
def lower_bound_speaks_from_thirteen_on(first: int = 13) -> Evidence:
    """For every d >= 13 some horizons have 16 d^2 <= T <= 2^(d-1), and there a linear bandit meets both.

    With g and mu' constant the second hypothesis is T >= 16 d^2 exactly.
    """
    # P = 2^d stays at or above 32 d^2 from d = first on.
    return algebra.induction(
        "P >= 32*d**2",
        ["P", "d"],
        initial=[f"d == {first}", f"P == {2**first}"],
        transition=["P_next == 2*P", "d_next == d + 1"],
        always=[f"d >= {first}"],
    )


@claim(
    "thm:lower-bound/eq1",
    math=r"\sum_t g_t \mu'(\langle x_{t,\star}, \theta_\star \rangle) \text{ is the same for all arm sets}",
    hypotheses=("theta_* and the dispersions are given, the arm sets are not",),
    expected="refuted",
    control=("the same best value in both", 0),
    severity="slip",
    consequence="hypothesis and right side hold x_{t,*}, which only the arm sets under the supremum fix; read: some "
    "arm sets meet the hypothesis and force the regret, those that the proof constructs",
)
def best_arms_come_before_their_sets(other: int = 1) -> Evidence:
    """The sum of g mu' at the best arms is known before the arm sets are: no, it depends on them.

    Logistic rewards with g = 1 and |theta_*| = 1: one arm in every set gives T/4 if it is 0, and less if it is theta_*.
    """
    # T mu'(z) for the best values z = one and z = other.
    slope = "exp({z})/(1 + exp({z}))**2"
    return fails(
        ("abs(one) <= 1", "abs(other) <= 1", "T >= 1"),
        f"T*{slope.format(z='one')} == T*{slope.format(z='other')}",
        at={"one": 0, "other": other, "T": 4096},
    )


# --- absolute constants -----------------------------------------------------------------------------------

# Those of the theorem for Gaussian rewards with constant dispersion g, where mu' = L_mu = kappa = 1.
HYPOTHESES = ("g > 0", "sqrt(g*T) >= 4*d*sqrt(g)", "2**L >= T", "2**(L - 1) < T", "d >= L + 1")


def any_constants() -> Evidence:
    """The same instance with c_1 = 39 a^2 and g = h^4: the bound wins as soon as h > 96 a/c_2."""
    # c_2 d sqrt(g T)/log T and 2 T sqrt(c_1 d sqrt(g/T) U) at d = 13, T = 4096, log T = 12 and U = 1/12.
    return combine(
        implies(["h > 0"], "c2*13*sqrt(h**4*4096)/12 == 208/3*c2*h**2"),
        implies(["h > 0"], "sqrt(h**4/4096) == h**2/64"),
        implies(["a > 0", "h > 0", "r == h**2/64"], "2*4096*sqrt(39*a**2*13*r/12) == 6656*a*h"),
        implies(["a > 0", "c2 > 0", "h*c2 == 97*a"], "6656*a*h < 208/3*c2*h**2"),
    )


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    "lem:lower-bound/eq9",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 \le \varepsilon} \operatorname{Reg}(T) \ge \frac{c_2 "
    r"d}{\lceil \log T \rceil} \sqrt{\sum_t g_t \mu'_{t,\star}}, \; \varepsilon = c_1 d \sqrt{\frac{\kappa "
    r"g_{\max}}{T}} U, \text{ for absolute } c_1, c_2 > 0",
    hypotheses=("all of the theorem's", "Gaussian rewards", "constant dispersion g"),
    expected="refuted",
    control=("the radius, not its square, of the order d sqrt(g/T)", "c1*d**2*g/T*U**2"),
    coq="HCW.PrintedLowerBound.printed_lower_bound_false",
    severity="substance",
    consequence="no such constants exist: the squared radius has the dimension of theta, not of theta^2; "
    "heteroskedastic_lower_bound_glm proves the bound with radius d g_max/sqrt(sum g mu'), sphere_lower_bound with "
    "|theta_*| times that for its square, both without the logarithm",
    carries=("tight_up_to_kappa",),
)
def lower_bound_absolute_constants(radius: str = "c1*d*sqrt(g/T)*U", g: int = 65536) -> Evidence:
    """Regret >= c_2 d sqrt(sum g mu')/log T within |theta~ - theta_*|^2 <= eps, c_1 and c_2 absolute: false.

    For Gaussian rewards the learner who plays x_{t,*} pays at most 2 T sqrt(eps), with eps proportional to
    sqrt(g): for any arm sets and any S this grows like g^(1/4), while the bound grows like g^(1/2).
    Whatever c_1 and c_2 are, d = 13, T = 4096 and g large contradict them; the logarithm is read to base 2,
    which favours the bound.
    """
    # Gaussian rewards, d = 13, T = 4096 = 2^12, c_1 = c_2 = 1: the bound against 2 T sqrt(eps).
    against_playing_the_centre = fails(
        (*HYPOTHESES, "c1 > 0", "c2 > 0"),
        "c2*d*sqrt(g*T)/L <= 2*T*sqrt(eps)",
        {"U": "sqrt(2**L/T)/L", "eps": radius},
        at={"d": 13, "T": 4096, "L": 12, "c1": 1, "c2": 1, "g": g},
    )
    # <x~ - x_*, theta~>, with x_* best for theta_*; move = <x~ - x_*, theta~ - theta_*>, e the distance.
    centre = implies(["loss == rest + move", "rest <= 0", "e >= 0", "move <= 2*e"], "loss <= 2*e")
    return refuted(against_playing_the_centre, any_constants(), centre)


@claim(
    "thm:lower-bound/eq1",
    math=r"\sup_{\lVert \tilde{\theta} \rVert \le S} \operatorname{Reg}(T) \ge \frac{c_2 d}{\lceil \log T \rceil} "
    r"\sqrt{\sum_t g_t \mu'_{t,\star}} \text{ for every } S > 0",
    hypotheses=("all of the theorem's", "theta~ in the ball of radius S, as assumed throughout"),
    expected="refuted",
    control=("S = 1", sp.S.One),
    coq="HCW.PrintedLowerBound.printed_bound_in_ball_false",
    severity="hypothesis",
    consequence="a minimum with a multiple of (mu(S) - mu(-S)) T, or T >= d^2 g/S^2, has to be added",
    carries=("tight_up_to_kappa",),
)
def lower_bound_within_the_ball(S: sp.Rational = sp.Rational(1, 120)) -> Evidence:
    """The bound holds for instances in the ball whatever its radius S: false, since regret <= 2 S T.

    For every c_2 the radius S = c_2/120 is a contradiction at d = 13, T = 4096.  The supremum is printed over
    the neighbourhood alone; read so, its parameters leave Theta, which assumption:bound excludes.
    """
    every = implies(["c2 > 0", "S == c2/120"], "c2*13*64/12 > 2*S*4096")
    # The same instance with unit variance and theta~ in the ball of radius S: bound against 2 S T.
    against_the_whole_ball = fails(
        (*HYPOTHESES, "S > 0", "c2 > 0"),
        "c2*d*sqrt(g*T)/L <= 2*S*T",
        at={"S": S, "c2": 1, "d": 13, "T": 4096, "L": 12, "g": 1},
    )
    return refuted(against_the_whole_ball, every)
