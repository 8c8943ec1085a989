"""lemma:inverse-regret: the error of the iterates is bounded by what the true parameter loses against them.

The loss of a round depends on theta through z = <x_s, theta> alone, so all its gradients are multiples of
x_s; squared norms enter as plain numbers.
"""

from __future__ import annotations

from glbcheck.core.theory import constants
from glbcheck.verify.claims.declare import claim, refuted
from glbcheck.verify.writing import text_of

from ..premises import SETTING
from ..quantities import lam

LEMMA = (
    "lemma:inverse-regret/eq1",
    "lemma:inverse-regret/eq2",
    "lemma:inverse-regret/eq13",
    "lemma:inverse-regret/eq14",
)

# --- lemma:inverse-regret as printed --------------------------------------------------------------------

# One round with d = x = g = 1, theta_1 = 0 and m = z^2/2, so that R_s = 0 and eta = L_mu = 1.
GAUSSIAN_ROUND = """
    lam: the regularisation; S: the bound on the parameter; alpha: the scale of the weights
    reward: the reward of the round; target: the true parameter; step: the parameter after the round
    norm: its error in H_2; at_step, at_target: the losses there
    step := reward/(1 + lam)
    norm := sqrt(lam + 1)*abs(step - target)
    at_step := step**2/2 - reward*step
    at_target := target**2/2 - reward*target
    lam > 0, S > 0, abs(target) <= S, abs(step) <= S, alpha*sqrt(lam) >= 1
"""

refuted(
    "lemma:inverse-regret",
    *LEMMA,
    id="inverse_regret_as_printed",
    says="The error is bounded by the losses at the iterates minus those at the true parameter: the difference is "
    "reversed.",
    steps=f"""{SETTING}{GAUSSIAN_ROUND}    => norm <= 2*(at_step - at_target) + 4*lam*S**2 - 2/3*lam*step**2
    fails at lam = 3, S = 1, target = -1, reward = 4, alpha = 1
    """,
    why="The derivation (lemma:inverse-regret/eq12) has it the other way round.",
    severity="slip",
    consequence="app:proof-cs/eq1 and eqn:OMD use the bound with the right sign and the square",
    carries=("inverse_regret_as_used", "omd_error_bound"),
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}} \le 2 \eta \sum_s \left( \tilde{\ell}_s(\theta_{s+1}) "
    r"- \tilde{\ell}_s(\theta_\star) \right) + 4 \lambda S^2 - \tfrac{2}{3} \sum_s \lVert \theta_{s+1} - \theta_s "
    r"\rVert_{H_s}^2",
    repaired={
        "id": "inverse_regret",
        "says": "The squared error X2 is at most `-2*eta*fall + 4*lam*S**2 - (1 - 2*eta*rho)*V`, so at most "
        "`-2*eta*fall + 4*lam*S**2 - 2/3*V`.",
        "steps": f"""{SETTING}
    X2: the squared error after the last round, in its Hessian; fall: losses at the iterates minus those at theta_*
    V: the sum of the squared moves; e: the distance of theta_1 and theta_*; d: the dimension; eta: the rate
    R_s: the constant of self-concordance; L_mu: the largest slope of mu; rho: what a round spends of its move
    lam > 0, S > 0, e >= 0, eta >= 1             [meaning]
    e <= 2*S                                     [triangle]
    => lam*e**2 <= 4*lam*S**2
    fall <= (lam*e**2 - X2 - V)/(2*eta) + rho*V  [regret_of_all_rounds]
    => X2 <= -2*eta*fall + 4*lam*S**2 - (1 - 2*eta*rho)*V

    d >= 1, eta >= 1, alpha > 0, R_s >= 0, S > 0, L_mu > 0      [meaning]
    lam >= {lam()}                                              [theorem:confidence-sequence]
    => 2*eta*(alpha*R_s*S*L_mu/sqrt(lam)) <= 1/3

    2*eta*rho <= 1/3      [above with rho = alpha*R_s*S*L_mu/sqrt(lam)]
    V >= 0                [meaning]
    X2 <= -2*eta*fall + 4*lam*S**2 - (1 - 2*eta*rho)*V      [above]
    => X2 <= -2*eta*fall + 4*lam*S**2 - 2/3*V
        """,
        "math": r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}}^2 \le 2 \eta \sum_s \left( "
        r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + 4 \lambda S^2 - (1 - 2 \eta \rho) "
        r"\sum_s \lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2, \; \rho = \frac{\alpha R_s S L_\mu}{\sqrt{\lambda}}",
    },
)

