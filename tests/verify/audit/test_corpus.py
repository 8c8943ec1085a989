"""The audit never contradicts what is known from elsewhere; the whole corpus is `python -m tests.corpus.audit`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from glbcheck.core.concordance import R_s
from glbcheck.core.enclosure import ball
from glbcheck.core.expression import parse
from glbcheck.verify.audit import checks_for
from glbcheck.verify.audit.spec import Options, read
from glbcheck.verify.claim import Verdict

from tests.corpus.audit import answer, expected, questions
from tests.corpus.families import CORPUS, DENSITIES, FAMILIES, NOT_FAMILIES, SELF_CONCORDANCE, Entry
from tests.corpus.held_out import HELD_OUT
from tests.corpus.open_answers import DISPERSIONS, LOG_PARTITION, OPEN, UNDECIDED

SAMPLE = [*CORPUS[::5], *HELD_OUT[::6]]


def test_the_corpus_is_large_and_names_each_formula_with_its_domain_once() -> None:
    assert len(CORPUS) >= 150
    assert min(len(FAMILIES), len(NOT_FAMILIES)) >= 60
    assert len({(entry.m, entry.domain) for entry in CORPUS}) == len(CORPUS)
    assert all(entry.source for entry in CORPUS)
    assert not any(entry.dispersions for entry in NOT_FAMILIES)
    assert len(HELD_OUT) >= 40
    assert not {(entry.m, entry.domain) for entry in HELD_OUT} & {(entry.m, entry.domain) for entry in CORPUS}


def test_the_guide_states_the_size_of_the_corpus() -> None:
    guide = Path("docs/audit.md").read_text(encoding="utf-8")
    questions = len(CORPUS) + sum(bool(entry.dispersions) for entry in CORPUS)
    assert f"{len(CORPUS)} families and non-families" in guide
    assert f"{questions} questions" in guide
    assert f"{len(HELD_OUT)} of `tests/corpus/held_out.py`" in guide.replace("\n", " ")


@pytest.mark.parametrize("entry", SAMPLE, ids=lambda entry: str(entry.m))
def test_a_sample_of_families_and_non_families_is_told_apart(entry: Entry) -> None:
    assert answer(entry, LOG_PARTITION) == expected(entry, LOG_PARTITION)


@pytest.mark.parametrize("entry", [e for e in FAMILIES if e.dispersions][::6], ids=lambda entry: str(entry.m))
def test_infinite_divisibility_is_seen_and_not_claimed_for_coins(entry: Entry) -> None:
    assert answer(entry, DISPERSIONS) == expected(entry, DISPERSIONS)


WEAKER = [
    e for e in (*CORPUS, *HELD_OUT) if any(OPEN[e.m, q].before != UNDECIDED for q in questions(e) if (e.m, q) in OPEN)
]


@pytest.mark.parametrize("entry", WEAKER, ids=lambda entry: str(entry.m))
def test_what_lost_its_rule_or_witness_is_left_open_and_not_answered_wrongly(entry: Entry) -> None:
    for question in questions(entry):
        assert answer(entry, question) == expected(entry, question)


def test_an_open_question_is_one_of_the_corpus() -> None:
    assert {m for m, _ in OPEN} <= {entry.m for entry in (*CORPUS, *HELD_OUT)}
    assert len(WEAKER) == 9


@pytest.mark.parametrize(("m", "S", "value"), SELF_CONCORDANCE)
def test_the_self_concordance_constant_is_the_one_computed_by_hand(m: str, S: str, value: str) -> None:
    found = R_s(read(m, Options()).family, S)
    exact = ball(parse(value, []))
    assert not ball(Fraction(found.lower)) > exact
    assert not ball(Fraction(found.upper)) < exact
    assert found.upper - found.lower <= 1e-9 * max(found.lower, 1)


@pytest.mark.parametrize(("m", "support", "base", "one"), DENSITIES)
def test_mass_one_is_certified_or_refuted(m: str, support: str, base: str, one: bool) -> None:
    family = read(m, Options(support=support, base=base)).family
    family = family.tilted(1) if float(family.domain.sup) <= 0 else family
    check = next(c for c in checks_for(family, "1/2", only=("normalisation",)) if c.name == "normalisation")
    assert check.verdict.positive if one else check.verdict is Verdict.REFUTED
