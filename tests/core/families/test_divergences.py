"""KL and chi^2 from m alone, for any m."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.divergences import bregman_expr, chi2_expr, kl_expr
from glbcheck.core.family import r

a, b = sp.symbols("a b", real=True)
g = sp.Symbol("g", positive=True)
m = sp.Function("m")


def test_kl_is_a_bregman_divergence_for_any_log_partition_function() -> None:
    assert sp.expand(kl_expr(m, a, b, g) - bregman_expr(m, b, a) / g) == 0


def test_chi_square_is_the_total_mass_at_the_extrapolated_parameter() -> None:
    """p_a^2/p_b times the density's own normaliser at 2a - b integrates to one."""
    log_p = [(r * t - m(t)) / g for t in (a, b, 2 * a - b)]
    excess = sp.expand(2 * log_p[0] - log_p[1] - log_p[2])
    assert r not in excess.free_symbols
    assert sp.expand((chi2_expr(m, a, b, g) + 1).args[0] - excess) == 0
