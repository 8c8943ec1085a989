"""What the support says about m: the base measure of a finite lattice, the range of the mean."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, acb, ball, jet_function, precision
from glbcheck.core.enclosure.complexes import complex_function
from glbcheck.core.exact import number
from glbcheck.core.family import Family, Support, g, r, z
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


def mean_inside(family: Family, at: Fraction) -> Finding:
    """Rewards between two bounds have their mean there, and a variance of at most (mean - low)(high - mean).

    On two points the variance is just that.  One exact point where it is not so refutes the support.
    """
    if wrong := _other_kind(family, at):
        return wrong
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
            excess = 2 * half * ball(at) - (mean - ball(low)) * (ball(high) - mean)
            if excess > 0 or (two_points and excess < 0):
                words = f"no law on {family.support} has the mean and variance of m at z = {point}"
                return Finding(Verdict.REFUTED, words, {"z": str(point)})
    return Finding(Verdict.STRESS_TESTED, f"mu lies in [{low}, {high}] at {tried} rational z; no base was stated")


def _other_kind(family: Family, at: Fraction) -> Finding | None:
    """On a lattice of step h, |exp(m/g)| has the period 2 pi i g/h; with a density on an interval it has none."""
    m, step = family.log_partition, family.support.step
    if not _single_valued(m):
        return None
    if step is None:
        if (period := _period(m)) is None:
            return None
        words = f"exp(m) has the period {period}*i, so the rewards lie on a lattice; a density on an interval has none"
        return Finding(Verdict.REFUTED, words, {"period": str(period)})
    turn = 2 * sp.pi * number(at) / step.subs(g, number(at))
    for point in itertools.islice(points_of(family.domain), MOST_POINTS):
        try:
            with precision(128):
                value = complex_function(m, z)
                here, there = value(acb(ball(point)), False).real, value(acb(ball(point), ball(turn)), False).real
        except NotEnclosed:
            return None
        if here.is_finite() and there.is_finite() and not here.overlaps(there):
            words = f"|exp(m)| at z = {point} changes along the period {turn}*i that a lattice of step {step} gives it"
            return Finding(Verdict.REFUTED, words, {"z": str(point), "period": str(turn)})
    return None


def _single_valued(m: sp.Expr) -> bool:
    """Is |exp(m)| free of branches: a multiple of a logarithm outside, no root or logarithm further in?"""
    terms = [term.as_independent(z, as_Add=False)[1] for term in sp.Add.make_args(m)]
    inner = [term.args[0] if isinstance(term, sp.log) else term for term in terms]
    meromorphic = (sp.exp, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh)
    return all(
        part.is_Add
        or part.is_Mul
        or not part.has(z)
        or part == z
        or (part.is_Pow and (part.exp.is_Integer or part.base == sp.E))
        or isinstance(part, meromorphic)
        or (isinstance(part, sp.besseli) and part.args[0].is_Integer)
        for one in inner
        for part in sp.preorder_traversal(one)
    )


def _period(m: sp.Expr) -> sp.Expr | None:
    """A period of m on the imaginary axis that its form shows: z occurs only in exp(k z) with rational k."""
    held, w = m.rewrite((sp.sinh, sp.cosh, sp.tanh), sp.exp), sp.Symbol("w")
    linear = [e for e in held.atoms(sp.exp) if e.args[0].is_polynomial(z) and sp.degree(e.args[0], z) == 1]
    speeds = [sp.Poly(e.args[0], z).LC() for e in linear]
    if held.xreplace({e: e.subs(z, w) for e in linear}).has(z) or not all(speed.is_Rational for speed in speeds):
        return None
    return 2 * sp.pi / sp.gcd_list(speeds) if speeds else None


def _has_two_points(support: Support) -> bool:
    return support.step is not None and sp.simplify(support.upper - support.lower - support.step) == 0
