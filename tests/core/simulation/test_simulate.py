"""The simulation: declared, checked before it runs, reproducible to the bit, and able to fail."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq
import pytest
from glbcheck.core import rivals
from glbcheck.core.engine import run as engine
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import cells, defaults, tables
from glbcheck.core.simulation.grid import CORRECT, Block, Grid, grid
from glbcheck.core.theory.parameters import Parameters
from jsonschema import Draft202012Validator

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
    assert printed == stored
    assert set(printed["captions"]) == {"radius", "coverage", "weights"}


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
    """The command at work: its folder is there.  It can be interrupted, also where the suite cannot."""
    command = [sys.executable, "-m", "glbcheck", "simulate", "coverage", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--grid", str(source), "--output", str(output), *options], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
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


@pytest.mark.usefixtures("once")  # after which there is nothing to compile
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
    (("--arms", "sphere:1.5"), "arms = 'sphere:1.5'"), (("--arms", "corruption:0.5", "--d", "1"), "d >= 2, not 1"),
    (("--dispersions", "0"), "dispersions = 'constant:0'"),
    (("--dispersions", "decades:2:1"), "dispersions = 'decades:2:1'"),
    (("--families", "poisson", "--dispersions", "2"), "poisson needs g = 1"),
    (("--families", "binomial_proportion", "--dispersions", "decades:0.1:1"), "g = 1/n"),
    (("--algorithms", "ucb"), "algorithm = 'ucb'"), (("--algorithms", ""), "algorithm = ''"),
    (("--families", "bernoulli(n=3)"), "families = 'bernoulli(n=3)'"),
    (("--algorithms", "cw-oful", "--families", "poisson"), "algorithm = 'cw-oful'"),
    (("--variants", "mad"), "variants = 'mad'"),
    (("--algorithms", "greedy", "--variants", "radius-tenth"), "variants = 'radius-tenth'"),
    (("--grid", "missing.json"), "--grid = 'missing.json'"),
    (("--workers", "0"), "'0' is not a positive whole number"),
])  # fmt: skip
def test_a_bad_value_is_named_and_nothing_runs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.setattr("glbcheck.compiling.compile_engine", lambda names: pytest.fail("the engine was compiled"))
    source = tmp_path / "grid.json"
    source.write_text(json.dumps({"blocks": [{"C": [1], "T": [10], "replicates": 1}]}))
    given_grid = () if "--grid" in options else ("--grid", str(source))
    output = tmp_path / "run"
    assert main(["simulate", "coverage", *given_grid, *options, "--output", str(output)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len([line for line in told.splitlines() if not line.startswith("try: ")]) == 1
    assert not output.exists()


@pytest.mark.parametrize("axis", ["--algorithms", "--families"])
def test_an_unknown_name_is_refused_before_the_default_grid_is_worked_out(
    axis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glbcheck.core.simulation.defaults.grid", lambda *_: pytest.fail("the grid was worked out"))
    assert main(["simulate", "regret", axis, "gaussien"]) == 2


@pytest.mark.parametrize(("data", "message"), [
    ([], "grid = \\[\\]"), ({}, "blocks = None"), ({"blocks": []}, "blocks = \\[\\]"),
    ({"blocks": [{}], "sede": 1}, "grid = 'sede'"), ({"blocks": [{"family": ["gaussian"]}]}, "block = 'family'"),
    ({"blocks": [{"d": 2}]}, "d = 2"), ({"blocks": [{"d": []}]}, "d = \\[\\]"),
    ({"blocks": [{"d": [True]}]}, "d = True"), ({"blocks": [{"S": ["1"]}]}, "S = '1'"),
    ({"blocks": [{"arms": [3]}]}, "arms = 3"), ({"blocks": [{"replicates": 1.5}]}, "replicates = 1.5"),
    ({"blocks": [{"d": [1001]}]}, "d = 1001 .* from 1 to 1000"), ({"blocks": [{"T": [10**9 + 1]}]}, "T = "),
    ({"blocks": [{"C": [float("inf")]}]}, "C = inf"), ({"blocks": [{"arms": "basis"}]}, "arms = 'basis' .* a list"),
])  # fmt: skip
def test_a_bad_file_is_refused_by_field(data: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        grid(data)


# --- its tables -------------------------------------------------------------------------------------------


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
    honest = rivals.run

    def broken(name: str, p: Parameters, *rest: Any) -> engine.Outcome:
        return honest(name, replace(p, radius_scale=0.1), *rest)

    monkeypatch.setattr(rivals, "run", broken)
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
