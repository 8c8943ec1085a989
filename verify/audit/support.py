"""What the support says about m: the base measure of a finite lattice, the range of the mean."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, jet_function, precision
from glbcheck.core.family import Family, Support, r, z
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.shape import points_of
from glbcheck.verify.claim import Verdict

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


def mean_inside(family: Family, g: Fraction) -> Finding:
    """Rewards between two bounds have their mean there, and a variance of at most (mean - low)(high - mean).

    On two points the variance is just that.  One exact point where it is not so refutes the support.
    """
    low, high, two_points = family.support.lower, family.support.upper, _has_two_points(family.support)
    jet = jet_function(family.log_partition, z)
    tried = 0
    with precision(128):
        for point in points_of(family.domain):
            try:
                _, mean, half = jet(ball(point), 3)
            except (NotEnclosed, ValueError, ZeroDivisionError):
                continue
            tried += 1
            for bound, beyond in ((low, -1), (high, +1)):
                if bound.is_finite and beyond * (mean - ball(bound)) > 0:
                    words = f"mu({point}) = {float(mean.mid()):.6g} lies outside [{low}, {high}]"
                    return Finding(Verdict.REFUTED, words, {"z": str(point)})
            if not (low.is_finite and high.is_finite):
                continue
            excess = 2 * half * ball(g) - (mean - ball(low)) * (ball(high) - mean)
            if excess > 0 or (two_points and excess < 0):
                words = f"no law on {family.support} has the mean and variance of m at z = {point}"
                return Finding(Verdict.REFUTED, words, {"z": str(point)})
    return Finding(Verdict.STRESS_TESTED, f"mu lies in [{low}, {high}] at {tried} rational z; no base was stated")


def _has_two_points(support: Support) -> bool:
    return support.step is not None and sp.simplify(support.upper - support.lower - support.step) == 0
