"""The built wheel, in an environment of its own beside a wheel that owns `core` and `verify`.

Claims, audit and page work from it, and the neighbour and projects of others notice nothing.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from glbcheck.core.versions import version

from tests.helpers import small_paper

ROOT = small_paper.ROOT
ROOMS = ("core", "verify", "proofs_checks", "glbcheck")
# The checkout must not be reachable, nor anything else of this process's environment.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}

NEIGHBOUR = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "neighbour"
version = "1"
[tool.setuptools]
packages = ["core", "verify"]
"""


def called(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, env=CLEAN)


def built(source: Path, kind: str = "wheel") -> Path:
    if int(version("setuptools").partition(".")[0]) < 77:
        pytest.fail(f"building needs setuptools 77, and this environment has {version('setuptools')}", pytrace=False)
    output = source / kind
    made = called(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", output, source, cwd=source)
    assert made.returncode == 0, made.stdout + made.stderr
    (found,) = output.iterdir()
    return found


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Ours and the neighbour's."""
    ours, theirs = tmp_path_factory.mktemp("ours"), tmp_path_factory.mktemp("theirs")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, ours)
    for name in ROOMS:
        shutil.copytree(ROOT / name, ours / name, ignore=shutil.ignore_patterns("__pycache__"))
    small_paper.make(ours / "proofs_checks" / "second_paper")
    (theirs / "pyproject.toml").write_text(NEIGHBOUR)
    for name in ("core", "verify"):
        (theirs / name).mkdir()
        (theirs / name / "__init__.py").write_text(f'OWNER = "neighbour {name}"\n')
    return built(ours), built(theirs)


@pytest.fixture(scope="module")
def home(wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment that has both wheels and, lent by this one, the libraries they need."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "env", with_pip=False)
    (site,) = (home / "env" / "lib").glob("python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", str(home / "env" / "bin" / "python")]
    for wheel in wheels:
        done = called(*pip, "install", "--no-deps", "--no-index", wheel, cwd=home)
        assert done.returncode == 0, done.stderr
    # A plain line adds the folder without running the .pth files in it, so no editable install leaks in.
    lent = [folder for folder in sys.path if Path(folder).name == "site-packages"]
    (site / "lent.pth").write_text("\n".join(lent))
    return home


def python(home: Path, *arguments: str, cwd: Path | None = None) -> str:
    """What the environment's Python prints; isolated unless it is to look into a project."""
    isolated = [] if cwd else ["-I"]
    run = called(home / "env" / "bin" / "python", *isolated, *arguments, cwd=cwd or home)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_the_wheel_holds_what_it_needs_and_every_paper_and_nothing_else(wheels: tuple[Path, Path]) -> None:
    names = set(zipfile.ZipFile(wheels[0]).namelist())
    assert {name.partition("/")[0] for name in names} == {"glbcheck", f"glbcheck-{version()}.dist-info"}
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()]
    ours = {str(path.relative_to(ROOT)) for path in files if path.parent.name != "__pycache__"}
    shipped = {f"glbcheck/{name.removeprefix('glbcheck/')}" for name in ours}
    assert not shipped - names
    assert "glbcheck/proofs_checks/second_paper/repairs/second.py" in names


def test_the_source_archive_holds_what_is_needed_to_test_it(tmp_path: Path) -> None:
    loose = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git" and path.suffix != ".cache"]
    # What docs/reference.py writes is not in the archive.
    folders = [ROOT / name for name in (*ROOMS, "tests", "docs", "benchmarks", ".ci", ".github")]
    files = {path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file()}
    kept = {*loose, *(path for path in files if path.parent.name not in ("__pycache__", "reference"))}
    for path in kept:
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    with tarfile.open(built(tmp_path, "sdist")) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert not {str(path.relative_to(ROOT)) for path in kept} - inside


