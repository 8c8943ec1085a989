"""Rivals whose constants are made for a number of rounds: what they refuse."""

from __future__ import annotations

import math

from glbcheck.core.errors import BadInput


def checked_horizon(horizon: float) -> None:
    if not 1 <= horizon < math.inf:
        raise BadInput("horizon", horizon, "the number of rounds to come, at least 1")


def checked_round(t: int, horizon: float) -> None:
    if t > horizon:
        raise BadInput("round", t, f"the {horizon:g} rounds that the constants were made for (horizon)")
