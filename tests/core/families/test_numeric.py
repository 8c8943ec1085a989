"""The floating-point functions agree with 50-digit values to 1e-13, relative, for |z| up to 700."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, from_log_partition, z
from glbcheck.core.numeric import Table
from hypothesis import given, settings
from hypothesis import strategies as st

TOLERANCE = 1e-13
SMALLEST = 1e-300  # below this doubles lose digits of their own accord


def exact(expr: sp.Expr, at: float) -> mpmath.mpf:
    """The value to 50 digits: evaluated at rising precision until two precisions agree."""
    function = sp.lambdify(z, expr, "mpmath")
    previous, digits = mpmath.nan, 80  # nothing agrees with nan
    while digits < 6000:
        with mpmath.workdps(digits):
            try:
                value = mpmath.mpmathify(function(mpmath.mpf(at)))
            except ZeroDivisionError:
                value = mpmath.nan
            settled = value != 0 and abs(value - previous) <= abs(value) * mpmath.mpf(10) ** -50
            tiny = digits > 700 and abs(value) < SMALLEST and abs(previous) < SMALLEST
            if settled or tiny:
                return value
        previous, digits = value, digits * 2
    raise AssertionError(f"{expr} at {at} did not settle")


def reach(family: Family) -> st.SearchStrategy[float]:
    """Points up to 700 in size, and down to 1e-12 away from 0, where many formulas cancel."""
    low, high = float(family.domain.inf), float(family.domain.sup)
    small = st.floats(-11.9, 0).map(lambda e: 10.0**e)
    size = st.one_of(st.floats(1e-3, 6), st.floats(1e-3, 6), small, st.sampled_from([100.25, 333.3, 700.0]))
    signed = st.builds(lambda s, x: s * x, st.sampled_from([-1.0, 1.0]), size)
    return st.one_of(signed, st.just(0.0)).filter(lambda x: low < x < high)


@pytest.mark.parametrize("derivative", range(4))
@pytest.mark.parametrize("name", catalog.NAMES)
def test_table_agrees_with_fifty_digits(name: str, derivative: int) -> None:
    family = catalog.get(name)
    expr = sp.diff(family.log_partition, z, derivative)

    @given(reach(family))
    @settings(max_examples=20, deadline=None, derandomize=True, database=None)
    def agrees(at: float) -> None:
        if at == 0 and not expr.subs(z, 0).is_finite:
            at = 1e-8  # the formula has a removable singularity there; see the next test
        value = float(family.table(derivative, at))
        assert np.isfinite(value)
        truth = exact(expr, at)
        assert abs(value - truth) <= TOLERANCE * max(abs(truth), SMALLEST)

    agrees()


@pytest.mark.parametrize(("name", "values"), [
    ("uniform", (0.0, 0.0, 1 / 3, 0.0)), ("continuous_bernoulli", (0.0, 0.5, 1 / 12, 0.0)),
    ("von_mises", (0.0, 0.0, 0.5, 0.0)), ("rademacher", (0.0, 0.0, 1.0, 0.0)),
    ("bernoulli", (np.log(2), 0.5, 0.25, 0.0)),
])  # fmt: skip
def test_values_at_zero_are_exact(name: str, values: tuple[float, ...]) -> None:
    family = catalog.get(name)
    for derivative, value in enumerate(values):
        assert float(family.table(derivative, 0.0)) == pytest.approx(value, rel=1e-15, abs=0)


@pytest.mark.parametrize("offset", [0.0, 1e-15, -1e-14, 3e-12, -1e-9, 1e-6])
def test_accuracy_is_relative_next_to_an_irrational_zero(offset: float) -> None:
    """m of the zero-truncated Poisson vanishes at log log 2."""
    family = catalog.get("zero_truncated_poisson")
    at = float(np.log(np.log(2.0))) + offset
    truth = exact(family.log_partition, at)
    assert abs(float(family.m(at)) - truth) <= TOLERANCE * abs(truth)


@pytest.mark.parametrize("at", [-1e-12, -1e-9, -1e-5])
def test_a_pole_of_m_is_approached_closely(at: float) -> None:
    family = catalog.get("exponential")
    assert float(family.mu(at)) == pytest.approx(-1 / at, rel=1e-15)
    assert float(family.m(at)) == pytest.approx(-np.log(-at), rel=1e-15)


def test_functions_do_not_overflow_and_are_vectorised_over_any_shape() -> None:
    m = catalog.get("bernoulli").m
    np.testing.assert_allclose(m([700.0, -700.0]), [700.0, np.exp(-700.0)], rtol=1e-15)
    family = catalog.get("poisson")
    points = np.linspace(-2, 2, 24).reshape(2, 3, 4)
    np.testing.assert_allclose(family.mu(points), np.exp(points), rtol=1e-14)
    assert family.mu(np.zeros((0, 3))).shape == (0, 3)
    assert family.mu(0.0).shape == ()


# --- how far a table goes, and that no question changes the answer to another ---

TINY = 2.0**-40
LAST = 708.0


def table(m: sp.Expr, low: object = -sp.oo, high: object = sp.oo) -> Table:
    """A new one, that was asked nothing."""
    return Table(from_log_partition("test", m, sp.Interval.open(low, high)))


@pytest.mark.parametrize(("low", "high", "least", "most"), [
    (-sp.oo, sp.oo, -LAST, LAST), (-sp.oo, 0, -LAST, -TINY), (0, sp.oo, TINY, LAST), (-1000, 1000, -LAST, LAST),
    (-2, 3, math.nextafter(-2, 0), math.nextafter(3, 0)), (-sp.pi, sp.pi, -math.pi, math.pi),
    (-1, 0, math.nextafter(-1, 0), -TINY), (0, 1, TINY, math.nextafter(1, 0)),
], ids=str)  # fmt: skip
def test_a_table_goes_as_far_as_doubles_hold_m_and_no_further(
    low: object, high: object, least: float, most: float
) -> None:
    found = table(z**2, low, high)
    values = found(0, [least, most])
    np.testing.assert_allclose(values, [least**2, most**2], rtol=1e-14)
    for beyond in (math.nextafter(least, -math.inf), math.nextafter(most, math.inf), math.nan):
        with pytest.raises(BadInput) as caught:
            found(1, [(least + most) / 2, beyond])
        assert caught.value.accepted == f"numbers in [{least!r}, {most!r}]"
        with pytest.raises(BadInput):
            found.cells(least, beyond)
    assert found.cells(most, most).breaks[-1] == most
    assert found.cells(least, least).breaks[0] == least


POINTS = np.array([0.75, 3.0, 1.0, -0.7, -0.5, 0.5])


def test_an_answer_has_the_same_bits_whatever_was_asked_before() -> None:
    m = sp.exp(z)
    truth = [float(table(m)(1, point)) for point in POINTS]
    one_by_one, together, backwards = table(m), table(m), table(m)
    np.testing.assert_array_equal([float(one_by_one(1, point)) for point in POINTS], truth)
    np.testing.assert_array_equal(together(1, POINTS.reshape(2, 3)), np.reshape(truth, (2, 3)))
    np.testing.assert_array_equal([float(backwards(1, point)) for point in POINTS[::-1]], truth[::-1])


@pytest.mark.parametrize(("m", "reason"), [
    (z**2 * (sp.cosh(6000 * z) ** 2 - sp.sinh(6000 * z) ** 2), "can be evaluated"),  # z², cancelled from e^12000
    (-sp.log(-z), "three derivatives can be evaluated"),
], ids=["cancels beyond any precision", "not defined"])  # fmt: skip
def test_where_m_cannot_be_evaluated_there_is_no_value(m: sp.Expr, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        table(m)(0, [1.0])
