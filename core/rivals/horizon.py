"""Rivals whose constants are made for some rounds and dispersions: what they refuse."""

from __future__ import annotations

import math

from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family


def checked_horizon(horizon: float) -> None:
    if not 1 <= horizon < math.inf:
        raise BadInput("horizon", horizon, "the number of rounds to come, at least 1")


def checked_round(t: int, horizon: float) -> None:
    if t > horizon:
        raise BadInput("round", t, f"the {horizon:g} rounds that the constants were made for (horizon)")


def promised(family: Family, dispersion: float, dispersions: tuple[float, float]) -> float:
    """A dispersion that the family has and that lies in the range that was stated."""
    low, high = dispersions
    if not low <= family.check_dispersion(dispersion) <= high:
        raise BadInput("dispersion", dispersion, f"from {low:g} to {high:g}, as `dispersions` says")
    return dispersion
