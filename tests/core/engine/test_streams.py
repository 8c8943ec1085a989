"""What compiled code draws are numpy's own numbers, bit for bit: streams, laws, and the stacks of arms that stay."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import streams
from glbcheck.core.engine.draws import draw
from glbcheck.core.engine.laws import count_of_round
from glbcheck.core.engine.stacks import counts, fill, recipes_of, restock
from glbcheck.core.environment.world import stream

SEEDS = (0, 1, 2026, 2**32, 2**63 - 1, 2**80 + 7, 2**140 + 3)
KEYS = ((0,), (7, 2), (4_123_123_123, 7, 2), (1, 2, 3, 4, 2**33 + 5))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_stream_has_the_numbers_of_its_name(seed: int, key: tuple[int, ...]) -> None:
    opened = np.empty((3, streams.SIZE), dtype=np.int64)
    streams.open_numbered(streams.words_of(seed, (*key, 0)), opened)
    for k in range(3):
        found = [streams.uniform(opened[k]) for _ in range(20)]
        assert found == stream(seed, key, k).random(20).tolist()


def opened(seed: int) -> streams.Streams:
    found = np.empty(streams.SIZE, dtype=np.int64)
    streams.open_stream(streams.words_of(seed, (1,)), found)
    return found


def test_normal_numbers_are_numpys_in_the_tail_too() -> None:
    ours, theirs = opened(5), stream(5, (1,)).standard_normal(40_000)
    found = np.array([streams.normal(ours) for _ in range(40_000)])
    assert found.tobytes() == theirs.tobytes()
    assert np.abs(found).max() > 3.66  # the edge of the last layer


@pytest.mark.parametrize("rate", [0.01, 1.0, 9.99, 10.0, 33.0, 1e4])
def test_counts_are_numpys(rate: float) -> None:
    ours = opened(6)
    assert [streams.poisson(ours, rate) for _ in range(1000)] == stream(6, (1,)).poisson(rate, 1000).tolist()


def test_a_count_of_none_and_one_far_out_are_numpys_where_many_are_expected() -> None:
    ours, theirs = opened(2800), stream(2800, (1,)).poisson(10.0, 400)
    assert [streams.poisson(ours, 10.0) for _ in range(400)] == theirs.tolist()
    assert theirs.min() == 0


@pytest.mark.parametrize(("name", "g"), [
    ("gaussian", 0.3), ("bernoulli", 1.0), ("poisson", 1.0), ("scaled_poisson", 0.07),
])  # fmt: skip
def test_a_stack_holds_what_the_sampler_of_the_family_draws(name: str, g: float) -> None:
    family, z, words = catalog.get(name), np.array([-1.7, 0.0, 0.4, 1.3]), streams.words_of(3, (9, 2, 0))
    stacks, arms = np.empty((4, 16)), np.empty((4, streams.SIZE), dtype=np.int64)
    recipes = recipes_of(family, z, g, noisy=True)
    fill(stacks, arms, recipes, words)
    for k in range(4):
        theirs = draw(family, stream(3, (9, 2), k), np.broadcast_to(z[k], (32, 1)), np.array([g]))[:, 0]
        first = stacks[k].tolist()
        restock(stacks[k], arms[k], recipes[k])
        assert first + stacks[k].tolist() == theirs.tolist()


def test_without_noise_a_stack_holds_the_mean_of_any_family() -> None:
    family, z = catalog.get("skellam"), np.array([-0.5, 0.5])
    stacks, arms = np.empty((2, 5)), np.empty((2, streams.SIZE), dtype=np.int64)
    fill(stacks, arms, recipes_of(family, z, 1.0, noisy=False), streams.words_of(3, (9, 2, 0)))
    assert (stacks == family.mu(z)[:, None]).all()


def test_a_sampler_that_is_not_known_has_no_recipe() -> None:
    for family in (catalog.get("skellam"), catalog.get("gaussian").tilted(1)):
        assert recipes_of(family, np.zeros(3), 1.0, noisy=True).size == 0


def test_counts_times_the_dispersion_are_the_rewards_of_two_families() -> None:
    names = ("gaussian", "bernoulli", "poisson", "scaled_poisson", "skellam")
    assert [name for name in names if counts(catalog.get(name))] == ["poisson", "scaled_poisson"]


@pytest.mark.parametrize("before", [-2.0, 2.0])  # few and many numbers of the stream are drawn before
def test_the_count_of_a_round_is_numpys_from_a_place_of_its_own(before: float) -> None:
    family, places = catalog.get("scaled_poisson"), np.empty((2, streams.SIZE), dtype=np.int64)
    places[0] = opened(4)
    for number in range(40):
        rng = stream(4, (1,))
        rng.bit_generator.advance(number * 2**32)  # type: ignore[attr-defined]
        z, g = (0.4, 0.07) if number % 2 else (before, 0.01)
        assert count_of_round(places, z, g) == family.sample(rng, z, g)
