"""theorem:confidence-sequence under its own hypothesis: self-concordance on [-S, S] and nothing beyond.

No mixture is used.  In a round let a = <x_s, theta_s>, n = |x_s| in H_s^-1, gamma = 3 eta/2, sigma^2 = w gamma n^2,
D(z) = 1 + (w/g) mu'(z) n^2, q = sigma^2 mu'(a)/g and rho = R_s sigma; s_z = (r - mu(z))/g is the score, k_z =
mu'(z)/g its variance at z, and v = |z - a|/sigma.  x = q/gamma, so that D(a) = 1 + x, and o = (2 gamma +
1/2) rho x/(1 + x).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core.theory import constants
from glbcheck.verify.search import cover, ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, text_of

from .confidence_proof import FIXED_BUDGET
from .inverse_regret import SETTING
from .mixture import power_below_tangent
from .mixture_bound import ROUNDS, half_normal
from .quantities import MIXTURE_COST, SPREAD, beta_squared, lam
from .unprinted import BUDGET, NORMALISED, PREDICTABLE

RHO = Fraction(33, 100)
RATE = Fraction(1, 4)  # at which fourth moments are bought, in units of sigma
REACH = Fraction(27, 256) / RATE
PRINTED = (*SETTING, "lambda as printed", "gamma = 3 eta/2")


# --- the constants of a round ---------------------------------------------------------------------------------


def small_steps() -> Evidence:
    """The printed lambda gives rho <= 33/100 and 4 q R S <= 1; so gamma <= 3/2 + 3/(8q), as eta = 1 + R S."""
    facts = ["d >= 1", "eta >= 1", "R_s >= 0", "S > 0", "alpha > 0", "L_mu > 0", f"gamma == {SPREAD}", "lam > 0"]
    facts.append(f"lam >= {lam()}")
    information = [
        "n >= 0",
        "w > 0",
        "g > 0",
        "slope >= 0",
        "slope <= L_mu",
        "w*n <= alpha*g",
        "root*n <= 1",
        "root > 0",
    ]
    return combine(
        implies([*facts, "rho2*lam <= R_s**2*gamma"], f"rho2 <= ({RHO})**2"),
        implies([*facts, "root > 0", "root**2 == lam"], "root >= 6*eta*alpha*R_s*S*L_mu"),
        implies([*information, "kn2 == w/g*slope*n**2", "root*n <= 1"], "kn2*root <= alpha*L_mu"),
        implies(
            ["k2 >= 0", "root > 0", "c >= 0", "RS >= 0", "eta >= 1", "k2*root <= c", "root >= 6*eta*RS*c", "c > 0"],
            "6*eta*RS*k2 <= 1",
        ),
        implies(["eta == 1 + RS", f"gamma == {SPREAD}", "q == gamma*k2", "6*eta*RS*k2 <= 1"], "4*q*RS <= 1"),
        implies(["eta == 1 + RS", f"gamma == {SPREAD}", "q > 0", "4*q*RS <= 1"], "gamma <= 3/2 + 3/(8*q)"),
    )


def determinant_below() -> Evidence:
    """D(z) >= 1 + x e^{-R|z - a|}, and (2 gamma + 1/2) times what that loses to D(a) is at most o v: it is concave."""
    x, y = sp.symbols("x y", positive=True)
    return combine(
        symbolic.identity(sp.Derivative(-sp.log(1 + x * sp.exp(-y)), y), x * sp.exp(-y) / (1 + x * sp.exp(-y))),
        implies(["x >= 0", "e > 0", "e <= 1"], "x*e/(1 + x*e) <= x/(1 + x)"),
        implies(["gamma >= 3/2", "q >= 0", "q <= 1/2"], "(2*gamma + 1/2)*q/(gamma + q) <= 7/3*q/(1 + q/3)"),
        implies(
            ["gamma >= 3/2", "q > 1/4", "gamma <= 3/2 + 3/(8*q)"],
            "(2*gamma + 1/2)*q/(gamma + q) <= (7*q**2/2 + 3*q/4)/(q**2 + 3*q/2 + 3/8)",
        ),
    )


def allowance(q: str) -> str:
    """What D(a)^{2 gamma + 1/2} exceeds 1 by at least, over q."""
    return f"(2 + ({q})/(3*({q}) + 3/4) + 35*({q})/18 + 35*({q})**2/54)"


def allowed() -> Evidence:
    """(1 + x)^p >= 1 + p x + p(p-1)/2 x^2 + p(p-1)(p-2)/6 x^3 for p = 2 gamma + 1/2 >= 3, then gamma x = q."""
    x, p = sp.symbols("x p", positive=True)
    power = sp.exp(p * sp.log(1 + x))
    fourth = p * (p - 1) * (p - 2) * (p - 3) * power / (1 + x) ** 4
    known = ["gamma >= 3/2", f"p == {text_of(constants.mixture_cost, 'gamma')}"]
    return combine(
        symbolic.identity(sp.Derivative(power, x, 4), fourth),
        implies(["p >= 7/2", "power > 0", "x >= 0"], "p*(p - 1)*(p - 2)*(p - 3)*power/(1 + x)**4 >= 0"),
        implies([*known, "x == q/gamma"], "p*x == 2*q + q/(2*gamma)"),
        implies(known, "p*(p - 1)/(2*gamma**2) >= 35/18"),
        implies(known, "p*(p - 1)*(p - 2)/(6*gamma**3) >= 35/54"),
        implies(["q > 0", "gamma > 0", "gamma <= 3/2 + 3/(8*q)"], "q/(2*gamma) >= q**2/(3*q + 3/4)"),
    )


# --- calculus of the scores -----------------------------------------------------------------------------------


def scores() -> Evidence:
    """p_z' = s_z p_z and s_z' = -k_z; the weight e^{-v^2/2 + o v} has the slope -tau times itself."""
    z, r, g, y, s, o = sp.symbols("z r g y s o", positive=True)
    m, mu, slope = (symbolic.smooth("m", k) for k in range(3))
    density, weight = sp.exp((r * z - m(z)) / g), sp.exp(-(y**2) / (2 * s**2) + o * y / s)
    return combine(
        symbolic.identity(sp.Derivative(density, z), (r - mu(z)) / g * density),
        symbolic.identity(sp.Derivative((r - mu(z)) / g, z), -slope(z) / g),
        symbolic.identity(sp.Derivative(weight, y), -(y / s - o) / s * weight),
        implies(["p == s - tau"], "s*p**2/2 - tau*p**2/2 == p**3/2"),
    )


def third_powers() -> Evidence:
    """(s - tau)^3 for s > tau against a s^4 and s^2/(4a): at tau = 0, at tau = 27/(256 a), below the chord between."""
    squares = "s**2 + 2*c*s + 2*c**2"  # of (s + c)_+^2 + (c - s)_+^2, for s >= 0; it is even in s
    return combine(
        implies(["s >= 0", "a > 0"], "s**3 <= a*s**4 + s**2/(4*a)"),
        implies([], "27*s**4 - 256*t*(s - t)**3 == (s - 4*t)**2*(27*s**2 - 40*t*s + 16*t**2)"),
        implies([], "27*s**2 - 40*t*s + 16*t**2 >= 0"),
        implies(["s >= 0", "c >= 0"], "(s + c)**3 == s**3 + 3*c*s**2 + 3*c**2*s + c**3"),
        implies(["c >= 0", "s >= c"], f"(s + c)**2 <= {squares}"),
        implies(["s >= 0", "s <= c"], f"(s + c)**2 + (c - s)**2 <= {squares}"),
    )


def half_line(c: str) -> str:
    """The integral of e^{-v^2/2 + c v} over v > 0."""
    return f"(sqrt(pi)/sqrt(2)*exp(({c})**2/2)*(1 + erf(({c})/sqrt(2))))"


def by_fourth_moments(share: Fraction) -> Evidence:
    """All terms over q, for q = t^2 up to 39/100, where o <= 77 q/(100 + 100 q/3)."""
    u = f"({RHO * 7 / 3}/(1 + t**2/3))"
    o = f"({u}*t**2)"
    top = f"exp({o}**2/2)"
    start = f"1/2 + {u}*t + {u}**2*t**2"
    early = f"{top}*exp({RHO}*{o})*(3/2*{u}**2*t**4 + {u}**3*t**5/2 + {u}**4*t**6/4)"
    ends = f"1 + exp({RHO}*{o})*(2*{top} - 1) + {RHO}*{half_line(f'{RHO} + {o}')}"
    fourth = f"{RATE}*({RHO}*({ends}) + 3*t**2*{half_line(f'{2 * RHO} + {o}')})"
    second = f"{1 / (4 * RATE)}*{top}*exp({RHO}*({o} + {REACH}))*({o} + {REACH / 2})"
    return cover.certify(
        f"{start} + {early} + {fourth} + {second} <= {share}*{allowance('t**2')}", {"t": (0, Fraction(6245, 10**4))}
    )


def by_variances() -> Evidence:
    """The same for q = t^2 from 39/100 on, by E(s - tau)_+ <= sqrt(k)/2 + max(-tau, 0); o <= 7 rho/2."""
    o = f"({RHO}*(7*t**4/2 + 3*t**2/4)/(t**4 + 3*t**2/2 + 3/8))"
    near = f"t*{half_line(f'{RHO / 2} + {o}')} + {o}**2*exp({o}**2/2)"
    return combine(
        cover.certify(f"{near} <= t**2*{allowance('t**2')}", {"t": (Fraction(6244, 10**4), 2)}),
        implies(["q >= 0"], "(7*q**2/2 + 3*q/4)/(q**2 + 3*q/2 + 3/8) <= 7/2"),
        cover.certify(f"{half_line('4/3')} <= 6 + 0*t", {"t": (0, 1)}),
        cover.certify("(7/6)**2*exp((7/6)**2/2) <= 3 + 0*t", {"t": (0, 1)}),
        ladder.inequality("6*t + 3 <= 2*t**2 + 35/18*t**4", "t", 2),
    )


def round_on_the_interval(share: Fraction) -> Evidence:
    parts = (power_below_tangent(sp.S.One), small_steps(), determinant_below(), allowed(), scores(), third_powers())
    return combine(*parts, half_normal(), by_fourth_moments(share), by_variances())


@claim(
    "lemma:mixture",
    "eq:term-a",
    "eq:term-b",
    math=r"\mathbb{E} \left[ \left( \tfrac{\det H_s}{\det H_{s+1}} \right)^{2 \gamma + 1/2} \exp \left( w_s "
    r"(\ell_s(\theta_\star) - \ell_s(\theta_{s+1})) - \tfrac{1}{2 \gamma} \lVert \theta_{s+1} - \theta_s "
    r"\rVert_{H_s}^2 \right) \mid F_s \right] \le 1",
    reading="repaired",
    hypotheses=tuple(dict.fromkeys((NORMALISED, *PRINTED, *ROUNDS, "theta_s, theta_{s+1} in Theta", PREDICTABLE))),
    expected="certified",
    control=("half of what the determinant allows", lambda: round_on_the_interval(Fraction(1, 2))),
    uses=("self_concordance_mean", "elliptical_potential_repaired"),
    facts=(
        "convex-tangent",
        "tonelli",
        "taylor",
        "derivative-under-the-integral",
        "cauchy-schwarz",
        "determinant-lemma",
        "monotone",
    ),
)
def round_within_the_interval() -> Evidence:
    """Losses at theta_* and at theta_{s+1} compared in one round: only laws with natural parameter in [-S, S] are met.

    By Cauchy-Schwarz the squared move is at least (b - a)^2/n^2 for b = <x_s, theta_{s+1}>, and D(b) is the
    quotient of the determinants (determinant lemma). The power w lies below its tangent, and D(b) >= 1 with w <= 1
    makes D(b)^{-C/w} <= D(b)^{-C}, so the mean is at most 1 - w + w times the integral over rewards of p_b e^{-(b -
    a)^2/(2 sigma^2)} D(b)^{-C}, C = 2 gamma + 1/2, and b, which depends on the reward, lies in [-S, S]: the
    integrand is at most the supremum over z in [-S, S]. D(z) may be replaced by D(a) against a factor e^{o v}. What
    is left is to show that the integral of sup_z p_z(r) W, W = e^{-v^2/2 + o v}, is at most D(a)^C. By the
    fundamental theorem of calculus the supremum is at most its value at z = a plus the integrals of the positive
    slopes on both sides, and by Tonelli that is 1 + T + T', T the integral over z > a of W E_z(s_z - tau)_+, tau =
    (v - o)/sigma, T' its mirror image. Since k_z <= k_a e^{R|z - a|}, as (log mu')' is at most R in size, T + T' is
    at most sqrt(q) N(rho/2 + o) + o^2 e^{o^2/2} with N(c) the integral of e^{-v^2/2 + cv} over v > 0: enough for q
    >= 39/100. For small q: differentiate W E_z(s - tau)_+^2/2 under the integral: its slope is W times E(s -
    tau)_+^3/2 minus (k_z + sigma^-2) E(s - tau)_+ inside the natural domain, and the ends +-S are limits; so T <=
    sigma^2 (E_a(s + o/sigma)_+^2 + integral of W E_z(s - tau)_+^3)/2. The first parts add up to at most q/2 + o
    sqrt(q) + o^2. For tau >= 0 the cube is at most sigma s^4/4 + s^2 (1 - tau/tau_*)_+/sigma, tau_* = 27/(64
    sigma): it is convex in tau, hence below its chord. For tau < 0 it is at most that at tau = 0 plus 3c s_+^2 +
    3c^2 s_+ + c^3, c = -tau. And E_z s^4 = (E_z s^3)' + 3 k_z^2 with |E_z s^3| <= R k_z, which is the
    self-concordance: by parts, sigma^3 times the integral of W E_z s^4 is at most q rho (1 + e^{rho o}(2 e^{o^2/2}
    - 1) + rho N(rho + o)) + 3 q^2 N(2 rho + o). All of it grows with rho and o, so their largest values stand in
    the inequalities that are certified. For x_s = 0, and where mu' vanishes, nothing happens.
    """
    return round_on_the_interval(Fraction(1))


# --- the theorem ------------------------------------------------------------------------------------------------


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    "app:proof-cs/eq11",
    "eq:estimation-error",
    math=r"\mathbb{P} \left( \lVert \theta_t - \theta_\star \rVert_{H_t} \le \beta_t(\delta) + 2 \eta \alpha C \text{ "
    r"for all } t \right) \ge 1 - \delta \text{ if } \lvert \mu'' \rvert \le R_s \mu' \text{ on } [-S, S], \; \nu = "
    r"\nu_g, \; C \text{ fixed in advance}",
    reading="repaired",
    hypotheses=(NORMALISED, BUDGET, *SETTING, "lambda and beta_t as printed, with this C in alpha"),
    control=("D multiplied by 1 - 10^-6 in beta_t", 1 - sp.Rational(1, 10**6)),
    uses=(
        "round_within_the_interval",
        "inverse_regret_as_used",
        "corruption_in_the_losses",
        "determinant_bound",
        "radius_of_the_theorem",
        "radius_increases",
        "first_set_is_everything",
        "order_of_play",
    ),
    discharges=FIXED_BUDGET,
    facts=("ville", "tower"),
)
def confidence_sequence_on_the_interval(share: sp.Rational = sp.S.One) -> Evidence:
    """The printed theorem needs no self-concordance beyond [-S, S]: its statement is right, its proof is not.

    The product over the rounds of the factors of `round_within_the_interval` is a supermartingale of mean at most 1,
    so by Ville's inequality, with probability 1 - delta and for all t, the weighted loss at theta_* exceeds that at the
    iterates by at most log(1/delta) + V/(2 gamma) + (2 gamma + 1/2) D.  This is the sum of eq:term-a and eq:term-b,
    the second of which can fail alone, and the printed proof uses only their sum.  The lemma on the inverse regret
    looks at [-S, S] only, where m may be continued beyond it by a link with mu''/mu' constant.
    """
    facts = [
        "eta >= 1", f"gamma == {SPREAD}", "V >= 0", "D >= 0",
        "X2 <= 2*eta*(G + K) + 4*lam*S**2 - 2/3*V",
        f"G <= ld + V/(2*gamma) + ({MIXTURE_COST})*D",
    ]  # fmt: skip
    return implies(facts, f"X2 <= {beta_squared(D=f'({share})*D')} + 2*eta*K")
