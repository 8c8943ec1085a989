"""Distances between laws, and what they forbid."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.oracles.facts import instance

Array = NDArray[np.float64]
legendre = cache(np.polynomial.legendre.leggauss)  # the nodes cost more than the integrals that use them


def law(rng: Generator, size: int = 4) -> Array:
    return np.asarray(rng.dirichlet(np.ones(size)) * 0.99 + 0.01 / size)


def near(rng: Generator, p: Array) -> Array:
    """A law close to p."""
    q = p * (1 + 0.02 * rng.normal(size=p.shape))
    return np.asarray(q / q.sum())


def kl(p: Array, q: Array) -> float:
    return float(p @ np.log(p / q))


def distance(p: Array, q: Array) -> float:
    """Total variation."""
    return float(np.abs(p - q).sum() / 2)


@cache
def normal_plane(nodes: int) -> tuple[Array, Array]:
    """Points and masses that integrate polynomials against the standard normal law in the plane."""
    x, shares = np.polynomial.hermite_e.hermegauss(nodes)
    return np.array(list(product(x, x))), np.outer(shares, shares).ravel() / (2 * np.pi)


@instance("gibbs")
def gibbs(rng: Generator, planted: bool) -> float:
    """Random finite laws; planted: with KL(P | Q)."""
    p, f = law(rng), rng.normal(size=4)
    tilted = p * np.exp(-f)
    q = law(rng) if rng.uniform() < 0.5 else tilted / tilted.sum()
    return float(q @ f) + (kl(p, q) if planted else kl(q, p)) + float(np.log(p @ np.exp(-f)))


@instance("pinsker")
def pinsker(rng: Generator, planted: bool) -> float:
    """Random laws, near and far; planted: nine tenths of the bound, which two nearly fair coins exceed."""
    p = np.array([0.5, 0.5]) if rng.uniform() < 0.5 else law(rng)
    q = near(rng, p)
    return float(np.sqrt(kl(p, q) / 2)) * (0.9 if planted else 1.0) / distance(p, q) - 1


@instance("kl-below-chi-square")
def kl_below_chi_square(rng: Generator, planted: bool) -> float:
    """Random laws; planted: two fifths of chi^2, which laws close to each other exceed."""
    p = law(rng)
    q = near(rng, p) if rng.uniform() < 0.5 else law(rng)
    square = float((p - q) ** 2 @ (1 / q))
    return (0.4 if planted else 1.0) * square / kl(p, q) - 1


@instance("kl-chain-rule")
def kl_chain_rule(rng: Generator, planted: bool) -> float:
    """Two rounds, the second depending on the first; planted: the expectation under the other law."""
    p, q = law(rng), law(rng)
    rows = [(law(rng), law(rng)) for _ in p]
    joint_p = np.array([first * one for first, (one, _) in zip(p, rows, strict=True)]).ravel()
    joint_q = np.array([first * other for first, (_, other) in zip(q, rows, strict=True)]).ravel()
    later = float((q if planted else p) @ np.array([kl(one, other) for one, other in rows]))
    return -abs(kl(joint_p, joint_q) - kl(p, q) - later)


@instance("assouad")
def assouad(rng: Generator, planted: bool) -> float:
    """The best estimate of two signs from one observation; planted: without the factor 1/2."""
    signs = list(product((-1, 1), repeat=2))
    laws = {s: near(rng, law(rng)) if rng.uniform() < 0.2 else law(rng) for s in signs}
    found = np.inf
    for i in range(2):
        pairs = [(laws[s], laws[(*s[:i], 1, *s[i + 1 :])]) for s in signs if s[i] == -1]
        largest = max(distance(p, q) for p, q in pairs)
        minus, plus = (sum(column) / 4 for column in zip(*pairs, strict=True))
        wrong = float(np.minimum(minus, plus).sum())
        found = min(found, wrong - (1 - largest) / (1 if planted else 2))
    return float(found)


@instance("gaussian-divergence")
def gaussian_divergence(rng: Generator, planted: bool) -> float:
    """In two dimensions against a quadrature that is exact for it; planted: the logarithm with the other sign."""
    grid, weights = normal_plane(6)
    A, B = (m @ m.T + 0.5 * np.eye(2) for m in rng.normal(size=(2, 2, 2)))
    a, b = rng.normal(size=(2, 2))
    points = a + grid @ np.linalg.cholesky(A).T
    ratio = np.log(np.linalg.det(B) / np.linalg.det(A))
    log_ratio = ratio / 2 - _square(points - a, A) / 2 + _square(points - b, B) / 2
    formula = float(np.trace(np.linalg.solve(B, A)) - 2 + _square((a - b)[None], B)[0])
    return -float(abs(weights @ log_ratio - (formula + (-ratio if planted else ratio)) / 2))


def _square(rows: Array, A: Array) -> Array:
    return np.asarray(np.einsum("ni,ni->n", rows, np.linalg.solve(A, rows.T).T))


@instance("gaussian-projection")
def gaussian_projection(rng: Generator, planted: bool) -> float:
    """E exp(<x, theta>), which a normal law determines; planted: with the inverse of the covariance."""
    grid, weights = normal_plane(40)
    root = rng.normal(size=(2, 2)) / 2 + np.eye(2)
    G, m, x = root @ root.T, rng.normal(size=2), rng.uniform(-1, 1, 2)
    logarithm = np.log(float(weights @ np.exp((grid @ root.T) @ x))) + float(m @ x)
    variance = float(x @ np.linalg.solve(G, x)) if planted else float(x @ G @ x)
    return -float(abs(logarithm - float(m @ x) - variance / 2))


@instance("divergence-of-a-game")
def divergence_of_a_game(rng: Generator, planted: bool) -> float:
    """Two rounds and two arms, the second arm by the first reward; planted: half of the bound."""
    first, second = rng.uniform(0.3, 0.7, 2), rng.uniform(0.3, 0.7, 2)
    if rng.uniform() < 0.5:
        second = first + rng.choice([-1, 1]) * 0.01
    kappa = max(kl(np.array([p, 1 - p]), np.array([q, 1 - q])) for p, q in zip(first, second, strict=True))
    # The policy pulls arm 0 and then arm 1 after a one: the chance of that is the mean of arm 0.
    return float(np.sqrt(2 * kappa / 2)) * (0.5 if planted else 1.0) / abs(float(first[0] - second[0])) - 1


def windowed(tau: float, bend: float, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Nodes and masses of the density e^{tau z - bend z^2/2} on an interval."""
    nodes, shares = legendre(60)
    z = (ends[0] + ends[1]) / 2 + (ends[1] - ends[0]) / 2 * nodes
    mass = shares * np.exp(tau * z - bend * z**2 / 2)
    return z, mass / mass.sum()


