"""The confidence sequence of the learner with the sharpest constants: what its search may choose, and why.

Self-concordance enters the proof in two places.  lemma:inverse-regret looks at [-S, S] alone, so that eta = 1 + R S
with the local constant R, and the largest |mu''| there, called bend, pays for the cubic remainder.  Only
lemma:mixture-ineq looks at the whole line, with R_s.  The coefficient that it costs is a function of lambda.
"""

from __future__ import annotations

from glbcheck.core.theory import sharpest
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.writing import text_of

from ..premises import LOCAL, ROUNDS
from ..unprinted import BUDGET, FIXED_BUDGET, GROWTH, NORMALISED

C = text_of(sharpest.mixture_excess, "a")
EPS = text_of(sharpest.moves_spent, "eta", "S", "bend", "alpha", "lam", "g_min")

claim(
    "lemma:mixture-ineq",
    id="mixture_bound_by_reach",
    says="A round costs at most `loss + move/(2*gamma) + c*gamma/2*A`, with c a polynomial in the reach.",
    steps=f"""{ROUNDS}
    a: the reach R_s sqrt(gamma/lambda), or less; c: the coefficient; gamma: the spread of the mixture
    a >= 0, a <= 1      [assumed: lambda >= gamma R_s^2]
    => exp(a**2/2)*(1 + erf(a/sqrt(2))) - 1 - a*sqrt(2)/sqrt(pi) <= ({C})*a**2/2

    gamma >= 1, a >= 0, c == {C}      [assumed: gamma >= 1]
    => c >= 1      [in a, c]
    => max(c*gamma, 1) == c*gamma      [in gamma, c]
    mix, loss, move: the mix loss, the loss at the new parameter, the squared move; A: the logarithm of the determinants
    G: gamma times twice the mean excess over the square of a
    mix <= loss + move/(2*gamma) + max(G, 1)/2*A, A >= 0      [lemma:mixture-ineq]
    G <= c*gamma                                              [meaning]
    => mix <= loss + move/(2*gamma) + max(c*gamma, 1)/2*A      [in mix, loss, move, gamma, G, A, c]
    => mix <= loss + move/(2*gamma) + c*gamma/2*A      [in mix, loss, move, gamma, A, c]
    [mixture_bound; mixture_bound_for_the_linear_link; assumed: {GROWTH}]
    """,
    why="The argument is that of mixture_bound, and the polynomial increases.  For the linear link it is sharp.",
    expected="certified",
    reading="repaired",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{c \gamma}{2} \log \frac{\det H_{t+1}}{\det H_1}, \; c = 1 + \tfrac{8}{15} a + "
    r"\tfrac{21}{50} a^2, \; a = R_s \sqrt{\gamma / \lambda}",
)

