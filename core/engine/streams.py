"""The streams of `environment.world` in compiled code: numpy's own numbers, drawn without Python and without its lock.

`SeedSequence` spreads the words of a name over a pool and makes the seed of a generator of them; PCG64 steps a number
of 128 bits and folds it to 64.  A stream is four integers: low and high half of its number, then of its increment.
Integers have the bits that numpy's have; which of them are a sign is of no concern.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from glbcheck.core._numba import as_written, in_line
from glbcheck.core.arrays import Floats
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.random import _constants as ziggurat
from numpy.typing import NDArray

Streams = NDArray[np.int64]
SIZE = 4

_LOW = 0xFFFFFFFF
_POOL = 4
_TO_POOL, _TO_POOL_BY, _TO_SEED, _TO_SEED_BY = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_OLD, _MIX_NEW = 0xCA01F9DD, 0x4973F715
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64
# The layers of equal area under the bell: below which place a point lies inside, how wide and how high they are.
_SURE: Streams = np.array(ziggurat.ki_double, dtype=np.int64)
_WIDTHS: Floats = np.array(ziggurat.wi_double)
_HEIGHTS: Floats = np.array(ziggurat.fi_double)
_EDGE: float = ziggurat.ziggurat_nor_r
_INVERSE_EDGE: float = ziggurat.ziggurat_nor_inv_r


def words_of(seed: int, key: tuple[int, ...]) -> Streams:
    """What `SeedSequence(seed, spawn_key=key)` makes of a name that is not empty: numbers of 32 bits."""
    words = _words(seed)
    words += [0] * (_POOL - len(words))
    return np.array([*words, *(word for part in key for word in _words(part))], dtype=np.int64)


def _words(number: int) -> list[int]:
    """Lowest first; a zero is one word."""
    return [number >> at & _LOW for at in range(0, max(number.bit_length(), 1), 32)]


@as_written
def open_numbered(words: Streams, streams: Streams) -> None:
    """The streams whose names end in 0, 1, 2, ...; `words` are those of the name, the last of which is overwritten."""
    for k in range(streams.shape[0]):
        words[words.size - 1] = k
        open_stream(words, streams[k])


@as_written
def open_stream(words: Streams, stream: Streams) -> None:
    """The stream of a name of at least as many words as the pool has."""
    a, scale = _hashed(int(words[0]), _TO_POOL)
    b, scale = _hashed(int(words[1]), scale)
    c, scale = _hashed(int(words[2]), scale)
    d, scale = _hashed(int(words[3]), scale)
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                word = a if source == 0 else b if source == 1 else c if source == 2 else d
                word, scale = _hashed(word, scale)
                a, b, c, d = _mixed(a, b, c, d, target, word)
    for source in range(_POOL, words.size):
        for target in range(_POOL):
            word, scale = _hashed(int(words[source]), scale)
            a, b, c, d = _mixed(a, b, c, d, target, word)
    scale = _TO_SEED
    for i in range(SIZE):
        low, scale = _drawn(a if i % 2 == 0 else c, scale)
        high, scale = _drawn(b if i % 2 == 0 else d, scale)
        # numpy hands over high halves first
        stream[i ^ 1] = low | (high - (high >> 31 << 32)) << 32
    start(stream)


@as_written
@in_line
def _hashed(word: int, scale: int) -> tuple[int, int]:
    word, scale = word ^ scale, scale * _TO_POOL_BY & _LOW
    word = word * scale & _LOW
    return word ^ word >> 16, scale


@as_written
@in_line
def _drawn(word: int, scale: int) -> tuple[int, int]:
    word, scale = word ^ scale, scale * _TO_SEED_BY & _LOW
    word = word * scale & _LOW
    return word ^ word >> 16, scale


@as_written
@in_line
def _mixed(a: int, b: int, c: int, d: int, place: int, word: int) -> tuple[int, int, int, int]:
    old = a if place == 0 else b if place == 1 else c if place == 2 else d
    new = _MIX_OLD * old - _MIX_NEW * word & _LOW
    new ^= new >> 16
    return (
        new if place == 0 else a, new if place == 1 else b, new if place == 2 else c, new if place == 3 else d
    )  # fmt: skip


# --- the generator --------------------------------------------------------------------------------------------

_WORD, _NUMBER = ir.IntType(64), ir.IntType(128)


class _State:
    """Number and increment of a stream in memory, as integers of 128 bits."""

    def __init__(self, context: Any, builder: Any, sig: Any, args: Any) -> None:
        self._builder = builder
        self._data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data

    def _at(self, place: int) -> Any:
        return self._builder.gep(self._data, [_WORD(place)])

    def load(self, place: int) -> Any:
        low, high = (self._builder.zext(self._builder.load(self._at(place + i)), _NUMBER) for i in range(2))
        return self._builder.or_(low, self._builder.shl(high, _NUMBER(64)))

    def store(self, place: int, number: Any) -> tuple[Any, Any]:
        """Returns the low and the high half."""
        builder = self._builder
        halves = builder.trunc(number, _WORD), builder.trunc(builder.lshr(number, _NUMBER(64)), _WORD)
        for i, half in enumerate(halves):
            builder.store(half, self._at(place + i))
        return halves

    def stepped(self, number: Any, increment: Any) -> Any:
        return self._builder.add(self._builder.mul(number, _NUMBER(MULTIPLIER)), increment)


@intrinsic  # type: ignore[untyped-decorator]
def start(typingctx: Any, stream: Any) -> Any:
    """A stream from its seed, which stands in its place: a number and the name of a sequence."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        state = _State(context, builder, sig, args)
        increment = builder.or_(builder.shl(state.load(2), _NUMBER(1)), _NUMBER(1))
        state.store(0, state.stepped(builder.add(increment, state.load(0)), increment))
        state.store(2, increment)
        return context.get_dummy_value()

    return types.void(stream), build


