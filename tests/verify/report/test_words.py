"""Titles and other sentences are set as mathematics, and say the same afterwards."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from glbcheck.verify import letters, papers
from glbcheck.verify.anchors import PaperError
from glbcheck.verify.report import typeset
from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.report.typeset import LETTERS, plain

CLAIMS = papers.find("hcw_glb_omd").claims()
SENTENCES = [
    text
    for claim in CLAIMS
    for text in (claim.title, claim.argument, claim.consequence, *claim.hypotheses)
    if text and claim.title != claim.states
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("|x_s|^2 <= sqrt(lambda)", "|<i>x</i><sub><i>s</i></sub>|<sup>2</sup> ≤ √<i>λ</i>"),
        ("theta_* in C_t", "<i>θ</i><sub>⋆</sub> in <i>C</i><sub><i>t</i></sub>"),
        ("<x, theta_{t+1}>", "⟨<i>x</i>, <i>θ</i><sub><i>t</i>+1</sub>⟩"),
        ("mu''(z*) != 0", "<i>μ″</i>(<i>z⋆</i>) ≠ 0"),
        ("2^(d-1) -> 10^-6", "2<sup><i>d</i>−1</sup> → 10<sup>−6</sup>"),
        ("a larger R_s; a > S", "a larger <i>R</i><sub><i>s</i></sub>; <i>a</i> &gt; <i>S</i>"),
        ("Gamma rewards, beta_t", "Gamma rewards, <i>β</i><sub><i>t</i></sub>"),
        ("hat theta_t, r~, g^ >= g", "<i>θ\u0302</i><sub><i>t</i></sub>, <i>r\u0303</i>, <i>g\u0302</i> ≥ <i>g</i>"),
        ("the theorem's sqrt(dT)", "the theorem's √(<i>dT</i>)"),
        ("a**2*B", "<i>a</i><sup>2</sup>·<i>B</i>"),
        ("see regret_theorem, lemma:epl", "see <code>regret_theorem</code>, <code>lemma:epl</code>"),
    ],
)
def test_a_sentence_is_set(text: str, shown: str) -> None:
    assert prose(text) == shown


def test_names_of_claims_and_anchors_become_links() -> None:
    made = prose("see regret_theorem and lemma:epl", {"regret_theorem"}, {"lemma:epl"})
    assert '<a href="#claim=regret_theorem">regret theorem</a>' in made
    assert '<a href="#anchor=lemma:epl">lemma:epl</a>' in made


def test_no_title_is_spelt_on_a_keyboard() -> None:
    spelt = "|".join(word for word in LETTERS if word != "Gamma")
    for claim in CLAIMS:
        named = re.sub(r"`?\b[a-z]+(?:_[a-z0-9]+){2,}`?|\b[a-z]+:[\w/-]+|`\w+`", "", claim.title)
        shown = plain(named)
        assert not re.search(r"<=|>=|==|!=|->|\bsqrt\b|\*\*(?!\))", shown), shown
        assert not re.search(rf"(?<![A-Za-z])(?:{spelt})(?![A-Za-z])", shown), shown


def test_nothing_is_lost_and_nothing_changes_places() -> None:
    """Signs and brackets aside, the letters and digits of a sentence are those that were written, in that order."""

    def bare(text: str) -> str:
        text = re.sub(r"\bhat (?=[a-z])", "", text)
        for word, letter in sorted(LETTERS.items(), key=lambda pair: -len(pair[0])):
            if word != "Gamma":
                text = re.sub(rf"(?<![A-Za-z]){word}(?![A-Za-z])", letter, text)
        return re.sub(r"[\W_]", "", re.sub(r"sqrt|\boo\b", "", text))

    for text in SENTENCES:
        assert bare(plain(text)) == bare(text), text


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(typeset).failed == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[nowhere]\nd = 'x'", "unknown key 'nowhere'"),
        ("[everywhere]\nd = 3", "everywhere.d = 3: a text is accepted"),
        ("claims = 3", "claims = 3: a table is accepted"),
        ("= 3", "cannot be read"),
    ],
)
def test_letters_that_cannot_be_read_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / letters.FILE).write_text(text)
    with pytest.raises(PaperError, match=re.escape(complaint)):
        letters.read(tmp_path)


def test_a_meaning_under_a_claim_comes_first(tmp_path: Path) -> None:
    assert letters.read(tmp_path).meaning("one", "d") == ""
    (tmp_path / letters.FILE).write_text("[everywhere]\nd = 'dimension'\n[claims.one]\nd = 'distance'\n")
    found = letters.read(tmp_path)
    assert (found.meaning("one", "d"), found.meaning("two", "d")) == ("distance", "dimension")
