"""Where a continuation to complex points would betray M: where to look, in floating point; nothing here is evidence.

A transform is analytic on the whole strip over its interval and |M(x + it)| <= M(x).  So a pole, or a point
where the modulus grows, speaks against it (`far_points`), and so does a branch point (`jumps`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import mpmath as mp
import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.formula import Where, interior_points

FLOATS = {name: getattr(mp.fp, name) for name in dir(mp.fp) if not name.startswith("_")}
DIGITS = 20
HEIGHTS = [2.0 ** (j / 4) for j in [*range(-16, 41), *range(44, 164, 4)]]
FAR = [Fraction(s * 2**k) for k in range(2, 8) for s in (1, -1)]
ENOUGH, TOO_MUCH = 1e-6, 1000.0  # by which the logarithm of the modulus may grow
NARROWEST = 300  # bits between two points beside a cut
STEPS = 24
SHARES = (1.25, 1.5, 0.75, 1.0625)  # of the height of a branch point, where its cut is looked for
UNDEFINED = (ValueError, ArithmeticError, TypeError, AttributeError, MemoryError, NotImplementedError)
Place = tuple[Fraction, Fraction]


def far_points(e: sp.Expr, inside: Where) -> Iterator[Place]:
    """(z0, t) with |M(z0 + it)| > M(z0) as far as floats can tell, for M = exp(e)."""
    f = sp.lambdify(z, e, [FLOATS])
    for z0 in [*interior_points(inside), *(x for x in FAR if inside.holds(x))]:
        base = _number(lambda x: float(f(x).real), complex(z0))
        if base is not None:
            yield from ((z0, t) for t in _heights(partial(_growth, f, float(z0), base)))


def _growth(f: Callable[[Any], Any], z0: float, base: float, t: float) -> float:
    return float(f(complex(z0, t)).real - base)


def _heights(growth: Callable[[float], float]) -> Iterator[Fraction]:
    """Short fractions at or near peaks of the modulus, and where it begins to grow beyond all bounds."""
    values = [_number(growth, t) for t in HEIGHTS]
    for i, value in enumerate(values):
        if value is not None and value == max(v for v in values[max(i - 1, 0) : i + 2] if v is not None):
            t = _climbed(growth, i)
            if t is not None:
                yield t
    first = next((i for i, v in enumerate(values) if v is not None and v > TOO_MUCH), 0)
    if first and (values[first - 1] or 0) < TOO_MUCH:
        yield _between(growth, HEIGHTS[first - 1], HEIGHTS[first])


def _climbed(growth: Callable[[float], float], i: int) -> Fraction | None:
    """A short fraction near the i-th height at which the modulus has grown, the best one if there is none nearby."""
    short = Fraction(HEIGHTS[i]).limit_denominator(8)
    if short > 0 and (_number(growth, float(short)) or 0) > ENOUGH:
        return short
    low, high = HEIGHTS[max(i - 1, 0)], HEIGHTS[min(i + 1, len(HEIGHTS) - 1)]
    for _ in range(STEPS):
        third = (high - low) / 3
        a, b = (_number(growth, x) for x in (low + third, high - third))
        if a is None or b is None:
            return None
        low, high = (low + third, high) if a < b else (low, high - third)
    best = Fraction((low + high) / 2).limit_denominator(1 << 12)
    return best if best > 0 and (_number(growth, float(best)) or 0) > ENOUGH else None


def _between(growth: Callable[[float], float], low: float, high: float) -> Fraction:
    """Where the modulus grows, but not beyond all bounds."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        value = _number(growth, middle)
        if value is not None and ENOUGH < value < TOO_MUCH:
            return Fraction(middle).limit_denominator(8)
        low, high = (middle, high) if value is not None and value <= ENOUGH else (low, middle)
    return Fraction(high)


# --- branch points -------------------------------------------------------------------------------------------


def jumps(M: sp.Expr, inside: Where) -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """(x, t, reach, gap): near x + it the formula seems to jump along its cut; paths start at x +- reach."""
    value = sp.lambdify(z, M, "mpmath")
    for u in dict.fromkeys(_branched(M)):
        f = sp.lambdify(z, u, "mpmath")
        for root, share in product(zeros_above(u, inside), SHARES):
            t = Fraction(float(root.imag) * share).limit_denominator(64)
            x = _crossing(f, root.real, t, root.imag) if t > 0 else None
            reach = None if x is None else _reach(x, Fraction(float(root.imag)), inside)
            if x is not None and reach is not None and (gap := _gap(value, x, t)):
                yield x, t, reach, gap


