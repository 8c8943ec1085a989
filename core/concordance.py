"""L_mu(S), R_s(S), kappa(S) and the global R_s: closed form where there is one, a certified bracket always.

On [-S, S]:  L_mu = sup mu',   kappa = 1 / inf mu',   R_s = sup |mu''| / mu'.
The bounded part is searched by branch and bound on the Taylor coefficients of m; beyond
it the ratio mu''/mu' is enclosed on the whole half-line at once, so no box is ever cut off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from glbcheck.core.bracket import Constant
from glbcheck.core.closed_forms import has_pole, is_constant, magnitude, short
from glbcheck.core.enclosure import Ball, Jet, NotEnclosed, ball, hull, jet_function, precision
from glbcheck.core.enclosure.asymptotics import ratio_tail
from glbcheck.core.enclosure.extrema import CellView, Unresolved, cell_jet, maximise
from glbcheck.core.family import Family, z
from glbcheck.core.suprema import Candidate, end_words, integer, largest, located

__all__ = ["Constant", "L_mu", "R_s", "R_s_global", "bend", "kappa"]

NEAR = (4, 8, 16, 32, 64)  # where the search ends and the half-lines begin; the first that works is used
MODERATE = 16  # the largest radius at which the bend is located
SAMPLES = 48  # points that say how large the ratio is at least, before a half-line is asked
BITS = 256
MAX_BITS = 1 << 15


def L_mu(family: Family, S: object) -> Constant:
    """The largest slope of the mean on [-S, S]."""
    return _slope_constant(family, family.check_radius(S), +1)


def kappa(family: Family, S: object) -> Constant:
    """One over the smallest slope of the mean on [-S, S]."""
    return _slope_constant(family, family.check_radius(S), -1)


def R_s(family: Family, S: object) -> Constant:
    """The self-concordance constant on [-S, S]: the largest |mu''| / mu'."""
    return _ratio_constant(family, family.check_radius(S))


def R_s_global(family: Family) -> Constant:
    """The self-concordance constant on the whole natural domain; infinite for many half-line families."""
    return _ratio_constant(family, None)


def bend(family: Family, S: object) -> Constant:
    """The largest |mu''| on [-S, S]; beyond a moderate S no more than L_mu R_s is said."""
    radius = family.check_radius(S)
    product = L_mu(family, radius).upper * R_s(family, radius).upper
    if product == 0 or radius > MODERATE:
        return Constant(None, 0.0, math.nextafter(product, math.inf) if product else 0.0, "not located")
    return _bend_constant(family, radius)


# --- the slope mu' --------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _slope_constant(family: Family, S: Fraction, sign: int) -> Constant:
    with precision(BITS):
        candidates = _first_success(lambda near: _slope_candidates(family, S, sign, near), S)
        if sign < 0:  # the candidates carry -mu'; kappa is one over the smallest mu'
            candidates = [
                replace(c, low=-1 / c.low, high=-1 / c.high, exact=None if c.exact is None else 1 / c.exact)
                for c in candidates
            ]
        return largest(candidates)


def _slope_candidates(family: Family, S: Fraction, sign: int, near: int) -> Iterator[Candidate]:
    """Where sign * mu' may be largest: inside |z| <= near, or at the ends of a longer interval."""
    slope = family.dmu_expr
    if is_constant(slope):
        form = magnitude(slope, Fraction(0))
        value = sign * (_slope_at(family, Fraction(0)) if form is None else ball(form))
        yield Candidate(value, value, "everywhere", form)
        return
    jet = _m_jet(family)
    inner = min(S, Fraction(near))

    def view(a: Fraction, b: Fraction) -> tuple[Ball, Ball]:
        m = cell_jet(jet, a, b, 4)
        return 2 * m[2] * sign, 6 * m[3] * sign

    def strictly_concave(a: Fraction, b: Fraction) -> bool:
        return bool(sign * cell_jet(jet, a, b, 5)[4] < 0)

    best = maximise(view, -inner, inner, start=_octaves())
    if inner == S or not best.ends:
        yield from located(best, slope, strictly_concave)
    if inner < S:
        for side in (+1, -1):
            # Beyond near the slope is monotone, because mu'' keeps its sign there.
            if ratio_tail(family.log_partition, z, side, near).sign == 0:
                raise NotEnclosed(f"mu'' of {family.name} has no settled sign beyond {near}")
            value = sign * _slope_at(family, side * S)
            yield Candidate(value, value, end_words(side), magnitude(slope, side * S))


