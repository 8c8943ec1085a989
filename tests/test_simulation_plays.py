"""One run of a cell, kept so short that it can be followed: broken learners, data, bounds, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import competitors, constants, scout
from glbcheck.core.engine import Outcome, Variant
from glbcheck.core.engine.run import played
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import cells, datasets
from glbcheck.core.simulation.grid import Block
from glbcheck.core.simulation.mutants import MUTANTS

CELL = Block(families=("bernoulli",), C=(10.0,), T=(12,), index=("closed-form",)).cells()[0]
IRIS = replace(CELL, arms="data:iris", d=12, algorithm="uniform")


@pytest.fixture
def no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maximum likelihood over a data set takes a while, and nothing here asks for it."""
    monkeypatch.setattr(datasets, "best_fixed", lambda name, family, d, S: np.full(d, 0.1))


def test_a_broken_learner_plays_with_what_is_broken() -> None:
    correct, broken = (cells.play(replace(CELL, variant=name), 3, 5) for name in ("correct", "radius-tenth"))
    assert np.array(broken["radius_at"][:1]) == pytest.approx(np.array(correct["radius_at"][:1]) / 10, rel=0.2)
    assert (len(broken["radius_at"]), broken["bound_repaired"]) == (2, None)


def test_on_data_regret_counts_the_wrong_classes(no_fit: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Outcome] = []
    honest = played

    def watched(*given: Any, **options: Any) -> Outcome:
        seen.append(honest(*given, **options))
        return seen[-1]

    monkeypatch.setattr(cells, "played", watched)
    for number in range(6):
        row = cells.play(IRIS, number, 5)
        wrong = np.cumsum(1 - (seen[number].record or {})["reward"])
        assert row["regret_at"] == [wrong[9], wrong[11]]
        assert row["regret"] == wrong[-1] > 0
    examples = datasets.Stream.drawn("iris", 12, 12, cells._instance(IRIS, 5, 5))
    assert row["best_fixed"] == examples.mistakes(np.full(12, 0.1))


@pytest.mark.parametrize(("changes", "refused"), [
    ({}, False), ({"algorithm": "hcw-glb-omd"}, False), ({"algorithm": "hcw-glb-omd", "variant": "no-weights"}, True),
    ({"adversary": "searched:2"}, True), ({"algorithm": "hcw-glb-omd+unknown-C"}, True),
])  # fmt: skip
def test_what_cannot_be_played_on_data_is_refused(changes: dict[str, Any], refused: bool, no_fit: None) -> None:
    cell = replace(IRIS, **changes)
    if not refused:
        cells.check(cell)
        return
    with pytest.raises(BadInput, match=r"^arms = 'data:iris' .* the correct learner"):
        cells.check(cell)


def test_an_algorithm_for_one_dispersion_is_refused_where_it_varies() -> None:
    one = next(name for name, what in competitors.COMPETITORS.items() if what.one_dispersion)
    cell = replace(CELL, family="gaussian", algorithm=one, constants="sharpest")
    cells.check(replace(cell, dispersion="constant:0.5"))
    with pytest.raises(BadInput):
        cells.check(replace(cell, dispersion="spikes:0.1:1:5"))


def test_the_bound_of_a_learner_with_a_scout_has_its_allowance_and_no_other_bound_is_shown() -> None:
    cell = replace(CELL, constants="sharpest")
    alone, sent = (cells.play(replace(cell, algorithm=name), 1, 5) for name in ("hcw-glb-omd", "hcw-glb-omd-scout"))
    p = cells.prepared(replace(cell, algorithm="hcw-glb-omd-scout"))
    assert sent["bound_scout"] == pytest.approx(scout.allowance(p, 12))
    assert sent["bound_sharpest"] == pytest.approx(sum(sent[name] for name in cells.TERMS))
    assert (sent["bound_printed"], sent["bound_repaired"], alone["bound_scout"]) == (None, None, 0.0)
    assert None not in (alone["bound_printed"], alone["bound_repaired"])


def test_a_family_without_constants_on_the_whole_line_has_no_bound_with_constants_that_need_them() -> None:
    cell = replace(CELL, family="hyperbolic_secant", S=0.5, C=0.0)
    assert (cells.guarantee(cell), cells.claims_bound(cell)) == (None, False)
    assert cells.claims_bound(replace(CELL, C=0.0))


@pytest.mark.parametrize("reading", ["paper", "repaired"])
def test_the_bound_of_a_run_is_that_of_its_dispersions(reading: str) -> None:
    cell = replace(CELL, family="gaussian", constants=reading, T=100)
    p = cells.prepared(cell)
    run: Any = SimpleNamespace(g_min=0.5, g_max=4.0, inverse_g=60.0, optimal_variance=90.0)
    setting = constants.Setting(
        2, 1.0, 100, 10.0, 0.05, p.alpha, p.R_s, p.L_mu, cells.kappa(cell), 0.5, 4.0, use=p.use
    )  # fmt: skip
    if reading == "paper":
        expected = constants.regret_bound(setting, 90.0, 59.75, 60.0)
    else:
        radii = setting.radius(59.75), setting.radius(60.0)
        expected = constants.regret_bound_repaired(setting, 90.0, 60.0, *radii)
    assert cells.regret_bound(cell, run) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize(("name", "field", "factor"), [
    ("radius-halved", "radius_scale", 0.5), ("radius-tenth", "radius_scale", 0.1), ("light-ridge", "lam", 0.01),
])  # fmt: skip
def test_a_broken_constant_is_said_to_be_tuned_by_hand(name: str, field: str, factor: float) -> None:
    p, world = cells.prepared(CELL), cells.world_of(CELL, 0, 0)
    broken, same, _ = MUTANTS[name].apply(p, world)
    assert getattr(broken, field) == pytest.approx(factor * getattr(p, field))
    assert (broken.by_hand, same) == ((field,), world)
    assert broken.guarantee.startswith("none")


def test_other_breaks_are_of_the_learner_or_of_its_adversary() -> None:
    p, world = cells.prepared(CELL), cells.world_of(CELL, 0, 0)
    _, overspent, _ = MUTANTS["overspent"].apply(p, world)
    assert overspent.attack == world.attack.times(20.0)
    variants = {name: MUTANTS[name].apply(p, world)[2] for name in MUTANTS}
    assert [name for name, variant in variants.items() if variant == Variant()] == [
        "radius-halved", "radius-tenth", "light-ridge", "overspent",
    ]  # fmt: skip
    assert variants["heavy-ridge"] == Variant(ridge=100.0)
