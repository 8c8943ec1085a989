"""The search for a square whose mean would be negative; what it proposes is certified by `witness`.

At each of a few points z0 and scales h the matrices of moments, of M(z0 + x_i + x_j) and of the
characteristic function are computed, a negative direction is found numerically, rounded to short
rationals and certified.  Small matrices come first, so that the witness found is a simple one.
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
from glbcheck.core.enclosure import Ball, NotEnclosed, arb, jet_function, precision
from glbcheck.core.family import z
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, interior_points, where
from glbcheck.core.laplace.holomorphic import continuation
from glbcheck.core.laplace.modulus import far_points, jumps
from glbcheck.core.laplace.negativity import Matrix, Vector, negative_vector
from glbcheck.core.laplace.witness import Witness, certified, real_values

SIZES = (2, 3, 4, 6, 8)
QUICK_SIZES = (2, 4)
DRAFTS, QUICK_DRAFTS = 60, 20  # of witnesses far from the real line
SCALES = (Fraction(1), Fraction(1, 4), Fraction(4), Fraction(1, 2), Fraction(2))
DIGITS = 60
BITS = 256
LARGEST_EXPONENT = 10_000  # beyond exp of this, a matrix is of no use
LARGEST_CUMULANT = 200  # in bits
HUGE = arb(2) ** 20_000
DENOMINATORS = (1, 2, 4, 12, 60, 2**10, 2**20, 2**40, 2**80)


def refute(m: sp.Expr, domain: sp.Interval, *, power: Fraction = Fraction(1), quick: bool = False) -> Witness | None:
    """A witness that exp(power m) is no Laplace transform on the interior of the domain, or None."""
    e, inside = exponent(m, power), where(domain)
    with precision(BITS), mp.workdps(DIGITS):
        kinds = _searches(e, inside)
        for size in QUICK_SIZES if quick else SIZES:
            for z0 in interior_points(inside):
                for search in kinds:
                    for draft in search(power, z0, size):
                        if found := certified(m, domain, draft):
                            return found
        drafts = islice(chain(_far(e, inside, power), _branches(e, inside, power)), QUICK_DRAFTS if quick else DRAFTS)
        return next(filter(None, (certified(m, domain, draft) for draft in drafts)), None)


Search = Callable[[Fraction, Fraction, int], Iterator[Witness]]


def _searches(e: sp.Expr, inside: Where) -> list[Search]:
    """The kinds of matrices that can be computed for this formula."""
    found: list[Search] = []
    for make in (_moment_search, _characteristic_search, _exponential_search):
        try:
            found.append(make(e, inside))
        except NotEnclosed:
            continue
    return found


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
            raw = _uncentred([x for x, _ in rounded], mean)
            yield _draft("moments", power, z0, range(size), [(x, Fraction(0)) for x in raw])

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


# --- exponentials and the characteristic function -------------------------------------------------


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


def _characteristic_search(e: sp.Expr, inside: Where) -> Search:
    M, value = cache(continuation(exponentiated(e))), real_values(e)

    def search(power: Fraction, z0: Fraction, size: int) -> Iterator[Witness]:
        base = value(z0).exp()
        for h in (*SCALES, Fraction(8)):
            ratios = [M(z0, k * h) / base for k in range(1, size)]
            phi = [mp.mpf(1), *(_complex(x) for x in ratios)]
            if any(x is None or abs(x) > mp.exp(LARGEST_EXPONENT) for x in phi):
                continue
            v = negative_vector(_toeplitz(phi))
            if v is not None:
                points = [k * h for k in range(size)]
                yield from (_draft("characteristic", power, z0, points, w) for w in _rounded(v))

    return search


def _toeplitz(phi: list[Any]) -> Matrix:
    """K_ij with sum conj(u_i) K_ij u_j = E|sum u_i e^{i t_i r}|^2, so K_ij = phi(t_j - t_i)."""
    n = len(phi)
    return [[phi[j - i] if j >= i else mp.conj(phi[i - j]) for j in range(n)] for i in range(n)]


# --- complex points further away -------------------------------------------------------------------


def _far(e: sp.Expr, inside: Where, power: Fraction) -> Iterator[Witness]:
    """Where the modulus of M would grow: |phi(t)| > 1."""
    try:
        M, value = continuation(exponentiated(e)), real_values(e)
    except NotEnclosed:
        return
    for z0, t in far_points(e, inside):
        phi = _complex(M(z0, t) / value(z0).exp())
        if phi is not None and abs(phi) > 1:
            turned = _rounded([-phi / abs(phi), mp.mpf(1)])
            yield from (_draft("characteristic", power, z0, (Fraction(0), t), w) for w in turned)


def _branches(e: sp.Expr, inside: Where, power: Fraction) -> Iterator[Witness]:
    for x, t, reach, gap in jumps(exponentiated(e), inside):
        points = (x - reach, x + reach, x - gap, x + gap, t, reach)
        yield Witness("jump", power, x.limit_denominator(16), points, (), (), Fraction(0))


# --- from floating point to short rationals -------------------------------------------------------


def _rounded(v: Vector) -> Iterator[list[tuple[Fraction, Fraction]]]:
    """The vector scaled so that its last entry is 1, rounded ever more finely."""
    last = next(x for x in reversed(v) if x != 0)
    exact = [(_fraction(mp.re(x / last)), _fraction(mp.im(x / last))) for x in v]
    seen = []
    for denominator in DENOMINATORS:
        rounded = [(a.limit_denominator(denominator), b.limit_denominator(denominator)) for a, b in exact]
        if rounded not in seen:
            seen.append(rounded)
            yield rounded


def _draft(kind: str, power: Fraction, z0: Fraction, points: Any, weights: list[tuple[Fraction, Fraction]]) -> Witness:
    kept = [(Fraction(x), a, b) for x, (a, b) in zip(points, weights, strict=True) if a or b]
    at, real, imaginary = (tuple(column) for column in zip(*kept, strict=True))
    return Witness(kind, power, z0, at, real, imaginary, Fraction(0))


def _number(b: Ball) -> Any:
    """The midpoint of a narrow ball around a number of reasonable size, else None."""
    if not (abs(b) < HUGE) or b.rad() > abs(b.mid()) * 2**-100 + 2**-100:
        return None
    mantissa, exponent_of_two = b.mid().man_exp()
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent_of_two))


def _complex(x: Any) -> Any:
    real, imaginary = _number(x.real), _number(x.imag)
    return None if real is None or imaginary is None else mp.mpc(real, imaginary)


def _mp(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def _fraction(x: Any) -> Fraction:
    mantissa, exponent_of_two = mp.mpf(x).man_exp  # of the absolute value
    size = Fraction(int(mantissa)) * Fraction(2) ** int(exponent_of_two)
    return -size if x < 0 else size
