"""docs/referee.md is run as it stands; `glbcheck new` makes folders of any source."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest
from glbcheck.verify import mounting, papers, scaffold
from glbcheck.verify.anchors import PaperError

from glbcheck.cli import main
from tests.helpers import pages, small_paper
from tests.machine import PAPER_SOURCE

ROOT = small_paper.ROOT


def test_the_tutorial_goes_from_a_source_to_verdicts_and_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def command(words: list[str]) -> str:
        _forget()
        main(words[1:])
        return capsys.readouterr().out

    assert pages.run(ROOT / "docs" / "referee.md", tmp_path, command) == 11
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    shown = re.sub(r"\s+", " ", re.sub("<[^>]*>", "", page))
    answers, rest = shown.partition("things an author must fix")[::2]
    assert all("assuming 0 ≤ xk ≤ 1 for every k" in part for part in (answers, rest.partition("What was checked")[0]))
    assert shown.count("touches thm:sum; ") == 2
    assert list((tmp_path / "out" / "certificates").glob("*.json"))


def _forget() -> None:
    """Let a folder that was edited be imported again, as a new process would."""
    for name in [name for name in sys.modules if name.startswith(mounting.ELSEWHERE)]:
        del sys.modules[name]
    importlib.invalidate_caches()


@pytest.mark.parametrize("shown", ["wrong\n", "    one\n", "    one\n    two\n    three\n", "    two\n    ...\n"])
def test_a_page_that_shows_something_else_fails(shown: str) -> None:
    with pytest.raises(AssertionError, match=r"prints|not printed"):
        pages.shows(pages.Step("x", shown, False), "one\ntwo\n")


@pytest.mark.parametrize("shown", ["    one\n    two\n", "    ...\n    two\n", "    o...\n    ...\n"])
def test_a_page_may_leave_out_what_it_says_it_leaves_out(shown: str) -> None:
    pages.shows(pages.Step("x", shown, False), "one\ntwo\n")


SOURCE = r"""
\title{A \emph{strange}\footnote{Really.} title \\ of two lines}
\author{Ann \'On\"ym\thanks{x} \and Bo B. \\ University}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{early} a \end{lemma}
\section{\texorpdfstring{$\kappa$ and $e^{x}$}{Kappa}}
\begin{equation} 1 \end{equation}
\section{class}\label{sec:"quoted"}
\section{Class}\label{x\y}
\section{Nothing here}
\end{document}
"""


def test_every_anchor_of_a_strange_source_gets_its_line_and_nothing_stands(tmp_path: Path) -> None:
    parts = scaffold.make(SOURCE, tmp_path / "strange")
    assert [(part.title, part.module) for part in parts] == [
        (scaffold.FIRST, "before_the_first_section"),
        ("Kappa", "kappa"),
        ("class", "part_class"),
        ("Class", "part_class_2"),
    ]
    paper = papers.find(tmp_path / "strange")
    assert (paper.title, paper.authors) == ("A strange title of two lines", ("Ann Ónÿm", "Bo B."))
    claims = paper.claims()
    assert paper.index is not None
    assert {name for claim in claims for name in claim.anchors} == paper.index.ids()
    assert {claim.expected.value for claim in claims} == {"undecided"}


@pytest.mark.parametrize("source", ["", "a few words", r"\begin{document}text\end{document}"])
def test_a_source_without_anchors_is_refused_and_nothing_is_written(tmp_path: Path, source: str) -> None:
    with pytest.raises(PaperError, match="nothing to decide"):
        scaffold.make(source, tmp_path / "empty")
    assert not (tmp_path / "empty").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    (tmp_path / "p.tex").write_text(SOURCE)
    assert main(["new", str(tmp_path / "p.tex"), str(tmp_path / "mine")]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.needs("paper")
def test_a_paper_written_by_others_is_checked_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(PAPER_SOURCE), str(tmp_path / "paper")]) == 0
    assert main(["check", str(tmp_path / "paper")]) == 0
    assert main(["check", str(tmp_path / "paper"), "--strict"]) == 3
    assert "claims as expected" in capsys.readouterr().out
