"""The confidence sequence for links that are self-concordant on [-S - b, S + b] only, for every t at once.

The mixture is kept inside a window.  P_u is the law of a normal variable of variance sigma^2 = gamma |x_s|^2 (in
H_s^-1) conditioned on [-S - 3 sigma, S + 3 sigma], its centre c chosen such that its mean is u, and V_u its variance.
In round s the mixture is P_a with a = <x_s, theta_s>, known before the reward; b = <x_s, theta_{s+1}>.
"""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.theory import local_constants as local
from glbcheck.core.theory.constants import MIXTURE_CHOICE, MIXTURE_PAIRS, MOVES_SPENT
from glbcheck.core.theory.local_constants import MOVES_FACTOR, WINDOW
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.writing import text_of

from ..premises import ROUNDS, SETTING
from ..unprinted import BUDGET, FIXED_BUDGET, GROWTH, NORMALISED

LOCAL = "|mu''| <= R mu' between -S - b and S + b, inside the natural domain, for some b > 0"
# How far the centre may lie beyond S, in standard deviations, when the mean is S; so the nearest that an end may be.
OVERSHOOT = Fraction(3, 500)
NEAREST = WINDOW - OVERSHOOT
C = MIXTURE_PAIRS[MIXTURE_CHOICE]

claim(
    "lemma:mixture-ineq",
    id="windowed_normal_variance",
    says="A window that ends three standard deviations beyond the interval leaves to every mean there a share "
    f"`v >= 1/({MOVES_FACTOR})` of the variance.",
    steps=f"""
    z: a point of the window; u: the mean; c: the centre; s: the standard deviation
    s > 0      [meaning]
    => diff(exp(-(z - c)**2/(2*s**2)), z) == -(z - c)/s**2*exp(-(z - c)**2/(2*s**2)), \
diff((z - u)*exp(-(z - c)**2/(2*s**2)), z) == exp(-(z - c)**2/(2*s**2)) - (z - u)*(z - c)/s**2*exp(-(z - c)**2/(2*s**2))

    => 2499/1000 <= sqrt(2*pi)*erf(({NEAREST})/sqrt(2))

    h: the distance of an end from the centre, in standard deviations
    h >= {NEAREST}      [meaning]
    => exp(-h**2/2) <= 1132/10**5, h*exp(-h**2/2) <= 3389/10**5

    bell: e^(-h^2/2); p: the density at an end times s; hbell, hp: h times these
    p >= 0, h >= 0, bell >= 0                          [tilted-window]
    bell <= 1132/10**5                                 [above with bell = exp(-h**2/2)]
    hbell <= 3389/10**5                                [above with hbell = h*exp(-h**2/2)]
    p*(2499/1000) <= bell, hp*(2499/1000) <= hbell     [meaning]
    => p <= {OVERSHOOT}
    => hp + p*p <= 1/72

    v: the variance in units of s^2; lost: what both ends take of it
    lost <= 2*(1/72), v == 1 - lost      [meaning]
    => v >= 1/({MOVES_FACTOR})
    [assumed: S, sigma > 0; assumed: Z normal with a centre that gives a mean between -S and S]
    """,
    why="The mean of the tilted laws increases with the centre and, by the bound on p, passes the border before the "
    "centre is far beyond it.  By parts each end takes its distance from the mean times its density; that distance is "
    "the one from the centre and the density.",
    reading="repaired",
    math=r"\operatorname{Var}(Z \mid \lvert Z \rvert \le S + 3 \sigma) \ge \tfrac{35}{36} \sigma^2 \text{ if } Z \sim "
    r"N(c, \sigma^2) \text{ and } \lvert \mathbb{E}(Z \mid \lvert Z \rvert \le S + 3 \sigma) \rvert \le S",
)

