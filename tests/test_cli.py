"""The command line: exit codes, JSON on demand, errors that name what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify.claim import Statement
from glbcheck.verify.counterexample import refute, save
from glbcheck.verify.plain_json import dumps
from hypothesis import given
from hypothesis import strategies as st

from tests.test_plugin import BAD, CLAIMS, REPAIR, ROOT


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a small paper's claims."""
    folder = tmp_path / "proofs_checks"
    folder.mkdir()
    for name, source in (("__init__", ""), ("first", CLAIMS), ("second", REPAIR)):
        (folder / f"{name}.py").write_text(source)
    return tmp_path


def glbcheck(here: Path, *args: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "glbcheck.verify.cli", *args]
    done = subprocess.run(command, env=environment, cwd=here, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if "--json" not in args)
    return done


def ids(done: subprocess.CompletedProcess[str]) -> set[str]:
    return {one["id"] for one in json.loads(done.stdout)["claims"]}


def test_version_and_help_load_nothing_heavy(here: Path) -> None:
    for flag in ("--version", "--help"):
        assert "glbcheck" in glbcheck(here, flag).stdout
    probe = (
        "import sys, verify.cli; verify.cli.main(['--help']); "
        "assert not {'sympy', 'flint', 'mpmath', 'numpy', 'pytest'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", probe], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_decides_every_claim(here: Path, jobs: str) -> None:
    done = glbcheck(here, "check", "--jobs", jobs)
    assert "5 of 5 claims as expected" in done.stdout
    assert done.stderr == ""


def test_check_takes_anchors_and_ids_and_what_they_rest_on(here: Path) -> None:
    assert ids(glbcheck(here, "check", "lemma:open", "--json", "-")) == {"open_question"}
    assert ids(glbcheck(here, "check", "fails_repaired", "--json", "-")) == {
        "fails_repaired",
        "holds",
        "open_question",
    }


def test_strict_makes_undecided_exit_3(here: Path) -> None:
    glbcheck(here, "check", "--strict", code=3)
    glbcheck(here, "check", "lemma:false", "--strict", code=3)
    glbcheck(here, "show", "fails", "--strict", code=0)


def test_what_is_not_as_expected_exits_1(here: Path) -> None:
    source = BAD.replace('uses=("ghost",)', "uses=()").replace('uses=("merry",)', "uses=()")
    (here / "proofs_checks" / "third.py").write_text(source)
    done = glbcheck(here, "check", code=1)
    assert "not as expected (4)" in done.stdout
    glbcheck(here, "check", "holds", code=0)


def test_a_broken_graph_is_bad_input(here: Path) -> None:
    (here / "proofs_checks" / "third.py").write_text(BAD)
    assert "claim 'dangling' uses 'ghost'" in glbcheck(here, "check", code=2).stderr


def test_json_goes_to_a_file_beside_the_text(here: Path) -> None:
    done = glbcheck(here, "check", "--json", "out/r.json")
    assert "claims as expected" in done.stdout
    assert len(json.loads((here / "out" / "r.json").read_text())["claims"]) == 5


def test_show_tells_all_about_one_anchor_in_both_readings(here: Path) -> None:
    text = glbcheck(here, "show", "lemma:false").stdout
    for piece in (
        "fails\n",
        "fails_repaired\n",
        "x = 1/2",
        "exp(x) <= 1 + x + x**2/2",
        "by at least",
        "holds up to",
    ):
        assert piece in text


def test_show_reads_a_results_file_without_deciding_again(here: Path) -> None:
    glbcheck(here, "check", "--json", "r.json")
    data = json.loads((here / "r.json").read_text())
    data["claims"][0]["title"] = "an edited title"
    (here / "r.json").write_text(json.dumps(data))
    shown = glbcheck(here, "show", data["claims"][0]["id"], "--results", "r.json").stdout
    assert "an edited title" in shown


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "VERB is missing"),
        (("frobnicate",), "invalid choice: 'frobnicate'"),
        (("check", "lemma:fals"), "ANCHOR = 'lemma:fals'"),
        (("show",), "required: anchor"),
        (("show", "nothing"), "ANCHOR = 'nothing'"),
        (("show", "holds", "--results", "missing.json"), "missing.json"),
        (("check", "--jobs", "0"), "'0' is not a positive whole number"),
        (("check", "--claims", "no_such_package"), "--claims = 'no_such_package'"),
        (("check", "--claims", "no_such.package"), "--claims = 'no_such.package'"),
        (("replay", "missing.json"), "missing.json"),
        (("index", "missing.tex"), "missing.tex"),
        (("check", "--json", "/proc/none/r.json"), "--json = '/proc/none/r.json'"),
    ],
)
def test_bad_input_exits_2_and_says_what_is_wrong(here: Path, args: tuple[str, ...], message: str) -> None:
    done = glbcheck(here, *args, code=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_replay_confirms_a_true_counterexample_and_exposes_a_tampered_one(here: Path) -> None:
    found = refute(Statement(("x >= 0",), "exp(x) <= 2"), {"x": 1}, "test").counterexample
    assert found is not None
    save(found, here / "c.json")
    assert glbcheck(here, "replay", "c.json").stdout.startswith("stands: ")
    data: dict[str, Any] = json.loads((here / "c.json").read_text())
    data["point"]["x"] = "1/2"
    (here / "c.json").write_text(json.dumps(data))
    done = glbcheck(here, "replay", "c.json", "--json", "-", code=1)
    assert json.loads(done.stdout)["stands"] is False


def test_index_reports_and_writes(here: Path) -> None:
    tex = here / "paper.tex"
    tex.write_text(
        "\\newtheorem{lemma}{Lemma}\\begin{document}\\section{N}\\label{sec:notation}"
        "\\begin{lemma}\\label{lemma:true} a $$b$$ \\end{lemma}\\end{document}"
    )
    before = json.loads(glbcheck(here, "index", "paper.tex", "--json", "-", code=1).stdout)
    assert before["new"] == ["sec:notation", "lemma:true", "lemma:true/eq1"]
    assert before["unclaimed"] == ["lemma:true/eq1"]
    assert before["unknown"] == ["lemma:false", "lemma:open"]
    glbcheck(here, "index", "paper.tex", "--write")
    tex.write_text(tex.read_text().replace("$$b$$", "$$c$$"))
    after = json.loads(glbcheck(here, "index", "paper.tex", "--json", "-", code=1).stdout)
    assert (after["new"], after["changed"]) == ([], ["lemma:true", "lemma:true/eq1"])
    paper = json.loads(glbcheck(here, "check", "--json", "-").stdout)["paper"]
    assert len(paper["sha256"]) == 64


def test_a_reader_that_leaves_early_is_no_error(here: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{ROOT}"}
    script = f'"{sys.executable}" -m verify.cli check --json - | head -c 10; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], env=environment, cwd=here, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr
    assert len(done.stdout) == 10


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_json_keeps_every_value_infinities_included(data: Any) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    assert json.loads(dumps(data), parse_constant=refuse) == data


def test_what_is_not_a_number_becomes_null() -> None:
    assert json.loads(dumps({"a": [float("nan"), 1.5]})) == {"a": [None, 1.5]}
