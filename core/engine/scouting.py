"""The learner with a scout, compiled; `core.scout` says what the two do, and `core.scouted` is the reference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core import scout
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.arms import Arms, arms_in, closed_form, measure, most_uncertain, room, show
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.rounds import Pull, optimistic, rounds_of
from glbcheck.core.engine.state import Learner, initial, learner_in
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import TIE


class Company(NamedTuple):
    """What the learner has beside its own state."""

    scout: Floats
    room: Floats  # for the scout's view of the arms
    link: Floats
    spent: Floats  # one number: what the proposals that were taken may have cost
    allowances: Floats  # what they may have, by powers of two


@compiled
@in_line
def choose(learner: Learner, company: Company, arms: Arms, pick: int) -> int:
    """The scout's arm, if it has the largest index or the allowance is enough; otherwise the learner's own."""
    scout, seen = learner_in(company.scout), arms_in(company.room, arms.points)
    show(seen)
    measure(scout, seen)
    top, scale = closed_form(scout, seen)
    k = int(most_uncertain(seen.closed, top - TIE * scale, seen.norm))
    most, scale = closed_form(learner, arms)
    if arms.closed[k] >= most - TIE * scale:
        return k
    high, _ = evaluate(company.link, most)
    low, _ = evaluate(company.link, arms.closed[k] - 2.0 * learner.facts.radius * np.sqrt(arms.norm[k]))
    spent = company.spent[0] + (high - low)
    if spent > company.allowances[int(np.log2(learner.facts.rounds + 1.0))]:
        return optimistic(learner, (), arms, pick)
    company.spent[0] = spent
    return k


@compiled
@in_line
def learn(learner: Learner, company: Company, link: Floats, pull: Pull) -> float:
    """Both learn from every pull."""
    update(learner_in(company.scout), link, pull.x, pull.reward, pull.dispersion)
    return update(learner, link, pull.x, pull.reward, pull.dispersion)


ROUNDS = rounds_of(learn, choose)


def company(p: Parameters, arms: int, rounds: int) -> Company:
    """The scout of a learner before the first of so many rounds."""
    return Company(
        initial(scout.parameters_of(p)), room(arms, p.d), link.pack(p.family, p.S), np.zeros(1),
        scout.allowances(p, rounds),
    )  # fmt: skip
