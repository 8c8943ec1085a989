"""The alarm that rewards contradict the model, and the interval of a replayed log.

Both are bets that gain nothing on average while what they are told is true, so that Ville's inequality says how seldom
they ever get rich.  `core/learner/monitor.py` and `core/learner/replaying.py` compute them.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.learner.betting import Reach
from glbcheck.verify.claims.declare import claim

from ..unprinted import BUDGET, NORMALISED, PREDICTABLE

INFLUENCE = str(Reach(sp.Symbol("top"), sp.Symbol("S")).influence)

claim(
    "lemma:mixture",
    id="monitor_keeps_its_rate",
    says="If family, Theta and C are right, the monitor ever raises its alarm with no larger probability than it was "
    "given: the true logarithm of the wealth is at least `mix + lower - b*C`.",
    steps=f"""
    p: the share of a point y; y, z1: points of the rival; top: a bound on them; q: their mean, z: <x, theta_*>
    S: the bound on the parameter; w, g: weight and dispersion; c: the size of the corruption of a round
    p >= 0, p <= 1, y <= top, z1 <= top      [assumed: each rival spreads its prediction over points in (-top, top)]
    => p*y + (1 - p)*z1 <= top

    w >= 0, g > 0, top >= 0, S >= 0, c >= 0      [meaning]
    w <= g                                       [assumed: w <= g where C > 0]
    q <= top             [meaning; assumed: the points are chosen before the reward is drawn]
    z >= -S              [assumed: |x| <= 1 and |theta*| <= S]
    [cauchy-schwarz]
    => w*(q - z)*c <= g*(({INFLUENCE})*c)

    w >= 0, g > 0, w <= g, top >= 0, S >= 0, c >= 0, q >= -top, z <= S      [meaning]
    => w*(z - q)*c <= g*(({INFLUENCE})*c)

    moved: what corruption adds to the logarithm; spent: the budget spent; b: the influence, top and S together
    step, size: of a round
    always b >= 0                                                                              [meaning]
    first moved == 0, spent == 0                                                               [meaning]
    then size >= 0, step <= b*size, moved_next == moved + step, spent_next == spent + size     [meaning]
    => moved <= b*spent

    f, at, found, i: the least loss, the one at the point found, the bound on both and the least slope; n: its length
    f >= found + i - at      [convex-tangent]
    i >= -S*n                [meaning]
    => f >= found - at - S*n

    loss, lower: the loss at theta_* and the bound below the least one; mix: the logarithm of the mean over the rivals
    true: the logarithm of the wealth without corruption; level: the logarithm of 1/delta; C: the budget
    lower <= loss, mix + loss <= true + b*C      [meaning]
    => true >= mix + lower - b*C
    mix + lower - b*C >= level                   [meaning]
    => true >= level
    [ville; tower; weighted_supermartingale; order_of_updates]
    [assumed: {PREDICTABLE}; assumed: {NORMALISED}; assumed: {BUDGET}]
    """,
    why="For each rival the product of the ratios at the true parameter is a supermartingale from one, and so is their "
    "mean over rivals.  An alarm by the support needs no probability: rewards whose distances to it sum to a larger "
    "number than C were corrupted beyond C.",
    reading="repaired",
    math=r"\log \frac{1}{K} \sum_k \prod_s q_{k,s}^{w_s} - \max_{\theta \in \Theta} \log \prod_s p_{\theta,s}^{w_s} "
    r"- (\mathrm{top} + S) C \ge \log \frac{1}{\delta} \text{ for some } t, \text{ with probability at most } \delta",
)

claim(
    "lemma:mixture",
    id="replay_interval_holds",
    says="The interval of a replayed log ends at `(earned - M*u)/n` and holds at its level, for weights of any size.",
    steps="""
    y: any number; a: a rate; x: (Y - p)/M; P: the price psi(a); L: log(1 + a x)
    y >= 0      [meaning]
    => log(1 + y) >= y - y**2/2

    a >= 0, a < 1      [meaning]
    => -log(1 - a) - a >= a**2/2

    a > 0                 [meaning]
    P >= a**2/2           [above with P = -log(1 - a) - a]
    x1 >= 0               [meaning]
    L1 >= y1 - y1**2/2    [above with L1 = log(1 + y), y1 = y]
    y1 == a*x1            [meaning]
    => L1 >= a*x1 - P*x1**2

    v: minus a x, where x < 0
    v > 0, v < 1      [meaning]
    => diff((-v - log(1 - v))/v**2, v) == (v**2/(1 - v) + 2*v + 2*log(1 - v))/v**3

    v >= 0, v < 1      [meaning]
    => v**2/(1 - v) + 2*v + 2*log(1 - v) >= 0

    h: the quotient of psi(v) and the square of v; x1, L1: x and L where x is not negative; y1: a x1
    x < 0, v == -a*x, -L - v == h*v**2, a > 0      [meaning]
    h*a**2 <= P                                    [monotone]
    => L >= a*x - P*x**2

    e: any number
    => exp(e) >= 1 + e

    Y, p: the earnings of a row and what was predicted; M: a bound on the prediction
    Y >= 0, p >= 0, p <= M, M > 0      [assumed: Y_t >= 0, its weight times the distance of the reward to an end]
    => (Y - p)/M >= -1

    n: the number of rows; earned, mean: the sums of Y and of its conditional mean; u: where the wealth is 1/delta
    M > 0, n > 0                       [meaning]
    (earned - mean)/M <= u             [tower]
    [ville]
    => mean/n >= (earned - M*u)/n
    [assumed: 0 <= p_t <= M, and p_t is known before row t; assumed: no reward was corrupted]
    [assumed: the propensity of the arm that was pulled is its probability, or more, given all before]
    """,
    why="The products, and their mean over the rates, are supermartingales from one, and the wealth increases with its "
    "first sum.  The mean of Y is the distance of the mean reward of the arm to the end, or smaller where the log "
    "would not have pulled it; the two ends share the level.",
    reading="repaired",
    math=r"\frac{1}{n} \sum_t \mathbb{E}_t Y_t \ge \frac{1}{n} \Big( \sum_t Y_t - M u \Big), \text{ where } "
    r"\frac{1}{J} \sum_j \exp\Big(a_j u - \psi(a_j) \sum_t \frac{(Y_t - p_t)^2}{M^2}\Big) = \frac{1}{\delta}, "
    r"\text{ with probability at least } 1 - \delta",
)
