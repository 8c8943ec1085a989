"""The reproduction: stages, cache, summary, one page; and what it says when something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from glbcheck.core import catalog
from glbcheck.verify import paper
from glbcheck.verify.cli import main
from glbcheck.verify.reproduce import stages
from glbcheck.verify.reproduce.cache import Cache
from glbcheck.verify.reproduce.stages import Plan
from pyarrow import parquet

ROOT = Path(__file__).resolve().parent.parent

CLAIMS = '''
from glbcheck.verify.claim import Evidence
from glbcheck.verify.provers import algebra
from glbcheck.verify.registry import claim

def squares(sign):
    return algebra.decide([], f"x**2 >= {sign}", ["x"])

@claim("lemma:square", expected="proved", control=("x^2 >= 1", lambda: squares(1)))
def square() -> Evidence:
    """A square is not negative."""
    return squares(0)
'''


PAPER = r"""
\begin{lemma}\label{lemma:square}
  A square is not negative.
\end{lemma}
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a paper of one lemma and its claims."""
    package = tmp_path / "tiny_claims"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "only.py").write_text(CLAIMS)
    paper.write_index(paper.scan(PAPER), package / paper.INDEX_NAME)
    (tmp_path / "pytest.ini").write_text("[pytest]\nglbcheck_packages = tiny_claims\n")
    return tmp_path


def reproduce(here: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, on the claims alone."""
    command = [
        sys.executable,
        "-m",
        "glbcheck.verify.cli",
        "reproduce",
        "--claims",
        "tiny_claims",
        "--output",
        "out",
    ]
    return subprocess.run(
        [*command, "--jobs", "1", "--stages", "claims", *options],
        cwd=here,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}:{here}", "PATH": "", "HOME": str(here)},
    )


def test_a_reproduction_leaves_results_tables_and_one_page(here: Path) -> None:
    run = reproduce(here)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1: 1 proved" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("report: out/report.html")
    assert max(map(len, run.stdout.splitlines())) <= 80
    results = json.loads((here / "out" / "results.json").read_text())
    assert [c["verdict"] for c in results["claims"]] == ["proved"]
    assert "lemma:square" in (here / "out" / "report.html").read_text()
    assert (here / "out" / "claims.csv").read_text().splitlines()[1].startswith("square,lemma:square,")
    assert parquet.read_table(here / "out" / "claims.parquet").to_pylist()[0]["verdict"] == "proved"


def test_what_was_done_is_not_done_again_unless_asked_or_changed(here: Path) -> None:
    assert "cache: miss" in reproduce(here).stderr
    before = (here / "out" / "results.json").read_bytes()
    assert "cache: hit" in reproduce(here).stderr
    assert (here / "out" / "results.json").read_bytes() == before
    assert "cache: miss" in reproduce(here, "--fresh").stderr
    (here / "out" / "results.json").write_bytes(before.replace(b"proved", b"refuted"))
    assert "cache: miss" in reproduce(here).stderr
    source = here / "tiny_claims" / "only.py"
    source.write_text(source.read_text().replace("not negative", "never negative"))
    assert "cache: miss" in reproduce(here).stderr


def test_a_claim_that_is_not_as_expected_makes_the_exit_code_one(here: Path) -> None:
    source = here / "tiny_claims" / "only.py"
    source.write_text(CLAIMS.replace('expected="proved"', 'expected="undecided"'))
    for _ in range(2):  # the second time from the cache
        run = reproduce(here)
        assert run.returncode == 1
        assert "NOT AS EXPECTED" in run.stdout


def test_audits_are_done_once_per_family(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalog, "NAMES", ("gaussian", "exponential"))
    plan, cache = Plan("glbcheck.proofs_checks.hcw_glb_omd", tmp_path, 2, smoke=True), Cache(tmp_path)
    assert stages.audits(plan, cache, {})[0] == 0
    assert stages.audits(plan, Cache(tmp_path), {}) == (2, True)
    (tmp_path / "audit" / "gaussian.json").unlink()
    assert stages.audits(plan, Cache(tmp_path), {})[0] == 1
    found = json.loads((tmp_path / "audit" / "exponential.json").read_text())
    assert found["family"] == "exponential(z - 2)"
    assert "<svg" in found["figures"]["link"]


def test_an_unwritable_folder_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["reproduce", "--output", str(blocked / "below")]) == 2
    assert "--output" in capsys.readouterr().err


def test_an_unknown_stage_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["reproduce", "--output", str(tmp_path), "--stages", "claims,proofs"]) == 2
    assert "'proofs' is none of claims, audit, coverage, regret" in capsys.readouterr().err
