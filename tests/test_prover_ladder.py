"""Ladders: the replay believes no rung, and what is proved holds at every point tried."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from glbcheck.core.enclosure import ball, ball_function
from glbcheck.verify.claim import Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import ladder_checker, signs
from glbcheck.verify.provers.ladder import inequality
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus import Entry, false_ladder, true_ladder
from tests.corpus.forged_ladder import FORGED
from tests.corpus.verdicts import false_is_caught, true_survive

x = sp.Symbol("x", real=True)
CERTIFICATES = {entry.name: entry.run().certificate for entry in true_ladder.ENTRIES[:12]}


@pytest.mark.parametrize("entry", false_ladder.ENTRIES, ids=lambda e: e.name)
def test_a_false_inequality_is_never_proved(entry: Entry) -> None:
    assert false_is_caught(entry)


def test_nearly_all_false_inequalities_are_refuted() -> None:
    verdicts = [entry.run().verdict for entry in false_ladder.ENTRIES]
    assert verdicts.count(Verdict.REFUTED) >= len(verdicts) - 1


@pytest.mark.parametrize("entry", false_ladder.ENTRIES, ids=lambda e: e.name)
def test_a_planted_false_inequality_really_is_false(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED


def test_true_inequalities_are_proved_and_never_refuted() -> None:
    assert true_survive(true_ladder.ENTRIES)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_rejected(name: str) -> None:
    with pytest.raises(ladder_checker.Rejected):
        ladder_checker.check(FORGED[name])


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate_survives_json_and_no_rung_of_it_can_be_altered(name: str) -> None:
    certificate = json.loads(json.dumps(CERTIFICATES[name]))
    ladder_checker.check(certificate)
    for altered in alterations(certificate):
        with pytest.raises(ladder_checker.Rejected):
            ladder_checker.check(altered)


def alterations(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    """The certificate with one expression lowered by a billionth, or cut short after one rung."""
    result = []
    for i, rung in enumerate(certificate["rungs"]):
        if "then" in rung:
            lowered, short = copy.deepcopy(certificate), copy.deepcopy(certificate)
            lowered["rungs"][i]["then"] = f"{rung['then']} + 1/10**9"
            short["rungs"] = short["rungs"][: i + 1]
            result += [lowered, short]
    result.append({**certificate, "f": f"{certificate['f']} + 1/10**9"})
    return result


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=5), st.fractions(0, 20, max_denominator=30))
def test_a_proved_polynomial_inequality_holds_at_any_rational_point(c: list[int], at: Fraction) -> None:
    p = sp.Add(*(k * x**i for i, k in enumerate(c)))
    evidence = inequality(sp.Ge(p, 0, evaluate=False), effort=15)
    exact = sum(k * at**i for i, k in enumerate(c))
    if evidence.verdict is Verdict.PROVED:
        assert exact >= 0
    if exact < 0:
        assert evidence.verdict is not Verdict.PROVED


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4), st.fractions(0, 6, max_denominator=12))
def test_a_proved_inequality_with_exponentials_holds_at_any_rational_point(c: list[int], at: Fraction) -> None:
    f = c[0] + c[1] * x + c[2] * sp.exp(x) + c[3] * x * sp.exp(-x)
    evidence = inequality(sp.Ge(f, 0, evaluate=False), effort=10)
    assert evidence.verdict is not Verdict.PROVED or not ball_function(f, [x])(ball(at)) < 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=5),
    st.fractions(-2, 2, max_denominator=3),
    st.one_of(st.none(), st.fractions(1, 4, max_denominator=3)),
)
def test_a_polynomial_seen_positive_has_no_root_inside(
    p: list[Fraction], low: Fraction, width: Fraction | None
) -> None:
    high = None if width is None else low + width
    if signs.polynomial_positive(p, low, high, 8):
        q = sp.Poly([sp.Rational(c.numerator, c.denominator) for c in reversed(p)], x)
        bounds = [sp.Rational(e.numerator, e.denominator) if e is not None else sp.oo for e in (low, high)]
        assert not [r for r in sp.real_roots(q) if bounds[0] < r < bounds[1]] if q.degree() > 0 else q.LC() > 0


def test_an_end_that_is_not_defined_proves_nothing_there() -> None:
    assert inequality("(1 - exp(-x))/x >= 1/(1 + x)").verdict is Verdict.UNDECIDED
    assert inequality("x/x >= 1").verdict is Verdict.UNDECIDED


def test_the_sign_of_a_constant_is_separated_from_zero_or_unknown() -> None:
    assert signs.sign(sp.log(2) - sp.Rational(6931, 10000)) == 1
    assert signs.sign(sp.log(2) - sp.Rational(6932, 10000)) == -1
    assert signs.sign(sp.log(4) - 2 * sp.log(2)) == 0
    with pytest.raises(signs.Unknown):
        signs.sign(sp.atan(1) * 4 - sp.asin(1) * 2 + sp.Symbol("y"))


def test_a_float_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="claim"):
        inequality(sp.Ge(x, sp.Float("0.5"), evaluate=False))
    with pytest.raises(ValueError, match=r"low = 0\.5"):
        inequality("x >= 0", low=0.5)  # type: ignore[arg-type]


def test_an_equation_or_a_second_variable_is_refused() -> None:
    with pytest.raises(ValueError, match="inequality"):
        inequality("x == x")
    with pytest.raises(ValueError, match="y"):
        inequality("x >= y")


def test_the_checker_stays_small_and_apart_from_the_search() -> None:
    with open(ladder_checker.__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert len(lines) < 120
    assert not any("ladder_search" in line or "provers.ladder " in line for line in lines)
