r"""Sentences: where one ends, what it is called, whether it asserts something, and what becomes of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from glbcheck.verify import marks, papers
from glbcheck.verify.anchors import DISPLAYS, Anchor, Index, PaperError, scan
from glbcheck.verify.sentences import Sentence
from glbcheck.verify.sentences import scan as sentences

from glbcheck.cli import main
from tests.helpers import small_paper

PAPER = papers.find("hcw_glb_omd")


def said(tex: str) -> list[Sentence]:
    return sentences(tex, (0, len(tex)), {}, DISPLAYS)


def texts(tex: str) -> list[str]:
    return [" ".join(one.tex.split()) for one in said(tex)]


def named(body: str) -> list[str]:
    """The sentences among the anchors of a document."""
    preamble = r"\newtheorem{theorem}{Theorem}\newtheorem{remark}{Remark}\begin{document}"
    found = scan(f"{preamble}\n{body}\n\\end{{document}}").anchors
    return [anchor.id for anchor in found if anchor.kind in ("sentence", "row")]


@pytest.mark.parametrize(
    ("tex", "count"),
    [
        ("One is one. Two is two! Is it so? It is.", 4),
        # Abbreviations and references end nothing.
        (r"See e.g. Fig. 3 and Eqn.~\eqref{a}, i.e. the bound of Smith et al. Then w.l.o.g. it holds.", 1),
        (r"By \citet[p. 18. Theorem 4.1]{a} this holds. So does that.", 2),
        # Nor do points inside mathematics; a formula may end a sentence with its own.
        (r"We have $x = 0.5. Y$ and more. Then $x \to \infty.$ Conversely it fails.", 3),
        # A display is part of its sentence, unless it ends it.
        (r"We have \begin{equation} x < 1, \end{equation} where $x$ is small. It follows.", 2),
        (r"We have \begin{align} x &< 1. \label{a} \end{align} It follows.", 2),
        (r"We have \[ x < 1 \] Then it follows.", 2),
        # Closing braces and quotes belong to the sentence; items and paragraphs end it.
        (r"\textbf{First step.} It holds. He said ``no.'' We did not.", 4),
        ("One thing\n\nAnother thing", 2),
        (r"These are \begin{itemize} \item the first \item the second \end{itemize}", 3),
    ],
)
def test_sentences_end_where_they_end(tex: str, count: int) -> None:
    assert len(said(tex)) == count, texts(tex)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (r"\section{Results}\label{sec:r} It is optimal. It is. It cannot fail.", ["sec:r/s1", "sec:r/s3"]),
        (r"\section{Our Main Results} It is optimal.", ["our-main-results/s1"]),
        (r"\section{A} It is optimal. \section{A} It is optimal.", ["a/s1", "a-2/s1"]),
        (r"\section{\texorpdfstring{On $C$}{On C}} It is optimal.", ["on-c/s1"]),
        (r"\begin{abstract} We did it. It is new. \end{abstract}", ["abstract/s1", "abstract/s2"]),
        # A footnote is cut out of the sentence around it.
        (r"\section{A}\label{a} It is optimal\footnote{Up to logarithms.} here.", ["a/s1", "a/note1/s1"]),
        # A remark counts its own sentences, a theorem speaks for those in it.
        (r"\section{A}\label{a}\begin{remark} It is optimal. \end{remark}", ["a/remark1/s1"]),
        (r"\section{A}\label{a}\begin{theorem} It is optimal. \end{theorem} It is optimal.", ["a/s1"]),
        # A display speaks for the sentence around it, unless the words compare something.
        (r"\section{A}\label{a} We have $y = 1$, so \[ x < 1. \]", []),
        (r"\section{A}\label{a} Up to constants, \[ x < 1. \]", ["a/s1"]),
        (
            r"\begin{table}\caption{\label{tab:a} It is optimal.}\begin{tabular}{cc} a & b \\ \hline "
            r"\makecell{c \\ d} & $n$ \\ \end{tabular}\end{table}",
            ["tab:a/s1", "tab:a/row1", "tab:a/row2"],
        ),
    ],
)
def test_sentences_are_named_after_what_they_stand_under(body: str, names: list[str]) -> None:
    assert sorted(named(body)) == sorted(names)


@pytest.mark.parametrize(
    ("tex", "asserting"),
    [
        ("The bound is independent of $T$.", True),
        ("The bound subsumes earlier ones.", True),
        ("The cost is $O(1)$ and $x = 1$.", True),
        ("We thank our friends.", False),
        ("Can the rate be improved?", False),
    ],
)
def test_what_compares_or_counts_may_assert_something(tex: str, asserting: bool) -> None:
    (one,) = said(tex)
    assert one.asserts() is asserting


# --- marks ---------------------------------------------------------------------------------------------------

TEX = r"""\newtheorem{lemma}{Lemma}\begin{document}
\section{Notation}\label{sec:notation} It is optimal. The bound is tight.
\begin{lemma}\label{lemma:true} x \end{lemma} \begin{lemma}\label{lemma:open} x \end{lemma}
\begin{lemma}\label{lemma:false} x \end{lemma}
\end{document}"""
INDEX = scan(TEX)
PINS = {anchor.id: anchor.hash for anchor in INDEX.anchors}
FIRST, SECOND = "sec:notation/s1", "sec:notation/s2"


def marked(folder: Path, first: str, second: str = 'rule = "motivation"', pin: str = PINS[FIRST]) -> list[str]:
    """The complaints about a small paper with these two marks; an empty one is left out."""
    small_paper.make(folder)
    lines = [(FIRST, pin, first), (SECOND, PINS[SECOND], second)]
    text = "".join(f'"{name}" = {{ pin = "{hash_}", {what} }}\n' for name, hash_, what in lines if what)
    (folder / marks.FILE).write_text(text, encoding="utf-8")
    paper = papers.find(folder)
    return list(marks.complaints(paper.marks, INDEX, paper.claims()))


def test_a_sentence_that_a_claim_decides_is_an_anchor_of_the_claim(tmp_path: Path) -> None:
    assert marked(tmp_path, 'claims = ["holds"]') == []
    (claim,) = (claim for claim in papers.find(tmp_path).claims() if claim.id == "holds")
    assert claim.anchors == ("lemma:true", FIRST)


@pytest.mark.parametrize(
    ("mark", "pin", "complaint"),
    [
        ('rule = "motivation"', "0" * 16, "stale: read when its hash was 0000000000000000"),
        ("", PINS[FIRST], "neither claimed nor marked"),
        ('claims = ["nobody"]', PINS[FIRST], "decided by 'nobody', which is no claim"),
        ('rule = "step", of = "lemma:lost"', PINS[FIRST], "a step of 'lemma:lost', which no claim speaks about"),
    ],
)
def test_a_sentence_is_claimed_or_marked_as_it_was_read(tmp_path: Path, mark: str, pin: str, complaint: str) -> None:
    (found,) = marked(tmp_path, mark, pin=pin)
    assert found.startswith(FIRST)
    assert complaint in found


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        ('rule = "boring"', "accepted are definition, announcement"),
        ('rule = "step"', "is accepted"),
        ('rule = "open", of = "lemma:true"', "is accepted"),
        ('rule = "open", claims = ["holds"]', "is accepted"),
        ("claims = []", "is accepted"),
    ],
)
def test_a_mark_follows_the_rules(tmp_path: Path, mark: str, complaint: str) -> None:
    with pytest.raises(PaperError, match=complaint):
        marked(tmp_path, mark)


def test_a_mark_of_what_is_no_sentence_is_stale(tmp_path: Path) -> None:
    assert marked(tmp_path, 'rule = "open"') == []
    only = Index("", tuple(anchor for anchor in INDEX.anchors if anchor.id != FIRST))
    found = list(marks.complaints(marks.read(tmp_path), only, []))
    assert any(line.startswith(f"{FIRST}: marked, but no sentence") for line in found)


def test_what_a_claim_speaks_about_is_not_silenced() -> None:
    place = Anchor(FIRST, "sentence", 1, "a", False)
    claim = replace(PAPER.claims()[0], anchors=(FIRST,))
    (found,) = marks.complaints([marks.Mark(FIRST, "a", rule="open")], Index("", (place,)), [claim])
    assert "silenced as 'open', but a claim speaks about it" in found


def test_every_sentence_of_the_paper_is_claimed_or_marked() -> None:
    assert PAPER.index is not None
    assert list(marks.complaints(PAPER.marks, PAPER.index, PAPER.claims())) == []


def test_every_sentence_of_the_abstract_but_the_announcement_is_decided() -> None:
    assert PAPER.index is not None
    abstract = {anchor.id for anchor in PAPER.index.anchors if anchor.id.startswith("abstract/")}
    decided = {anchor for claim in PAPER.claims() if not claim.expected.nothing_to_decide for anchor in claim.anchors}
    assert abstract - decided == {"abstract/s2"}


def test_a_sentence_that_asserts_nothing_is_shown_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "abstract/s2"]) == 0
    assert capsys.readouterr().out.strip() == "abstract/s2: asserts nothing: announcement"
