"""The simulation: declared, checked before it runs, reproducible to the bit, and able to fail."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow.parquet as pq
import pytest
from glbcheck.core import competitors, constants, engine
from glbcheck.core.competitors.claimed import claimed
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters
from glbcheck.core.simulation import cells, defaults, instances, shards, tables
from glbcheck.core.simulation.grid import AXES, CORRECT, Block, Cell, Grid, grid
from glbcheck.core.simulation.mutants import MUTANTS
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scipy import stats

from glbcheck.cli import main

Once: TypeAlias = tuple[Path, dict[str, Any]]
Exhibition: TypeAlias = dict[str, list[dict[str, Any]]]

SMALL: dict[str, Any] = {
    "seed": 7,
    "blocks": [
        {"families": ["gaussian", "bernoulli", "poisson"], "C": [10], "T": [400], "replicates": 12},
        {"families": ["gaussian"], "adversaries": ["searched:1"], "C": [5], "T": [60], "replicates": 3},
        {"families": ["gaussian"], "d": [1], "T": [100], "variants": ["radius-tenth"], "replicates": 5},
    ],
}
CELL = Block(families=("poisson",), C=(10.0,), T=(300,), replicates=6).cells()[0]


def timeless(data: Any) -> Any:
    """The same without what a clock has measured."""
    if isinstance(data, dict):
        kept = {k: v for k, v in data.items() if "seconds" not in k and "per_s" not in k}
        return {k: timeless(v) for k, v in kept.items()}
    return [timeless(each) for each in data] if isinstance(data, list) else data


def simulate(folder: Path, *options: str, what: str = "coverage", blocks: Any = SMALL) -> dict[str, Any]:
    """Run the command in this process; returns what it leaves in `cells.json`."""
    source = folder.parent / f"{folder.name}-grid.json"
    source.write_text(json.dumps(blocks))
    arguments = ["--workers", "1", "--grid", str(source), "--output", str(folder), *options]
    code = main(["simulate", what, *arguments])
    assert code == 0
    return dict(json.loads((folder / "cells.json").read_text()))


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """The small grid on one worker."""
    folder = tmp_path_factory.mktemp("once") / "run"
    return folder, simulate(folder)


# --- the same numbers, whoever computes them --------------------------------------------------------------


def test_any_number_of_workers_gives_the_same_tables(once: Once, tmp_path: Path) -> None:
    assert timeless(simulate(tmp_path / "run", "--workers", "2")) == timeless(once[1])
    for name in ("curves.json", "radius.svg", "coverage.pdf", "weights.svg"):
        assert (tmp_path / "run" / name).read_bytes() == (once[0] / name).read_bytes()


def test_a_cell_does_not_depend_on_the_rest_of_the_grid(once: Once, tmp_path: Path) -> None:
    alone = {"seed": 7, "blocks": [{**SMALL["blocks"][0], "families": ["bernoulli"]}]}
    (row,) = simulate(tmp_path / "run", blocks=alone)["cells"]
    assert timeless(row) in timeless(once[1]["cells"])


def test_the_command_prints_what_it_stores(once: Once, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    stored = simulate(tmp_path / "run", "--json", "-")
    printed = json.loads(capsys.readouterr().out)
    figures = printed.pop("figures")
    assert printed == stored
    assert set(figures) == {"radius", "coverage", "weights"}
    assert all(text.startswith("<svg ") for text in figures.values())


def test_parquet_and_json_hold_the_same_table(once: Once) -> None:
    folder, data = once
    assert {"python", "numpy", "numba", "glbcheck", "source"} <= set(data["versions"])
    assert pq.read_table(folder / "cells.parquet").to_pylist() == data["cells"]
    points = pq.read_table(folder / "curves.parquet").to_pylist()
    curves = json.loads((folder / "curves.json").read_text())["curves"]
    assert len(points) == sum(len(curve["points"]) for curve in curves)


def test_the_table_is_as_the_shipped_schema_says(once: Once) -> None:
    schema = json.loads((files("glbcheck") / "schemas" / "simulate.schema.json").read_text())
    Draft202012Validator(schema).validate(once[1])


# --- killed, stopped, refused -----------------------------------------------------------------------------


LONG: dict[str, Any] = {
    "seed": 3,
    "blocks": [{"families": ["gaussian"], "d": [1], "C": [5], "arms": ["basis"], "T": [40_000], "replicates": 40}],
}


def started(source: Path, output: Path, *options: str) -> subprocess.Popen[str]:
    """The command at work: its folder is there."""
    command = [sys.executable, "-m", "glbcheck", "simulate", "coverage", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--grid", str(source), "--output", str(output), *options], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None and not output.exists():
        time.sleep(0.01)
    return process


def test_killed_at_any_moment_it_resumes_to_the_same_table(tmp_path: Path) -> None:
    source, killed, chance = tmp_path / "grid.json", tmp_path / "killed", random.Random(5)
    source.write_text(json.dumps(LONG))
    kills = 0
    for _ in range(3):
        process = started(source, killed, "--resume")
        time.sleep(chance.uniform(0, 0.7))
        kills += process.poll() is None
        process.kill()
        process.communicate()
    assert kills > 0
    first = simulate(killed, "--resume", blocks=LONG)
    assert timeless(first) == timeless(simulate(tmp_path / "whole", blocks=LONG))


def test_an_interrupt_exits_130_and_leaves_a_resumable_run(tmp_path: Path) -> None:
    source, output = tmp_path / "grid.json", tmp_path / "run"
    source.write_text(json.dumps({**LONG, "blocks": [{**LONG["blocks"][0], "replicates": 4000}]}))
    process = started(source, output)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "continue with --resume" in said
    assert "Traceback" not in said


def test_a_run_on_top_of_another_is_refused(once: Once, capsys: pytest.CaptureFixture[str]) -> None:
    folder, data = once
    source = str(folder.parent / f"{folder.name}-grid.json")
    arguments = ["simulate", "coverage", "--grid", source, "--output", str(folder)]
    assert main(arguments) == 2
    assert "continue it with --resume, or choose another --output" in capsys.readouterr().err
    assert main([*arguments, "--resume", "--seed", "8"]) == 2
    assert "seed: there 7, here 8" in capsys.readouterr().err
    assert json.loads((folder / "cells.json").read_text()) == data


def test_a_table_that_cannot_be_written_is_reported_and_the_journal_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "run"
    (output / "cells.json").mkdir(parents=True)
    source = tmp_path / "grid.json"
    source.write_text(json.dumps({"blocks": [{"T": [20], "replicates": 2}]}))
    arguments = ["simulate", "coverage", "--grid", str(source), "--output", str(output), "--workers", "1"]
    assert main(arguments) == 2
    assert "the journal keeps every run" in capsys.readouterr().err
    (output / "cells.json").rmdir()
    assert main([*arguments, "--resume"]) == 0


# --- what is refused before anything runs -------------------------------------------------------------------


@pytest.mark.parametrize(("options", "message"), [
    (("--families", "normal"), "families = 'normal'"), (("--families", "exponential"), "S = 1.0"),
    (("--d", "0"), "d = 0"), (("--d", "two"), "argument --d"), (("--S", "-1"), "S = -1"), (("--S", "nan"), "S = nan"),
    (("--T", "0"), "T = 0"), (("--T", "10000000000"), "T = 10000000000"), (("--C", "-2"), "C = -2"),
    (("--C", "inf"), "C = inf"), (("--alpha", "0"), "alpha = 0"), (("--delta", "1"), "delta = 1"),
    (("--replicates", "0"), "replicates = 0"), (("--seed", "-1"), "seed = -1"),
    (("--constants", "mine"), "constants = 'mine'"), (("--adversaries", "nasty"), "adversaries = 'nasty'"),
    (("--adversaries", "spread:3"), "adversaries = 'spread:3'"),
    (("--adversaries", "hiding"), "adversaries = 'hiding'"),
    (("--adversaries", "searched:2", "--C", "0"), "adversaries = 'searched:2'"),
    (("--arms", "data:cats"), "arms = 'data:cats'"), (("--arms", "data"), "arms = 'data'"),
    (("--arms", "data:digits", "--d", "3", "--families", "bernoulli"), "d = 3"),
    (("--arms", "data:iris", "--d", "6", "--families", "poisson"), "families = 'poisson'"),
    (("--arms", "data:iris", "--d", "6", "--adversaries", "searched:2"), "arms = 'data:iris'"),
    (("--index", "best"), "index = 'best'"), (("--constants", "sharpest", "--alpha", "1"), "alpha = 1"),
    (("--arms", "sphere"), "arms = 'sphere'"), (("--arms", "sphere:0"), "arms = 'sphere:0'"),
    (("--arms", "sphere:1.5"), "arms = 'sphere:1.5'"), (("--arms", "corruption:0.5", "--d", "1"), "(d, phi)"),
    (("--dispersions", "0"), "dispersions = 'constant:0'"),
    (("--dispersions", "decades:2:1"), "dispersions = 'decades:2:1'"),
    (("--families", "poisson", "--dispersions", "2"), "poisson needs g = 1"),
    (("--families", "binomial_proportion", "--dispersions", "decades:0.1:1"), "g = 1/n"),
    (("--algorithms", "ucb"), "algorithm = 'ucb'"),
    (("--algorithms", "cw-oful", "--families", "poisson"), "algorithm = 'cw-oful'"),
    (("--variants", "mad"), "variants = 'mad'"),
    (("--algorithms", "greedy", "--variants", "radius-tenth"), "variants = 'radius-tenth'"),
    (("--grid", "missing.json"), "--grid = 'missing.json'"),
    (("--workers", "0"), "'0' is not a positive whole number"),
])  # fmt: skip
def test_a_bad_value_is_named_and_nothing_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    source = tmp_path / "grid.json"
    source.write_text(json.dumps({"blocks": [{"C": [1], "T": [10], "replicates": 1}]}))
    given_grid = () if "--grid" in options else ("--grid", str(source))
    output = tmp_path / "run"
    assert main(["simulate", "coverage", *given_grid, *options, "--output", str(output)]) == 2
    assert message in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize(("data", "message"), [
    ([], "grid = \\[\\]"), ({}, "blocks = None"), ({"blocks": []}, "blocks = \\[\\]"),
    ({"blocks": [{}], "sede": 1}, "grid = 'sede'"), ({"blocks": [{"family": ["gaussian"]}]}, "block = 'family'"),
    ({"blocks": [{"d": 2}]}, "d = 2"), ({"blocks": [{"d": []}]}, "d = \\[\\]"),
    ({"blocks": [{"d": [True]}]}, "d = True"), ({"blocks": [{"S": ["1"]}]}, "S = '1'"),
    ({"blocks": [{"arms": [3]}]}, "arms = 3"), ({"blocks": [{"replicates": 1.5}]}, "replicates = 1.5"),
])  # fmt: skip
def test_a_bad_file_is_refused_by_field(data: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        grid(data)


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


def test_the_fields_of_a_cell_are_the_axes_in_order() -> None:
    values = {axis: (number,) for number, axis in enumerate(AXES)}
    (cell,) = Block(**values, replicates=99).cells()  # type: ignore[arg-type]
    assert list(asdict(cell).values()) == [*range(len(AXES)), 99]


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
    assert {cell.algorithm for cell in declared} >= set(competitors.NAMES)


@pytest.mark.parametrize(("smoke", "rounds", "dear", "longest"), [(True, 3e6, 5e4, 200), (False, 4e8, 8e6, 5000)])
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


@settings(max_examples=100, deadline=None)
@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), q=st.sampled_from([0.05, 0.5, 0.95, 1.0]))
def test_quantiles_are_those_of_numpy(values: list[float], q: float) -> None:
    assert tables.quantile(values, q) == np.quantile(values, q, method="inverted_cdf")
    assert tables.quantile([None, None], q) is None


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
        assert tables.detection(cell, rows_with(missed, n))["detected"] == unlikely


def test_a_regret_above_the_bound_raises_the_alarm_too() -> None:
    rows = [cells.play(CELL, number, 1) for number in range(6)]
    high = [{**row, "regret": row["bound_repaired"] * 2} for row in rows]
    assert tables.summary(CELL, rows, 1.0, 1)["alarm"] is False
    assert tables.summary(CELL, high, 1.0, 1)["alarm"] is True
    # No theorem speaks about a broken learner.
    broken = replace(CELL, variant="radius-tenth")
    assert tables.summary(broken, high, 1.0, 1)["alarm"] is False


def test_the_replicates_needed_are_the_first_that_suffice() -> None:
    cell = replace(CELL, T=10, replicates=60)
    found = tables.detection(cell, rows_with(60, 60))
    # Three misses in three runs have probability 1/8000 if each has 1/20; two have 1/400.
    assert (found["detected"], found["replicates_needed"]) == (True, 3)
    assert Fraction(1, 20) ** 3 <= tables.ALARM < Fraction(1, 20) ** 2


def test_the_order_in_which_runs_come_does_not_matter() -> None:
    rows = [cells.play(CELL, number, 1) for number in range(6)]
    shuffled = [rows[i] for i in (3, 0, 5, 1, 4, 2)]
    assert tables.summary(CELL, rows, 1.0, 1) == tables.summary(CELL, shuffled, 1.0, 1)
    assert tables.curves(CELL, rows) == tables.curves(CELL, shuffled)


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
    cut = shards.cut([cell], 1)
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


def test_no_run_of_a_cell_pays_less_than_nothing_or_more_than_its_bound(once: Once) -> None:
    (found,) = once[1]["searches"]
    assert found["score"] >= found["best_fixed_score"]
    assert 0 < found["worst_ratio"] < 1
    for row in once[1]["cells"]:
        assert 0 <= row["regret_q05"] <= row["regret_median"] <= row["regret_q95"] <= row["regret_max"]
        assert row["over_bound"] == 0
        assert row["corruption_spent"] <= row["C"]


# --- the check can fail -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exhibition() -> Exhibition:
    """Every broken variant in its default cells, fifty runs each."""
    found: dict[str, list[dict[str, Any]]] = {}
    for cell in Grid(1, defaults.broken(50)).cells():
        rows = [cells.play(cell, number, 1) for number in range(cell.replicates)]
        table = tables.summary if cell.variant == CORRECT else tables.power
        found.setdefault(cell.variant, []).append(table(cell, rows, 1.0, 1))
    return found


def test_every_broken_learner_is_detected_but_two_that_are_explained(exhibition: Exhibition) -> None:
    unseen = {v for v in exhibition if v != CORRECT and not any(row["detected"] for row in exhibition[v])}
    assert unseen == {"light-ridge", "old-hessian"}
    assert all(row["absorbed"] for variant in unseen for row in exhibition[variant])


def test_the_correct_learner_is_not_accused_in_the_same_places(exhibition: Exhibition) -> None:
    assert len(exhibition[CORRECT]) >= 10
    assert not any(row["alarm"] for row in exhibition[CORRECT])


def test_a_guarantee_that_fails_makes_the_command_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The harness, with a learner that is broken behind its back."""
    honest = competitors.run

    def broken(name: str, p: Parameters, *rest: Any) -> engine.Outcome:
        return honest(name, replace(p, radius_scale=0.1), *rest)

    monkeypatch.setattr(competitors, "run", broken)
    arguments = ["--output", str(tmp_path), "--families", "gaussian", "--d", "1", "--T", "200"]
    arguments += ["--replicates", "20", "--C", "1", "--grid", str(tmp_path / "grid.json"), "--workers", "1"]
    (tmp_path / "grid.json").write_text(json.dumps({"blocks": [{}]}))
    assert main(["simulate", "coverage", *arguments]) == 1
    assert "FAILED more often than delta allows: gaussian d=1" in capsys.readouterr().out


