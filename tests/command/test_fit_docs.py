"""docs/fit.md is run as it stands: its Python, and its command with the lines that it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from glbcheck.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fit.md"


def test_the_tutorial_runs_and_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    first, second = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    command, shown = re.findall(r"^    \$ (glbcheck .*)\n((?:    .*\n|\n)+?)(?=^\S)", text, re.MULTILINE)[0]
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(first, names)
    assert main(shlex.split(command)[1:]) == 0
    printed = iter(capsys.readouterr().out.splitlines())
    for line in (raw.removeprefix("    ").rstrip() for raw in shown.splitlines()):
        if line and line != "...":
            assert any(line == other for other in printed), line
    exec(second, names)
    assert capsys.readouterr().out.startswith("poisson plausible")
