"""While the ball decides: arms that are put away cannot tie, and come back as soon as they might."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine import state
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.optimism import select_exactly
from glbcheck.core.engine.optimum import BALL, ITERATIONS, optimistic_value
from glbcheck.core.engine.survey import survey
from glbcheck.core.engine.tracking import tracks
from glbcheck.core.tolerances import TIE
from glbcheck.core.world import sphere

from tests.test_tracking import Table

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
    angle = np.arccos(1.0 - ties * TIE)
    return float(np.sqrt(0.5 - 4.0 * np.sin(angle) + 12.0 * np.sin(angle) ** 2))


@pytest.mark.parametrize(("ties", "chosen"), [(0.9, 0), (1.1, 1), (2.9, 1), (3.6, 1)])
def test_only_an_arm_that_is_three_ties_below_the_ball_is_put_away(ties: float, chosen: int) -> None:
    corner = Corner(radius_for(ties))
    assert (1.0 - corner.values()[0]) / TIE == pytest.approx(ties, abs=0.01)
    assert corner.choose()[0] == chosen == corner.region().best(corner.arms.points)
    assert corner.arms.upper[0] == (-np.inf if ties > 3.5 else pytest.approx(1.0 - ties * TIE, abs=0.01 * TIE))


@pytest.mark.parametrize("leap", [False, True], ids=["by a step along H⁻¹ x", "by a projection"])
@pytest.mark.parametrize(("part", "chosen"), [(0.33, 1), (0.334, 0)])
def test_an_arm_that_was_put_away_is_back_when_C_t_has_come_to_its_end(part: float, chosen: int, leap: bool) -> None:
    corner = Corner(np.sqrt(0.5) / 1.5)
    now, facts = corner.learner, corner.learner.facts
    assert corner.choose()[0] == 1
    now.theta[:] = END - (1.0 - part) * WAY
    facts.moved, facts.norm = (np.inf if leap else -2.0 * part), 0.125  # for x = (0, 1), of which H⁻¹ x is half the way
    assert corner.choose()[0] == chosen == corner.region().best(corner.arms.points)
    assert (corner.arms.upper[0] < 0.0) == (chosen == 1)


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
    table, room, by_ball, away = Table(1, d, K, 1.0), sets.room(K, d), 0, 0
    for _ in range(100):
        points = sphere(table.rng, K, d) * table.rng.uniform(shortest, 1, (K, 1))
        table.arms = sets.views(room, points)
        assert survey(table.learner, table.arms, table.theta)
        k = select_exactly(table.learner, table.arms)
        assert k == table.region().best(points)
        gone = table.arms.upper == -np.inf
        assert (table.values()[gone] < table.arms.length.max() - 3.0 * TIE).all()
        by_ball += bool(table.arms.upper[k] == table.arms.length[k])
        away += int(gone.sum())
        update(table.learner, table.link, points[k], float(points[k] @ table.theta + table.rng.normal()), 0.05)
    assert by_ball > 20
    assert by_ball < 100
    assert away > 20 or shortest < 1.0


@pytest.mark.parametrize("ties", [0.9, 3.0, 1e3, 1e6])
def test_a_value_next_to_that_of_the_ball_is_as_accurate_as_any_other(ties: float) -> None:
    corner = Corner(radius_for(ties))
    now = corner.learner
    now.work[state.TARGET][:] = now.H @ now.theta
    for guess in 10.0 ** np.arange(-4, 12):
        corner.arms.guess[0] = guess
        value, _, _ = optimistic_value(now, corner.arms, 0, ITERATIONS)
        assert value == pytest.approx(corner.values()[0], abs=0.01 * TIE), guess
