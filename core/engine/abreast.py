"""Rows of floats, as many at a time as there are lanes: one number for each arm of a run, several arms abreast.

Rows are those of the room of arms, where a row has memory up to a multiple of the lanes, whatever its length: what lies
beyond the end is read and written like the rest, and means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glbcheck.core.engine.wide import FLOATS, INDEX, LANES, MASK, PLACES, TRUTHS, WIDE, spread_out
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np import arrayobj

_BITS = ir.IntType(64)


@intrinsic  # type: ignore[untyped-decorator]
def abreast(typingctx: Any, row: Any, place: Any) -> Any:
    """The numbers of a row from this place on."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_stretch(context, builder, sig, args), align=8)

    return WIDE(row, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def abreast_within(typingctx: Any, row: Any, place: Any) -> Any:
    """The same, with zeros beyond the end of the row, where nothing is read."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _stretch(context, builder, sig, args)
        of = ir.FunctionType(FLOATS, [start.type, INDEX, TRUTHS, FLOATS])
        name = f"llvm.masked.load.v{LANES}f64.p0"
        function = cgutils.get_or_insert_function(builder.module, of, name)
        zeros = ir.Constant(FLOATS, [0.0] * LANES)
        return builder.call(function, [start, INDEX(8), _before_end(context, builder, sig, args), zeros])

    return WIDE(row, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def put_abreast(typingctx: Any, row: Any, place: Any, value: Any) -> Any:
    """Puts the lanes of a number in a row from this place on."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _stretch(context, builder, sig, args), align=8)
        return context.get_dummy_value()

    return types.void(row, types.int64, WIDE), build


@intrinsic  # type: ignore[untyped-decorator]
def put_within(typingctx: Any, row: Any, place: Any, value: Any) -> Any:
    """The same as far as the row goes."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _stretch(context, builder, sig, args)
        of = ir.FunctionType(ir.VoidType(), [FLOATS, start.type, INDEX, TRUTHS])
        function = cgutils.get_or_insert_function(builder.module, of, f"llvm.masked.store.v{LANES}f64.p0")
        builder.call(function, [args[2], start, INDEX(8), _before_end(context, builder, sig, args)])
        return context.get_dummy_value()

    return types.void(row, types.int64, WIDE), build


def _stretch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Where a stretch of a row begins."""
    data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(data, [args[1]]), FLOATS.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def before_end(typingctx: Any, row: Any, place: Any) -> Any:
    """Which of the lanes from this place on are within the row."""

    return MASK(row, types.int64), _before_end


def _before_end(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    size = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).nitems
    return builder.icmp_signed("<", PLACES(list(range(LANES))), spread_out(builder, builder.sub(size, args[1])))


@intrinsic  # type: ignore[untyped-decorator]
def entry(typingctx: Any, floats: Any, place: Any) -> Any:
    """The number at this place of the memory of an array; a place before its beginning is not one from its end."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
        return builder.load(builder.gep(data, [args[1]]))

    return types.float64(floats, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def fetch_line(typingctx: Any, floats: Any, place: Any) -> Any:
    """Brings a line of memory into the cache, also one beyond the end of the array: nothing is read of it."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
        of = ir.FunctionType(ir.VoidType(), [data.type] + [INDEX] * 3)
        function = cgutils.get_or_insert_function(builder.module, of, "llvm.prefetch.p0")
        builder.call(function, [builder.gep(data, [args[1]]), INDEX(0), INDEX(3), INDEX(1)])
        return context.get_dummy_value()

    return types.void(floats, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def stretches(typingctx: Any, floats: Any) -> Any:
    """The same memory as wide numbers, whatever its shape; what is left over at its end is not among them."""
    wide = types.Array(WIDE, 1, "C", aligned=False)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
        made = arrayobj.make_array(wide)(context, builder)
        size = _BITS(8 * LANES)
        count = builder.udiv(given.nitems, _BITS(LANES))
        arrayobj.populate_array(
            made, builder.bitcast(given.data, made.data.type), [count], [size], size, given.meminfo
        )  # fmt: skip
        return impl_ret_borrowed(context, builder, wide, made._getvalue())

    return wide(floats), build


@intrinsic  # type: ignore[untyped-decorator]
def largest(typingctx: Any, wide: Any) -> Any:
    """Of the lanes."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _folded(
            builder, args[0], lambda low, high: builder.select(builder.fcmp_ordered(">", high, low), high, low)
        )

    return types.float64(WIDE), build


@intrinsic  # type: ignore[untyped-decorator]
def total(typingctx: Any, wide: Any) -> Any:
    """The sum of the lanes."""
    return types.float64(WIDE), lambda context, builder, sig, args: _folded(builder, args[0], builder.fadd)


def _folded(builder: Any, value: Any, joined: Callable[[Any, Any], Any]) -> Any:
    """The lanes joined, the first half with the second, until one is left."""
    count = LANES
    while count > 1:
        count //= 2
        value = joined(*(_part(builder, value, first, count) for first in (0, count)))
    return builder.extract_element(value, INDEX(0))


def _part(builder: Any, value: Any, first: int, count: int) -> Any:
    order = ir.Constant(ir.VectorType(INDEX, count), list(range(first, first + count)))
    return builder.shuffle_vector(value, value, order)


@intrinsic  # type: ignore[untyped-decorator]
def first_lane(typingctx: Any, mask: Any) -> Any:
    """The first lane in which it holds; a large number if there is none."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.zext(builder.bitcast(args[0], ir.IntType(LANES)), _BITS)
        first = builder.cttz(bits, ir.IntType(1)(0))
        return builder.select(builder.icmp_unsigned("==", bits, _BITS(0)), _BITS(2**62), first)

    return types.int64(MASK), build


@intrinsic  # type: ignore[untyped-decorator]
def count_lanes(typingctx: Any, mask: Any) -> Any:
    """In how many lanes it holds."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.zext(builder.ctpop(builder.bitcast(args[0], ir.IntType(LANES))), _BITS)

    return types.int64(MASK), build


@intrinsic  # type: ignore[untyped-decorator]
def lanes_as_bits(typingctx: Any, mask: Any) -> Any:
    """A number whose bits are the lanes in which it holds."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.zext(builder.bitcast(args[0], ir.IntType(LANES)), _BITS)

    return types.int64(MASK), build


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(typingctx: Any, bits: Any) -> Any:
    """The place of the lowest bit of a number that is not 0."""
    return types.int64(bits), lambda context, builder, sig, args: builder.cttz(args[0], ir.IntType(1)(1))
