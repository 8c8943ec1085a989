"""The set-up and what runs say about the machine, by imitation: other Pythons, no network, no disk, no root, no Coq."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from glbcheck.verify.coq import driver

from tests import machine

ROOT = machine.ROOT
PYTHON = Path(sys.executable)


def script(folder: Path, name: str, text: str) -> None:
    """A command of this name in the folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder of commands that stands for /usr/bin of another machine."""
    folder = tmp_path / "commands"
    folder.mkdir()
    for name in ("sh", "make", "env", "true", "rm", "cat", "touch", "mkdir", "ln", "sleep"):
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make` reads, in a folder with a space in its path."""
    folder = tmp_path / "a clone" / "glbcheck"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "constraints.txt", "pyproject.toml", ".ci/environment.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def make(target: str, checkout: Path, tools: Path, **environment: str) -> tuple[int, str]:
    """Exit code and everything that make printed."""
    done = subprocess.run(
        ["make", target],
        cwd=checkout,
        env={"PATH": str(tools), "HOME": str(checkout), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def other_python(tools: Path, changes: str) -> None:
    """A `python3` with one thing changed before it runs a file."""
    code = (
        f"import os, runpy, shutil, sys; {changes}; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    script(tools, "python3", f'exec "{PYTHON}" -c "{code}" "$@"')


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            "sys.version_info = (3, 10, 12, 'final', 0)",
            "needs Python 3.11 or newer, and this is 3.10. Try: make PYTHON=",
        ),
        ("sys.modules['ensurepip'] = None", "On Debian or Ubuntu: sudo apt-get install python3-venv"),
        (
            "shutil.disk_usage = lambda folder: type('', (), {'free': 9e8})",
            "The disk has 0.9 GB left, and the environment",
        ),
    ],
)
def test_make_says_in_one_line_what_is_wrong_with_a_machine(
    changes: str, sentence: str, checkout: Path, tools: Path
) -> None:
    other_python(tools, changes)
    code, said = make("test", checkout, tools)
    first, *rest = said.strip().splitlines()
    assert code == 2
    assert sentence in first
    assert all(line.startswith("make: ***") for line in rest)
    assert not (checkout / ".venv").exists()


def test_make_says_that_there_is_no_python(checkout: Path, tools: Path) -> None:
    code, said = make("test", checkout, tools)
    assert code == 2
    assert said.startswith("python3 is not installed. Try: make PYTHON=")


# A python of an environment: `-c` asks whether it works, `-m pip` installs, unless the network or the disk says no.
ENVIRONMENT = """case "$2" in
pip) echo "$@" >> calls
  case "$IMITATE" in
  offline) echo "WARNING: Retrying ... NewConnectionError: Temporary failure in name resolution"; exit 1;;
  full) echo "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"; exit 1;;
  missing) echo "noise"; echo "ERROR: No matching distribution found for numpy==99"; exit 1;;
  esac;;
tests.machine_setup) echo "set up";;
esac"""


@pytest.mark.parametrize(
    ("imitate", "sentence"),
    [
        ("offline", "pip cannot reach the package index. Check the network and run make again"),
        ("full", "The disk is full. Make room and run make again"),
        ("missing", "ERROR: No matching distribution found for numpy==99"),
    ],
)
def test_a_second_run_finishes_what_the_first_began(imitate: str, sentence: str, checkout: Path, tools: Path) -> None:
    (tools / "python3").symlink_to(PYTHON)
    begun = checkout / ".venv"
    script(begun, "bin/python", ENVIRONMENT)
    code, said = make("setup", checkout, tools, IMITATE=imitate)
    assert code == 2
    assert sentence in said
    assert "Traceback" not in said
    assert not (begun / ".ready").exists()
    code, said = make("setup", checkout, tools)
    assert (code, said) == (0, "Finishing .venv, which an earlier run began\nset up\n")
    calls = (checkout / "calls").read_text().splitlines()
    assert all("--constraint constraints.txt" in call for call in calls)
    assert calls[-1].endswith("--editable .[dev]")
    # What is ready is left alone.
    assert make("setup", checkout, tools) == (0, "set up\n")
    assert len((checkout / "calls").read_text().splitlines()) == len(calls)


def test_the_last_line_of_make_test_is_what_was_not_checked(checkout: Path, tools: Path) -> None:
    """Types end last here, and the line still comes after them; a failure stays one."""
    imitated = 'case "$2" in\npytest) echo "not checked: Coq" > "$GLBCHECK_NOT_CHECKED"; exit $TESTS;;\n'
    script(checkout / ".venv", "bin/python", f"{imitated}mypy) sleep 0.3; echo typed;;\nesac")
    (checkout / ".venv" / ".ready").touch()
    code, said = make("test", checkout, tools, TESTS="0")
    assert code == 0
    assert said.splitlines()[-2:] == ["typed", "not checked: Coq"]
    code, said = make("test", checkout, tools, TESTS="1")
    assert code == 2
    assert "not checked: Coq" in said


