"""The confidence sequence for links that are self-concordant on [-S - b, S + b] only, for every t at once.

The mixture is kept inside a window.  P_u is the law of a normal variable of variance sigma^2 = gamma |x_s|^2 (in
H_s^-1) conditioned on [-S - 3 sigma, S + 3 sigma], its centre c chosen such that its mean is u, and V_u its variance.
In round s the mixture is P_a with a = <x_s, theta_s>, known before the reward; b = <x_s, theta_{s+1}>.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core.theory import local_constants as local
from glbcheck.core.theory.constants import MIXTURE_CHOICE, MIXTURE_PAIRS, MOVES_SPENT
from glbcheck.core.theory.local_constants import MOVES_FACTOR, WINDOW
from glbcheck.verify.search import cover, ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, text_of

from .confidence_proof import FIXED_BUDGET
from .inverse_regret import SETTING
from .mixture_bound import ROUNDS, any_law, cost_of_a_round, curvature_excess, growth, half_normal, rank_one_update
from .unprinted import BUDGET, NORMALISED

LOCAL = "|mu''| <= R mu' on [-S - b, S + b], inside the natural domain, for some b > 0"
# How far the centre may lie beyond S, in standard deviations, when the mean is S.
OVERSHOOT = Fraction(3, 500)
TINY = sp.Rational(1, 10**6)


NEAREST = WINDOW - OVERSHOOT  # of an end to the centre, in standard deviations


def by_parts() -> Evidence:
    """Slopes of the density p and of (z - u) p: mean - c = -s^2 [p] and variance = s^2 - s^2 [(z - u) p] at the ends.

    p is e^{-(z - c)^2/(2 s^2)} up to its mass.
    """
    z, u, c, s = sp.symbols("z u c s", positive=True)
    p = sp.exp(-((z - c) ** 2) / (2 * s**2))
    return combine(
        symbolic.identity(sp.Derivative(p, z), -(z - c) / s**2 * p),
        symbolic.identity(sp.Derivative((z - u) * p, z), p - (z - u) * (z - c) / s**2 * p),
    )


def variance_lost(bound: Fraction) -> Evidence:
    """Each end of the window takes at most `bound` sigma^2 from the variance; the centre is as near as said.

    bell = e^{-h^2/2} and h bell are bounded for all h >= 1497/500; p is
    the density at an end times sigma, bell over `mass`, and hp is h p.
    """
    height, moment = Fraction(1132, 10**5), Fraction(3389, 10**5)
    mass = Fraction(2499, 1000)
    return combine(
        cover.certify(f"mass <= sqrt(2*pi)*erf(({NEAREST})/sqrt(2))", {"mass": (2, mass)}),
        ladder.inequality(f"exp(-h**2/2) <= {height}", "h", NEAREST),
        ladder.inequality(f"h*exp(-h**2/2) <= {moment}", "h", NEAREST),
        implies([f"bell <= {height}", f"p*({mass}) <= bell"], f"p <= {OVERSHOOT}"),
        implies(
            [
                f"bell <= {height}",
                f"hbell <= {moment}",
                "bell >= 0",
                "h >= 0",
                f"p*({mass}) <= bell",
                "p >= 0",
                f"hp*({mass}) <= hbell",
            ],
            f"hp + p*p <= {bound}",
        ),
        implies([f"lost <= 2*({bound})", "v == 1 - lost"], f"v >= 1/({MOVES_FACTOR})"),
    )


@claim(
    "lemma:mixture-ineq",
    math=r"\operatorname{Var}(Z \mid \lvert Z \rvert \le S + 3 \sigma) \ge \tfrac{35}{36} \sigma^2 \text{ if } Z \sim "
    r"N(c, \sigma^2) \text{ and } \lvert \mathbb{E}(Z \mid \lvert Z \rvert \le S + 3 \sigma) \rvert \le S",
    reading="repaired",
    hypotheses=("S, sigma > 0", "Z normal of variance sigma^2 with a centre c that gives the mean u in [-S, S]"),
    expected="certified",
    control=("1/75 at each end in place of 1/72", lambda: combine(by_parts(), variance_lost(Fraction(1, 75)))),
    facts=("tilted-window",),
)
def windowed_normal_variance() -> Evidence:
    """A window that ends 3 sigma beyond [-S, S] leaves 35/36 of the variance to every mean in [-S, S].

    Let 0 <= u <= S; the other half is its mirror image.  The mean of the tilted laws increases with c, is 0 at
    c = 0, and at c = S + 3 sigma/500 it is at least S, as the density there at the upper end is at most 3/500 of the
    mass over sigma.  So 0 <= c <= S + 3 sigma/500, both ends are at least h_0 = 1497/500 standard deviations from c,
    and the window has at least the mass of [-h_0, h_0].  By parts, the variance is sigma^2 minus, for each end,
    sigma^2 times its distance from the mean times its density; the distance is at most that from c plus sigma^2
    times the density.  With h >= h_0 for the distance of an end over sigma, that is at most 1/72 for each.
    """
    return combine(by_parts(), variance_lost(Fraction(1, 72)))


# --- one round ----------------------------------------------------------------------------------------------


def contracted() -> Evidence:
    """Y = b + y under P_b, of centre c = b - e; contracted to b + q y: the quadratic part of the divergence.

    With E y = 0 and E y^2 = V it is (1 - q^2) V/(2 s^2), and q^2 = 1/D makes it k q^2 V/(2 gamma), as s^2 = gamma n2
    and D = 1 + k n2.
    """
    squares = implies(["Ey == 0", "Ey2 == V"], "Ey2 + 2*e*Ey + e**2 - (q**2*Ey2 + 2*e*q*Ey + e**2) == (1 - q**2)*V")
    weights = implies(
        ["n2 > 0", "k >= 0", "gamma > 0", "s2 == gamma*n2", "q2*(1 + k*n2) == 1"],
        "(1 - q2)*V/(2*s2) == k*q2*V/(2*gamma)",
    )
    return combine(squares, weights)


def convex_excess() -> Evidence:
    """(e^{R|y|} - 1 - R|y|)/R^2 - y^2/(2 gamma) is convex for gamma >= 1: its slope increases, on both sides of 0."""
    y, R, gamma = sp.symbols("y R gamma", positive=True)
    excess = (sp.exp(R * y) - 1 - R * y) / R**2 - y**2 / (2 * gamma)
    return combine(
        symbolic.identity(sp.Derivative(excess, y, 2), sp.exp(R * y) - 1 / gamma),
        ladder.inequality("exp(u) >= 1", "u"),
        implies(["gamma >= 1", "e >= 1"], "e - 1/gamma >= 0"),
    )


def moved(factor: Fraction) -> Evidence:
    """KL(P_b | P_a), the integral of (b - u)/V_u, is at most factor (b - a)^2/(2 sigma^2) by the bound on V_u."""
    u, a, b = sp.symbols("u a b", real=True)
    square = symbolic.integral(b - u, -((b - u) ** 2) / 2, u, a, b, (b - a) ** 2 / 2)
    below = implies(["s2 > 0", "V >= s2*35/36", "e >= 0"], f"e/V <= ({factor})*e/s2")
    return combine(square, below)


def window_fits() -> Evidence:
    """sigma^2 <= gamma/lambda and lambda >= 9 gamma/b^2 keep the window within b of [-S, S]."""
    return implies(
        ["lam > 0", "gamma > 0", "b > 0", "s >= 0", "s**2*lam <= gamma", f"lam*b**2 >= {WINDOW}**2*gamma"],
        f"{WINDOW}*s <= b",
    )


def local_round(factor: Fraction) -> Evidence:
    parts = (any_law(), rank_one_update(), growth(), half_normal(), cost_of_a_round(), contracted(), convex_excess())
    return combine(
        *parts, moved(factor), window_fits(), curvature_excess(MIXTURE_PAIRS[MIXTURE_CHOICE], Fraction(1, 2))
    )


@claim(
    "lemma:mixture-ineq",
    "eq:term-b",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{36}{35} \cdot \frac{1}{2 \gamma} \sum_s "
    r"\lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2 + \frac{27 \gamma}{40} \log \frac{\det H_{t+1}}{\det H_1}",
    reading="repaired",
    hypotheses=(
        LOCAL,
        *ROUNDS,
        "theta_s, theta_{s+1} in Theta",
        "gamma >= 1",
        "lambda >= 4 gamma R^2 and lambda >= 9 gamma/b^2",
    ),
    expected="certified",
    control=("the factor 36/35 - 10^-6 of the moves", lambda: local_round(MOVES_FACTOR - Fraction(1, 10**6))),
    uses=("self_concordance_mean", "elliptical_potential_repaired", "windowed_normal_variance"),
    facts=(
        "gibbs",
        "tilted-window",
        "convex-order",
        "sherman-morrison",
        "determinant-lemma",
        "taylor",
        "monotone",
        "loewner-order",
    ),
)
def local_mixture_bound() -> Evidence:
    """A mixture in a window bounds the mix loss in every round, with no horizon and no price for the window.

    Only <x_s, theta> matters, so the mixture may be a law on the line.  For P_s = P_a and any law Q,
    -log E exp(-loss) <= E_Q loss + KL(Q | P_a).  Let Q be the law P_b contracted towards its mean b by D^{-1/2}, where
    D = det H_{s+1}/det H_s, which the determinant lemma gives: it stays in the window, which is convex, and in
    [-S - b, S + b].  As log(P_b/P_a) is affine and P_b and Q have one mean, KL(Q | P_a) = KL(Q | P_b) + KL(P_b | P_a).
    The first is (log D - (1 - 1/D) V_b/sigma^2)/2, by a change of variables; the second is the integral from a to b
    of (b - u)/V_u, at most 36/35 of (b - a)^2/(2 sigma^2), which is at most the squared move over 2 gamma.  Loss and
    the second part of the first divergence hold Y = b + y, of law P_b, in the mean of k (f(q y) - (q y)^2/(2 gamma))
    with q = D^{-1/2}, k = (w/g) mu'(b) and f(y) = (e^{R|y|} - 1 - R|y|)/R^2, by Taylor's formula inside the window;
    the linear part of the loss has mean zero, whatever the reward.  This is convex in y, and the density of P_b
    minus that of N(b, sigma^2) has the signs -, +, -, as the logarithm of their ratio is affine in the window: so P_b
    is smaller in the convex order, and the mean is at most that of the untruncated normal law.  From there the
    costs are those of `mixture_bound`: max(27/20 gamma, 1)/2 log D a round.
    """
    return local_round(MOVES_FACTOR)


# --- the theorem ----------------------------------------------------------------------------------------------


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    "app:proof-cs",
    math=r"\mathbb{P} \left( \theta_\star \in C_t \text{ for all } t \right) \ge 1 - \delta, \; \beta_t^2 = 2 \eta "
    r"\log \frac{1}{\delta} + c \gamma \eta \log \frac{\det H_t}{\det H_1} + \lambda (S + \lVert \theta_1 \rVert)^2, "
    r"\; \gamma = \frac{36}{35} \cdot \frac{\eta}{1 - \varepsilon}",
    reading="repaired",
    hypotheses=(
        NORMALISED,
        LOCAL,
        BUDGET,
        *SETTING,
        "0 < eps < 1",
        "lambda >= 4 gamma R^2 and lambda >= 9 gamma/b^2, with c = 27/20",
        "lambda >= min((2 eta alpha R_s S L_mu/eps)^2, 2 eta R_s S L_mu/(eps g_min))",
    ),
    discharges=FIXED_BUDGET,
    control=("the coefficient multiplied by 1 - 10^-6", 1 - TINY),
    uses=(
        "inverse_regret_sharper",
        "inverse_regret_expansion",
        "mixture_confidence",
        "local_mixture_bound",
        "determinant_bound_sharper",
        "corruption_term",
        "radius_of_the_theorem",
    ),
)
def local_confidence_sequence(share: sp.Rational = sp.S.One) -> Evidence:
    """theta_* is in C_t for all t when the link is self-concordant on [-S - b, S + b], for any b > 0.

    The window makes every family with a domain larger than [-S, S] fit, also those whose m is infinite further out.
    eta holds R_s of [-S, S] alone, since the iterates stay in Theta; R of the larger interval is in lambda only.
    The supermartingale is that of lemma:mixture: densities are met inside the window, where they have mass one.
    """
    # gamma (1 - eps) = 36/35 eta cancels the moves, and 2 eta times c gamma/2 is c gamma eta.
    return implies(
        ["eta >= 1", "eps >= 0", "eps < 1", f"gamma*(1 - eps) == ({MOVES_FACTOR})*eta", "V >= 0", "D >= 0",
         "cgD == c*gamma*D", "Y <= ld", f"2*gamma*Z <= ({MOVES_FACTOR})*V + gamma*cgD",
         "X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V"],
        f"X2 <= 2*eta*ld + ({share})*eta*cgD + B + 2*eta*K",
    )  # fmt: skip


@claim(
    "app:proof-cs",
    math=r"\lambda = \max \left( \tfrac{216}{35} \eta R^2, \frac{486 \eta}{35 b^2}, 36 \eta^2 \alpha^2 R_s^2 S^2 "
    r"L_\mu^2, \frac{d}{4 S^2} \right), \; \beta_t^2 = 2 \eta \log \frac{1}{\delta} + \tfrac{729}{350} \eta^2 \log "
    r"\frac{\det H_t}{\det H_1} + 4 \lambda S^2",
    reading="repaired",
    hypotheses=("eps = 1/3 and c = 27/20", "|theta_1| <= S", "R is valid on [-S - b, S + b]"),
    control=("D multiplied by 1 - 10^-6 in beta_t", 1 - TINY),
)
def choice_of_the_local_constants(share: sp.Rational = sp.S.One) -> Evidence:
    """lambda and beta_t of the local learner meet the conditions of the local theorem, with eps = 1/3.

    b is chosen before the first round, among a few, for the least lambda; the theorem holds for each.
    """
    chosen = [f"eps == {MOVES_SPENT}", f"c == {MIXTURE_PAIRS[MIXTURE_CHOICE]}"]
    spread = f"gamma == {text_of(local.spread_local, 'eta')}"
    names = ("d", "S", "eta", "alpha", "R_s", "L_mu", "R", "b")
    facts = [*chosen, spread, "d >= 1", "eta >= 1", "R_s >= 0", "R >= 0", "b > 0", "S > 0", "alpha > 0", "L_mu > 0",
             f"lam >= {text_of(local.lam_local, *names)}"]  # fmt: skip
    radius = text_of(lambda *given: local.beta_from_logdet_local(*given) ** 2, "S", "exp(-ld)", "eta", "lam",
                     f"({share})*D")  # fmt: skip
    start = [*chosen, spread, "eta >= 1", "D >= 0", "lam > 0", "e2 <= 4*S**2"]
    return combine(
        implies([*chosen, spread], f"gamma*(1 - eps) == ({MOVES_FACTOR})*eta"),
        implies([*chosen, spread, "eta >= 1"], "gamma >= 1"),
        implies(facts, f"lam >= {MIXTURE_CHOICE}*gamma*R**2"),
        implies(facts, f"lam*b**2 >= {WINDOW}**2*gamma"),
        implies(facts, "eps**2*lam >= (2*eta*alpha*R_s*S*L_mu)**2"),
        implies(start, f"2*eta*ld + c*gamma*eta*D + lam*e2 <= {radius}"),
    )
