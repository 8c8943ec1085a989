"""Positive definite matrices, norms, convex sets and volumes."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.oracles.facts import instance

Array = NDArray[np.float64]


def definite(rng: Generator, d: int) -> Array:
    root = rng.normal(size=(d, d))
    return np.asarray(root @ root.T + 0.1 * np.eye(d))


def dimension(rng: Generator) -> int:
    return int(rng.integers(1, 5))


@instance("cauchy-schwarz")
def cauchy_schwarz(rng: Generator, planted: bool) -> float:
    """Random vectors and matrix, often parallel; planted: the norm of H^-1 on both sides."""
    d = dimension(rng)
    H, y = definite(rng, d), rng.normal(size=d)
    x = H @ y if rng.uniform() < 0.5 else rng.normal(size=d)
    norm_y = y @ (np.linalg.solve(H, y) if planted else H @ y)
    return float(np.sqrt(x @ np.linalg.solve(H, x) * norm_y) - x @ y) + 1e-9 * float(np.abs(x @ y))


@instance("triangle")
def triangle(rng: Generator, planted: bool) -> float:
    """Random vectors, often parallel; planted: the larger of the two norms."""
    d = dimension(rng)
    x = rng.normal(size=d)
    y = x * rng.uniform() if rng.uniform() < 0.5 else rng.normal(size=d)
    sizes = np.linalg.norm(x), np.linalg.norm(y)
    return float((max(sizes) if planted else sum(sizes)) - np.linalg.norm(x + y))


@instance("loewner-order")
def loewner_order(rng: Generator, planted: bool) -> float:
    """The least eigenvalue of B^-1 - A^-1; planted: of A^2 - B^2."""
    d = dimension(rng)
    B, x = definite(rng, d), rng.normal(size=d)
    A = B + np.outer(x, x)
    difference = A @ A - B @ B if planted else np.linalg.inv(B) - np.linalg.inv(A)
    return float(np.linalg.eigvalsh(difference)[0] / np.linalg.norm(difference))


@instance("determinant-lemma")
def determinant_lemma(rng: Generator, planted: bool) -> float:
    """Both sides, relative to the first; planted: with a minus."""
    d = dimension(rng)
    A, x = definite(rng, d), rng.normal(size=d)
    left, n = np.linalg.det(A + np.outer(x, x)), float(x @ np.linalg.solve(A, x))
    return -float(abs(1 - np.linalg.det(A) * (1 - n if planted else 1 + n) / left))


@instance("sherman-morrison")
def sherman_morrison(rng: Generator, planted: bool) -> float:
    """The difference of both sides; planted: without the denominator."""
    d, c = dimension(rng), float(rng.uniform(0.1, 2))
    A, x = definite(rng, d), rng.normal(size=d)
    y = np.linalg.solve(A, x)
    down = 1.0 if planted else 1 + c * float(x @ y)
    claimed = np.linalg.inv(A) - c * np.outer(y, y) / down
    return -float(np.abs(np.linalg.inv(A + c * np.outer(x, x)) - claimed).max())


@instance("spectrum")
def spectrum(rng: Generator, planted: bool) -> float:
    """Determinant against the largest v^T A v to the power d; planted: the product of the diagonal below it."""
    d = dimension(rng)
    A = definite(rng, d)
    values = np.linalg.eigvalsh(A)
    if planted:
        return float(np.linalg.det(A) / np.prod(np.diag(A)) - 1)
    agree = abs(np.trace(A) - values.sum()) + abs(np.linalg.det(A) / np.prod(values) - 1)
    return -float(agree) if np.linalg.det(A) <= values[-1] ** d * (1 + 1e-9) else -1.0


@instance("convex-minimum")
def convex_minimum(rng: Generator, planted: bool) -> float:
    """A separable quadratic over the unit cube, minimised by clipping; planted: u outside the cube."""
    d = dimension(rng)
    a, centre = rng.uniform(0.5, 2, d), rng.normal(size=d) * 2
    x = np.clip(centre, 0, 1)
    u = rng.normal(size=d) * 3 if planted else rng.uniform(0, 1, d)
    return float((a * (x - centre)) @ (u - x))


@instance("packing")
def packing(rng: Generator, planted: bool) -> float:
    """A greedy set in up to three dimensions; planted: the power of S/r."""
    d, S, r = int(rng.integers(1, 4)), 1.0, float(rng.uniform(0.3, 1.5))
    points = rng.normal(size=(300, d))
    points *= (rng.uniform(size=(300, 1)) ** (1 / d)) / np.linalg.norm(points, axis=1, keepdims=True)
    kept: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > r for other in kept):
            kept.append(point)
    covered = all(min(np.linalg.norm(point - other) for other in kept) <= r for point in points)
    bound = (S / r) ** d if planted else (1 + 2 * S / r) ** d
    return bound / len(kept) - 1 if covered else -1.0
