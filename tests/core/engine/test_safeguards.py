"""Each safeguard of the engine, with an input that it is there for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import interactive, linear, look
from glbcheck.core.engine import learner as step
from glbcheck.core.engine import state as states
from glbcheck.core.errors import BadInput

from glbcheck import HCWGLBOMD, Scouted
from tests.core.engine import fuzz
from tests.core.engine.worlds import ball, told


def placed(theta: Floats, H: Floats, radius: float, S: float, arms: Floats) -> tuple[Floats, Floats, ConfidenceSet]:
    """State and room of a learner in this state."""
    p = told("gaussian", len(theta), S, 0.0, "paper", "exact", lam=float(np.linalg.eigvalsh(H)[0]))
    state, room = states.initial(p), states.room_for(p, len(arms))
    states.vector(state, states.THETA)[:] = theta
    states.square(state, states.H)[:] = H
    state[states.RADIUS] = radius
    step.refresh(state)
    return state, room, ConfidenceSet(theta, H, radius, S, p.lam)


def agrees(state: Floats, room: Floats, region: ConfidenceSet, arms: Floats) -> bool:
    expected = most_uncertain(*region.values(arms), region.squared_norms(arms))
    return bool(interactive.choose_exactly(state, room, arms) == expected)


# --- exact optimism -----------------------------------------------------------------------------------------


def both_bind(seed: int, d: int = 6, K: int = 20) -> tuple[Floats, Floats, ConfidenceSet, Floats]:
    rng = np.random.default_rng(seed)
    arms, theta = ball(rng, K, d, 1.0), rng.standard_normal(d)
    H = fuzz._matrix(rng, d, 2.0)
    theta *= 0.9 / np.linalg.norm(theta)
    return *placed(theta, H, 0.8 * float(np.sqrt(np.median(np.linalg.eigvalsh(H)))), 1.0, arms), arms


@pytest.mark.parametrize("nu", [1e-12, 1e-6, 1e6, 1e12])
def test_a_relaxation_far_from_the_right_multiplier_ends_at_the_right_arm(nu: float) -> None:
    """The bracket on the multiplier: from any start the search ends, and ends right."""
    for seed in range(30):
        state, room, region, arms = both_bind(seed)
        state[states.MULTIPLIER] = nu
        linear.root_of_inverse(
            region.H, nu, region.floor + nu, states.square(state, states.FACTOR), states.square(state, states.W_NU)
        )
        assert agrees(state, room, region, arms)


def test_two_nearly_equal_arms_do_not_alternate_for_ever() -> None:
    """A look stops below `rest - tie`, not below `rest`."""
    for seed in range(20):
        for apart in (0.0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-10):
            state, room, region, arms = both_bind(seed, K=6)
            arms[3] = arms[np.argmax(region.values(arms)[0])] * (1 - apart)
            assert agrees(state, room, region, arms)
            assert state[states.LOOKS] < 60


def test_bounds_meet_at_the_value_although_the_relaxation_is_of_an_older_matrix() -> None:
    """Both surfaces at once, then steps along the residual: the lower bound reaches the value without a new one."""
    made = 0.0
    for seed in range(30):
        state, room, region, arms = both_bind(seed)
        interactive.choose_exactly(state, room, arms)
        before = state[states.RELAXATIONS]
        H = region.H + 0.05 * np.outer(arms[0], arms[0])
        states.square(state, states.H)[:] = H
        step.refresh(state)
        assert agrees(state, room, ConfidenceSet(region.center, H, region.radius, 1.0, region.floor), arms)
        made += state[states.RELAXATIONS] - before
    assert made <= 15, "most choices do without a new relaxation"


def test_values_over_ten_decades_of_eigenvalues_are_those_of_the_reference() -> None:
    """The rounding of a quadratic form is taken off the lower bound, and pivots are floored at λ."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        arms, theta, H = ball(rng, 10, 5, 1.0), rng.standard_normal(5), fuzz._matrix(rng, 5, 10.0)
        theta *= 0.999 / np.linalg.norm(theta)
        state, room, region = placed(theta, H, float(10.0 ** rng.uniform(-2, 6)), 1.0, arms)
        assert agrees(state, room, region, arms)


def test_a_set_that_one_constraint_alone_decides_makes_no_relaxation() -> None:
    rng = np.random.default_rng(1)
    arms = ball(rng, 20, 4)
    for radius in (1e-6, 1e6):
        state, room, region = placed(0.1 * arms[0], np.eye(4), radius, 1.0, arms)
        assert agrees(state, room, region, arms)
        assert state[states.RELAXATIONS] == 0


def test_a_relaxation_is_given_up_after_some_choices_that_do_without_it() -> None:
    state, room, _, arms = both_bind(3)
    interactive.choose_exactly(state, room, arms)
    assert state[states.MULTIPLIER] > 0
    state[states.RADIUS] = 1e-9
    for _ in range(10):
        interactive.choose_exactly(state, room, arms)
    assert state[states.MULTIPLIER] == 0


