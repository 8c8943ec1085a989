"""Single numbers of the learner, its rivals and the simulations, by formulas written out a second time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World, run
from glbcheck.core.engine.feed import Course
from glbcheck.core.environment.world import basis, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.learner.fields import Fields
from glbcheck.core.parameters import parameters
from glbcheck.core.rivals import ALGORITHMS, cr_eluder_ucb
from glbcheck.core.simulation import cells, instances
from glbcheck.core.simulation.grid import Block
from glbcheck.core.small_engine.state import RADIUS
from glbcheck.core.small_rounds.run import Episode

GAUSSIAN = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 5.0, radius_scale=0.1)


@pytest.mark.parametrize("S", [0.3, 3.0])
def test_a_step_out_of_a_ball_of_any_size_ends_where_that_of_the_reference_does(S: float) -> None:
    p = parameters(catalog.get("gaussian"), 3, S, 0.05, 0.0, lam=0.01)
    rng = np.random.default_rng(2)
    world = World(0.99 * S * sphere(rng, 1, 3)[0], 0.99 * sphere(rng, 6, 3), 4.0)
    found = run(p, world, 12, 3, record=True)
    assert found.record is not None
    slow = HCWGLBOMD(p.family, 3, S, lam=0.01)
    for arm, reward in zip(found.record["arm"], found.record["reward"], strict=True):
        slow.update(np.asarray(world.arms)[int(arm)], float(reward), 4.0)
    assert found.projected > 0
    np.testing.assert_allclose(found.theta, slow.theta, rtol=1e-9)


def test_the_range_of_dispersions_is_asked_of_the_rounds_of_the_run_and_no_others() -> None:
    asked = []

    def profile(rng: np.random.Generator, first: int, count: int) -> Floats:
        asked.append(count)
        return np.full(count, 0.5)

    assert Course(World(np.zeros(2), basis(2), profile), 1030, 1).dispersion_range() == (0.5, 0.5)
    assert sum(asked) == 1030
    assert Course(World(np.zeros(2), basis(2), 0.3), 5, 1).dispersion_range() == (0.3, 0.3)


# --- rivals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 300])
def test_the_rival_by_uncertainty_is_told_the_horizon_of_its_course(T: int) -> None:
    episode = Episode(World(np.zeros(2), basis(2)), T, 1)
    started = ALGORITHMS["cr-eluder-ucb"].start(GAUSSIAN, episode).state
    told = cr_eluder_ucb.agent(GAUSSIAN, cr_eluder_ucb.constants(GAUSSIAN, T, (1.0, 1.0), 0.0), episode).state
    assert np.array_equal(started, told)
    another = cr_eluder_ucb.constants(GAUSSIAN, 2, (1.0, 1.0), 0.0)
    assert cr_eluder_ucb.agent(GAUSSIAN, another, episode).state[RADIUS] != started[RADIUS]


# --- simulations --------------------------------------------------------------------------------------------------


def test_what_runs_on_data_says_so() -> None:
    cell = Block(families=("bernoulli",)).cells()[0]
    assert cells.is_data(replace(cell, arms=f"{instances.DATA}:anything"))


def test_what_is_not_a_number_or_not_an_object_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="lam"):
        parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, lam="much")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="tickets"):
        Fields("tickets", [])
