"""Expectations, tails, martingales and games against chance."""

from __future__ import annotations

from itertools import product
from math import comb, exp, factorial, log

import numpy as np
from numpy.random import Generator

from tests.oracles.facts import instance


@instance("tower")
def tower(rng: Generator, planted: bool) -> float:
    """A finite law in blocks; planted: the conditional means averaged without the weights of the blocks."""
    mass, value = rng.dirichlet(np.ones(6)).reshape(3, 2), rng.normal(size=(3, 2))
    blocks = mass.sum(axis=1)
    means = (mass * value).sum(axis=1) / blocks
    return -abs(float(means.mean() if planted else blocks @ means) - float((mass * value).sum()))


@instance("markov")
def markov(rng: Generator, planted: bool) -> float:
    """Random laws, often on {0, a}; planted: nine tenths of the bound."""
    p, x, a = rng.dirichlet(np.ones(3)), rng.uniform(0, 3, 3), 1.0
    x = np.array([0.0, 0.0, a]) if rng.uniform() < 0.5 else x
    return float(p @ x) / a * (0.9 if planted else 1.0) - float(p[x >= a].sum())


@instance("ville")
def ville(rng: Generator, planted: bool) -> float:
    """The exact chance within six rounds of random steps of mean one; planted: nine tenths of delta."""
    up, down = (float(rng.integers(2, 5)), 0.0) if rng.uniform() < 0.5 else (rng.uniform(1.1, 4), rng.uniform(0, 0.9))
    chance = (1 - down) / (up - down)
    delta = float(up ** -int(rng.integers(1, 4)))

    def reach(value: float, left: int) -> float:
        if value * delta >= 1 - 1e-12:
            return 1.0
        return 0.0 if left == 0 else chance * reach(value * up, left - 1) + (1 - chance) * reach(value * down, left - 1)

    return delta * (0.9 if planted else 1.0) - reach(1.0, 6)


@instance("hoeffding")
def hoeffding(rng: Generator, planted: bool) -> float:
    """Exact binomial tails; planted: 4 in place of 2, which one fair coin exceeds."""
    n, q = int(rng.integers(1, 12)), 0.5 if rng.uniform() < 0.5 else float(rng.uniform())
    k = int(rng.integers(int(n * q) + 1, n + 1)) if n * q < n else n
    tail = sum(comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(k, n + 1))
    return exp(-(4 if planted else 2) * (k - n * q) ** 2 / n) - tail


@instance("chernoff")
def chernoff(rng: Generator, planted: bool) -> float:
    """Exact Poisson tails; planted: twice the exponent."""
    lam = float(rng.uniform(1, 20))
    k = int(lam) + int(rng.integers(1, 40))
    head = sum(exp(-lam + j * log(lam) - log(factorial(j))) for j in range(k, k + 120))
    exponent = k * log(k / lam) - (k - lam)
    return -exponent * (2 if planted else 1) - log(head)


@instance("generating-function")
def generating_function(rng: Generator, planted: bool) -> float:
    """A law on five points recovered from five values of the function; planted: from its mean, as a binomial."""
    p = rng.dirichlet(np.ones(5))
    k = np.arange(5)
    if planted:
        q = float(p @ k) / 4
        return -float(max(abs(p[j] - comb(4, j) * q**j * (1 - q) ** (4 - j)) for j in range(5)))
    y = np.linspace(0, 1, 5)
    table = y[:, None] ** k
    return -float(np.abs(np.linalg.solve(table, table @ p) - p).max())


@instance("stochastic-order")
def stochastic_order(rng: Generator, planted: bool) -> float:
    """Tails of a random finite family at two parameters; planted: the masses themselves."""
    r, base = np.sort(rng.normal(size=5)), rng.uniform(0.1, 1, 5)
    low, high = np.sort(rng.normal(size=2))
    laws = [base * np.exp(r * z) for z in (low, high)]
    p, q = (one / one.sum() for one in laws)
    difference = q - p if planted else np.cumsum((q - p)[::-1])
    return float(difference.min())


@instance("deterministic-policies")
def deterministic_policies(rng: Generator, planted: bool) -> float:
    """Two arms, two rounds, one bit between them; planted: the likeliest deterministic policy alone."""
    first, after, mean = rng.uniform(), rng.uniform(size=(2, 2)), rng.uniform(size=2)

    def value(arm: int, then: tuple[int, ...]) -> float:
        chance = mean[arm]
        return float(chance + chance * mean[then[2 * arm + 1]] + (1 - chance) * mean[then[2 * arm]])

    def weight(arm: int, then: tuple[int, ...]) -> float:
        choice = first if arm else 1 - first
        return float(choice * np.prod([p if bit else 1 - p for p, bit in zip(after.ravel(), then, strict=True)]))

    pairs = [(weight(arm, then), value(arm, then)) for arm in (0, 1) for then in product((0, 1), repeat=4)]
    mixed = max(pairs)[1] if planted else sum(w * v for w, v in pairs)
    behaviour = 0.0
    for arm, chosen in ((0, 1 - first), (1, first)):
        for bit, chance in ((0, 1 - mean[arm]), (1, mean[arm])):
            p = after[arm, bit]
            behaviour += chosen * chance * (bit + p * mean[1] + (1 - p) * mean[0])
    return -abs(float(behaviour) - mixed)


@instance("backward-induction")
def backward_induction(rng: Generator, planted: bool) -> float:
    """Two actions, two states, two rounds against all policies; planted: the first action chosen for its own reward."""
    now, then, move = rng.uniform(size=2), rng.uniform(size=(2, 2)), rng.uniform(size=2)

    def value(action: int, later: tuple[int, ...]) -> float:
        p = move[action]
        return float(now[action] + p * then[1, later[1]] + (1 - p) * then[0, later[0]])

    best = max(value(a, later) for a in (0, 1) for later in product((0, 1), repeat=2))
    ahead = then.max(axis=1)
    worth = [float(now[a] + move[a] * ahead[1] + (1 - move[a]) * ahead[0]) for a in (0, 1)]
    return -abs((worth[int(np.argmax(now))] if planted else max(worth)) - best)


@instance("normal-density")
def normal_density(rng: Generator, planted: bool) -> float:
    """Its integral by the trapezoidal rule, which is exact to rounding for it; planted: without the factor 1/s."""
    mean, spread = rng.normal(), rng.uniform(0.2, 0.8)
    x = mean + spread * np.linspace(-12, 12, 2001)
    mass = np.trapezoid(np.exp(-(((x - mean) / spread) ** 2) / 2), x) / np.sqrt(2 * np.pi)
    return -abs(float(mass if planted else mass / spread) - 1)