@lru_cache(maxsize=512)
def _bend_constant(family: Family, S: Fraction) -> Constant:
    with precision(BITS):
        best = maximise(_derivative_view(_m_jet(family), 3), -S, S, start=_octaves())
        return largest(list(located(best, family.ddmu_expr, lambda a, b: False)))


# --- the ratio mu''/mu' ----------------------------------------------------------------------------------


def _ratio_constant(family: Family, S: Fraction | None) -> Constant:
    found = _ratio_or_reason(family, S)
    if isinstance(found, Constant):
        return found
    raise found.with_traceback(None)


@lru_cache(maxsize=512)
def _ratio_or_reason(family: Family, S: Fraction | None) -> Constant | NotEnclosed | Unresolved:
    """The constant or why there is none: several questions ask for it, and a failure is as costly as a success."""
    with precision(BITS):
        try:
            return largest(_first_success(lambda near: _ratio_candidates(family, S, near), S))
        except (NotEnclosed, Unresolved) as problem:
            return problem


def _first_success(attempt: Callable[[int], Iterator[Candidate]], S: Fraction | None) -> list[Candidate]:
    """What the first place gives from which it can be found; beyond S, all are the same."""
    different = len(NEAR) if S is None else 1 + sum(near < S for near in NEAR)
    *others, last = NEAR[:different]
    for near in others:
        try:
            return list(attempt(near))
        except (NotEnclosed, Unresolved):
            continue
    return list(attempt(last))


def _ratio_candidates(family: Family, S: Fraction | None, near: int) -> Iterator[Candidate]:
    if is_constant(family.ddmu_expr / family.dmu_expr):
        form = magnitude(_ratio_expr(family), Fraction(0))
        value = _ratio_at(family, Fraction(0)) if form is None else ball(form)
        yield Candidate(value, value, "everywhere", form)
        return
    if S is None and (family.domain.inf.is_finite or family.domain.sup.is_finite):
        yield _singular_end(family)
        return
    inner = Fraction(near) if S is None else min(S, Fraction(near))
    view = _ratio_view(family)
    far: list[Candidate] = []
    if inner != S:  # the half-lines first: they are cheap, and tell whether the search is worth its while
        floor = _sampled(view, inner)
        far = [one for side in (+1, -1) for one in _far_ratio(family, side, S, floor, near)]
    best = maximise(view, -inner, inner, start=_octaves())
    if inner == S or not best.ends:
        yield from located(best, _ratio_expr(family), lambda a, b: False)
    yield from far


def _sampled(view: CellView, inner: Fraction) -> Ball:
    """The largest ratio at some points of [-inner, inner], and around the best of them."""

    def size(point: Fraction) -> Ball:
        value = view(point, point)[0]
        return value.lower() if value.is_finite() else ball(0)

    step = inner / SAMPLES
    top = max((step * k for k in range(-SAMPLES, SAMPLES + 1)), key=lambda point: float(size(point)))
    beside = [top + step * k / 8 for k in range(-8, 9)]
    return max((size(point) for point in beside if abs(point) <= inner), key=float)


def _ratio_view(family: Family) -> CellView:
    """|mu''|/mu' over a cell, by the mean value form, and its slope where mu'' keeps its sign."""
    jet = _m_jet(family)

    def view(a: Fraction, b: Fraction) -> tuple[Ball, Ball]:
        m = cell_jet(jet, a, b, 5)
        value = 3 * m[3] / m[2]
        slope = 12 * m[4] / m[2] - value**2
        if a != b:
            c = jet(ball((a + b) / 2), 4)
            centered = 3 * c[3] / c[2] + slope * hull((a - b) / 2, (b - a) / 2)
            if centered.rad() < value.rad():
                value = centered
        return _in_size(value, slope)

    return view