claim(
    "lemma:inverse-regret",
    id="inverse_regret_by_bend",
    says="The squared error X2 is at most `-2*eta*fall + lam*(S + n1)**2 - (1 - eps)*V`, with the share eps that "
    "lam allows, and bend in place of the product of two constants.",
    steps=f"""{LOCAL}
    mu: function, the mean of a reward
    a, b: <x_s, theta> at theta_s and theta_(s+1); v: the share of the way; e: the error there; k: the remainder of mu
    => mu(b) == mu(a) + mu_1(a)*(b - a) + integral((1 - v)*mu_2(a + v*(b - a))*(b - a)**2, v, 0, 1), \
integral(1 - v, v, 0, 1) == 1/2

    S: the bound on the parameter; rest: bend times the square of b - a
    S > 0, rest >= 0                   [meaning]
    abs(e) <= 2*S, abs(k) <= rest/2    [taylor]
    => e*k <= S*rest

    w, g: weight and dispersion; g_min: the least dispersion; n: the norm of x_s in the inverse of H_s
    alpha: the scale of the weights; lam: the regularisation; root: its square root
    g_min > 0, g >= g_min, alpha > 0, lam > 0, root > 0, root**2 == lam      [assumed: g_s >= g_min > 0]
    n >= 0, n*root <= 1                                                      [loewner-order]
    w > 0, w <= 1, w*n <= alpha*g                                            [assumed: w_s = min(1, alpha g_s/n_s)]
    => (w/g)*n**2 <= alpha/root, (w/g)*n**2 <= 1/(lam*g_min)

    eta: the rate; bend: the largest slope of mu'; used: (w/g) n^2; eps: the share of the moves that is spent
    eta >= 1, S > 0, bend >= 0, alpha > 0, lam > 0, g_min > 0, used >= 0      [meaning]
    root == sqrt(lam)                [meaning]
    used <= alpha/root               [above with used = (w/g)*n**2]
    used <= 1/(lam*g_min)            [above with used = (w/g)*n**2]
    => 2*eta*S*bend*used <= {EPS}

    X2: the squared error after the last round; fall: losses at the iterates minus those at theta_*
    V: the sum of the squared moves; spent: what the rounds spend of it; n1: the length of theta_1; start: its
        distance from theta_*
    lam > 0, S > 0, n1 >= 0, start >= 0                         [meaning]
    start <= S + n1                                             [triangle]
    => lam*start**2 <= lam*(S + n1)**2

    X2 <= -2*eta*fall + lam*start**2 - (1 - spent)*V, V >= 0    [lemma:inverse-regret/eq12]
    [cauchy-schwarz]
    spent <= eps                                            [meaning]
    lam*start**2 <= lam*(S + n1)**2                             [above]
    => X2 <= -2*eta*fall + lam*(S + n1)**2 - (1 - eps)*V
    [regret_of_all_rounds; inverse_regret_sharper]
    [assumed: eps is the smaller of the two bounds, and below one]
    """,
    why="All of it happens between the ends of the interval: both segments from the new parameter lie in Theta.",
    reading="repaired",
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}}^2 \le 2 \eta \sum_s \left( "
    r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + \lambda (S + \lVert \theta_1 \rVert)^2 - "
    r"(1 - \varepsilon) \sum_s \lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2",
)

# --- the search ---------------------------------------------------------------------------------------------

claim(
    "app:proof-cs",
    id="every_point_of_the_search",
    says="From the smaller floor on `(1 - eps)*lam >= eta*R_s**2`, so `eps < 1`, and the squared reach does not exceed "
    "one either, whatever the scale of the weights.",
    steps=f"""{LOCAL}
    eta: the rate; S: the bound on the parameter; R_s: the constant on the whole line; bend: the largest slope of mu'
    alpha: the scale of the weights; lam: the regularisation; root: its square root; half: eta alpha S bend
    H: sqrt(half^2 + y); y: eta R_s^2; eps: the share of the moves; g_min: the least dispersion
    eta >= 1, S > 0, R_s >= 0, bend >= 0, lam > 0                  [meaning]
    alpha > 0, half == eta*alpha*S*bend, y == eta*R_s**2           [assumed: alpha > 0, g_min > 0 and lambda > 0]
    H == sqrt(half**2 + y)                                         [meaning]
    lam >= {text_of(sharpest.lam_floor_by_weights, "eta", "S", "R_s", "bend", "alpha")}      [meaning]
    => lam >= (half + H)**2

    half >= 0, y >= 0, H >= 0, H**2 == half**2 + y, root > 0      [meaning]
    lam >= (half + H)**2                                          [above]
    lam == root**2                                                [meaning]
    eps <= 2*half/root                                            [meaning]
    => root >= half + H           [in half, y, H, root, lam]
    => root**2 - 2*half*root >= y      [in half, y, H, root]
    => (1 - eps)*lam >= y

    eta >= 1, S > 0, R_s >= 0, bend >= 0, lam > 0, g_min > 0      [meaning]
    lam >= {text_of(sharpest.lam_floor_by_dispersion, "eta", "S", "R_s", "bend", "g_min")}      [meaning]
    eps <= 2*eta*S*bend/(lam*g_min)                               [meaning]
    => (1 - eps)*lam >= eta*R_s**2

    eta >= 1, R_s > 0, lam > 0             [assumed: R_s > 0, or R_s = bend = 0]
    (1 - eps)*lam >= eta*R_s**2            [above]
    => eps < 1

    eta >= 1, R_s >= 0, lam > 0, eps < 1      [meaning]
    (1 - eps)*lam >= eta*R_s**2               [above]
    => {text_of(lambda *given: sharpest.mixture_reach(*given) ** 2, "eta", "R_s", "eps", "lam")} <= 1

    g: a dispersion; n: the norm of an arm in the inverse of H_s
    alpha > 0, root > 0, g >= g_min, g_min > 0, alpha*g_min*root >= 1, n >= 0, n*root <= 1      [meaning]
    => alpha*g >= n
    """,
    why="The search of core.theory.tuning moves alpha and what is added to the floor, and nothing else.",
    reading="repaired",
    math=r"\lambda \ge \min \left( \left( p + \sqrt{p^2 + \eta R_s^2} \right)^2, \; \eta R_s^2 + \frac{2 \eta S \, "
    r"\mathrm{bend}}{g_{\min}} \right), \; p = \eta \alpha S \, \mathrm{bend} \implies (1 - \varepsilon) \lambda \ge "
    r"\eta R_s^2",
)

