"""Many rounds in one call, for any learner: choose, draw, corrupt, learn, note.

`play` is the one loop.  What differs between learners is functions that it calls by name: `learn`, `choose`, and for
what is known of the arms `keep`, if they stay, or `survey`, if they change.  `rounds_of` compiles it with those of a
learner in their place, for arms that stay and for arms that change, each when it is first played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from glbcheck.core._numba import compiled, in_line, specialised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import (
    BEST_NATURAL,
    RELAXED,
    Arms,
    arms_in,
    best_closed_form,
    follow,
    measure_one,
    settle,
    top_of,
)  # fmt: skip
from glbcheck.core.engine.attacks import Ledger, Seen, corrupt, show_worst
from glbcheck.core.engine.factor import dot, inner_products, quadratic
from glbcheck.core.engine.laws import COUNTED, EVERY, EVERY_ARM, count_of_round, reward_of
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.newcomers import choose_new
from glbcheck.core.engine.optimism import choose_staying
from glbcheck.core.engine.stacks import NO_RECIPES, NO_STREAMS, restock
from glbcheck.core.engine.state import ERROR, Facts, Learner, learner_in
from glbcheck.core.engine.survey import closed_survey, exact_survey, survey
from glbcheck.core.engine.tally import Played, Tape, covers_ball, note
from glbcheck.core.engine.tracking import follow_values, tracks
from glbcheck.core.engine.wide import where
from glbcheck.core.environment.adversary import NONE
from glbcheck.core.parameters import Index
from glbcheck.core.tolerances import BEST
from numpy.typing import NDArray

Integers = NDArray[np.int64]

REPLACED = -1.0  # what `learn` returns when H is another matrix than before
REFUSED = -1  # what `play` returns when an arm is not in the unit ball


class Truth(NamedTuple):
    """What the learner does not know."""

    link: Floats
    theta_star: Floats
    attack: Ledger
    hostile_contexts: bool


class Block(NamedTuple):
    """Some rounds.

    `arms` is (1, K, d) for arms that stay, (n, K, d) for arms that change.  Round i draws `outcomes[i, k]`
    for arm k, unless `used` is not empty: then arm k draws the next unused entry of its row `outcomes[k]`, which is
    filled again by its recipe, if it has one.
    If there is a `law`, it makes the reward of any arm of `outcomes[i, 0]`, or of the next place in `streams`.
    `caps` and `chances` are for the adversary, `picks` are arms drawn at random for a learner that asked for them.
    If arms that `stay` were `shown_before`, their `room` holds what this learner has found out about them since.
    """

    arms: Floats
    dispersions: Floats
    outcomes: Floats
    used: Integers
    caps: Floats
    chances: Floats
    picks: Integers
    room: Floats
    stay: bool = True
    law: Floats = EVERY
    streams: Integers = NO_STREAMS
    recipes: Floats = NO_RECIPES
    shown_before: bool = False


class Pull(NamedTuple):
    """What a learner sees of its choice."""

    arm: int
    x: Floats
    reward: float
    dispersion: float


def learn(learner: Learner, memory: Any, link: Floats, pull: Pull) -> float:
    """What the learner makes of a pull: θ, H, the radius and the weight of the round in its state.

    Returns c if H grew by c x xᵀ, with the H⁻¹ x of before in the row SOLVED of work; 0 if it did not, and
    `REPLACED` if it is another matrix.
    """
    raise NotImplementedError("a learner brings its own")


def keep(learner: Learner, arms: Arms, played: int, grown: float, radius: float) -> None:
    """What is known of arms that stay, after H grew by `grown` x xᵀ for the arm that was played."""
    raise NotImplementedError("`rounds_of` puts one of two in its place")


@compiled
@in_line
def keep_norms(learner: Learner, arms: Arms, played: int, grown: float, radius: float) -> None:
    """The norms: all that a choice in closed form asks for."""
    if grown > 0.0:
        follow(learner, arms, arms.points[played], grown)


@compiled
@in_line
def keep_values(learner: Learner, arms: Arms, played: int, grown: float, radius: float) -> None:
    """The norms, or the optimistic values once they are followed."""
    if tracks(arms):
        follow_values(learner, arms, played, grown, radius)
    else:
        keep_norms(learner, arms, played, grown, radius)


def choose(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The learner's arm."""
    raise NotImplementedError("a learner brings its own, or has one of those below")


