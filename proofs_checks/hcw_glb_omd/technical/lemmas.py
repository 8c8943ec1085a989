"""The technical lemmas at the end of the paper, and the self-bounding inequality that uses one of them.

Throughout, mu is increasing with |mu''| <= R mu' on an interval, z1 and z2 are two points of it, and
u = R |z1 - z2|.  Since mu'(x) e^{Rx} increases and mu'(x) e^{-Rx} decreases, mu' at distance s from a
point z lies between mu'(z) e^{-Rs} and mu'(z) e^{Rs}; both are attained, by mu = e^{+-Rx}.  So each
inequality for all such mu is one inequality in the single variable u.
"""

from __future__ import annotations

from glbcheck.verify.claims.declare import claim, refuted

# --- lemma:self-concordance ---------------------------------------------------------------------

SLOPES = """
    mu: function, the mean of a reward, increasing, with |mu''| <= R mu' on an interval
    R: the constant of self-concordance; x: a point of the interval; z1, z2: two points of it
    u: R times the distance of z1 and z2; v: the share of the way from z1 to z2
    R > 0, x > 0      [meaning]
    => diff(exp(R*x)*mu_1(x), x) == (R*mu_1(x) + mu_2(x))*exp(R*x), \
diff(exp(-R*x)*mu_1(x), x) == (-R*mu_1(x) + mu_2(x))*exp(-R*x)
"""

claim(
    "lemma:self-concordance/eq1",
    id="self_concordance_mean",
    says="The mean of mu' between z1 and z2 is at least `slope/(1 + u)`, at either end.",
    steps=f"""{SLOPES}
    u > 0      [meaning]
    => integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u

    slope: mu' at z1 or at z2; mean: the mean of mu' between z1 and z2
    weight: the mean of exp(-u*v) over the shares v
    u > 0      [meaning]
    => (1 - exp(-u))*(1 + u) >= u
    => (1 - exp(-u))/u >= 1/(1 + u)

    u > 0, slope > 0          [assumed: mu' > 0; assumed: |mu''| <= R mu' between z1 and z2]
    weight >= 1/(1 + u)       [above with weight = (1 - exp(-u))/u]
    mean >= slope*weight      [monotone; assumed: z is z1 or z2]
    => mean >= slope*(1/(1 + u))
    """,
    why="On the way from an end the slope of mu falls no faster than `exp(-u*v)` does; from the other end v is the "
    "share of the way that is left, and the mean is the same.",
)

refuted(
    "lemma:self-concordance",
    "lemma:self-concordance/eq2",
    id="self_concordance_weighted",
    says="The lower bound of the weighted integral holds at both ends: false at z2, for mu' the exponential function.",
    steps="""
    mu: function, the exponential function
    z1: end from which the weight falls; z2: the other end; v: the share of the way from z1 to z2
    d := z2 - z1
    weighted := (exp(z2) - exp(z1)*(1 + d))/d**2
    z1 < z2
    => exp(z2)/(2 + d) <= weighted
    fails at z1 = 0, z2 = 1

    => integral((1 - v)*exp(v), v, 0, 1) == -2 + E
    [assumed: mu' > 0; assumed: |mu''| <= R mu' between z1 and z2; assumed: z is z1 or z2]
    """,
    why="The weight vanishes at z2, so mu' may be large there and count for nothing.",
    severity="slip",
    consequence="only z = z1 is used (in lemma:inverse-regret), and there the bound holds",
    carries=("curvature_of_the_loss",),
    math=r"\frac{\mu'(z)}{2 + R_s \lvert z_1 - z_2 \rvert} \le \int_0^1 (1 - v) \mu'(z_1 + v (z_2 - z_1)) \, dv "
    r"\text{ for } z = z_1 \text{ and } z = z_2",
    repaired={
        "id": "self_concordance_weighted_repaired",
        "says": "The weighted integral is at least `slope/(2 + u)`, with the slope at z1, and at most "
        "`low*either/2`, with that at either end, so at most `high*either`.",
        "steps": f"""{SLOPES}
    u > 0      [meaning]
    => integral((1 - v)*exp(-u*v), v, 0, 1) == (u - 1 + exp(-u))/u**2

    weighted: the integral over the shares v of mu' at that share, with a weight that falls from one to nothing
    slope: mu' at z1; either: mu' at z1 or at z2
    weight: the integral with exp(-u*v) for mu'
    u > 0      [meaning]
    => (exp(-u) - 1 + u)*(2 + u) >= u**2
    => (exp(-u) - 1 + u)/u**2 >= 1/(2 + u)

    u > 0, slope > 0, either > 0                             [assumed: mu' > 0]
    weight >= 1/(2 + u)                                      [above with weight = (exp(-u) - 1 + u)/u**2]
    weighted >= slope*weight                                 [monotone]
    [self_concordance_mean; assumed: |mu''| <= R mu' between z1 and z2]
    => weighted >= slope*(1/(2 + u))

    u >= 0      [meaning]
    => u**2 - u + log(2) > 0

    low: the exponential of u; high: that of its square
    u**2 - u + log(2) > 0      [above]
    low/2 <= high              [monotone]
    either > 0                           [meaning]
    weighted <= low*either/2             [monotone]
    => weighted <= high*either
        """,
        "why": "From below the slope falls from z1 no faster than `exp(-u*v)` does.  From above "
        "the factor is `low` on the whole way, and the weight has the mass of a triangle.",
        "math": r"\frac{\mu'(z_1)}{2 + u} \le \int_0^1 (1 - v) \mu'(z_1 + v (z_2 - z_1)) \, dv \le "
        r"\frac{e^u}{2} \mu'(z), \; u = R_s \lvert z_1 - z_2 \rvert, \; z \in \{z_1, z_2\}",
    },
)