refuted(
    *LEMMA,
    id="inverse_regret_without_the_square",
    says="With the sign corrected and the norm still not squared, the bound fails for small errors.",
    steps=f"""{SETTING}{GAUSSIAN_ROUND}    => norm <= 2*(at_target - at_step) + 4*lam*S**2 - 2/3*lam*step**2
    fails at lam = 3, S = 1/8, target = 1/8, reward = -1/2, alpha = 1

    [assumed: the sign of the loss difference corrected]
    """,
    severity="slip",
    consequence="the norm on the left needs its square, which app:proof-cs/eq1 has",
    carries=("inverse_regret_as_used", "omd_error_bound"),
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}} \le 2 \eta \sum_s \left( \tilde{\ell}_s(\theta_\star) "
    r"- \tilde{\ell}_s(\theta_{s+1}) \right) + 4 \lambda S^2 - \tfrac{2}{3} \sum_s \lVert \theta_{s+1} - \theta_s "
    r"\rVert_{H_s}^2",
)

# --- lemma:inverse-regret, step by step -----------------------------------------------------------------

claim(
    "lemma:inverse-regret/eq3",
    id="loss_difference",
    says="The loss at the new parameter minus that at the true one is `w/g*(m_1(b) - r)*(b - c) - w/g*q*(b - c)**2`.",
    steps="""
    m: function, the log-partition function
    b, c: <x_s, theta_{s+1}> and <x_s, theta_*>; w: the weight; g: the dispersion; r: the observed reward
    q: the integral over the shares v of the way, without the square
    => m(c) == m(b) + m_1(b)*(c - b) + integral((1 - v)*m_2(b + v*(c - b))*(c - b)**2, v, 0, 1)

    g > 0      [meaning]
    => w/g*(m(b) - r*b) - w/g*(m(b) + m_1(b)*(c - b) + q*(c - b)**2 - r*c) \
== w/g*(m_1(b) - r)*(b - c) - w/g*q*(b - c)**2
    [taylor; assumed: m twice continuously differentiable]
    """,
)

claim(
    "lemma:inverse-regret/eq4",
    "lemma:inverse-regret/eq5",
    id="curvature_of_the_loss",
    says="The weighted integral q of mu' is at least `slope/(2 + 2*R*S)`, with the slope at the new parameter.",
    steps=f"""{SETTING}
    mu: function, the mean of a reward
    R: the constant R_s; x: a point of the interval; S: the bound on the parameter
    R > 0, x > 0      [meaning]
    => diff(exp(R*x)*mu_1(x), x) == (R*mu_1(x) + mu_2(x))*exp(R*x), \
diff(exp(-R*x)*mu_1(x), x) == (-R*mu_1(x) + mu_2(x))*exp(-R*x)

    gap: the distance of <x_s, theta_(s+1)> and <x_s, theta_*>; u: R times it; v: the share of the way
    u > 0      [meaning]
    => integral((1 - v)*exp(-u*v), v, 0, 1) == (u - 1 + exp(-u))/u**2

    u >= 0      [meaning]
    => (exp(-u) - 1 + u)*(2 + u) >= u**2

    u > 0                                        [meaning]
    (exp(-u) - 1 + u)*(2 + u) >= u**2            [above]
    => (exp(-u) - 1 + u)/u**2 >= 1/(2 + u)

    slope: mu' at <x_s, theta_(s+1)>; weight: the integral with exp(-u*v) for mu'
    slope >= 0, R >= 0, S > 0, gap >= 0, gap <= 2*S, u == R*gap      [meaning]
    weight >= 1/(2 + u)                                              [above with weight = (exp(-u) - 1 + u)/u**2]
    q >= slope*weight                                                [monotone]
    => q >= slope/(2 + u)       [in q, slope, weight, u]
    => q >= slope/(2 + 2*R*S)
    [loss_difference]
    """,
    why="Our proof, since lemma:self-concordance is false at one of its ends: from the end of the new parameter the "
    "slope falls no faster than `exp(-u*v)` does.  The segment stays in the convex Theta.  Both matrices of eq4 are "
    "multiples of one, so their order is that of the factors.",
)

