"""A paper of one's own for the tests: a folder with a `paper.toml`, two modules and nothing else."""

from __future__ import annotations

from pathlib import Path

from glbcheck.verify import anchors

ROOT = Path(__file__).resolve().parents[2]

FIRST = '''
from dataclasses import replace
from fractions import Fraction

from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.search import exact
from glbcheck.verify.counterexample import refute
from glbcheck.verify.registry import claim, definition

FALSE = Statement(("x >= 0",), "exp(x) <= 1 + x + x**2/2")
NOTHING = Evidence(Verdict.UNDECIDED, "toy", "no proof found")
PROOF = replace(exact.closed("1 <= 2"), prover="toy", summary="by hand")

definition("sec:notation", reason="notation")

@claim("lemma:true", expected="proved", control=("c", lambda: NOTHING), uses=("open_question",))
def holds():
    """A true statement."""
    return PROOF

@claim("lemma:open", expected="undecided", control=("c", lambda: NOTHING))
def open_question():
    """An open question."""
    return NOTHING

@claim("lemma:false", expected="refuted", control=("c", lambda: Evidence(Verdict.UNDECIDED, "balls", "")),
       severity="constant", consequence="none")
def fails():
    """A false statement."""
    return refute(FALSE, {"x": Fraction(1, 2)}, "balls")
'''

# In a sub-folder without `__init__.py`.
SECOND = '''
from ..first import NOTHING, PROOF
from glbcheck.verify.registry import claim

@claim("lemma:false", expected="proved", reading="repaired", control=("c", lambda: NOTHING), uses=("holds",))
def fails_repaired():
    """The repaired statement."""
    return PROOF
'''

BAD = '''
from .first import NOTHING, PROOF
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.registry import claim

OK = ("c", lambda: NOTHING)

@claim("l", expected="certified", control=OK)
def too_strong():
    """Stronger than expected."""
    return PROOF

@claim("l", expected="proved", control=("c", lambda: PROOF))
def vacuous():
    """A control that gets through."""
    return PROOF

@claim("l", expected="proved", control=OK)
def with_float():
    """A float in the proof."""
    return Evidence(Verdict.PROVED, "toy", "s", certificate={"x": 0.5})

@claim("l", expected="proved", control=OK, uses=("ghost",))
def dangling():
    """Rests on nothing known."""
    return PROOF

@claim("l", expected="proved", control=OK, uses=("round",))
def merry():
    """Rests on itself."""
    return PROOF

@claim("l", expected="proved", control=OK, uses=("merry",), id="round")
def round_():
    """Rests on itself."""
    return PROOF

@claim("l", expected="undecided", control=OK)
def crashes():
    """Crashes."""
    raise ZeroDivisionError("oops")
'''

SOURCE = (
    "\\newtheorem{lemma}{Lemma}\\begin{document}\\section{N}\\label{sec:notation}"
    "\\begin{lemma}\\label{lemma:true} a \\end{lemma}\\begin{lemma}\\label{lemma:open} b \\end{lemma}"
    "\\begin{lemma}\\label{lemma:false} $$c$$ \\end{lemma}\\end{document}"
)
CLAIMS = {"definition:sec:notation", "holds", "open_question", "fails", "fails_repaired"}


def make(folder: Path, **modules: str) -> Path:
    """The paper in this folder, with more modules if wanted; it has no index yet."""
    (folder / "repairs").mkdir(parents=True)
    (folder / "paper.toml").write_text('title = "A small paper"\n')
    (folder / "repairs" / "second.py").write_text(SECOND)
    for name, source in {"first": FIRST, **modules}.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def listed(folder: Path, source: str = SOURCE) -> Path:
    """The same folder with the index of this source."""
    anchors.write_index(anchors.scan(source), folder / anchors.INDEX_NAME)
    return folder
