"""The link of a family as a table: the same as the family's own functions, wherever its cells and bins end."""

from __future__ import annotations

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


@pytest.mark.parametrize(("name", "S"), [("bernoulli", 8.0), ("poisson", 2.5), ("gaussian", 1.0), ("skellam", 1.0)])
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
