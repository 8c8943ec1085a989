"""Documentation that is executed: files are written, commands run, and what a page shows must be printed.

A fenced block whose first line is a comment with a file name is that file.  An indented block of `$ glbcheck ...` lines
is run; below each command stands its output, in order, where `...` stands for anything, also at the end of a line.
A page of Python (`run_python`) is its fenced blocks in one namespace; a block of text after one is what it prints.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^```\w+\n[#%] (?P<file>\S+)\n(?P<text>.*?)^```$"
    r"|^    \$ (?P<command>[^\n]+)\n(?P<shown>(?:    (?!\$ )[^\n]*\n|\n(?=    (?!\$ )))*)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Step:
    """A file to write, or a command with what it shows."""

    name: str
    text: str
    is_file: bool


def steps(page: Path) -> Iterator[Step]:
    for match in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match["file"]:
            yield Step(match["file"], match["text"], True)
        else:
            yield Step(match["command"], match["shown"], False)


def run(page: Path, folder: Path, command: Callable[[list[str]], str]) -> int:
    """Run a page in this folder, where `command` gives what a command prints; how many there were."""
    count = 0
    for step in steps(page):
        if step.is_file:
            (folder / step.name).write_text(step.text, encoding="utf-8")
        else:
            count += 1
            shows(step, command(shlex.split(step.name)))
    return count


_PYTHON = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```$)?", re.MULTILINE | re.DOTALL)


def run_python(page: Path) -> int:
    """Run the Python of a page in the current folder; how many blocks there were."""
    names: dict[str, object] = {"__name__": "page"}
    blocks = list(_PYTHON.finditer(page.read_text(encoding="utf-8")))
    for number, block in enumerate(blocks, start=1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], f"{page.name}, block {number}", "exec"), names)
        shows(Step(f"block {number}", block["shown"] or "", False), printed.getvalue())
    return len(blocks)


def shows(step: Step, printed: str) -> None:
    """Every line that the page shows is printed, in that order; between `...` nothing else is."""
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    position, loose = 0, False
    for line in (raw.removeprefix("    ").rstrip() for raw in step.text.strip("\n").splitlines()):
        if line == "...":
            loose = True
            continue
        found = next((i for i in range(position, len(lines)) if _same(line, lines[i])), None)
        assert found is not None, f"$ {step.name}\nshows {line!r}, which is not printed there:\n{printed}"
        assert loose or found == position, f"$ {step.name}\nprints {lines[position]!r} before {line!r}"
        position, loose = found + 1, False
    assert loose or position == len(lines), f"$ {step.name}\nprints more: {lines[position:]}"


def _same(shown: str, printed: str) -> bool:
    return printed.startswith(shown[:-3]) if shown.endswith("...") else shown == printed
