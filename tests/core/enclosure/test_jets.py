"""Taylor coefficients against those that mpmath finds, and what must not be taken for a removable singularity."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from glbcheck.core.enclosure import ball, hull, jet_function, lower, precision, upper

F = Fraction
z = sp.Symbol("z", real=True)


def bessel(n: int) -> Callable[[Any], Any]:
    return lambda x: mpmath.besseli(n, x)


def power(p: int, q: int) -> Callable[[Any], Any]:
    return lambda x: x ** (mpmath.mpf(p) / q)


SERIES_OF: dict[str, tuple[sp.Expr, Callable[[Any], Any]]] = {
    **{name: (getattr(sp, name)(z), getattr(mpmath, name)) for name in (
        "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "gamma", "loggamma", "erf",
    )},
    **{f"I{n}": (sp.besseli(n, z), bessel(n)) for n in (0, 1, 2, 3)},
    **{f"z^({p}/{q})": (z ** sp.Rational(p, q), power(p, q)) for p, q in (
        (2, 1), (5, 1), (-1, 1), (-3, 1), (1, 2), (3, 2), (-1, 2), (-5, 2), (1, 3), (-2, 3),
    )},
    "coth": (sp.coth(z), mpmath.coth), "I1(z²)": (sp.besseli(1, z**2), lambda x: mpmath.besseli(1, x**2)),
    "sinh(z)/z": (sp.sinh(z) / z, lambda x: mpmath.sinh(x) / x),
    "π exp(z)": (sp.pi * sp.exp(z), lambda x: mpmath.pi * mpmath.exp(x)), "2": (sp.Integer(2), lambda x: x * 0 + 2),
}  # fmt: skip


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("name", SERIES_OF)
def test_the_coefficients_at_a_point_are_those_of_the_function(name: str, length: int) -> None:
    expr, function = SERIES_OF[name]
    with precision(160):
        found = jet_function(expr, z)(F(3, 7), length)
    with mpmath.workdps(70):
        truth = mpmath.taylor(function, mpmath.mpf(3) / 7, length - 1)
    assert len(found) == length
    for c, true in zip(found, truth, strict=True):
        exactly = F(mpmath.nstr(true, 45))
        with precision(160):
            assert lower(c) - F(1, 10**30) <= exactly <= upper(c) + F(1, 10**30)
            assert upper(c) - lower(c) < F(1, 10**35)


POLES = [
    sp.cosh(z) / z, (1 + z) / z**2, sp.sin(z) / z**2, z / (sp.exp(z) - 1) ** 2, (sp.cosh(z) - 1) / z**3,
    sp.exp(z) / sp.sin(z), z * sp.log(z), z**3 * sp.gamma(z) ** 4, z**2 / sp.sin(z) ** 3, sp.sqrt(sp.cosh(z) - 1),
    sp.Mul(0, sp.log(z), evaluate=False),
    1 / (z * (1 + z**2)), (sp.exp(z) - 1) / (z * sp.sin(z)), (z - 2) / z, sp.log(2 + z) / z, sp.besseli(0, z) / z,
]  # fmt: skip


@pytest.mark.parametrize("expr", POLES, ids=str)
@pytest.mark.parametrize("over", [(-1, 1), (0, 1), (-1, 0), (0, 0)], ids=str)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_pole_is_not_filled(expr: sp.Expr, over: tuple[int, int], length: int) -> None:
    """Nor at 0 itself, where flint would leave out the zeros of the other factor."""
    assert not any(c.is_finite() for c in jet_function(expr, z)(hull(*over), length))


REMOVABLE: list[tuple[sp.Expr, Fraction, list[Fraction]]] = [
    (sp.sin(z) / z, F(0), [F(1), F(0), F(-1, 6), F(0), F(1, 120)]),
    ((sp.exp(z) - 1 - z) / z**2, F(0), [F(1, 2), F(1, 6), F(1, 24), F(1, 120), F(1, 720)]),
    (z / (sp.exp(z) - 1), F(0), [F(1), F(-1, 2), F(1, 12), F(0), F(-1, 720)]),
    (z**2 / (sp.cosh(z) - 1), F(0), [F(2), F(0), F(-1, 6), F(0), F(1, 120)]),
    (z**3 / sp.sin(z), F(0), [F(0), F(0), F(1), F(0), F(1, 6)]),
    ((z**2 - 1) / (z - 1), F(1), [F(2), F(1), F(0), F(0), F(0)]),
    ((sp.exp(2 * z + 1) - 1) / (4 * z + 2), F(-1, 2), [F(1, 2), F(1, 2), F(1, 3), F(1, 6), F(1, 15)]),
    (sp.exp(z) * sp.sin(z) ** 6 / z**6, F(0), [F(1), F(1), F(-1, 2), F(-5, 6), F(1, 120)]),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "center", "exact"), REMOVABLE, ids=str)
def test_a_removable_singularity_is_filled_with_the_true_coefficients(
    expr: sp.Expr, center: Fraction, exact: list[Fraction]
) -> None:
    with precision(160):
        jet = jet_function(expr, z)
        at, around = jet(center, 5), jet(hull(center - F(1, 16), center + F(1, 16)), 5)
        for k, c in enumerate(exact):
            assert at[k].overlaps(ball(c))
            assert at[k].rad() < ball(2) ** -120
            assert around[k].contains(ball(c))
            assert around[k].rad() < 2
        # Near it, and far from it, what is divided says the same.
        function = sp.lambdify(z, expr, "mpmath")
        for offset in (F(1, 32), F(-1, 16), F(3)):
            with mpmath.workdps(60):
                value = F(
                    mpmath.nstr(function(mpmath.mpf((center + offset).numerator) / (center + offset).denominator), 45)
                )
            point = jet(center + offset, 1)[0]
            assert abs(lower(point) - value) < F(1, 10**30) * (1 + abs(value))
            assert upper(point) - lower(point) < F(1, 10**30) * (1 + abs(value))
            if abs(offset) <= F(1, 16):
                assert lower(around[0]) <= value <= upper(around[0])


def test_over_a_wide_ball_next_to_a_removable_point_the_narrower_enclosure_is_taken() -> None:
    """(e^z - 1)/z rises, so over [a, b] it is between its ends."""
    jet = jet_function((sp.exp(z) - 1) / z, z)
    for a, b in ((F(1, 8), F(1, 4)), (F(1, 100), F(1, 8)), (F(2), F(5, 2)), (F(-1, 4), F(-1, 8)), (F(3, 4), F(7, 8))):
        with precision(160):
            over = jet(hull(a, b), 1)[0]
            low, high = lower(jet(a, 1)[0]), upper(jet(b, 1)[0])
            assert lower(over) <= low + F(1, 10**30)
            assert high - F(1, 10**30) <= upper(over)
            assert upper(over) - lower(over) <= 6 * (high - low)
