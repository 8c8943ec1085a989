"""Other machines, by imitation: streams, narrow terminals, no home, no cache, one processor, macOS, hash seeds."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glbcheck.cli import VERBS, main
from glbcheck.encoding import encodable, encodable_json
from tests.helpers import small_paper

CELL = {"families": ["gaussian"], "d": [1], "C": [1], "T": [20], "arms": ["basis"], "replicates": 2}
EVERY_VERB = """
import json, sys
from pathlib import Path
from glbcheck.cli import main

for words, code in json.loads(sys.argv[1]):
    found = main(words)
    assert found == code, (words, found)
from glbcheck import Learner, HCWGLBOMD, catalog
learner = HCWGLBOMD(catalog.get("gaussian"), d=2, S=1.0, delta=0.05, C=0.0)
arms = [[1.0, 0.0], [0.0, 1.0]]
learner.update(arms[learner.select(arms)], 0.5)
"""
# As on macOS, or further from Linux still: no /proc, no affinity, no limits, no locks.
WITHOUT_LINUX = """
import builtins, os, sys
if hasattr(os, "sched_getaffinity"):
    del os.sched_getaffinity
sys.modules["resource"] = sys.modules["fcntl"] = None
read = builtins.open
def without_proc(file, *args, **kwargs):
    if str(file).startswith("/proc/"):
        raise FileNotFoundError(2, "No such file or directory", str(file))
    return read(file, *args, **kwargs)
builtins.open = without_proc
"""
ONE_PROCESSOR = """
import os
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
"""


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "one cell.json"
    path.write_text(json.dumps({"blocks": [CELL]}))
    return path


def printed(words: list[str], encoding: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Exit code and standard output of a command whose stream has this encoding."""
    raw = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
        code = main(words)
        sys.stdout.flush()
        return code, raw.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_simulation_ends_with_its_table_on_a_stream_that_cannot_write_delta(
    encoding: str, here: Path, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["simulate", "coverage", "--grid", str(grid), "--workers", "1", "--output"]
    _, whole = printed([*command, "utf-8"], "utf-8", monkeypatch)
    code, said = printed([*command, encoding], encoding, monkeypatch)
    assert code == 0
    wanted, found = whole.splitlines()[0], said.splitlines()[0]
    assert " δ " in wanted
    assert " delta " in found
    assert "\\u" not in said
    assert {name: found.index(name) for name in ("misses", "below", "inform")} == {
        name: wanted.index(name) for name in ("misses", "below", "inform")
    }
    assert said.splitlines()[1:3] == whole.splitlines()[1:3]


@pytest.mark.parametrize(("text", "encoding", "wanted"), [
    ("reading    δ   T  misses", "ascii", "reading delta  T  misses"),
    ("  θ         1.2 ± 0.3", "ascii", "  theta     1.2 +- 0.3"),
    ("  θ         1.2 ± 0.3", "cp1252", "  theta     1.2 ± 0.3"),
    ("|θ| ≤ Γ, d² κ, café, 漢", "ascii", "|theta| <= Gamma, d^2 kappa, cafe, \\u6f22"),
    ("cut to 11 …", "ascii", "cut to 1..."), ("a\udcff", "utf-8", "a\\udcff"), ("δ", "utf-8", "δ"),
])  # fmt: skip
def test_what_a_stream_cannot_write_is_spelled_out(text: str, encoding: str, wanted: str) -> None:
    assert encodable(text, encoding) == wanted
    assert json.loads(encodable_json(json.dumps(text, ensure_ascii=False), encoding)) == text


@pytest.mark.parametrize("words", [
    ["show", "lemma:false", "--paper", "tiny"], ["check", "--paper", "tiny"], ["families"],
    ["decide", "exp(x) <= 2"], ["audit", "-log(1-exp(z))", "--S", "1", "--tilt", "2", "--quick"],
    ["fit", "r.csv", "--reward", "r", "--families", "gaussian"],
], ids=lambda words: str(words[0]))  # fmt: skip
def test_a_verb_fits_a_terminal_of_40_columns_in_ascii(
    words: list[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    (here / "r.csv").write_text("r,x\n" + "".join(f"{k % 7},{k % 3}\n" for k in range(60)))
    code, said = printed(words, "ascii", monkeypatch)
    assert code in (0, 1)
    # Tables of numbers take 80 columns.  What can be copied, a statement and a command, stands in one line.
    most = 80 if words[0] in ("families", "fit") else 40
    assert [
        line for line in said.splitlines() if len(line) > most and not line.startswith(("refuted: ", "replay: "))
    ] == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_is_ascii(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = printed([verb, "--help"], "ascii", monkeypatch)
    assert code == 0
    assert said.startswith("usage: ")


def elsewhere(folder: Path, machine: str, words: list[tuple[list[str], int]], **environment: str) -> str:
    """What these commands print, in a process of their own that begins with `machine`."""
    done = subprocess.run(
        [sys.executable, "-c", machine + EVERY_VERB, json.dumps(words)],
        cwd=folder, capture_output=True, text=True, env={**os.environ, **environment}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("machine", ["without Linux", "one processor, no home, no cache"])
def test_every_verb_works_on_another_machine(machine: str, tmp_path: Path, grid: Path) -> None:
    """In a folder whose path has a space."""
    folder = tmp_path / "my papers"
    folder.mkdir()
    small_paper.make(folder / "tiny")
    words: list[tuple[list[str], int]] = [
        (["decide", "x >= 0 => log(1 + x) <= x"], 0),
        (["audit", "exp(z)", "--S", "1", "--quick"], 0),
        (["families"], 0),
        (["check", "holds", "--paper", "tiny", "--output", "my results"], 0),
        (["simulate", "coverage", "--grid", str(grid), "--workers", "1", "--output", "my runs"], 0),
    ]
    if machine == "without Linux":
        said = elsewhere(folder, WITHOUT_LINUX, words)
    else:
        nowhere = tmp_path / "a file"
        nowhere.write_text("")
        home = {"HOME": str(nowhere / "home"), "XDG_CACHE_HOME": str(nowhere / "cache")}
        said = elsewhere(folder, ONE_PROCESSOR, words, **home, PYTHONIOENCODING="ascii", COLUMNS="40")
    assert "tables and figures in my runs" in said
    assert (folder / "my results" / "results.json").is_file()
    assert (folder / "my runs" / "cells.json").is_file()


def rows(folder: Path, seed: str, jobs: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "glbcheck", "check", "--paper", "tiny", "--jobs", jobs, "--json", "-"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=True)
    return [{**row, "seconds": None} for row in json.loads(done.stdout)["claims"]]


def test_claims_have_the_same_rows_under_another_hash_seed_and_with_two_processes(here: Path) -> None:
    assert rows(here, "1", "1") == rows(here, "2", "2")
