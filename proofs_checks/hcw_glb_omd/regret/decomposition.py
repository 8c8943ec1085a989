"""Appendix C, first half: one round's regret, split into first and second order, and what the slopes become.

On the event of the confidence sequence theta_* lies in every C_t.  Since Theta is a ball around 0, every point between
two values <x, theta> is again such a value, so the constants of the link apply there.
"""

from __future__ import annotations

from glbcheck.verify.claims.declare import claim, refuted
from glbcheck.verify.writing import structural

structural("app:proof-regret", reason="heading of the proof; the claims below decide its steps")
structural("sec:regret-decompostion-proof", reason="heading of the proof of the decomposition")

MEAN = "mu: function, the mean of a reward, increasing; z: <x_t, theta_*>"
NORM = "n: the norm of x_t in the inverse of H_t"
SLOPES = "a: mu' at <x_t, theta_*>; b: mu' at <x_t, theta_(t+1)>"
RADII = "r: the radius of C_t; q: that of C_(t+1) or of a later round; K: R_s times L_mu"

# --- Taylor, optimism, Cauchy-Schwarz -------------------------------------------------------------------

claim(
    "theorem:regret/eq2",
    id="taylor_at_the_best_arm",
    says="The regret of a round to second order at the best value y, with an integral for the remainder.",
    steps=f"""
    {MEAN}; y: the best value of the round; v: the share of the way from y to z
    => mu(z) == mu(y) + (z - y)*mu_1(y) + integral((1 - v)*(z - y)**2*mu_2(y + v*(z - y)), v, 0, 1)
    [taylor; assumed: mu is twice differentiable between <x_t, theta*> and <x*, theta*>]
    """,
    why="The proof of the theorem does not use it: it expands at z and moves the slope to y afterwards, in "
    "lemma:decomposition/eq3.",
)

claim(
    "sec:regret-decompostion-proof/eq1",
    id="regret_by_optimism",
    says="The regret `best - mean` of a round is at most `optimistic - mean`, which is the sum of both terms exactly.",
    steps=f"""
    {MEAN}; y: the optimistic value, that of the index; v: the share of the way from z to y
    best, optimistic, mean: mu at the best value, at the optimistic one and at z
    => mu(y) == mu(z) + (y - z)*mu_1(z) + integral((1 - v)*(y - z)**2*mu_2(z + v*(y - z)), v, 0, 1)

    best <= optimistic      [assumed: theta* in C_t; assumed: (x_t, theta~_t) maximises <x, theta>]
    [taylor; assumed: mu does not decrease]
    => best - mean <= optimistic - mean
    """,
    why="The best arm and the true parameter compete in the maximisation; what maximises the product maximises its "
    "mean.",
)

claim(
    "sec:regret-decompostion-proof/eq2",
    id="first_order_term",
    says="In each round the first-order term is at most `2*q*a*n`.",
    steps=f"""
    xy, xx, yy: the products of two vectors and of each with itself; e, f: a coordinate of each
    always xx >= 0, yy >= 0                                                       [meaning]
    first xy == e*f, xx == e**2, yy == f**2                                       [meaning]
    then xy_next == xy + e*f, xx_next == xx + e**2, yy_next == yy + f**2          [meaning]
    => xy**2 <= xx*yy

    {NORM}; {SLOPES}; {RADII}
    s, t: how far theta_* and the parameter of the index are from theta_t; D: how far from each other
    i: the product of the arm and their difference
    s >= 0, t >= 0, r >= 0, s <= r, t <= r      [assumed: theta*, theta~_t in C_t]
    D <= s + t                                  [triangle]
    => D <= 2*r
    a >= 0                       [assumed: mu' >= 0]
    q >= r                       [assumed: the radii do not decrease]
    n >= 0                       [meaning]
    i <= n*D                     [cauchy-schwarz]
    => a*i <= 2*q*a*n            [in a, i, q, n, D, r]
    """,
    why="The coordinates are those where the Hessian is the identity.",
)

