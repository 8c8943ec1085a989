"""app:proof-cs: from the four lemmas to the confidence sequence, every constant recomputed.

X2 is the squared error |theta_{t+1} - theta_*|^2 in H_{t+1}, D = log(det H_{t+1}/det H_1), V the sum of
the squared moves |theta_{s+1} - theta_s|^2 in H_s, and K the corruption term, the sum of (w_s/g_s) c_s
<x_s, theta_{s+1} - theta_*>.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import algebra, ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, definition, fails, implies, states, structural

from .quantities import GROWTH_RATE, MIXTURE_COST, MIXTURE_LAM, SPREAD, WEIGHT, WIDENING, beta_squared, lam
from .unprinted import BUDGET, GROWTH, NORMALISED, PREDICTABLE

FIXED_BUDGET = {PREDICTABLE: "C is fixed in advance, so alpha, w_t and P_t depend on the past, x_t and tau_t alone"}

TINY = sp.Rational(1, 10**6)

structural(
    "app:proof-cs", reason="heading of the proof; each of its displays is claimed below or with the lemma that it uses"
)
definition(
    "app:proof-cs/eq11", reason="the event that the bound of app:proof-cs/eq9 holds for all t; see `event_is_likely`"
)


# --- the corruption is separated ------------------------------------------------------------------------


# Corrupted weighted losses at z1 and z2, against the true ones and a corruption term.
CORRUPTED_LOSSES = (
    "m: function, g > 0 => w/g*(m(z1) - (r + c)*z1) - w/g*(m(z2) - (r + c)*z2) "
    "== w/g*(m(z1) - r*z1) - w/g*(m(z2) - r*z2) + w/g*c*(z2 - z1)"
)


def corrupted_difference(sign: int) -> Evidence:
    """Corrupted weighted losses at z1 and z2, against the true ones and a corruption term of this sign."""
    z1, z2, r, c, w, g = sp.symbols("z1 z2 r c w g")
    m = symbolic.smooth("m")

    def loss(z: sp.Expr, reward: sp.Expr) -> sp.Expr:
        return (m(z) - reward * z) / g

    corrupted = w * loss(z1, r + c) - w * loss(z2, r + c)
    return symbolic.identity(corrupted, w * loss(z1, r) - w * loss(z2, r) + sign * w / g * c * (z2 - z1))


states(
    CORRUPTED_LOSSES,
    "app:proof-cs/eq2",
    id="corruption_in_the_losses",
    control=("c*(z2 - z1)", "c*(z1 - z2)"),
    why="z1 = <x, theta_1> and z2 = <x, theta_2>; the observed reward is r + c, and m cancels from the corruption.",
)


@claim(
    "eq:inverse-regret-expansion",
    math=r"\sum_s \left( \tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) = Y_t + Z_t + \sum_s "
    r"\frac{w_s c_s}{g_s} \langle x_s, \theta_\star - \theta_{s+1} \rangle",
    hypotheses=("the observed reward is r_s + c_s",),
    expected="refuted",
    control=("theta_{s+1} - theta_* in the last term", "new - star"),
    coq="HCW.Refutations.printed_expansion_false",
    severity="slip",
    consequence="eq:estimation-error and all that follows have the right sign, theta_{s+1} - theta_*",
    carries=("estimation_error",),
)
def expansion_as_printed(last_term: str = "star - new") -> Evidence:
    """The expansion of the inverse regret is printed with corruption term c <x, theta_* - theta_{s+1}>.

    This contradicts app:proof-cs/eq2 at theta_1 = theta_*, theta_2 = theta_{s+1}: one round already
    differs.  Gaussian rewards, d = S = C = x = g = 1, theta_1 = 0, reward 0 shown as 1, theta_* = -1.
    """
    # One round of the algorithm with eta = 1, lam = 1/4, alpha = 1: w = 1/2, theta_2 = 2/3; Y + Z drops the mix loss.
    return fails(
        ("S > 0", "abs(star) <= S", "abs(new) <= S", "abs(c) <= C"),
        f"w*(at_star - seen*star - at_new + seen*new) == w*(at_star - r*star - at_new + r*new) + w*c*({last_term})",
        {
            "seen": "r + c",
            "lam": "1/(4*S**2)",
            "alpha": "1/max(C, 1)",
            "w": "min(1, alpha*sqrt(lam))",
            "new": "w*seen/(w + lam)",
            "at_star": "star**2/2",
            "at_new": "new**2/2",
        },
        at={"S": 1, "C": 1, "r": 0, "c": 1, "star": -1},
    )


@claim(
    "eq:inverse-regret-expansion",
    math=r"\sum_s \left( \tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) = Y_t + Z_t + \sum_s "
    r"\frac{w_s c_s}{g_s} \langle x_s, \theta_{s+1} - \theta_\star \rangle",
    reading="repaired",
    hypotheses=("the observed reward is r_s + c_s",),
    control=("the printed sign", -1),
    uses=("corruption_in_the_losses",),
)
def inverse_regret_expansion(sign: int = 1) -> Evidence:
    """Inverse regret = Y_t + Z_t + K with K the sum of (w_s/g_s) c_s <x_s, theta_{s+1} - theta_*>."""
    # One round, with the mix loss added and subtracted.
    losses = ["star", "new", "mix", "w"]
    split = symbolic.identity("w*star - w*new", "(w*star - w*mix) + (w*mix - w*new)", variables=losses)
    return combine(corrupted_difference(sign), split)


# --- the constants ----------------------------------------------------------------------------------------


def printed_lambda(regularisation: str) -> Evidence:
    """lam at least this regularisation meets the condition of the mixture lemma for gamma = 3 eta/2."""
    facts = ["d >= 1", "eta >= 1", "R_s >= 0", "S > 0", "alpha > 0", "L_mu > 0", f"gamma == {SPREAD}"]
    return implies([*facts, f"lam >= {regularisation}"], f"lam >= {MIXTURE_LAM}")


@claim(
    "eq:term-b",
    hypotheses=("gamma = 3 eta/2",),
    control=("96/7 - 10^-6 instead of 14", lambda: printed_lambda(lam().replace("14*", "(96/7 - 10**-6)*"))),
)
def lambda_of_the_theorem_suffices() -> Evidence:
    """lambda >= 14 d eta R_s^2 implies the condition lambda >= 64 d gamma R_s^2/7 of lemma:mixture-ineq.

    96/7 would do instead of 14.
    """
    return printed_lambda(lam())


def substituted(share: sp.Rational) -> Evidence:
    """The three bounds put together, first for any gamma, then for gamma = 3 eta/2; `share` of D counts in beta_t."""
    facts = [
        "eta >= 1", "gamma > 0", "V >= 0", "D >= 0",
        "X2 <= 2*eta*(Y + Z + K) + 4*lam*S**2 - 2/3*V",
        "Y <= ld",
        f"Z <= V/(2*gamma) + ({MIXTURE_COST})*D",
    ]  # fmt: skip
    moved = "X2 <= 2*eta*ld + (4*gamma + 1)*eta*D + 4*lam*S**2 + eta/gamma*V - 2/3*V + 2*eta*K"
    radius = beta_squared(D=f"({share})*D")
    final = implies(["eta >= 1", "D >= 0", f"gamma == {SPREAD}", moved], f"X2 <= {radius} + 2*eta*K")
    return combine(implies(facts, moved), final)


@claim(
    "eq:estimation-error",
    "app:proof-cs/eq9",
    hypotheses=("eq:term-a, eq:term-b and app:proof-cs/eq1", "gamma = 3 eta/2, B = 4 lambda S^2, ld = log(1/delta)"),
    control=("D multiplied by 1 - 10^-6 in beta_t", lambda: substituted(1 - TINY)),
    uses=("inverse_regret_as_used", "corruption_in_the_losses", "lambda_of_the_theorem_suffices", "determinant_bound"),
)
def estimation_error() -> Evidence:
    """Given the bounds on Y_t and Z_t, the squared error is at most beta_{t+1}^2 + 2 eta K.

    The substitution alone: what the two bounds need is said where they are decided.  The expansion that is
    substituted is not the printed one but that with the right sign, which one round shows.
    2 eta (2 gamma + 1/2) = (4 gamma + 1) eta = 6 eta^2 + eta, and eta/gamma = 2/3 cancels the moves.  The
    sum in beta_{t+1} runs to t: beta_t of the theorem, with its sum to t - 1, is the same sequence.
    """
    return combine(corrupted_difference(1), substituted(sp.S.One))


@claim(
    "app:proof-cs/eq7",
    "app:proof-cs/eq8",
    hypotheses=("|x_s| <= 1", "0 < w_s <= 1", "0 <= mu' <= L_mu on [-S, S]", "theta_{s+1} in Theta"),
    control=("L_mu multiplied by 1 - 10^-6", 1 - TINY),
    facts=("spectrum",),
)
def determinant_bound(share: sp.Rational = sp.S.One) -> Evidence:
    """det H_{t+1}/det H_1 <= (1 + sum of L_mu/(lambda g_s))^d.

    v^T H_{t+1} v <= lambda + sum of L_mu/g_s for unit vectors v, so every eigenvalue is at most that,
    and the determinant is their product.
    """
    names = ["d", "lam", "L_mu", "s"]
    ratio = symbolic.identity("(lam + L_mu*s)/lam", f"1 + ({GROWTH_RATE})*s", variables=names)
    return combine(growth_of_the_hessian(share), ratio)


def growth_of_the_hessian(share: sp.Rational) -> Evidence:
    """e = v^T H v for a unit vector v, s the sum of 1/g: e <= lam + share L s survives a round.

    The trace of H starts at d lambda, here lam, and grows likewise.
    """
    term = implies(["w > 0", "w <= 1", "slope >= 0", "slope <= L", "p >= 0", "p <= 1"], "w*slope*p <= L")
    summed = algebra.induction(
        f"e <= lam + ({share})*L*s",
        ["e", "s"],
        initial=["e == lam", "s == 0"],
        transition=["ginv > 0", "k >= 0", "k <= L", "e_next == e + k*ginv", "s_next == s + ginv"],
        always=["L > 0", "lam > 0"],
        parameters=["L", "lam"],
        auxiliary=["ginv", "k"],
    )
    return combine(term, summed)


# --- the corruption term ------------------------------------------------------------------------------


def corruption_step(share: sp.Rational) -> Evidence:
    """One summand: (w/g) c e <= share alpha |c| X with e = <x_s, theta_{s+1} - theta_*>, X the new error.

    n = |x_s| in H_s^-1; `old` is the error of theta_{s+1} in H_s, at most X, its error in H_{s+1}.
    """
    weight = implies(["alpha > 0", "g > 0", "n >= 0", f"w == {WEIGHT}"], "w*n <= alpha*g")
    cauchy = implies(["n >= 0", "old >= 0", "X >= old", "e**2 <= n**2*old**2"], "abs(e) <= n*X")
    weighted = implies(
        ["w > 0", "g > 0", "n >= 0", "X >= 0", "alpha > 0", "w*n <= alpha*g", "abs(e) <= n*X"],
        f"w/g*abs(e) <= ({share})*alpha*X",
    )
    signed = implies(["b >= 0", "abs(q) <= b"], "c*q <= abs(c)*b")
    return combine(weight, cauchy, weighted, signed)


def corruption_sum() -> Evidence:
    """A is alpha times the budget spent, X the largest error so far: K <= A X is kept by one more round."""
    return algebra.induction(
        "K <= A*X",
        ["K", "A", "X"],
        initial=["K == 0", "A == 0"],
        transition=["b >= 0", "k <= b*X_new", "X_new >= 0", "K_next == K + k", "A_next == A + b",
                    "X_next == max(X, X_new)"],
        always=["A >= 0", "X >= 0"],
        auxiliary=["b", "k", "X_new"],
    )  # fmt: skip


@claim(
    "app:proof-cs/eq10",
    hypotheses=("w_s |x_s| <= alpha g_s in H_s^-1", "H_s <= H_{s+1}", "sum of |c_s| <= C"),
    control=("alpha multiplied by 1 - 10^-6", lambda: combine(corruption_step(1 - TINY), corruption_sum())),
    facts=("cauchy-schwarz", "loewner-order"),
)
def corruption_term() -> Evidence:
    """K <= alpha C max over s <= t of X_{s+1}, with X_s = |theta_s - theta_*| in H_s.

    Cauchy-Schwarz in H_s, then |.| in H_s <= |.| in H_{s+1} because mu' >= 0, then the definition of w_s.
    For x_s = 0 the weight is 1 and the summand vanishes.
    """
    return combine(corruption_step(sp.S.One), corruption_sum())


# --- the event and the radius -------------------------------------------------------------------------


def first_round(share: sp.Rational) -> Evidence:
    """lambda |theta_1 - theta_*|^2 is below share beta_1^2, where det H_1/det H_1 has the logarithm 0."""
    facts = ["lam > 0", "S > 0", "eta >= 1", "ld >= 0", "e >= 0", "e <= 2*S"]
    return implies(facts, f"lam*e**2 <= ({share})*({beta_squared(D='0')})")


@claim(
    "app:proof-cs/eq11",
    math=r"\mathbb{P}(E_\delta) \ge 1 - \delta",
    reading="repaired",
    hypotheses=("0 < delta <= 1", "theta_1, theta_* in Theta", NORMALISED, GROWTH, BUDGET),
    discharges=FIXED_BUDGET,
    control=("beta_1^2 multiplied by 1 - 10^-6", lambda: first_round(1 - TINY)),
    uses=("estimation_error", "mixture_confidence", "mixture_bound", "order_of_play"),
    facts=("triangle",),
)
def event_is_likely() -> Evidence:
    """The event E_delta has probability at least 1 - delta.

    It contains the event of eq:term-a: for t >= 2 by `estimation_error` at t - 1, as `mixture_bound` gives
    eq:term-b with room, and at t = 1, which the derivation does not reach, because X_1^2 <= 4 lambda S^2 <=
    beta_1^2 always.
    """
    return first_round(sp.S.One)


def solved(share: sp.Rational) -> Evidence:
    """At the largest error X_zeta, the quadratic inequality; then back to t, with beta_zeta <= beta_t."""
    errors = ["Xz >= 0", "Xt >= 0", "Xt <= Xz", "bz >= 0", "bt >= bz", "eta >= 1", "alpha > 0", "C >= 0"]
    return implies([*errors, "Xz**2 <= bz**2 + 2*eta*(alpha*C*Xz)"], f"Xt <= bt + ({share})*{WIDENING}")


@claim(
    "app:proof-cs/eq12",
    "app:proof-cs/eq13",
    "app:proof-cs/eq14",
    hypotheses=("the event E_delta",),
    control=("2 eta alpha C multiplied by 1 - 10^-6", lambda: solved(1 - TINY)),
    uses=("corruption_term", "quadratic_inequality", "self_bounding_inequality"),
)
def radius_of_the_theorem() -> Evidence:
    """On E_delta, X_t <= beta_t + 2 eta alpha C for all t.

    eq12: at t, the corruption term bounds by the largest of X_2, ..., X_t, which is at most the largest
    of X_1, ..., X_t (at t = 1 the sum is empty).  eq13: among X_1, ..., X_zeta the largest is X_zeta
    itself.  eq14: beta_t does not decrease, since each round adds a non-negative term inside an
    increasing logarithm.
    """
    return combine(ladder.inequality("log(1 + u) >= 0", "u"), solved(sp.S.One))
