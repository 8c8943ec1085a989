"""Polynomials with rational coefficients, constant term first: just enough to see a sign on a half-line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Coefficients = Sequence[Fraction]


def value(polynomial: Coefficients, point: Fraction | int) -> Fraction:
    """The value at a point, by Horner's rule."""
    result = Fraction(0)
    for coefficient in reversed(polynomial):
        result = result * point + coefficient
    return result


def taylor(polynomial: Coefficients, point: Fraction | int) -> list[Fraction]:
    """Coefficients in powers of (x - point); if none is negative, the polynomial is >= 0 on [point, oo)."""
    rest, result = list(polynomial), []
    while rest:
        for i in reversed(range(len(rest) - 1)):
            rest[i] += point * rest[i + 1]
        result.append(rest.pop(0))
    return result


def combine(a: Fraction | int, left: Coefficients, b: Fraction | int, right: Coefficients) -> list[Fraction]:
    """a·left + b·right."""
    size = max(len(left), len(right))
    return [a * _entry(left, i) + b * _entry(right, i) for i in range(size)]


def product(left: Coefficients, right: Coefficients) -> list[Fraction]:
    result = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def _entry(polynomial: Coefficients, i: int) -> Fraction:
    return polynomial[i] if i < len(polynomial) else Fraction(0)
