"""The confidence sequence with smaller constants: what the repaired lemmas really give.

The printed beta_t rests on a regularisation with a factor d and on the printed coefficient of log det.  Neither the
factor d nor most of the coefficient is needed (lemma:mixture-ineq), lambda need not grow with alpha when there is
little corruption (lemma:inverse-regret), and a start at the origin is nearer than the diameter.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from glbcheck.core.theory.constants import MIXTURE_CHOICE, MIXTURE_PAIRS, MOVES_SPENT, REPAIRED
from glbcheck.verify.claims.declare import claim

from ..premises import ROUNDS, SETTING
from ..quantities import GROWTH_RATE_REPAIRED, beta_squared, lam
from ..unprinted import BUDGET, FIXED_BUDGET, GROWTH, NORMALISED

claim(
    "lemma:inverse-regret",
    id="inverse_regret_sharper",
    says="The squared error X2 is at most `-2*eta*fall + lam*(S + n1)**2 - (1 - eps)*V`, for a smaller regularisation "
    "too.",
    steps=f"""{SETTING}
    lam: the regularisation; S: the bound on the parameter; n1: the length of theta_1; e: its distance from theta_*
    lam > 0, S > 0, n1 >= 0, e >= 0      [meaning]
    e <= S + n1                          [triangle]
    => lam*e**2 <= lam*(S + n1)**2

    eta: the rate; R, L: R_s and L_mu; g, w: dispersion and weight; n2: the squared norm of x_s in the inverse of H_s
    eps: the share of the moves that is spent
    eta >= 1, R >= 0, S > 0, L > 0, g > 0, lam > 0, w > 0, w <= 1, n2 >= 0, eps > 0      [meaning]
    lam*n2 <= 1                                                                          [loewner-order]
    eps*lam*g >= 2*eta*R*S*L             [assumed: this for the least dispersion, or the condition on its root below]
    => 2*eta*(w/g)*R*S*L*n2 <= eps

    k: eta alpha R_s S L_mu; root: the square root of lambda
    k >= 0, root > 0, eps > 0, eps*root >= 2*k      [meaning]
    => 2*k/root <= eps

    X2: the squared error after the last round; fall: losses at the iterates minus those at theta_*
    V: the sum of the squared moves; spent: the share of them that the rounds spend
    X2 <= -2*eta*fall + lam*e**2 - (1 - spent)*V, V >= 0      [lemma:inverse-regret/eq12]
    spent <= eps                                              [above with spent = 2*eta*(w/g)*R*S*L*n2]
    lam*e**2 <= lam*(S + n1)**2                               [above]
    => X2 <= -2*eta*fall + lam*(S + n1)**2 - (1 - eps)*V
    [inverse_regret]
    """,
    why="The first bound on the weights does not need small weights, and is the better of both when there is little "
    "corruption.",
    reading="repaired",
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}}^2 \le 2 \eta \sum_s \left( "
    r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + \lambda (S + \lVert \theta_1 \rVert)^2 - "
    r"(1 - \varepsilon) \sum_s \lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2",
)

# --- lemma:mixture-ineq -----------------------------------------------------------------------------------

EXCESS = "exp(a**2/2)*(1 + erf(a/sqrt(2))) - 1 - a*sqrt(2)/sqrt(pi)"
TABLE = "\n\n".join(
    f"    a >= 0, a <= {Fraction(1, isqrt(int(k)))}      [meaning]\n    => {EXCESS} <= {c}*a**2/2"
    for k, c in MIXTURE_PAIRS.items()
)

claim(
    "lemma:mixture-ineq",
    "eq:term-b",
    id="mixture_bound_sharper",
    says="A regularisation `lam >= k*gamma*R_s**2` makes a round cost at most `loss + move/(2*gamma) + "
    "max(c*gamma, 1)/2*A`, with one of three pairs of k and c.",
    steps=f"""{ROUNDS}
    lam: the regularisation; gamma: the spread of the mixture; R_s: the constant of self-concordance
    a: R_s times the standard deviation of <x_s, theta>; k, c: a pair of the table
    lam > 0, gamma > 0, R_s >= 0, k > 0      [assumed: gamma > 0]
    a**2*lam <= R_s**2*gamma                 [lemma:mixture-ineq]
    lam >= k*gamma*R_s**2                    [meaning]
    => k*a**2 <= 1

