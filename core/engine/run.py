"""A whole run of an agent in a world, and many runs on threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import learner, log, optimism, scout
from glbcheck.core.engine.episode import Block, Episode, blocks
from glbcheck.core.engine.loops import Choose, Observe, Trust, loop_of
from glbcheck.core.engine.rewards import EVERY, law_of
from glbcheck.core.engine.state import CORRECT, RADIUS, ROWS, THETA, H, Variant, initial, square, vector
from glbcheck.core.environment.world import Rng, World, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import UNIT


@dataclass(frozen=True)
class Agent:
    """An algorithm before its first round: its kernels, its state, and what its run says.

    `picks` if it chooses among the arms at random, by a number at the end of its state; `nested` if its H only grows.
    """

    choose: Choose
    observe: Observe
    trust: Trust
    state: Floats
    rows: int = ROWS  # of room for each arm
    picks: bool = False
    nested: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind, in constant memory; `record` only if it was asked for.

    `worst_ratio` is the largest ‖θ_t - θ*‖ / radius_t, above 1 if and only if θ* was ever missed.
    `first_informative` is the first round in which C_t does not contain all of Θ (0: never).  The arrays
    hold one number per checkpoint: the regret after that round, and the radius, the error ‖θ_t - θ*‖ and the
    weight in it.  `optimal_variance` is Σ g μ' at the best arms, `inverse_g` is Σ 1/g.
    """

    rounds: int
    regret: float
    regret_at: Floats
    radius_at: Floats
    error_at: Floats
    weight_at: Floats
    worst_ratio: float
    misses: int
    first_miss: int
    first_informative: int
    discounted: int
    smallest_weight: float
    projected: int
    corruption: float
    optimal_variance: float
    inverse_g: float
    g_min: float
    g_max: float
    theta: Floats
    H: Floats
    radius: float
    record: dict[str, Floats] | None


def _checked_truth(theta_star: Floats, p: Parameters) -> Floats:
    truth = np.array(theta_star, dtype=float)
    if truth.shape != (p.d,):
        raise BadInput("theta_star", f"array of shape {truth.shape}", f"a vector of {p.d} numbers")
    if not float(np.sqrt(truth @ truth)) <= UNIT * p.S:  # also catches what is not a number
        raise BadInput("theta_star", truth.tolist(), f"finite numbers, norm at most {UNIT * p.S:.12g}")
    return truth


# --- runs ---------------------------------------------------------------------------------------------------


class Stage:
    """An agent in a world, with the room and the attack that last from block to block; agents may share an attack."""

    def __init__(self, agent: Agent, p: Parameters, episode: Episode, attack: Floats | None = None) -> None:
        world = episode.world
        self.agent, self._p, self._episode = agent, p, episode
        self._theta_star = _checked_truth(world.theta_star, p)
        self._law = EVERY if world.rewards is not None else law_of(p.family, p.S, episode.steady, world.noisy)
        self._attack = world.attack.numbers() if attack is None else attack
        self._rounds = loop_of(agent.choose, agent.observe, agent.trust)
        self._flags = float(world.arms_stay), float(world.hostile_contexts), float(agent.nested)
        self._room = np.zeros((agent.rows, 0))

    def blocks(self) -> Iterator[Block]:
        """All rounds of the episode."""
        return blocks(self._p, self._episode, self._law, self._theta_star, self.agent.picks)

    def rounds_apart(self) -> Iterator[Block]:
        """The same, one by one, for fixed arms."""
        for block in self.blocks():
            for i in range(block.dispersions.size):
                one = slice(i, i + 1)
                parts = {name: getattr(block, name)[one] for name in ("dispersions", "draws", "caps", "chances")}
                yield block._replace(**parts)

    def play(self, block: Block, run_log: log.Log) -> None:
        """The rounds of a block."""
        K = block.naturals.shape[1]
        if self._room.shape[1] < K:
            self._room = np.zeros((self.agent.rows, K))
        fixed = (self._theta_star, self._attack, self._law)
        self._rounds(self.agent.state, self._room, *fixed, *block, *run_log, *self._flags)


def play(
    agent: Agent, p: Parameters, episode: Episode, checkpoints: Sequence[int] = (), record: bool = False
) -> Outcome:
    """All rounds of the episode; the state of the agent is used up."""
    run_log = log.blank(p.d, tuple(sorted(set(checkpoints))), episode.rounds if record else 0)
    stage = Stage(agent, p, episode)
    for block in stage.blocks():
        stage.play(block, run_log)
    return outcome_of(agent.state, run_log, record)


_WHOLE = {field.name for field in fields(Outcome) if field.type == "int"}


def outcome_of(state: Floats, run_log: log.Log, record: bool) -> Outcome:
    """What the rounds wrote down, by name."""
    sums = {name: float(value) for name, value in zip(log.SUMS, run_log.sums, strict=False)}
    marks = {f"{name}_at": column for name, column in zip(log.MARKED, run_log.marks.T.copy(), strict=True)}
    return Outcome(
        **{name: int(value) if name in _WHOLE else value for name, value in sums.items()},  # type: ignore[arg-type]
        **marks,
        theta=np.array(vector(state, THETA)),
        H=np.array(square(state, H)),
        radius=float(state[RADIUS]),
        record=dict(zip(log.RECORDED, run_log.record.T.copy(), strict=True)) if record else None,
    )


def agent_of(p: Parameters, variant: Variant = CORRECT) -> Agent:
    """The paper's learner, with a scout if the parameters say so."""
    if p.scout:
        return Agent(scout.choose, scout.observe, learner.trust, scout.initial(p), 2 * ROWS)
    choose = optimism.choose_exactly if p.index == "exact" else optimism.choose_by_closed_form
    return Agent(choose, learner.observe, learner.trust, initial(p, variant))


def run(
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...] = (),
    checkpoints: Sequence[int] = (),
    record: bool = False,
    variant: Variant = CORRECT,
) -> Outcome:
    """Play `rounds` rounds of the paper's learner; `key` names the run among those of the same seed."""
    return play(agent_of(p, variant), p, Episode(world, rounds, seed, key), checkpoints, record)


def replicate(
    p: Parameters,
    world: World | Callable[[Rng], World],
    rounds: int,
    seed: int,
    count: int,
    checkpoints: Sequence[int] = (),
    workers: int | None = None,
) -> list[Outcome]:
    """Independent runs number 0, ..., count - 1: each is `run` with the key (number,), whatever the number of workers.

    A function in place of the world makes one for each run.  The rounds run without Python's lock.
    """

    def one(number: int) -> Outcome:
        made = world if isinstance(world, World) else world(stream(seed, (number,)))
        return run(p, made, rounds, seed, (number,), checkpoints)

    # Before the threads ask for them: the table of the link, the law of the rewards, the compiled loop.
    agent = agent_of(p)
    loop_of(agent.choose, agent.observe, agent.trust)
    if isinstance(world, World):
        law_of(p.family, p.S, Episode(world, rounds, seed).steady, world.noisy)
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return list(pool.map(one, range(count)))
