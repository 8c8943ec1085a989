"""Branch and bound: what is certified holds, what is refuted fails, and the replay believes nothing."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
import sympy as sp
from glbcheck.core.enclosure import ball, ball_function
from glbcheck.verify.claim import Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import enclosure_checker, enclosure_lemmas, enclosure_replay
from glbcheck.verify.provers.enclosure import certify
from glbcheck.verify.provers.enclosure_checker import Rejected
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus import Entry, false_enclosure, true_enclosure
from tests.corpus.forged_enclosure import FORGED
from tests.corpus.verdicts import false_is_caught, true_survive

FOUND = {entry.name: entry.run() for entry in true_enclosure.ENTRIES}
F = Fraction


@pytest.mark.parametrize("entry", false_enclosure.ENTRIES, ids=lambda e: e.name)
def test_a_false_inequality_is_never_certified(entry: Entry) -> None:
    assert false_is_caught(entry)


def test_every_planted_false_inequality_is_refuted_by_an_exact_point() -> None:
    assert {entry.run().verdict for entry in false_enclosure.ENTRIES} == {Verdict.REFUTED}


@pytest.mark.parametrize("entry", false_enclosure.ENTRIES, ids=lambda e: e.name)
def test_a_planted_false_inequality_really_is_false(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED


def test_the_corpora_are_as_large_and_as_sharp_as_promised() -> None:
    assert len(false_enclosure.ENTRIES) >= 16
    assert sum(entry.near_miss for entry in false_enclosure.ENTRIES) >= 6
    assert len(true_enclosure.ENTRIES) >= 18
    assert sum(entry.sharp for entry in true_enclosure.ENTRIES) >= 12


def test_true_inequalities_are_certified_on_the_whole_box_and_never_refuted() -> None:
    assert true_survive([Entry(name, partial(FOUND.__getitem__, name)) for name in FOUND])
    assert {found.verdict for found in FOUND.values()} == {Verdict.CERTIFIED}


@pytest.mark.parametrize("entry", false_enclosure.UNDEFINED, ids=lambda e: e.name)
def test_what_is_undefined_vacuous_or_out_of_scope_is_neither_certified_nor_refuted(entry: Entry) -> None:
    assert entry.run().verdict in (Verdict.UNDECIDED, Verdict.CERTIFIED_ON_BOX)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_rejected(name: str) -> None:
    with pytest.raises(Rejected):
        enclosure_replay.check(FORGED[name])


@pytest.mark.parametrize("name", FOUND)
def test_a_certificate_survives_json_and_no_leaf_of_it_can_be_dropped(name: str) -> None:
    certificate = json.loads(json.dumps(dict(FOUND[name].certificate)))
    assert enclosure_replay.check(certificate)
    for altered in alterations(certificate):
        with pytest.raises(Rejected):
            enclosure_replay.check(altered)


def alterations(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    """The certificate with one leaf gone, one cell moved, a part gone, or for another statement."""
    result = []
    for i, part in enumerate(certificate["parts"]):
        if part["method"] == "cells":
            dropped, moved = copy.deepcopy(certificate), copy.deepcopy(certificate)
            dropped["parts"][i]["leaves"].pop()
            moved["parts"][i]["leaves"][0][0][0][0] += 1
            result += [dropped, moved]
    other = certificate["conclusion"].translate(str.maketrans("<>", "><"))
    return [*result, {**certificate, "conclusion": other}, {**certificate, "parts": certificate["parts"][1:]}]


def test_an_unbounded_part_without_a_lemma_leaves_only_the_box_that_is_printed() -> None:
    evidence = certify("y*sin(x) <= 1", {"x": (2, None), "y": (0, F(9, 10))})
    assert evidence.verdict is Verdict.CERTIFIED_ON_BOX
    assert evidence.scope == "x in [2, 16], y in [0, 9/10]"
    assert not enclosure_replay.check(evidence.certificate)


def test_the_certificate_counts_its_boxes_and_names_its_lemmas() -> None:
    certificate = certify("log(1 + x) <= x", {"x": (0, None)}).certificate
    assert certificate["boxes"] >= 1
    assert certificate["bits"] >= 64
    assert "zeros of order 2" in certificate["lemmas"]
    assert "slope beyond a cut" in certificate["lemmas"]


def test_a_long_cover_is_kept_as_a_digest_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enclosure_lemmas, "MAX_LEAVES", 100)
    circle = "x**4 + y**4 + 2*x**2*y**2 - 2*x**2 - 2*y**2 + 1 + 1/50 > 0"
    evidence = certify(circle, {"x": (-2, 2), "y": (-2, 2)})
    certificate: dict[str, Any] = dict(evidence.certificate)
    leaves = certificate["parts"][0]["leaves"]
    assert evidence.verdict is Verdict.CERTIFIED
    assert leaves["count"] > 100
    other = {**certificate["parts"][0], "leaves": {**leaves, "count": leaves["count"] - 1}}
    with pytest.raises(Rejected):
        enclosure_replay.check({**certificate, "parts": [other]})


def test_an_undecided_statement_shows_the_smallest_box_left_open() -> None:
    evidence = certify("x**2 - 2*x*y + y**2 >= 0", {"x": (0, 1), "y": (0, 1)}, budget=2000)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "left open near x in [" in evidence.summary


def test_more_bits_are_taken_when_the_balls_need_them() -> None:
    tiny = "1/10**30"
    evidence = certify(f"exp(x)*exp(-x) + {tiny} > 1", {"x": (0, F(1, 10**32))})
    assert evidence.verdict is Verdict.CERTIFIED
    assert evidence.certificate["bits"] > 64


def test_a_counterexample_is_short() -> None:
    found = certify("x + y <= 5/4", {"x": (0, 1), "y": (0, 1)}, ["x**2 + y**2 <= 1"])
    assert found.counterexample is not None
    assert all(Fraction(value).denominator <= 16 for value in found.counterexample.point.values())


coefficients = st.lists(st.integers(-4, 4), min_size=6, max_size=6)
unit = st.fractions(0, 1, max_denominator=40)


@settings(max_examples=40, deadline=None)
@given(coefficients, unit, unit)
def test_a_certified_polynomial_is_nonnegative_at_any_rational_point(c: list[int], a: Fraction, b: Fraction) -> None:
    x, y = sp.symbols("x y", real=True)
    p = c[0] + c[1] * x + c[2] * y + c[3] * x * y + c[4] * x**2 + c[5] * y**3
    evidence = certify(sp.Ge(p, 0, evaluate=False), {"x": (0, 1), "y": (0, 1)}, budget=300)
    at = c[0] + c[1] * a + c[2] * b + c[3] * a * b + c[4] * a**2 + c[5] * b**3
    assert evidence.verdict is not Verdict.CERTIFIED or at >= 0
    if evidence.verdict is Verdict.REFUTED:
        assert evidence.counterexample is not None


@settings(max_examples=25, deadline=None)
@given(coefficients, st.fractions(0, 50, max_denominator=7))
def test_a_certified_half_line_holds_at_any_point_of_it(c: list[int], at: Fraction) -> None:
    x = sp.Symbol("x", real=True)
    f = c[0] + c[1] * x + c[2] * x**2 + (c[3] + c[4] * x) * sp.exp(-x) + c[5] * sp.log(1 + x)
    evidence = certify(sp.Ge(f, 0, evaluate=False), {"x": (0, None)}, budget=300)
    assert evidence.verdict is not Verdict.CERTIFIED or not ball_function(f, [x])(ball(at)) < 0


def refused(*arguments: Any, **options: Any) -> str:
    with pytest.raises((ValueError, TypeError)) as error:
        certify(*arguments, **options)
    return str(error.value)


def test_bad_input_is_refused_by_name() -> None:
    x = sp.Symbol("x")
    assert "box['x']" in refused("x >= 0", {"x": (0.5, 1)})
    assert "box['x']" in refused("x >= 0", {"x": (2, 1)})
    assert "box['x']" in refused("x >= 0", {"x": 1})
    assert "box" in refused("x >= 0", {})
    assert "conclusion" in refused(x >= sp.Float("0.5"), {"x": (0, 1)})
    assert "conclusion" in refused("x == 1", {"x": (0, 1)})
    assert "y" in refused("x >= y", {"x": (0, 1)})
    assert "y" in refused("x >= 0", {"x": (0, 1)}, ["y >= 0"])
    assert "zeros" in refused("x >= 0", {"x": (0, 1)}, zeros={"x": [0.5]})
    assert "zeros" in refused("x >= 0", {"x": (0, 1)}, zeros={"y": [0]})
    assert "example" in refused("x >= 0", {"x": (0, 1)}, ["x >= 0"], example={"y": 0})


def test_a_function_without_an_enclosure_is_undecided() -> None:
    assert certify("besseli(1/2, x) >= 0", {"x": (0, 1)}).verdict is Verdict.UNDECIDED


def test_the_checker_stays_small_and_apart_from_the_search() -> None:
    with open(enclosure_checker.__file__, encoding="utf-8") as file:
        text = file.read()
    assert len(text.splitlines()) < 120
    assert "Rules" not in text
