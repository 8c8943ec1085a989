"""What the support says about m: the base measure of a finite lattice, the range of the mean."""

from __future__ import annotations

import sympy as sp

from core.enclosure import NotEnclosed, ball, jet_function, precision
from core.family import Family, Support, r, z
from verify.audit.check import Finding
from verify.audit.shape import points_of
from verify.claim import Verdict

MOST_POINTS = 12


def base_from(m: sp.Expr, support: Support) -> sp.Expr | None:
    """The log base density when exp(m) is visibly a sum of c_k e^{kz} over the points of a finite lattice."""
    if support.step is None or not support.step.is_Rational:
        return None
    count = (support.upper - support.lower) / support.step
    if not (count.is_Integer and 1 <= count < MOST_POINTS):
        return None
    w = sp.Symbol("w", positive=True)
    points = [support.lower + k * support.step for k in range(int(count) + 1)]
    series = sp.expand(sp.expand(sp.exp(m).rewrite((sp.cosh, sp.sinh), sp.exp)).subs(z, sp.log(w)))
    weights = [series.coeff(w, point) for point in points]
    left = series - sum(c * w**point for c, point in zip(weights, points, strict=True))
    if sp.expand(left) != 0 or not all(c.is_Rational and c > 0 for c in weights):
        return None
    return sp.interpolate([(point, sp.log(c)) for point, c in zip(points, weights, strict=True)], r)


def mean_inside(family: Family) -> Finding:
    """The mean of rewards between two bounds lies between them; one exact point outside refutes them."""
    low, high = family.support.lower, family.support.upper
    jet = jet_function(family.log_partition, z)
    tried = 0
    with precision(128):
        for point in points_of(family.domain):
            try:
                mean = jet(ball(point), 2)[1]
            except (NotEnclosed, ValueError, ZeroDivisionError):
                continue
            tried += 1
            for bound, beyond in ((low, -1), (high, +1)):
                if bound.is_finite and beyond * (mean - ball(bound)) > 0:
                    words = f"mu({point}) = {float(mean.mid()):.6g} lies outside [{low}, {high}]"
                    return Finding(Verdict.REFUTED, words, {"z": str(point)})
    return Finding(
        Verdict.STRESS_TESTED, f"mu lies in [{low}, {high}] at {tried} rational z; no base was stated"
    )
