r"""The scanner finds every anchor of a TeX source, names it stably and forgets the text."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from glbcheck.verify.anchors import INDEX_NAME, PaperError, compare, counts, read_index, scan, write_index
from glbcheck.verify.papers import find
from hypothesis import given
from hypothesis import strategies as st

PREAMBLE = r"""
\documentclass{article}
\newtheorem{theorem}{Theorem}% the main counter
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem*{claim}{Claim}
\newcommand{\trap}[1]{\begin{equation}\label{eq:macro} #1 \end{equation}}
\begin{document}
"""
END = "\n\\end{document}\n\\label{after:end}\n"


def names(body: str) -> list[str]:
    return [anchor.id for anchor in scan(PREAMBLE + body + END).anchors]


def test_the_shipped_index_has_the_counts_of_the_paper_and_no_text_of_it() -> None:
    path = find("hcw_glb_omd").folder / INDEX_NAME
    index = read_index(path)
    assert counts(index) == {"labels": 55, "theorems": 28, "equations": 124, "displays": 1, "sentences": 311}
    assert len(index.ids()) == len(index.anchors)
    data = json.loads(path.read_text())
    assert set(data) == {"paper", "anchors"}
    assert all(set(anchor) == {"id", "kind", "line", "hash", "labelled"} for anchor in data["anchors"])


THEOREM = r"\begin{theorem}\label{thm:a} \begin{equation}\label{eq:first} x \end{equation} %s \end{theorem}"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        # An unlabelled equation is named after the nearest label that is no equation's.
        (THEOREM % r"\begin{align*} y \end{align*}", "thm:a=theorem eq:first=equation thm:a/eq2=equation"),
        (THEOREM % "" + r"\begin{proof}\[ z \]\end{proof}", "thm:a=theorem eq:first=equation thm:a/eq2=display"),
        # Unlabelled theorems are numbered by kind.
        (
            r"\section{One}\label{one}\begin{lemma} a \end{lemma} \begin{lemma}[Named] b \end{lemma}"
            r"\begin{claim} c \end{claim}",
            "one=section one/lemma1=lemma one/lemma2=lemma one/claim1=claim",
        ),
        # Before any label the host is the top; a stray dollar ends with its paragraph.
        (r"\begin{equation} x \end{equation}", "top/eq1=equation"),
        ("text $i$ $$ x \\text{ if $y$} $$ then", "top/eq1=display"),
        (r"text $i$ \[ x \] then", "top/eq1=display"),
        (r"text $i$ \begin{gather*} x \end{gather*} then", "top/eq1=equation"),
        ("a stray $ sign\n\n$$ x $$", "top/eq1=display"),
        # A heading owns the label after or inside it.
        ("\\section{A {nested} title}\n\\label{a}\n\\subsection{B \\label{b}}", "a=section b=section"),
        # Free labels of tables and lists are anchors too; an escaped percent hides nothing.
        (r"\begin{table}\caption{\label{tab:a} text}\end{table}", "tab:a=label"),
        (THEOREM % r"\begin{enumerate}\item\label{i} x\end{enumerate}", "thm:a=theorem eq:first=equation i=label"),
        (r"5\% \label{yes}", "yes=label"),
        # An align with several labels is one equation; a label inside it is the equation's.
        (r"\begin{align} a \label{eq:a} \\ b \label{eq:b} \end{align}", "eq:a=equation eq:b=label"),
        (r"\begin{equation}\begin{split} a \label{eq:a} \end{split}\end{equation}", "eq:a=equation"),
        # Restated theorems count.
        (r"\begin{restatable}{theorem}{again}\label{thm:r} x\end{restatable}", "thm:r=theorem"),
    ],
)
def test_every_anchor_has_its_name_and_kind(body: str, found: str) -> None:
    anchors = scan(PREAMBLE + body + END).anchors
    assert " ".join(f"{anchor.id}={anchor.kind}" for anchor in anchors) == found


@pytest.mark.parametrize("hidden", [
    r"% \begin{equation} x \end{equation} \label{no}",
    "\\begin{verbatim}\n\\begin{equation}\\label{no}\n$$ x $$ %\n\\end{verbatim}", r"\verb|\label{no}| and \verb+$$+",
    r"\\% \label{no}", r"a price of \$\$ 3", r"$a$$b$ and $c$$d$", r"line \\[2pt] break",
])  # fmt: skip
def test_comments_verbatim_and_lookalikes_hold_no_anchors(hidden: str) -> None:
    assert names(hidden + "\n" + r"\begin{equation}\label{yes} x \end{equation}") == ["yes"]


def test_line_numbers_are_those_of_the_source() -> None:
    source = PREAMBLE + "% comment\n\n" + r"\begin{equation} x \end{equation}" + END
    (anchor,) = scan(source).anchors
    assert r"\begin{equation} x" in source.splitlines()[anchor.line - 1]


@given(st.lists(st.sampled_from([" ", "\n", "\t", "% note\n"]), max_size=6).map("".join))
def test_white_space_and_comments_do_not_change_a_hash(space: str) -> None:
    first = scan(PREAMBLE + r"\begin{equation} a + b \end{equation}" + END)
    second = scan(PREAMBLE + r"\begin{equation} a +" + space + r"b \end{equation}" + END)
    assert first.anchors[0].hash == second.anchors[0].hash


def test_new_changed_gone_and_unclaimed_anchors_are_reported() -> None:
    def source(*equations: tuple[str, str]) -> str:
        return PREAMBLE + "".join(rf"\begin{{equation}}\label{{{n}}} {t} \end{{equation}}" for n, t in equations) + END

    old = scan(source(("a", "1"), ("b", "2"), ("c", "3")))
    new = scan(source(("a", "1"), ("b", "9"), ("d", "4")))
    found = compare(new, old, claimed=["a"])
    assert [[a.id for a in part] for part in (found.new, found.changed, found.gone, found.unclaimed)] == [
        ["d"], ["b"], ["c"], ["b", "d"],
    ]  # fmt: skip


def test_an_index_survives_its_file(tmp_path: Path) -> None:
    index = scan(PREAMBLE + r"\begin{equation}\label{a} x \end{equation}" + END)
    write_index(index, tmp_path / INDEX_NAME)
    assert read_index(tmp_path / INDEX_NAME) == index


@pytest.mark.parametrize(("body", "complaint"), [
    (r"\label{a} \label{a}", "'a' is defined more than once"), (r"\end{equation}", r"without \\begin"),
    (r"\begin{equation} x", "never closed"),
])  # fmt: skip
def test_broken_sources_are_refused(body: str, complaint: str) -> None:
    with pytest.raises(PaperError, match=complaint):
        names(body)


PIECES = [
    *(r"\begin{equation}", r"\end{equation}", r"\begin{verbatim}", r"\label{a}", r"\label{", r"\section{"),
    *(r"\verb|", r"\[", r"\]", "$", "$$", "%", "{", "}", "x", "\\", "\n"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_is_scanned_or_refused(body: str) -> None:
    with contextlib.suppress(PaperError):
        assert len(scan(body).anchors) <= len(body)