@pytest.mark.parametrize(("alpha", "scale"), [(0.3, 1.0), (0.7, 2.0), (1.0, 0.5)])
def test_every_split_of_an_arm_bounds_its_value_from_above(alpha: float, scale: float) -> None:
    """What makes it right to pass over an arm: α S ‖y‖ + <x - α y, θ> + ρ ‖x - α y‖ for any y and α."""
    for seed in range(20):
        _, _, region, arms = both_bind(seed)
        y, x = scale * arms[1], arms[0]
        rest = x - alpha * y
        bound = alpha * np.linalg.norm(y) + rest @ region.center
        bound += region.radius * float(np.sqrt(rest @ np.linalg.solve(region.H, rest)))
        assert region.optimum(x).value <= bound + 1e-12


# --- the step -----------------------------------------------------------------------------------------------


def learning(**more: Any) -> Floats:
    return states.initial(told("gaussian", 4, 1.0, 0.0, "paper", "closed-form", **more))


def test_growth_by_many_decades_makes_the_square_root_anew() -> None:
    state, x = learning(lam=1e-3, alpha=1e30), np.array([0.6, 0.0, 0.0, 0.8])
    interactive.observe(state, x, 0.1, 1e-9)
    assert state[states.AGE] == 0
    white = states.square(state, states.W) @ x
    norm, c = state[states.NORM], state[states.CURVATURE]
    assert c * norm**2 > step.STEEP
    assert white @ white == pytest.approx(norm**2 / (1 + c * norm**2), rel=1e-6)
    interactive.observe(state, x, 0.1, 1.0)
    assert state[states.AGE] == 1


def test_the_square_root_is_made_anew_every_so_many_rounds() -> None:
    state, rng = learning(), np.random.default_rng(0)
    ages = []
    for x in ball(rng, 600, 4):
        interactive.observe(state, x, 0.1, 1.0)
        ages.append(state[states.AGE])
    assert ages.count(0.0) == 2
    assert max(ages) == step.REFRESH - 1


def test_rounding_that_hides_the_floor_of_a_pivot_is_undone() -> None:
    v = np.array([1.0, 2.0, 3.0])
    M, floor = 1e-8 * np.eye(3) + 1e12 * np.outer(v, v) - 1e-5 * np.eye(3), 1e-8
    factor, out = np.zeros((3, 3)), np.zeros((3, 3))
    linear.root_of_inverse(M, 0.0, floor, factor, out)
    assert np.isfinite(out).all()
    assert np.diag(out).max() <= floor**-0.5 * (1 + 1e-12)


def test_the_matrix_stays_symmetric_to_the_last_bit() -> None:
    state, rng = learning(), np.random.default_rng(3)
    for x in ball(rng, 300, 4):
        interactive.observe(state, x, float(rng.standard_normal()), float(10.0 ** rng.uniform(-6, 6)))
    H = states.square(state, states.H)
    assert (H == H.T).all()


def test_the_residual_of_every_projection_is_recorded_and_small() -> None:
    state, rng = learning(lam=1e-2), np.random.default_rng(4)
    seen = []
    for x in ball(rng, 200, 4):
        done = interactive.observe(state, x, 10.0 ** float(rng.uniform(0, 90)), 1.0)
        seen.append(done[4:6])
    projected = [residual for was, residual in seen if was]
    assert len(projected) > 50
    assert 0 < max(projected) <= 1e-12
    assert all(residual == 0 for was, residual in seen if not was)


# --- what is refused ----------------------------------------------------------------------------------------


BAD_ARMS: list[Any] = [
    np.zeros((0, 3)), np.zeros((2, 2)), np.zeros(3), np.full((2, 3), np.nan), np.full((2, 3), np.inf), np.ones((2, 3)),
    np.array([["a", "b", "c"]]), np.ma.masked_array(np.zeros((1, 3)), mask=True), None, 1.0,
    np.array([[1.0, 1j, 0.0]]),
]  # fmt: skip
BAD_UPDATES: list[tuple[Any, Any, Any]] = [
    (np.zeros(2), 1.0, 1.0), (np.full(3, np.nan), 1.0, 1.0), (np.ones(3), 1.0, 1.0), (np.zeros((1, 3)), 1.0, 1.0),
    (np.zeros(3), np.nan, 1.0), (np.zeros(3), np.inf, 1.0), (np.zeros(3), 1e101, 1.0), (np.zeros(3), "one", 1.0),
    (np.zeros(3), 1.0, 2.0), (np.zeros(3), 1.0, True), (np.zeros(3), 1.0, np.nan),
    (np.ma.masked_array(np.zeros(3), mask=True), 1.0, 1.0),
]  # fmt: skip


