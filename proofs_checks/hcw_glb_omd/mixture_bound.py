"""What other modules share of lemma:mixture-ineq; its claims are in `confidence.mix_loss`.

D = det H_{s+1}/det H_s, sigma^2 = gamma |x|^2 in H_{s+1}^-1, and c(a) = 2 E[e^{a|N|} - 1 - a|N|]/a^2 for a standard
normal N, as in the argument of `mixture_bound`.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.search import cover, ladder, symbolic
from glbcheck.verify.writing import Evidence, combine, implies

from .quantities import MIXTURE_COST

ROUNDS = ("|x_s| <= 1", "0 < w_s <= 1", "H_{s+1} = H_s + (w_s/g_s) mu'(<x_s, theta_{s+1}>) x_s x_s^T")


# --- the parts of the proof -------------------------------------------------------------------------


def rank_one_update() -> Evidence:
    """With n = |x|^2 in H^-1 and H' = H + k x x^T: n' = n/(1 + kn), and k n' = 1 - 1/D for D = 1 + kn.

    n' is Sherman-Morrison, D the determinant lemma, and tr(H H'^-1) = d - k n' because H = H' - k x x^T.
    """
    n, k = sp.symbols("n k", positive=True)
    shrunk = symbolic.identity(n - k * n**2 / (1 + k * n), n / (1 + k * n))
    return combine(shrunk, symbolic.identity(k * n / (1 + k * n), 1 - 1 / (1 + k * n)))


def growth() -> Evidence:
    """m(z + y) - m(z) - mu(z) y <= mu'(z)(e^u - 1 - u)/R^2 with u = R|y|: Taylor and mu' <= mu'(z) e^{uv}."""
    z, y, v = sp.symbols("z y v")
    u = sp.Symbol("u", positive=True)
    slope = symbolic.smooth("m", 2)(z + v * y)
    taylor = symbolic.taylor_remainder("m", 1, (1 - v) * slope * y**2, v, z + v * y, z, z + y, (0, 1))
    largest = symbolic.integral(
        (1 - v) * sp.exp(u * v), ((1 - v) / u + 1 / u**2) * sp.exp(u * v), v, 0, 1, (sp.exp(u) - 1 - u) / u**2
    )
    return combine(taylor, largest)


def half_normal() -> Evidence:
    """Antiderivatives of e^{ay} and of y against the normal density on [0, oo).

    At the ends they give E e^{a|N|} = e^{a^2/2}(1 + erf(a/sqrt 2)) and E|N| = sqrt(2/pi).
    """
    a, y, c = sp.symbols("a y c", real=True)
    density = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi)
    # The first with c for 1/sqrt(2), for which the slope is e^{ay} times the density.
    moment, gauss = sp.exp(a**2 / 2) * sp.erf(c * (y - a)) / 2, sp.exp(a**2 / 2 - c**2 * (y - a) ** 2)
    return combine(
        symbolic.identity(sp.Derivative(moment, y), c * gauss / sp.sqrt(sp.pi)),
        implies(["half == (1/sqrt(2))**2"], "a**2/2 - half*(y - a)**2 == a*y - y**2/2"),
        implies(["p > 0"], "(1/sqrt(2))/sqrt(p) == 1/sqrt(2*p)"),
        symbolic.identity(sp.Derivative(-density, y), y * density),
    )


def curvature_excess(c: Fraction, reach: Fraction) -> Evidence:
    """c(a) <= c for 0 <= a <= reach, cleared of a^2."""
    return cover.certify(
        f"exp(a**2/2)*(1 + erf(a/sqrt(2))) - 1 - a*sqrt(2)/sqrt(pi) <= ({c})*a**2/2", {"a": (0, reach)}
    )


def cost_of_a_round() -> Evidence:
    """(A + (G - 1)B)/2 <= max(G, 1)/2 A <= (2 gamma + 1/2) A for A = log D, B = 1 - 1/D, G = gamma c."""
    below = ladder.inequality("u/(1 + u) <= log(1 + u)", "u")
    _names, facts = ["A", "B", "G"], ["B >= 0", "B <= A", "G >= 0"]
    sharp = implies(facts, "(A + (G - 1)*B)/2 <= max(G, 1)/2*A")
    printed = implies(["gamma > 0", "G <= 5/4*gamma"], f"max(G, 1)/2 <= {MIXTURE_COST}")
    return combine(below, sharp, printed)


def any_law() -> Evidence:
    """log x <= x - 1: Jensen's inequality for the logarithm, which gives the bound by E_Q loss + KL."""
    return combine(
        ladder.inequality("log(1 + u) <= u", "u"),
        ladder.inequality("log(1 - u) <= -u", "u", 0, 1, closed=(True, False)),
    )
