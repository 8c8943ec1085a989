"""A number that is several: one for each lane, held in the registers that compiled code calculates with.

Compiled functions written for one number work for a wide one as well, lane by lane, as long as they decide with
`where` and `some` instead of `if`.  Arrays of wide numbers are arrays of floats whose last axis is the lane.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.core.imputils import lower_cast
from numba.core.registry import cpu_target
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, overload, register_model

LANES = 16
FLOATS = ir.VectorType(ir.DoubleType(), LANES)
TRUTHS = ir.VectorType(ir.IntType(1), LANES)
PLACES = ir.VectorType(ir.IntType(64), LANES)
INDEX = ir.IntType(32)
_FLAGS = ("contract",)
_TINY = 1e-290


class _Wide(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"wide{LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Conversion | None:
        return Conversion.safe if other in (types.float64, types.int64) else None


class _Mask(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"mask{LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Conversion | None:
        return Conversion.safe if other == types.boolean else None


WIDE, MASK = _Wide(), _Mask()


@register_model(_Wide)
class _WideModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, FLOATS)


@register_model(_Mask)
class _MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, TRUTHS)


def spread_out(builder: Any, value: Any) -> Any:
    """The same number, or truth, in every lane."""
    nothing = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    places = ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES)
    return builder.shuffle_vector(builder.insert_element(nothing, value, ir.Constant(INDEX, 0)), nothing, places)


@lower_cast(types.boolean, MASK)  # type: ignore[untyped-decorator]
@lower_cast(types.float64, WIDE)  # type: ignore[untyped-decorator]
def _of_one(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return spread_out(builder, value)


@lower_cast(types.int64, WIDE)  # type: ignore[untyped-decorator]
def _of_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return spread_out(builder, builder.sitofp(value, ir.DoubleType()))


# --- arithmetic -----------------------------------------------------------------------------------------------


def _define(function: Any, *cases: tuple[Any, tuple[Any, ...], Any]) -> None:
    """What `function` returns for which types, and what makes it of their registers."""
    signatures = tuple(signature(result, *takes) for result, takes, _ in cases)

    @infer_global(function)
    class _Template(ConcreteTemplate):  # type: ignore[misc]
        cases = signatures

    for _, takes, build in cases:
        lower_builtin(function, *takes)(_lowering(build))


def _lowering(build: Any) -> Any:
    return lambda context, builder, sig, args: build(builder, *args)


def _call(name: str, of: Any = FLOATS) -> Any:
    kind = "f64" if of == FLOATS.element else f"v{LANES}f64"

    def build(builder: Any, value: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(of, [of]), f"llvm.{name}.{kind}")
        return builder.call(function, [value])

    return build


def _compare(word: str) -> Any:
    ordered = word != "!="  # what is not a number differs from everything
    return lambda builder, a, b: (builder.fcmp_ordered if ordered else builder.fcmp_unordered)(word, a, b)


_ONE, _TWO = (WIDE,), (WIDE, WIDE)
for _operators, _build in (
    ((operator.add, operator.iadd), lambda builder, a, b: builder.fadd(a, b, flags=_FLAGS)),
    ((operator.sub, operator.isub), lambda builder, a, b: builder.fsub(a, b, flags=_FLAGS)),
    ((operator.mul, operator.imul), lambda builder, a, b: builder.fmul(a, b, flags=_FLAGS)),
    ((operator.truediv, operator.itruediv), lambda builder, a, b: builder.fdiv(a, b, flags=_FLAGS)),
):
    for _operator in _operators:
        _define(_operator, (WIDE, _TWO, _build))
for _operator, _word in (
    (operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="), (operator.eq, "=="),
    (operator.ne, "!="),
):  # fmt: skip
    _define(_operator, (MASK, _TWO, _compare(_word)))
_define(operator.neg, (WIDE, _ONE, lambda builder, a: builder.fneg(a)))
_define(operator.and_, (MASK, (MASK, MASK), lambda builder, a, b: builder.and_(a, b)))
_define(operator.or_, (MASK, (MASK, MASK), lambda builder, a, b: builder.or_(a, b)))
_define(operator.invert, (MASK, (MASK,), lambda builder, a: builder.not_(a)))
_define(max, (WIDE, _TWO, lambda builder, a, b: builder.select(builder.fcmp_ordered(">", b, a), b, a)))
_define(min, (WIDE, _TWO, lambda builder, a, b: builder.select(builder.fcmp_ordered("<", b, a), b, a)))
_define(abs, (WIDE, _ONE, _call("fabs")))
_define(np.sqrt, (WIDE, _ONE, _call("sqrt")))


@overload(np.log1p)  # type: ignore[untyped-decorator]
def _log1p(number: Any) -> Any:
    """One call where all lanes agree, as sums over rounds do; else one for each."""
    if number is not WIDE:
        return None

    def log1p(number: Any) -> Any:
        first = one(number)
        result = spread(math.log1p(first))
        if some(number != first):
            for w in range(1, LANES):
                result = _put(result, w, math.log1p(_take(number, w)))
        return result

    return log1p


def where(condition: bool, this: float, other: float) -> float:
    """This where the condition holds, the other where not; in every lane if the condition is one of lanes."""
    return this if condition else other


def some(condition: bool) -> bool:
    """Does it hold in any lane?"""
    return condition


def one(number: float) -> float:
    """A number that is the same in all lanes."""
    return number


def root(number: float) -> float:
    """The square root of a number that is not negative, nor infinite; of a wide 0 something below 1e-140."""
    return math.sqrt(number)


def _root(builder: Any, number: Any) -> Any:
    """By multiplications, of which pipelines are never full: as accurate as a root, and several times as fast."""
    half = _all(0.5)
    x = builder.select(builder.fcmp_unordered(">", number, _all(_TINY)), number, _all(_TINY))
    rough, steps = _rough_inverse_root(builder, x)
    found, slope = builder.fmul(x, rough), builder.fmul(half, rough)
    for _ in range(steps):  # each squares what is missing
        missing = _fused(builder, builder.fneg(found), slope, half)
        found, slope = _fused(builder, found, missing, found), _fused(builder, slope, missing, slope)
    return _fused(builder, _fused(builder, builder.fneg(found), found, x), slope, found)


def _rough_inverse_root(builder: Any, x: Any) -> tuple[Any, int]:
    """1/√x to 14 bits where there is an instruction for it, else to 3.5 percent from its bits; and the steps to go."""
    if not _has_avx512():
        halved = builder.lshr(builder.bitcast(x, PLACES), PLACES([1] * LANES))
        return builder.bitcast(builder.sub(PLACES([0x5FE6EB50C7B537A9] * LANES), halved), FLOATS), 3
    part, truths = ir.VectorType(ir.DoubleType(), 8), ir.IntType(8)
    of = ir.FunctionType(part, [part, part, truths])
    function = cgutils.get_or_insert_function(builder.module, of, "llvm.x86.avx512.rsqrt14.pd.512")
    parts = [builder.shuffle_vector(x, x, _order(range(at, at + 8))) for at in range(0, LANES, 8)]
    parts = [builder.call(function, [number, part(ir.Undefined), truths(-1)]) for number in parts]
    while len(parts) > 1:
        both = _order(range(2 * parts[0].type.count))
        parts = [builder.shuffle_vector(a, b, both) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0], 1


def _has_avx512() -> bool:
    """On the processor that is compiled for."""
    return "+avx512f" in cpu_target.target_context.codegen().magic_tuple()[2]


def _order(places: range) -> Any:
    return ir.Constant(ir.VectorType(INDEX, len(places)), list(places))


def _fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return builder.fadd(builder.fmul(a, b, flags=_FLAGS), c, flags=_FLAGS)


def _all(value: float) -> Any:
    return ir.Constant(FLOATS, [value] * LANES)


def _select(builder: Any, condition: Any, this: Any, other: Any) -> Any:
    return builder.select(condition, this, other)


def _any(builder: Any, mask: Any) -> Any:
    bits = builder.bitcast(mask, ir.IntType(LANES))
    return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


def _itself(builder: Any, value: Any) -> Any:
    return value


_FLOAT, _BOOL = types.float64, types.boolean
_define(where, (_FLOAT, (_BOOL, _FLOAT, _FLOAT), _select), (WIDE, (MASK, WIDE, WIDE), _select))
_define(root, (_FLOAT, (_FLOAT,), _call("sqrt", FLOATS.element)), (WIDE, _ONE, _root))
_define(some, (_BOOL, (_BOOL,), _itself), (_BOOL, (MASK,), _any))
_define(one, (_FLOAT, (_FLOAT,), _itself), (_FLOAT, _ONE, lambda builder, a: builder.extract_element(a, INDEX(0))))


@intrinsic  # type: ignore[untyped-decorator]
def spread(typingctx: Any, value: Any) -> Any:
    return WIDE(types.float64), lambda context, builder, sig, args: spread_out(builder, args[0])


@intrinsic  # type: ignore[untyped-decorator]
def _put(typingctx: Any, wide: Any, lane: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.insert_element(args[0], args[2], builder.trunc(args[1], INDEX))

    return WIDE(WIDE, types.int64, types.float64), build


@intrinsic  # type: ignore[untyped-decorator]
def _take(typingctx: Any, wide: Any, lane: Any) -> Any:
    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_element(args[0], builder.trunc(args[1], INDEX))

    return types.float64(WIDE, types.int64), build
