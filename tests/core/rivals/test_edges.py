"""Every algorithm at its edges: no rounds at all, and guesses of a budget that nobody told."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.names import SUFFIX
from glbcheck.core.rivals import unknown_budget
from glbcheck.core.theory.parameters import parameters

P = parameters(catalog.get("gaussian"), 1, 1.5, 0.05, 50.0)
WORLD = World(np.array([1.2]), sphere(np.random.default_rng(4), 5, 1), attack=adversary.front_loaded(50.0))


@pytest.mark.parametrize("name", rivals.NAMES)
def test_no_rounds_can_be_played(name: str) -> None:
    p = parameters(P.family, 1, P.S, 0.05, P.C, reading="sharpest") if name.endswith("-scout") else P
    assert rivals.run(name, p, Episode(WORLD, 0, 1)).rounds == 0


@pytest.mark.parametrize("name", ["hcw-glb-omd", "cw-oful", "glb-omd-tuned"])
def test_a_learner_without_the_budget_draws_and_drops_guesses(name: str) -> None:
    base = rivals.check(name + SUFFIX, P)
    found = unknown_budget.select(base, P, Episode(WORLD, 300, 2), (10, 300), scale=0.01)
    assert found.drawn.sum() == found.outcome.rounds == 300
    assert 0 < found.dropped.sum() < found.guesses.size
    assert np.isnan(rivals.run(name + SUFFIX, P, Episode(WORLD, 50, 2)).worst_ratio)
