"""Small finite-horizon decision problems, written out as tables whose value the kernel works out.

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
from glbcheck.core.exact import Exact, Relation, check_relation, natural, rational
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import evidence_for
from glbcheck.verify.claim import Evidence

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


@dataclass(frozen=True)
class Game(Generic[State, Action]):
    """At each time t < horizon: act, collect reward(t, state, action), move by step(t, state, action)."""

    horizon: int
    start: State
    actions: Callable[[int, State], Sequence[Action]]
    step: Callable[[int, State, Action], Mapping[State, Exact]]
    reward: Callable[[int, State, Action], Exact]
    terminal: Callable[[State], Exact] = lambda _: 0


def dynamic_program(
    game: Game[State, Action], relation: Relation, rhs: Exact, sense: Literal["max", "min"] = "max"
) -> Evidence:
    """Decide `optimal value relation rhs`, where the optimum is over all adaptive policies."""
    check_relation(relation)
    if sense not in ("max", "min"):
        raise BadInput("sense", sense, "'max' or 'min'")
    claim = f"{relation} {rational('rhs', rhs)}"
    states = table(game)
    made = {"format": FORMAT, "game": {"sense": sense, "states": states, "claim": claim}}
    scope = f"a game of {natural('horizon', game.horizon)} rounds and {len(states)} states, all adaptive policies"
    return evidence_for(made, "exact", f"the {sense} over policies is {claim}", scope)


def table(game: Game[State, Action]) -> list[Any]:
    """Every reachable state, in order of time: its actions as [reward, [[state, probability], ...]]."""
    place: dict[tuple[int, State], int] = {(0, game.start): 0}
    queue: list[tuple[int, State]] = [(0, game.start)]
    states: list[Any] = []
    for t, state in queue:
        if t == game.horizon:
            states.append([[str(rational("terminal", game.terminal(state))), []]])
            continue
        actions = game.actions(t, state)
        if not actions:
            raise BadInput(f"actions({t}, {state!r})", actions, "at least one action")
        rows = []
        for action in actions:
            name = f"step({t}, {state!r}, {action!r})"
            law = {after: rational(name, p) for after, p in game.step(t, state, action).items()}
            if any(p < 0 for p in law.values()) or sum(law.values(), Fraction(0)) != 1:
                raise BadInput(name, {k: str(p) for k, p in law.items()}, "weights >= 0 that sum to exactly 1")
            for after in law:
                if (t + 1, after) not in place:
                    place[t + 1, after] = len(queue)
                    queue.append((t + 1, after))
            reward = rational(f"reward({t}, {state!r}, {action!r})", game.reward(t, state, action))
            rows.append([str(reward), [[place[t + 1, after], str(p)] for after, p in law.items()]])
        states.append(rows)
    return states
