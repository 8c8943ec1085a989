"""While the ball decides: arms that are put away cannot tie, and come back as soon as they might."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.newcomers import choose_new
from glbcheck.core.engine.optimum import BALL
from glbcheck.core.engine.survey import exact_survey
from glbcheck.core.engine.tracking import tracks
from glbcheck.core.environment.world import sphere
from glbcheck.core.tolerances import TIE

from tests.core.engine.test_tracking import Table

END, WAY = np.array([1.0, 0.0]), np.array([0.5, 0.25])


class Corner(Table):
    """Two unit arms and S = 1; H times the way from θ_t to the end of the first arm is (0, 2).

    So the sphere leads from that end into C_t by the shortest way, and the bound of `core.engine.ends` is tight.
    """

    def __init__(self, radius: float) -> None:
        super().__init__(0, 2, 2, 1.0)
        now = self.learner
        now.H[:], now.theta[:] = [[1.0, -2.0], [-2.0, 12.0]], END - WAY
        now.facts.lam, now.facts.radius = 0.5, radius
        now.lower[1, 0], now.inverse_d[:] = -1 / 6, (3 / 2, 1 / 12)
        self.arms.points[:] = np.array([END, [np.cos(0.2), -np.sin(0.2)]])
        sets.settle(now, self.arms)
        assert self.arms.norm[0] > self.arms.norm[1]


def radius_for(ties: float) -> float:
    """Of C_t, so that the value of the first arm is so many ties below that of the ball."""
    angle = 2.0 * np.arcsin(np.sqrt(ties * TIE / 2.0))
    return float(np.sqrt(0.5 - 4.0 * np.sin(angle) + 12.0 * np.sin(angle) ** 2))


@pytest.mark.parametrize(("seed", "d", "K", "scale"), [(1, 3, 8, 1.0), (1, 4, 12, 1.0), (0, 3, 8, 0.3)])
def test_choices_by_the_ball_are_those_of_the_reference_and_what_is_away_cannot_tie(
    seed: int, d: int, K: int, scale: float
) -> None:
    table, away, leaps = Table(seed, d, K, scale, shortest=1.0), 0, 0.0
    while not tracks(table.arms):
        best, facts = table.region().best(table.arms.points), table.learner.facts
        k, _ = table.choose()
        assert k == best
        aside = table.arms.notes[sets.AWAY, :K] > facts.strayed + facts.radius
        if facts.decided == BALL and not tracks(table.arms):
            assert (table.values()[aside] < 1.0 - 3.0 * TIE).all()
            away += int(aside.sum())
            leaps += facts.projected
        table.pull(k, 0.05)
    assert away > 2 * K
    assert leaps > 0 or seed == 1


@pytest.mark.parametrize(("d", "K", "shortest"), [(3, 20, 1.0), (4, 5, 1.0), (3, 6, 0.9)])
def test_new_arms_are_chosen_as_the_reference_chooses(d: int, K: int, shortest: float) -> None:
    table, room, by_ball, relaxed = Table(1, d, K, 1.0), sets.room(K, d), 0, 0
    for _ in range(100):
        points = sphere(table.rng, K, d) * table.rng.uniform(shortest, 1, (K, 1))
        table.arms = sets.views(room, points)
        assert exact_survey(table.learner, table.arms, table.theta, False)
        relaxed += bool(table.arms.extremes[sets.RELAXED] > 0.0)
        k = choose_new(table.learner, table.arms)
        assert k == table.region().best(points)
        by_ball += bool(table.learner.facts.decided == BALL)
        update(table.learner, table.link, points[k], float(points[k] @ table.theta + table.rng.normal()), 0.05)
    assert by_ball > 5
    assert relaxed > 20


@pytest.mark.parametrize("below", [1.0, 1e-5])
def test_of_arms_that_are_all_zero_the_first_is_chosen_though_zero_is_outside(below: float) -> None:
    corner = Corner(np.sqrt(1.5 - below))
    assert corner.learner.theta @ corner.learner.H @ corner.learner.theta == 1.5
    corner.arms.points[:] = 0.0
    sets.settle(corner.learner, corner.arms)
    assert corner.choose()[0] == 0