# --- the theorem ----------------------------------------------------------------------------------------------

claim(
    "app:proof-cs",
    "eq:CS",
    id="sharpest_confidence_sequence",
    says="The squared error X2 is at most `2*eta*ld + eta*c*gamma*D + B + 2*eta*K`, and the error of a round at most "
    f"`{text_of(sharpest.radius, 'bt2', 'h')}`, the root of a quadratic.",
    steps=f"""{LOCAL}
    X2: the squared error after the round; Y, Z: the two terms of the inverse regret; K: the corruption term
    V: the sum of the squared moves; D: the logarithm of the ratio of the determinants; B: lam times e squared
    eta: the rate; eps: the share of the moves that is spent; gamma: the spread of the mixture; ld: log(1/delta)
    c: the coefficient that lambda buys
    eta >= 1, eps >= 0, eps < 1, V >= 0, D >= 0                   [meaning]
    gamma*(1 - eps) == eta                                        [meaning]
    Y <= ld, 2*gamma*Z <= V + gamma*(c*gamma*D)                   [eq:term-a; eq:term-b]
    X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V                     [lemma:inverse-regret]
    => X2 <= 2*eta*ld + eta*c*gamma*D + B + 2*eta*K

    lam: the regularisation; S: the bound on the parameter; n1: the length of theta_1; e: its distance from theta_*
    eta >= 1, eps >= 0, eps < 1, c >= 1, D >= 0, lam > 0, S > 0, n1 >= 0, e >= 0      [meaning]
    gamma*(1 - eps) == eta             [assumed: (1 - eps) lambda >= eta R_s^2, with the eps of inverse_regret_by_bend]
    e <= S + n1                        [assumed: theta_* in Theta]
    => 2*eta*ld + eta*c*gamma*D + lam*e**2 <= ({text_of(sharpest.beta_slope, "eta", "eps", "c")})*D \
+ {text_of(sharpest.beta_base, "S", "exp(-ld)", "eta", "lam", "n1")}

    x: the largest error so far; y: the error of a round; h: eta alpha C; b, bt2: the squared radii beta there
    x >= 0, y >= 0, y <= x, h >= 0, b >= 0, b <= bt2      [assumed: g_s >= g_min > 0]
    x**2 <= b + 2*h*x                                     [app:proof-cs/eq12]
    => y <= {text_of(sharpest.radius, "bt2", "h")}
    [inverse_regret_by_bend; mixture_confidence; mixture_bound_by_reach; radius_of_the_theorem; corruption_term]
    [sharper_confidence_sequence; assumed: {NORMALISED}; assumed: {GROWTH}; assumed: {BUDGET}]
    """,
    why="The proof is that of sharper_confidence_sequence: the local constant is in the rate and bend in the share of "
    "the moves, the constant on the whole line only in c.",
    discharges=FIXED_BUDGET,
    reading="repaired",
    math=r"\lVert \theta_t - \theta_\star \rVert_{H_t} \le \sqrt{\beta_t^2 + h^2} + h, \; h = \eta \alpha C, \; "
    r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{c \eta^2}{1 - \varepsilon} \log \frac{\det H_t}{\det H_1} + "
    r"\lambda (S + \lVert \theta_1 \rVert)^2",
)
