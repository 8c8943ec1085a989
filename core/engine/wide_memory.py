"""Wide numbers in memory: tables in which each lane has its own place, and records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from glbcheck.core._numba import reading
from glbcheck.core.engine.wide import FLOATS, INDEX, LANES, PLACES, WIDE
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model


@intrinsic  # type: ignore[untyped-decorator]
def lane_numbers(typingctx: Any) -> Any:
    """0, 1, 2, ..., each in its lane."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(FLOATS, [float(w) for w in range(LANES)])

    return WIDE(), build


@intrinsic  # type: ignore[untyped-decorator]
def gather(typingctx: Any, table: Any, place: Any, offset: Any) -> Any:
    """The entry `place + offset` of a flat table; each lane its own where the place is one for each."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
        start = builder.gep(data, [args[2]])
        if sig.args[1] == types.float64:
            return builder.load(builder.gep(start, [builder.fptosi(args[1], ir.IntType(64))]))
        result = FLOATS(ir.Undefined)
        for lane, address in enumerate(_addresses(builder, start, args[1])):
            result = builder.insert_element(result, builder.load(address), INDEX(lane))
        return result

    return place(table, place, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def scatter(typingctx: Any, table: Any, place: Any, value: Any) -> Any:
    """Puts the value of each lane at its place in a flat table; the places differ."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
        for lane, address in enumerate(_addresses(builder, data, args[1])):
            builder.store(builder.extract_element(args[2], INDEX(lane)), address)
        return context.get_dummy_value()

    return types.void(table, WIDE, WIDE), build


def _addresses(builder: Any, start: Any, places: Any) -> Iterator[Any]:
    """One for each lane: loads and stores one by one are faster than what processors have for all at once."""
    whole = builder.fptosi(places, PLACES)
    for lane in range(LANES):
        yield builder.gep(start, [builder.extract_element(whole, INDEX(lane))])


class _Record(types.Record):
    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype([(name, np.float64, LANES) for name in self.fields])


register_model(_Record)(models.RecordModel)


def wide_record(record: np.dtype[Any]) -> Any:
    """A compiled function that reads a flat array of wide numbers as a record with these names."""
    return reading(wide_fields(record))


def wide_fields(record: np.dtype[Any]) -> Any:
    """The type of a record of wide numbers with these names."""
    names = record.names or ()
    fields: Any = [(name, {"type": WIDE, "offset": 8 * LANES * i, "alignment": None, "title": None})
              for i, name in enumerate(names)]  # fmt: skip
    return _Record(fields, 8 * LANES * len(names), aligned=False)
