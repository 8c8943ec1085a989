"""The search for a square whose mean would be negative; the checker of answers says whether a proposal is one.

At each of a few points z0 and scales h the matrices of moments and of M(z0 + x_i + x_j) are computed, a negative
direction is found numerically, rounded to short rationals and certified.  The smallest matrices and points where
|M(z0 + it)| > M(z0) come first, so that the witness found is a simple one, and large matrices of moments last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, islice
from math import comb, factorial
from typing import Any

import mpmath as mp
import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, arb, ball_function, jet_function, precision
from glbcheck.core.family import z
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, interior_points, where
from glbcheck.core.laplace.modulus import far_points
from glbcheck.core.laplace.negativity import Vector, negative_vector
from glbcheck.core.laplace.witness import Witness, certified
from glbcheck.core.measures.continuation import Continuation
from glbcheck.core.translation import term_of

SIZES, QUICK_SIZES = (3, 4, 6, 8), (4,)
LARGE_SIZES, LARGE_POINTS = (12, 16, 24), 3
FAR_DRAFTS, BRANCHED_DRAFTS = 60, 12  # of witnesses far from the real line; a formula with branches is costly there
SCALES = (Fraction(1), Fraction(1, 4), Fraction(4), Fraction(1, 2), Fraction(2))
DIGITS = 300
BITS = 1024
LARGEST_EXPONENT = 10_000  # beyond exp of this, a matrix is of no use
LARGEST_CUMULANT = 200  # in bits
HUGE = arb(2) ** 20_000
DENOMINATORS = (1, 2, 4, 12, 60, 2**10, 2**20, 2**40, 2**80, 2**160, 2**320)


def refute(m: sp.Expr, domain: sp.Interval, *, power: Fraction = Fraction(1), quick: bool = False) -> Witness | None:
    """A witness that exp(power m) is no Laplace transform on the interior of the domain, or None."""
    e, inside = exponent(m, power), where(domain)
    with precision(BITS), mp.workdps(DIGITS):
        drafts = chain(
            _near(e, inside, power, (2,)),
            _far(e, inside, power, quick),
            _near(e, inside, power, QUICK_SIZES if quick else SIZES),
            _large(e, inside, power),
        )
        return next(filter(None, (certified(m, domain, draft) for draft in drafts)), None)


Search = Callable[[Fraction, Fraction, int], Iterator[Witness]]


def _near(e: sp.Expr, inside: Where, power: Fraction, sizes: tuple[int, ...]) -> Iterator[Witness]:
    """Small matrices of each kind that can be computed for this formula."""
    kinds: list[Search] = []
    for make in (_moment_search, _exponential_search):
        try:
            kinds.append(make(e, inside))
        except NotEnclosed:
            continue
    for size in sizes:
        for z0 in interior_points(inside):
            for search in kinds:
                yield from search(power, z0, size)


def _large(e: sp.Expr, inside: Where, power: Fraction) -> Iterator[Witness]:
    try:
        search = _moment_search(e, inside)
    except NotEnclosed:
        return
    for size in LARGE_SIZES:
        for z0 in interior_points(inside)[:LARGE_POINTS]:
            yield from search(power, z0, size)


# --- moments -------------------------------------------------------------------------------------


def _moment_search(e: sp.Expr, inside: Where) -> Search:
    jet = jet_function(e, z)

    def search(power: Fraction, z0: Fraction, size: int) -> Iterator[Witness]:
        cumulants = [_number(c) for c in jet(z0, 2 * size)[1:]]
        if any(c is None or mp.mag(c) > LARGEST_CUMULANT for c in cumulants):
            return
        mean = Fraction(str(mp.nstr(cumulants[0], 15))).limit_denominator(16)
        central = _moments([cumulants[0] - _mp(mean), *cumulants[1:]])
        K = [[central[i + j] for j in range(size)] for i in range(size)]
        v = negative_vector(K)
        if v is None:
            return
        for rounded in _rounded(v):
            yield _draft("moments", power, z0, range(size), _uncentred(rounded, mean))

    return search


def _moments(coefficients: list[Any]) -> list[Any]:
    """k! times the coefficients of exp(a_1 h + a_2 h^2 + ...)."""
    b = [mp.mpf(1)]
    for n in range(1, len(coefficients) + 1):
        b.append(sum(k * coefficients[k - 1] * b[n - k] for k in range(1, n + 1)) / n)
    return [factorial(k) * x for k, x in enumerate(b)]


def _uncentred(v: list[Fraction], mean: Fraction) -> list[Fraction]:
    """sum v_k (r - mean)^k in powers of r."""
    n = len(v)
    return [sum((v[k] * comb(k, j) * (-mean) ** (k - j) for k in range(j, n)), Fraction(0)) for j in range(n)]


# --- exponentials ----------------------------------------------------------------------------------


def _exponential_search(e: sp.Expr, inside: Where) -> Search:
    value = cache(real_values(e))

    def search(power: Fraction, z0: Fraction, size: int) -> Iterator[Witness]:
        base = _number(value(z0))
        for h in SCALES if base is not None else ():
            first = z0 - (size - 1) * h
            last = z0 + (size - 1) * h
            if not inside.holds(first, last):
                continue
            logs = [_number(value(first + k * h)) for k in range(2 * size - 1)]
            if any(x is None or abs(x - base) > LARGEST_EXPONENT for x in logs):
                continue
            ratio = [mp.exp(x - base) for x in logs]
            v = negative_vector([[ratio[i + j] for j in range(size)] for i in range(size)])
            if v is not None:
                points = [k * h - (size - 1) * h / 2 for k in range(size)]
                yield from (_draft("exponentials", power, z0, points, w) for w in _rounded(v))

    return search


def real_values(e: sp.Expr) -> Callable[[Fraction], Ball]:
    """e at real points, removable singularities filled in where the formula is analytic."""
    try:
        jet = jet_function(e, z)
        return lambda x: jet(x, 1)[0]
    except NotEnclosed:
        return ball_function(e, [z])


# --- complex points --------------------------------------------------------------------------------


def _far(e: sp.Expr, inside: Where, power: Fraction, quick: bool) -> Iterator[Witness]:
    """Where the modulus of M would grow, |M(z0 + it)| > M(z0), as far as floats can tell."""
    try:
        single = Continuation(term_of(exponentiated(e))).single
    except (NotEnclosed, Rejected):
        return
    drafts = FAR_DRAFTS if single else BRANCHED_DRAFTS
    for z0, t in islice(far_points(e, inside), drafts // 3 if quick else drafts):
        yield Witness("characteristic", power, z0, (t,))


# --- from floating point to short rationals -------------------------------------------------------


def _rounded(v: Vector) -> Iterator[list[Fraction]]:
    """The vector scaled so that its last entry is 1, rounded ever more finely."""
    last = next(x for x in reversed(v) if x != 0)
    exact = [_fraction(x / last) for x in v]
    seen = []
    for denominator in DENOMINATORS:
        rounded = [x.limit_denominator(denominator) for x in exact]
        if rounded not in seen:
            seen.append(rounded)
            yield rounded


def _draft(kind: str, power: Fraction, z0: Fraction, points: Any, weights: list[Fraction]) -> Witness:
    kept = [(Fraction(x), v) for x, v in zip(points, weights, strict=True) if v]
    return Witness(kind, power, z0, tuple(x for x, _ in kept), tuple(v for _, v in kept))


def _number(b: Ball) -> Any:
    """The midpoint of a narrow ball around a number of reasonable size, else None."""
    if not (abs(b) < HUGE) or b.rad() > abs(b.mid()) * 2**-100 + 2**-100:
        return None
    mantissa, exponent_of_two = b.mid().man_exp()
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent_of_two))


def _mp(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def _fraction(x: Any) -> Fraction:
    mantissa, exponent_of_two = mp.mpf(x).man_exp  # of the absolute value
    size = Fraction(int(mantissa)) * Fraction(2) ** int(exponent_of_two)
    return -size if x < 0 else size
