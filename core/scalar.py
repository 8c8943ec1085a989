"""One formula, three kinds of numbers: floats for the algorithm, SymPy expressions and balls for the claims.

The functions of `core.theory.constants` are written once with these; which arithmetic they run in is decided
by their arguments.  Plain integers count as floats here: an exact caller passes SymPy numbers or balls.
SymPy is loaded for what is not a float.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

Scalar: TypeAlias = Any  # float, sp.Expr or a ball with methods exp, log, log1p, sqrt, max, min


def exp(x: Scalar) -> Scalar:
    if isinstance(x, int | float):
        return math.exp(x)
    import sympy as sp

    return sp.exp(x) if isinstance(x, sp.Basic) else x.exp()


def log(x: Scalar) -> Scalar:
    if isinstance(x, int | float):
        return math.log(x)
    import sympy as sp

    return sp.log(x) if isinstance(x, sp.Basic) else x.log()


def log1p(x: Scalar) -> Scalar:
    """log(1 + x), without rounding 1 + x first."""
    if isinstance(x, int | float):
        return math.log1p(x)
    import sympy as sp

    return sp.log(1 + x) if isinstance(x, sp.Basic) else x.log1p()


def sqrt(x: Scalar) -> Scalar:
    if isinstance(x, int | float):
        return math.sqrt(x)
    import sympy as sp

    return sp.sqrt(x) if isinstance(x, sp.Basic) else x.sqrt()


def largest(first: Scalar, *others: Scalar) -> Scalar:
    everyone = (first, *others)
    if all(isinstance(x, int | float) for x in everyone):
        return max(everyone)
    import sympy as sp

    if any(isinstance(x, sp.Basic) for x in everyone):
        return sp.Max(*everyone)
    # A ball's own maximum encloses the maximum of all points, which comparison of balls would not decide.
    top = first
    for other in others:
        top = top.max(other) if hasattr(top, "max") else other.max(top)
    return top


def smallest(first: Scalar, second: Scalar) -> Scalar:
    if isinstance(first, int | float) and isinstance(second, int | float):
        return min(first, second)
    import sympy as sp

    if any(isinstance(x, sp.Basic) for x in (first, second)):
        return sp.Min(first, second)
    return first.min(second) if hasattr(first, "min") else second.min(first)