@intrinsic  # type: ignore[untyped-decorator]
def bits(typingctx: Any, stream: Any) -> Any:
    """The next 64 bits of a stream."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        state = _State(context, builder, sig, args)
        low, high = state.store(0, state.stepped(state.load(0), state.load(2)))
        turn = ir.FunctionType(_WORD, [_WORD] * 3)
        function = cgutils.get_or_insert_function(builder.module, turn, "llvm.fshr.i64")
        folded = builder.xor(low, high)
        return builder.call(function, [folded, folded, builder.lshr(high, _WORD(58))])

    return types.int64(stream), build


def _leap(numbers: int) -> tuple[int, int]:
    """So many steps in one: what the number is multiplied by, and how often the increment is added."""
    factor, sums, step, added, end = 1, 0, MULTIPLIER, 1, 2**128
    while numbers:
        if numbers % 2:
            factor, sums = factor * step % end, (sums * step + added) % end
        step, added, numbers = step * step % end, (step + 1) * added % end, numbers // 2
    return factor, sums


LEAP = _leap(2**32)  # from one place of a stream to the next


@intrinsic  # type: ignore[untyped-decorator]
def leap(typingctx: Any, stream: Any) -> Any:
    """From a place of a stream to the next: numpy's `advance` by 2^32."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        state = _State(context, builder, sig, args)
        factor, sums = (_NUMBER(number) for number in LEAP)
        state.store(0, builder.add(builder.mul(state.load(0), factor), builder.mul(state.load(2), sums)))
        return context.get_dummy_value()

    return types.void(stream), build


# --- laws -----------------------------------------------------------------------------------------------------


@as_written
@in_line
def uniform(stream: Streams) -> float:
    """`Generator.random`."""
    return float((bits(stream) >> 11) & (2**53 - 1)) * 2.0**-53


@as_written
def normal(stream: Streams) -> float:
    """`Generator.standard_normal`."""
    while True:
        drawn = int(bits(stream))
        layer, place = drawn & 0xFF, (drawn >> 9) & (2**52 - 1)
        x = float(place) * float(_WIDTHS[layer])
        if drawn & 0x100:
            x = -x
        if place < _SURE[layer]:
            return x
        if layer == 0:
            while True:
                beyond, height = -_INVERSE_EDGE * math.log1p(-uniform(stream)), -math.log1p(-uniform(stream))
                if height + height > beyond * beyond:
                    return -(_EDGE + beyond) if place & 0x100 else _EDGE + beyond
        elif (_HEIGHTS[layer - 1] - _HEIGHTS[layer]) * uniform(stream) + _HEIGHTS[layer] < math.exp(-0.5 * x * x):
            return x


@as_written
def poisson(stream: Streams, rate: float) -> float:
    """`Generator.poisson`."""
    if rate >= 10.0:
        return _many(stream, rate)
    none, count, product = math.exp(-rate), 0.0, uniform(stream)
    while product > none:
        count += 1.0
        product *= uniform(stream)
    return count


@as_written
def _many(stream: Streams, rate: float) -> float:
    """Hörmann's transformed rejection."""
    b = 0.931 + 2.53 * math.sqrt(rate)
    a, inverse = -0.059 + 0.02483 * b, 1.1239 + 1.1328 / (b - 3.4)
    sure = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        place, height = uniform(stream) - 0.5, uniform(stream)
        edge = 0.5 - abs(place)
        count = math.floor((2.0 * a / edge + b) * place + rate + 0.43)
        if edge >= 0.07 and height <= sure:
            break
        if count < 0.0:
            continue
        if edge < 0.013 and height > edge:
            continue
        found = math.log(height) + math.log(inverse) - math.log(a / (edge * edge) + b)
        if found <= -rate + count * math.log(rate) - math.lgamma(count + 1.0):
            break
    return float(count)
