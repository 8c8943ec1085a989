"""The learner with a scout, compiled; `core.scout` says what the two do, and `core.scouted` is the reference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core import scout
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.arms import Arms, closed_form
from glbcheck.core.engine.factor import dot
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.mirror_descent import squared_length, update
from glbcheck.core.engine.rounds import Pull, closed, rounds_of
from glbcheck.core.engine.state import Learner, initial, learner_in
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import TIE


class Company(NamedTuple):
    """What the learner has beside its own state."""

    scout: Floats
    link: Floats
    spent: Floats  # one number: what the proposals that were taken may have cost
    allowances: Floats  # what they may have, by powers of two


@compiled
def preferred(scout: Learner, points: Floats) -> int:
    """The scout's arm: of largest index in closed form, and of equals as `core.optimism.most_uncertain` has it.

    Three passes need no room, which would have to grow with the arms.
    """
    top, size, widest = -np.inf, 0.0, 0.0
    for k in range(points.shape[0]):
        value, _ = _index(scout, points[k])
        top, size = max(top, value), max(size, abs(value))
    for k in range(points.shape[0]):
        value, squared = _index(scout, points[k])
        if value >= top - TIE * size:
            widest = max(widest, squared)
    for k in range(points.shape[0]):
        value, squared = _index(scout, points[k])
        if value >= top - TIE * size and squared >= (1.0 - TIE) * widest:
            return k
    return 0


@compiled
def _index(scout: Learner, x: Floats) -> tuple[float, float]:
    """The index of an arm in closed form, and its squared norm in H⁻¹."""
    squared = squared_length(scout, x)
    return dot(x, scout.theta) + scout.facts.radius * np.sqrt(squared), squared


@compiled
@in_line
def choose(learner: Learner, company: Company, arms: Arms, pick: int) -> int:
    """The scout's arm, if it has the largest index or the allowance is enough; otherwise the learner's own."""
    k = preferred(learner_in(company.scout), arms.points)
    most, scale = closed_form(learner, arms)
    if arms.closed[k] >= most - TIE * scale:
        return k
    high, _ = evaluate(company.link, most)
    low, _ = evaluate(company.link, arms.closed[k] - 2.0 * learner.facts.radius * np.sqrt(arms.norm[k]))
    spent = company.spent[0] + (high - low)
    if spent > company.allowances[int(np.log2(learner.facts.rounds + 1.0))]:
        return closed(learner, (), arms, pick)
    company.spent[0] = spent
    return k


@compiled
@in_line
def learn(learner: Learner, company: Company, link: Floats, pull: Pull) -> float:
    """Both learn from every pull."""
    update(learner_in(company.scout), link, pull.x, pull.reward, pull.dispersion)
    return update(learner, link, pull.x, pull.reward, pull.dispersion)


ROUNDS = rounds_of(learn, choose)


def company(p: Parameters, rounds: int) -> Company:
    """The scout of a learner before the first of so many rounds."""
    allowances = scout.allowances(p, rounds)
    return Company(initial(scout.parameters_of(p)), link.pack(p.family, p.S), np.zeros(1), allowances)
