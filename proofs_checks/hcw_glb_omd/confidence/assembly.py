"""app:proof-cs: from the four lemmas to the confidence sequence, every constant recomputed."""

from __future__ import annotations

from glbcheck.verify.claims.declare import claim, refuted
from glbcheck.verify.writing import definition, structural

from ..quantities import GROWTH_RATE, MIXTURE_COST, MIXTURE_LAM, SPREAD, WEIGHT, WIDENING, beta_squared, lam
from ..unprinted import BUDGET, FIXED_BUDGET, GROWTH, NORMALISED

structural(
    "app:proof-cs", reason="heading of the proof; each of its displays is claimed below or with the lemma that it uses"
)
definition(
    "app:proof-cs/eq11", reason="the event that the bound of app:proof-cs/eq9 holds for all t; see `event_is_likely`"
)

LOSSES = """
    m: function, the log-partition function
    z1, z2: <x, theta_1> and <x, theta_2>; r: the reward without corruption; c: the corruption
    w: the weight of the round; g: its dispersion
"""

# --- the corruption is separated ------------------------------------------------------------------------

claim(
    "app:proof-cs/eq2",
    id="corruption_in_the_losses",
    steps=f"""{LOSSES}
    g > 0
    => w/g*(m(z1) - (r + c)*z1) - w/g*(m(z2) - (r + c)*z2) \
== w/g*(m(z1) - r*z1) - w/g*(m(z2) - r*z2) + w/g*c*(z2 - z1)
    """,
    why="The observed reward is `r + c`, and m cancels from the corruption.",
)

refuted(
    "eq:inverse-regret-expansion",
    id="expansion_as_printed",
    says="The expansion of the inverse regret is printed with the corruption term `w*c*(star - new)`.",
    steps="""
    S: the bound on the parameter; C: the budget; r: the reward without corruption; c: the corruption of the round
    star: the true parameter; new: the parameter after one round; w: the weight of the round
    seen := r + c
    lam := 1/(4*S**2)
    alpha := 1/max(C, 1)
    w := min(1, alpha*sqrt(lam))
    new := w*seen/(w + lam)
    at_star := star**2/2
    at_new := new**2/2
    S > 0, abs(star) <= S, abs(new) <= S, abs(c) <= C      [assumed: the observed reward is r_s + c_s]
    => w*(at_star - seen*star - at_new + seen*new) == w*(at_star - r*star - at_new + r*new) + w*c*(star - new)
    fails at S = 1, C = 1, r = 0, c = 1, star = -1
    """,
    why="This contradicts app:proof-cs/eq2 with the true parameter for the first and the new one for the second: one "
    "round of Gaussian rewards in one dimension already differs.",
    severity="slip",
    consequence="eq:estimation-error and all that follows have the right sign, theta_{s+1} - theta_*",
    carries=("estimation_error",),
    coq="HCW.Refutations.printed_expansion_false",
    math=r"\sum_s \left( \tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) = Y_t + Z_t + \sum_s "
    r"\frac{w_s c_s}{g_s} \langle x_s, \theta_\star - \theta_{s+1} \rangle",
    repaired={
        "id": "inverse_regret_expansion",
        "says": "In each round the corruption adds `w/g*c*(z2 - z1)` to the inverse regret, of which the rest is what "
        "the rounds of Y and of Z have.",
        "steps": f"""{LOSSES}
    Y, Z: the sums of the differences to the mix losses; star, mix, new: the losses at the parameters and the mix loss
    g > 0      [meaning; assumed: the observed reward is r_s + c_s]
    [corruption_in_the_losses]
    => w/g*(m(z1) - (r + c)*z1) - w/g*(m(z2) - (r + c)*z2) \
== w/g*(m(z1) - r*z1) - w/g*(m(z2) - r*z2) + w/g*c*(z2 - z1)

    => w*star - w*new == (w*star - w*mix) + (w*mix - w*new)
    """,
        "math": r"\sum_s \left( \tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) = Y_t + Z_t + "
        r"\sum_s \frac{w_s c_s}{g_s} \langle x_s, \theta_{s+1} - \theta_\star \rangle",
    },
)

# --- the constants ----------------------------------------------------------------------------------------

