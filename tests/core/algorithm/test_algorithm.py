"""HCW-GLB-OMD against 50-digit arithmetic, against hostile inputs, and against its own contract."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.algorithm.matrices import cholesky
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.theory import constants
from glbcheck.core.theory.parameters import Index, parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.fifty_digits import SlowLearner

FAMILIES = {name: catalog.get(name) for name in ("gaussian", "bernoulli", "poisson", "scaled_poisson")}


def unit_arms(rng: np.random.Generator, K: int, d: int) -> Floats:
    arms = rng.standard_normal((K, d))
    return np.asarray(arms / np.linalg.norm(arms, axis=1)[:, None] * rng.uniform(0.1, 1, (K, 1)))


# --- the slow implementation ------------------------------------------------------------------------------

CASES: list[dict[str, Any]] = [
    {"family": "gaussian", "d": 2, "S": 1.0, "C": 0.0, "g": (1.0, 1.0), "reward": 1.0},
    {"family": "gaussian", "d": 4, "S": 3.0, "C": 100.0, "g": (1e-4, 1e2), "reward": 3.0},
    {"family": "gaussian", "d": 3, "S": 50.0, "C": 5.0, "g": (1e-8, 1e8), "reward": 1e6},
    {"family": "gaussian", "d": 1, "S": 1e-3, "C": 1.0, "g": (0.1, 10.0), "reward": 1e6},
    {"family": "bernoulli", "d": 3, "S": 2.0, "C": 10.0, "g": (1.0, 1.0), "reward": 1.0},
    {"family": "bernoulli", "d": 2, "S": 5.0, "C": 1000.0, "g": (1.0, 1.0), "reward": 1e6},
    {"family": "poisson", "d": 3, "S": 1.5, "C": 50.0, "g": (1.0, 1.0), "reward": 20.0},
    {"family": "bernoulli", "d": 4, "S": 0.01, "C": 0.0, "g": (1.0, 1.0), "reward": 1.0, "alpha": 1e-3},
    {"family": "gaussian", "d": 4, "S": 2.0, "C": 3.0, "g": (1e-6, 1e-2), "reward": 2.0, "alpha": 50.0},
]


def both(case: dict[str, Any], **options: Any) -> tuple[HCWGLBOMD, SlowLearner]:
    family = FAMILIES[case["family"]]
    fast = HCWGLBOMD(family, case["d"], case["S"], 0.05, case["C"], case.get("alpha"), **options)
    p = fast.parameters
    slow = SlowLearner(case["family"], p.d, p.S, p.delta, p.C, case.get("alpha"), p.R_s, p.L_mu)
    return fast, slow


def observations(case: dict[str, Any], rounds: int) -> list[tuple[Floats, float, float]]:
    rng = np.random.default_rng(17)
    low, high = np.log(case["g"])
    seen = []
    for _ in range(rounds):
        x = unit_arms(rng, 1, case["d"])[0] * (rng.random() > 0.1)
        seen.append((x, case["reward"] * rng.choice([-1.0, 0.0, 1.0]), float(np.exp(rng.uniform(low, high)))))
    return seen


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['family']}-d{c['d']}-S{c['S']}-C{c['C']}")
def test_reference_agrees_with_fifty_digits(case: dict[str, Any]) -> None:
    fast, slow = both(case)
    projections = 0
    for x, reward, g in observations(case, 60):
        g = 1.0 if case["g"] == (1.0, 1.0) else g
        done = fast.update(x, reward, g)
        slow.update(x.tolist(), reward, g)
        projections += done.projected
        assert done.weight == pytest.approx(float(slow.weight), rel=1e-10)
        assert np.allclose(fast.theta, [float(v) for v in slow.theta], rtol=0, atol=1e-10 * case["S"])
        exact_H = np.array([[float(slow.H[i, j]) for j in range(case["d"])] for i in range(case["d"])])
        assert np.allclose(fast.H, exact_H, rtol=0, atol=1e-10 * np.abs(exact_H).max())
        assert fast.beta == pytest.approx(float(slow.beta), rel=1e-10)
        assert fast.radius == pytest.approx(float(slow.radius), rel=1e-10)
    if case["reward"] >= 1e6:
        assert projections > 0, "a case with such rewards must exercise the projection"


@pytest.mark.parametrize("case", [CASES[1], CASES[4], CASES[6]], ids=lambda c: str(c["family"]))
def test_determinant_form_agrees_with_fifty_digits_and_is_smaller(case: dict[str, Any]) -> None:
    fast, slow = both(case, radius_form="determinant")
    for x, reward, g in observations(case, 25):
        g = 1.0 if case["g"] == (1.0, 1.0) else g
        fast.update(x, reward, g)
        slow.update(x.tolist(), reward, g)
    assert fast.beta == pytest.approx(float(slow.beta_from_determinant), rel=1e-10)
    assert fast.beta < float(slow.beta)


@pytest.mark.parametrize("scale", [0.002, 0.1, 1.0])
def test_optimistic_values_agree_with_fifty_digits(scale: float) -> None:
    fast, slow = both(CASES[1])
    for x, reward, g in observations(CASES[1], 30):
        fast.update(x, reward, g)
        slow.update(x.tolist(), reward, g)
    # Both radii are shrunk alike, to leave the regime in which everything is plausible.
    shrunk = replace(fast.confidence_set, radius=fast.radius * scale)
    for x in unit_arms(np.random.default_rng(3), 3, 4):
        expected = float(slow.optimistic_value(x.tolist(), shrunk.radius))
        assert shrunk.optimum(x).value == pytest.approx(expected, abs=1e-10 * CASES[1]["S"])


# --- hostile inputs ---------------------------------------------------------------------------------------


@st.composite
def hostile(draw: st.DrawFn) -> dict[str, Any]:
    name = draw(st.sampled_from(["gaussian", "bernoulli", "poisson"]))
    d = draw(st.one_of(st.integers(1, 6), st.sampled_from([20, 50])))
    return {
        "name": name, "d": d, "S": draw(st.sampled_from([1e-3, 0.1, 1.0, 7.0, 50.0])),
        "C": draw(st.sampled_from([0.0, 1.0, 1e6])), "alpha": draw(st.sampled_from([None, 1e-6, 1e3])),
        "scale": draw(st.sampled_from([None, 0.0, 1e-3, 1e8])),
        "shape": draw(st.sampled_from(["random", "duplicates", "zero", "collinear", "tiny"])),
        "rewards": draw(st.lists(st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1e6, -1e6]), min_size=3, max_size=12)),
        "decade": draw(st.integers(-8, 8)), "seed": draw(st.integers(0, 2**32 - 1)),
    }  # fmt: skip


def hostile_arms(h: dict[str, Any], rng: np.random.Generator) -> Floats:
    arms = unit_arms(rng, 6, h["d"])
    if h["shape"] == "duplicates":
        arms[1:4] = arms[0]
    if h["shape"] == "zero":
        arms[:3] = 0.0
    if h["shape"] == "collinear":
        arms = np.linspace(-1, 1, 6)[:, None] * arms[:1]
    return arms * 1e-9 if h["shape"] == "tiny" else arms


@settings(max_examples=200, deadline=None, derandomize=True)
@given(hostile())
def test_invariants_survive_hostile_inputs(h: dict[str, Any]) -> None:
    rng = np.random.default_rng(h["seed"])
    learner = HCWGLBOMD(FAMILIES[h["name"]], h["d"], h["S"], 0.05, h["C"], h["alpha"], radius_scale=h["scale"])
    arms = hostile_arms(h, rng)
    for step, reward in enumerate(h["rewards"]):
        H, beta = learner.H, learner.beta
        chosen = learner.select(arms)
        assert 0 <= chosen < len(arms)
        g = 10.0 ** (h["decade"] if step % 2 else -h["decade"]) if h["name"] == "gaussian" else 1.0
        expected = learner.weight(arms[chosen], g)
        assert 0 < expected <= 1
        done = learner.update(arms[chosen], reward, g)
        assert done.weight == expected
        assert done.residual <= 1e-9
        assert np.linalg.norm(learner.theta) <= h["S"] * (1 + 1e-15)
        assert np.isfinite(learner.theta).all()
        assert (learner.H == learner.H.T).all()
        assert np.isfinite(learner.H).all()
        assert (np.diag(learner.H - H) >= 0).all()
        size = float(np.abs(learner.H).max())
        assert np.linalg.eigvalsh(learner.H - H)[0] >= -1e-12 * size
        assert np.linalg.eigvalsh(learner.H)[0] >= learner.parameters.lam - 1e-12 * size
        assert learner.beta >= beta
        assert math.isfinite(learner.radius)


def test_a_matrix_too_ill_conditioned_to_factor_gets_its_floor_back() -> None:
    rng = np.random.default_rng(2)
    v = rng.standard_normal(4)
    H = 1e-8 * np.eye(4) + 1e12 * np.outer(v, v)
    H -= 1e-5 * np.eye(4)  # what rounding can do to the small eigenvalues
    L = cholesky(H, 1e-8)
    assert (np.diag(L) > 0).all()
    assert np.allclose(L, np.tril(L))
    assert np.allclose(L @ L.T, H, atol=1e-3)


def test_twenty_thousand_rounds_leave_the_matrix_positive_and_the_determinant_right() -> None:
    learner = HCWGLBOMD(FAMILIES["gaussian"], 3, 2.0, 0.05, 10.0, radius_form="determinant", index="closed-form")
    rng = np.random.default_rng(5)
    arms = unit_arms(rng, 50, 3)
    noise = rng.standard_normal(20_000)
    for t in range(20_000):
        learner.update(arms[t % 50], float(arms[t % 50, 0] + 0.1 * noise[t]), 0.01)
    values = np.linalg.eigvalsh(learner.H)
    assert values[0] > learner.parameters.lam
    logdet = float(np.sum(np.log(values / learner.parameters.lam)))
    p = learner.parameters
    expected = constants.beta_from_logdet(p.S, p.delta, p.eta, p.lam, logdet)
    assert learner.beta == pytest.approx(expected, rel=1e-11)
    assert np.allclose(learner.theta, [1, 0, 0], atol=0.01)


# --- the contract -----------------------------------------------------------------------------------------


def learner_in_use(**options: Any) -> HCWGLBOMD:
    learner = HCWGLBOMD(FAMILIES["bernoulli"], 3, 2.0, 0.05, 10.0, **options)
    rng = np.random.default_rng(1)
    for _ in range(20):
        arms = unit_arms(rng, 5, 3)
        learner.update(arms[learner.select(arms)], float(rng.integers(2)))
    return learner


def state_of(learner: HCWGLBOMD) -> tuple[Any, ...]:
    return learner.t, learner.theta.tobytes(), learner.H.tobytes(), learner.beta, learner.radius


def test_radius_is_beta_plus_what_corruption_adds() -> None:
    learner = learner_in_use()
    p = learner.parameters
    assert learner.radius == pytest.approx(learner.beta + 2 * p.eta * p.alpha * p.C, rel=1e-15)
    assert p.alpha == pytest.approx(math.sqrt(3) / 10)
    assert learner.t == 21


def test_what_is_handed_out_cannot_change_the_learner() -> None:
    learner = learner_in_use()
    before = state_of(learner)
    learner.theta[:] = 7.0
    learner.H[:] = 7.0
    assert state_of(learner) == before


BAD_UPDATES: list[tuple[Any, Any, Any, str]] = [
    ([0.1, 0.2], 1.0, 1.0, "x"), ([[0.1, 0.2, 0.3]], 1.0, 1.0, "x"), ([1.0, 1.0, 1.0], 1.0, 1.0, "x"),
    ([math.nan, 0.0, 0.0], 1.0, 1.0, "x"), (["a", "b", "c"], 1.0, 1.0, "x"),
    ([0.1, 0.2, 0.3], math.nan, 1.0, "reward"), ([0.1, 0.2, 0.3], math.inf, 1.0, "reward"),
    ([0.1, 0.2, 0.3], [1.0], 1.0, "reward"), ([0.1, 0.2, 0.3], "one", 1.0, "reward"),
    ([0.1, 0.2, 0.3], 1.0, 2.0, "dispersion"), ([0.1, 0.2, 0.3], 1.0, 0.0, "dispersion"),
    ([0.1, 0.2, 0.3], 1.0, math.nan, "dispersion"),
]  # fmt: skip


@pytest.mark.parametrize("array", [list, np.array])
@pytest.mark.parametrize(("x", "reward", "g", "word"), BAD_UPDATES)
def test_a_bad_observation_is_refused_by_name_and_leaves_no_trace(
    x: Any, reward: Any, g: Any, word: str, array: Any
) -> None:
    learner = learner_in_use()
    before = state_of(learner)
    with pytest.raises(BadInput, match=f"^{word} ="):
        learner.update(array(x), reward, g)
    assert state_of(learner) == before


@pytest.mark.parametrize("array", [list, np.array])
@pytest.mark.parametrize(
    "arms", [[], [[]], [0.1, 0.2, 0.3], [[0.1, 0.2]], [[1.0, 1.0, 0.0]], [[0.0, 0.0, math.inf]], [[0, 0, None]]]
)
def test_bad_arm_sets_are_refused(arms: Any, array: Any) -> None:
    with pytest.raises(BadInput, match="arms"):
        learner_in_use().select(array(arms))


@pytest.mark.parametrize(("argument", "value"), [
    ("d", 0), ("d", 2.5), ("S", -1.0), ("S", math.inf), ("delta", 0.0), ("delta", 1.0), ("delta", math.nan),
    ("C", -1.0), ("C", math.inf), ("alpha", 0.0), ("theta0", [3.0, 0.0, 0.0]), ("theta0", [0.0, 0.0]), ("R_s", -1.0),
    ("L_mu", 0.0), ("lam", math.nan), ("index", "best"), ("radius_form", "trace"), ("constants", "mine"),
])  # fmt: skip
def test_bad_parameters_are_refused_by_name(argument: str, value: Any) -> None:
    chosen: dict[str, Any] = {"d": 3, "S": 2.0, "delta": 0.05, "C": 10.0, argument: value}
    with pytest.raises(BadInput, match=argument):
        HCWGLBOMD(FAMILIES["bernoulli"], **chosen)


def test_hand_tuned_constants_are_labelled() -> None:
    assert learner_in_use().guarantee.startswith("theorem:confidence-sequence")
    assert learner_in_use(alpha=0.3).guarantee.startswith("theorem:confidence-sequence")
    assert learner_in_use(R_s=1.0, L_mu=0.25).guarantee.startswith("theorem:confidence-sequence")
    for tuned in ({"eta": 1.0}, {"lam": 1.0}, {"radius_scale": 0.1}, {"R_s": 0.1}, {"L_mu": 0.2}):
        assert learner_in_use(**tuned).guarantee == f"none: tuned by hand: {next(iter(tuned))}"


@pytest.mark.parametrize(("reading", "given", "word"), [
    ("paper", {"R_s": 0.76}, "none: tuned by hand: R_s"), ("paper", {"R_s": 0.77}, "theorem"),
    ("paper", {"L_mu": 0.249}, "none: tuned by hand: L_mu"), ("paper", {"L_mu": 0.251}, "theorem"),
    ("repaired", {"R_s": 0.99}, "none: the repaired theorem"), ("repaired", {"R_s": 1.0}, "theorem"),
])  # fmt: skip
def test_a_constant_a_little_below_what_is_certified_guarantees_nothing(
    reading: Any, given: dict[str, Any], word: str
) -> None:
    """For coins and S = 2: L_mu is 1/4, R_s is tanh 1 = 0.7616 on [-S, S] and 1 on the whole line."""
    learner = HCWGLBOMD(FAMILIES["bernoulli"], 3, 2.0, 0.05, 10.0, constants=reading, **given)
    assert learner.guarantee.startswith(word)


def test_closed_form_index_ignores_the_ball() -> None:
    # Far along the first axis the ellipsoid is long; only the ball makes the second arm better.
    arms = np.array([[0.9, 0.0], [0.0, 1.0]])
    picks = {}
    indices: tuple[Index, ...] = ("exact", "closed-form")
    for index in indices:
        learner = HCWGLBOMD(FAMILIES["gaussian"], 2, 1.0, 0.05, 0.0, lam=1.0, index=index)
        for _ in range(200):
            learner.update([0.0, 1.0], 0.9, 1.0)
        picks[index] = learner.select(arms)
    assert picks == {"exact": 1, "closed-form": 0}


def test_at_first_the_confidence_set_contains_everything_and_later_not() -> None:
    learner = HCWGLBOMD(FAMILIES["gaussian"], 2, 1.0, 0.05, 0.0, diagnose=True)
    first = learner.update([1.0, 0.0], 0.5, 1.0)
    assert first.covers_ball is True
    for _ in range(400):
        last = learner.update([1.0, 0.0], 0.5, 0.1)
    assert last.covers_ball is False


def test_truth_values_are_rewards_and_numpy_integers_are_dimensions() -> None:
    kinds: list[tuple[Any, Any]] = [(2, 1.0), (np.int64(2), np.bool_(True))]
    learner, twin = (HCWGLBOMD(FAMILIES["bernoulli"], two, 1.0) for two, _ in kinds)
    for each, (_, reward) in zip((learner, twin), kinds, strict=True):
        each.update([0.5, 0.5], reward)
    assert (learner.theta == twin.theta).all()


def test_the_repaired_theorem_asks_for_self_concordance_on_the_whole_line() -> None:
    bernoulli = HCWGLBOMD(catalog.get("bernoulli"), d=2, S=1.0, C=1.0, constants="repaired")
    assert bernoulli.parameters.R_s == 1.0
    assert "repaired" in bernoulli.guarantee
    exponential = HCWGLBOMD(catalog.get("exponential").tilted(2), d=2, S=1.0, C=1.0, constants="repaired")
    assert exponential.guarantee.startswith("none")


def test_a_dispersion_whose_inverse_overflows_is_refused() -> None:
    with pytest.raises(BadInput, match="dispersion"):
        HCWGLBOMD(FAMILIES["gaussian"], 1, 1.0).update([0.5], 1.0, 1e-320)


def test_a_learner_made_of_parameters_does_not_diagnose() -> None:
    assert not HCWGLBOMD.with_parameters(parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)).diagnose