CHANGE = f"""
    mu: function, the mean of a reward; x: a point between z and y; slope, bend: mu' and mu'' there
    => diff(mu_1(x) + R*mu(x), x) == mu_2(x) + R*mu_1(x), diff(mu_1(x) - R*mu(x), x) == mu_2(x) - R*mu_1(x)

    abs(bend) <= R*slope      [assumed: |mu''| <= R_s mu' and mu' <= L_mu between -S and S]
    => bend + R*slope >= 0, bend - R*slope <= 0

    {NORM}; c: the factor of the rank-one update of H_t
    n >= 0, c >= 0      [meaning]
    => n**2/(1 + c*n**2) <= n**2

    {SLOPES}; L: the largest slope; q: the radius of C_(t+1)
    m: the norm of x_t in the inverse of H_(t+1); D: the error of theta_(t+1); s: the distance of z and y
    high, low: mu at the larger and at the smaller one of z and y
    R >= 0, L >= 0, n >= 0, m >= 0, q >= 0, D >= 0      [meaning]
    m <= n                              [loewner-order]
    s <= m*D                            [cauchy-schwarz]
    s == abs(z - y)                     [meaning]
    D <= q                              [assumed: theta*, theta_{{t+1}} in Theta; assumed: theta* in C_{{t+1}}]
    high - low <= L*s                [mean-value]
    a - b <= R*(high - low)          [monotone]
    => a <= b + R*L*s
    => a <= b + R*L*q*n
"""

# --- the slope at the next iterate ------------------------------------------------------------------------

refuted(
    "sec:regret-decompostion-proof/eq3",
    id="slope_at_next_iterate",
    says="The second line `slope0 <= slope1 + R*(mean0 - mean1)` is false for the logistic link where `z <= y`.",
    steps="""
    z: <x_t, theta_*>; y: <x_t, theta_(t+1)>; S: the bound on the parameter; R: R_s of the logistic link
    R := tanh(S/2)
    slope0 := exp(-z)/(1 + exp(-z))**2
    slope1 := exp(-y)/(1 + exp(-y))**2
    mean0 := 1/(1 + exp(-z))
    mean1 := 1/(1 + exp(-y))
    S > 0, abs(z) <= S, abs(y) <= S, z <= y      [assumed: |mu''| <= R_s mu']
    slope0 >= slope1                             [assumed: mu'(<x, theta*>) >= mu'(<x, theta_{t+1}>)]
    => slope0 <= slope1 + R*(mean0 - mean1)
    fails at z = 0, y = 1, S = 1
    """,
    why="So it is after a reward that pushes the next iterate against the border.",
    severity="slip",
    consequence="the next line bounds the step by a norm, and with an absolute value the chain holds",
    carries=("rounds_with_dropping_slope",),
    math=r"\mu'(z) \le \mu'(y) + R_s (z - y) \int_0^1 \mu'(y + v (z - y)) \, dv",
    repaired={
        "id": "slope_at_next_iterate_repaired",
        "says": "`a <= b + R*L*q*n`, whatever the sign of `z - y`.",
        "steps": f"""
    [first_order_term]
{CHANGE}
        """,
        "why": "The radius is that of the next round, so after the last one that of a round that is not played.",
        "math": r"\mu'(z) \le \mu'(y) + R_s \lvert \mu(z) - \mu(y) \rvert \le \mu'(y) + R_s L_\mu r_{t+1} \lVert x_t "
        r"\rVert_{H_t^{-1}}",
    },
)

# --- first order: rounds where the slope drops, rounds where it grows --------------------------------------

claim(
    "sec:regret-decompostion-proof/eq4",
    id="rounds_with_dropping_slope",
    says="Where the slope drops, a round of the first-order term is at most `2*r*b*n + 2*K*q**2*n**2`, and "
    "`b*n <= sqrt(a*b)*n` where the weight is one.",
    steps=f"""
{CHANGE}
    r: the radius of C_t; K: R_s times L_mu
    b >= 0, n >= 0, r >= 0, K >= 0      [meaning]
    a >= b                              [assumed: b <= a for every round of the set]
    => b*n <= sqrt(a*b)*n               [in a, b, n]
    q >= r                              [assumed: r_t <= r_T <= r_{{T+1}}]
    a <= b + K*q*n                      [above with K = R*L]
    [first_order_term]
    => 2*r*a*n <= 2*r*b*n + 2*K*q**2*n**2
    """,
    why="The bound on the slope is the last line of that display, whose second line is false.",
)

claim(
    "sec:regret-decompostion-proof/eq5",
    id="rounds_with_growing_slope",
    says="Where the slope grows, `a*n <= sqrt(a*b)*n` and `a*n <= b*n`.",
    steps=f"""
    {NORM}; {SLOPES}
    n >= 0             [meaning]
    a >= 0, a <= b     [assumed: 0 <= a < b for every round of the set]
    => a*n <= sqrt(a*b)*n, a*n <= b*n
    """,
)

