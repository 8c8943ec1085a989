"""The self-normalised bound: a supermartingale for every direction, their mixture, Ville."""

from __future__ import annotations

from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, decided, implies

from .setting import NOISE


@claim(
    "lem:supermartingale",
    "lem:supermartingale/eq1",
    math=r"\mathbb{E}[M_t(u) \mid F_{t-1}] \le M_{t-1}(u), \; \mathbb{E} M_0(u) = 1",
    hypotheses=(NOISE, "x_t is known before eta_t"),
    control=("half of the correction", "1/4"),
    facts=("tower",),
)
def supermartingale(share: str = "1/2") -> Evidence:
    """M_t(u) is a supermartingale of mean at most 1, for every u.

    Write v = <u, x_t>, known before eta_t.  The mean e of exp(eta_t v/R) given the past is at most exp(v^2/2), so
    that the factor of round t has conditional mean at most 1; what is known is taken out of the conditional mean.
    """
    return decided(f"e >= 0, e <= exp(v**2/2) => e*exp(-({share})*v**2) <= 1")


def completed_square(share: str) -> Evidence:
    """The exponent of one direction times the normal density: a square, and what remains."""
    return symbolic.identity(
        "u*z/R - a*u**2/2 - lam*u**2/2",
        f"({share})*z**2/(R**2*(lam + a)) - (lam + a)*(u - z/(R*(lam + a)))**2/2",
        variables=["u", "z", "R", "a", "lam"],
        hypotheses=["R > 0", "lam > 0", "a >= 0"],
    )


@claim(
    "lem:mixture",
    "lem:mixture/eq1",
    math=r"\int M_t(u) \, dN(0, (\lambda I)^{-1})(u) = \left( \frac{\lambda^d}{\det V_t} \right)^{1/2} "
    r"e^{|z_t|^2_{V_t^{-1}} / (2 R^2)}",
    hypotheses=("lambda > 0", "R > 0"),
    control=("|z|^2/R^2 without the factor 1/2", "1"),
    facts=("spectrum", "tonelli", "normal-density"),
)
def mixture(share: str = "1/2") -> Evidence:
    """The mean of M_t(u) over u ~ N(0, (lambda I)^-1) is (lambda^d/det V_t)^(1/2) exp(|z_t|^2/(2 R^2)) in V_t^-1.

    In a basis of eigenvectors of the sum of x_s x_s^T, with eigenvalues a_i, the exponent is a sum over the coordinates
    and so the integral a product.  In each the square is completed; sqrt(lambda/(2 pi)) times the integral of the
    square's exponential is sqrt(lambda/(lambda + a_i)), as a normal density has mass 1.  The product of lambda + a_i
    is det V_t, and the sum of z_i^2/(lambda + a_i) the squared norm of z.
    """
    return completed_square(share)


@claim(
    "thm:self-normalised",
    "thm:self-normalised/eq1",
    math=r"\mathbb{P} \left( \forall t : |z_t|^2_{V_t^{-1}} \le 2 R^2 \log \frac{(\det V_t)^{1/2}}{\delta "
    r"\lambda^{d/2}} \right) \ge 1 - \delta",
    hypotheses=(NOISE, "lambda > 0", "0 < delta < 1"),
    control=("R^2 in place of 2 R^2", "1"),
    uses=("supermartingale", "mixture"),
    facts=("ville", "tonelli"),
)
def self_normalised(factor: str = "2") -> Evidence:
    """With probability at least 1 - delta, |z_t|^2 in V_t^-1 is at most 2 R^2 log(sqrt(det V_t/lambda^d)/delta).

    The mixture of supermartingales is one, by exchanging integrals, and starts at 1.  By Ville it stays below 1/delta
    with probability at least 1 - delta.  Where q, the squared norm, exceeds the bound, the mixture e^a/sqrt(D) with
    a = q/(2 R^2) and D = det V_t/lambda^d does exceed 1/delta: a is above the level log(sqrt(D)/delta), by h.
    """
    return combine(
        implies(["R > 0", f"q > ({factor})*R**2*level"], "q/(2*R**2) > level"),
        decided("h > 0 => exp(h) > 1"),
        implies(["D > 0", "root > 0", "root**2 == D", "delta > 0", "e > root/delta"], "e/root > 1/delta"),
    )
