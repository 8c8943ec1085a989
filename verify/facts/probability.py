"""Expectations, tails, martingales and games against chance."""

from __future__ import annotations

from itertools import product
from math import comb, exp, factorial, log

import numpy as np
from glbcheck.verify.facts.entry import fact
from numpy.random import Generator

DURRETT = "R. Durrett, Probability: Theory and Examples, 5th ed."
BOUCHERON = "S. Boucheron, G. Lugosi and P. Massart, Concentration Inequalities"
BANDITS = "T. Lattimore and C. Szepesvari, Bandit Algorithms"


@fact(
    "tower",
    "the mean of a conditional mean is the mean; what is known may be taken out of a conditional mean, and conditional "
    "means are linear and monotone",
    f"{DURRETT}, theorems 4.1.9, 4.1.13 and 4.1.14",
    r"[Cc]onditional means|has\s+conditional mean|[Cc]onditioning on|given everything outside",
)
def tower(rng: Generator, planted: bool) -> float:
    """A finite law in blocks; planted: the conditional means averaged without the weights of the blocks."""
    mass, value = rng.dirichlet(np.ones(6)).reshape(3, 2), rng.normal(size=(3, 2))
    blocks = mass.sum(axis=1)
    means = (mass * value).sum(axis=1) / blocks
    return -abs(float(means.mean() if planted else blocks @ means) - float((mass * value).sum()))


@fact("markov", "P(X >= a) <= E X/a for X >= 0 and a > 0", f"{DURRETT}, theorem 1.6.4", r"\bMarkov")
def markov(rng: Generator, planted: bool) -> float:
    """Random laws, often on {0, a}; planted: nine tenths of the bound."""
    p, x, a = rng.dirichlet(np.ones(3)), rng.uniform(0, 3, 3), 1.0
    x = np.array([0.0, 0.0, a]) if rng.uniform() < 0.5 else x
    return float(p @ x) / a * (0.9 if planted else 1.0) - float(p[x >= a].sum())


@fact(
    "ville",
    "a supermartingale M_t >= 0 reaches 1/delta with probability at most delta E M_0 (Ville)",
    f"{BANDITS}, theorem 3.9; {DURRETT}, exercise 4.8.2",
    r"\bVille",
)
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


@fact(
    "hoeffding",
    "P(X_1 + ... + X_n >= n q + t) <= exp(-2 t^2/n) for independent X_i in [0, 1] of mean q",
    f"{BOUCHERON}, theorem 2.8",
    r"\bHoeffding",
)
def hoeffding(rng: Generator, planted: bool) -> float:
    """Exact binomial tails; planted: 4 in place of 2, which one fair coin exceeds."""
    n, q = int(rng.integers(1, 12)), 0.5 if rng.uniform() < 0.5 else float(rng.uniform())
    k = int(rng.integers(int(n * q) + 1, n + 1)) if n * q < n else n
    tail = sum(comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(k, n + 1))
    return exp(-(4 if planted else 2) * (k - n * q) ** 2 / n) - tail


@fact(
    "chernoff",
    "P(Poi(lam) >= (1 + u) lam) <= exp(-lam ((1 + u) log(1 + u) - u)) for u >= 0, from the generating function",
    f"{BOUCHERON}, section 2.2",
    r"\bChernoff",
)
def chernoff(rng: Generator, planted: bool) -> float:
    """Exact Poisson tails; planted: twice the exponent."""
    lam = float(rng.uniform(1, 20))
    k = int(lam) + int(rng.integers(1, 40))
    head = sum(exp(-lam + j * log(lam) - log(factorial(j))) for j in range(k, k + 120))
    exponent = k * log(k / lam) - (k - lam)
    return -exponent * (2 if planted else 1) - log(head)


@fact(
    "generating-function",
    "the law of a whole number r >= 0 is determined by its generating function E y^r, 0 <= y <= 1",
    "W. Feller, An Introduction to Probability Theory, vol. I, chapter XI",
    r"generating function",
)
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


@fact(
    "stochastic-order",
    "the laws of an exponential family increase with the natural parameter: P_z(r >= t) does not decrease in z, so "
    "rewards r~ <= r of two parameters can be coupled, and E(r - r~) is the difference of the means",
    "E. L. Lehmann and J. P. Romano, Testing Statistical Hypotheses, 3rd ed., lemma 3.4.2",
    r"increase with the natural parameter",
)
def stochastic_order(rng: Generator, planted: bool) -> float:
    """Tails of a random finite family at two parameters; planted: the masses themselves."""
    r, base = np.sort(rng.normal(size=5)), rng.uniform(0.1, 1, 5)
    low, high = np.sort(rng.normal(size=2))
    laws = [base * np.exp(r * z) for z in (low, high)]
    p, q = (one / one.sum() for one in laws)
    difference = q - p if planted else np.cumsum((q - p)[::-1])
    return float(difference.min())


@fact(
    "deterministic-policies",
    "a randomised policy is a mixture of deterministic ones, so its expected regret is a mean of theirs",
    "H. W. Kuhn, Extensive games and the problem of information (1953)",
    r"[Rr]andomised polic(y|ies)",
)
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


@fact(
    "backward-induction",
    "the optimum over all policies of a finite game against chance is found backwards, one round at a time",
    "M. L. Puterman, Markov Decision Processes, section 4.3",
    r"backward induction|[Oo]ver all policies",
)
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


@fact(
    "normal-density",
    "the normal law of mean a and variance s^2 has the density exp(-(x - a)^2/(2 s^2))/(s sqrt(2 pi)), of integral 1",
    "W. Feller, An Introduction to Probability Theory and its Applications, vol. I, chapter VII",
    r"normal density|standard normal noise",
)
def normal_density(rng: Generator, planted: bool) -> float:
    """Its integral by the trapezoidal rule, which is exact to rounding for it; planted: without the factor 1/s."""
    mean, spread = rng.normal(), rng.uniform(0.2, 0.8)
    x = mean + spread * np.linspace(-12, 12, 2001)
    mass = np.trapezoid(np.exp(-(((x - mean) / spread) ** 2) / 2), x) / np.sqrt(2 * np.pi)
    return -abs(float(mass if planted else mass / spread) - 1)
