"""The cells of a table: where they are, that they leave no gap, and that no question changes the answer to another."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from glbcheck.core._compiled import evaluate
from glbcheck.core.errors import BadInput
from glbcheck.core.family import from_log_partition, z
from glbcheck.core.numeric import Table

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
        assert repr(caught.value.value) == repr(beyond)
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


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (0.3, 0.4), (-3.0, 0.5), (0.5, 5.0)])
def test_cells_for_an_interval_cover_it_without_a_gap_and_with_the_same_bits(low: float, high: float) -> None:
    found = table(sp.log(1 + sp.exp(z)))
    breaks, centers, coefficients = found.cells(low, high)
    assert centers.shape == (4, breaks.size - 1, 2)
    assert coefficients.shape[:2] == (4, breaks.size - 1)
    assert np.all(np.diff(breaks) > 0)
    assert low / 4 - 0.25 <= breaks[0] / 4 <= low / 4
    assert high <= breaks[-1] <= 2 * high
    points = np.append(np.linspace(low, high, 50), high)
    for derivative in range(4):
        bare = evaluate(breaks, centers[derivative], coefficients[derivative], points)
        np.testing.assert_array_equal(bare, found(derivative, points))
    np.testing.assert_allclose(found(1, points), 1 / (1 + np.exp(-points)), rtol=1e-14)
