"""What other modules share of app:proof-cs; its claims are in `confidence.assembly`.

X2 is the squared error |theta_{t+1} - theta_*|^2 in H_{t+1}, D = log(det H_{t+1}/det H_1), V the sum of
the squared moves |theta_{s+1} - theta_s|^2 in H_s, and K the corruption term, the sum of (w_s/g_s) c_s
<x_s, theta_{s+1} - theta_*>.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import algebra, symbolic
from glbcheck.verify.writing import Evidence, combine, implies

from .quantities import MIXTURE_COST, MIXTURE_LAM, SPREAD, WEIGHT, WIDENING, beta_squared

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


# --- the constants ----------------------------------------------------------------------------------------


def printed_lambda(regularisation: str) -> Evidence:
    """lam at least this regularisation meets the condition of the mixture lemma for gamma = 3 eta/2."""
    facts = ["d >= 1", "eta >= 1", "R_s >= 0", "S > 0", "alpha > 0", "L_mu > 0", f"gamma == {SPREAD}"]
    return implies([*facts, f"lam >= {regularisation}"], f"lam >= {MIXTURE_LAM}")


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


# --- the event and the radius -------------------------------------------------------------------------


def first_round(share: sp.Rational) -> Evidence:
    """lambda |theta_1 - theta_*|^2 is below share beta_1^2, where det H_1/det H_1 has the logarithm 0."""
    facts = ["lam > 0", "S > 0", "eta >= 1", "ld >= 0", "e >= 0", "e <= 2*S"]
    return implies(facts, f"lam*e**2 <= ({share})*({beta_squared(D='0')})")


def solved(share: sp.Rational) -> Evidence:
    """At the largest error X_zeta, the quadratic inequality; then back to t, with beta_zeta <= beta_t."""
    errors = ["Xz >= 0", "Xt >= 0", "Xt <= Xz", "bz >= 0", "bt >= bz", "eta >= 1", "alpha > 0", "C >= 0"]
    return implies([*errors, "Xz**2 <= bz**2 + 2*eta*(alpha*C*Xz)"], f"Xt <= bt + ({share})*{WIDENING}")
