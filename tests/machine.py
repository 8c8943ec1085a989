"""What this machine has: `@pytest.mark.needs("coq")` skips a test where Coq is missing, and the run ends by saying so.

GLBCHECK_REQUIRE=coq,browser refuses a run where one of them is missing.  GLBCHECK_COQ=off and GLBCHECK_BROWSER=off
hide an installed one.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify.coq import driver

ROOT = Path(__file__).resolve().parent.parent
PAPER_SOURCE = ROOT.parent / "shared" / "paper.tex"
REQUIRE = "GLBCHECK_REQUIRE"  # names of what must be here, separated by commas
HIDE_BROWSER = "GLBCHECK_BROWSER"  # `off` hides an installed browser
NOT_CHECKED = "GLBCHECK_NOT_CHECKED"  # the file that takes the last line, for `make test` to print
BROWSER_PACKAGES = ("chromium", "chromium-driver", "fonts-liberation")  # without recommended packages it has no fonts
_MISSING = "glbcheck_missing"
SETUP, ORACLES = "make setup", ".venv/bin/python -m pip install -e '.[oracles]'"


@dataclass(frozen=True)
class Tool:
    """Something that a machine may lack: its name for readers, the test for it, and what adds it."""

    title: str
    is_here: Callable[[], bool]
    remedy: str
    packages: tuple[str, ...] = ()  # of Debian


def chromium() -> str | None:
    """The browser, or None where it is missing or hidden by GLBCHECK_BROWSER=off."""
    wanted = os.environ.get(HIDE_BROWSER, "")
    if wanted not in ("", "on", "off"):
        raise pytest.UsageError(f"{HIDE_BROWSER} = {wanted!r}: expected off (the browser is hidden), on or nothing")
    names = () if wanted == "off" else ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def chromedriver() -> str | None:
    """The program that controls the browser."""
    return shutil.which("chromedriver")


def _has_avx512() -> bool:
    processor = Path("/proc/cpuinfo")
    return processor.exists() and "avx512f" in processor.read_text(encoding="utf-8")


def _library(name: str) -> Tool:
    return Tool(name, lambda: find_spec(name) is not None, ORACLES)


TOOLS = {
    "coq": Tool("Coq", lambda: driver.ready() and shutil.which("coqchk") is not None, SETUP, driver.PACKAGES),
    "browser": Tool(
        "browser",
        lambda: bool(chromium() and chromedriver()),
        SETUP,
        ("chromium", "chromium-driver", "fonts-liberation"),
    ),
    **{name: _library(name) for name in ("statsmodels", "pandas", "polars")},
    "paper": Tool("source of the paper", PAPER_SOURCE.exists, "paper.tex in a folder `shared` beside the checkout"),
    "proc": Tool("/proc", Path("/proc/self/stat").exists, "Linux"),
    "avx512": Tool("AVX-512", _has_avx512, "another processor"),
}


@cache
def has(name: str) -> bool:
    """Whether this machine has it."""
    return TOOLS[name].is_here()


def require(names: str) -> None:
    """Refuse a list of names, separated by commas, of which one is unknown or missing on this machine."""
    for name in filter(None, map(str.strip, names.split(","))):
        if name not in TOOLS:
            raise pytest.UsageError(f"{REQUIRE} = {names!r}: {name!r} is unknown; expected some of {', '.join(TOOLS)}")
        if not has(name):
            tool = TOOLS[name]
            raise pytest.UsageError(f"{REQUIRE} = {names!r}: {tool.title} is missing. To add it: {tool.remedy}")


def not_checked(reports: Iterable[Any]) -> str:
    """The line that says what the reports of a run skipped for want of a tool; empty if they skipped nothing."""
    skipped, recorded = Counter[str](), 0
    for report in reports:
        properties = dict(getattr(report, "user_properties", ()))
        if getattr(report, "skipped", False) and _MISSING in properties:
            skipped[properties[_MISSING]] += 1
        if getattr(report, "when", "") == "call" and (coq := properties.get("glbcheck_row", {}).get("coq")):
            recorded += coq["asked"] == "recorded"
    parts = []
    for name, tool in TOOLS.items():
        what = [_counted(skipped[name], "test")] if skipped[name] else []
        what += [f"{_counted(recorded, 'theorem')} by the recorded check alone"] if name == "coq" and recorded else []
        parts += [f"{', '.join([tool.title, *what])} (to add it: {tool.remedy})"] if what else []
    return f"not checked on this machine: {'; '.join(parts)}" if parts else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


# --- hooks of pytest, for conftest.py ----------------------------------------------------------------------------


def pytest_configure() -> None:
    require(os.environ.get(REQUIRE, ""))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for name in (name for mark in item.iter_markers("needs") for name in mark.args):
        if not has(name):
            item.user_properties.append((_MISSING, name))
            pytest.skip(f"{TOOLS[name].title} is missing. To add it: {TOOLS[name].remedy}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    line = not_checked(report for reports in terminalreporter.stats.values() for report in reports)
    if path := os.environ.get(NOT_CHECKED):
        Path(path).write_text(f"{line}\n" if line else "", encoding="utf-8")
    elif line:
        terminalreporter.write_line(line)