claim(
    "eq:term-b",
    id="lambda_of_the_theorem_suffices",
    says=f"The regularisation `lam >= {lam()}` of the theorem implies the condition `lam >= {MIXTURE_LAM}` of "
    "lemma:mixture-ineq.",
    steps=f"""
    d: the dimension; eta: the rate; R_s: the constant of self-concordance; S: the bound on the parameter
    alpha: the scale of the weights; L_mu: the largest slope of mu; gamma: the spread of the mixture
    lam: the regularisation
    d >= 1, eta >= 1, R_s >= 0, S > 0, alpha > 0, L_mu > 0      [meaning]
    gamma == {SPREAD}                                           [assumed: gamma = 3 eta/2]
    lam >= {lam()}                                              [theorem:confidence-sequence]
    => lam >= {MIXTURE_LAM}
    """,
)

claim(
    "eq:estimation-error",
    "app:proof-cs/eq9",
    id="estimation_error",
    says=f"The squared error X2 is at most `{beta_squared()} + 2*eta*K`.",
    steps=f"""{LOSSES}
    X2: the squared error after the round, in the new Hessian; Y, Z: the two terms of the inverse regret
    K: the corruption term; V: the sum of the squared moves; D: the logarithm of the ratio of the determinants
    eta: the rate; gamma: the spread of the mixture; lam: the regularisation; S: the bound on the parameter
    ld: the logarithm of 1/delta
    g > 0      [meaning]
    [corruption_in_the_losses]
    => w/g*(m(z1) - (r + c)*z1) - w/g*(m(z2) - (r + c)*z2) \
== w/g*(m(z1) - r*z1) - w/g*(m(z2) - r*z2) + w/g*c*(z2 - z1)

    eta >= 1, gamma > 0, V >= 0, D >= 0                            [meaning]
    X2 <= 2*eta*(Y + Z + K) + 4*lam*S**2 - 2/3*V                   [app:proof-cs/eq1]
    Y <= ld, Z <= V/(2*gamma) + ({MIXTURE_COST})*D                 [eq:term-a; eq:term-b]
    [inverse_regret_as_used; lambda_of_the_theorem_suffices; determinant_bound]
    [assumed: eq:term-a, eq:term-b and app:proof-cs/eq1]
    => X2 <= 2*eta*ld + (4*gamma + 1)*eta*D + 4*lam*S**2 + eta/gamma*V - 2/3*V + 2*eta*K
    gamma == {SPREAD}      [assumed: gamma = 3 eta/2, B = 4 lambda S^2, ld = log(1/delta)]
    => X2 <= {beta_squared()} + 2*eta*K      [in X2, eta, gamma, D, lam, S, ld, V, K]
    """,
    why="The substitution alone: what the two bounds need is said where they are decided.  The expansion is not the "
    "printed one but that with the right sign.  The sum of the theorem, one round shorter, makes the same sequence.",
)

claim(
    "app:proof-cs/eq7",
    "app:proof-cs/eq8",
    id="determinant_bound",
    says=f"Every eigenvalue of the Hessian, in units of lam, is at most `1 + ({GROWTH_RATE})*s`, so the determinant, a "
    "product of d of them, is bounded as printed.",
    steps=f"""
    w: the weight; slope: mu' at the new parameter; p: the squared product of the arm and a unit vector v
    L_mu: the largest slope of mu; s: the sum of the inverse dispersions; lam: the regularisation
    e: the quadratic form of the Hessian at v; ginv, k: what a round adds; d: the dimension
    w > 0, w <= 1         [assumed: 0 < w_s <= 1]
    slope >= 0, slope <= L_mu      [assumed: 0 <= mu' <= L_mu between -S and S; assumed: theta_{{s+1}} in Theta]
    p >= 0, p <= 1        [assumed: |x_s| <= 1]
    => w*slope*p <= L_mu

    always L_mu > 0, lam > 0      [meaning]
    first e == lam, s == 0        [meaning]
    then ginv > 0, k >= 0, k <= L_mu, e_next == e + k*ginv, s_next == s + ginv      [meaning; spectrum]
    => e <= lam + L_mu*s

    lam > 0, d > 0                [meaning]
    => (lam + L_mu*s)/lam == 1 + ({GROWTH_RATE})*s
    """,
)

# --- the corruption term ------------------------------------------------------------------------------

