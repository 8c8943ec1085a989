"""Random numbers that the formulas of textbook facts are about, by the letters of each formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, exp, factorial, log, sqrt

import numpy as np
from numpy.random import Generator

Numbers = Mapping[str, float]


def cauchy_schwarz(rng: Generator) -> Numbers:
    """An inner product of vectors, one nearly along the other, in the norms of a random matrix and its inverse."""
    d = int(rng.integers(1, 4))
    root = rng.normal(size=(d, d)) + 3 * np.eye(d)
    h = root @ root.T
    x = rng.normal(size=d)
    y = np.linalg.solve(h, x) * rng.normal() + rng.normal(size=d) * rng.integers(0, 2)
    u, v = float(x @ np.linalg.solve(h, x)), float(y @ h @ y)
    return {"p": float(x @ y), "a": sqrt(u), "b": sqrt(v), "u": u, "v": v}


def triangle(rng: Generator) -> Numbers:
    """The length of a sum of two vectors of a ball, often along one line."""
    x, y = rng.normal(size=(2, 3))
    y = x * rng.normal() if rng.integers(0, 2) else y
    a, b = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    return {"c": float(np.linalg.norm(x + y)), "a": a, "b": b, "r": max(a, b)}


def markov(rng: Generator) -> Numbers:
    """The chance that a number of a law of two points reaches the upper one, or something else."""
    a, p = rng.uniform(0.1, 5), rng.uniform()
    low, high = rng.uniform(0, a) * rng.integers(0, 2), a * (1 + rng.uniform() * rng.integers(0, 2))
    return {"p": p, "m": float((1 - p) * low + p * high), "a": a}


def ville(rng: Generator) -> Numbers:
    """The chance that a walk doubled or lost each time, or a part of it, ever reaches 1/delta."""
    k, start = int(rng.integers(0, 6)), rng.uniform(0.2, 1)
    return {"p": 2.0**-k, "m": start, "delta": 2.0**-k / start}


def laws(rng: Generator) -> tuple[float, float]:
    """The chances of two coins, often close to each other."""
    p = rng.uniform(0.05, 0.95)
    return p, float(np.clip(p + rng.normal() * (0.3 if rng.integers(0, 2) else 0.01), 0.02, 0.98))


def coins(rng: Generator) -> Numbers:
    p, q = laws(rng)
    kl = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    return {"tv": abs(p - q), "kl": kl, "c": (p - q) ** 2 / (q * (1 - q))}


def hoeffding(rng: Generator) -> Numbers:
    """The chance that a binomial exceeds its mean by t."""
    n, q = int(rng.integers(1, 9)), float(rng.choice([0.0, 0.5, rng.uniform(), 1.0]))
    t = float(rng.integers(0, 3)) / 2 * n * (1 - q)
    chances = [factorial(n) / factorial(k) / factorial(n - k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]
    return {"p": sum(chances[ceil(n * q + t - 1e-9) :]), "t": t, "n": n}


def chernoff(rng: Generator) -> Numbers:
    """The chance that a Poisson number reaches a whole number above its mean."""
    lam = float(10 ** rng.uniform(-3, 1))
    k = ceil(lam) + int(rng.integers(0, 5))
    return {"p": 1 - sum(exp(-lam) * lam**i / factorial(i) for i in range(k)), "lam": lam, "u": k / lam - 1}


NUMBERS: dict[str, Callable[[Generator], Numbers]] = {
    "cauchy-schwarz": cauchy_schwarz,
    "triangle": triangle,
    "markov": markov,
    "ville": ville,
    "pinsker": coins,
    "kl-below-chi-square": coins,
    "hoeffding": hoeffding,
    "chernoff": chernoff,
}
