"""What the support says before anything is fitted: the first row whose reward the family cannot give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family, g
from glbcheck.core.fitting.data import Data
from numpy.typing import NDArray

ON_LATTICE = 1e-9  # distance from a lattice point, relative to its index
FINEST = 1e-6  # a common step below this share of the largest reward counts as none
PROBES = (1.0, 0.5, 2.0)


@dataclass(frozen=True)
class Impossible:
    """A row and its value that exclude a family, with the reason; the row is counted from 1."""

    row: int
    value: float
    why: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.value:.12g} {self.why}"


def impossible(family: Family, data: Data) -> Impossible | None:
    """The first reward or dispersion that the family cannot have, or None."""
    if data.dispersions is not None:
        for value in np.unique(data.dispersions):
            if not family.dispersions.allows(float(value)):
                row = int(np.flatnonzero(data.dispersions == value)[0])
                return Impossible(row + 1, float(value), f"is no dispersion of it: {family.dispersions.words}")
    return _outside(family, data) or _off_lattice(family, data) or _without_density(family, data)


def _first(bad: NDArray[np.bool_], data: Data, why: str) -> Impossible | None:
    rows = np.flatnonzero(bad)
    return Impossible(int(rows[0]) + 1, float(data.rewards[rows[0]]), why) if rows.size else None


def _outside(family: Family, data: Data) -> Impossible | None:
    low, high = float(family.support.lower), float(family.support.upper)
    return _first((data.rewards < low) | (data.rewards > high), data, f"lies outside {family.support}")


def _off_lattice(family: Family, data: Data) -> Impossible | None:
    step = family.support.step
    if step is None:
        return None
    spacing = np.full(data.n, float(step.subs(g, 1)))
    if step.has(g):
        if data.dispersions is None:
            return _no_common_step(family, data)
        spacing = spacing * data.dispersions
    index = (data.rewards - _origin(family)) / spacing
    off = np.abs(index - np.round(index)) > ON_LATTICE * np.abs(np.round(index))
    return _first(off, data, f"is no point of {family.support}")


def _no_common_step(family: Family, data: Data) -> Impossible | None:
    values = data.rewards - _origin(family)
    return None if common_step(_with_width(family, values)) else _finer(family, values, data)


def _finer(family: Family, values: Floats, data: Data) -> Impossible:
    """The row at which the common step of the rewards so far becomes too fine."""
    largest = float(np.abs(_with_width(family, values)).max())
    low, high = 1, values.size
    while low < high:
        middle = (low + high) // 2
        if common_step(_with_width(family, values[:middle]), largest):
            low = middle + 1
        else:
            high = middle
    why = f"and the rows before it are multiples of no step above {FINEST:g} of the largest reward"
    return Impossible(low, float(data.rewards[low - 1]), why)


def lattice_step(family: Family, data: Data) -> float:
    """The largest g for which every reward is a lattice point, for a family whose step is g."""
    return common_step(_with_width(family, data.rewards - _origin(family))) or 1.0


def _with_width(family: Family, values: Floats) -> Floats:
    """Between two finite ends the step must also divide the distance of the ends."""
    low, high = float(family.support.lower), float(family.support.upper)
    return np.append(values, high - low) if np.isfinite(high - low) else values


def _origin(family: Family) -> float:
    low = float(family.support.lower)
    return low if np.isfinite(low) else 0.0


def common_step(values: Floats, largest: float | None = None) -> float:
    """The greatest step of which all values are multiples, to rounding; 0 where there is none worth the name."""
    sizes = np.unique(np.abs(values))
    sizes = sizes[sizes > 0]
    if sizes.size == 0:
        return 1.0
    top = float(sizes[-1]) if largest is None else largest
    step = float(sizes[0])
    while step > FINEST * top:
        off = np.abs(sizes - np.round(sizes / step) * step) > ON_LATTICE * sizes  # as in `_euclid`, to the last bit
        if not off.any():
            return step
        step = _euclid(float(sizes[np.argmax(off)]), step, FINEST * top)
    return 0.0


def _euclid(a: float, b: float, floor: float) -> float:
    """The greatest common step of a >= b; 0 where it is at most the floor."""
    while b > floor:
        rest = abs(a - round(a / b) * b)
        if rest <= ON_LATTICE * a:
            return b
        a, b = b, rest
    return 0.0


def _without_density(family: Family, data: Data) -> Impossible | None:
    """An end of the support where the density is zero, or infinite, has no likelihood."""
    if family.support.step is not None:
        return None
    known = [value for value in PROBES if family.dispersions.allows(value)]
    tried = known if data.dispersions is None else [data.dispersions]
    finite = [np.isfinite(family.log_base_density(data.rewards, value)) for value in tried]
    return _first(~np.all(finite, axis=0), data, "has no finite log-density: the law never takes it")
