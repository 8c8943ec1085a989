"""The quantities of the paper as the claims write them: formulas as text, from `core.theory.constants` alone.

ld stands for log(1/delta), so that delta = exp(-ld), and D for log(det H_t/det H_1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from glbcheck.core.theory import constants
from glbcheck.core.theory.constants import PAPER, REPAIRED, Setting
from glbcheck.verify.writing import text_of

SYMBOLS = [field.name for field in fields(Setting) if field.name != "use"]


def lam(
    d: str = "d", S: str = "S", eta: str = "eta", alpha: str = "alpha", R_s: str = "R_s", L_mu: str = "L_mu",
    use: constants.Formulas = PAPER,
) -> str:  # fmt: skip
    """The regularisation of theorem:confidence-sequence."""
    return text_of(use.lam, d, S, eta, alpha, R_s, L_mu)


def beta_squared(
    ld: str = "ld", lam: str = "lam", D: str = "D", S: str = "S", eta: str = "eta", use: constants.Formulas = PAPER
) -> str:
    """beta_t^2 with the logarithm of the determinants, or a bound on it, given."""
    return text_of(lambda *given: use.beta_from_logdet(*given) ** 2, S, f"exp(-({ld}))", eta, lam, D)


def of_setting(function: Callable[..., Any], *more: str, **known: str) -> str:
    """A function of the setting, and of more; what is not given is a symbol of its own name, lam among them."""

    def value(lam: Any, *given: Any) -> Any:
        chosen = dict(zip(SYMBOLS, given, strict=False))
        setting = Setting(**chosen, use=replace(PAPER, lam=lambda *_: lam))
        return function(setting, *given[len(SYMBOLS) :])

    return text_of(value, known.get("lam", "lam"), *(known.get(name, name) for name in SYMBOLS), *more)


ALPHA = text_of(constants.alpha, "d", "C")
WEIGHT = text_of(constants.weight, "alpha", "g", "n")
WIDENING = text_of(constants.widening, "eta", "alpha", "C")
GROWTH_RATE, GROWTH_RATE_REPAIRED = (text_of(use.growth_rate, "d", "lam", "L_mu") for use in (PAPER, REPAIRED))
SPREAD = text_of(constants.spread, "eta")
MIXTURE_LAM = text_of(constants.mixture_lam, "d", "gamma", "R_s")
MIXTURE_COST = text_of(constants.mixture_cost, "gamma")

# One round of the algorithm from its definitions with the linear link mu(z) = L z, for which R_s = 0, eta = 1 and
# kappa = 1/L; normal rewards of variance g L have it for every g.  x has norm 1, C = 0.
ONE_ROUND = f"""
    d: the dimension; L: the slope of mu; S: the bound on the parameter; g: the dispersion; R: R_s of a linear link
    C: the budget; alpha: the scale of the weights; lam: the regularisation; n: the norm of the arm
    w: the weight of the round; u: its term of the potential
    R := 0
    C := 0
    kappa := 1/L
    alpha := {ALPHA}
    lam := max(14*d*R**2, 36*alpha**2*R**2*S**2*L**2, d/(4*S**2))
    n := 1/sqrt(lam)
    w := {WEIGHT}
    u := w/g*L*n**2
"""
