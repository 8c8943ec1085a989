"""Numbers that are several, in compiled code: each of their operations does what numpy does, lane by lane."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import pytest
from glbcheck.core._numba import record
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import wide
from glbcheck.core.engine.abreast import (
    abreast,
    abreast_within,
    before_end,
    count_lanes,
    entry,
    fetch_line,
    first_lane,
    lanes_as_bits,
    largest,
    lowest_bit,
    put_abreast,
    put_within,
    stretches,
    total,
)
from glbcheck.core.engine.streams import Streams, bits, start
from glbcheck.core.engine.wide import LANES, one, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather, lane_numbers, scatter, wide_record

Kernel = Callable[[Floats, Floats], None]
RNG = np.random.default_rng(3)
GIVEN = np.round(RNG.uniform(-5, 5, (5, LANES)), 1)
GIVEN[1, ::3] = GIVEN[0, ::3]  # equal here and there
GIVEN[0, 1] = GIVEN[1, 2] = GIVEN[0, 4] = GIVEN[1, 4] = np.nan
GIVEN[4] = RNG.permutation(3 * LANES)[:LANES]  # places
ROW = 21  # a row that ends within its second stretch
LANE = np.arange(float(LANES))


class _Pair:
    first: float
    second: float


PAIR = record(_Pair)
_pair_in = wide_record(PAIR)


# --- what is worked out in compiled code: from rows of `given`, (5, LANES), into rows of `out` ------------------


def arithmetic(given: Floats, out: Floats) -> None:
    numbers, found = stretches(given), stretches(out)
    a, b = numbers[2], numbers[3]
    found[0], found[1], found[2], found[3] = a + b, a - b, a * b, a / b
    found[4], found[5], found[6], found[7] = -a, abs(a), max(a, b), min(a, b)
    found[8], found[9], found[10] = np.sqrt(b * b), 2.5 - a * given.shape[0], a
    c = a
    c += b
    c *= b
    c -= 1.0
    c /= a
    found[11] = c


def comparisons(given: Floats, out: Floats) -> None:
    numbers, found, flag = stretches(given), stretches(out), given[2, 0] > 9.0
    a, b = numbers[0], numbers[1]
    found[0], found[1], found[2] = where(a < b, 1.0, 0.0), where(a <= b, 1.0, 0.0), where(a > b, 1.0, 0.0)
    found[3], found[4], found[5] = where(a >= b, 1.0, 0.0), where(a == b, 1.0, 0.0), where(a != b, 1.0, 0.0)
    found[6], found[7] = where((a < b) & ~(a < -1.0), a, b), where((a < b) & flag, a, b)
    found[8] = spread(where(flag, given[2, 1], given[2, 2]))


def some_and_one(given: Floats, out: Floats) -> None:
    a, lane = stretches(given)[2], lane_numbers()
    for w in range(LANES):
        out[0, w] = 1.0 if some(lane == float(w)) else 0.0
        out[1, w] = 1.0 if some(lane == w + 0.5) else 0.0
    out[2, 0], out[2, 1] = one(a), one(given[2, 1])
    out[2, 2] = 1.0 if some(given[2, 0] > 9.0) else 0.0


def lane_numbers_and_spread(given: Floats, out: Floats) -> None:
    found = stretches(out)
    found[0], found[1] = lane_numbers(), spread(given[2, 1])


def log1p(given: Floats, out: Floats) -> None:
    numbers, found = stretches(given), stretches(out)
    found[0], found[1] = np.log1p(abs(numbers[2])), np.log1p(spread(abs(given[2, 3])))


def gather_and_addresses(given: Floats, out: Floats) -> None:
    flat, place = given.reshape(-1), stretches(given)[4]
    found = stretches(out)
    found[0], found[1] = gather(flat, place, 0), gather(flat, place, 2 * LANES)
    out[2, 0], out[2, 1] = gather(flat, 2.0 * LANES, 3), gather(flat, 2.0 * LANES + 5.0, 0)


def scatter_and_addresses(given: Floats, out: Floats) -> None:
    numbers = stretches(given)
    scatter(out.reshape(-1), numbers[4], numbers[2])


def wide_record_and_dtype(given: Floats, out: Floats) -> None:
    numbers = stretches(given)
    pair = _pair_in(stretches(out))
    pair.first, pair.second = numbers[3], numbers[2]
    stretches(out)[2] = pair.first + 2.0 * pair.second


def stretches_and_size(given: Floats, out: Floats) -> None:
    numbers, found = stretches(given), stretches(out)
    out[0, 0], out[0, 1] = numbers.size, found[1:].size
    found[1:][0] = numbers[2]


def abreast_and_put_abreast(given: Floats, out: Floats) -> None:
    row, other = given.reshape(-1)[2 * LANES :], out.reshape(-1)
    put_abreast(other, 3, abreast(row, 0))
    put_abreast(other, LANES + 3, abreast(row, 5))


def before_end_of_row(given: Floats, out: Floats) -> None:
    row, found = given.reshape(-1)[:ROW], stretches(out)
    found[0], found[1] = where(before_end(row, 0), 1.0, 0.0), where(before_end(row, LANES), 1.0, 0.0)
    found[2] = where(before_end(row, ROW), 1.0, 0.0)


def entry_of_memory(given: Floats, out: Floats) -> None:
    out[0, 0], out[0, 1] = entry(given, 2 * LANES + 3), entry(given[3:], 0)
    for line in range(0, 20 * LANES, 8):
        fetch_line(given, line)  # changes nothing, also beyond the end


def stretches_of_memory(given: Floats, out: Floats) -> None:
    numbers = stretches(given.reshape(-1)[2 * LANES : 4 * LANES + 3])
    out[0, 0] = numbers.size
    stretches(out)[1] = numbers[1]
    stretches(out)[3] = numbers[0]


def largest_and_part(given: Floats, out: Floats) -> None:
    lane = lane_numbers()
    for w in range(LANES):
        out[0, w] = largest(where(lane == float(w), given[2, w] + 9.0, given[2, w]))
    out[1, 0], out[1, 1] = largest(stretches(given)[2]), largest(spread(-np.inf))


def first_lane_and_count_lanes(given: Floats, out: Floats) -> None:
    lane = lane_numbers()
    for w in range(LANES):
        out[0, w], out[1, w] = first_lane(lane >= float(w)), count_lanes(lane >= float(w))
        out[2, w] = first_lane((lane == float(w)) & (lane > 3.0)) >= LANES
    out[3, 0], out[3, 1] = count_lanes(lane < 0.0), count_lanes(lane >= 0.0)


def abreast_within_and_put_within(given: Floats, out: Floats) -> None:
    row, other = given.reshape(-1)[2 * LANES : 2 * LANES + ROW], out.reshape(-1)[:ROW]
    for k in range(0, ROW, LANES):
        put_within(other, k, abreast_within(row, k) + 1.0)
    put_abreast(out.reshape(-1)[4 * LANES :], 0, abreast_within(row, LANES))


def total_of_lanes(given: Floats, out: Floats) -> None:
    lane = lane_numbers()
    for w in range(LANES):
        out[0, w] = total(where(lane <= float(w), 2.0**w + lane, 0.0))


def lanes_as_bits_and_lowest_bit(given: Floats, out: Floats) -> None:
    lane = lane_numbers()
    for w in range(LANES):
        bits = lanes_as_bits((lane == float(w)) | (lane == float(LANES - 1)))
        out[0, w], out[1, w], out[2, w] = bits, lowest_bit(bits), lowest_bit(bits << 40)
    out[3, 0] = lanes_as_bits(lane < 0.0)


# --- and what numpy says ----------------------------------------------------------------------------------------


def _arithmetic(given: Floats, out: Floats) -> None:
    a, b = given[2], given[3]
    out[:11] = [a + b, a - b, a * b, a / b, -a, abs(a), np.maximum(a, b), np.minimum(a, b), abs(b), 2.5 - 5 * a, a]
    out[11] = ((a + b) * b - 1) / a


def _comparisons(given: Floats, out: Floats) -> None:
    a, b = given[0], given[1]
    out[:6] = [a < b, a <= b, a > b, a >= b, a == b, a != b]
    out[6], out[7], out[8] = np.where((a < b) & ~(a < -1), a, b), b, given[2, 2]


def _some_and_one(given: Floats, out: Floats) -> None:
    out[0] = 1.0
    out[2, :2] = given[2, :2]


def _lane_numbers_and_spread(given: Floats, out: Floats) -> None:
    out[0], out[1] = LANE, given[2, 1]


def _log1p(given: Floats, out: Floats) -> None:
    out[0], out[1] = np.log1p(abs(given[2])), np.log1p(abs(given[2, 3]))


def _gather_and_addresses(given: Floats, out: Floats) -> None:
    place = given[4].astype(int)
    out[0], out[1] = given.reshape(-1)[place], given.reshape(-1)[place + 2 * LANES]
    out[2, :2] = given[2, 3], given[2, 5]


def _scatter_and_addresses(given: Floats, out: Floats) -> None:
    out.reshape(-1)[given[4].astype(int)] = given[2]


def _wide_record_and_dtype(given: Floats, out: Floats) -> None:
    out[0], out[1], out[2] = given[3], given[2], given[3] + 2 * given[2]


def _stretches_and_size(given: Floats, out: Floats) -> None:
    out[0, :2] = len(given), len(out) - 1
    out[1] = given[2]


def _abreast_and_put_abreast(given: Floats, out: Floats) -> None:
    flat = given.reshape(-1)[2 * LANES :]
    out.reshape(-1)[3 : 2 * LANES + 3] = [*flat[:LANES], *flat[5 : LANES + 5]]


def _before_end_of_row(given: Floats, out: Floats) -> None:
    out[0], out[1] = 1.0, LANE < ROW - LANES


def _entry_of_memory(given: Floats, out: Floats) -> None:
    out[0, :2] = given[2, 3], given[3, 0]


def _stretches_of_memory(given: Floats, out: Floats) -> None:
    out[0, 0], out[1], out[3] = 2, given[3], given[2]


def _largest_and_part(given: Floats, out: Floats) -> None:
    for w in range(LANES):
        out[0, w] = max(given[2, w], given[2, w] + 9)
    out[1, :2] = given[2].max(), -np.inf


def _first_lane_and_count_lanes(given: Floats, out: Floats) -> None:
    out[0], out[1], out[2] = LANE, LANES - LANE, LANE <= 3
    out[3, :2] = 0, LANES


def _abreast_within_and_put_within(given: Floats, out: Floats) -> None:
    row = given.reshape(-1)[2 * LANES : 2 * LANES + ROW]
    out.reshape(-1)[:ROW] = row + 1.0
    out[4, : ROW - LANES] = row[LANES:]


def _total_of_lanes(given: Floats, out: Floats) -> None:
    out[0] = [sum(2.0**w + lane for lane in range(w + 1)) for w in range(LANES)]


def _lanes_as_bits_and_lowest_bit(given: Floats, out: Floats) -> None:
    out[0], out[1], out[2] = 2**LANE + 2 ** (LANES - 1) * (LANE < LANES - 1), LANE, LANE + 40


CASES: dict[str, tuple[Kernel, Kernel]] = {
    its.__name__: (its, globals()[f"_{its.__name__}"])
    for its in (
        arithmetic, comparisons, some_and_one, lane_numbers_and_spread, log1p, gather_and_addresses,
        scatter_and_addresses, wide_record_and_dtype, stretches_and_size, abreast_and_put_abreast, before_end_of_row,
        entry_of_memory, stretches_of_memory, largest_and_part, first_lane_and_count_lanes,
        abreast_within_and_put_within, total_of_lanes, lanes_as_bits_and_lowest_bit,
    )
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_wide_numbers_do_what_numpy_does(case: str) -> None:
    kernel, oracle = CASES[case]
    found, expected = np.zeros((12, LANES)), np.zeros((12, LANES))
    numba.njit(kernel)(GIVEN.copy(), found)
    oracle(GIVEN, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("instruction", [pytest.param(True, marks=pytest.mark.needs("avx512")), False])
def test_a_wide_root_is_a_root_with_and_without_an_instruction_for_it(
    instruction: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wide, "_has_avx512", lambda: instruction)

    @numba.njit  # type: ignore[untyped-decorator]
    def roots(floats: Floats) -> None:
        numbers = stretches(floats)
        for i in range(numbers.size):
            numbers[i] = root(numbers[i])

    given = 10 ** np.random.default_rng(1).uniform(-280, 300, (500, LANES))
    given[0, 0], given[0, 1], given[0, 2] = 0.0, np.nan, 4.0
    found = given.copy()
    roots(found)
    assert found[0, 0] < 1e-140
    assert np.isnan(found[0, 1])
    assert found[0, 2] == 2.0
    np.testing.assert_allclose(found[1:], np.sqrt(given[1:]), rtol=2.0**-52)


def test_a_stream_is_started_and_stepped_as_numpy_does_it_with_its_state_and_bits() -> None:
    def drawn(stream: Streams, out: Streams) -> None:
        start(stream)
        for i in range(out.size):
            out[i] = bits(stream)

    seed, found = np.random.SeedSequence(5), np.empty(200, dtype=np.int64)
    stream = seed.generate_state(4, np.uint64)[[1, 0, 3, 2]].view(np.int64)  # numpy has high halves first
    numba.njit(drawn)(stream, found)
    assert found.view(np.uint64).tolist() == np.random.PCG64(seed).random_raw(200).tolist()