claim(
    "app:proof-cs/eq10",
    id="corruption_term",
    says="The corruption term K is at most `alpha*C*X`, with the largest error X so far.",
    steps=f"""
    n: the norm of x_s in the inverse of H_s; e: the product of x_s and the error of theta_(s+1)
    old: the norm of that error in H_s; error: in H_(s+1); w: the weight; g: the dispersion
    alpha: the scale of the weights; C: the budget; c: the corruption of the round; K: the corruption term
    A: alpha times the budget spent; X: the largest error so far
    b, k, X_new: of a round the budget, the summand, the error
    alpha > 0, g > 0, n >= 0        [meaning]
    w == {WEIGHT}                   [assumed: w_s |x_s| <= alpha g_s in H_s^-1]
    => w*n <= alpha*g

    n >= 0, old >= 0                [meaning]
    error >= old                    [loewner-order; assumed: H_s <= H_(s+1)]
    e**2 <= n**2*old**2             [cauchy-schwarz]
    => abs(e) <= n*error

    w > 0, g > 0, n >= 0, error >= 0, alpha > 0         [meaning]
    w*n <= alpha*g, abs(e) <= n*error                   [above]
    => w/g*abs(e) <= alpha*error
    => w/g*c*e <= abs(c)*alpha*error

    always A >= 0, X >= 0        [meaning]
    first K == 0, A == 0         [meaning]
    then b >= 0, k <= b*X_new, X_new >= 0, K_next == K + k, A_next == A + b, X_next == max(X, X_new)      [meaning]
    => K <= A*X

    K <= A*X                     [above]
    A <= alpha*C                 [assumed: sum of |c_s| <= C]
    X >= 0                       [meaning]
    => K <= alpha*C*X
    """,
    why="For an arm of length zero the weight is one and the summand vanishes.",
)

# --- the event and the radius -------------------------------------------------------------------------

claim(
    "app:proof-cs/eq11",
    id="event_is_likely",
    says="The event has a probability p of at least `1 - delta`.",
    steps=f"""
    lam: the regularisation; S: the bound on the parameter; eta: the rate; ld: the logarithm of 1/delta
    e: the distance of the first parameter and the true one; delta: the level
    p: the probability of the event; q: the probability of the event of eq:term-a
    lam > 0, S > 0, eta >= 1, ld >= 0, e >= 0           [meaning]
    e <= 2*S                                            [triangle; assumed: theta_1, theta_* in Theta]
    => lam*e**2 <= {beta_squared(D="0")}

    delta > 0, delta <= 1      [assumed: 0 < delta <= 1]
    q >= 1 - delta             [eq:term-a; assumed: {NORMALISED}; assumed: {GROWTH}; assumed: {BUDGET}]
    p >= q                     [meaning]
    [estimation_error; mixture_confidence; mixture_bound; order_of_play]
    => p >= 1 - delta
    """,
    reading="repaired",
    discharges=FIXED_BUDGET,
    math=r"\mathbb{P}(E_\delta) \ge 1 - \delta",
    why="It contains the event of eq:term-a: after the first round by estimation_error, as mixture_bound gives "
    "eq:term-b with room, and in the first round, which the derivation does not reach, by the bound on the distance.",
)

claim(
    "app:proof-cs/eq12",
    "app:proof-cs/eq13",
    "app:proof-cs/eq14",
    id="radius_of_the_theorem",
    says=f"On the event the error of a round is at most `bt + {WIDENING}`.",
    steps=f"""
    u: a term of the sum in beta_t; Xz: the largest error so far; Xt: the error of the round
    bz, bt: the radii beta there; eta: the rate; alpha: the scale of the weights; C: the budget
    u >= 0      [meaning]
    => log(1 + u) >= 0

    Xz >= 0, Xt >= 0, Xt <= Xz, bz >= 0, bt >= bz, eta >= 1, alpha > 0, C >= 0      [meaning]
    Xz**2 <= bz**2 + 2*eta*(alpha*C*Xz)      [assumed: the event E_delta]
    [corruption_term; quadratic_inequality; self_bounding_inequality]
    => Xt <= bt + {WIDENING}
    """,
    why="The corruption term of the round bounds by the largest error so far, and at the round where that is reached "
    "it bounds itself; the radii do not decrease, as each round adds a logarithm that is not negative.",
)
