"""`Scouted` and its state, under the name that tests still use."""

from glbcheck.core.algorithm.scouted import Scouted, ScoutedState

__all__ = ["Scouted", "ScoutedState"]
