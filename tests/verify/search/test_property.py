"""The searching prover: what it finds is confirmed exactly, what it did not test it does not claim."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.search import strategies
from glbcheck.verify.search.attack import Values, attack, maximise
from glbcheck.verify.search.confirm import Confirmation, decide_at, exact_point, refutation, shorten
from glbcheck.verify.search.property import stress
from hypothesis import find, given, settings
from hypothesis import strategies as st

from tests.corpus import true_property
from tests.corpus.false_property import pair, scalars

WHOLE = st.integers(0, 1000)


def scalar(conclusion: str, *hypotheses: str) -> Confirmation[float]:
    return Confirmation(lambda v: {"x": v}, Statement(hypotheses, conclusion))


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


def test_a_violation_is_shrunk_to_a_short_rational_point() -> None:
    evidence = stress(
        lambda v: 2 - v * v, st.floats(0, 10), 200, 5, confirmation=scalar("x**2 <= 2", "x >= 0", "x <= 10")
    )
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample is not None
    assert F(evidence.counterexample.point["x"]) ** 2 > 2
    assert F(evidence.counterexample.point["x"]).denominator <= 4


@pytest.mark.parametrize("confirmation", [None, scalar("x < 500", "x < 100")], ids=["none", "outside the hypotheses"])
def test_a_violation_without_exact_confirmation_is_undecided(confirmation: Confirmation[int] | None) -> None:
    evidence = stress(lambda v: v < 500, WHOLE, 200, 6, confirmation=confirmation)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "not confirmed" in evidence.summary
    assert evidence.certificate["found"] == "500"


def test_a_true_violation_is_found_behind_a_simpler_false_alarm() -> None:
    """Floats complain from 10 on, the statement fails from 300 on: the shrunk alarm 10 hides it."""
    evidence = stress(lambda v: v < 10, WHOLE, 300, 8, confirmation=scalar("x < 300"))
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample is not None
    assert int(evidence.counterexample.point["x"]) >= 300


def test_alarms_that_hold_exactly_are_reported_as_rounding() -> None:
    evidence = stress(lambda v: v < 900, WHOLE, 300, 9, confirmation=scalar("x <= 1000"))
    assert evidence.verdict is Verdict.STRESS_TESTED
    assert evidence.certificate["search"]["violations in floats that hold exactly"] > 0


def test_an_exact_checker_may_not_answer_in_floats() -> None:
    checker: Any = Confirmation(lambda v: {"x": v}, lambda point: -0.5)  # type: ignore[arg-type, return-value]
    with pytest.raises(BadInput, match="check"):
        stress(lambda v: v < 500, WHOLE, 200, 10, confirmation=checker)


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


@given(st.fractions(-20, 20, max_denominator=10**6))
@settings(max_examples=30, deadline=None)
def test_shortening_keeps_the_violation_and_never_lengthens(start: F) -> None:
    confirmation: Confirmation[F] = Confirmation(lambda v: {"x": v}, lambda point: 4 - point["x"] ** 2)
    if decide_at(confirmation, {"x": start}) == "violated":
        short = shorten(confirmation, {"x": start})
        assert decide_at(confirmation, short) == "violated"
        assert short["x"].denominator <= start.denominator


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_point_that_is_not_finite_confirms_nothing(value: float) -> None:
    assert exact_point(scalar("x < 0"), value) is None
    assert refutation(scalar("x < 0"), value) is None


@pytest.mark.parametrize(("ratio", "box", "best"), [
    (lambda v: v["x"] * (1 - v["x"]), {"x": (0, 1)}, 0.25),
    (lambda v: math.sin(v["x"]) * math.exp(-v["y"]), {"x": (0, 3), "y": (0, 5)}, 1.0),
    (lambda v: -((v["x"] - v["y"]) ** 2) - 100 * (v["x"] + v["y"] - 1) ** 2, {"x": (0, 1), "y": (0, 1)}, 0.0),
    (lambda v: v["x"] * v["y"] * v["z"], {"x": (-1, 1), "y": (-2, 1), "z": (-3, 1)}, 6.0),
    (lambda v: None if v["x"] > 0.5 else v["x"], {"x": (0, 1)}, 0.5),
])  # fmt: skip
def test_the_climber_reaches_the_known_maximum(
    ratio: Callable[[Values], float | None], box: Mapping[str, Any], best: float
) -> None:
    found = maximise(ratio, box, seed=1)
    assert found.ratio == pytest.approx(best, abs=1e-6)
    assert ratio(found.point) == found.ratio


def test_the_climber_finds_a_corner_that_sampling_misses() -> None:
    """A spike of width 1e-9 over four decades: a thousand samples see nothing, the climb does."""
    spike = F(1, 10**7)

    def ratio(v: Values) -> float:
        return 1 / (1 + abs(math.log10(v["x"]) - 2) * 10)

    sampled = stress(lambda v: v <= 1 - 1e-7, st.floats(1, 10**4).map(lambda x: ratio({"x": x})), 200, 1)
    assert sampled.verdict is Verdict.STRESS_TESTED
    climbed = attack(ratio, 1 - spike, {"x": (1, 10**4)}, seed=1, logarithmic=["x"])
    assert climbed.verdict is Verdict.UNDECIDED


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


def test_an_attack_repeats_itself() -> None:
    entry = next(e for e in true_property.ENTRIES if "attack" in e.name)
    assert entry.run() == entry.run()


def test_an_attack_with_undefined_points_shows_nothing() -> None:
    evidence = attack(lambda v: math.nan if v["x"] > 0.9 else v["x"], 2, {"x": (0, 1)}, seed=1)
    assert evidence.verdict is Verdict.UNDECIDED


def test_an_attack_refutes_with_a_short_witness() -> None:
    box, exactly = {"x": (0, 1), "y": (0, 1)}, scalars("x + y <= 3/2", "x <= 1", "y <= 1")
    evidence = attack(lambda v: v["x"] + v["y"], F(3, 2), box, seed=2, confirmation=exactly)
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample is not None
    assert evidence.counterexample.point == {"x": "1", "y": "1"}


@pytest.mark.parametrize("ends", [(1, 1), (0.0, 1.0)])
def test_a_box_that_is_not_one_is_refused(ends: Any) -> None:
    with pytest.raises(BadInput, match=r"box\['x'\]"):
        maximise(lambda v: 0.0, {"x": ends}, seed=1)


def test_the_opposite_of_a_statement_is_its_exact_negation() -> None:
    for relation, truth in (("<", False), ("<=", True), ("==", True), ("!=", False), (">=", True), (">", False)):
        assert decide_at(pair(f"x {relation} y"), {"x": F(1), "y": F(1)}) == ("holds" if truth else "violated")
        found = refute(Statement((), f"x {relation} y"), {"x": 1, "y": 1}, "test")
        assert (found.verdict is Verdict.REFUTED) is not truth


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
