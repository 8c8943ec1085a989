"""A constant of a family, between two floats."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Constant:
    """A constant of a family: lower <= true value <= upper, a closed form if known, where it is attained."""

    exact: str | None
    lower: float
    upper: float
    attained: str

    def as_dict(self) -> dict[str, str | float | None]:
        return {"exact": self.exact, "lower": self.lower, "upper": self.upper}