claim(
    "lemma:mixture-ineq",
    "eq:term-b",
    id="local_mixture_bound",
    says="A mixture in a window bounds the mix loss in every round, with no price for the window: a round costs "
    f"at most `loss + ({MOVES_FACTOR})*move/(2*gamma) + {C}*gamma/2*A`.",
    steps=f"""{ROUNDS}
    Ey, Ey2: the means of y = z - b and of its square under P_b; V: its variance; q: D^(-1/2), q2: 1/D
    e: b minus the centre of P_b
    Ey == 0, Ey2 == V      [tilted-window]
    => Ey2 + 2*e*Ey + e**2 - (q**2*Ey2 + 2*e*q*Ey + e**2) == (1 - q**2)*V

    n2: the squared norm of x_s in the inverse of H_s; k: (w/g) mu' at b; gamma: the spread; s2: sigma^2, gamma n2
    n2 > 0, k >= 0, gamma > 0                      [meaning]
    q2 == 1/(1 + k*n2)                             [determinant-lemma; sherman-morrison]
    => (1 - q2)*V/(2*(gamma*n2)) == k*q2*V/(2*gamma)

    y: a distance; R: the constant on the larger interval; t: R times it
    y > 0, R > 0, gamma > 0      [meaning]
    => diff(diff((exp(R*y) - 1 - R*y)/R**2 - y**2/(2*gamma), y), y) == exp(R*y) - 1/gamma

    t >= 0      [monotone; taylor; convex-order]
    => exp(t) >= 1

    growth: e^(R y)
    gamma >= 1        [assumed: gamma >= 1]
    growth >= 1       [above with growth = exp(t)]
    => growth - 1/gamma >= 0

    a, b: <x_s, theta> at theta_s and theta_(s+1)
    => integral(b - u, u, a, b) == (b - a)**2/2

    square: half the square of b - a
    s2 > 0, square >= 0, V >= s2*35/36      [assumed: theta_s, theta_{{s+1}} in Theta]
    => square/V <= ({MOVES_FACTOR})*square/s2
    [windowed_normal_variance]

    lam: the regularisation; s: sigma; width: b of the assumption
    lam > 0, gamma > 0, width > 0, s >= 0                                [assumed: {LOCAL}]
    s**2*lam <= gamma                                                    [loewner-order]
    lam*width**2 >= {WINDOW}**2*gamma      [meaning]
    => {WINDOW}*s <= width

    x: R sigma
    lam > 0, x >= 0, x**2*lam <= gamma*R**2, lam >= {MIXTURE_CHOICE}*gamma*R**2, gamma >= 1, R > 0      [meaning]
    => x <= 1/2

    x >= 0                [meaning]
    x <= 1/2              [above]
    => exp(x**2/2)*(1 + erf(x/sqrt(2))) - 1 - x*sqrt(2)/sqrt(pi) <= ({C})*x**2/2

    mix, loss, move: the mix loss, the loss at the new parameter, the squared move; A: log D; B: 1 - 1/D
    excess: what the contracted law loses more, with the part of its divergence that holds V
    mix <= loss + excess + A/2 - B/2 + ({MOVES_FACTOR})*move/(2*gamma)      [gibbs]
    excess <= {C}*gamma*B/2, gamma >= 1, B >= 0, A >= 0, B <= A             [meaning]
    => (A + ({C}*gamma - 1)*B)/2 <= {C}*gamma/2*A                           [in A, B, gamma]
    => mix <= loss + ({MOVES_FACTOR})*move/(2*gamma) + {C}*gamma/2*A
    [mixture_bound; self_concordance_mean; elliptical_potential_repaired]
    """,
    why="Only one product matters, so the mixture may be a law on the line.  Contract the law of mean b towards it by "
    "q: it stays in the window, which is convex.  As the logarithm of the ratio of two windowed laws is affine, its "
    "divergence is that from the law that was contracted, and what the integral says.  The linear part of the loss has "
    "mean zero, whatever the reward.  The rest is convex in y, and the windowed law is smaller in the convex order "
    "than the normal one, for which the costs are those of mixture_bound.",
    expected="certified",
    discharges={GROWTH: "what is used of mixture_bound is its calculation with normal variables"},
    reading="repaired",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{36}{35} \cdot \frac{1}{2 \gamma} \sum_s "
    r"\lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2 + \frac{27 \gamma}{40} \log \frac{\det H_{t+1}}{\det H_1}",
)

# --- the theorem ----------------------------------------------------------------------------------------------

