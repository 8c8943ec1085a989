"""The built wheel, in an environment of its own outside the checkout: claims, audit and page work from it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The checkout must not be reachable, nor anything else of this process's environment.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}


def called(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, env=CLEAN)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, source = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("core", "verify", "proofs_checks"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)]
    made = called(*build, cwd=folder)
    assert made.returncode == 0, made.stdout + made.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel; its dependencies are lent by this one, the checkout is not."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "env", with_pip=False)
    purelib = Path(sysconfig.get_path("purelib"))
    (theirs,) = (home / "env" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(theirs)
    # A plain line adds the folder without running the .pth files in it, so no editable install leaks in.
    (theirs / "lent.pth").write_text(f"{purelib}\n")
    return home


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return called(installed / "env" / "bin" / "python", "-I", *arguments, cwd=installed)


def test_everything_the_packages_need_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in ("proofs_checks/anchors.json", "verify/report/html/page.css", "verify/report/html/page.js"):
        assert needed in names
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


def test_the_modules_come_from_the_wheel(installed: Path) -> None:
    code = "import core, verify, proofs_checks; print(core.__file__, verify.__file__, proofs_checks.__file__)"
    run = python(installed, "-c", code)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(str(installed)) == 3


def test_claims_are_decided_from_the_wheel(installed: Path) -> None:
    chosen = ["-q", "-n0", "--pyargs", "proofs_checks", "-k", "solve_log or elliptical_potential"]
    run = python(installed, "-m", "pytest", *chosen, "--glbcheck-results=out/results.json")
    assert run.returncode == 0, run.stdout + run.stderr
    verdicts = {
        c["id"]: c["verdict"] for c in json.loads((installed / "out/results.json").read_text())["claims"]
    }
    assert verdicts["elliptical_potential"] == "refuted"
    page = python(installed, "-m", "glbcheck.verify.cli", "report", "--results", "out")
    assert page.returncode == 0, page.stderr
    assert "lemma:epl" in (installed / "out" / "report.html").read_text(encoding="utf-8")


def test_a_family_is_audited_from_the_wheel(installed: Path) -> None:
    run = python(
        installed, "-m", "glbcheck.verify.cli", "audit", "log(1+exp(z))", "--S", "1", "--quick", "--json", "-"
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["constants"]["L_mu"]["exact"] == "1/4"