@compiled
@in_line
def closed(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The arm of largest index in closed form."""
    return best_closed_form(learner, arms)


@compiled
@in_line
def exact_of_staying(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The arm of largest exact index among those that stay."""
    return choose_staying(learner, arms)


@compiled
@in_line
def exact_of_new(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The arm of largest exact index among new ones."""
    return choose_new(learner, arms)


STAY = True  # do the arms?

Play: TypeAlias = Callable[[Floats, Any, Truth, Block, Tape, int], int]


class Rounds(NamedTuple):
    """The rounds of a learner, compiled apart for arms that stay and for arms that change."""

    staying: Play
    changing: Play

    def __call__(self, state: Floats, memory: Any, truth: Truth, block: Block, tape: Tape, first: int) -> int:
        return (self.staying if block.stay else self.changing)(state, memory, truth, block, tape, first)


def rounds_of(learn: Callable[..., float], choose: Callable[..., int] = closed) -> Rounds:
    """The rounds of a learner that chooses in closed form, or in its own way."""
    return Rounds(
        specialised(play, learn=learn, choose=choose, keep=keep_norms, STAY=True),
        specialised(play, learn=learn, choose=choose, survey=closed_survey, STAY=False),
    )


def rounds_by_index(learn: Callable[..., float]) -> dict[Index, Rounds]:
    """The rounds of a learner that may choose exactly too."""
    exact = Rounds(
        specialised(play, learn=learn, choose=exact_of_staying, keep=keep_values, STAY=True),
        specialised(play, learn=learn, choose=exact_of_new, survey=exact_survey, STAY=False),
    )
    return {"exact": exact, "closed-form": rounds_of(learn)}


def play(state: Floats, memory: Any, truth: Truth, block: Block, tape: Tape, first: int) -> int:
    """The rounds `first`, ..., of a block; returns the first round not played.

    That is the end of the block, or earlier when all outcomes that Python prepared for an arm are used up; `REFUSED` if
    arms that change leave the unit ball.
    """
    learner, sums = learner_in(state), tape.sums
    facts, error = learner.facts, learner.work[ERROR]
    stacked, one_draw = block.used.size > 0, block.law[0] != EVERY_ARM
    arms = arms_in(block.room, block.arms[0])
    best, best_mean, best_slope = 0.0, 0.0, 0.0
    played, better = 0, 0  # the arms shown by an adversary that chooses contexts
    pick = 0
    if STAY:
        if first == 0 and not block.shown_before:
            settle(learner, arms)
        inner_products(truth.theta_star, arms.columns, arms.mean)
        best = top_of(arms.mean)
        best_mean, best_slope = evaluate(truth.link, best)
        for k in range(arms.mean.size):
            arms.mean[k], _ = evaluate(truth.link, arms.mean[k])
    for i in range(first, block.dispersions.size):
        if not STAY:
            arms = arms_in(block.room, block.arms[i])
            if not survey(learner, arms, truth.theta_star, truth.hostile_contexts):
                return REFUSED
            if truth.hostile_contexts:
                played, better = show_worst(arms.points, arms.closed, arms.mean, arms.norm)
                survey(learner, arms, truth.theta_star, False)
            best = arms.extremes[BEST_NATURAL]
            best_mean, best_slope = evaluate(truth.link, best)
        for j in range(error.size):
            error[j] = learner.theta[j] - truth.theta_star[j]
        rho, miss = facts.radius, np.sqrt(quadratic(learner.lower, learner.inverse_d, error))
        if sums.first_informative == 0.0 and not covers_ball(learner, tape):
            sums.first_informative = sums.rounds + 1.0
        if block.picks.size > 0:
            pick = block.picks[i]
        k = choose(learner, memory, arms, pick)
        row, column = i, k
        if not STAY and truth.hostile_contexts:  # the reward is that of the arm it was before contexts were chosen
            column = played if k == 0 else better
        if STAY and stacked:
            row, column = k, block.used[k]
            block.used[k] += 1
        x, g, z = arms.points[k], block.dispersions[i], dot(arms.points[k], truth.theta_star)
        if not STAY:
            arms.mean[k], _ = evaluate(truth.link, z)
        mean, c = arms.mean[k], 0.0
        if block.law[0] == COUNTED:
            reward = count_of_round(block.streams, min(max(z, -facts.S), facts.S), g)
        elif one_draw:
            reward = reward_of(block.law, min(max(z, -facts.S), facts.S), mean, block.outcomes[i, 0])
        else:
            reward = block.outcomes[row, column]
        if truth.attack.kind != NONE:
            if not STAY and arms.extremes[RELAXED] != 0.0:
                measure_one(learner, arms, k)
            mirrored, _ = evaluate(truth.link, -z)
            c = corrupt(
                truth.attack,
                Seen(
                    int(sums.rounds) + 1, block.caps[i], block.chances[i], reward, mean, mirrored,
                    z >= best - BEST, dot(x, error), trust_in(facts, g, arms.norm[k]),
                ),
            )  # fmt: skip
        grown = learn(learner, memory, truth.link, Pull(k, x, reward + c, g))
        if grown == REPLACED:
            sums.farthest, facts.outdated = np.inf, 1.0  # what was known about the old H says nothing
            if STAY:
                settle(learner, arms)
        else:
            sums.grown += grown * dot(x, x)
            if STAY:
                keep(learner, arms, k, grown, rho)
        regret = max(best_mean - mean, 0.0)
        note(
            tape,
            Played(
                float(k), reward, c, g, rho, miss, facts.weight, facts.projected, regret, best_slope
            ),
        )  # fmt: skip
        if STAY and stacked and block.used[k] == block.outcomes.shape[1]:
            if block.recipes.shape[0] == 0:
                return i + 1
            restock(block.outcomes[k], block.streams[k], block.recipes[k])
            block.used[k] = 0
    return int(block.dispersions.size)


@compiled
def trust_in(facts: Facts, dispersion: float, squared: float) -> float:
    """α g / ‖x‖, or without g for a learner whose weights do not look at it."""
    scale = where(facts.weighs_dispersion != 0.0, dispersion, 1.0)
    return facts.alpha * scale / np.sqrt(squared)  # type: ignore[no-any-return]