@instance("tilted-window")
def tilted_window(rng: Generator, planted: bool) -> float:
    """Along a grid of tau, du = V dtau; planted: the integral of (u - a)/V."""
    bend, ends = float(rng.uniform(0, 2)), (-float(rng.uniform(0.5, 2)), float(rng.uniform(0.5, 2)))
    nodes, shares = legendre(30)
    first, last = rng.normal(size=2) * 2
    laws = [windowed(float(tau), bend, ends) for tau in (first, last)]
    (z, p), (_, q) = laws
    a, b = float(z @ p), float(z @ q)
    taus = (first + last) / 2 + (last - first) / 2 * nodes
    means = np.array([float(x @ mass) for x, mass in (windowed(float(tau), bend, ends) for tau in taus)])
    along = (means - a) if planted else (b - means)
    return -abs(kl(q, p) - float(shares @ along) * float(last - first) / 2)


@instance("convex-order")
def convex_order(rng: Generator, planted: bool) -> float:
    """A normal law cut to a window against the one with its mean; planted: with its centre for the mean."""
    centre, ends = float(rng.normal()), (-float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 2)))
    z, p = windowed(centre, 1.0, ends)
    mean, k = centre if planted else float(z @ p), float(rng.normal() * 2)
    nodes, shares = legendre(200)
    wide = mean + 10 * nodes
    normal = shares * np.exp(-((wide - mean) ** 2) / 2)

    def bent(at: Array) -> Array:
        return np.asarray(np.logaddexp(0, 8 * (at - k)) / 8)  # smooth, so that the quadrature is exact

    return float(bent(wide) @ (normal / normal.sum())) - float(bent(z) @ p)
