"""The link of a family as a table: the same as the family's own functions, wherever its cells and bins end."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import link


@pytest.mark.parametrize("S", [0.3, 1.0, 4.0])
def test_a_link_is_the_same_where_bins_are_crowded(S: float, monkeypatch: pytest.MonkeyPatch) -> None:
    family, at = catalog.get("bernoulli"), np.random.default_rng(2).uniform(-S, S, 300)
    fine = link.pack(family, S)
    monkeypatch.setattr(link, "_BINS", 4)
    monkeypatch.setattr(link, "_MOST_BINS", 4)
    crowded = link.pack.__wrapped__(family, S)
    assert crowded[2] == 1.0
    assert fine[2] == 0.0
    for z in (*at, -S, S):
        mu, dmu = link.evaluate(fine, z)
        assert (mu, dmu) == link.evaluate(crowded, z)
        assert dmu == pytest.approx(link.slope(fine, z), rel=1e-15)
        assert abs(mu - family.mu(z)) < 1e-15
        assert abs(dmu - family.dmu(z)) < 1e-15


@pytest.mark.parametrize("bins", [4, 256])
def test_a_break_belongs_to_the_cell_that_it_begins(bins: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_BINS", bins)
    monkeypatch.setattr(link, "_MOST_BINS", bins)
    table = link.pack.__wrapped__(catalog.get("bernoulli"), 0.3)
    breaks = table[6 + 2 * bins :][: int(table[0]) - 1]
    for n, z in enumerate(breaks):
        assert link._row_of(table, float(z))[1] == (n + 1) * link._ROW


@pytest.mark.parametrize(("name", "S"), [
    ("bernoulli", 8.0), ("bernoulli", 1.99), ("poisson", 2.5), ("gaussian", 1.0), ("skellam", 1.0),
])  # fmt: skip
def test_a_link_and_its_slope_are_those_of_the_family_at_breaks_between_and_at_the_ends(name: str, S: float) -> None:
    family, table = catalog.get(name), link.pack(catalog.get(name), S)
    cells, bins = int(table[0]), int(table[1])
    breaks = table[6 + 2 * bins : 6 + 2 * bins + cells - 1]
    at = np.concatenate([breaks, np.nextafter(breaks, -9), np.linspace(-S, S, 60), [-S, S]])
    scale, steepest = np.abs(family.mu(np.array([-S, S]))).max(), family.dmu(np.linspace(-S, S, 99)).max()
    for z in at:
        mu, dmu = link.evaluate(table, float(z))
        assert mu == pytest.approx(float(family.mu(z)), abs=4e-16 * scale, rel=4e-16)
        assert dmu == pytest.approx(float(family.dmu(z)), abs=4e-16 * steepest, rel=4e-16)
        assert link.slope(table, float(z)) == pytest.approx(dmu, rel=1e-15)
    for beyond in (1.0001 * S, 1e9):
        assert link.evaluate(table, beyond) == link.evaluate(table, S)
        assert link.evaluate(table, -beyond) == link.evaluate(table, -S)


@pytest.mark.parametrize(("name", "S"), [("bernoulli", 1.99), ("bernoulli", 2.0), ("bernoulli", 6.0)])
def test_bins_are_doubled_until_each_has_a_break_at_most(name: str, S: float) -> None:
    table = link.pack(catalog.get(name), S)
    cells, bins = int(table[0]), int(table[1])
    apart = np.diff(table[6 + 2 * bins : 6 + 2 * bins + cells - 1]).min()
    assert table[2] == 0.0
    assert apart >= 2 * S / bins
    assert bins == 256 or apart < 2 * S / (bins / 2)
    assert bins in (256, 512, 1024)


def test_a_cell_is_halved_until_the_degree_does_and_is_as_accurate_as_floats_next_to_a_root_that_is_none() -> None:
    roots = Fraction(1, 3), Fraction(2, 5)
    series = [(k % 2) / math.factorial(k) for k in range(21)]  # of the hyperbolic sine
    cell = np.array([(float(root), float(root - Fraction(float(root)))) for root in roots]), np.array([series] * 2)
    edges, rows = link._refined(np.array([0.25, 0.5]), *cell)
    assert edges.size in (2, 4, 8, 16, 32)
    assert link._rows(np.linspace(0.25, 0.5, edges.size // 2 + 1), *cell) is None
    np.testing.assert_array_equal(edges, np.linspace(0.25, 0.5, edges.size + 1)[:-1])
    for n, left in enumerate(edges):
        for z in np.linspace(left, left + 0.25 / edges.size, 4):
            for i, root in enumerate(roots):
                found = link._value(rows.ravel(), float(z), float(n * rows.shape[1]), 0, i)
                with mp.workprec(120):
                    truth = mp.sinh(mp.mpf(float(z)) - mp.mpf(root.numerator) / root.denominator)
                    assert abs(mp.mpf(float(found)) / truth - 1) < 5e-16


@pytest.mark.parametrize("z", [1e-3, -1e-3, 1e-12, -1e-12])
def test_a_mean_next_to_its_root_has_as_many_digits_as_any_other(z: float) -> None:
    skellam = catalog.get("skellam")
    assert link.evaluate(link.pack(skellam, 1.0), z)[0] == pytest.approx(float(skellam.mu(z)), rel=5e-16, abs=0.0)


def test_a_polynomial_is_the_same_around_another_point() -> None:
    series = np.array([3.0, -1.0, 2.0, 0.5, -4.0])
    moved = link._moved(series, np.array([0.5, -2.0], dtype=np.longdouble))
    for column, by in enumerate((0.5, -2.0)):
        expected = np.polynomial.Polynomial(series)(np.polynomial.Polynomial([by, 1.0]))
        np.testing.assert_array_equal(moved[:, column].astype(float), expected.coef)
