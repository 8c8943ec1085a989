"""The documentation says what is: examples are run, the site builds with its reference."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import glbcheck
from glbcheck.cli import main
from tests.helpers import pages, small_paper

DOCS = small_paper.ROOT / "docs"
PROVERS = sorted((DOCS / "provers").glob("*.md"))
README = small_paper.ROOT / "README.md"
PAGES = [*sorted(DOCS.glob("*.md")), *PROVERS, README, small_paper.ROOT / "CONTRIBUTING.md"]
ROOMS = ("core", "verify", "proofs_checks", "glbcheck", "tests", "docs", "benchmarks")
# Files of a user, and the cache.
WRITTEN_BY_COMMANDS = {"results.json", "report.html", "out/report.html", "paper.tex", "glbcheck/coq"}


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


def test_the_site_builds_without_a_warning_and_has_every_page_and_every_public_name(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-d", str(tmp_path / "trees"), str(DOCS)]
    built = subprocess.run([*command, str(tmp_path / "site")], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    written = {path.relative_to(tmp_path / "site").with_suffix("") for path in (tmp_path / "site").rglob("*.html")}
    assert {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")} <= written
    reference = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md"))
    assert set(glbcheck.__all__) <= set(re.findall(r"^##+ `(?:[\w.]+\.)?(\w+)`$", reference, re.MULTILINE))


def test_the_readme_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its one command that takes minutes is checked against the claims in `test_completeness`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(DOCS)
    text = README.read_text(encoding="utf-8")
    ran, left_out = [], []
    for step in pages.steps(README):
        program, *words = shlex.split(step.name)
        if program == "glbcheck":
            main(words)
            pages.shows(step, capsys.readouterr().out)
            ran.append(step.name)
        else:
            left_out.append(step.name)
    assert ran == re.findall(r"^\s*\$ (glbcheck .*)$", text, re.MULTILINE) != []
    assert left_out == ["pytest proofs_checks/hcw_glb_omd"]
    found = doctest.testfile(str(README), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    assert found.attempted == len(re.findall(r"^\s*>>> ", text, re.MULTILINE)) > 0


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(small_paper.ROOT)))
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {word for word in re.findall(r"`([\w./-]+)`", text) if _is_file(word)} - WRITTEN_BY_COMMANDS
    linked = {link.partition("#")[0] for link in re.findall(r"\]\((?!\w+:)([^)]+)\)", text)} - {""}
    assert sorted(word for word in named if not _exists(word)) == []
    assert sorted(link for link in linked if not (page.parent / link).exists()) == []


def test_a_file_that_is_gone_is_noticed() -> None:
    gone = ("sieve.py", "verify/sieve.py", "core/_sieve", "docs/gone.md")
    assert [word for word in gone if not _is_file(word) or _exists(word)] == []
    assert all(map(_exists, ("decide.py", "verify/decide.py", "confidence/local.py", "core/kernel", "core/algorithm")))


def _is_file(word: str) -> bool:
    """Does the word name a file or a module of the repository, and not an option or a formula?"""
    return bool(re.search(r"\.(py|md|toml|json|v|css|js|html|tex|txt)$", word)) or (
        "/" in word and word.partition("/")[0] in ROOMS
    )


def _exists(word: str) -> bool:
    root = small_paper.ROOT
    if "/" in word:
        known = (root / word).exists() or (root / f"{word}.py").exists()
        return known or any((root / "proofs_checks").glob(f"*/{word}"))  # a module of a paper
    return (root / word).exists() or any(any((root / room).rglob(word)) for room in ROOMS)