def _gap(value: Callable[[Any], Any], x: Fraction, t: Fraction) -> Fraction | None:
    """So close that a change of the size of M at x + it could be no change of an analytic function."""
    beside = mp.mpc(_mp(x) + mp.mpf(2) ** -60, _mp(t))
    ratio = _number(lambda at: mp.log(abs(value(_mp(x)) / value(at)), 2), beside)
    bits = 60 if ratio is None else 60 + max(0, int(ratio))
    return Fraction(1, 2**bits) if bits <= NARROWEST else None


def _branched(M: sp.Expr) -> Iterator[sp.Expr]:
    for part in sp.preorder_traversal(M):
        if part.is_Pow and part.base.has(z) and part.exp.is_Rational and not part.exp.is_Integer:
            yield part.base
        elif isinstance(part, sp.log) and part.has(z):
            yield part.args[0]


def zeros_above(u: sp.Expr, inside: Where) -> list[Any]:
    """Zeros above the interval, the nearest first: of a polynomial all, else what Newton's method meets."""
    with mp.workdps(DIGITS):
        roots = _polynomial_zeros(u) if _is_real_poly(u) else list(_newton(u, inside))
        found: list[Any] = []
        for root in sorted(map(mp.mpc, roots), key=abs):
            known = any(abs(root - other) < mp.mpf("1e-6") for other in found)
            if root.imag > mp.mpf("1e-6") and not known and inside.holds(Fraction(float(root.real))):
                found.append(root)
    return found[:4]


def _polynomial_zeros(u: sp.Expr) -> list[Any]:
    coefficients = [mp.mpf(int(c.p)) / int(c.q) for c in sp.Poly(u, z).all_coeffs()]
    try:
        return list(mp.polyroots(coefficients, maxsteps=200, extraprec=200))
    except mp.libmp.NoConvergence:
        return []


def _newton(u: sp.Expr, inside: Where) -> Iterator[Any]:
    f = sp.lambdify(z, u, [FLOATS])
    for x, y in product(interior_points(inside)[:5], (1.0, 4.0, 16.0)):
        try:
            yield mp.fp.findroot(f, complex(float(x), y))
        except UNDEFINED:
            continue


def _is_real_poly(u: sp.Expr) -> bool:
    return bool(u.is_polynomial(z) and u.has(z) and all(c.is_Rational for c in sp.Poly(u, z).all_coeffs()))


def _crossing(f: Callable[[Any], Any], x0: Any, t: Fraction, size: Any) -> Fraction | None:
    """x near x0 where f(x + it) crosses the negative axis, by bisection of the sign of its imaginary part."""
    with mp.workprec(NARROWEST + 100):
        grid = [x0 + size * k / 16 + size / 64 for k in range(-12, 12)]
        signs = [_number(lambda x: mp.im(f(mp.mpc(x, _mp(t)))), x) for x in grid]
        for a, b, s, r in zip(grid, grid[1:], signs, signs[1:], strict=False):
            if s is None or r is None or s * r >= 0:
                continue
            low, high = a, b
            for _ in range(NARROWEST + 50):
                middle = (low + high) / 2
                same = mp.im(f(mp.mpc(middle, _mp(t)))) * s > 0
                low, high = (middle, high) if same else (low, middle)
            if mp.re(f(mp.mpc(low, _mp(t)))) < 0:
                scale = 2 ** (NARROWEST + 20)
                return _short(Fraction(int(mp.floor(low * scale)), scale))
    return None


def _short(x: Fraction) -> Fraction:
    """A simple fraction if there is one as near as makes no difference, else x."""
    simple = x.limit_denominator(1000)
    return simple if abs(simple - x) < Fraction(4, 2**NARROWEST) else x


def _reach(x: Fraction, size: Fraction, inside: Where) -> Fraction | None:
    """How far to the sides the paths may start, a dyadic number."""
    for k in range(-2, 12):
        reach = Fraction(1, 2) ** k
        if reach <= size and inside.holds(x - 2 * reach, x + 2 * reach):
            return reach
    return None


def _number(f: Callable[[Any], Any], at: Any) -> Any:
    try:
        value = f(at)
        finite = math.isfinite if isinstance(value, float) else mp.isfinite
        return value if finite(value) else None
    except UNDEFINED:
        return None


def _mp(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator
