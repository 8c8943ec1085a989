"""What a simulation declares and what it makes of runs: grids, instances, rows, bounds and alarms."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import rivals
from glbcheck.core.engine import run as engine
from glbcheck.core.engine.episode import Episode
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals.claims import claimed
from glbcheck.core.simulation import cells, defaults, instances, shards, tables
from glbcheck.core.simulation.grid import CORRECT, Block, Grid, grid
from glbcheck.core.simulation.mutants import MUTANTS
from glbcheck.core.theory import constants
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

CELL = Block(families=("poisson",), C=(10.0,), T=(300,), replicates=6).cells()[0]


# --- grids ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["coverage", "regret"])
@pytest.mark.parametrize("smoke", [True, False])
def test_a_default_grid_can_be_played_and_survives_the_journey_through_json(kind: str, smoke: bool) -> None:
    declared = defaults.grid(kind, smoke)
    assert grid(json.loads(json.dumps(declared.plain()))) == declared
    for cell in declared.cells():
        cells.check(cell)


def test_a_cell_is_played_once_however_often_it_is_declared() -> None:
    blocks = (Block(replicates=3), Block(replicates=5, C=(0.0, 1.0)))
    assert [cell.replicates for cell in Grid(1, blocks).cells()] == [5, 5]


def test_axes_given_on_the_command_line_replace_those_of_every_block() -> None:
    changed = defaults.grid("regret", smoke=True).changed({"C": [2.0], "algorithms": ["uniform"]}, seed=5)
    assert {(cell.C, cell.algorithm) for cell in changed.cells()} == {(2.0, "uniform")}
    assert changed.seed == 5


def test_of_the_default_grid_families_and_algorithms_choose_a_part() -> None:
    whole = defaults.grid("regret", smoke=True)
    part = whole.narrowed("families", ["poisson"]).narrowed("algorithms", ["glb-omd", "uniform"])
    assert {(cell.family, cell.algorithm) for cell in part.cells()} == {("poisson", "glb-omd"), ("poisson", "uniform")}
    assert set(part.cells()) < set(whole.cells())
    other = whole.narrowed("families", ["skellam"])
    assert {cell.family for cell in other.cells()} == {"skellam"}


def test_the_default_grid_of_regret_is_fair_and_wide() -> None:
    declared = defaults.grid("regret", smoke=False).cells()
    assert {cell.C for cell in declared if cell.adversary == "mirror"} == {0, 1, 3, 10, 30, 100, 300}
    assert {2, 5, 10} <= {cell.d for cell in declared}
    assert max(cell.T for cell in declared) == 100_000
    assert {cell.index for cell in declared} == {"closed-form"}
    assert {cell.constants for cell in declared} == {"sharpest"}
    assert {cell.dispersion.partition(":")[0] for cell in declared} == {"constant", "decades", "spikes"}
    assert {cell.algorithm for cell in declared} >= set(rivals.NAMES)


@pytest.mark.parametrize(("smoke", "rounds", "dear", "longest"), [(True, 3e6, 5e4, 200), (False, 4.5e8, 8e6, 5000)])
def test_the_default_grid_of_regret_is_short(smoke: bool, rounds: float, dear: float, longest: int) -> None:
    declared = defaults.grid("regret", smoke).cells()
    slow = [cell for cell in declared if claimed(cell.algorithm).refits]
    assert sum(cell.T * cell.replicates for cell in declared) <= rounds
    assert sum(cell.T * cell.replicates for cell in slow) <= dear
    assert max(cell.T for cell in slow) <= longest


def test_every_broken_variant_has_its_cells() -> None:
    declared = {cell.variant for cell in defaults.grid("coverage", smoke=True).cells()}
    assert declared == {CORRECT, *MUTANTS}


# --- one run ----------------------------------------------------------------------------------------------


def test_a_row_is_what_the_engine_says() -> None:
    p, world, key = cells.prepared(CELL), cells.world_of(CELL, 4, 11), cells.key_of(CELL, 4)
    outcome = engine.run(p, world, CELL.T, 11, key, cells.checkpoints(CELL.T))
    row = cells.play(CELL, 4, 11)
    assert row["regret"] == outcome.regret
    assert row["worst_ratio"] == outcome.worst_ratio
    assert row["regret_at"] == outcome.regret_at.tolist()
    assert row["corruption"] == outcome.corruption <= CELL.C


@pytest.mark.parametrize("algorithm", ["hcw-glb-omd", "glb-omd", "glb-omd-tuned", "greedy"])
@pytest.mark.parametrize("index", ["closed-form", "exact"])
def test_a_row_does_not_depend_on_the_runs_it_is_played_with(algorithm: str, index: str) -> None:
    cell, count = replace(CELL, algorithm=algorithm, index=index, adversary="mirror", T=200), 10
    rows = [cells.play(cell, number, 3) for number in range(count)]
    assert rows[-3:] == [cells.play(cell, number, 3) for number in range(count - 3, count)]
    assert rows[5] == cells.play(cell, 5, 3)
    p, world = cells.prepared(cell), cells.world_of(cell, 5, 3)
    alone = rivals.run(algorithm, p, Episode(world, cell.T, 3, cells.key_of(cell, 5)), cells.checkpoints(cell.T))
    assert rows[5]["regret"] == pytest.approx(alone.regret, rel=1e-12)
    assert rows[5]["corruption"] == pytest.approx(alone.corruption, rel=1e-12)
    np.testing.assert_allclose(rows[5]["error_at"], alone.error_at, rtol=1e-9)


def test_learners_budgets_and_constants_meet_the_same_instance() -> None:
    others = (
        replace(CELL, algorithm="glb-omd"), replace(CELL, C=3.0), replace(CELL, constants="paper"),
        replace(CELL, adversary="mirror"),
    )  # fmt: skip
    first = cells.world_of(CELL, 2, 1)
    for cell in others:
        again = cells.world_of(cell, 2, 1)
        assert np.array_equal(first.theta_star, again.theta_star)
        assert np.array_equal(np.asarray(first.arms), np.asarray(again.arms))
        assert cells.key_of(cell, 2) == cells.key_of(CELL, 2)
    assert not np.array_equal(first.theta_star, cells.world_of(CELL, 3, 1).theta_star)


@settings(max_examples=50, deadline=None)
@given(T=st.integers(1, 10**7))
def test_checkpoints_increase_and_end_with_the_last_round(T: int) -> None:
    marks = cells.checkpoints(T)
    assert marks == sorted(set(marks))
    assert marks[-1] == T
    assert len(marks) <= 3 * len(str(T)) + 1


@pytest.mark.parametrize("arms", ["basis", "sphere:5", "changing:5", "hostile:5", "turning", "corruption:1.0"])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_parameter_lies_in_the_ball_and_arms_in_the_unit_ball(arms: str, d: int) -> None:
    rng, cell = np.random.default_rng(d), replace(CELL, arms=arms, d=d, S=2.0, T=7)
    for _ in range(20):
        these, theta = instances.arms_and_parameter(cell, rng)
        points = these(rng, 0, 7) if callable(these) else these
        assert np.linalg.norm(theta) == pytest.approx(2.0)
        assert np.linalg.norm(theta) <= 2.0
        assert (np.linalg.norm(points, axis=-1) <= 1.0).all()
        assert points.shape[-1] == d


@pytest.mark.parametrize(
    ("text", "low", "high"), [("decades:0.1:10", 0.1, 10), ("spikes:0.5:4:3", 0.5, 4), ("dyadic:2", 2 / 100, 2)]
)
def test_dispersions_stay_in_their_range_and_blocks_fit_together(text: str, low: float, high: float) -> None:
    source = instances.dispersions(text, 100)
    assert callable(source)
    whole = source(np.random.default_rng(1), 0, 100)
    assert low <= whole.min() <= whole.max() <= high
    rng = np.random.default_rng(1)
    assert np.array_equal(np.concatenate([source(rng, 0, 33), source(rng, 33, 67)]), whole)


# --- tables -----------------------------------------------------------------------------------------------


def rows_with(missed: int, n: int) -> list[cells.Row]:
    row = cells.play(replace(CELL, T=10), 0, 1)
    return [{**row, "misses": int(number < missed), "worst_ratio": 0.5} for number in range(n)]


@pytest.mark.parametrize(("missed", "n"), [(0, 40), (3, 40), (40, 40), (7, 200)])
def test_miss_bounds_are_those_of_clopper_and_pearson(missed: int, n: int) -> None:
    row = tables.summary(replace(CELL, T=10, replicates=n), rows_with(missed, n), 1.0, 1)
    theirs = stats.binomtest(missed, n).proportion_ci(0.95, method="exact")
    assert row["miss_lower"] == pytest.approx(theirs.low, abs=2e-6)
    assert row["miss_upper"] == pytest.approx(theirs.high, abs=2e-6)


def test_an_alarm_is_raised_exactly_when_chance_cannot_explain_the_misses() -> None:
    cell, n = replace(CELL, T=10, replicates=100), 100
    for missed in range(30):
        unlikely = stats.binom.sf(missed - 1, n, 0.05) <= float(tables.ALARM)
        assert tables.summary(cell, rows_with(missed, n), 1.0, 1)["alarm"] == unlikely
        broken = tables.power(replace(cell, variant="radius-tenth"), rows_with(missed, n), 1.0, 1)
        assert broken["detected"] == unlikely


def test_the_replicates_needed_are_the_first_that_suffice() -> None:
    found = tables.power(replace(CELL, T=10, replicates=60, variant="radius-tenth"), rows_with(60, 60), 1.0, 1)
    # Three misses in three runs have probability 1/8000 if each has 1/20; two have 1/400.
    assert (found["detected"], found["replicates_needed"]) == (True, 3)
    assert Fraction(1, 20) ** 3 <= tables.ALARM < Fraction(1, 20) ** 2


@pytest.mark.parametrize("dispersion", ["constant:0.25", "decades:0.01:10", "spikes:0.1:4:5", "dyadic:2"])
def test_the_sharpest_constants_know_horizon_and_dispersions_and_keep_their_promise(dispersion: str) -> None:
    block = Block(C=(5.0,), T=(200,), constants=("sharpest",), dispersions=(dispersion,), replicates=4)
    (cell,) = block.cells()
    cells.check(cell)
    p, rows = cells.prepared(cell), [cells.play(cell, number, 1) for number in range(4)]
    assert p.horizon == 200
    row = tables.summary(cell, rows, 1.0, 1)
    assert row["misses"] == 0
    assert row["regret_max"] < row["bound_sharpest"] < row["bound_repaired"]
    for run in rows:
        parts = [run[name] for name in cells.TERMS]
        assert sum(parts) == pytest.approx(run["bound_sharpest"], rel=1e-9)
        assert min(parts) >= 0


def test_shards_cover_every_run_once_and_stay_small() -> None:
    cell = replace(CELL, T=400_000, replicates=7)
    cut = shards.cut(cell, 1)
    played = [n for s in cut for n in range(s.payload["first"], s.payload["first"] + s.payload["count"])]
    assert played == list(range(7))
    assert all(shard.size <= shards.ROUNDS for shard in cut)
    assert len({shard.key for shard in cut}) == len(cut)


def test_bounds_are_those_of_the_theorems() -> None:
    p = cells.prepared(replace(CELL, constants="paper"))
    row, kappa = cells.play(CELL, 0, 1), cells.kappa(CELL)
    outcome = engine.run(p, cells.world_of(CELL, 0, 1), CELL.T, 1, cells.key_of(CELL, 0))
    setting = constants.Setting(2, 1.0, 300, 10.0, 0.05, p.alpha, p.R_s, p.L_mu, kappa, 1.0, 1.0)
    printed = constants.regret_bound(setting, outcome.optimal_variance, 299.0, 300.0)
    assert row["bound_printed"] == pytest.approx(printed, rel=1e-12)
    assert 0 < row["bound_repaired"] < row["bound_printed"]
    assert row["regret"] < row["bound_repaired"]


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


def test_an_algorithm_for_one_dispersion_is_refused_where_it_varies() -> None:
    one = next(name for name, what in rivals.ALGORITHMS.items() if what.one_dispersion)
    cell = replace(CELL, family="gaussian", algorithm=one, constants="sharpest")
    cells.check(replace(cell, dispersion="constant:0.5"))
    with pytest.raises(BadInput):
        cells.check(replace(cell, dispersion="spikes:0.1:1:5"))


def test_constants_are_held_to_the_bound_that_is_proved_for_them_and_to_no_other() -> None:
    local = cells.play(replace(CELL, constants="local"), 0, 1)
    assert {local[f"bound_{name}"] for name in ("printed", "repaired", "sharpest")} == {None}
    own = replace(CELL, constants="sharpest")
    p = cells.prepared(own)
    assert p.choice is not None
    outcome = engine.run(p, cells.world_of(own, 0, 1), CELL.T, 1, cells.key_of(own, 0))
    logdet = p.choice.logdet_bound(CELL.T)
    expected = p.choice.regret_bound_from(logdet, outcome.optimal_variance)
    assert cells.play(own, 0, 1)["bound_sharpest"] == pytest.approx(expected, rel=1e-12)
