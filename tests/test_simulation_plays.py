"""One run of a cell, kept so short that it can be followed: broken learners, data, bounds, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import constants, rivals, scout
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import cells, datasets
from glbcheck.core.simulation.grid import Block

CELL = Block(families=("bernoulli",), C=(10.0,), T=(12,), index=("closed-form",)).cells()[0]
IRIS = replace(CELL, arms="data:iris", d=12, algorithm="uniform")


@pytest.fixture
def no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maximum likelihood over a data set takes a while, and nothing here asks for it."""
    monkeypatch.setattr(datasets, "best_fixed", lambda name, family, d, S: np.full(d, 0.1))


@pytest.mark.parametrize(("changes", "refused"), [
    ({}, False), ({"algorithm": "hcw-glb-omd"}, False), ({"algorithm": "hcw-glb-omd", "variant": "no-weights"}, True),
    ({"adversary": "searched:2"}, True), ({"algorithm": "hcw-glb-omd+unknown-C"}, True),
])  # fmt: skip
def test_what_cannot_be_played_on_data_is_refused(changes: dict[str, Any], refused: bool, no_fit: None) -> None:
    cell = replace(IRIS, **changes)
    if not refused:
        cells.check(cell)
        return
    with pytest.raises(BadInput, match=r"^arms = 'data:iris' .* the correct learner"):
        cells.check(cell)


def test_an_algorithm_for_one_dispersion_is_refused_where_it_varies() -> None:
    one = next(name for name, what in rivals.ALGORITHMS.items() if what.one_dispersion)
    cell = replace(CELL, family="gaussian", algorithm=one, constants="sharpest")
    cells.check(replace(cell, dispersion="constant:0.5"))
    with pytest.raises(BadInput):
        cells.check(replace(cell, dispersion="spikes:0.1:1:5"))


def test_the_bound_of_a_learner_with_a_scout_has_its_allowance_and_no_other_bound_is_shown() -> None:
    cell = replace(CELL, constants="sharpest")
    alone, sent = (cells.play(replace(cell, algorithm=name), 1, 5) for name in ("hcw-glb-omd", "hcw-glb-omd-scout"))
    p = cells.prepared(replace(cell, algorithm="hcw-glb-omd-scout"))
    assert sent["bound_scout"] == pytest.approx(scout.allowance(p, 12))
    assert sent["bound_sharpest"] == pytest.approx(sum(sent[name] for name in cells.TERMS))
    assert (sent["bound_printed"], sent["bound_repaired"], alone["bound_scout"]) == (None, None, 0.0)
    assert None not in (alone["bound_printed"], alone["bound_repaired"])


@pytest.mark.parametrize("reading", ["paper", "repaired"])
def test_the_bound_of_a_run_is_that_of_its_dispersions(reading: str) -> None:
    cell = replace(CELL, family="gaussian", constants=reading, T=100)
    p = cells.prepared(cell)
    run: Any = SimpleNamespace(g_min=0.5, g_max=4.0, inverse_g=60.0, optimal_variance=90.0)
    setting = constants.Setting(
        2, 1.0, 100, 10.0, 0.05, p.alpha, p.R_s, p.L_mu, cells.kappa(cell), 0.5, 4.0, use=p.use
    )  # fmt: skip
    if reading == "paper":
        expected = constants.regret_bound(setting, 90.0, 59.75, 60.0)
    else:
        radii = setting.radius(59.75), setting.radius(60.0)
        expected = constants.regret_bound_repaired(setting, 90.0, 60.0, *radii)
    assert cells.regret_bound(cell, run) == pytest.approx(float(expected), rel=1e-12)
