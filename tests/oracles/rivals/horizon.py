"""Rounds and dispersions that the constants of a readable rival were not made for."""

from __future__ import annotations

from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family


def checked_round(t: int, horizon: float) -> None:
    if t > horizon:
        raise BadInput("round", t, f"the {horizon:g} rounds that the constants were made for (horizon)")


def promised(family: Family, dispersion: float, dispersions: tuple[float, float]) -> float:
    """A dispersion that the family has and that lies in the range that was stated."""
    low, high = dispersions
    if not low <= family.check_dispersion(dispersion) <= high:
        raise BadInput("dispersion", dispersion, f"from {low:g} to {high:g}, as `dispersions` says")
    return dispersion
