"""Calculus and convexity in one variable."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.oracles.facts import instance

Array = NDArray[np.float64]
NODES, SHARES = np.polynomial.legendre.leggauss(40)


def interval(rng: Generator) -> tuple[float, float]:
    return float(rng.uniform(-2, 2)), float(rng.uniform(-2, 2))


def integral(values: Array, low: float, high: float) -> float:
    """Of a smooth function given at the nodes of [low, high]."""
    return float(values @ SHARES) * (high - low) / 2


def nodes(low: float, high: float) -> Array:
    return np.asarray((low + high) / 2 + (high - low) / 2 * NODES)


@instance("taylor")
def taylor(rng: Generator, planted: bool) -> float:
    """The remainder of exp; planted: with the weight v in place of 1 - v."""
    a, b = interval(rng)
    v = nodes(0, 1)
    weight = v if planted else 1 - v
    remainder = (b - a) ** 2 * integral(weight * np.exp(a + v * (b - a)), 0, 1)
    first = abs(np.exp(b) - np.exp(a) - (b - a) * integral(np.exp(a + v * (b - a)), 0, 1))
    return -float(abs(np.exp(b) - np.exp(a) - np.exp(a) * (b - a) - remainder)) - float(first)


@instance("mean-value")
def mean_value(rng: Generator, planted: bool) -> float:
    """The quotient of sin among its slopes; planted: it is the slope in the middle."""
    a, b = interval(rng)
    quotient = (np.sin(b) - np.sin(a)) / (b - a)
    slopes = np.cos(np.linspace(a, b, 2001))
    if planted:
        return -float(abs(quotient - np.cos((a + b) / 2)))
    return float(min(quotient - slopes.min(), slopes.max() - quotient)) + 1e-6 * float(abs(b - a))


@instance("monotone")
def monotone(rng: Generator, planted: bool) -> float:
    """The integral of a square between two points; planted: only the second derivative is not negative."""
    p = np.polynomial.Polynomial(rng.normal(size=4))
    rising = (p**2).integ()
    a, b = sorted(interval(rng))
    f = rising.integ() if planted else rising
    return float(f(b) - f(a))


@instance("convex-tangent")
def convex_tangent(rng: Generator, planted: bool) -> float:
    """exp against its tangent and its chord; planted: the same for the concave sqrt."""
    a, b = interval(rng)
    share = rng.uniform()
    if planted:
        a, b = abs(a) + 0.1, abs(b) + 0.1
        return float(np.sqrt(b) - np.sqrt(a) - (b - a) / (2 * np.sqrt(a)))
    chord = share * np.exp(a) + (1 - share) * np.exp(b) - np.exp(share * a + (1 - share) * b)
    return float(min(np.exp(b) - np.exp(a) - np.exp(a) * (b - a), chord))


@instance("compact-maximum")
def compact_maximum(rng: Generator, planted: bool) -> float:
    """Ends and critical points of a cubic hold its maximum over [a, b]; planted: the interval without its ends."""
    p = np.polynomial.Polynomial(rng.normal(size=4))
    a, b = sorted(interval(rng))
    roots = np.asarray(p.deriv().roots(), dtype=complex)
    inside = [float(r) for r in roots.real[np.abs(roots.imag) < 1e-12] if a < r < b]
    candidates = inside if planted else [a, b, *inside]
    largest = max((float(p(x)) for x in candidates), default=-np.inf)
    return max(largest - float(p(np.linspace(a, b, 501)).max()), -1e6)


@instance("derivative-under-the-integral")
def derivative_under_the_integral(rng: Generator, planted: bool) -> float:
    """The slope of a sum of exponentials against the sum of slopes; planted: without the factor r."""
    r, mass = rng.uniform(-2, 2, 6), rng.uniform(0, 1, 6)
    z, step = float(rng.uniform(-1, 1)), 1e-5
    slope = float(mass @ (np.exp(r * (z + step)) - np.exp(r * (z - step)))) / (2 * step)
    inside = mass * np.exp(r * z) * (1 if planted else r)
    return -abs(slope - float(inside.sum())) + 1e-7


@instance("tonelli")
def tonelli(rng: Generator, planted: bool) -> float:
    """A mixture of exponential densities has mass one; planted: (x^2 - y^2)/(x^2 + y^2)^2 on the unit square."""
    if planted:  # the inner integrals in closed form
        x = nodes(0, 1)
        return -abs(integral(1 / (1 + x**2), 0, 1) - integral(-1 / (1 + x**2), 0, 1))
    rates, weights = rng.uniform(1, 3, 5), rng.dirichlet(np.ones(5))
    pieces = [nodes(k, k + 1) for k in range(40)]
    masses = [integral(np.exp(-np.outer(x, rates)) * rates @ weights, k, k + 1) for k, x in enumerate(pieces)]
    return -abs(sum(masses) - 1)
