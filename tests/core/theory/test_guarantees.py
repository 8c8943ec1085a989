"""When a constant voids a guarantee, what is needed for one, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from glbcheck.core import catalog, concordance
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import parameters


@pytest.mark.parametrize("name", ["R_s", "L_mu"])
def test_a_constant_a_twentieth_below_what_is_needed_voids_the_guarantee(name: str) -> None:
    family = catalog.get("bernoulli")
    needed = {"R_s": concordance.R_s, "L_mu": concordance.L_mu}[name](family, 2.0).upper
    for factor, tuned in ((0.95, (name,)), (1.0, ())):
        p = parameters(family, 2, 2.0, 0.05, 0.0, **{name: factor * needed})  # type: ignore[arg-type]
        assert p.tuned == tuned
        assert p.guarantee.startswith("none") == bool(tuned)


def test_the_repaired_theorem_needs_its_constant_on_the_whole_line() -> None:
    family = catalog.get("bernoulli")
    whole = concordance.R_s_global(family).upper
    for factor in (0.95, 1.0):
        p = parameters(family, 2, 2.0, 0.05, 0.0, reading="repaired", R_s=factor * whole)
        assert p.guarantee.startswith("none") == (factor < 1)


def not_enclosed(*_: Any) -> None:
    raise NotEnclosed("on purpose")


def test_what_cannot_be_enclosed_guarantees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    family, another = (replace(catalog.get("bernoulli"), name=name) for name in ("never asked", "nor this one"))
    monkeypatch.setattr(concordance, "R_s_global", not_enclosed)
    p = parameters(family, 2, 1.0, 0.05, 0.0, reading="repaired")
    assert p.guarantee.startswith("none: the repaired theorem")
    with pytest.raises(BadInput, match="self-concordant on the whole line"):
        parameters(family, 2, 1.0, 0.05, 0.0, reading="sharpest")
    by_hand = parameters(another, 2, 1.0, 0.05, 0.0, R_s=10.0, L_mu=10.0)
    monkeypatch.setattr(concordance, "R_s", not_enclosed)
    assert by_hand.tuned == ("R_s",)


@pytest.mark.parametrize(("argument", "value"), [
    ("delta", 1.0), ("delta", 0.0), ("delta", "small"), ("C", "much"), ("C", math.inf),
    ("lam", "much"), ("eta", -1.0), ("alpha", 0.0), ("d", 0), ("d", True), ("horizon", 0.5), ("scout", -1.0),
    ("scout", 0.5), ("index", "best"), ("radius_form", "round"), ("family", "gaussian"),
])  # fmt: skip
def test_what_no_learner_can_have_is_refused_by_name(argument: str, value: Any) -> None:
    chosen: dict[str, Any] = {"d": 2, "S": 1e5, "delta": 0.05, "C": 1.0}
    with pytest.raises(BadInput, match=rf"^{argument} = "):
        parameters(**{"family": catalog.get("gaussian"), **chosen, argument: value})


@pytest.mark.parametrize(("argument", "value"), [("S", 1e160), ("S", 1e-170), ("lam", 1e308), ("lam", 1e300)])
def test_a_ball_beyond_what_doubles_hold_is_refused(argument: str, value: float) -> None:
    chosen: dict[str, Any] = {"S": 1e5, argument: value}
    with pytest.raises(BadInput, match=r"^S = .* 4 λ S²"):
        parameters(catalog.get("gaussian"), d=2, delta=0.05, C=1.0, **chosen)


@pytest.mark.parametrize("reading", ["paper", "repaired"])
def test_the_printed_theorem_takes_its_constant_on_the_interval_and_the_repaired_one_on_the_line(reading: Any) -> None:
    family = catalog.get("bernoulli")
    local, whole = concordance.R_s(family, 1.0).upper, concordance.R_s_global(family).upper
    assert local < 0.9 * whole
    assert parameters(family, 2, 1.0, 0.05, 0.0, reading=reading).R_s == (local if reading == "paper" else whole)
