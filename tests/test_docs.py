"""The documentation says what is: examples are run, the reference is that of the sources, the site builds."""

from __future__ import annotations

import doctest
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from glbcheck.cli import main
from tests import pages, small_paper

DOCS = small_paper.ROOT / "docs"
PROVERS = sorted((DOCS / "provers").glob("*.md"))


@pytest.mark.parametrize("page", PROVERS, ids=lambda page: page.stem)
def test_the_examples_of_a_prover_come_out_as_its_page_says(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.failed == 0
    assert found.attempted > 3 or page.stem in ("index", "coq")


def test_a_reviewer_sees_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def command(words: list[str]) -> str:
        main(words[1:])
        return capsys.readouterr().out

    assert pages.run(DOCS / "reviewer.md", tmp_path, command) == 7


def test_the_audits_of_the_tutorial_come_out_as_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(small_paper.ROOT)

    def command(words: list[str]) -> str:
        main(words[1:])
        return capsys.readouterr().out

    assert pages.run(DOCS / "audit.md", small_paper.ROOT, command) == 6


def test_the_reference_is_that_of_the_sources() -> None:
    fresh = runpy.run_path(str(DOCS / "reference.py"))["written"]()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")}
    stale = sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))
    assert not stale, "run: python docs/reference.py"


def test_the_site_builds_without_a_warning_and_has_every_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-d", str(tmp_path / "trees"), str(DOCS)]
    built = subprocess.run([*command, str(tmp_path / "site")], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    written = {path.relative_to(tmp_path / "site").with_suffix("") for path in (tmp_path / "site").rglob("*.html")}
    assert {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")} <= written


def test_the_readme_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its one command that takes minutes is checked against the claims in `test_completeness`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(DOCS)
    ran = []
    for step in pages.steps(small_paper.ROOT / "README.md"):
        program, *words = shlex.split(step.name)
        if program == "glbcheck":
            main(words)
            pages.shows(step, capsys.readouterr().out)
            ran.append(words[0])
    assert ran == ["decide", "decide", "show", "audit"]
    found = doctest.testfile(
        str(small_paper.ROOT / "README.md"), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert found.failed == 0 < found.attempted
    assert len((small_paper.ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
