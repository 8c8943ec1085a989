"""theorem:confidence-sequence under its own hypothesis: self-concordance on [-S, S] and nothing beyond.

No mixture is used.  In a round let a = <x_s, theta_s>, n = |x_s| in H_s^-1, gamma = 3 eta/2, sigma^2 = w gamma n^2,
D(z) = 1 + (w/g) mu'(z) n^2, q = sigma^2 mu'(a)/g and rho = R_s sigma; s_z = (r - mu(z))/g is the score, k_z =
mu'(z)/g its variance at z, and v = |z - a|/sigma.  x = q/gamma, so that D(a) = 1 + x, and o = (2 gamma +
1/2) rho x/(1 + x).
"""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.theory import constants
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.writing import text_of

from ..premises import ROUNDS, SETTING
from ..quantities import MIXTURE_COST, SPREAD, beta_squared, lam
from ..unprinted import BUDGET, FIXED_BUDGET, GROWTH, NORMALISED, PREDICTABLE

RHO = Fraction(33, 100)
RATE = Fraction(1, 4)  # at which fourth moments are bought, in units of sigma
REACH = Fraction(27, 256) / RATE


# --- the constants of a round ---------------------------------------------------------------------------------


def allowance(q: str) -> str:
    """What D(a)^{2 gamma + 1/2} exceeds 1 by at least, over q."""
    return f"(2 + ({q})/(3*({q}) + 3/4) + 35*({q})/18 + 35*({q})**2/54)"


def half_line(c: str) -> str:
    """The integral of e^{-v^2/2 + c v} over v > 0."""
    return f"(sqrt(pi)/sqrt(2)*exp(({c})**2/2)*(1 + erf(({c})/sqrt(2))))"


def by_fourth_moments() -> str:
    """All terms over q, for q = t^2 up to 39/100, where o <= 77 q/(100 + 100 q/3)."""
    u = f"({RHO * 7 / 3}/(1 + t**2/3))"
    o = f"({u}*t**2)"
    top = f"exp({o}**2/2)"
    start = f"1/2 + {u}*t + {u}**2*t**2"
    early = f"{top}*exp({RHO}*{o})*(3/2*{u}**2*t**4 + {u}**3*t**5/2 + {u}**4*t**6/4)"
    ends = f"1 + exp({RHO}*{o})*(2*{top} - 1) + {RHO}*{half_line(f'{RHO} + {o}')}"
    fourth = f"{RATE}*({RHO}*({ends}) + 3*t**2*{half_line(f'{2 * RHO} + {o}')})"
    second = f"{1 / (4 * RATE)}*{top}*exp({RHO}*({o} + {REACH}))*({o} + {REACH / 2})"
    return f"{start} + {early} + {fourth} + {second}"


def by_variances() -> str:
    """The same for q = t^2 from 39/100 on, by E(s - tau)_+ <= sqrt(k)/2 + max(-tau, 0); o <= 7 rho/2."""
    o = f"({RHO}*(7*t1**4/2 + 3*t1**2/4)/(t1**4 + 3*t1**2/2 + 3/8))"
    return f"t1*{half_line(f'{RHO / 2} + {o}')} + {o}**2*exp({o}**2/2)"


