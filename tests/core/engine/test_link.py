"""The link of a family as a table: the same as the family's own functions, wherever its cells and bins end."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import link


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


@pytest.mark.parametrize("z", [1e-3, -1e-3, 1e-12, -1e-12])
def test_a_mean_next_to_its_root_has_as_many_digits_as_any_other(z: float) -> None:
    skellam = catalog.get("skellam")
    assert link.evaluate(link.pack(skellam, 1.0), z)[0] == pytest.approx(float(skellam.mu(z)), rel=5e-16, abs=0.0)
