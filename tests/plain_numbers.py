"""The wide numbers of `core.engine.wide` and `wide_memory` in plain Python, for runs with NUMBA_DISABLE_JIT=1.

A wide number is an array with an entry for each lane; what compiled code does to registers, numpy does to arrays.
"""

from __future__ import annotations

import builtins
import gc
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from glbcheck.core import adversary
from glbcheck.core.engine import abreast, arms, lanes, replicates, state, streams, wide, wide_memory
from glbcheck.core.engine.tally import COUNT, SUMS


class Wide(np.ndarray[Any, Any]):
    """A wide number: `+=` makes another one, and leaves alone whoever else holds the old."""

    def __iadd__(self, other: Any) -> Any:  # type: ignore[misc]
        return self + other

    def __isub__(self, other: Any) -> Any:  # type: ignore[misc]
        return self - other

    def __imul__(self, other: Any) -> Any:  # type: ignore[misc]
        return self * other


class Wides:
    """An array of wide numbers: floats whose last axis is the lane.  Reading one gives a copy, as registers do."""

    def __init__(self, floats: Any) -> None:
        self.floats = floats

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.floats.shape[:-1])

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def reshape(self, *shape: int) -> Wides:
        return Wides(self.floats.reshape(*shape, wide.LANES))

    def __getitem__(self, place: Any) -> Any:
        found = self.floats[place]
        return found.copy().view(Wide) if found.ndim == 1 else Wides(found)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.floats[place] = value


class Record:
    """Wide numbers by name, in the memory of the array."""

    def __init__(self, names: tuple[str, ...], numbers: Wides) -> None:
        self.__dict__.update(_places={name: i for i, name in enumerate(names)}, _numbers=numbers)

    def __getattr__(self, name: str) -> Any:
        return self._numbers[self._places[name]]

    def __setattr__(self, name: str, value: Any) -> None:
        self._numbers[self._places[name]] = value


class _Plain(np.record):  # type: ignore[misc]
    """A record whose field `size` is not numpy's attribute of that name."""

    size = property(lambda self: self["size"])


def _record(kind: Any) -> Callable[[Wides], Record]:
    return lambda numbers: Record(kind.names, numbers)


def where(condition: Any, this: Any, other: Any) -> Any:
    if isinstance(condition, np.ndarray):
        return np.where(condition, this, other).view(Wide)
    return this if condition else other


def some(condition: Any) -> bool:
    return bool(np.any(condition))


def one(number: Any) -> Any:
    return number[0] if isinstance(number, np.ndarray) else number


def root(number: Any) -> Any:
    return np.sqrt(np.maximum(number, 1e-290)) if isinstance(number, np.ndarray) else np.sqrt(number)


def spread(value: float) -> Any:
    return np.full(wide.LANES, value).view(Wide)


def gather(table: Any, place: Any, offset: int) -> Any:
    if isinstance(place, np.ndarray):
        return table.reshape(-1)[np.asarray(place).astype(int) + offset].view(Wide)
    return table[int(place) + offset]


def scatter(table: Any, place: Any, value: Any) -> None:
    table[np.asarray(place).astype(int)] = value


def lane_numbers() -> Any:
    return np.arange(float(wide.LANES)).view(Wide)


def _number(stream: Any, place: int) -> int:
    return int(stream[place]) & 2**64 - 1 | (int(stream[place + 1]) & 2**64 - 1) << 64


def _store(stream: Any, place: int, number: int) -> None:
    stream[place : place + 2] = np.array([number & 2**64 - 1, number >> 64], dtype=np.uint64).view(np.int64)


def _step(stream: Any, number: int, increment: int) -> int:
    stepped = (number * streams.MULTIPLIER + increment) % 2**128
    _store(stream, 0, stepped)
    return stepped


def start(stream: Any) -> None:
    increment = (2 * _number(stream, 2) + 1) % 2**128
    _step(stream, increment + _number(stream, 0), increment)
    _store(stream, 2, increment)


def leap(stream: Any) -> None:
    factor, sums = streams.LEAP
    _store(stream, 0, (factor * _number(stream, 0) + sums * _number(stream, 2)) % 2**128)


def bits(stream: Any) -> int:
    number = _step(stream, _number(stream, 0), _number(stream, 2))
    folded, turn = (number ^ number >> 64) & 2**64 - 1, number >> 122
    found = (folded >> turn | folded << 64 - turn) & 2**64 - 1
    return found - (found >> 63 << 64)  # the highest bit is a sign, as it is in compiled code


