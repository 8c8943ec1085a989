"""Small finite-horizon decision problems solved exactly by backward induction, and checked forwards.

Lower-bound constructions are games between a learner and nature: a state (what was seen so far), the
actions the learner may take, the law of the next state, the reward on the way.  All laws and rewards
are rational, so the optimal value is a rational number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, Relation, natural, rational
from glbcheck.verify.claim import Evidence
from glbcheck.verify.provers.outcome import judge

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
Sense = Literal["max", "min"]


@dataclass(frozen=True)
class Game(Generic[State, Action]):
    """At each time t < horizon: act, collect reward(t, state, action), move by step(t, state, action)."""

    horizon: int
    start: State
    actions: Callable[[int, State], Sequence[Action]]
    step: Callable[[int, State, Action], Mapping[State, Exact]]
    reward: Callable[[int, State, Action], Exact]
    terminal: Callable[[State], Exact] = lambda _: 0


@dataclass(frozen=True)
class Solution(Generic[State, Action]):
    """The optimal value-to-go at every reachable (time, state), and an action that attains it."""

    values: Mapping[tuple[int, State], Fraction]
    policy: Mapping[tuple[int, State], Action]
    sense: Sense


def solve(game: Game[State, Action], sense: Sense = "max") -> Solution[State, Action]:
    """Backward induction over the states reachable from the start."""
    if sense not in ("max", "min"):
        raise BadInput("sense", sense, "'max' or 'min'")
    layers: list[list[State]] = [[game.start]]
    for t in range(natural("horizon", game.horizon)):
        layers.append(_successors(game, t, layers[-1]))
    values = {(game.horizon, s): rational("terminal", game.terminal(s)) for s in layers[-1]}
    policy: dict[tuple[int, State], Action] = {}
    best = max if sense == "max" else min
    for t in reversed(range(game.horizon)):
        for state in layers[t]:
            worth = [(action_value(game, values, t, state, a), a) for a in _actions(game, t, state)]
            values[t, state] = best(value for value, _ in worth)
            policy[t, state] = next(a for value, a in worth if value == values[t, state])
    return Solution(values, policy, sense)


def action_value(
    game: Game[State, Action],
    values: Mapping[tuple[int, State], Fraction],
    t: int,
    state: State,
    action: Action,
) -> Fraction:
    """Reward now plus the expected value of the next state."""
    reward = rational(f"reward({t}, {state!r}, {action!r})", game.reward(t, state, action))
    law = transition(game, t, state, action)
    return reward + sum((p * values[t + 1, after] for after, p in law.items()), Fraction(0))


def transition(game: Game[State, Action], t: int, state: State, action: Action) -> dict[State, Fraction]:
    """The law of the next state, refused unless it is a probability distribution."""
    name = f"step({t}, {state!r}, {action!r})"
    law = {after: rational(name, p) for after, p in game.step(t, state, action).items()}
    if any(p < 0 for p in law.values()) or sum(law.values(), Fraction(0)) != 1:
        raise BadInput(
            name, {k: str(p) for k, p in law.items()}, "non-negative weights that sum to exactly 1"
        )
    return law


def bellman_violations(game: Game[State, Action], solution: Solution[State, Action]) -> list[str]:
    """What is wrong with a claimed solution; empty means optimal.

    Walks forward from the start with the law of the state under the claimed policy.  Optimality: no
    action beats the claimed value at any reachable state.  Attainment: the rewards collected on the
    walk, weighted by that law, add up to the claimed value of the start.
    """
    sign = 1 if solution.sense == "max" else -1
    faults: list[str] = []
    law: dict[State, Fraction] = {game.start: Fraction(1)}
    reachable: list[State] = [game.start]
    collected = Fraction(0)
    for t in range(game.horizon):
        for state in reachable:
            for action in _actions(game, t, state):
                surplus = action_value(game, solution.values, t, state, action) - solution.values[t, state]
                if sign * surplus > 0:
                    faults.append(f"at {t}, {state!r}: {action!r} is better by {abs(surplus)}")
        following: dict[State, Fraction] = {}
        for state, weight in law.items():
            action = solution.policy[t, state]
            if action not in game.actions(t, state):
                faults.append(f"at {t}, {state!r}: {action!r} is not allowed")
            collected += weight * rational("reward", game.reward(t, state, action))
            for after, p in transition(game, t, state, action).items():
                following[after] = following.get(after, Fraction(0)) + weight * p
        law, reachable = following, _successors(game, t, reachable)
    faults.extend(
        f"at the end, {state!r}: value {solution.values[game.horizon, state]}"
        for state in reachable
        if solution.values[game.horizon, state] != rational("terminal", game.terminal(state))
    )
    collected += sum((w * rational("terminal", game.terminal(s)) for s, w in law.items()), Fraction(0))
    if collected != solution.values[0, game.start]:
        faults.append(f"the policy collects {collected}, not {solution.values[0, game.start]}")
    return faults


def dynamic_program(
    game: Game[State, Action], relation: Relation, rhs: Exact, sense: Sense = "max"
) -> Evidence:
    """Decide `optimal value relation rhs`; the solution is checked before it counts."""
    solution = solve(game, sense)
    faults = bellman_violations(game, solution)
    if faults:
        raise AssertionError(f"the solution is not optimal: {faults[0]}")
    value = solution.values[0, game.start]
    facts: dict[str, Any] = {
        "value": str(value),
        "sense": sense,
        "horizon": game.horizon,
        "states": len(solution.values),
        "policy": [[t, repr(state), repr(action)] for (t, state), action in solution.policy.items()],
    }
    what = f"the {sense} over policies"
    return judge(value, value, relation, rational("rhs", rhs), prover="exact", what=what, certificate=facts)


def _actions(game: Game[State, Action], t: int, state: State) -> Sequence[Action]:
    actions = game.actions(t, state)
    if not actions:
        raise BadInput(f"actions({t}, {state!r})", actions, "at least one action")
    return actions


def _successors(game: Game[State, Action], t: int, states: Sequence[State]) -> list[State]:
    """States with positive probability under some action, in order of discovery."""
    found: dict[State, None] = {}
    for state in states:
        for action in _actions(game, t, state):
            found.update(dict.fromkeys(transition(game, t, state, action)))
    return list(found)