def _derivative_view(jet: Callable[[Ball, int], Jet], order: int) -> CellView:
    """The size of a derivative over a cell, and its slope."""

    def view(a: Fraction, b: Fraction) -> tuple[Ball, Ball]:
        *_, value, slope = cell_jet(jet, a, b, order + 2)
        return _in_size(math.factorial(order) * value, math.factorial(order + 1) * slope)

    return view


def _in_size(value: Ball, slope: Ball) -> tuple[Ball, Ball]:
    """The size of a value, and its slope."""
    if value.contains(0):
        return abs(value), slope * hull(-1, 1)
    return (value, slope) if value > 0 else (-value, -slope)


def _far_ratio(family: Family, side: int, S: Fraction | None, floor: Ball, near: int) -> Iterator[Candidate]:
    """|mu''/mu'| beyond near on one side, up to S or to infinity, unless it stays below the floor."""
    tail = ratio_tail(family.log_partition, z, side, near)
    if abs(tail.values) < floor:
        return
    direction = "z -> oo" if side > 0 else "z -> -oo"
    if tail.limit is None:
        if S is not None:
            raise NotEnclosed(f"mu''/mu' of {family.name} is unbounded as {direction}")
        yield _unbounded(direction)
        return
    # |ratio| climbs to its limit, and is largest at the far end, when ratio - limit opposes the sign.
    if not tail.sign * tail.trend < 0:
        raise NotEnclosed(f"|mu''/mu'| of {family.name} beyond |z| = {near} is not separated from the rest")
    if S is None:
        limit = abs(tail.limit)
        yield Candidate(limit, limit, f"only as {direction}", integer(limit))
    else:
        value = _ratio_at(family, side * S)
        yield Candidate(value, value, end_words(side), magnitude(_ratio_expr(family), side * S))


def _singular_end(family: Family) -> Candidate:
    """Near a finite end of the domain |mu''/mu'| is at least c/t, t the distance to the end, for some c > 0."""
    for end, inwards in ((family.domain.sup, -1), (family.domain.inf, +1)):
        if end.is_finite and has_pole(_ratio_expr(family).subs(z, end + inwards * z)):
            return _unbounded(f"z -> {end}")
    raise NotEnclosed(f"mu''/mu' of {family.name} at the end of ({family.domain.inf}, {family.domain.sup})")


# --- small parts -------------------------------------------------------------------------------------------


def _unbounded(direction: str) -> Candidate:
    return Candidate(ball(1) / 0, ball(1) / 0, f"unbounded as {direction}", sp.oo)


@lru_cache(maxsize=512)
def _ratio_expr(family: Family) -> sp.Expr:
    return short(family.ddmu_expr / family.dmu_expr)


@lru_cache(maxsize=512)
def _m_jet(family: Family) -> Callable[[Ball, int], Jet]:
    return jet_function(family.log_partition, z)


def _slope_at(family: Family, at: Fraction) -> Ball:
    return 2 * _sharp_jet(family, at, 3)[2]


def _ratio_at(family: Family, at: Fraction) -> Ball:
    m = _sharp_jet(family, at, 4)
    return abs(3 * m[3] / m[2])


def _sharp_jet(family: Family, at: Fraction, length: int) -> Jet:
    """Taylor coefficients at a point with at least 100 correct bits, however strong the cancellation."""
    bits = BITS
    while bits <= MAX_BITS:
        with precision(bits):
            jet = _m_jet(family)(at, length)
        if all(c.rel_accuracy_bits() >= 100 for c in jet[2:]):
            return jet
        bits *= 2
    raise NotEnclosed(f"m of {family.name} at {at} cancels beyond {MAX_BITS} bits")


def _octaves() -> list[Fraction]:
    sizes = [Fraction(2) ** k for k in range(-1, 6)]  # cells begin the same on both sides of 0
    return [Fraction(0), *sizes, *(-size for size in sizes)]
