"""What the learner says of data: the alarm that rewards contradict the model, and the interval of a replayed log.

Both are bets that gain nothing on average while what they are told is true, so that Ville's inequality says how seldom
they ever get rich.  `core/learner/monitor.py` and `core/learner/replaying.py` compute them.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.learner.betting import Reach
from glbcheck.verify.search import algebra, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, decided, implies, nonnegative

from .sharpest_confidence import NEAR
from .unprinted import BUDGET, NORMALISED, PREDICTABLE

# --- the monitor ----------------------------------------------------------------------------------------------

RIVALS = "each rival spreads its prediction over points in [-top, top], chosen before the reward is drawn"
INFLUENCE = str(Reach(sp.Symbol("top"), sp.Symbol("S")).influence)


def moved_by_corruption(share: sp.Rational) -> Evidence:
    """A reward moved by c moves the logarithm of a factor by (w/g)(q - z) c; q is a mean of the rival's points."""
    spent = ["w >= 0", "g > 0", "w <= g", "top >= 0", "S >= 0", "c >= 0"]
    return combine(
        # The slope of log(p e^{y r} + (1 - p) e^{z r}) in r is such a mean; for more points again and again.
        implies(["p >= 0", "p <= 1", "y <= top", "z <= top"], "p*y + (1 - p)*z <= top"),
        implies([*spent, "q <= top", "z >= -S"], f"w*(q - z)*c <= g*(({share})*({INFLUENCE})*c)"),
        implies([*spent, "q >= -top", "z <= S"], f"w*(z - q)*c <= g*(({share})*({INFLUENCE})*c)"),
        algebra.induction(
            "moved <= b*spent", ["moved", "spent"],
            initial=["moved == 0", "spent == 0"],
            transition=["size >= 0", "step <= b*size", "moved_next == moved + step", "spent_next == spent + size"],
            always=["b >= 0"], parameters=["b"], auxiliary=["size", "step"],
        ),
    )  # fmt: skip


@claim(
    "lemma:mixture",
    math=r"\log \frac{1}{K} \sum_k \prod_s q_{k,s}^{w_s} - \max_{\theta \in \Theta} \log \prod_s p_{\theta,s}^{w_s} "
    r"- (\mathrm{top} + S) C \ge \log \frac{1}{\delta} \text{ for some } t, \text{ with probability at most } \delta",
    reading="repaired",
    hypotheses=(PREDICTABLE, NORMALISED, BUDGET, RIVALS, "w <= g where C > 0", "|x| <= 1 and |theta*| <= S"),
    control=("(1 - 10^-6)(top + S) C", lambda: moved_by_corruption(1 - NEAR)),
    uses=("weighted_supermartingale", "order_of_updates"),
    facts=("ville", "tower", "cauchy-schwarz", "convex-tangent"),
)
def monitor_keeps_its_rate() -> Evidence:
    """If family, Theta and C are right, the monitor ever raises its alarm with probability at most delta.

    For each rival the product of (q/p)^w at theta* is a supermartingale from 1, as in `weighted_supermartingale`, and
    so is the mean over rivals; by Ville it ever reaches 1/delta with probability at most delta.  What is computed
    from corrupted rewards exceeds its logarithm by at most (top + S) C, and the loss at theta* is at least the lower
    bound on the least one: convex losses lie above their tangents, and <v, theta> >= -S |v| on Theta.  An alarm by the
    support needs no probability: rewards whose distances to it sum to more than C were corrupted by more than C.
    """
    return combine(
        moved_by_corruption(sp.S.One),
        implies(["f >= found + i - at", "i >= -S*n"], "f >= found - at - S*n"),
        implies(["lower <= loss", "mix + loss <= true + b*C", "mix + lower - b*C >= level"], "true >= level"),
    )


# --- the replay -----------------------------------------------------------------------------------------------


def quadratic_price(share: sp.Rational) -> Evidence:
    """log(1 + a x) >= a x - psi(a) x^2 for x >= -1, 0 < a < 1 and psi(a) = -log(1 - a) - a, from one variable each.

    For x >= 0 by the square alone, as psi(a) >= a^2/2.  For x < 0 let v = -a x <= a: h(v) = (-v - log(1 - v))/v^2 does
    not decrease, its derivative being k(v)/v^3 with k >= 0, so that h(v) <= h(a) = psi(a)/a^2.
    """
    v = sp.Symbol("v", positive=True)
    h = (-v - sp.log(1 - v)) / v**2
    k = v**2 / (1 - v) + 2 * v + 2 * sp.log(1 - v)
    bet, price = ["a > 0", "P >= a**2/2"], f"L >= a*x - ({share})*P*x**2"
    return combine(
        decided("u >= 0 => log(1 + u) >= u - u**2/2"),
        decided("a >= 0, a < 1 => -log(1 - a) - a >= a**2/2"),
        implies([*bet, "x >= 0", "L >= a*x - (a*x)**2/2"], price),
        symbolic.identity(sp.Derivative(h, v), k / v**3, hypotheses=["v > 0", "v < 1"]),
        decided("v >= 0, v < 1 => v**2/(1 - v) + 2*v + 2*log(1 - v) >= 0"),
        implies([*bet, "x < 0", "v == -a*x", "h*a**2 <= P", "-L - v == h*v**2"], price),
    )


@claim(
    "lemma:mixture",
    math=r"\frac{1}{n} \sum_t \mathbb{E}_t Y_t \ge \frac{1}{n} \Big( \sum_t Y_t - M u \Big), \text{ where } "
    r"\frac{1}{J} \sum_j \exp\Big(a_j u - \psi(a_j) \sum_t \frac{(Y_t - p_t)^2}{M^2}\Big) = \frac{1}{\delta}, "
    r"\text{ with probability at least } 1 - \delta",
    reading="repaired",
    hypotheses=(
        "Y_t >= 0 is the weight of row t times the reward's distance to an end of its range",
        "0 <= p_t <= M, and p_t is known before row t",
        "the propensity of the arm that was pulled is its probability, or more, given all before",
        "no reward was corrupted",
    ),
    control=("9/10 of the price", lambda: quadratic_price(sp.Rational(9, 10))),
    facts=("ville", "tower", "monotone"),
)
def replay_interval_holds() -> Evidence:
    """The interval of a replayed log holds with probability 1 - delta, for weights of any size.

    With x = (Y - p)/M >= -1 and m = E x the factor exp(a (Y - E Y)/M - psi(a) x^2) is exp(a x - psi(a) x^2) e^{-a m},
    of mean at most (1 + a m) e^{-a m} <= 1.  So the products, and their mean over the a_j, are supermartingales from
    1, and Ville's inequality applies.  The wealth increases with its first sum, so that this sum is at most u.  E Y is
    the distance of the mean reward of the learner's arm to the end, or less where the log would not have pulled it; and
    the two ends have delta/2 each.
    """
    return combine(
        quadratic_price(sp.S.One),
        decided("exp(y) >= 1 + y"),
        implies([*nonnegative("Y", "p"), "p <= M", "M > 0"], "(Y - p)/M >= -1"),
        implies(["M > 0", "n > 0", "(earned - mean)/M <= u"], "mean/n >= (earned - M*u)/n"),
    )