def test_a_wheel_with_core_and_verify_lives_beside_ours(home: Path) -> None:
    (site,) = (home / "env" / "lib").glob("python*/site-packages")
    ours, theirs = (
        {row[0] for row in csv.reader(path.read_text().splitlines())}
        for path in sorted(site.glob("*.dist-info/RECORD"))
    )
    assert not ours & theirs
    code = (
        "import core, verify, glbcheck.core, glbcheck.verify, glbcheck.proofs_checks;"
        "print(core.OWNER, verify.OWNER, glbcheck.core.__file__, glbcheck.verify.__file__);"
        "import importlib.util; print(importlib.util.find_spec('proofs_checks'))"
    )
    printed = python(home, "-c", code)
    assert printed.startswith(f"neighbour core neighbour verify {site}/glbcheck/core/__init__.py")
    assert printed.endswith("None\n")


def test_a_foreign_project_with_its_own_verify_is_left_alone_by_pytest(home: Path) -> None:
    project = home / "project"
    (project / "verify").mkdir(parents=True)
    (project / "verify" / "__init__.py").write_text("ANSWER = 42\n")
    (project / "test_it.py").write_text(FOREIGN)
    assert "1 passed" in python(home, "-m", "pytest", "-p", "no:cacheprovider", cwd=project)


FOREIGN = """
import sys
import verify

def test_the_project_sees_its_own_verify_and_no_plugin_of_others(pytestconfig):
    assert verify.ANSWER == 42
    for name, plugin in pytestconfig.pluginmanager.list_name_plugin():
        assert "glbcheck" not in name
        assert "glbcheck" not in getattr(plugin, "__name__", type(plugin).__module__)
    assert not [name for name in sys.modules if name.startswith("glbcheck")]
"""


def test_claims_are_decided_by_pytest_from_the_wheel(home: Path) -> None:
    chosen = ["-q", "-n0", "-p", "glbcheck.verify.pytest_plugin", "--pyargs", "glbcheck.proofs_checks"]
    python(
        home, "-m", "pytest", *chosen, "-k", "elliptical_potential and not matrices",
        "--glbcheck-results=out/results.json",
    )  # fmt: skip
    results = json.loads((home / "out" / "results.json").read_text())
    verdicts = {claim["id"]: claim["verdict"] for claim in results["claims"]}
    assert verdicts["elliptical_potential"] == "refuted"
    python(home, "-m", "glbcheck", "report", "--results", "out")
    assert "lemma:epl" in (home / "out" / "report.html").read_text(encoding="utf-8")


def test_the_command_decides_the_paper_beside_ours_by_name(home: Path) -> None:
    done = called(home / "env" / "bin" / "glbcheck", "check", "--paper", "second_paper", cwd=home)
    assert "5 of 5 claims as expected" in done.stdout, done.stderr


def test_a_family_is_audited_from_the_wheel(home: Path) -> None:
    printed = python(home, "-m", "glbcheck", "audit", "log(1+exp(z))", "--S", "1", "--quick", "--json", "-")
    audit = json.loads(printed)
    assert audit["constants"]["L_mu"]["exact"] == "1/4"
    assert "theorem:regret" in audit["theorems"]


# --- really new environments, with libraries from the package index ---------------------------------------------

PROMPT = {"": ["decide", "x >= 0 => log(1 + x) <= x"], "all": ["check", "lemma:epl"]}


@pytest.mark.nightly
@pytest.mark.parametrize("extra", PROMPT)
def test_a_wheel_installs_from_the_index_and_runs(extra: str, wheels: tuple[Path, Path], tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    own = tmp_path / "env" / "bin"
    wanted = f"{wheels[0]}[{extra}]" if extra else str(wheels[0])
    pinned = ["-c", str(ROOT / "constraints.txt")]
    done = called(own / "python", "-m", "pip", "install", "-q", *pinned, wanted, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert called(own / "python", "-m", "pip", "check", cwd=tmp_path).returncode == 0
    ran = called(own / "glbcheck", *PROMPT[extra], cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    simulated = called(own / "glbcheck", "simulate", "coverage", "--smoke", "--families", "gaussian", cwd=tmp_path)
    if extra:
        assert simulated.returncode == 0, simulated.stderr
        assert "cells; tables and figures in" in simulated.stdout
    else:
        assert simulated.returncode == 2
        assert simulated.stderr == "glbcheck simulate needs matplotlib, numba: pip install 'glbcheck[simulate]'\n"
        (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
        assert not [path for path in site.iterdir() if path.name.startswith(("numba", "z3", "matplotlib", "pytest"))]