# --- make setup --------------------------------------------------------------------------------------------------

# apt-get of a machine with nothing, whose packages are two scripts for each tool.
APT = """echo "apt-get $@" >> "$LOG"
case "$*" in
*--assume-no*) echo "Need to get 427 MB of archives."
  echo "After this operation, 1818 MB of additional disk space will be used."; exit 1;;
*install*) [ "$IMITATE" = fails ] && { echo "E: Unable to locate package coq"; exit 100; }
  [ "$IMITATE" = nothing ] || for name in coqc coqchk chromium chromedriver; do cp "$STORED/$name" "$TOOLS/"; done;;
*update*) [ "$IMITATE" = offline ] && { echo "E: Could not resolve host"; exit 100; };;
esac
exit 0"""


def set_up(tools: Path, imitate: str = "", root: bool = True) -> tuple[int, str, str]:
    """Exit code, what was printed, and the calls of apt-get."""
    stored = tools.parent / "stored"
    libraries = tools.parent / "coq"
    for file in driver.NEEDED:
        (libraries / "user-contrib" / file).parent.mkdir(parents=True, exist_ok=True)
        (libraries / "user-contrib" / file).touch()
    for name in ("coqc", "coqchk", "chromium", "chromedriver"):
        script(stored, name, f'echo "{libraries}"')
    if not (tools / "cp").exists():
        (tools / "cp").symlink_to(shutil.which("cp") or "")
    log = tools.parent / "log"
    log.write_text("")
    user = 0 if root else 1000
    code = f"import os, sys; os.geteuid = lambda: {user}; from tests.machine_setup import main; sys.exit(main())"
    done = subprocess.run(
        [PYTHON, "-c", code],
        cwd=ROOT,
        env={"PATH": str(tools), "LOG": str(log), "TOOLS": str(tools), "STORED": str(stored), "IMITATE": imitate},
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    return done.returncode, done.stdout, log.read_text()


def test_set_up_installs_what_is_missing_and_says_how_big_it_is(tools: Path) -> None:
    script(tools, "apt-get", APT)
    code, said, calls = set_up(tools)
    assert code == 0
    first, last = said.splitlines()
    assert first.startswith("Coq and browser: installing with apt-get, 427 MB to download, 1818 MB on disk, usually")
    assert last.startswith("Coq and browser: installed in ")
    packages = {*driver.PACKAGES, "chromium", "chromium-driver"}
    assert packages <= set(calls.splitlines()[-1].split())
    assert set_up(tools) == (0, "Coq: already here\nbrowser: already here\n", "")
    (tools / "chromium").unlink()
    _, _, calls = set_up(tools)
    assert "coq" not in calls.splitlines()[-1]


@pytest.mark.parametrize(
    ("imitate", "sentence"),
    [
        ("offline", "apt-get cannot read its package lists, is there a network? E: Could not resolve host"),
        ("fails", "apt-get failed. E: Unable to locate package coq"),
        ("nothing", "something is missing still"),
    ],
)
def test_a_set_up_that_fails_says_so_and_is_no_success(imitate: str, sentence: str, tools: Path) -> None:
    script(tools, "apt-get", APT)
    code, said, _ = set_up(tools, imitate)
    assert code == 1
    assert sentence in said.splitlines()[-1]


def test_without_root_or_apt_set_up_prints_the_one_command(tools: Path) -> None:
    command = f"sudo apt-get install --yes --no-install-recommends {' '.join(driver.PACKAGES)} chromium"
    code, said, _ = set_up(tools)
    assert code == 1
    assert "there is no apt-get here. On Debian 12, run: " + command in said
    script(tools, "apt-get", APT)
    script(tools, "sudo", "exit 1")  # it would ask for a password
    code, said, calls = set_up(tools, root=False)
    assert (code, calls) == (1, "")
    assert "apt-get needs root. Run: " + command in said
    script(tools, "sudo", 'shift; exec "$@"')
    assert set_up(tools, root=False)[0] == 0


def test_every_way_to_run_the_whole_calls_make_setup() -> None:
    for name in (".ci/run", "Dockerfile", ".github/workflows/nightly.yml"):
        assert "make setup" in (ROOT / name).read_text(), name
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert 'CMD ["make", "test", "reproduce"]' in (ROOT / "Dockerfile").read_text()
    assert "run: .ci/run" in (ROOT / ".github" / "workflows" / "test.yml").read_text()


def test_the_packages_of_coq_stand_in_one_place() -> None:
    homes = [
        path.relative_to(ROOT).as_posix()
        for folder in (".ci", ".github", "core", "verify", "glbcheck", "docs", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in ("", ".py", ".md", ".yml") and path.is_file() and driver.PACKAGES[1] in path.read_text()
    ]
    assert homes == ["verify/coq/driver.py"]
    assert not [name for name in ("Makefile", "Dockerfile") if "libcoq" in (ROOT / name).read_text()]


# --- what runs say of the machine ----------------------------------------------------------------------------------


def report(skipped: bool = False, when: str = "call", **properties: Any) -> Any:
    return SimpleNamespace(skipped=skipped, when=when, user_properties=list(properties.items()))


def test_the_last_line_counts_what_was_skipped_and_theorems_that_were_not_asked() -> None:
    passed = [report(), report(glbcheck_row={"coq": None}), report(glbcheck_row={"coq": {"asked": "here"}})]
    assert machine.not_checked(passed) == ""
    setup = [report(True, "setup", glbcheck_missing=name) for name in ("coq", "browser", "browser")]
    after = [report(False, "teardown", glbcheck_missing=name) for name in ("coq", "browser", "browser")]
    claims = [report(glbcheck_row={"coq": {"asked": "recorded"}})] * 3
    assert machine.not_checked([*passed, *setup, *after, *claims]) == (
        "not checked on this machine: Coq, 1 test, 3 theorems by the recorded check alone (to add it: make setup); "
        "browser, 2 tests (to add it: make setup)"
    )


INNER = """
import pytest
from tests.machine import pytest_configure, pytest_runtest_setup, pytest_terminal_summary

@pytest.mark.needs("coq")
@pytest.mark.parametrize("number", range(3))
def test_coq(number):
    pass

@pytest.mark.needs("browser")
def test_browser():
    pass

def test_python():
    pass
"""


def inner(folder: Path, workers: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest with the hooks of `machine`, Coq and the browser hidden."""
    hooks, _, tests = INNER.partition("\n@pytest")
    (folder / "conftest.py").write_text(hooks)
    (folder / "test_inner.py").write_text(f"import pytest\n\n@pytest{tests}")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = needs(name): what it needs\n")
    hidden = {driver.HIDE: "off", machine.HIDE_BROWSER: "off", "PYTHONPATH": str(ROOT)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GLBCHECK"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", workers]
    return subprocess.run(command, cwd=folder, env=kept | hidden | environment, capture_output=True, text=True)


LINE = "not checked on this machine: Coq, 3 tests (to add it: make setup); browser, 1 test (to add it: make setup)"


def test_a_run_ends_with_what_its_workers_skipped(tmp_path: Path) -> None:
    done = inner(tmp_path, "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 4 skipped" in done.stdout
    assert LINE in done.stdout.splitlines()


def test_the_line_goes_to_a_file_for_make_to_print(tmp_path: Path) -> None:
    done = inner(tmp_path, "0", **{machine.NOT_CHECKED: "line.txt"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert LINE not in done.stdout
    assert (tmp_path / "line.txt").read_text() == f"{LINE}\n"


def test_a_run_whose_required_tool_is_missing_is_refused(tmp_path: Path) -> None:
    done = inner(tmp_path, "0", **{machine.REQUIRE: "coq,browser"})
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "GLBCHECK_REQUIRE = 'coq,browser': Coq is missing. To add it: make setup" in done.stderr
    assert "passed" not in done.stdout


def test_what_is_required_is_here_and_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "has", {"coq": True, "browser": False}.__getitem__)
    machine.require("")
    machine.require("coq, ")
    with pytest.raises(pytest.UsageError, match="browser is missing"):
        machine.require("coq, browser")
    with pytest.raises(pytest.UsageError, match="'Coq' is unknown; expected some of coq, browser, "):
        machine.require("Coq")


def test_an_odd_wish_about_the_browser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine.HIDE_BROWSER, "never")
    with pytest.raises(pytest.UsageError, match="GLBCHECK_BROWSER = 'never'"):
        machine.chromium()


def test_whatever_tests_need_is_known() -> None:
    markers = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["markers"]
    assert any(marker.startswith("needs(") for marker in markers)
    others = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if path.name not in ("machine.py", "test_machine.py")
        and any(word in path.read_text() for word in ("skipif", "importorskip", "pytest.skip("))
    ]
    assert not others
