"""The searching prover: what it finds refutes nothing, and what it did not test it does not claim."""

from __future__ import annotations

import importlib
import math
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.search import strategies
from glbcheck.verify.search.property import climb, stress
from hypothesis import find, given, settings
from hypothesis import strategies as st

WHOLE = st.integers(0, 1000)


def test_the_same_seed_gives_the_same_evidence_and_another_seed_other_examples() -> None:
    seen: list[list[float]] = []

    def run(seed: int) -> Evidence:
        seen.append([])
        return stress(lambda v: seen[-1].append(v) or v * v, st.floats(-9, 9), 50, seed)  # type: ignore[func-returns-value]

    assert run(1) == run(1)
    run(2)
    assert seen[0] == seen[1] != seen[2]


def test_the_number_of_examples_is_the_number_really_decided() -> None:
    calls = 0

    def even_squares(v: int) -> bool | None:
        nonlocal calls
        if v % 2:
            return None
        calls += 1
        return v * v % 4 == 0

    evidence = stress(even_squares, WHOLE, 100, 3)
    assert evidence.verdict is Verdict.STRESS_TESTED
    assert evidence.certificate["search"]["examples"] == calls
    assert evidence.certificate["search"]["outside the hypotheses"] > 0
    assert stress(lambda v: True, st.booleans(), 100, 4).certificate["search"]["examples"] == 2  # all there are


def test_a_violation_is_shrunk_shown_and_undecided() -> None:
    evidence = stress(lambda v: v < 500, WHOLE, 200, 6)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "not confirmed" in evidence.summary
    assert evidence.certificate["found"] == "500"


def test_an_error_in_the_statement_is_not_swallowed() -> None:
    def broken(v: int) -> bool:
        raise ZeroDivisionError("in the statement")

    with pytest.raises(ZeroDivisionError):
        stress(broken, WHOLE, 10, 11)


def test_power_is_the_share_of_seeds_that_find_the_planted_violation() -> None:
    rivals: Any = {"common": lambda v: v < 500, "rare": lambda v: v % 97 != 13}
    evidence = stress(lambda v: v >= 0, WHOLE, 30, 12, alternatives=rivals, runs=8)
    power = {name: F(share) for name, share in evidence.certificate["search"]["power"].items()}
    assert power["common"] == 1
    assert 0 <= power["rare"] < 1


def test_a_search_that_misses_every_planted_violation_shows_nothing() -> None:
    evidence = stress(lambda v: v >= 0, WHOLE, 20, 13, alternatives={"none": lambda v: True})
    assert evidence.verdict is Verdict.UNDECIDED
    assert "blind" in evidence.summary


SQUARE = {"x": (0, 1), "y": (-1, 1)}


@pytest.mark.parametrize(("ratio", "verdict"), [
    (lambda at: at[0] * at[1], Verdict.STRESS_TESTED),
    (lambda at: (1 + 1e-7) * at[0] * at[1], Verdict.UNDECIDED),  # above 1 in one corner alone
    (lambda at: math.nan if at[0] > 0.9 else at[0], Verdict.UNDECIDED),
], ids=["at most one", "above one in a corner", "without a value"])  # fmt: skip
def test_a_climb_finds_a_corner_and_repeats_itself(ratio: Any, verdict: Verdict) -> None:
    evidence = climb(ratio, 1, SQUARE, seed=1)
    assert evidence.verdict is verdict, evidence.summary
    assert evidence == climb(ratio, 1, SQUARE, seed=1)


def test_constants_in_other_modules_do_not_change_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def examples() -> list[int]:
        seen: list[int] = []
        stress(lambda v: seen.append(v) or True, st.integers(0, 10**12), 300, 1)  # type: ignore[func-returns-value]
        return seen

    before = examples()
    (tmp_path / "planted.py").write_text("\n".join(f"A{i} = {77_000_000_000 + i}" for i in range(50)))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("planted")
    assert examples() == before


@given(strategies.spd_matrices())
@settings(max_examples=60, deadline=None)
def test_spd_matrices_are_symmetric_and_positive_definite(m: strategies.Array) -> None:
    assert np.array_equal(m, m.T)
    # The factor is bounded below by construction; eigvalsh resolves it up to rounding of the largest entry.
    assert np.linalg.eigvalsh(m)[0] > -1e-12 * np.abs(m).max()
    np.linalg.cholesky(m)


def test_spd_matrices_come_well_and_ill_conditioned_from_dimension_one() -> None:
    conditions, sizes = [], set()

    @given(strategies.spd_matrices())
    @settings(max_examples=150, derandomize=True, database=None, deadline=None)
    def collect(m: strategies.Array) -> None:
        sizes.add(len(m))
        conditions.append(float(np.linalg.cond(m)))

    collect()
    assert sizes >= {1, 2, 3}
    assert min(conditions) < 10
    assert max(conditions) > 1e4


@given(strategies.rational_arm_sequences(), strategies.arm_sequences())
@settings(max_examples=100, deadline=None)
def test_arms_stay_in_the_unit_ball(exact: Any, floats: strategies.Array) -> None:
    assert all(sum(c * c for c in arm) <= 1 for arm in exact)
    assert np.all(np.linalg.norm(floats, axis=1) <= 1)


def test_arm_sequences_contain_every_degenerate_kind() -> None:
    kinds: set[str] = set()

    @given(strategies.rational_arm_sequences())
    @settings(max_examples=150, derandomize=True, database=None, deadline=None)
    def collect(arms: tuple[strategies.Vector, ...]) -> None:
        sizes = [sum(c * c for c in arm) for arm in arms]
        kinds.update(["zero"] if 0 in sizes else [])
        kinds.update(["tiny"] if any(0 < s < F(1, 10**8) for s in sizes) else [])
        kinds.update(["unit"] if 1 in sizes else [])
        kinds.update(["repeat"] if len(set(arms)) < len(arms) else [])
        for a, b in pairwise(arms):
            inner = sum(p * q for p, q in zip(a, b, strict=True))
            parallel = inner**2 == sum(p * p for p in a) * sum(q * q for q in b)
            kinds.update(["collinear"] if len(a) > 1 and a != b and any(a) and any(b) and parallel else [])

    collect()
    assert kinds == {"zero", "tiny", "unit", "repeat", "collinear"}


def test_dispersions_are_positive_and_range_over_decades() -> None:
    orders: set[int] = set()

    @given(strategies.dispersions())
    @settings(max_examples=100, derandomize=True, database=None, deadline=None)
    def collect(values: list[float]) -> None:
        # Not floor(log10(v)), which rounds 9999999.999999998 up.
        orders.update(int(f"{v:.16e}".split("e")[1]) for v in values)

    collect()
    assert set(range(-5, 6)) <= orders <= set(range(-6, 7))


def test_small_examples_survive_shrinking() -> None:
    def simplest(strategy: st.SearchStrategy[Any]) -> Any:
        return find(strategy, lambda _: True, settings=settings(database=None, max_examples=50))

    assert simplest(strategies.rational_arm_sequences()) == ((F(0),),)
    assert simplest(strategies.dispersions()) == [1.0]
