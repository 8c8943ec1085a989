"""`pytest proofs_checks` runs claims as tests, alone or under xdist, and is inert elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent

CLAIMS = '''
from fractions import Fraction

from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.registry import claim, definition

FALSE = Statement(("x >= 0",), "exp(x) <= 1 + x + x**2/2")
NOTHING = Evidence(Verdict.UNDECIDED, "toy", "no proof found")
PROOF = Evidence(Verdict.PROVED, "toy", "by hand", certificate={"a": 1})

definition("sec:notation", reason="notation")

@claim("lemma:true", expected="proved", control=("c", lambda: NOTHING), uses=("open_question",))
def holds():
    """A true statement."""
    return PROOF

@claim("lemma:open", expected="undecided", control=("c", lambda: NOTHING))
def open_question():
    """An open question."""
    return NOTHING

@claim("lemma:false", expected="refuted", control=("c", lambda: Evidence(Verdict.UNDECIDED, "balls", "")),
       severity="constant", consequence="none")
def fails():
    """A false statement."""
    return refute(FALSE, {"x": Fraction(1, 2)}, "balls")
'''

REPAIR = '''
from glbcheck.proofs_checks.hcw_glb_omd.first import NOTHING, PROOF, holds
from glbcheck.verify.registry import claim

@claim("lemma:false", expected="proved", reading="repaired", control=("c", lambda: NOTHING), uses=("holds",))
def fails_repaired():
    """The repaired statement."""
    return PROOF
'''

BAD = '''
from glbcheck.proofs_checks.hcw_glb_omd.first import NOTHING, PROOF
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.registry import claim

OK = ("c", lambda: NOTHING)

@claim("l", expected="certified", control=OK)
def too_strong():
    """Stronger than expected."""
    return PROOF

@claim("l", expected="proved", control=("c", lambda: PROOF))
def vacuous():
    """A control that gets through."""
    return PROOF

@claim("l", expected="proved", control=OK)
def with_float():
    """A float in the proof."""
    return Evidence(Verdict.PROVED, "toy", "s", certificate={"x": 0.5})

@claim("l", expected="proved", control=OK, uses=("ghost",))
def dangling():
    """Rests on nothing known."""
    return PROOF

@claim("l", expected="proved", control=OK, uses=("round",))
def merry():
    """Rests on itself."""
    return PROOF

@claim("l", expected="proved", control=OK, uses=("merry",), id="round")
def round_():
    """Rests on itself."""
    return PROOF

@claim("l", expected="undecided", control=OK)
def crashes():
    """Crashes."""
    raise ZeroDivisionError("oops")
'''


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A paper of its own, configured as ours is."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    pytester.makepyprojecttoml(
        '[tool.pytest.ini_options]\naddopts = ["--import-mode=importlib"]\npythonpath = ["."]\n'
        'filterwarnings = ["error"]\n'
    )
    write(pytester, "__init__", "")
    write(pytester, "first", CLAIMS)
    write(pytester, "second", REPAIR)
    return pytester


def write(project: pytest.Pytester, name: str, source: str) -> None:
    folder = project.path / "proofs_checks"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(source)


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    installed = any(point.name == "glbcheck" for point in metadata.entry_points(group="pytest11"))
    plugin = () if installed else ("-p", "glbcheck.verify.pytest_plugin")
    return project.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", *args)


def results(project: pytest.Pytester, path: str = "results/results.json") -> dict[str, dict[str, object]]:
    data = json.loads((project.path / path).read_text())
    return {one["id"]: one for one in data["claims"]}


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
@pytest.mark.parametrize(
    "target", [("proofs_checks",), ("--pyargs", "proofs_checks")], ids=["path", "pyargs"]
)
def test_claims_run_as_tests(project: pytest.Pytester, workers: str, target: tuple[str, ...]) -> None:
    result = run(project, "-v", workers, *target)
    result.assert_outcomes(passed=5)
    for name, word in (("holds", "proved"), ("fails_repaired", "proved"), ("open_question", "undecided")):
        # xdist puts the word before the node id, pytest alone puts it after.
        result.stdout.re_match_lines_random([rf"(.* {word} .*::{name} .*|.*::{name} {word} .*)"])
    result.stdout.fnmatch_lines(
        [
            "*= claims =*",
            "proved * 2",
            "definition * 1",
            "undecided * 1",
            "refuted * 1",
            "refuted (1)",
            "  fails: refuted [[]constant[]] A false statement.",
            "      at *",
            "      repair: proved The repaired statement.",
            "repaired (1)",
            "  fails_repaired: proved The repaired statement.",
            "undecided (1)",
            "  open_question: undecided An open question.",
            "5 of 5 claims as expected, * s",
        ]
    )
    found = results(project)
    assert found["fails_repaired"]["holds_up_to"] == "undecided"
    assert found["fails"]["verdict"] == "refuted"
    assert (project.path / "results" / "counterexamples" / "fails.json").exists()


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_whatever_is_not_as_expected_fails_by_name(project: pytest.Pytester, workers: str) -> None:
    write(project, "third", BAD)
    result = run(project, workers, "proofs_checks")
    result.assert_outcomes(passed=5, failed=7)
    result.stdout.fnmatch_lines_random(
        [
            "claim 'too_strong': expected certified, found proved: by hand",
            "claim 'vacuous': control not rejected: c came out proved",
            "claim 'with_float': a float in a proof: /certificate/x = 0.5",
            "claim 'dangling' uses 'ghost', which is not the id of any claim",
            "claim 'merry' rests on itself: merry -> round -> merry",
            "claim 'round' rests on itself: round -> merry -> round",
            "claim 'crashes': its check raised ZeroDivisionError: oops",
            "(declared at proofs_checks.third:*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert results(project)["vacuous"]["verdict"] == "undecided"


def test_a_claim_without_control_is_a_collection_error_naming_it(project: pytest.Pytester) -> None:
    source = 'from verify.registry import claim\n@claim("l", expected="proved")\ndef naked():\n    """T."""\n'
    write(project, "third", source)
    result = run(project, "proofs_checks")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ClaimError: claim 'naked': has no control*"])


def test_one_claim_can_be_chosen_by_its_node_id(project: pytest.Pytester) -> None:
    run(project, "proofs_checks/first.py::holds").assert_outcomes(passed=1)
    run(project, "proofs_checks/second.py").assert_outcomes(passed=1)
    run(project, "proofs_checks", "-k", "fails").assert_outcomes(passed=2, deselected=3)


def test_the_results_go_where_they_are_told(project: pytest.Pytester) -> None:
    run(project, "proofs_checks", "--glbcheck-results", "here/r.json").assert_outcomes(passed=5)
    assert len(results(project, "here/r.json")) == 5
    assert not (project.path / "results").exists()


def test_the_table_fits_eighty_columns(project: pytest.Pytester) -> None:
    lines = run(project, "proofs_checks").outlines
    start = next(i for i, line in enumerate(lines) if "= claims =" in line)
    assert all(len(line) <= 80 for line in lines[start + 1 :] if not line.startswith(("results:", "=")))


def test_ordinary_suites_notice_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_plain="""
        import sys
        def test_nothing_heavy_was_loaded():
            assert not {"sympy", "flint", "verify.registry", "core"} & set(sys.modules)
        """
    )
    result = run(project, "test_plain.py")
    result.assert_outcomes(passed=1)
    assert "claims" not in result.stdout.str()
    assert not (project.path / "results").exists()


def test_another_core_is_named_plainly(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", "import verify.claim"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "glbcheck needs its own package 'core'" in done.stderr
    assert str(tmp_path / "core") in done.stderr
