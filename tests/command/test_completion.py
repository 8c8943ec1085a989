"""The shell is offered what the command line takes, and a slip of the hand gets a suggestion."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from glbcheck.verify.report.table import clip, wrap

from glbcheck.cli import VERBS, main
from glbcheck.completion import SCRIPTS


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["completion", *words]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("glbcheck ", [*VERBS, "--help", "--version"]),
        ("glbcheck che", ["check"]),
        ("glbcheck check --j", ["--jobs", "--json"]),
        ("glbcheck check --paper u", ["ucb1"]),
        ("glbcheck show --paper ucb1 thm:r", ["thm:regret", "thm:regret/eq1"]),
        ("glbcheck simulate regret --families gaussian,poi", ["gaussian,poisson"]),
        ("glbcheck simulate c", ["coverage"]),
        ("glbcheck audit poi", ["poisson"]),
        ("glbcheck nonsense --", []),
    ],
)
def test_the_shell_is_offered(capsys: pytest.CaptureFixture[str], line: str, offered: list[str]) -> None:
    assert set(offered) <= set(found := said(capsys, "words", line))
    assert all(word.startswith(line.rpartition(" ")[2]) for word in found)
    assert bool(offered) == bool(found)


def test_bash_completes_behind_a_colon(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    fake = tmp_path / "glbcheck"
    fake.write_text("#!/bin/sh\necho lemma:epl\necho lemma:eluder\n")
    fake.chmod(0o755)
    script = "\n".join(said(capsys, "bash"))
    ask = 'COMP_LINE="glbcheck show lemma:e" COMP_POINT=21; _glbcheck; echo "${COMPREPLY[@]}"'
    found = subprocess.run(
        ["bash", "-c", f"PATH={tmp_path}:$PATH\n{script}\n{ask}"], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["epl", "eluder"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_written_for_their_shell(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    script = "\n".join(said(capsys, shell))
    assert "glbcheck completion words" in script
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (["chek"], "did you mean check?"),
        (["check", "--jbos", "2"], "did you mean --jobs?"),
        (["simulate", "regret", "--families", "possion"], "did you mean poisson?"),
        (["simulate", "regret", "--algorithms", "cw-oflu"], "did you mean cw-oful?"),
        (["simulate", "regret", "--arms", "shpere:8"], "did you mean sphere?"),
        (["audit", "possion", "--S", "1"], "did you mean poisson?"),
        (["check", "--paper", "ofull"], "did you mean oful?"),
    ],
)
def test_a_slip_of_the_hand_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str], words: list[str], suggestion: str
) -> None:
    assert main(words) == 2
    assert suggestion in capsys.readouterr().err


@pytest.mark.parametrize(("columns", "longest"), [(20, 40), (70, 70), (110, 110), (500, 120)])
def test_text_takes_the_width_there_is(monkeypatch: pytest.MonkeyPatch, columns: int, longest: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert longest - 4 < max(map(len, wrap("  title  ", "word " * 99))) <= longest
    assert len(clip("x" * 999)) == longest
