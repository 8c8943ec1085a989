"""`glbcheck fit`: files, refusals, tables, figures, and the learner that is printed."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import Fit, fit
from glbcheck.core.fitting.possible import common_step
from glbcheck.core.fitting.result import WORDS

import glbcheck
from glbcheck.cli import main

FEW = "poisson,scaled_poisson,geometric,bernoulli,gaussian"


def clicks(n: int = 400) -> tuple[Any, Any]:
    rng = np.random.default_rng(11)
    x = np.column_stack([rng.uniform(20, 60, n), rng.integers(0, 2, n)])
    return rng.poisson(np.exp(0.02 * (x[:, 0] - 40) - 0.5 * x[:, 1] + 0.5)), x


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rewards, x = clicks()
    path = tmp_path_factory.mktemp("fit") / "clicks.csv"
    write(path, ["clicks", "age", "mobile", "g"], [[r, *row, 1] for r, row in zip(rewards, x.tolist(), strict=True)])
    return path


def write(path: Path, names: Sequence[object], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


# --- the command --------------------------------------------------------------------------------------------


def test_a_table_a_page_a_figure_and_data_come_out_of_one_file(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = {kind: tmp_path / f"f.{kind}" for kind in ("svg", "html", "json")}
    command = ["fit", str(data), "--reward", "clicks", "--contexts", "age,mobile", "--intercept", "--families", FEW]
    assert main([*command, "--figure", str(out["svg"]), "--html", str(out["html"]), "--json", str(out["json"])]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    found = json.loads(out["json"].read_text())
    assert found["best"] == "poisson"
    words = {one["family"]: one["word"] for one in found["families"]}
    assert (words["geometric"], words["bernoulli"], words["gaussian"]) == ("contradicted", "excluded", "contradicted")
    names: dict[str, Any] = {}
    pasted = takewhile(lambda line: line.startswith("    "), text.partition("ready to paste\n")[2].splitlines())
    exec(dedent("\n".join(pasted)), names)
    assert isinstance(names["learner"], glbcheck.Scouted)
    assert found["families"][0]["learner"]["S"] == names["learner"].parameters.S
    assert "here the same law as poisson" in text
    assert out["svg"].read_text().startswith("<?xml")
    assert "squared residual" in out["svg"].read_text()
    assert "never a proof" in out["html"].read_text()


def test_the_excluding_row_and_value_are_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewards, _ = clicks()
    row = int(np.flatnonzero(rewards > 1)[0])
    code = main(["fit", str(data), "--reward", "clicks", "--contexts", "none", "--families", "bernoulli"])
    assert code == 1
    assert f"row {row + 1}: {rewards[row]} lies outside {{0, 1}}" in capsys.readouterr().out


def test_parquet_and_semicolons_give_what_csv_gives(data: Path, tmp_path: Path) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.csv.read_csv(data), tmp_path / "clicks.parquet")
    (tmp_path / "clicks.csv").write_text("\ufeff" + data.read_text().replace(",", ";"), encoding="utf-8")
    results = []
    for path in (data, tmp_path / "clicks.parquet", tmp_path / "clicks.csv"):
        out = tmp_path / "out.json"
        main(["fit", str(path), "--reward", "clicks", "--dispersion", "g", "--families", "poisson", "--json", str(out)])
        results.append({**json.loads(out.read_text()), "data": None})
    assert results[0] == results[1] == results[2]
    assert results[0]["columns"] == ["age", "mobile"]


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    (tmp_path / "a.parquet").write_bytes(b"PAR1 and more")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["fit", str(tmp_path / "a.parquet"), "--reward", "r"]) == 2
    assert "needs pyarrow: pip install 'glbcheck[data]'" in capsys.readouterr().err


def test_a_long_file_is_read_to_a_limit_that_is_said(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["fit", str(data), "--reward", "clicks", "--contexts", "age", "--intercept", "--families", "poisson"]
    assert main([*command, "--rows", "150"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("150 rewards")
    assert "more than 150 rows" in text


GOOD = "r,x,y\n1,0.5,1\n2,0.1,2\n0,0.3,5\n3,0.2,4\n"


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ("", [], "is empty"),
        ("r,x\n", [], "no rows"),
        ("1,2\n3,4\n", [], "holds numbers, not names"),
        ("r,r\n1,2\n", [], "two columns are called 'r'"),
        (GOOD, ["--reward", "rr"], "--reward = 'rr': no such column; did you mean 'r'?"),
        (GOOD, ["--contexts", "x,z"], "--contexts = 'z': no such column"),
        (GOOD, ["--contexts", "x,r"], "--contexts = 'r': is taken already"),
        (GOOD, ["--dispersion", "gg"], "--dispersion = 'gg': no such column"),
        (GOOD, ["--dispersion", "-1"], "a finite number g > 0"),
        (GOOD, ["--dispersion", "1e400"], "a finite number g > 0"),
        (GOOD, ["--families", "poison"], "did you mean poisson?"),
        (GOOD, ["--families", "binomial(n=0)"], "n = 0 is not accepted"),
        (GOOD, ["--seed", "-3"], "seed = -3 is not accepted"),
        (GOOD, ["--figure", "f.png"], ".svg or .pdf"),
        (GOOD.replace("0.3", "nan"), [], "row 3, column 'x': nan is not accepted"),
        (GOOD.replace("0.3", ""), [], "row 3, column 'x': the cell is empty"),
        (GOOD.replace("0.3", "red"), [], "row 3, column 'x': 'red' is no number"),
        (GOOD.replace("0.3,5", "0.3"), [], "row 3: 2 cells; accepted are 3"),
        (GOOD.replace("0.3", '"0.3'), [], "is no CSV file"),
        (GOOD.replace("x", '"x', 1), [], "is no CSV file"),
        ("r,x,y\n1,1,0\n2,2,0\n3,4,0\n", [], "contexts = 'y' is not accepted: columns that are not zero"),
        ("r,x,y\n1,1,2\n2,1,2\n3,1,2\n", [], "two constant columns"),
        ("r,x,y\n1,1,2\n2,2,4\n3,3,6\n", [], "none is a combination"),
        ("r,x,y\n1,1,2\n2,2,5\n", [], "2 columns and 2 rows"),
        ("r,x\n1e200,1\n2,2\n3,5\n", [], "rewards, row 1"),
    ],
)
def test_bad_input_is_refused_with_the_place_and_what_is_accepted(
    content: str, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.csv"
    path.write_text(content)
    reward = [] if "--reward" in options else ["--reward", "r"]
    assert main(["fit", str(path), *reward, *options]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


@pytest.mark.parametrize(("name", "words"), [("none.csv", "no such file"), (".", "no such file")])
def test_what_is_no_file_is_refused(name: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(tmp_path / name), "--reward", "r"]) == 2
    assert words in capsys.readouterr().err


def test_binary_is_no_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, content in enumerate((b"r,x\n\xff\xfe,1\n", b"r,x\n1,2\n\x00\x00\n", b"PAR1PAR1")):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(content)
        assert main(["fit", str(path), "--reward", "r"]) == 2
        assert str(path) in capsys.readouterr().err


# --- from Python --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Fit:
    rewards, x = clicks()
    return glbcheck.fit(rewards, x, intercept=True)


def test_all_families_are_judged_and_ranked_by_word(found: Fit) -> None:
    assert {one.name.partition("(")[0] for one in found.families} == set(glbcheck.catalog.NAMES)
    places = [WORDS.index(one.word) for one in found.families]
    assert places == sorted(places)
    assert found.best is not None
    assert found.best.name == "poisson"
    assert all(one.reason for one in found.families)


def test_a_result_cannot_be_changed_and_repeats_itself(found: Fit) -> None:
    with pytest.raises(FrozenInstanceError):
        found.rows = 3  # type: ignore[misc]
    rewards, x = clicks()
    again = fit(rewards, x, intercept=True)
    assert json.dumps(again.as_dict()) == json.dumps(found.as_dict())


def test_every_printed_learner_runs(found: Fit) -> None:
    rewards, x = clicks()
    points = np.column_stack([x, np.ones(len(rewards))]) / found.scales
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(1)
    ran = 0
    for one in found.families:
        if one.learner is None or not one.learner.code or one.word != "plausible":
            continue
        assert len(one.learner.code) == 3
        assert ("Scouted(" in one.learner.code[2]) == (one.learner.tilt == "0")
        names: dict[str, Any] = {}
        exec("\n".join(one.learner.code), names)
        learner = names["learner"]
        arm = learner.select(points[:10])
        g = one.estimate.dispersion if one.estimate is not None else None
        learner.update(points[arm], float(rewards[arm]), dispersion=g or 1.0)
        ran += 1
    assert ran >= 3


@pytest.mark.parametrize("name", ["gamma", "exponential", "inverse_gaussian", "negative_binomial(n=3)", "geometric"])
def test_a_family_of_negative_z_gets_a_shift_and_the_ball_holds_the_shifted_parameter(name: str) -> None:
    rng = np.random.default_rng(12)
    x = np.column_stack([rng.uniform(-0.3, 0.3, 3000), np.ones(3000)]) / 1.2
    family = glbcheck.catalog.get(*name.split("(")[:1])
    z = x @ np.array([0.4, -1.6])
    one = fit(family.sample(rng, z, 1.0), x, families=[name]).families[0]
    assert one.learner is not None
    assert one.learner.S is not None
    assert one.estimate is not None
    names: dict[str, Any] = {}
    exec("\n".join(one.learner.code), names)
    assert names["learner"].guarantee == "theorem:confidence-sequence (local constants)"
    tilt = float(one.learner.tilt)
    assert 0 < one.learner.S < tilt
    shifted = one.estimate.theta + tilt * np.array([0.0, 1.2])
    assert np.linalg.norm(shifted) < one.learner.S
    assert names["family"].mu(x @ shifted) == pytest.approx(family.mu(one.estimate.natural), rel=1e-9)


def test_a_family_of_negative_z_without_a_constant_says_what_is_missing() -> None:
    rng = np.random.default_rng(13)
    found = fit(rng.exponential(1.0, 200), rng.uniform(-1, 1, (200, 2)), families=["exponential"])
    assert found.families[0].word == "undecided"
    assert "--intercept" in found.families[0].reason


def test_known_dispersions_weigh_the_rows_and_exclude_families_that_have_none() -> None:
    rng = np.random.default_rng(14)
    g = rng.uniform(0.2, 3.0, 500)
    x = np.column_stack([rng.uniform(-0.5, 0.5, 500), np.full(500, 0.5)])
    rewards = rng.normal(x @ [1.0, 2.0], np.sqrt(g))
    found = fit(rewards, x, dispersion=g, families=["gaussian", "uniform", "poisson"])
    weighted = np.linalg.solve((x / g[:, None]).T @ x, (x / g[:, None]).T @ rewards)
    assert found["gaussian"].word == "plausible"
    assert found["gaussian"].estimate is not None
    assert found["gaussian"].estimate.theta == pytest.approx(weighted, rel=1e-9)
    assert found["gaussian"].estimate.dispersion is None
    assert found["poisson"].reason.endswith("is no dispersion of it: g = 1")
    assert fit(rewards, x, dispersion=1.0, families=["gaussian"]).families[0].word == "contradicted"


def test_a_wrong_variance_function_is_seen_where_the_mean_is_right() -> None:
    rng = np.random.default_rng(15)
    x = np.column_stack([rng.uniform(-1, 1, 1500), np.ones(1500)]) / 2
    mean = np.exp(x @ [2.0, 3.0])
    rewards = rng.negative_binomial(3, 3 / (3 + mean))
    one = fit(rewards, x, families=["poisson"]).families[0]
    assert one.word == "contradicted"
    assert one.estimate is not None
    assert one.estimate.variance_ratio > 1.5
    assert max(b.square / b.high for b in one.bins) > 1


def test_numbers_that_are_rounded_finely_stay_plausible_and_coarsely_do_not() -> None:
    rng = np.random.default_rng(16)
    rewards = rng.normal(5.0, 1.0, 400)
    assert fit(np.round(rewards, 2), families=["gaussian"]).families[0].word == "plausible"
    coarse = fit(np.round(rewards), families=["gaussian"]).families[0]
    assert coarse.word == "contradicted"
    assert "multiple of 1" in coarse.reason


@pytest.mark.parametrize(
    ("values", "step"),
    [([0.3, 0.5, 1.2], 0.1), ([6, 10, 15], 1), ([4, 6], 2), ([0.0, 0.0], 1), ([1, np.sqrt(2)], 0), ([1e-9, 1.0], 0)],
)
def test_the_common_step_of_rewards(values: list[float], step: float) -> None:
    assert common_step(np.array(values, dtype=float)) == pytest.approx(step)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rewards": []}, "no rows"),
        ({"rewards": ["a", "b"]}, "a sequence of numbers"),
        ({"rewards": [[1.0, 2.0]]}, "shape"),
        ({"rewards": [1.0, np.nan]}, "row 2"),
        ({"rewards": [1.0, 2.0, 3.0], "contexts": [[1.0], [2.0]]}, "shape (3, d)"),
        ({"rewards": [1.0, 2.0, 3.0], "contexts": [[1.0], [2.0], [np.inf]]}, "row 3, column x1"),
        ({"rewards": [1.0, 2.0, 3.0], "dispersion": [1.0, 2.0]}, "one number, or 3"),
        ({"rewards": [1.0, 2.0, 3.0], "dispersion": [1.0, 2.0, 0.0]}, "row 3"),
        ({"rewards": [1.0, 2.0], "families": ["cauchy"]}, "one of gaussian"),
        ({"rewards": [1.0, 2.0], "seed": 0.5}, "whole number"),
    ],
)
def test_python_refuses_with_the_same_care(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words.replace("(", r"\(").replace(")", r"\)")):
        fit(**arguments)


@pytest.mark.parametrize(
    "rewards",
    [[0.0] * 50, [1.0] * 50, [1e90, -1e90] * 25, [1e-90, 2e-90] * 25, [0.0, 1.0], [5.0, 5.0, 5.0], [1e6, 1e6 + 1] * 30],
    ids=lambda values: f"{values[0]:g},{values[-1]:g} of {len(values)}",
)
def test_degenerate_rewards_get_words_not_crashes(rewards: list[float]) -> None:
    with np.errstate(all="ignore"):
        found = fit(rewards)
    assert len(found.families) == len(glbcheck.catalog.NAMES)


# --- work ---------------------------------------------------------------------------------------------------


def test_counts_with_a_long_tail_are_fitted_within_a_bound_on_work() -> None:
    """A truncated Poisson law on {0, ..., 20} and more took minutes, and the command with it."""
    rng = np.random.default_rng(21)
    x = rng.normal(size=(1500, 3))
    rewards = rng.poisson(np.exp(1 + x @ [0.5, -0.3, 0.2]))
    told: list[tuple[str, int, int]] = []
    started = time.process_time()
    found = fit(rewards, x, intercept=True, progress=lambda *what: told.append(what))
    assert time.process_time() - started < 60
    assert found.best is not None
    assert found.best.name == "poisson"
    assert found["truncated_poisson"].word == "plausible"
    assert found["truncated_poisson"].learner is not None
    assert found["truncated_poisson"].learner.code
    assert [done for _, done, _ in told] == list(range(len(found.families)))


def test_separated_rewards_are_undecided_by_name_and_others_are_shown() -> None:
    x = np.linspace(-1, 1, 200)
    rewards = (x > 0).astype(float)
    found = fit(rewards, x, intercept=True, families=["bernoulli", "gaussian"])
    assert (found["bernoulli"].word, found["gaussian"].word) == ("undecided", "contradicted")
    assert found["bernoulli"].reason.startswith("separation: along +x1")
    rewards[[99, 100]] = rewards[[100, 99]]
    assert fit(rewards, x, intercept=True, families=["bernoulli"])["bernoulli"].estimate is not None
