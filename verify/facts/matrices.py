"""Positive definite matrices, norms, convex sets and volumes."""

from __future__ import annotations

import numpy as np
from glbcheck.verify.facts.entry import fact
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float64]
HORN = "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed."


def definite(rng: Generator, d: int) -> Array:
    root = rng.normal(size=(d, d))
    return np.asarray(root @ root.T + 0.1 * np.eye(d))


def dimension(rng: Generator) -> int:
    return int(rng.integers(1, 5))


@fact(
    "cauchy-schwarz",
    "<x, y> <= |x| |y|, also for the norms of H^-1 and of H; hence (sum a_i b_i)^2 <= (sum a_i^2)(sum b_i^2)",
    f"{HORN}, theorem 5.1.4",
    r"Cauchy-Schwarz|dual\s+norms",
)
def cauchy_schwarz(rng: Generator, planted: bool) -> float:
    """Random vectors and matrix, often parallel; planted: the norm of H^-1 on both sides."""
    d = dimension(rng)
    H, y = definite(rng, d), rng.normal(size=d)
    x = H @ y if rng.uniform() < 0.5 else rng.normal(size=d)
    norm_y = y @ (np.linalg.solve(H, y) if planted else H @ y)
    return float(np.sqrt(x @ np.linalg.solve(H, x) * norm_y) - x @ y) + 1e-9 * float(np.abs(x @ y))


@fact(
    "triangle",
    "|x + y| <= |x| + |y|",
    f"{HORN}, definition 5.1.1",
    r"triangle inequality|\bdiameter|distance of two points",
)
def triangle(rng: Generator, planted: bool) -> float:
    """Random vectors, often parallel; planted: the larger of the two norms."""
    d = dimension(rng)
    x = rng.normal(size=d)
    y = x * rng.uniform() if rng.uniform() < 0.5 else rng.normal(size=d)
    sizes = np.linalg.norm(x), np.linalg.norm(y)
    return float((max(sizes) if planted else sum(sizes)) - np.linalg.norm(x + y))


@fact(
    "loewner-order",
    "if A - B is positive semidefinite and B positive definite, then B^-1 - A^-1 is positive semidefinite, so "
    "|x| in A^-1 is at most |x| in B^-1; and |x| in A is at least |x| in B",
    f"{HORN}, corollary 7.7.4",
    r"inversion reverses|H_\S+ >= H_t\b|H_s <= H_|H_\w >= lambda I|V_s >= lambda I|in H_s <= ",
)
def loewner_order(rng: Generator, planted: bool) -> float:
    """The least eigenvalue of B^-1 - A^-1; planted: of A^2 - B^2."""
    d = dimension(rng)
    B, x = definite(rng, d), rng.normal(size=d)
    A = B + np.outer(x, x)
    difference = A @ A - B @ B if planted else np.linalg.inv(B) - np.linalg.inv(A)
    return float(np.linalg.eigvalsh(difference)[0] / np.linalg.norm(difference))


@fact(
    "determinant-lemma",
    "det(A + x x^T) = det A (1 + x^T A^-1 x)",
    f"{HORN}, section 0.8.5",
    r"determinant lemma|det\(I \+ y y\^T\)|[Cc]ount(ing)? determinants|determinants are counted",
)
def determinant_lemma(rng: Generator, planted: bool) -> float:
    """Both sides, relative to the first; planted: with a minus."""
    d = dimension(rng)
    A, x = definite(rng, d), rng.normal(size=d)
    left, n = np.linalg.det(A + np.outer(x, x)), float(x @ np.linalg.solve(A, x))
    return -float(abs(1 - np.linalg.det(A) * (1 - n if planted else 1 + n) / left))


@fact(
    "sherman-morrison",
    "(A + c x x^T)^-1 = A^-1 - c A^-1 x x^T A^-1/(1 + c x^T A^-1 x)",
    f"{HORN}, section 0.7.4",
    r"Sherman-Morrison",
)
def sherman_morrison(rng: Generator, planted: bool) -> float:
    """The difference of both sides; planted: without the denominator."""
    d, c = dimension(rng), float(rng.uniform(0.1, 2))
    A, x = definite(rng, d), rng.normal(size=d)
    y = np.linalg.solve(A, x)
    down = 1.0 if planted else 1 + c * float(x @ y)
    claimed = np.linalg.inv(A) - c * np.outer(y, y) / down
    return -float(np.abs(np.linalg.inv(A + c * np.outer(x, x)) - claimed).max())


@fact(
    "spectrum",
    "v^T A v <= c for all unit vectors v means that the eigenvalues of the symmetric A are at most c; the trace is "
    "their sum and the determinant their product",
    f"{HORN}, theorems 1.2.12 and 4.2.2",
    r"eigenvalue",
)
def spectrum(rng: Generator, planted: bool) -> float:
    """Determinant against the largest v^T A v to the power d; planted: the product of the diagonal below it."""
    d = dimension(rng)
    A = definite(rng, d)
    values = np.linalg.eigvalsh(A)
    if planted:
        return float(np.linalg.det(A) / np.prod(np.diag(A)) - 1)
    agree = abs(np.trace(A) - values.sum()) + abs(np.linalg.det(A) / np.prod(values) - 1)
    return -float(agree) if np.linalg.det(A) <= values[-1] ** d * (1 + 1e-9) else -1.0


@fact(
    "convex-minimum",
    "a point x of a convex set minimises a differentiable convex f over it if and only if <grad f(x), u - x> >= 0 for "
    "all u in the set; without the set, if grad f(x) = 0; a strictly convex f has at most one minimiser",
    "S. Boyd and L. Vandenberghe, Convex Optimization, section 4.2.3",
    r"[Mm]inimum over (a|the) convex|conditions of a minimum|one stationary point|minimum of a\s+convex",
)
def convex_minimum(rng: Generator, planted: bool) -> float:
    """A separable quadratic over the unit cube, minimised by clipping; planted: u outside the cube."""
    d = dimension(rng)
    a, centre = rng.uniform(0.5, 2, d), rng.normal(size=d) * 2
    x = np.clip(centre, 0, 1)
    u = rng.normal(size=d) * 3 if planted else rng.uniform(0, 1, d)
    return float((a * (x - centre)) @ (u - x))


@fact(
    "packing",
    "a largest set of points of a ball of radius S that are more than r apart is an r-cover of it, and it has at most "
    "(1 + 2S/r)^d points, as the balls of radius r/2 around them are disjoint",
    "R. Vershynin, High-Dimensional Probability, corollary 4.2.13",
    r"ratio of the volumes|Cover the unit ball",
)
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
