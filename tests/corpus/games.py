"""Small games with known values, for the corpora and the tests of backward induction."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F

from glbcheck.verify.search.games import Game

Coins = tuple[int, int, int, int]


def dice(rolls: int) -> Game[int, str]:
    """Roll a die up to `rolls` times and keep the last face; 7/2, 17/4, 14/3, … in expectation."""

    def step(t: int, face: int, action: str) -> Mapping[int, F]:
        return {face: F(1)} if action == "keep" else {k: F(1, 6) for k in range(1, 7)}

    def actions(t: int, face: int) -> tuple[str, ...]:
        return ("keep", "roll") if face else ("roll",)

    # To keep is final because it is optimal: a kept face is only rolled again if that is worth more.
    return Game(rolls, 0, actions, step, lambda t, face, action: 0, lambda face: face)


def secretary(n: int) -> Game[tuple[str, int], str]:
    """Pick the best of n candidates in random order; 11/24 for n = 4.

    The state says whether the candidate on view is the best so far ("record"), not ("plain"), or
    whether the game is over after picking candidate number k ("picked", k).
    """

    def actions(t: int, state: tuple[str, int]) -> tuple[str, ...]:
        return ("pick", "pass") if state[0] == "record" else ("pass",)

    def step(t: int, state: tuple[str, int], action: str) -> Mapping[tuple[str, int], F]:
        if state[0] == "picked":
            return {state: F(1)}
        if action == "pick":
            return {("picked", state[1]): F(1)}
        if state[1] == n:
            return {("picked", 0): F(1)}
        following = state[1] + 1
        return {("record", following): F(1, following), ("plain", following): 1 - F(1, following)}

    def terminal(state: tuple[str, int]) -> F:
        return F(state[1], n) if state[0] == "picked" else F(0)

    return Game(n, ("record", 1), actions, step, lambda t, state, action: 0, terminal)


def two_coins(horizon: int) -> Game[Coins, int]:
    """Toss one of two coins of unknown bias (uniform priors), heads pay; state: heads and tails of each."""

    def chance(state: Coins, coin: int) -> F:
        heads, tails = state[2 * coin], state[2 * coin + 1]
        return F(heads + 1, heads + tails + 2)

    def step(t: int, state: Coins, coin: int) -> Mapping[Coins, F]:
        p = chance(state, coin)
        return {_count(state, 2 * coin): p, _count(state, 2 * coin + 1): 1 - p}

    return Game(horizon, (0, 0, 0, 0), lambda t, s: (0, 1), step, lambda t, s, coin: chance(s, coin))


def _count(state: Coins, place: int) -> Coins:
    a, b, c, d = (v + (i == place) for i, v in enumerate(state))
    return (a, b, c, d)