claim(
    "lemma:mixture",
    "eq:term-a",
    "eq:term-b",
    id="round_within_the_interval",
    says="Losses at the true and at the new parameter compared in one round: only laws with natural parameter between "
    "the ends of the interval are met.",
    steps=f"""{SETTING}{ROUNDS}
    d, S, eta, alpha, R_s, L_mu, lam, gamma: the parameters; RS: R_s S; rho2: the square of rho; root: sqrt(lambda)
    d >= 1, eta >= 1, R_s >= 0, S > 0, alpha > 0, L_mu > 0, lam > 0      [meaning]
    gamma == {SPREAD}                                                    [assumed: gamma = 3 eta/2]
    lam >= {lam()}                                                       [assumed: lambda as printed]
    rho2*lam <= R_s**2*gamma                                             [meaning]
    => rho2 <= ({RHO})**2

    d >= 1, eta >= 1, R_s >= 0, S > 0, alpha > 0, L_mu > 0, root > 0, lam == root**2      [meaning]
    lam >= {lam()}                                                                        [meaning]
    => root >= 6*eta*alpha*R_s*S*L_mu

    n: |x_s| in H_s^-1; w, g: weight and dispersion; slope: mu'(a); k2: (w/g) mu'(a) n^2
    n >= 0, w > 0, g > 0, slope >= 0, slope <= L_mu, w*n <= alpha*g, root*n <= 1, root > 0      [meaning]
    k2 == w/g*slope*n**2                                                                        [meaning]
    => k2*root <= alpha*L_mu

    c1: alpha L_mu
    k2 >= 0, root > 0, c1 > 0, RS >= 0, eta >= 1      [meaning]
    k2*root <= c1                                     [above with c1 = alpha*L_mu]
    root >= 6*eta*RS*c1                               [above with RS = R_s*S, c1 = alpha*L_mu]
    => 6*eta*RS*k2 <= 1

    q: gamma k2
    eta == 1 + RS, gamma == {SPREAD}, q == gamma*k2      [meaning]
    6*eta*RS*k2 <= 1                                     [above]
    => 4*q*RS <= 1

    case: some information
    eta == 1 + RS, gamma == {SPREAD}, q > 0      [meaning]
    4*q*RS <= 1                                  [above]
    => gamma <= 3/2 + 3/(8*q)

    x, y: q/gamma and R_s |z - a|; decay: e^(-y)
    x > 0, y > 0      [meaning]
    => diff(-log(1 + x*exp(-y)), y) == x*exp(-y)/(1 + x*exp(-y))

    x >= 0, decay > 0, decay <= 1      [meaning]
    => x*decay/(1 + x*decay) <= x/(1 + x)

    case: small q
    gamma >= 3/2, q >= 0, q <= 1/2      [meaning]
    => (2*gamma + 1/2)*q/(gamma + q) <= 7/3*q/(1 + q/3)

    case: large q
    gamma >= 3/2, q > 1/4, gamma <= 3/2 + 3/(8*q)      [meaning]
    => (2*gamma + 1/2)*q/(gamma + q) <= (7*q**2/2 + 3*q/4)/(q**2 + 3*q/2 + 3/8)

    case: the power of the determinant
    power: (1 + x)^p with p = 2 gamma + 1/2
    x > 0, p > 0      [meaning]
    => diff(diff(diff(diff(exp(p*log(1 + x)), x), x), x), x) \
== p*(p - 1)*(p - 2)*(p - 3)*exp(p*log(1 + x))/(1 + x)**4

    p >= 7/2, power > 0, x >= 0      [meaning]
    => p*(p - 1)*(p - 2)*(p - 3)*power/(1 + x)**4 >= 0

    gamma >= 3/2, p == {text_of(constants.mixture_cost, "gamma")}      [taylor]
    => p*(p - 1)/(2*gamma**2) >= 35/18, p*(p - 1)*(p - 2)/(6*gamma**3) >= 35/54
    x == q/gamma                                                       [meaning]
    => p*x == 2*q + q/(2*gamma)

    q > 0, gamma > 0, gamma <= 3/2 + 3/(8*q)      [meaning]
    => q/(2*gamma) >= q**2/(3*q + 3/4)

    case: the calculus of the scores
    m: function, the log-partition function
    z: a natural parameter; r: the reward; g: the dispersion; sigma, o: of the weight e^(-v^2/2 + o v); rho: R_s sigma
    g > 0, sigma > 0      [derivative-under-the-integral]
    => diff(exp((r*z - m(z))/g), z) == (r - m_1(z))/g*exp((r*z - m(z))/g), \
diff((r - m_1(z))/g, z) == -m_2(z)/g, \
diff(exp(-y**2/(2*sigma**2) + o*y/sigma), y) == -(y/sigma - o)/sigma*exp(-y**2/(2*sigma**2) + o*y/sigma)

    s: the score; tau: what is taken from it; part: their difference; c: a shift
    part == s - tau      [meaning]
    => s*part**2/2 - tau*part**2/2 == part**3/2

    case: third powers
    s >= 0, b > 0      [meaning]
    => s**3 <= b*s**4 + s**2/(4*b)

    => 27*s**4 - 256*t2*(s - t2)**3 == (s - 4*t2)**2*(27*s**2 - 40*t2*s + 16*t2**2), \
27*s**2 - 40*t2*s + 16*t2**2 >= 0, (s + c)**3 == s**3 + 3*c*s**2 + 3*c**2*s + c**3

    c >= 0, s >= c      [meaning]
    => (s + c)**2 <= s**2 + 2*c*s + 2*c**2

    case: third powers, small scores
    s >= 0, s <= c      [meaning]
    => (s + c)**2 + (c - s)**2 <= s**2 + 2*c*s + 2*c**2

    case: the certified inequalities
    t, t1, t3: the root of q, up to 39/100 and beyond, and from 4 on
    t >= 0, t <= 6245/10**4      [tonelli; convex-tangent; monotone]
    [cauchy-schwarz]
    => {by_fourth_moments()} <= {allowance("t**2")}

    t1 >= 6244/10**4, t1 <= 2      [determinant-lemma]
    => {by_variances()} <= t1**2*{allowance("t1**2")}

    q >= 0      [meaning]
    => (7*q**2/2 + 3*q/4)/(q**2 + 3*q/2 + 3/8) <= 7/2

    => {half_line("4/3")} <= 6, (7/6)**2*exp((7/6)**2/2) <= 3

    t3 >= 2      [meaning]
    => 6*t3 + 3 <= 2*t3**2 + 35/18*t3**4
    [self_concordance_mean; elliptical_potential_repaired; power_is_concave; mixture_bound]
    [assumed: {NORMALISED}; assumed: {PREDICTABLE}; assumed: theta_s, theta_(s+1) in Theta]
    """,
    why=(
        "The power lies below its tangent, so the mean exceeds one by a share w of the integral over rewards of the "
        "supremum over the interval, weighted, and the determinant lemma lets the determinant pay.  By the "
        "fundamental theorem of calculus that supremum is no larger than its value at the old parameter and the "
        "integrals of the positive slopes on both sides; by Tonelli those are means of the positive part of the "
        "score.  For large q its variance does.  For small q its square is differentiated under the integral inside "
        "the natural domain, the ends are limits, third powers lie below a chord, and fourth moments are slopes of "
        "third ones, which is the self-concordance.  All of it grows with rho and o, so their largest values stand in "
        "the certified inequalities."
    ),
    expected="certified",
    discharges={GROWTH: "what is used of mixture_bound are moments of a normal variable"},
    reading="repaired",
    math=r"\mathbb{E} \left[ \left( \tfrac{\det H_s}{\det H_{s+1}} \right)^{2 \gamma + 1/2} \exp \left( w_s "
    r"(\ell_s(\theta_\star) - \ell_s(\theta_{s+1})) - \tfrac{1}{2 \gamma} \lVert \theta_{s+1} - \theta_s "
    r"\rVert_{H_s}^2 \right) \mid F_s \right] \le 1",
)

