"""The reproduction: stages, cache, summary, one page; and what it says when something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from glbcheck.core import catalog
from glbcheck.verify import papers
from pyarrow import parquet

from glbcheck.cli import main
from glbcheck.reproduce import stages, stages_of
from glbcheck.reproduce.cache import Cache
from glbcheck.reproduce.stages import Plan
from tests.helpers import small_paper

Reproduce = Callable[..., str]


@pytest.fixture
def reproduce(here: Path, capsys: pytest.CaptureFixture[str]) -> Reproduce:
    """The command on the small paper: all that it says, given that it exits as foreseen."""

    def run(*options: str, code: int = 0) -> str:
        found = main(["reproduce", "--paper", "tiny", "--jobs", "1", *options])
        said = capsys.readouterr()
        assert found == code, said.err
        return said.out + said.err

    return run


def test_a_paper_without_index_audits_and_simulations_ends_with_its_page(here: Path) -> None:
    command = [sys.executable, "-m", "glbcheck", "reproduce", "--paper", str(here / "tiny"), "--jobs", "2"]
    run = subprocess.run(command, cwd=here, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "[1/2] claims of the paper" in run.stderr
    assert "5: 2 argued, 1 definition, 1 undecided, 1 refuted" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("report: results/tiny/report.html")
    assert max(map(len, run.stdout.splitlines())) <= 80
    output = here / "results" / "tiny"
    results = json.loads((output / "results.json").read_text())
    assert {claim["id"] for claim in results["claims"]} == small_paper.CLAIMS
    assert (output / "certificates" / "fails.json").exists()
    assert "A small paper" in (output / "report.html").read_text()
    assert (output / "claims.csv").read_text().splitlines()[1].startswith("definition:sec:notation,")
    assert len(parquet.read_table(output / "claims.parquet").to_pylist()) == 5


def test_what_was_done_is_not_done_again_unless_asked_or_changed(here: Path, reproduce: Reproduce) -> None:
    results = here / "results.json"
    assert "cache: miss" in reproduce("--output", ".")
    before = results.read_bytes()
    assert "cache: hit" in reproduce("--output", ".")
    assert results.read_bytes() == before
    assert "cache: miss" in reproduce("--output", ".", "--fresh")
    results.write_bytes(before.replace(b"proved", b"refuted"))
    assert "cache: miss" in reproduce("--output", ".")
    (here / "tiny" / "paper.toml").write_text('title = "Another title"')
    assert "cache: miss" in reproduce("--output", ".")
    assert "Another title" in (here / "report.html").read_text()


def test_a_claim_that_is_not_as_expected_makes_the_exit_code_one(here: Path, reproduce: Reproduce) -> None:
    first = here / "tiny" / "first.py"
    first.write_text(small_paper.FIRST.replace('expected="undecided"', 'expected="proved"'))
    for _ in range(2):  # the second time from the cache
        assert "NOT AS EXPECTED" in reproduce(code=1)


def test_the_results_of_one_paper_are_not_taken_for_those_of_another(
    here: Path, reproduce: Reproduce, capsys: pytest.CaptureFixture[str]
) -> None:
    reproduce("--output", "out")
    before = (here / "out" / "report.html").read_bytes()
    small_paper.make(here / "other")
    assert main(["reproduce", "--paper", "other", "--output", "out"]) == 2
    assert main(["report", "--paper", "other", "--results", "out"]) == 2
    assert capsys.readouterr().err.count("out: holds the results of paper 'tiny") == 2
    assert (here / "out" / "report.html").read_bytes() == before


def test_audits_are_done_once_per_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "NAMES", ("gaussian", "exponential"))
    plan = Plan(papers.find("hcw_glb_omd"), tmp_path, 2, smoke=True)
    assert stages.audits(plan, Cache(tmp_path), {})[0] == 0
    assert stages.audits(plan, Cache(tmp_path), {}) == (2, True)
    (tmp_path / "audit" / "gaussian.json").unlink()
    assert stages.audits(replace(plan, jobs=1), Cache(tmp_path), {})[0] == 1
    found = json.loads((tmp_path / "audit" / "exponential.json").read_text())
    assert found["family"] == "exponential(z - 2)"
    assert "theorem:regret" in found["theorems"]
    assert set(found["captions"]) == {path.stem for path in (tmp_path / "audit" / "exponential").glob("*.svg")} != set()


def test_a_stage_by_itself_ends_with_a_page_too(
    here: Path, reproduce: Reproduce, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "NAMES", ("gaussian",))
    (here / "tiny" / "requirements.py").write_text("REQUIREMENTS = ()\n")
    assert "families   1 audited" in reproduce("--stages", "audit", "--smoke", "--output", "out")
    assert "gaussian" in (here / "out" / "report.html").read_text()


def test_a_paper_says_what_there_is_to_do(here: Path, reproduce: Reproduce) -> None:
    assert stages_of(papers.find("hcw_glb_omd"), None) == ["claims", "audit", "coverage", "regret"]
    assert "'audit' is none of claims\n" in reproduce("--stages", "claims,audit", code=2)
    (here / "tiny" / "paper.toml").write_text('title = "a"\nsimulations = ["chess"]')
    assert "paper.toml: simulations: 'chess' is none of coverage, regret" in reproduce(code=2)


def test_an_unwritable_folder_is_named(here: Path, reproduce: Reproduce) -> None:
    (here / "file").write_text("")
    assert "--output = 'file/below'" in reproduce("--output", "file/below", code=2)
