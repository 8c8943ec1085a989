"""Wide roots with and without an instruction for them, and streams, in compiled code: each is what numpy has."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import wide
from glbcheck.core.engine.abreast import stretches
from glbcheck.core.engine.streams import Streams, bits, start
from glbcheck.core.engine.wide import LANES, root


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
