"""When the confidence set begins to speak: the bounds against runs of the algorithm."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog, concordance
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.engine.run import run
from glbcheck.core.environment.world import World
from glbcheck.core.theory.bounds import not_before, radius_at, surely_from
from glbcheck.core.theory.constants import Reading
from glbcheck.core.theory.parameters import Parameters, parameters

from glbcheck import audit_family

CASES = [
    ("gaussian", 1.0, 1, 1.0, 0.0), ("gaussian", 1.0, 2, 4.0, 0.0),
    ("gaussian", 2.0, 1, 0.1, 0.0),  # the first rewards are distrusted
    ("gaussian", 2.0, 2, 1.0, 5.0), ("bernoulli", 0.25, 1, 1.0, 0.0), ("bernoulli", 1.0, 3, 1.0, 0.0),
    ("rademacher", 0.25, 1, 1.0, 5.0),
]  # fmt: skip


@pytest.mark.parametrize("reading", ["paper", "repaired"])
@pytest.mark.parametrize(("name", "S", "d", "g", "C"), CASES)
@pytest.mark.parametrize("still", [True, False])
def test_the_first_round_that_speaks_lies_between_the_bounds(
    name: str, S: float, d: int, g: float, C: float, reading: str, still: bool
) -> None:
    family = catalog.get(name)
    p = parameters(family, d, S, 0.05, C, reading=reading)
    soonest, surely = not_before(p, g), surely_from(p, g, concordance.kappa(family, S).upper)
    assert surely < 200_000
    truth = np.zeros(d) if still else np.full(d, 0.99 * S / math.sqrt(d))
    world = World(truth, np.eye(d), g, noisy=not still)
    first = run(p, world, int(surely) + 2, seed=5).first_informative
    assert soonest <= first <= surely


@pytest.mark.parametrize("reading", ["paper", "repaired", "local"])
def test_the_radius_of_so_many_rounds_is_that_of_a_learner_after_them(reading: Reading) -> None:
    learner = HCWGLBOMD(catalog.get("gaussian"), 2, 1.0, C=2.0, constants=reading)
    assert radius_at(learner.parameters, 0, 0.25) == learner.radius
    for _ in range(5):
        learner.update([0.6, 0.8], 1.0, 0.25)
    assert radius_at(learner.parameters, 5, 0.25) == pytest.approx(learner.radius, rel=1e-12)


def test_a_radius_that_follows_the_determinant_is_at_most_the_one_that_is_foretold() -> None:
    learner = HCWGLBOMD(catalog.get("gaussian"), 1, 1.0, constants="sharpest", dispersions=(0.25, 0.25))
    for rounds in range(1, 6):
        learner.update([1.0], 0.0, 0.25)
        assert radius_at(learner.parameters, rounds, 0.25) >= learner.radius * (1 - 1e-12)
    assert learner.radius > 1.01 * learner.parameters.radius(learner.parameters.beta(0.0, 0.0))


def _gaussian(S: float) -> Parameters:
    return parameters(catalog.get("gaussian"), 1, S, 0.05, 0.0)


@pytest.mark.parametrize("S", [0.001, 0.3, 1.0])
def test_the_bound_is_the_very_first_round_also_when_it_is_far_away(S: float) -> None:
    p = _gaussian(S)
    t = int(not_before(p, 1.0))

    def speaks(round_: int) -> bool:
        return radius_at(p, round_ - 1, 1.0) < 2 * S * math.sqrt(p.lam + p.L_mu * (round_ - 1))

    assert speaks(t)
    assert not speaks(t - 1)


def test_what_is_beyond_the_horizon_of_the_search_is_not_given_a_round() -> None:
    assert math.isinf(not_before(_gaussian(1e-9), 1.0))
    audit = audit_family(catalog.get("gaussian"), "1e-9", only=("constants",))
    (found,) = (check for check in audit["checks"] if check["name"] == "constants")
    assert "perhaps beyond" in found["evidence"]
    assert found["certificate"]["paper"]["not_before"] is None
