"""Exact identities: what is proved is true, and a pole, a float or a lying library is not overlooked."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy as sp
from glbcheck.verify.claim import Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import identities, ring
from glbcheck.verify.provers.symbolic import (
    identity,
    integral,
    matrix_identity,
    smooth,
    sum_identity,
    telescoping,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus import Entry, false_symbolic, true_symbolic
from tests.corpus.verdicts import false_is_caught, true_survive

x, y, t = sp.symbols("x y t", real=True)
SMALL = st.integers(-4, 4)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> sp.Expr:
    """Random expressions in x and y with exponentials, roots of positive things and divisions."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([x, y, sp.exp(x), sp.exp(-2 * y), sp.sqrt(1 + x**2), sp.Integer(draw(SMALL))]))
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=depth - 1))
    return draw(st.sampled_from([left + right, left * right, left - right, left / (1 + right**2)]))


@pytest.mark.parametrize("entry", false_symbolic.ENTRIES, ids=lambda e: e.name)
def test_a_false_identity_is_never_proved(entry: Entry) -> None:
    assert false_is_caught(entry)


@pytest.mark.parametrize("entry", false_symbolic.ENTRIES, ids=lambda e: e.name)
def test_a_planted_false_identity_really_is_false(entry: Entry) -> None:
    assert entry.statement is not None
    assert refute(entry.statement, entry.witness, "test").verdict is Verdict.REFUTED


def test_true_identities_are_proved_and_never_refuted() -> None:
    assert true_survive(true_symbolic.ENTRIES)


def test_proofs_do_not_depend_on_the_ground_types_of_sympy() -> None:
    code = (
        "from sympy.external.gmpy import GROUND_TYPES; assert GROUND_TYPES == 'python', GROUND_TYPES\n"
        "from tests.corpus import true_symbolic as true, false_symbolic as false\n"
        "assert all(e.run().verdict == 'proved' for e in true.ENTRIES)\n"
        "assert not any(e.run().verdict == 'proved' for e in false.ENTRIES)\n"
    )
    environment = {**os.environ, "SYMPY_GROUND_TYPES": "python", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


@settings(max_examples=40, deadline=None)
@given(expressions(), expressions())
def test_rearranging_a_product_is_proved(left: sp.Expr, right: sp.Expr) -> None:
    assert identity((left + right) ** 2, left**2 + 2 * left * right + right**2).verdict is Verdict.PROVED


@settings(max_examples=40, deadline=None)
@given(expressions(), st.fractions(max_denominator=10**9).filter(bool))
def test_adding_a_constant_however_small_is_never_proved(e: sp.Expr, c: Fraction) -> None:
    assert identity(e, e + sp.Rational(c.numerator, c.denominator)).verdict is not Verdict.PROVED


@settings(max_examples=60, deadline=None)
@given(expressions(), expressions())
def test_the_hand_written_ring_calls_zero_only_what_is_numerically_zero(left: sp.Expr, right: sp.Expr) -> None:
    if ring.is_zero(left - right):
        for px, py in ((Fraction(1, 3), Fraction(-2, 7)), (Fraction(-5, 4), Fraction(3, 2))):
            at = {x: sp.Rational(px.numerator, px.denominator), y: sp.Rational(py.numerator, py.denominator)}
            assert abs(sp.N((left - right).subs(at), 30)) < sp.Rational(1, 10**20)


@pytest.mark.parametrize(
    ("e", "zero"),
    [
        (sp.exp(x / 2) ** 2 - sp.exp(x), True),
        (sp.exp(x / 2) - 1, False),
        (sp.exp(x) * sp.exp(y) - sp.exp(x + y), True),
        (sp.exp(x * y) - sp.exp(x) * sp.exp(y), False),
        (sp.sqrt(1 + x) ** 3 - (1 + x) * sp.sqrt(1 + x), True),
        (sp.sqrt(1 / (1 + x)) ** 2 * (1 + x) - 1, True),
        (sp.sqrt(x**2 + 1) - x, False),
        (sp.log(12) - 2 * sp.log(2) - sp.log(3), True),
        (sp.log(12) - sp.log(2) - sp.log(3), False),
        (x * x**t - x ** (t + 1), True),
        (4**t - 2 ** (2 * t), True),
        (x - y, False),
        (x**2 + y**2 - (x + y) ** 2, False),
        (1 / (x - 1) - 1 / (x + 1) - 2 / (x**2 - 1), True),
    ],
)
def test_zero_is_recognised_by_hand(e: sp.Expr, zero: bool) -> None:
    assert ring.is_zero(e) is zero


@pytest.mark.parametrize("liar", ["normal_form", "recheck"])
def test_one_arithmetic_alone_proves_nothing(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, liar, lambda *_: sp.Integer(0) if liar == "normal_form" else True)
    assert identity(x, x + 1).verdict is Verdict.REFUTED


def test_an_induction_does_not_step_over_a_pole() -> None:
    assert telescoping("1/(k*(k + 1))", "-1/k", "k", 1).verdict is Verdict.PROVED
    assert telescoping("1/(k*(k + 1))", "-1/k", "k", -3).verdict is Verdict.UNDECIDED
    assert sum_identity("0*k", "(n - 3)/(n - 3) - 1", "k", 4, "n").verdict is Verdict.PROVED
    assert sum_identity("0*k", "(n - 3)/(n - 3) - 1", "k", 1, "n").verdict is Verdict.UNDECIDED


def test_an_integral_does_not_run_over_a_pole() -> None:
    evidence = integral(1 / t**2, -1 / t, t, -1, 1, sp.Integer(-2))
    assert evidence.verdict is Verdict.UNDECIDED
    assert "singular" in evidence.summary


def test_the_certificate_names_generators_denominators_and_generic_functions() -> None:
    m = smooth("m")
    evidence = identity(sp.diff(m(x) * sp.exp(x), x) / y, (m(x) + smooth("m", 1)(x)) * sp.exp(x) / y)
    assert {"exp(x)", "m(x)", "m_1(x)"} <= set(evidence.certificate["generators"])
    assert evidence.certificate["nonzero"] == ["y"]
    assert evidence.scope.startswith("every smooth m")


def test_a_cancelled_denominator_stays_in_the_scope() -> None:
    assert "x - 1 != 0" in identity("(x - 1)/(x - 1)", 1, variables=["x"]).scope


def test_the_variable_of_integration_may_not_occur_in_the_ends() -> None:
    with pytest.raises(ValueError, match="variable of integration"):
        integral(t, t**2 / 2, t, 0, t, t**2 / 2)


def test_a_float_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"rhs.*float"):
        identity(x, x + sp.Float("0.1"))
    with pytest.raises(ValueError, match=r"lhs = 0.5"):
        identity(0.5, x)


def test_matrices_of_different_shape_are_not_equal() -> None:
    assert matrix_identity(sp.eye(2), sp.eye(3)).verdict is Verdict.UNDECIDED
