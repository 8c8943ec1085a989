"""`pytest FOLDER` runs the claims of a paper as tests, alone or under xdist, and is inert elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers import small_paper

pytest_plugins = ["pytester"]


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project that keeps a paper and warns of everything."""
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n')
    small_paper.make(pytester.path / "papers" / "tiny")
    return pytester


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    unneeded = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")  # the latter is a third of a short run
    return project.runpytest_subprocess("-p", "glbcheck.verify.pytest_plugin", *unneeded, *args)


def ids(path: Path) -> set[str]:
    return {one["id"] for one in json.loads(path.read_text())["claims"]}


@pytest.mark.parametrize(("target", "workers"), [(".", "-n0"), ("papers/tiny", "-n0"), ("papers", "-n2")])
def test_claims_run_as_tests(project: pytest.Pytester, target: str, workers: str) -> None:
    result = run(project, "-v", workers, target)
    result.assert_outcomes(passed=5)
    for name, word in (("holds", "argued"), ("fails_repaired", "argued"), ("open_question", "undecided")):
        # xdist puts the word before the node id, pytest alone puts it after.
        result.stdout.re_match_lines_random([rf"(.* {word} .*::{name} .*|.*::{name} {word} .*)"])
    table = [
        "*= claims =*", "argued * 2", "definition * 1", "undecided * 1", "refuted * 1", "refuted (1)",
        "  fails: refuted [[]constant[]] A false statement.", "      at *",
        "      repair: argued The repaired statement.", "repaired (1)",
        "  fails_repaired: argued The repaired statement.", "undecided (1)",
        "  open_question: undecided An open question.", "5 of 5 claims as expected, * s",
        "results: *results/tiny/results.json",
    ]  # fmt: skip
    result.stdout.fnmatch_lines(table)
    start = next(i for i, line in enumerate(result.outlines) if "= claims =" in line)
    wide = [line for line in result.outlines[start + 1 :] if len(line) > 80]
    assert all(line.startswith(("results:", "=")) for line in wide)
    folder = project.path / "results" / "tiny"
    results = json.loads((folder / "results.json").read_text())
    assert results["paper"] == {"name": "tiny", "title": "A small paper", "authors": [], "sha256": "", "claims": 5}
    assert {c["id"]: c["holds_up_to"] for c in results["claims"]}["fails_repaired"] == "undecided"
    assert (folder / "certificates" / "fails.json").exists()


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_whatever_is_not_as_expected_fails_by_name(project: pytest.Pytester, workers: str) -> None:
    folder = small_paper.listed(project.path / "papers" / "tiny")
    (folder / "third.py").write_text(small_paper.BAD)
    result = run(project, workers, "papers")
    result.assert_outcomes(passed=5, failed=7)
    result.stdout.fnmatch_lines_random(
        [
            "claim 'too_strong': its machine-checked part is proved, not certified",
            "claim 'vacuous': control not rejected: c came out proved",
            "claim 'with_float': the kernel does not accept its certificate: *",
            "claim 'dangling' uses 'ghost', which is not the id of any claim",
            "claim 'merry' rests on itself: merry -> round -> merry",
            "claim 'round' rests on itself: round -> merry -> round",
            "claim 'crashes': its check raised ZeroDivisionError: oops",
            "claim 'crashes' is about 'l', which is not in anchors.json",
            "(declared at glbcheck_papers.tiny.third:*",
            "5 of 12 claims as expected, * s",
        ]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(("workers", "source", "complaint"), [
    ("-n1", "import no_such", "*third.py:1: ModuleNotFoundError: No module named 'no_such'"),
    ("-n0", "x = 1\nx = (\n", "*third.py:2: SyntaxError: *"),
    ("-n0", "from glbcheck.verify.registry import cited\ncited('l', reason='')\n",
     "*third.py:2: ClaimError: claim 'cited:l': what is not decided needs a reason"),
])  # fmt: skip
def test_a_module_that_cannot_be_imported_is_one_line_and_never_a_whole_run(
    project: pytest.Pytester, workers: str, source: str, complaint: str
) -> None:
    (project.path / "papers" / "tiny" / "third.py").write_text(source)
    result = run(project, workers, "papers", "--continue-on-collection-errors")
    result.assert_outcomes(passed=5, errors=1)
    result.stdout.fnmatch_lines([complaint, "partial: 5 of ? claims of tiny ran"])
    assert "Traceback" not in result.stdout.str()
    assert not (project.path / "results" / "tiny" / "results.json").exists()


def test_an_id_may_be_used_once_in_a_paper(project: pytest.Pytester) -> None:
    folder = project.path / "papers" / "tiny"
    (folder / "third.py").write_text(small_paper.FIRST)
    run(project, "papers", "-n0").stdout.fnmatch_lines(["claim '*': declared twice: at *first:* and at *third:*"])


def test_a_partial_run_says_so_and_leaves_the_results_of_a_whole_one(project: pytest.Pytester) -> None:
    folder = project.path / "results" / "tiny"
    run(project, "papers", "-n0").assert_outcomes(passed=5)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.json")}
    for ran, choice in (
        ({"holds"}, ["-n0", "papers/tiny/first.py::holds"]),
        ({"fails_repaired"}, ["-n0", "papers/tiny/repairs/second.py"]),
        ({"fails", "fails_repaired"}, ["-n1", "papers", "-k", "fails"]),
        (small_paper.CLAIMS - {"holds"}, ["-n0", "papers", "--deselect", "papers/tiny/first.py::holds"]),
    ):
        result = run(project, *choice)
        said = [f"partial: {len(ran)} of 5 claims of tiny ran", "results: *partial/results.json"]
        result.stdout.fnmatch_lines(said)
        assert ids(folder / "partial" / "results.json") == ran
        assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_results_go_where_they_are_told(project: pytest.Pytester) -> None:
    told = project.path / "here" / "r.json"
    run(project, "papers", "-n0", "-k", "fails", "--glbcheck-results", "here/r.json")
    assert ids(told) == {"fails", "fails_repaired"}
    run(project, "papers", "-n0", "--glbcheck-results", "here/r.json")
    assert ids(told) == small_paper.CLAIMS
    run(project, "papers", "-n0", "-k", "fails", "--glbcheck-results", "here/r.json")
    assert ids(told) == small_paper.CLAIMS
    assert ids(project.path / "here" / "partial" / "r.json") == {"fails", "fails_repaired"}
    assert not (project.path / "results").exists()


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_papers_of_one_run_stay_apart_even_when_ids_and_folder_names_agree(
    project: pytest.Pytester, workers: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = small_paper.make(tmp_path_factory.mktemp("elsewhere") / "tiny", __init__="")
    small_paper.make(project.path / "papers" / "other")
    result = run(project, workers, "papers", str(elsewhere))
    result.assert_outcomes(passed=15)
    result.stdout.fnmatch_lines(["*= claims of other =*", "*= claims of tiny =*"])
    found = sorted((project.path / "results").glob("*/results.json"))
    assert [path.parent.name.partition("_")[0] for path in found] == ["other", "tiny", "tiny"]
    assert all(ids(path) == small_paper.CLAIMS for path in found)


def test_results_are_never_left_inside_a_paper(pytester: pytest.Pytester, tmp_path: Path) -> None:
    folder = small_paper.make(tmp_path / "elsewhere" / "tiny")
    run(pytester, "-n0", str(folder)).assert_outcomes(passed=5)
    assert ids(pytester.path / "results" / "tiny" / "results.json") == small_paper.CLAIMS
    assert not (folder / "results").exists()


def test_ordinary_suites_notice_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_plain="""
        import sys
        def test_nothing_heavy_was_loaded():
            assert not {"sympy", "flint", "numpy"} & set(sys.modules)
            loaded = {name for name in sys.modules if name.startswith("glbcheck.core.")}
            assert loaded <= {"glbcheck.core.errors", "glbcheck.core.extras", "glbcheck.core.files"}
        """
    )
    result = run(project, "test_plain.py")
    result.assert_outcomes(passed=1)
    assert "claims" not in result.stdout.str()
    assert not (project.path / "results").exists()
