"""Appendix C, the leading term: from S_0 to the slopes at the best arms."""

from __future__ import annotations

from glbcheck.verify.claims.declare import claim, refuted

claim(
    "lemma:decomposition/eq2",
    id="leading_sum_by_cauchy_schwarz",
    says="The sum S0 is at most `sqrt(A)*sqrt(B)`, and at most `sqrt(A_all)*sqrt(B_all)`.",
    steps="""
    g: the dispersion of a round; w: its weight; a: its slope at theta_*; b: that at theta_(t+1)
    n: the norm of its arm in the inverse of H_t; S0: the sum S_0
    A, B: the sums of the squares of both factors over the rounds of S_0; A_all, B_all: over all rounds
    g > 0, a >= 0, b >= 0, n >= 0      [assumed: g > 0, a, b, n >= 0]
    w == 1                             [assumed: w_t = 1 on the rounds of S_0]
    => sqrt(a*b)*n == sqrt(g*a)*(sqrt(w*b/g)*n)

    S0 >= 0, A >= 0, B >= 0, A_all >= A, B_all >= B      [meaning]
    S0**2 <= A*B                                         [cauchy-schwarz]
    => S0 <= sqrt(A)*sqrt(B)
    => S0 <= sqrt(A_all)*sqrt(B_all)
    """,
)

refuted(
    "lemma:decomposition/eq3",
    id="slope_at_the_pulled_arm",
    says="The second line pairs the bound on the second derivative with `mean0 - mean1`, which is not positive: "
    "`slope0 <= slope1 + R*(mean0 - mean1)` is false for the logistic link.",
    steps="""
    z: <x_t, theta_*>; y: the best value of the round; S: the bound on the parameter; R: R_s of the logistic link
    R := tanh(S/2)
    slope0 := exp(-z)/(1 + exp(-z))**2
    slope1 := exp(-y)/(1 + exp(-y))**2
    mean0 := 1/(1 + exp(-z))
    mean1 := 1/(1 + exp(-y))
    S > 0, abs(z) <= S, abs(y) <= S, slope0 >= slope1      [assumed: |mu''| <= R_s mu']
    z <= y                                                 [assumed: z <= z*]
    => slope0 <= slope1 + R*(mean0 - mean1)
    fails at z = 0, y = 1, S = 1
    """,
    severity="slip",
    consequence="the last line, the only one used, has the right sign",
    carries=("variance_along_the_run",),
    math=r"\mu'(z) \le \mu'(z_\star) + R_s (z - z_\star) \int_0^1 \mu'(z_\star + v (z - z_\star)) \, dv \text{ for } "
    r"z \le z_\star",
    repaired={
        "id": "slope_at_the_pulled_arm_repaired",
        "says": "`a <= best + R*(mean_best - mean)`, as the sum of mu' and R times mu does not decrease.",
        "steps": """
    mu: function, the mean of a reward; x: a point between z and the best value; slope, bend: mu' and mu'' there
    => diff(R*mu(x) + mu_1(x), x) == R*mu_1(x) + mu_2(x)

    abs(bend) <= R*slope      [assumed: |mu''| <= R_s mu' between z and z*]
    => R*slope + bend >= 0

    a, mean: mu' and mu at z; best, mean_best: at the best value
    R*mean + a <= R*mean_best + best      [monotone]
    => a <= best + R*(mean_best - mean)
        """,
        "why": "The constant is the best possible: mu may be minus the exponential function of minus R times z.",
        "math": r"\mu'(z) \le \mu'(z_\star) + R_s \left( \mu(z_\star) - \mu(z) \right) \text{ for } z \le z_\star",
    },
)

claim(
    "lemma:decomposition/eq4",
    id="variance_along_the_run",
    says="The sum A over the pulled arms is at most `B + G*R*Reg`, where B is the sum at the best arms.",
    steps="""
    mu: function, the mean of a reward; x: a value <x, theta>; slope, bend: mu' and mu'' there
    R: the constant of self-concordance; G: the largest dispersion; Reg: the regret
    A, B: the sums of g mu' at the pulled arms and at the best ones
    g: the dispersion of a round; a, best: mu' at the pulled arm and at the best one; D: the regret of the round
    => diff(R*mu(x) + mu_1(x), x) == R*mu_1(x) + mu_2(x)

    abs(bend) <= R*slope      [assumed: |mu''| <= R_s mu' between -S and S]
    => R*slope + bend >= 0

    always R >= 0, G >= 0           [meaning]
    first A == 0, B == 0, Reg == 0      [meaning]
    then g > 0, g <= G              [assumed: 0 < g_t <= g_max]
    then D >= 0                     [assumed: the regret of a round is >= 0]
    then a <= best + R*D            [monotone]
    then A_next == A + g*a, B_next == B + g*best, Reg_next == Reg + D      [meaning]
    => A <= B + G*R*Reg
    """,
)

# --- the index without Theta ---------------------------------------------------------------------------

claim(
    "sec:regret-decompostion-proof/eq7",
    id="only_term_b_needs_theta",
    says="Without Theta in the index the bound on the second-order term is lost, for Poisson rewards at every "
    "optimistic value `o >= 4`.",
    steps="""
    o: the optimistic value, where S and the value of the pulled arm are one
    o >= 4      [assumed: theta~_t maximises over the ellipsoid alone, so possibly outside Theta]
    [second_order_term]
    => exp(o) - exp(1) - exp(1)*(o - 1) > exp(1)*(o - 1)**2
    """,
    why="Optimism and the first-order term do not need the index in Theta; the second does, for links whose constants "
    "grow outside of the ball.  For a linear link it vanishes and for the logistic link the constants are global; for "
    "all links decomposition_sharp avoids the step.",
    reading="repaired",
)
