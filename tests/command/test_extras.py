"""The base install: what runs without the libraries of any extra, and what is said where one is missing."""

from __future__ import annotations

import ast
import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core import extras, versions
from glbcheck.core.extras import MissingLibrary
from glbcheck.verify.search import solver_process

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("fast", "papers", "report", "simulate", "solvers", "all", "data", "distributed", "oracles")
OPTIONAL = sorted({extras.import_name(name) for extra in EXTRAS for name in extras.libraries(extra)})
HIDE = f"import sys\nsys.modules.update(dict.fromkeys({OPTIONAL}))\n"  # an import of what is None fails


def ran(code: str, folder: Path, *, hidden: bool = True) -> subprocess.CompletedProcess[str]:
    """A process in which every optional library is missing."""
    words = (HIDE if hidden else "") + code
    done = subprocess.run([sys.executable, "-c", words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


# --- the table of libraries ---------------------------------------------------------------------------------------


def test_an_extra_may_be_made_of_others() -> None:
    parts = {name for extra in ("fast", "papers", "report", "simulate", "solvers") for name in extras.libraries(extra)}
    assert set(extras.libraries("all")) == parts
    assert {"numba", "hypothesis", "matplotlib", "z3-solver", "cvc5"} <= parts
    assert set(extras.libraries("report,data")) == {*extras.libraries("report"), *extras.libraries("data")}


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_library_of_an_extra_is_found_under_its_import_name(extra: str) -> None:
    assert extras.libraries(extra)
    assert extras.missing(extra) == []


def test_a_missing_library_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    assert extras.missing("solvers") == ["z3-solver"]
    extras.require("solvers", "this", "cvc5")
    with pytest.raises(MissingLibrary, match=r"^this needs z3-solver: pip install 'glbcheck\[solvers\]'$"):
        extras.require("solvers", "this")


def roots(path: Path) -> Iterator[str]:
    """The first names of all that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def test_everything_imported_is_required_by_the_base_or_an_extra() -> None:
    required = {extras.import_name(one.name) for one in extras.requirements() if one.asked_by not in ("dev", "oracles")}
    allowed = {*sys.stdlib_module_names, *required, "glbcheck", "llvmlite"}  # llvmlite is numba's own
    found = {
        (str(path.relative_to(ROOT)), root)
        for room in ("core", "verify", "proofs_checks", "glbcheck")
        for path in (ROOT / room).rglob("*.py")
        for root in roots(path)
    }
    assert {(path, root) for path, root in found if root not in allowed} == set()
    assert {"numba", "flint", "hypothesis", "z3"} <= {root for _, root in found}


def test_versions_name_the_installed_extras_and_no_tool_of_developers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = versions.versions()
    assert {"python", "glbcheck", "sympy", "numba", "z3-solver", "cvc5", "hypothesis", "pyarrow"} <= set(found)
    assert not {"ruff", "sphinx", "statsmodels"} & set(found)
    assert "not installed" not in found.values()
    monkeypatch.setitem(sys.modules, "z3", None)
    assert set(found) - set(versions.versions()) == {"z3-solver"}


# --- what runs on the base ----------------------------------------------------------------------------------------

TEX = (
    r"\documentclass{article}\begin{document}\section{One}\begin{lemma}\label{lem:a}$x\ge 0$.\end{lemma}\end{document}"
)
UNSETTLED = "x >= 0, y >= 0 => x*y <= x**2 + 1/4*y**2 + x*y*(x-y)**2"
HARMONIC = "n: integer, n >= 1 => sum(1/k, k, 1, n) <= 0.99 + log(n)"
REPRODUCE = (
    "hypothesis, numba, pytest, pytest-xdist, latex2mathml, matplotlib: pip install 'glbcheck[papers,report,simulate]'"
)
# Arguments, exit code, and words of what is printed.
COMMANDS: tuple[tuple[list[str], int, str], ...] = (
    (["decide", HARMONIC, "--certificate", "c.json"], 1, "refuted: "),
    (["replay", "c.json"], 0, "c.json: stands: refuted"),
    (["decide", UNSETTLED], 0, "not asked: cvc5, z3-solver, which pip install 'glbcheck[solvers]' installs"),
    (["families", "--no-cache"], 0, "von_mises"),
    (["audit", "bernoulli", "--S", "1", "--quick", "--no-cache"], 0, "theorem:confidence-sequence (repaired): applies"),
    (["fit", "data.csv", "--reward", "r", "--families", "bernoulli,poisson"], 0, "bernoulli"),
    (["new", "p.tex", "mine"], 0, "1 anchors in 1 modules"),
    (["index", "p.tex", "--paper", "mine"], 0, "unclaimed (0)"),
    (["check", "mine"], 0, "1 of 1 claims as expected"),
    (["check", "lemma:epl"], 2, "paper = 'hcw_glb_omd' needs hypothesis, numba, pytest, pytest-xdist: pip install "),
    (["simulate", "regret"], 2, "glbcheck simulate needs matplotlib, numba: pip install 'glbcheck[simulate]'\n"),
    (["report"], 2, "glbcheck report needs latex2mathml, matplotlib: pip install 'glbcheck[report]'\n"),
    (["reproduce"], 2, f"glbcheck reproduce needs {REPRODUCE}\n"),
    (["audit", "bernoulli", "--S", "1", "--html", "a.html"], 2, "glbcheck audit --html needs latex2mathml, matplotlib"),
    (["fit", "data.csv", "--reward", "r", "--figure", "f.svg"], 2, "glbcheck fit --figure needs latex2mathml, "),
    (["fit", "d.parquet", "--reward", "r"], 2, "a Parquet file needs pyarrow: pip install 'glbcheck[data]'\n"),
)
RUN = """
import contextlib, io, json
from glbcheck.cli import main

def told(arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()

if __name__ == "__main__":
    print(json.dumps([told(arguments) for arguments in {commands}]))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """Exit code and words of every command, from one process without the libraries of any extra."""
    folder = tmp_path_factory.mktemp("base")
    (folder / "p.tex").write_text(TEX)
    (folder / "d.parquet").write_bytes(b"PAR1 and more")
    (folder / "data.csv").write_text("x,r\n" + "\n".join(f"{k % 3},{k % 2}" for k in range(12)))
    code = RUN.replace("{commands}", repr([arguments for arguments, _, _ in COMMANDS]))
    found = json.loads(ran(code, folder).stdout)
    return {" ".join(arguments): tuple(one) for (arguments, _, _), one in zip(COMMANDS, found, strict=True)}


@pytest.mark.parametrize(("arguments", "code", "words"), COMMANDS, ids=[" ".join(one[0])[:40] for one in COMMANDS])
def test_a_command_runs_on_the_base_or_names_what_it_needs(
    arguments: list[str], code: int, words: str, answers: dict[str, tuple[int, str, str]]
) -> None:
    exit_code, out, err = answers[" ".join(arguments)]
    assert exit_code == code, out + err
    assert words in out + err
    assert "Traceback" not in out + err
    if code == 2:
        assert out == ""
        assert err.count("\n") == 1


def test_compiled_code_and_the_check_that_plays_a_run_name_numba(tmp_path: Path) -> None:
    code = """
import glbcheck
for name in ("engine.learner", "engine.run", "rivals", "simulation.cells"):
    try:
        __import__(f"glbcheck.core.{name}")
        print("imported", name)
    except glbcheck.core.extras.MissingLibrary as missing:
        print(missing)
audit = glbcheck.audit_family(glbcheck.catalog.get("bernoulli"), 1, only=("run",))
(check,) = [one for one in audit["checks"] if one["name"] == "run"]
print(check["verdict"], check["evidence"])
"""
    *imports, run = ran("import glbcheck.core.extras\n" + code, tmp_path).stdout.splitlines()
    assert imports == ["compiled code needs numba: pip install 'glbcheck[fast]'"] * 4
    assert run == "undecided a run with an adversary needs numba: pip install 'glbcheck[fast]'"


# --- the same learner without numba -------------------------------------------------------------------------------

PLAY = """
import numpy as np
from glbcheck import HCWGLBOMD, Learner, Scouted, catalog

coin = catalog.get("bernoulli")
given = dict(d=3, S=1.0, C=2.0, horizon=2000)
for algorithm in (
    HCWGLBOMD(coin, constants="sharpest", **given),
    HCWGLBOMD(coin, constants="sharpest", index="closed-form", **given),
    Scouted(coin, **given),
):
    learner, rng, chosen = Learner(algorithm), np.random.default_rng(5), []
    for _ in range(60):
        arms = rng.uniform(-0.5, 0.5, (6, 3))
        ticket = learner.choose(arms)
        chosen.append(ticket.x)
        learner.reward(ticket, float(rng.random() < coin.mu(np.dot(ticket.x, [0.5, -0.3, 0.6]))))
    print([chosen, algorithm.theta.tolist(), algorithm.H.ravel().tolist()])
"""


def test_learners_choose_the_same_arms_without_numba_and_one_line_says_so(tmp_path: Path) -> None:
    without, with_numba = ran(PLAY, tmp_path), ran(PLAY, tmp_path, hidden=False)
    assert len(with_numba.stdout.splitlines()) == 3
    for line, compiled in zip(without.stdout.splitlines(), with_numba.stdout.splitlines(), strict=True):
        (arms, theta, H), (same_arms, same_theta, same_H) = ast.literal_eval(line), ast.literal_eval(compiled)
        assert arms == same_arms
        assert theta == pytest.approx(same_theta, rel=0, abs=1e-12)
        assert pytest.approx(same_H, rel=1e-12) == H
    assert without.stderr.count("\n") == 1
    assert without.stderr.startswith("numba is not installed: NumPy runs the learner. pip install 'glbcheck[fast]'")
    assert "numba is not installed" not in with_numba.stderr


def test_the_line_is_not_logged_where_numba_is_installed(caplog: pytest.LogCaptureFixture) -> None:
    extras.note_reference.cache_clear()
    with caplog.at_level(logging.DEBUG, "glbcheck"):
        extras.note_reference()
    assert caplog.records == []


# --- solvers ------------------------------------------------------------------------------------------------------


@cache
def question() -> str:
    return json.dumps({"ticket": "1", "text": "(set-logic QF_NRA)\n(check-sat)\n"}) + "\n"


def test_a_solver_that_is_not_there_is_an_error_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No package metadata was found for {name}")

    monkeypatch.setattr(solver_process, "solver_version", absent)
    monkeypatch.setattr(sys, "stdin", io.StringIO(question()))
    solver_process.serve("z3")
    reply = json.loads(capsys.readouterr().out)
    assert reply["status"].startswith("error: ")
    assert (reply["ticket"], reply["model"], reply["version"]) == ("1", {}, "")


def test_the_tests_against_other_packages_have_them() -> None:
    assert all(find_spec(name) for name in ("statsmodels", "pandas", "polars"))