@pytest.mark.parametrize("kind", [HCWGLBOMD, Scouted])
@pytest.mark.parametrize("used", [0, 5])
def test_what_is_refused_changes_no_bit(kind: Any, used: int) -> None:
    learner, rng = kind(catalog.get("bernoulli"), 3, 2.0, C=1.0), np.random.default_rng(0)
    for t in range(used):
        arms = ball(rng, 4, 3)
        learner.update(arms[learner.select(arms)], float(t % 2))
    before = learner._step.numbers.tobytes()
    for arms in BAD_ARMS:
        with pytest.raises(BadInput, match="arms"):
            learner.select(arms)
    for x, reward, g in BAD_UPDATES:
        with pytest.raises(BadInput):
            learner.update(x, reward, g)
    assert learner._step.numbers.tobytes() == before


def test_arrays_of_other_types_are_taken_as_lists_are() -> None:
    arms = 0.5 * np.eye(3)
    ways = [arms.tolist(), arms.astype(np.float32).astype(float), np.asfortranarray(arms), arms[:, ::1], arms.T]
    learners = [HCWGLBOMD(catalog.get("bernoulli"), 3, 2.0) for _ in ways]
    frozen = arms.copy()
    frozen.flags.writeable = False
    for learner, offered in zip(learners, [*ways[:-1], frozen], strict=True):
        for _ in range(3):
            k = learner.select(offered)
            learner.update(offered[k], 1.0)
    assert len({learner.theta.tobytes() for learner in learners}) == 1


def test_updates_of_any_dispersion_take_the_compiled_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    gaussian = catalog.get("gaussian")
    learners = [HCWGLBOMD(gaussian, 3, 2.0), HCWGLBOMD(gaussian, 3, 2.0, constants="sharpest", dispersions=(0.5, 4.0))]
    x, checked = np.array([0.1, 0.2, 0.3]), HCWGLBOMD._update
    for learner in learners:
        learner.update(x, 1.0)
        for refused in (0.0, -0.0, -1.0, np.inf, np.nan, 1e-320):
            with pytest.raises(BadInput, match="dispersion"):
                learner.update(x, 1.0, refused)
    with pytest.raises(BadInput, match="dispersion"):
        learners[1].update(x, 1.0, 0.49)
    monkeypatch.setattr(HCWGLBOMD, "_update", None)
    for learner in learners:
        for g in (0.5, 1.0, 4.0):
            learner.update(x, 1.0, g)
    monkeypatch.setattr(HCWGLBOMD, "_update", checked)
    binomial = HCWGLBOMD(catalog.get("binomial_proportion"), 3, 2.0)
    for g in (1.0, 0.5, 0.25):
        binomial.update(x, 1.0, g)
    assert binomial._step.inverse_g == 7.0


def test_bad_arguments_are_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    code = """
from glbcheck import HCWGLBOMD, catalog
from glbcheck.core.errors import BadInput
import numba.core.dispatcher as d
d.Dispatcher.compile = lambda *a: (_ for _ in ()).throw(AssertionError("compiled"))
learner = HCWGLBOMD(catalog.get("bernoulli"), 3, 2.0)
for call in (lambda: learner.select([[2.0, 0, 0]]), lambda: learner.update([0, 0, 0], float("nan"))):
    try:
        call()
    except BadInput as err:
        print(err)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.count("is not accepted") == 2, done.stderr


# --- compiling ----------------------------------------------------------------------------------------------


INTERPRETED = """
from tests.core.engine.worlds import play, told
for index in ("closed-form", "exact"):
    pair = play(told("bernoulli", 3, 2.0, 0.0, "sharpest", index, radius_scale=0.2), 30, K=6)
    print(index, pair.wrong, pair.off <= 1e-12)
from tests.core.engine.test_agreement import test_a_scout_proposes_the_same_arms_and_spends_the_same
from tests.core.engine import fuzz
print(sum(fuzz.verdict(fuzz.fabricated(5, n))[2] for n in range(20)))
"""


def test_every_kernel_also_runs_interpreted() -> None:
    root = Path(__file__).resolve().parents[3]
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED], capture_output=True, text=True, cwd=root, env=settings, check=False
    )
    assert done.stdout.splitlines() == ["closed-form 0 True", "exact 0 True", "0"], done.stderr


def test_an_unwritable_cache_is_no_obstacle(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "import numpy as np; from glbcheck import HCWGLBOMD, catalog; "
    code += "print(HCWGLBOMD(catalog.get('bernoulli'), 2, 1.0, index='closed-form').select(np.eye(2) * 0.9))"
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(blocked / "cache")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=False)
    assert done.stdout == "0\n", done.stderr
    assert "Compiling the learner" in done.stderr


def test_looks_are_bounded() -> None:
    assert look.RELAXATIONS_OF_A_LOOK <= 100
