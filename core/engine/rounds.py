"""Many rounds in one call, for any learner: choose, draw, corrupt, learn, note.

`play` is the one loop.  What differs between learners is two functions that it calls by name, `learn` and
`choose`; `rounds_of` compiles it with those of a learner in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from glbcheck.core._numba import compiled, in_line, specialised
from glbcheck.core.adversary import NONE, Ledger, Seen, corrupt
from glbcheck.core.arrays import Floats
from glbcheck.core.contexts import show_worst
from glbcheck.core.engine.arms import BEST_NATURAL, Arms, arms_in, best_closed_form, follow, settle, top_of, with_points
from glbcheck.core.engine.factor import dot, inner_products, quadratic
from glbcheck.core.engine.laws import COUNTED, EVERY, EVERY_ARM, count_of_round, reward_of
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.optimism import select
from glbcheck.core.engine.stacks import NO_RECIPES, NO_STREAMS, restock
from glbcheck.core.engine.state import ERROR, Facts, Learner, learner_in
from glbcheck.core.engine.survey import survey
from glbcheck.core.engine.tally import Played, Tape, covers_ball, note
from glbcheck.core.engine.tracking import follow_values, tracks
from glbcheck.core.engine.wide import where
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
    If arms that stay were `shown_before`, their `room` holds what this learner has found out about them since.
    """

    arms: Floats
    dispersions: Floats
    outcomes: Floats
    used: Integers
    caps: Floats
    chances: Floats
    picks: Integers
    room: Floats
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


@compiled
@in_line
def optimistic(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The arm of largest index, exact or in closed form as the state says."""
    return select(learner, arms)


@compiled
@in_line
def closed(learner: Learner, memory: Any, arms: Arms, pick: int) -> int:
    """The arm of largest index in closed form, for learners that have no other: quicker to compile."""
    return best_closed_form(learner, arms)


choose = optimistic

Rounds: TypeAlias = Callable[[Floats, Any, Truth, Block, Tape, int], int]


def rounds_of(learn: Callable[..., float], choose: Callable[..., int] = optimistic) -> Rounds:
    """The rounds of a learner."""
    return specialised(play, learn=learn, choose=choose)


def play(state: Floats, memory: Any, truth: Truth, block: Block, tape: Tape, first: int) -> int:
    """The rounds `first`, ..., of a block; returns the first round not played.

    That is the end of the block, or earlier when all outcomes that Python prepared for an arm are used up; `REFUSED` if
    arms that change leave the unit ball.
    """
    learner, sums = learner_in(state), tape.sums
    facts, error = learner.facts, learner.work[ERROR]
    fixed, stacked, one_draw = block.arms.shape[0] == 1, block.used.size > 0, block.law[0] != EVERY_ARM
    arms = arms_in(block.room, block.arms[0])
    known = fixed and (first > 0 or block.shown_before)
    best, best_mean, best_slope = 0.0, 0.0, 0.0
    played, better = 0, 0  # the arms shown by an adversary that chooses contexts
    if fixed:
        if not known:
            settle(learner, arms)
        inner_products(truth.theta_star, arms.columns, arms.mean)
        best = top_of(arms.mean)
        best_mean, best_slope = evaluate(truth.link, best)
        for k in range(arms.mean.size):
            arms.mean[k], _ = evaluate(truth.link, arms.mean[k])
    for i in range(first, block.dispersions.size):
        if not fixed:
            arms = with_points(arms, block.arms[i])
            if not survey(learner, arms, truth.theta_star):
                return REFUSED
            if truth.hostile_contexts:
                played, better = show_worst(arms.points, arms.closed, arms.mean, arms.norm)
                survey(learner, arms, truth.theta_star)
            best = arms.extremes[BEST_NATURAL]
            best_mean, best_slope = evaluate(truth.link, best)
        for j in range(error.size):
            error[j] = learner.theta[j] - truth.theta_star[j]
        rho, miss = facts.radius, np.sqrt(quadratic(learner.lower, learner.inverse_d, error))
        if sums.first_informative == 0.0 and not covers_ball(learner, tape):
            sums.first_informative = sums.rounds + 1.0
        k = choose(learner, memory, arms, block.picks[i] if block.picks.size > 0 else 0)
        row, column = i, k
        if truth.hostile_contexts:  # the reward is that of the arm it was before contexts were chosen
            column = played if k == 0 else better
        if stacked:
            row, column = k, block.used[k]
            block.used[k] += 1
        x, g, z = arms.points[k], block.dispersions[i], dot(arms.points[k], truth.theta_star)
        if not fixed:
            arms.mean[k], _ = evaluate(truth.link, z)
        mean, c = arms.mean[k], 0.0
        if block.law[0] == COUNTED:
            reward = count_of_round(block.streams, min(max(z, -facts.S), facts.S), g)
        elif one_draw:
            reward = reward_of(block.law, min(max(z, -facts.S), facts.S), mean, block.outcomes[i, 0])
        else:
            reward = block.outcomes[row, column]
        if truth.attack.kind != NONE:
            mirrored, _ = evaluate(truth.link, -z)
            c = corrupt(
                truth.attack,
                Seen(
                    int(sums.rounds) + 1, block.caps[i], block.chances[i], reward, mean, mirrored,
                    z >= best - BEST, dot(x, error), trust_in(facts, g, arms.norm[k]),
                ),
            )  # fmt: skip
        grown = learn(learner, memory, truth.link, Pull(k, x, reward + c, g))
        _account_for(grown, learner, arms, k, fixed, tape, rho)
        regret = max(best_mean - mean, 0.0)
        note(
            tape,
            Played(
                float(k), reward, c, g, rho, miss, facts.weight, facts.projected, regret, best_slope
            ),
        )  # fmt: skip
        if stacked and block.used[k] == block.outcomes.shape[1]:
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


@compiled
@in_line
def _account_for(
    grown: float, learner: Learner, arms: Arms, played: int, fixed: bool, tape: Tape, radius: float
) -> None:
    """Norms of arms that stay, and what is known of Θ and C_t, after H has changed."""
    if grown == REPLACED:
        tape.sums.farthest = np.inf  # what was known about the old H says nothing
        if fixed:
            settle(learner, arms)
        return
    x = arms.points[played]
    tape.sums.grown += grown * dot(x, x)
    if tracks(arms):
        follow_values(learner, arms, played, grown, radius)
    elif fixed and grown > 0.0:
        follow(learner, arms, x, grown)