# --- lemma:solve-ineq and lemma:solve-log --------------------------------------------------------------

claim(
    "lemma:solve-ineq",
    "lemma:solve-ineq/eq1",
    id="quadratic_inequality",
    steps="X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)",
)

claim(
    "lemma:solve-log",
    "lemma:solve-log/eq1",
    id="logarithmic_inequality",
    says="`n <= a*log(1 + b*n)` implies `n <= 2*a*log(1 + a*b)`, for all real n that are not negative; neither the "
    "condition on a and b of the lemma nor its third letter is needed.",
    steps="""
    a, b: the factors in the hypothesis; n: any number that satisfies it; c: the product of a and b
    x: the number n in units of a; top: where the bound puts x
    c > 0, x > 0      [meaning]
    => diff(diff(x - log(c*x + 1), x), x) == c**2/(c*x + 1)**2

    c > 0      [meaning]
    => 2*log(1 + c) > log(1 + 2*c*log(1 + c))

    L, M, N: the logarithms of the bound, of the hypothesis at the bound, and of the hypothesis
    a > 0, b > 0, n >= 0                                     [assumed: a, b > 0]
    x == n/a, L == log(1 + a*b), top == 2*L, M == log(1 + a*b*top), N == log(1 + b*n)      [meaning]
    n <= a*N, n <= a*log(1 + b*n)                            [assumed: n <= a log(1 + bn)]
    L > 0, top > M                                           [meaning]
    (x - top)*(top*(x - N) - x*(top - M)) >= 0               [convex-tangent]
    => x <= N    [in a, n, x, N]
    => x <= top  [in L, x, top, N, M]
    => n <= 2*a*L             [in a, n, x, top, L]
    => n <= 2*a*log(1 + a*b)  [in a, b, n, L]
    """,
    why="The convex function that takes x to the difference of x and the logarithm of `1 + c*x` vanishes at nothing, "
    "is positive at the bound, so it is positive beyond.",
)

refuted(
    "lemma:solve-log/eq2",
    id="derivative_in_solve_log",
    says="The derivative of `x/log(b*x + 1)` as printed: the logarithm in the denominator lacks its square.",
    steps="""
    b: coefficient in the logarithm; x: point of differentiation
    L := log(1 + b*x)
    derivative := 1/L - b*x/((1 + b*x)*L**2)
    b > 0, x > 0
    => derivative == (L - b*x/(1 + b*x))/L**1
    fails at b = 1, x = 1

    b > 0, x > 0
    => diff(x/log(b*x + 1), x) == -b*x/((b*x + 1)*log(b*x + 1)**2) + 1/log(b*x + 1)
    """,
    severity="slip",
    consequence="the sign of the derivative, all that is used, does not depend on the missing square",
    carries=("logarithmic_inequality",),
    math=r"\frac{d}{dx} \frac{x}{\log(1 + b x)} = \frac{\log(1 + b x) - \frac{b x}{1 + b x}}{\log(1 + b x)}",
)