claim(
    "lemma:inverse-regret/eq6",
    "lemma:inverse-regret/eq7",
    "lemma:inverse-regret/eq8",
    id="cubic_remainder",
    says="The gradient of the loss minus that of its quadratic model, times the error, is at most "
    "`alpha*R_s*S*L_mu/root*h`.",
    steps=f"""{SETTING}
    mu: function, the mean of a reward
    a, b, c: <x_s, theta> at theta_s, theta_(s+1) and theta_*; z: any such value; r: the reward; v: a share of the way
    w: the weight; g: the dispersion; k: the remainder of mu between a and b; y, e: b - a and b - c
    g > 0      [meaning]
    => diff(w/g*(mu(a) - r)*(z - a) + w/g*mu_1(a)*(z - a)**2/2, z) == w/g*(mu(a) - r) + w/g*mu_1(a)*(z - a), \
(w/g*(mu(b) - r) - w/g*(mu(a) - r) - w/g*mu_1(a)*(b - a))*(b - c) == w/g*(b - c)*(mu(b) - mu(a) - mu_1(a)*(b - a))

    => mu(b) == mu(a) + mu_1(a)*(b - a) + integral((1 - v)*mu_2(a + v*(b - a))*(b - a)**2, v, 0, 1), \
integral(1 - v, v, 0, 1) == 1/2

    R_s: the constant of self-concordance; L_mu: the largest slope; S: the bound on the parameter
    n: the norm of x_s in the inverse of H_s; h: the squared move in H_s; alpha: the scale of the weights
    root: the square root of lambda
    S > 0, bound >= 0                    [meaning]
    abs(e) <= 2*S, abs(k) <= bound/2     [taylor]
    => e*k <= S*bound

    w > 0, g > 0, alpha > 0, root > 0, n >= 0      [meaning]
    w*n <= alpha*g                                 [assumed: w_s |x_s| <= alpha g_s in H_s^-1]
    n*root <= 1                                    [loewner-order; assumed: H_s >= lambda I]
    => w*n**2/g <= alpha/root

    bound: R_s L_mu times the square of y
    w > 0, g > 0, h >= 0, R_s >= 0, L_mu > 0, S > 0, bound == R_s*L_mu*y**2     [meaning]
    y**2 <= n**2*h          [cauchy-schwarz with p = y, u = n**2, v = h]
    e*k <= S*bound, w*n**2/g <= alpha/root                                      [above]
    => w/g*(e*k) <= R_s*L_mu*S*(w*n**2/g*h)
    => w/g*(e*k) <= alpha*R_s*S*L_mu/root*h
    """,
    why="eq6 adds and subtracts, and the reward cancels in eq7.",
)

claim(
    "lemma:inverse-regret/eq9",
    "lemma:inverse-regret/eq10",
    "lemma:inverse-regret/eq11",
    id="regret_of_one_round",
    says="The loss at the new parameter minus that at the true one is at most `(A - (A1 + B) - h)/(2*eta) + rest`.",
    steps=f"""{SETTING}
    A, A1: the squared errors of theta_s and theta_(s+1) in H_s; h: the squared move in H_s; R_s, S, eta: of the setting
    vw: the product in H_s of the move and the way from theta_(s+1) to theta_*
    => 2 + 2*R_s*S == 2*({text_of(constants.eta, "R_s", "S")})

    linear: the gradient of the quadratic model at theta_(s+1) times the error; B: the squared error in what is new in
        the next Hessian; fall: the loss difference; cubic: the cubic remainder; rest: its bound
    eta >= 1, h >= 0, A1 >= 0, B >= 0      [meaning]
    A == h + 2*vw + A1                     [meaning]
    vw/eta - linear >= 0                   [convex-minimum]
    => A1 <= -2*eta*linear + A - h
    fall <= cubic + linear - B/(2*eta), cubic <= rest      [meaning]
    => fall <= (A - (A1 + B) - h)/(2*eta) + rest
    [curvature_of_the_loss; cubic_remainder]
    """,
    why="Our proof of eq9, since lemma:update-rule does not ask for a point of Theta, where the true parameter lies.  "
    "The curvature that eq5 subtracts completes the old Hessian to the new one.",
)

claim(
    "lemma:inverse-regret/eq12",
    id="regret_of_all_rounds",
    says="The losses at the iterates minus those at the true parameter are at most `(B - X2 - V)/(2*eta) + rho*V`.",
    steps=f"""{SETTING}
    X2: the squared error; B: it at first; V: the sum of the squared moves; fall: that of the loss differences
    k, h: of a round the loss difference, the squared move; eta: the rate; rho: the factor of the remainder
    always eta >= 1                                       [meaning]
    first X2 == B, fall == 0, V == 0                      [meaning]
    then h >= 0, fall_next == fall + k, V_next == V + h   [meaning]
    then k <= (X2 - X2_next - h)/(2*eta) + rho*h          [lemma:inverse-regret/eq11]
    => fall <= (B - X2 - V)/(2*eta) + rho*V
    [regret_of_one_round]
    """,
)