claim(
    "theorem:confidence-sequence",
    "eq:CS",
    "app:proof-cs",
    id="local_confidence_sequence",
    says="The squared error X2 is at most `2*eta*ld + eta*c*gamma*D + B + 2*eta*K` when the link is self-concordant a "
    "little beyond the interval.",
    steps=f"""{SETTING}
    X2: the squared error after the round; Y, Z: the two terms of the inverse regret; K: the corruption term
    V: the sum of the squared moves; D: the logarithm of the ratio of the determinants; B: lambda (S + |theta_1|)^2
    eta: the rate; eps: the share of the moves that is spent; gamma: the spread of the mixture; ld: log(1/delta)
    c: the coefficient of local_mixture_bound
    eta >= 1, eps >= 0, eps < 1, V >= 0, D >= 0                                 [assumed: 0 < eps < 1]
    gamma*(1 - eps) == ({MOVES_FACTOR})*eta                                     [meaning]
    Y <= ld, 2*gamma*Z <= ({MOVES_FACTOR})*V + gamma*(c*gamma*D)                [eq:term-a; eq:term-b]
    X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V                                   [lemma:inverse-regret]
    => X2 <= 2*eta*ld + eta*c*gamma*D + B + 2*eta*K
    [inverse_regret_sharper; inverse_regret_expansion; mixture_confidence; local_mixture_bound]
    [determinant_bound_sharper; corruption_term; radius_of_the_theorem]
    [assumed: {NORMALISED}; assumed: {LOCAL}; assumed: {BUDGET}]
    [assumed: lambda as local_mixture_bound and inverse_regret_sharper ask]
    """,
    why="The window makes every family fit whose domain is larger than the interval.  The rate holds the constant "
    "of the interval alone, since the iterates stay in Theta.  The supermartingale is that of lemma:mixture: densities "
    "are met inside the window, where they have mass one.",
    discharges=FIXED_BUDGET,
    reading="repaired",
    math=r"\mathbb{P} \left( \theta_\star \in C_t \text{ for all } t \right) \ge 1 - \delta, \; \beta_t^2 = 2 \eta "
    r"\log \frac{1}{\delta} + c \gamma \eta \log \frac{\det H_t}{\det H_1} + \lambda (S + \lVert \theta_1 \rVert)^2, "
    r"\; \gamma = \frac{36}{35} \cdot \frac{\eta}{1 - \varepsilon}",
)

CHOSEN = f"eps == {MOVES_SPENT}, c == {C}, gamma == {text_of(local.spread_local, 'eta')}"
NAMES = ("d", "S", "eta", "alpha", "R_s", "L_mu", "R", "b")

claim(
    "app:proof-cs",
    id="choice_of_the_local_constants",
    says="The regularisation and the radius of the local learner meet the conditions of the local theorem.",
    steps=f"""
    eps, c: the share of the moves and the coefficient; gamma: the spread; d: the dimension; eta: the rate
    R_s, R: the constants on [-S, S] and on [-S - b, S + b]; S: the bound on the parameter; b: how far beyond
    alpha: the scale of the weights; L_mu: the largest slope; lam: the regularisation
    {CHOSEN}      [meaning]
    => gamma*(1 - eps) == ({MOVES_FACTOR})*eta
    eta >= 1      [meaning]
    => gamma >= 1

    {CHOSEN}      [meaning]
    d >= 1, eta >= 1, R_s >= 0, R >= 0, b > 0, S > 0, alpha > 0, L_mu > 0      [assumed: R is valid on both sides]
    lam >= {text_of(local.lam_local, *NAMES)}      [meaning]
    => lam >= {MIXTURE_CHOICE}*gamma*R**2, lam*b**2 >= {WINDOW}**2*gamma, eps**2*lam >= (2*eta*alpha*R_s*S*L_mu)**2

    D: the logarithm of the ratio of the determinants; ld: log(1/delta); e2: (S + |theta_1|)^2
    {CHOSEN}, eta >= 1, D >= 0, lam > 0      [meaning]
    e2 <= 4*S**2                             [assumed: |theta_1| <= S]
    => 2*eta*ld + c*gamma*eta*D + lam*e2 <= \
{text_of(lambda *given: local.beta_from_logdet_local(*given) ** 2, "S", "exp(-ld)", "eta", "lam", "D")}
    """,
    why="b is chosen before the first round, among a few, for the least lam; the theorem holds for each.",
    reading="repaired",
    math=r"\lambda = \max \left( \tfrac{216}{35} \eta R^2, \frac{486 \eta}{35 b^2}, 36 \eta^2 \alpha^2 R_s^2 S^2 "
    r"L_\mu^2, \frac{d}{4 S^2} \right), \; \beta_t^2 = 2 \eta \log \frac{1}{\delta} + \tfrac{729}{350} \eta^2 \log "
    r"\frac{\det H_t}{\det H_1} + 4 \lambda S^2",
)
