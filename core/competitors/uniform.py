"""Every arm with the same probability, whatever it pays."""

from __future__ import annotations

from glbcheck.core._numba import compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.engine.arms import Arms
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.rounds import Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import Learner, initial
from glbcheck.core.parameters import Parameters


@compiled
def picked(learner: Learner, memory: tuple[()], arms: Arms, pick: int) -> int:
    return pick


@compiled
def learn_nothing(learner: Learner, memory: tuple[()], link: Floats, pull: Pull) -> float:
    learner.facts.weight = 1.0
    return 0.0


ROUNDS = rounds_of(learn_nothing, picked)


def start(p: Parameters, course: Course) -> Player:
    return Player(ROUNDS, initial(p), picks=True)


UNIFORM = Competitor(start, confident=False, estimates=False)
