"""lem:lower-bound and thm:lower-bound repaired on the paper's own arm sets: spheres or balls, with |theta_*| up to S.

Round t has the arms l_t x, l_t = min(1, g_t/c), for x in the unit sphere or the unit ball.  theta_* = r e_0, and the
alternatives theta_s = (theta_0, eps s_1, ..., eps s_p), p = d - 1, have the same length r, so r = S is allowed.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import lower_constants
from glbcheck.verify.writing import Evidence, claim, combine, implies, text_of

from .unprinted import NORMALISED

# q is the root of k V: slopes vary by a factor k, and V is the sum of min(g_t, c) mu'_{t,*}.
KNOWN = ("r > 0", "c > 0", "k >= 1", "q > 0", "R >= 0", "d >= 2")
VARIANCE = "q**2/k"
STEP = text_of(lower_constants.sphere_step, "r", "k", "c", VARIANCE)
FLOOR = text_of(lower_constants.sphere_floor, "d", "r", "R", "k", VARIANCE)


def geometry() -> Evidence:
    """What an arm l x costs along theta_s, |x|^2 = X and p = <x, theta_s>; where the alternatives lie."""
    gap = implies(["r > 0", "l >= 0", "X <= 1"], "l*r - l*p >= l*r/2*(X - 2*p/r + 1)")
    slope = implies(["R >= 0", "r > 0", "l >= 0", "l <= 1", "D >= 0", "D <= 2*l*r"], "D/(1 + R*D) >= D/(1 + 2*R*r)")
    # theta_0 is the coordinate along theta_*, p eps^2 the square of the rest.
    distance = implies(
        ["r > 0", "theta0 >= 0", "rest >= 0", "theta0**2 == r**2 - rest"], "(r - theta0)**2 + rest <= 2*rest"
    )
    return combine(gap, slope, distance)


def pair_of_signs() -> Evidence:
    """Of one coordinate: J the weights before the stop times delta^2, I those times y^2, A what is to be reached."""
    both = implies(["weight >= 0"], "weight*(y - h)**2 + weight*(y + h)**2 == 2*weight*(y**2 + h**2)")
    stopped = implies(["I >= 0", "J >= 0", "max(I, J) >= A"], "2*(I + J) >= 2*A")
    cut = implies(["A > 0", "x >= 0", "y >= 0", "x + y >= 2*A"], "min(x, A) + min(y, A) >= A")
    return combine(both, stopped, cut)


def divergence_before_the_stop(level: sp.Rational) -> Evidence:
    """KL/2 = eps^2 k (delta^2 N)/c with delta = eps/r and N = V/c is at most level^2; e2 stands for eps^2."""
    round_ = implies(
        ["g > 0", "c > 0", "l >= 0", "l*c <= g", "slope >= 0"], "(2*e*l*y)**2*slope/(2*g) <= 2*e**2*y**2*l*slope/c"
    )
    return combine(round_, implies([*KNOWN, f"e2 == {STEP}"], f"e2*k*(e2/r**2)*({VARIANCE}/c)/c <= ({level})**2"))


def sum_over_coordinates() -> Evidence:
    """d - 1 coordinates with delta^2 N/4 each, times r/2, slopes 1/k and curvature 1/(1 + 2 R r)."""
    cost = f"(d - 1)*(r/2)/(k*(1 + 2*R*r))*(e2/r**2)*({VARIANCE}/c)/4"
    return implies([*KNOWN, f"e2 == {STEP}"], f"{cost} == {FLOOR}")


@claim(
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    "lem:lower-bound",
    "lem:lower-bound/eq1",
    "lem:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 \le \varepsilon, \, \lVert \tilde{\theta} \rVert = r} "
    r"\operatorname{Reg}(T) \ge \frac{d - 1}{16 (1 + 2 R_s r)} e^{-3 v/2} \sqrt{V}, \; \varepsilon = (d - 1) r "
    r"\frac{c}{\sqrt{e^v V}}, \; V = \sum_t \min(g_t, c) \mu'_{t,\star}",
    reading="repaired",
    hypotheses=(
        "any self-concordant family on [-S, S]",
        NORMALISED,
        "d >= 2, theta_* in the ball with |theta_*| = r, 0 < r <= S",
        "any c > 0; in round t the arms are the sphere, or the ball, of radius min(1, g_t/c)",
        "(d - 1) c <= 2 r sqrt(e^v V) and R_s^2 r c <= 2 v^2 sqrt(e^v V)",
    ),
    control=("total variation 49/100", lambda: divergence_before_the_stop(sp.Rational(49, 100))),
    uses=("self_concordance_mean", "kl_is_bregman", "heteroskedastic_lower_bound"),
    facts=("assouad", "pinsker", "kl-chain-rule", "monotone"),
)
def sphere_lower_bound() -> Evidence:
    """On spheres regret >= (d-1) e^(-3v/2) sqrt(V)/(16 (1 + 2 R_s r)) within |theta~ - theta_*|^2 <= (d-1) r c/sqrt(V).

    With c the smallest g_t every round has the whole unit sphere and this is the local lemma, V = g_1 n mu'_*, with
    the factor |theta_*| in the squared radius; with c = g_max, V is the sum of g_t mu'_{t,*} and this is the theorem
    without logarithm, without d >= log T, for every theta_* but 0 and also on the boundary of the ball.

    eps^2 = r c/(2 sqrt(e^v V)), theta_0^2 = r^2 - p eps^2, delta = eps/r, m_t = mu'(l_t r).  An arm l_t (x_0, y) falls
    short by D >= l_t r/2 (sum of (y_i - delta s_i)^2), at most 2 l_t r, so it costs at least D/(1 + 2 R_s r) times
    the slope at either end.  For a coordinate i let z be the inner product without it, the same for both signs, within
    eps of both; a = max(1, mu'(z)/m_t).  Slopes change by at most e^v on the way, hence the cost is at least
    e^-v r/(2 (1 + 2 R_s r)) times the sum over i of l_t m_t a (y_i - delta s_i)^2, while flipping one sign
    has divergence at most 2 eps^2 e^v l_t m_t a y_i^2/c in the round, as l_t <= g_t/c.

    Stop at the first round where the sum of l_t m_t a y_i^2 reaches A = delta^2 N, N = V/c the sum of l_t m_t, or at T.
    What was seen before the last arm was chosen has divergence at most 2 eps^2 e^v A/c, so by Pinsker the two laws are
    within 1/2.  Up to the stop the sums of l_t m_t a (y_i - delta)^2 and of l_t m_t a (y_i + delta)^2 add up
    to 2A or more, because a >= 1; cut at A they add up to A at least, and the two instances together pay A (1 - 1/2)
    for coordinate i.  Averaged over all s (Assouad) that is A/4 for each of d - 1 coordinates.
    """
    half = sp.S.Half
    return combine(geometry(), pair_of_signs(), divergence_before_the_stop(half), sum_over_coordinates(), in_the_ball())


def in_the_ball() -> Evidence:
    """The conditions: p eps^2 <= r^2, so that theta_0 exists, and R_s eps <= v."""
    room = implies([*KNOWN, f"e2 == {STEP}", "(d - 1)*c <= 2*r*q"], "(d - 1)*e2 <= r**2")
    near = implies([*KNOWN, f"e2 == {STEP}", "v >= 0", "R**2*r*c <= 2*v**2*q"], "R**2*e2 <= v**2")
    return combine(room, near)
