"""How far two members of a GLM family are apart: from the log-partition function alone.

With P at natural parameter a and Q at b, both at dispersion g,

    KL(P, Q)   = D_m(b, a) / g,     D_m(b, a) = m(b) - m(a) - m'(a) (b - a)    (a Bregman divergence)
    chi2(P, Q) = exp( (m(2a - b) - 2 m(a) + m(b)) / g ) - 1,   infinite when 2a - b is outside the domain.

These functions take any m, also an undefined function.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from glbcheck.core.family import r, z

LogPartition = Callable[[sp.Expr], sp.Expr]


def bregman_expr(m: LogPartition, y: sp.Expr, x: sp.Expr) -> sp.Expr:
    """D_m(y, x): how much m at y lies above its tangent at x."""
    slope = sp.diff(m(z), z).subs(z, x)
    return m(y) - m(x) - slope * (y - x)


def kl_expr(m: LogPartition, a: sp.Expr, b: sp.Expr, g: sp.Expr) -> sp.Expr:
    """KL between natural parameters a and b, by taking the mean of the log-likelihood ratio.

    log p_a - log p_b is affine in the reward, so its mean under a needs only E[r] = m'(a).
    """
    log_ratio = (r * (a - b) - m(a) + m(b)) / g
    return log_ratio.subs(r, sp.diff(m(z), z).subs(z, a))


def chi2_expr(m: LogPartition, a: sp.Expr, b: sp.Expr, g: sp.Expr) -> sp.Expr:
    """chi^2 between natural parameters a and b: p_a^2 / p_b is an unnormalised density at 2a - b."""
    return sp.exp((m(2 * a - b) - 2 * m(a) + m(b)) / g) - 1
