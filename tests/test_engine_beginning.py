"""The engine's learner before its first round."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.constants import REPAIRED
from glbcheck.core.engine.rounds import trust_in
from glbcheck.core.engine.state import initial, own_lines, views
from glbcheck.core.engine.variant import Variant
from glbcheck.core.parameters import Parameters, parameters

POISSON = catalog.get("poisson")


def with_budget(reading: str) -> Parameters:
    return parameters(POISSON, 2, 1.0, 0.05, 3.0, reading=reading)


@pytest.mark.parametrize("reading", ["paper", "repaired", "local", "sharpest"])
def test_the_first_radius_is_that_of_the_reference(reading: str) -> None:
    p = with_budget(reading)
    expected = p.radius(p.beta(0.0, 0.0))
    assert views(initial(p)).facts.radius == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("reading", ["repaired", "sharpest"])
def test_without_widening_the_first_radius_is_beta(reading: str) -> None:
    p = with_budget(reading)
    assert views(initial(p, Variant(widening=False))).facts.radius == pytest.approx(p.beta(0.0, 0.0), rel=1e-13)


@pytest.mark.parametrize("name", ["old_hessian", "euclidean"])
def test_a_variant_is_written_into_the_state(name: str) -> None:
    p = with_budget("repaired")
    assert getattr(views(initial(p)).facts, name) == 0.0
    assert getattr(views(initial(p, Variant(**{name: True}))).facts, name) == 1.0


def test_in_the_beginning_no_arm_can_have_been_put_away() -> None:
    assert math.isinf(views(initial(with_budget("repaired"))).facts.moved)


@pytest.mark.parametrize("bent", [2.0, 10.0])
def test_a_radius_that_is_no_root_of_a_line_is_refused(bent: float) -> None:
    def beta(S: float, delta: float, eta: float, lam: float, logdet: float) -> float:
        return math.sqrt(1.0 + min(logdet, bent))

    p = replace(with_budget("repaired"), use=replace(REPAIRED, name="bent", beta_from_logdet=beta))
    with pytest.raises(NotImplementedError, match="radius of the bent constants"):
        initial(p)


def test_arrays_of_threads_share_no_cache_line() -> None:
    kept = [own_lines(size, 3) for size in range(1, 60)]
    for array in kept:
        whole, line = array.base, 64
        assert whole is not None
        assert array.ctypes.data % line == 0
        first, end = whole.ctypes.data, whole.ctypes.data + whole.nbytes
        assert first <= array.ctypes.data
        assert array.ctypes.data + -(-array.nbytes // line) * line <= end
        assert np.all(array == 0.0)


@pytest.mark.parametrize(("looks", "expected"), [(1.0, 8.0), (0.0, 2.0)])
def test_trust_is_that_of_the_weights_with_or_without_dispersions(looks: float, expected: float) -> None:
    p = with_budget("repaired")
    facts = views(initial(p)).facts
    facts.alpha, facts.weighs_dispersion = 1.0, looks
    assert trust_in(facts, 4.0, 0.25) == expected
