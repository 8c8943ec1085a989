"""The base density log_base(r, g) as a fast function of rewards, minus infinity outside the support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats
from glbcheck.core.support import Support, g, r
from numpy.typing import NDArray

LogDensity = Callable[[Floats, float | Floats], Floats]  # one dispersion, or one per reward


def log_base_function(expr: sp.Expr, support: Support) -> LogDensity:
    """log_base(r, g) as a vectorised function, minus infinity outside the support."""
    nu, x = sp.Wild("nu"), sp.Wild("x")
    log_iv = sp.Function("log_iv")
    stable = expr.replace(sp.log(sp.besseli(nu, x)), log_iv(nu, x))
    # SymPy turns loggamma(n + 1) into the logarithm of n!, an integer that numpy cannot hold.
    stable = stable.replace(
        lambda part: isinstance(part, sp.log) and part.args[0].is_Integer, lambda part: part.evalf(30)
    )
    raw = sp.lambdify((r, g), stable, modules=[{"log_iv": _log_iv, "loggamma": _loggamma}, "scipy", "numpy"])
    lower = sp.lambdify(g, support.lower, modules="numpy")
    upper = sp.lambdify(g, support.upper, modules="numpy")
    step = None if support.step is None else sp.lambdify(g, support.step, modules="numpy")

    def function(reward: Floats, dispersion: float | Floats) -> Floats:
        low, high = float(lower(dispersion)), float(upper(dispersion))
        inside = (reward >= low) & (reward <= high)
        at = reward
        if step is not None:
            spacing = np.asarray(step(dispersion), dtype=float)
            origin = low if np.isfinite(low) else 0.0
            index = np.round((reward - origin) / spacing)
            inside &= np.abs((reward - origin) / spacing - index) <= 1e-9 * np.maximum(1.0, np.abs(index))
            at = origin + index * spacing
        somewhere = origin if step is not None else _interior(low, high)
        safe = np.where(inside, at, somewhere)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.real(raw(safe, dispersion))
        return np.where(inside, values, -np.inf)

    return function


def _interior(low: float, high: float) -> float:
    if np.isfinite(low) and np.isfinite(high):
        return (low + high) / 2
    return low + 1 if np.isfinite(low) else 0.0


def _loggamma(x: Any) -> NDArray[Any]:
    import scipy.special as special

    return np.asarray(special.loggamma(x) if np.iscomplexobj(x) else special.gammaln(x))


def _log_iv(nu: Any, x: Any) -> Floats:
    """log I_nu(x) without underflow: where it is too small, Debye's expansion for large order, right to about 1e-9."""
    import scipy.special as special

    scaled = special.ive(nu, x)
    with np.errstate(divide="ignore"):
        direct = np.log(scaled) + np.abs(x)
        order = np.maximum(nu, 1.0)
        root = np.hypot(1.0, x / order)
        exponent = order * (root + np.log(np.abs(x) / order / (1 + root))) - np.log(2 * np.pi * order * root) / 2
    first, second, third = _debye(1 / root)
    large = exponent + np.log1p((first + (second + third / order) / order) / order)
    return np.asarray(np.where(scaled > 1e-290, direct, large))


def _debye(p: Any) -> tuple[Any, Any, Any]:
    """The terms of Debye's expansion after 1, without the powers of the order: polynomials in p."""
    first, second = (3 * p - 5 * p**3) / 24, (81 * p**2 - 462 * p**4 + 385 * p**6) / 1152
    third = (30375 * p**3 - 369603 * p**5 + 765765 * p**7 - 425425 * p**9) / 414720
    return first, second, third
