"""Lower-bound constructions as games that backward induction solves exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction as F
from math import comb

from glbcheck.verify.search.games import Game

Signs = tuple[int, int]
SQUARE: tuple[Signs, ...] = ((1, 1), (-1, -1), (1, -1), (-1, 1))


Posterior = tuple[F, ...]


def square_of_rounds(rounds: Sequence[tuple[F, int]]) -> Game[Posterior, Signs]:
    """Arms and parameters are the four sign pairs; means p, 1/2, 1 - p for 0, 1, 2 wrong signs.

    Each round has its own p and a number of coins, of which the reward is the average.  Arms shorter by a factor have
    odds p/(1 - p) to that power, averages of N coins dispersion 1/N.  The state is the posterior of the parameters.
    """

    def mean(t: int, arm: Signs, theta: Signs) -> F:
        p = rounds[t][0]
        return {2: p, 0: F(1, 2), -2: 1 - p}[arm[0] * theta[0] + arm[1] * theta[1]]

    def step(t: int, state: Posterior, arm: Signs) -> Mapping[Posterior, F]:
        coins, law = rounds[t][1], dict[Posterior, F]()
        for ones in range(coins + 1):
            chances = [comb(coins, ones) * q**ones * (1 - q) ** (coins - ones) for q in means(t, arm)]
            joint = [weight * chance for weight, chance in zip(state, chances, strict=True)]
            total = sum(joint, F(0))
            later = tuple(weight / total for weight in joint)
            law[later] = law.get(later, F(0)) + total
        return law

    def means(t: int, arm: Signs) -> list[F]:
        return [mean(t, arm, theta) for theta in SQUARE]

    def regret(t: int, state: Posterior, arm: Signs) -> F:
        return rounds[t][0] - sum((w * q for w, q in zip(state, means(t, arm), strict=True)), F(0))

    return Game(len(rounds), (F(1, 4),) * 4, lambda t, state: SQUARE, step, regret)


Pulls = tuple[int, ...]
FOUND: Pulls = ()


def hidden_arm(K: int, N: int, T: int) -> Game[Pulls, int]:
    """One of K arms is better by 1; its first N pulls look like those of the others, the next does not.

    The state is the sorted number of pulls of every arm while nothing has been revealed; an arm pulled more
    than N times without a revelation is ruled out.
    """

    def candidates(state: Pulls) -> int:
        return sum(pulls <= N for pulls in state)

    def actions(t: int, state: Pulls) -> tuple[int, ...]:
        return tuple(j for j in range(len(state)) if j == 0 or state[j] != state[j - 1]) or (0,)

    def step(t: int, state: Pulls, arm: int) -> Mapping[Pulls, F]:
        if state == FOUND or state[arm] > N:
            return {state: F(1)}
        later = tuple(sorted((*state[:arm], state[arm] + 1, *state[arm + 1 :])))
        if state[arm] < N:
            return {later: F(1)}
        revealed = F(1, candidates(state))
        return {FOUND: revealed, later: 1 - revealed} if revealed < 1 else {FOUND: F(1)}

    def regret(t: int, state: Pulls, arm: int) -> F:
        if state == FOUND:
            return F(0)
        return F(1) if state[arm] > N else 1 - F(1, candidates(state))

    return Game(T, (0,) * K, actions, step, regret)


def two_worlds(d: int, N: int, T: int, Delta: F, rise: F) -> Game[Pulls, int]:
    """Arm 0 is better by Delta than d - 1 others; or one of these is better than it by `rise`, and N pulls are hidden.

    Worlds are weighted, not drawn: the clean one by 1/(Delta (N + 1)), each other one by 1/(rise T).  The state holds
    the pulls of the others, sorted; what is pulled N + 1 times is known, and costs nothing more where it is better.
    """
    clean, other = 1 / (Delta * (N + 1)), 1 / (rise * T)

    def actions(t: int, state: Pulls) -> tuple[int, ...]:
        return (0, *(j + 1 for j in range(len(state)) if j == 0 or state[j] != state[j - 1]))

    def step(t: int, state: Pulls, arm: int) -> Mapping[Pulls, F]:
        if arm == 0 or state[arm - 1] > N:
            return {state: F(1)}
        return {tuple(sorted((*state[: arm - 1], state[arm - 1] + 1, *state[arm:]))): F(1)}

    def regret(t: int, state: Pulls, arm: int) -> F:
        hidden = sum(pulls <= N for pulls in state)
        if arm == 0:
            return hidden * other * rise
        own = state[arm - 1] <= N
        return clean * Delta + (hidden - own) * other * (Delta + rise)

    return Game(T, (0,) * (d - 1), actions, step, regret)


Belief = tuple[tuple[F, ...], ...]


def hidden_coin(K: int, budget: int, T: int, high: F, low: F) -> Game[Belief, int]:
    """One of K coins has mean `high`, the others `low`; up to `budget` of its ones are shown as zeros.

    While the budget lasts a one is flipped with probability 1 - low/high.  The state is the learner's
    posterior, exact: for each arm, the probabilities that it is the better one with 0, 1, ..., budget flips
    left.
    """
    q = 1 - low / high

    def seen(weights: tuple[F, ...], one: bool) -> tuple[F, ...]:
        """The weights of (this arm is the better one, flips left) after it has been pulled."""
        spent, rest = weights[0], weights[1:]
        if one:
            return (spent * high, *(w * high * (1 - q) for w in rest))
        zero = [w * (1 - high) for w in weights]
        return tuple(kept + (rest[b] * high * q if b < budget else 0) for b, kept in enumerate(zero))

    def after(state: Belief, arm: int, one: bool) -> tuple[F, Belief]:
        """The probability of this observation and the posterior that follows it."""
        other = low if one else 1 - low
        joint = [seen(row, one) if i == arm else tuple(w * other for w in row) for i, row in enumerate(state)]
        chance = sum((w for row in joint for w in row), F(0))
        return chance, tuple(tuple(w / chance for w in row) for row in joint)

    def step(t: int, state: Belief, arm: int) -> Mapping[Belief, F]:
        law: dict[Belief, F] = {}
        for chance, later in (after(state, arm, one) for one in (True, False)):
            law[later] = law.get(later, F(0)) + chance
        return law

    def regret(t: int, state: Belief, arm: int) -> F:
        return (high - low) * (1 - sum(state[arm], F(0)))

    start = tuple((*(F(0),) * budget, F(1, K)) for _ in range(K))
    return Game(T, start, lambda t, state: tuple(range(K)), step, regret)
