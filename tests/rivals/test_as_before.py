"""Until `core.competitors` goes: both loops pull the same arms for every algorithm, on the same arms and rewards.

The former loop drew rewards of fixed arms in another way, so it is shown the same arms anew in every round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog, competitors, rivals
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, changing, decades, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.names import SUFFIX
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.rivals import unknown_budget as ours
from glbcheck.core.small_rounds.run import Episode

T = 500
MEASURED = ("regret", "worst_ratio", "optimal_variance", "corruption", "radius", "smallest_weight", "inverse_g")
COUNTED = ("misses", "first_miss", "first_informative", "discounted", "projected")


def told(name: str, d: int, C: float, **more: Any) -> Parameters:
    return parameters(catalog.get(name), d, 1.5, 0.05, C, **more)


def payments(name: str, d: int, K: int, low: float, high: float) -> Callable[..., Any]:
    """What every arm of every round pays, so that both loops see the same rewards whatever their law."""

    def pay(rng: np.random.Generator, first: int, count: int) -> Any:
        return np.random.default_rng((7, first)).poisson(2.0, (count, K)).astype(float)

    return pay


# A family, d, K, C, are the arms fixed, dispersions, an attack, further parameters.
SETTINGS: dict[str, tuple[Any, ...]] = {
    "line": ("gaussian", 1, 5, 50.0, True, 1.0, "front-loaded", {"index": "exact"}),
    "plane": ("gaussian", 2, 6, 0.0, False, decades(0.2, 1.0), "none", {"index": "exact"}),
    "space": ("gaussian", 5, 20, 50.0, True, decades(0.2, 1.0), "mirror", {"index": "closed-form"}),
    "coins": ("bernoulli", 3, 8, 0.0, True, 1.0, "none", {"index": "exact", "reading": "sharpest"}),
    "corrupted coins": ("bernoulli", 2, 10, 50.0, False, 1.0, "paced", {"index": "closed-form"}),
    "hard coins": ("bernoulli", 3, 9, 20.0, False, 1.0, "low-weight", {"index": "exact", "reading": "repaired"}),
    "counts": ("poisson", 2, 6, 20.0, True, 1.0, "spread", {"index": "closed-form", "radius_form": "determinant"}),
    "paid counts": ("scaled_poisson", 3, 7, 5.0, False, decades(0.2, 1.0), "late",
                    {"index": "exact", "reading": "sharpest", "dispersions": (0.2, 1.0)}),
    "hostile": ("bernoulli", 3, 8, 0.0, False, 1.0, "none", {"index": "closed-form"}),
}  # fmt: skip


def worlds(setting: str) -> tuple[Parameters, World, World]:
    """The parameters, and the world for this loop and for the former one."""
    name, d, K, C, fixed, g, attack, more = SETTINGS[setting]
    p, rng = told(name, d, C, **more), np.random.default_rng(len(setting))
    theta, arms = 1.2 * sphere(rng, 1, d)[0], sphere(rng, K, d)
    attacks = adversary.fixed(max(C, 1.0), T) | {
        "none": adversary.NO_ATTACK, "paced": adversary.paced(max(C, 1.0), T, (1, 3), 1.0, below=2.0),
    }  # fmt: skip
    rest: dict[str, Any] = {"dispersions": g, "attack": attacks[attack], "hostile_contexts": setting == "hostile"}
    if setting == "paid counts":
        rest["rewards"] = payments(name, d, K, 0.2, 1.0)
    shown = changing(K, d, 0.9)
    now = World(theta, arms if fixed else shown, **rest)
    before = World(theta, np.broadcast_to(arms, (T, K, d)) if fixed else shown, **rest)
    return p, now, before


def refusal_of(run: Callable[..., Any], name: str, p: Parameters, world: World) -> str:
    """Why the algorithm does not play here; nothing if it does."""
    try:
        run(name, p, world, 2, 3, (1,))
    except BadInput as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("name", rivals.NAMES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_both_loops_play_the_same_rounds(name: str, setting: str) -> None:
    p, now, before = worlds(setting)
    refusals = [refusal_of(run, name, p, world) for run, world in ((competitors.run, before), (rivals.run, now))]
    assert refusals[0] == refusals[1]
    if refusals[0]:
        return
    former = competitors.run(name, p, before, T, 3, (1,), (10, 100, T), record=True)
    found = rivals.run(name, p, now, T, 3, (1,), (10, 100, T), record=True)
    if former.record is not None and found.record is not None:
        for column in ("arm", "dispersion", "projected"):
            assert np.array_equal(found.record[column], former.record[column])
        for column in ("reward", "corruption", "radius", "error", "weight"):
            assert np.allclose(found.record[column], former.record[column], rtol=1e-9, atol=1e-9)
    assert [getattr(found, each) for each in COUNTED] == [getattr(former, each) for each in COUNTED]
    for each in (*MEASURED, "theta", "H", "regret_at", "radius_at", "error_at", "weight_at"):
        assert np.allclose(getattr(found, each), getattr(former, each), rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("name", rivals.NAMES)
def test_no_rounds_can_be_played(name: str) -> None:
    p, now, _ = worlds("line")
    if name.endswith("-scout"):
        p = told("gaussian", 1, 50.0, reading="sharpest")
    assert rivals.run(name, p, now, 0, 1).rounds == 0


@pytest.mark.parametrize("name", ["hcw-glb-omd", "cw-oful", "glb-omd-tuned"])
def test_a_learner_without_the_budget_draws_and_drops_guesses(name: str) -> None:
    p, now, _ = worlds("line")
    base = rivals.check(name + SUFFIX, p)
    found = ours.select(base, p, Episode(now, 300, 2), (10, 300), scale=0.01)
    assert found.drawn.sum() == found.outcome.rounds == 300
    assert 0 < found.dropped.sum() < found.guesses.size
    assert np.isnan(rivals.run(name + SUFFIX, p, now, 50, 2).worst_ratio)


@pytest.mark.parametrize("name", ["hcw-glb-omd", "cw-oful", "glm-ucb"])
def test_a_learner_without_the_budget_plays_as_before_where_rewards_are_means(name: str) -> None:
    p, now, _ = worlds("line")
    means = World(now.theta_star, now.arms, attack=now.attack, noisy=False)
    found, former = (run(name + SUFFIX, p, means, 300, 2, checkpoints=(300,)) for run in (rivals.run, competitors.run))
    assert found.regret == pytest.approx(former.regret, rel=1e-9)
    assert np.allclose(found.theta, former.theta, rtol=1e-9)
    assert found.discounted == former.discounted
