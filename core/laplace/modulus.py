"""Where a continuation to complex points would betray M: where to look, in floating point; nothing here is evidence.

A transform is analytic on the whole strip over its interval and |M(x + it)| <= M(x).  So a pole, or a point
where the modulus grows, speaks against it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

import mpmath as mp
import sympy as sp
from glbcheck.core.family import z
from glbcheck.core.laplace.formula import Where, interior_points

FLOATS = {name: getattr(mp.fp, name) for name in dir(mp.fp) if not name.startswith("_")}
SIMPLE = tuple(map(Fraction, ("1", "1/4", "4", "1/2", "2")))  # heights that make a short sentence
HEIGHTS = [2.0 ** (j / 4) for j in [*range(-16, 41), *range(44, 164, 4)]]
FAR = [Fraction(s * 2**k) for k in range(2, 8) for s in (1, -1)]
ENOUGH, TOO_MUCH = 1e-6, 1000.0  # by which the logarithm of the modulus may grow
STEPS = 24
UNDEFINED = (ValueError, ArithmeticError, TypeError, AttributeError, MemoryError, NotImplementedError)
Place = tuple[Fraction, Fraction]


def far_points(e: sp.Expr, inside: Where) -> Iterator[Place]:
    """(z0, t) with |M(z0 + it)| > M(z0) as far as floats can tell, for M = exp(e)."""
    f = sp.lambdify(z, e, [FLOATS])
    for z0 in [*interior_points(inside), *(x for x in FAR if inside.holds(x))]:
        base = _number(lambda x: float(f(x).real), complex(z0))
        if base is not None:
            growth = partial(_growth, f, float(z0), base)
            simple = (t for t in SIMPLE if ENOUGH < (_number(growth, float(t)) or 0) < TOO_MUCH)
            yield from ((z0, t) for t in chain(simple, _heights(growth)))


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


def _number(f: Callable[[Any], Any], at: Any) -> Any:
    try:
        value = f(at)
        finite = math.isfinite if isinstance(value, float) else mp.isfinite
        return value if finite(value) else None
    except UNDEFINED:
        return None