def test_sets_become_informative_and_weights_active_in_all_three_families() -> None:
    for family in ("gaussian", "bernoulli", "poisson"):
        cell = Block(families=(family,), d=(1,), C=(10.0,), arms=("basis",), T=(2000,)).cells()[0]
        rows = [cells.play(cell, number, 1) for number in range(5)]
        row = tables.summary(cell, rows, 1.0, 1)
        assert row["informative_share"] == 1.0
        assert row["discounted_share"] > 0
        assert row["worst_ratio"] < 1


def test_weights_pay_where_rewards_are_precise() -> None:
    block = Block(C=(10.0,), T=(5000,), dispersions=("constant:0.01",), adversaries=("mirror",), replicates=8)
    paid = {}
    for name in ("hcw-glb-omd", "glb-omd-tuned"):
        (cell,) = replace(block, algorithms=(name,)).cells()
        paid[name] = sorted(cells.play(cell, number, 1)["regret"] for number in range(8))[4]
    assert paid["hcw-glb-omd"] * 3 < paid["glb-omd-tuned"]


def test_lines_for_people_fit_the_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = {"blocks": [{"families": ["binomial_proportion"], "C": [0, 300], "T": [50], "replicates": 2,
                          "algorithms": ["hcw-glb-omd", "uniform"]}]}  # fmt: skip
    for what in ("coverage", "regret"):
        simulate(tmp_path / what, what=what, blocks=blocks)
        assert all(len(line) <= 80 for line in capsys.readouterr().out.splitlines() if "tables and" not in line)


def test_a_cell_says_which_theorem_stands_behind_it() -> None:
    rows = [cells.play(CELL, 0, 1)]
    assert "theorem" in tables.summary(CELL, rows, 1.0, 1)["guarantee"]
    other: Cell = replace(CELL, algorithm="uniform")
    row = tables.summary(other, [cells.play(other, 0, 1)], 1.0, 1)
    assert (row["guarantee"], row["misses"], row["bound_printed"]) == (None, None, None)