# --- the theorem ------------------------------------------------------------------------------------------------

claim(
    "theorem:confidence-sequence",
    "eq:CS",
    "app:proof-cs/eq11",
    "eq:estimation-error",
    id="confidence_sequence_on_the_interval",
    says="The printed theorem needs no self-concordance beyond the interval: its statement is right, its proof is "
    f"not.  The squared error X2 is at most `{beta_squared()} + 2*eta*K`.",
    steps=f"""{SETTING}
    X2: the squared error after the round; G: what the true parameter loses more than the iterates; K: the corruption
    V: the sum of the squared moves; D: the logarithm of the ratio of the determinants; eta: the rate
    gamma: the spread; lam: the regularisation; S: the bound on the parameter; ld: log(1/delta)
    eta >= 1, V >= 0, D >= 0                          [meaning]
    gamma == {SPREAD}                                 [meaning]
    X2 <= 2*eta*(G + K) + 4*lam*S**2 - 2/3*V          [app:proof-cs/eq1]
    G <= ld + V/(2*gamma) + ({MIXTURE_COST})*D        [tower]
    [ville]
    => X2 <= {beta_squared()} + 2*eta*K
    [round_within_the_interval; inverse_regret_as_used; corruption_in_the_losses; determinant_bound]
    [radius_of_the_theorem; radius_increases; first_set_is_everything; order_of_play]
    [assumed: {NORMALISED}; assumed: {BUDGET}; assumed: lambda and beta_t as printed, with this C in alpha]
    """,
    why="The product over the rounds of the factors of round_within_the_interval is a supermartingale from one.  The "
    "bound on G is the sum of eq:term-a and eq:term-b, the second of which can fail alone, and the printed proof "
    "uses only their sum.  The lemma on the inverse regret looks at the interval only, beyond which the link may "
    "be continued with a constant quotient of its derivatives.",
    discharges=FIXED_BUDGET,
    reading="repaired",
    math=r"\mathbb{P} \left( \lVert \theta_t - \theta_\star \rVert_{H_t} \le \beta_t(\delta) + 2 \eta \alpha C \text{ "
    r"for all } t \right) \ge 1 - \delta \text{ if } \lvert \mu'' \rvert \le R_s \mu' \text{ on } [-S, S], \; \nu = "
    r"\nu_g, \; C \text{ fixed in advance}",
)