claim(
    "sec:regret-decompostion-proof/eq6",
    id="first_order_combined",
    says="A round of the first-order term is at most `2*r*s*n + 2*K*q**2*n**2`.",
    steps=f"""
    {NORM}; {SLOPES}; {RADII}; e: what the slope may drop
    a >= 0, b >= 0, e >= 0      [meaning]
    a <= b + e                  [assumed: the bounds on A_1 and A_2]
    => a <= sqrt(a*b) + e

    s: the root of a times b where the weight is one, and b elsewhere
    s >= 0, K >= 0, r >= 0, q >= r      [meaning]
    n >= 0                              [assumed: 0 <= n_t]
    a <= s + K*q*n                      [sec:regret-decompostion-proof/eq3]
    [rounds_with_dropping_slope; rounds_with_growing_slope]
    => 2*r*a*n <= 2*r*s*n + 2*K*q**2*n**2
    """,
    why="The last step of the display adds further squares.",
)

# --- second order --------------------------------------------------------------------------------------

claim(
    "sec:regret-decompostion-proof/eq7",
    id="second_order_term",
    says="A round of the second-order term B is at most `2*K*q**2*n**2`, so at most `4*K*q**2*n**2`: the mass of the "
    "weight is not used.",
    steps=f"""
    v: the share of the way
    => integral(1 - v, v, 0, 1) == 1/2

    {NORM}; {RADII}; B: the term of the round; D: the distance of the values of the index and of theta_*
    K >= 0, n >= 0, r >= 0, D >= 0, q >= r      [meaning]
    D <= 2*r*n            [cauchy-schwarz with p = D, a = 2*r, b = n; assumed: theta*, theta~_t in C_t, so in Theta]
    B <= K*D**2/2         [assumed: |mu''| <= R_s mu' and mu' <= L_mu between -S and S]
    [regret_by_optimism; first_order_term]
    => B <= 2*K*q**2*n**2
    => B <= 4*K*q**2*n**2
    """,
)

claim(
    "lemma:decomposition",
    "lemma:decomposition/eq1",
    "sec:regret-decompostion-proof/eq8",
    id="decomposition",
    says="The regret of a round is at most `2*r*s*n + 6*K*q**2*n**2`.",
    steps=f"""
    {NORM}; {RADII}; s: the root of a times b where the weight is one, and b elsewhere; {SLOPES}
    reg: the regret of the round; A, B: its terms of first and second order
    reg <= A + B                                  [sec:regret-decompostion-proof/eq1; assumed: theta~_t in Theta]
    A <= 2*r*s*n + 2*K*q**2*n**2                  [sec:regret-decompostion-proof/eq6]
    B <= 4*K*q**2*n**2                            [sec:regret-decompostion-proof/eq7]
    [regret_by_optimism; first_order_combined; second_order_term; assumed: theta* in every C_t up to t = T + 1]
    => reg <= 2*r*s*n + 6*K*q**2*n**2
    """,
    why="The event must include the round after the last; it is stated for all rounds, though the sets are defined on "
    "those that are played.",
)

claim(
    "lemma:decomposition",
    "lemma:decomposition/eq1",
    "sec:regret-decompostion-proof/eq7",
    id="decomposition_sharp",
    says="The regret of a round is at most `2*r*s*n + 4*K*q**2*n**2`, also for the index without Theta.",
    steps=f"""
    v: the share of the way
    => integral(1 - v, v, 0, 1) == 1/2

    {NORM}; {SLOPES}; {RADII}; s: the root of a times b where the weight is one, and b elsewhere
    best, optimistic, z: the best value of the round, that of the index, and <x_t, theta_*>
    best <= optimistic             [assumed: z* <= <x_t, theta~_t>, theta~_t may lie outside Theta]
    optimistic - z <= 2*r*n        [sec:regret-decompostion-proof/eq2]
    => best - z <= 2*r*n

    D: the distance of z and the best value; reg: the regret of the round
    D <= 2*r*n                                                 [above with D = best - z]
    a >= 0, s >= 0, K >= 0, n >= 0, r >= 0, D >= 0, q >= r     [meaning]
    a <= s + K*q*n                 [sec:regret-decompostion-proof/eq3; assumed: theta* in every C_t up to t = T + 1]
    reg <= a*D + K/2*D**2          [taylor]
    [taylor_at_the_best_arm; first_order_combined]
    => reg <= 2*r*s*n + 4*K*q**2*n**2
    """,
    why="Expanded at z up to the best value both ends are values of parameters in Theta, whatever the index has.",
    reading="repaired",
    math=r"\operatorname{Reg}(T) \le 2 r_T (S_0 + S_1) + 4 R_s L_\mu r_{T+1}^2 (S_2 + S_3)",
)