{TABLE}

    mix, loss, move: the mix loss, the loss at the new parameter, the squared move; A: the logarithm of the determinants
    G: gamma times twice the mean excess over the square of a
    mix <= loss + move/(2*gamma) + max(G, 1)/2*A, gamma > 0, A >= 0      [lemma:mixture-ineq]
    G <= c*gamma                                                         [meaning]
    => mix <= loss + move/(2*gamma) + max(c*gamma, 1)/2*A
    [mixture_bound; assumed: {GROWTH}]
    """,
    expected="certified",
    reading="repaired",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{\max(c \gamma, 1)}{2} \log \frac{\det H_{t+1}}{\det H_1} \text{ for } \lambda "
    r"\ge k \gamma R_s^2",
)

claim(
    "lemma:mixture-ineq",
    id="mixture_bound_for_the_linear_link",
    says="For Gaussian rewards a round costs at most `w*loss + move + gamma/2*A`, and the "
    "coefficient of A cannot be lowered.",
    steps=f"""{ROUNDS}
    z, z0: <x_s, theta> and <x_s, theta_s>; r: the reward; g: the dispersion; s: gamma |x_s|^2/g in the inverse of H_s
    s > 0, g > 0      [gaussian-projection]
    => (r*z - z**2/2)/g - (z - z0)**2/(2*s*g) == -(1 + s)/(2*s*g)*(z - z0 - s*(r - z0)/(1 + s))**2 \