claim(
    "technical-lemmas/s3",
    "technical-lemmas/s4",
    id="quotient_by_the_logarithm_increases",
    says="`x/log(b*x + 1)` increases: its derivative is positive, for `log(1 + y) > y/(1 + y)` where `y > 0`.",
    steps="""
    b: coefficient in the logarithm; x: the point; y: the product of b and x
    b > 0, x > 0      [assumed: b > 0; assumed: x > 0; monotone]
    => diff(x/log(b*x + 1), x) == (-b*x/(b*x + 1) + log(b*x + 1))/log(b*x + 1)**2

    y > 0      [meaning]
    => diff(-y/(y + 1) + log(y + 1), y) == y/(y + 1)**2

    y > 0      [meaning]
    => log(1 + y) > y/(1 + y)
    """,
    why="The difference of both sides vanishes where y does, with the derivative `y/(y + 1)**2`, as printed.",
)

claim(
    "lemma:solve-log/eq3",
    id="substitution_in_solve_log",
    says="The value of the quotient at the bound: the printed square stands inside the logarithm.",
    steps="""
    y: the product of a and b
    y >= 0      [assumed: a, b > 0]
    => 2*log(1 + y) <= log((1 + y)**2), 2*log(1 + y) >= log((1 + y)**2)
    """,
    why="Both sides differ only in `2*log(1 + y)` and `log((1 + y)**2)`.",
)

refuted(
    "technical-lemmas/s5",
    id="some_number_satisfies_the_inequality",
    says="If `a*b > 1` some natural number satisfies `n <= a*log(1 + b*n)`: small real numbers do, natural ones "
    "need not.",
    steps="""
    a: factor of the logarithm; b: coefficient in the logarithm; n: natural number
    x: a real number, natural or not
    a > 0, b == 1, a*b > 1, n >= 1
    => n <= a*log(1 + b*n)
    fails at a = 11/10, b = 1, n = 1

    x >= 1
    => x - 11/10*log(1 + x) > 0
    """,
    why="At `a = 11/10` and `b = 1` the first natural number fails, and the difference `x - 11/10*log(1 + x)` is "
    "positive from there.",
    severity="slip",
    consequence="the lemma bounds every such n and does not need one to exist",
    math=r"a b > 1 \Longrightarrow n \le a \log(1 + b n) \text{ for some } n \in \{1, 2, \dots\}",
)

claim(
    "technical-lemmas/s8",
    "technical-lemmas/s9",
    id="last_step_of_solve_log",
    steps="""
    a, b: the factors of the lemma; x: the product of a and b
    x > 0 => 1 + x/2 > log(1 + x), 2*x + x**2 > 2*x*log(1 + x)
    """,
    why="By the second inequality the square of one "
    "plus x is larger than the argument of the logarithm, so the quotient of the display exceeds the "
    "factor of its numerator.",
)

# --- the self-bounding inequality --------------------------------------------------------------------

claim(
    "eqn:self-bounding",
    "sec:proof-sketch/eq6",
    id="self_bounding_inequality",
    says="If the square of each error is at most `B**2 + K*M` then every error is at most `B + K`.",
    steps="""
    M: the largest error so far; B: the radius beta_t; K: the factor of the corruption
    X: the first error; X_new: the error of a round
    always K >= 0, B >= 0                                                    [meaning]
    first X >= 0, M == X, X**2 <= B**2 + K*M                                 [assumed: X_t >= 0]
    then X_new >= 0, M_next == max(M, X_new)                                 [meaning]
    then B_next >= B                                                         [assumed: beta_t >= 0 does not decrease]
    then X_new**2 <= B_next**2 + K*M_next       [assumed: X_t^2 <= beta_t^2 + K max_{s <= t} X_s]
    [quadratic_inequality]
    => M <= B + K
    """,
)