def stretch(row: Any, place: int) -> Any:
    """What lies beyond the end of a row means nothing; here it is 0."""
    found = spread(0.0)
    known = row[place : place + wide.LANES]
    found[: known.size] = known
    return found


def put_abreast(row: Any, place: int, value: Any) -> None:
    row[place : place + wide.LANES] = value[: row.size - place]


def before_end(row: Any, place: int) -> Any:
    return np.arange(wide.LANES) < row.size - place


def entry(floats: Any, place: int) -> Any:
    return floats.reshape(-1)[place]


def stretches(floats: Any) -> Wides:
    whole = floats.size // wide.LANES
    return Wides(floats.reshape(-1)[: whole * wide.LANES].reshape(whole, wide.LANES))


def fetch_line(floats: Any, place: int) -> None:
    """Nothing is nearer than a list."""


def largest(number: Any) -> float:
    return float(np.max(number))


def first_lane(mask: Any) -> int:
    return int(np.argmax(mask)) if np.any(mask) else 2**62


def count_lanes(mask: Any) -> int:
    return int(np.count_nonzero(mask))


def total(number: Any) -> float:
    return float(np.sum(number))


def lanes_as_bits(mask: Any) -> int:
    return sum(1 << int(lane) for lane in np.flatnonzero(mask))


def lowest_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _extreme(one_of: Any, pick: Any) -> Any:
    """max or min, lane by lane if there are lanes."""

    def extreme(*given: Any, **options: Any) -> Any:
        wide_ones = len(given) == 2 and any(isinstance(number, np.ndarray) and number.ndim for number in given)
        return pick(*given) if wide_ones else one_of(*given, **options)

    return extreme


def learner_in(numbers: Any) -> Any:
    """The parts of a flat array, with a record of wide numbers if they are."""
    facts_in: Any = _record(state.FACTS) if isinstance(numbers, Wides) else state.facts_in
    return state.views(numbers, facts_in)


def _namespaces() -> list[dict[str, Any]]:
    """Those of modules, and those of functions that were made from theirs for a few names of their own."""
    gc.unfreeze()  # what is frozen is not listed
    modules = [vars(module) for name, module in sys.modules.items() if name.startswith("glbcheck.core")]
    made = [held.__globals__ for held in gc.get_objects() if isinstance(held, FunctionType)]
    found = {id(space): space for space in made if str(space.get("__name__")).startswith("glbcheck.core")}
    return list({**found, **{id(space): space for space in modules}}.values())


def install() -> None:
    """Put these in the place of what only compiled code can call, wherever it is imported."""
    twins: dict[Any, dict[str, Any]] = {
        wide: {"where": where, "some": some, "one": one, "root": root, "spread": spread},
        wide_memory: {"gather": gather, "scatter": scatter, "lane_numbers": lane_numbers},
        streams: {"start": start, "bits": bits, "leap": leap},
        state: {"learner_in": learner_in},
        arms: {"arms_in": arms.views},
        abreast: {"abreast": stretch, "put_abreast": put_abreast, "before_end": before_end, "entry": entry,
                  "stretches": stretches, "fetch_line": fetch_line,
                  "largest": largest, "first_lane": first_lane, "count_lanes": count_lanes,
                  "abreast_within": stretch, "put_within": put_abreast, "total": total,
                  "lanes_as_bits": lanes_as_bits, "lowest_bit": lowest_bit},
    }  # fmt: skip
    originals = {id(getattr(home, name)): twin for home, those in twins.items() for name, twin in those.items()}
    for space in _namespaces():
        space.update({name: originals[id(value)] for name, value in space.items() if id(value) in originals})
        if space["__name__"].startswith("glbcheck.core.engine"):
            space.update(max=_extreme(builtins.max, np.maximum), min=_extreme(builtins.min, np.minimum))
    ledger = np.dtype((_Plain, [(name, np.float64) for name in adversary.LEDGER.names or ()]))
    adversary.LEDGER = replicates.LEDGER = ledger  # type: ignore[attr-defined]
    lanes._sums_in, lanes._sums_alone = _record(SUMS), lambda numbers: numbers[:COUNT].view(SUMS)[0]
