"""KL and chi^2 from m alone, derived for a generic m and confirmed against the densities."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.divergences import bregman_expr, chi2_expr, kl_expr
from glbcheck.core.family import Family, r, z

from tests.test_family import CASES, integrate, lattice, naturals

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


def direct(family: Family, p: float, q: float, disp: float) -> list[float]:
    """Both divergences by summing or integrating the densities themselves."""

    def term(x: Any, which: int) -> Any:
        log_ratio = family.log_density(x, p, disp) - family.log_density(x, q, disp)
        return np.exp(family.log_density(x, p, disp)) * (np.expm1(log_ratio) if which else log_ratio)

    if family.support.step is not None:
        points = np.unique(np.concatenate([lattice(family, t, disp) for t in (p, q, 2 * p - q)]))
        return [float(np.sum(term(points, which))) for which in (0, 1)]
    mean, spread = float(family.mu(p)), math.sqrt(disp * float(family.dmu(p)))
    low = max(float(family.support.lower), mean - 60 * spread)
    high = min(float(family.support.upper), mean + 200 * spread)
    cuts = [low, *(c for c in mean + spread * np.array([-8, -2, 0, 2, 8, 40]) if low < c < high), high]
    return [
        sum(float(integrate(term, s, t, args=(which,), limit=300)[0]) for s, t in pairwise(cuts)) for which in (0, 1)
    ]


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_divergences_agree_with_the_densities(name: str, disp: float) -> None:
    family = catalog.get(name)
    p = naturals(family)[1]
    q = p + (0.15 if p > 0 else -0.15)  # 2p - q stays inside every domain
    found = [
        float(of(lambda x: family.log_partition.subs(z, x), sp.Rational(p), sp.Rational(q), disp).evalf(30))
        for of in (kl_expr, chi2_expr)
    ]
    assert found == pytest.approx(direct(family, p, q, disp), rel=1e-6)