+ (r*z0 - z0**2/2 + s*(r - z0)**2/(2*(1 + s)))/g

    e, y: the distances of the reward and of <x_s, theta_(s+1)> from z0; w: the weight
    s > 0, w > 0, w <= 1      [meaning]
    => e*y - y**2/2 - s*e**2/(2*(1 + s)) <= y**2/(2*s*w)

    s >= 0      [meaning]
    => log(1 + s) <= 3/2*log(1 + 2*s/3)

    mix, loss: the mix loss and that at the new parameter; gamma: the spread; A: the logarithm of the determinants
    gain, move: what the quadratic parts leave, and its bound; L: the logarithm of the first
    w*mix == w*loss + w*L/2 + gain, gain <= move, gamma >= 1      [meaning; assumed: m(z) = z^2/2; assumed: gamma >= 1]
    w*L <= gamma*A                                                [convex-tangent]
    => w*mix <= w*loss + move + gamma/2*A
    [power_is_concave]
    """,
    why="Near nothing both sides of `log(1 + s) <= 3/2*log(1 + 2*s/3)` agree to first order.",
    reading="repaired",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{\gamma}{2} \log \frac{\det H_{t+1}}{\det H_1} \text{ for } m(z) = \frac{z^2}{2}",
)

# --- the determinant ----------------------------------------------------------------------------------------

claim(
    "app:proof-cs/eq8",
    id="determinant_bound_sharper",
    says=f"The mean of the eigenvalues of the Hessian, in units of lam, is at most `1 + ({GROWTH_RATE_REPAIRED})*s`.",
    steps=f"""
    w: the weight; slope: mu' at the new parameter; p: the squared length of the arm; L_mu: the largest slope
    w > 0, w <= 1              [assumed: 0 < w_s <= 1]
    slope >= 0, slope <= L_mu  [assumed: 0 <= mu' <= L_mu between -S and S; assumed: theta_{{s+1}} in Theta]
    p >= 0, p <= 1             [assumed: |x_s| <= 1]
    => w*slope*p <= L_mu

    trace: the trace of the Hessian; s: the sum of the inverse dispersions; ginv, k: what a round adds; d: the dimension
    always L_mu > 0, lam > 0                                                                   [meaning]
    first trace == d*lam, s == 0                                                               [meaning]
    then ginv > 0, k >= 0, k <= L_mu, trace_next == trace + k*ginv, s_next == s + ginv         [meaning]
    => trace <= d*lam + L_mu*s

    lam: the regularisation; mean: the mean of the eigenvalues
    d > 0, lam > 0, d*mean == trace              [spectrum]
    trace <= d*lam + L_mu*s                      [above]
    => mean/lam <= 1 + ({GROWTH_RATE_REPAIRED})*s

    u: any number in its range
    u > -1      [meaning]
    => log(1 + u) <= u

    excess: the sum of the logarithms of the eigenvalues in units of c; c: a bound on their mean
    c > 0, d > 0, d*mean == trace, mean <= c, excess <= trace/c - d      [spectrum]
    => excess <= 0
    """,
    reading="repaired",
    math=r"\frac{\det H_{t+1}}{\det H_1} \le \left( 1 + \sum_s \frac{L_\mu}{d \lambda g_s} \right)^d",
)

# --- the sharper theorem ------------------------------------------------------------------------------

claim(
    "app:proof-cs",
    id="sharper_confidence_sequence",
    says="The squared error X2 is at most `2*eta*ld + c*eta**2/(1 - eps)*D + B + 2*eta*K`.",
    steps=f"""{SETTING}
    X2: the squared error after the round; Y, Z: the two terms of the inverse regret; K: the corruption term
    V: the sum of the squared moves; D: the logarithm of the ratio of the determinants; B: lambda (S + |theta_1|)^2
    eta: the rate; eps: the share of the moves that is spent; gamma: the spread of the mixture; ld: log(1/delta)
    c: the coefficient that lambda buys, a number of the table; cgD: c gamma D
    eta >= 1, eps >= 0, eps < 1, V >= 0, D >= 0, cgD == c*gamma*D      [meaning; assumed: eps = 0 only if R_s = 0]
    gamma*(1 - eps) == eta                                             [meaning]
    Y <= ld, 2*gamma*Z <= V + gamma*cgD                                [eq:term-a; eq:term-b]
    X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V                          [lemma:inverse-regret]
    => X2 <= 2*eta*ld + eta*cgD + B + 2*eta*K
    => eta*cgD == c*eta**2/(1 - eps)*D      [in eta, eps, gamma, c, D, cgD]
    => X2 <= 2*eta*ld + c*eta**2/(1 - eps)*D + B + 2*eta*K
    [inverse_regret_sharper; inverse_regret_expansion; mixture_confidence; mixture_bound_sharper]
    [mixture_bound_for_the_linear_link; determinant_bound_sharper; corruption_term; radius_of_the_theorem]
    [assumed: {NORMALISED}; assumed: {GROWTH}; assumed: {BUDGET}]
    [assumed: lambda as mixture_bound_sharper and inverse_regret_sharper ask]
    """,
    why="The proof is that of the paper, with the sharper lemmas; the widening stays.",
    discharges=FIXED_BUDGET,
    reading="repaired",
    math=r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{c \eta^2}{1 - \varepsilon} \log \frac{\det H_t}{\det H_1} "
    r"+ \lambda (S + \lVert \theta_1 \rVert)^2",
)

CHOSEN = f"eps == {MOVES_SPENT}, k == {MIXTURE_CHOICE}, c == {MIXTURE_PAIRS[MIXTURE_CHOICE]}"

claim(
    "app:proof-cs",
    id="choice_of_the_constants",
    says="The regularisation and the radius of the repaired learner meet the conditions of the sharper theorem.",
    steps=f"""
    eps, k, c: the share of the moves, and a pair of the table; d: the dimension; eta: the rate
    R_s: the constant of self-concordance; S: the bound on the parameter; alpha: the scale of the weights
    L_mu: the largest slope; lam: the regularisation
    {CHOSEN}, d >= 1, eta >= 1, R_s >= 0, S > 0, alpha > 0, L_mu > 0      [meaning]
    lam >= {lam(use=REPAIRED)}                                            [meaning]
    => (1 - eps)*lam >= k*eta*R_s**2, eps**2*lam >= (2*eta*alpha*R_s*S*L_mu)**2

    D: the logarithm of the ratio of the determinants; coefficient: of D; ld: log(1/delta); e2: (S + |theta_1|)^2
    {CHOSEN}, eta >= 1, D >= 0, lam > 0                [meaning]
    coefficient*(1 - eps) == c*eta**2                  [meaning]
    e2 <= 4*S**2                                       [assumed: |theta_1| <= S]
    => 2*eta*ld + coefficient*D + lam*e2 <= {beta_squared(use=REPAIRED)}
    """,
    why="The learner does not know the least dispersion, so of the two bounds on lam it takes that by weights; "
    "the last part keeps it positive for the linear link and is not used otherwise.",
    reading="repaired",
    math=r"\lambda = \max \left( 6 \eta R_s^2, 36 \eta^2 \alpha^2 R_s^2 S^2 L_\mu^2, \frac{d}{4 S^2} \right), \; "
    r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{81}{40} \eta^2 \log \frac{\det H_t}{\det H_1} + 4 \lambda S^2",
)
