"""A scout that chooses within an allowance: reference and engine alike, and no proposal can break the bound."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import replicate, run
from glbcheck.core.environment.adversary import mirror
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.theory import scout as scouting
from glbcheck.core.theory.parameters import Parameters, parameters

from glbcheck import HCWGLBOMD, Learner, Scouted, catalog, restore, save

COIN = catalog.get("bernoulli")
ROUNDS = 300


def told(family: str = "bernoulli", C: float = 5.0, share: float = 1.0, S: float = 1.0, g: float = 1.0) -> Parameters:
    of_scout: dict[str, Any] = {"horizon": ROUNDS, "scout": share, "dispersions": (g, 1.0)}
    return parameters(catalog.get(family), 3, S, 0.05, C, reading="sharpest", **of_scout)


def arms_of(seed: int, change: bool) -> Floats:
    rng, count = np.random.default_rng(seed), ROUNDS if change else 1
    arms = (1 - 1e-9) * sphere(rng, 8 * count, 3).reshape(count, 8, 3)
    return arms if change else arms[0]


THETA = np.array([0.6, -0.5, 0.2])


def made(p: Parameters) -> Scouted:
    learner = Scouted.with_parameters(p)
    assert isinstance(learner, Scouted)
    return learner


# --- reference and engine -----------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [False, True], ids=["arms stay", "arms change"])
@pytest.mark.parametrize(
    ("family", "C", "share"), [("bernoulli", 5.0, 1.0), ("poisson", 0.0, 0.01), ("gaussian", 30.0, 0.02)]
)
def test_reference_and_engine_pull_the_same_arms(family: str, C: float, share: float, change: bool) -> None:
    p, arms = told(family, C, share), arms_of(1, change)
    played = run(p, World(THETA, arms, attack=mirror(C)), ROUNDS, 7, record=True)
    learner, record = made(p), played.record or {}
    for t in range(ROUNDS):
        offered = arms[t] if change else arms
        assert learner.select(offered) == record["arm"][t], t
        learner.update(offered[int(record["arm"][t])], record["reward"][t] + record["corruption"][t])
    np.testing.assert_allclose(learner.theta, played.theta, rtol=1e-9, atol=1e-12)
    assert learner.spent > 0


def test_replicates_with_a_scout_are_the_runs_one_by_one() -> None:
    p, world = told(), World(THETA, arms_of(2, change=False))
    together = replicate(p, world, 50, 3, 3)
    assert [one.regret for one in together] == [run(p, world, 50, 3, (n,)).regret for n in range(3)]


def test_a_learner_is_another_one_with_its_scout() -> None:
    p, world = told(share=1.0), World(THETA, arms_of(2, change=False))
    assert run(p, world, ROUNDS, 3).regret != run(replace(p, scout=0.0), world, ROUNDS, 3).regret


# --- the guarantee ------------------------------------------------------------------------------------------


class Worst(Scouted):
    """Its scout always proposes the arm that is truly worst."""

    def _preferred(self, points: Floats, *known: object) -> int:
        return int(np.argmin(points @ THETA))

    def select(self, arms: Any) -> int:
        proposed = self.propose(arms)
        return self.confidence_set.best_closed_form(arms) if proposed is None else proposed


@pytest.mark.parametrize("share", [0.01, 0.1])
def test_the_worst_scout_spends_its_allowance_and_no_more(share: float) -> None:
    p, arms, rng = told("gaussian", 0.0, share), arms_of(3, change=False), np.random.default_rng(5)
    learner = Worst.with_parameters(p)
    assert isinstance(learner, Worst)
    assert p.choice
    proposals = 0
    for t in range(1, ROUNDS + 1):
        k, before = learner.select(arms), learner.spent
        proposals += k == np.argmin(arms @ THETA)
        learner.update(arms[k], float(arms[k] @ THETA + rng.standard_normal()))
        assert learner.spent == before <= share * p.choice.regret_bound(t)
    assert 0 < proposals < ROUNDS
    assert learner.spent > 0.5 * share * p.choice.regret_bound(ROUNDS / 2)


def test_what_a_pull_may_cost_is_at_least_what_it_costs() -> None:
    learner, arms, rng = made(told("poisson")), arms_of(4, change=False), np.random.default_rng(6)
    mu = catalog.get("poisson").mu(arms @ THETA)
    for _ in range(100):
        assert learner.confidence_set.distance(THETA) <= learner.radius
        assert all(learner.cost(arms, k) >= mu.max() - mu[k] for k in range(len(arms)))
        k = learner.select(arms)
        learner.update(arms[k], float(rng.poisson(mu[k])))
    span = float(np.diff(catalog.get("poisson").mu(np.array([-1.0, 1.0])))[0])
    assert 0 < learner.cost(arms, 0) <= span


def test_what_a_pull_may_cost_is_the_span_between_the_best_index_and_its_own_least_one() -> None:
    learner, arms, rng = made(told("gaussian", 0.0)), arms_of(4, change=False), np.random.default_rng(6)
    learner.become(replace(learner.state, rounds=10**4, theta=0.9 * THETA, H=1e4 * np.eye(3)))
    inside = learner.theta + learner.radius / 100 * sphere(rng, 20000, 3)  # the border of C_t
    values = inside @ arms.T
    assert np.abs(values).max() < 1
    for k in range(len(arms)):
        assert learner.cost(arms, k) == pytest.approx(values.max() - values[:, k].min(), rel=1e-2)


def test_a_learner_that_takes_over_a_state_goes_on_as_the_one_that_had_it() -> None:
    one, other = made(told()), made(told())
    for reward in (1.0, 0.0, 1.0):
        one.update(THETA, reward)
    other.become(one.state)
    learned = [learner.update(-THETA, 1.0) for learner in (one, other)]
    assert learned[0].weight == learned[1].weight <= 1
    assert (one.state.scout.theta == other.state.scout.theta).all()
    assert (one.state.scout.H == other.state.scout.H).all()


def test_a_learner_without_a_proved_bound_has_no_scout() -> None:
    with pytest.raises(BadInput, match=r"constants = 'paper' is not accepted: sharpest: a scout spends"):
        Scouted.with_parameters(parameters(COIN, 2, 1.0, 0.05, 0.0))


@pytest.mark.parametrize("t", [1, 2, 3, 4, 7, 8, 300])
def test_the_allowance_is_a_share_of_the_bound_at_the_last_power_of_two(t: int) -> None:
    p = told(share=0.25)
    assert p.choice
    octave = max(2**k for k in range(9) if 2**k <= t)
    assert scouting.allowance(p, t) == 0.25 * p.choice.regret_bound(octave)
    assert scouting.allowances(p, t)[-1] == scouting.allowance(p, t)
    assert scouting.allowance(p, t) <= 0.25 * p.choice.regret_bound(t)


def test_the_guarantee_names_the_bound_and_the_share() -> None:
    p = told(share=0.5)
    assert p.choice
    assert f"at most {1.5 * p.choice.regret_bound(ROUNDS):.4g} for T = {ROUNDS}" in p.guarantee
    assert "bounded by 1.5 choice.regret_bound(T)" in p.guarantee
    assert "bounded by choice.regret_bound(T)" in told(share=0.0).guarantee
    assert "bounded by 2 choice.regret_bound(T)" in told(share=scouting.SHARE).guarantee


def test_a_scout_and_the_exact_index_do_not_go_together() -> None:
    assert told().index == "closed-form"
    with pytest.raises(BadInput, match=r"index = 'exact' is not accepted: 'closed-form' with a scout"):
        parameters(COIN, 3, 1.0, 0.05, 0.0, reading="sharpest", horizon=10, scout=1.0, index="exact")


@pytest.mark.parametrize("share", [-0.1, float("nan"), float("inf"), "much", None])
def test_a_share_that_is_none_is_refused(share: object) -> None:
    with pytest.raises(BadInput, match=r"scout = .* is not accepted: a (share of the proved bound|real number)"):
        Scouted(COIN, 2, 1.0, scout=share)  # type: ignore[arg-type]


def test_a_scout_needs_a_bound_to_spend_of() -> None:
    with pytest.raises(BadInput, match=r"scout = 1.0 is not accepted: 0, or the sharpest constants"):
        parameters(COIN, 2, 1.0, 0.05, 0.0, scout=1.0)


# --- behind the counter -------------------------------------------------------------------------------------


def worked(learner: Learner, pulls: int, seed: int = 0) -> list[int]:
    rng, arms = np.random.default_rng(seed), arms_of(9, change=False)
    chosen = []
    for _ in range(pulls):
        ticket = learner.choose(arms)
        chosen.append(ticket.arm)
        learner.reward(ticket, float(rng.random() < COIN.mu(arms[ticket.arm] @ THETA)))
    return chosen


def test_a_restored_learner_goes_on_bit_by_bit(tmp_path: Path) -> None:
    learner = Learner(made(told()))
    worked(learner, 40)
    save(learner, tmp_path / "a.json")
    again = restore(tmp_path / "a.json")
    assert isinstance(again.algorithm, Scouted)
    assert again.algorithm.spent == learner.algorithm.spent > 0
    assert worked(again, 40, seed=1) == worked(learner, 40, seed=1)
    assert json.dumps(again.algorithm.theta.tolist()) == json.dumps(learner.algorithm.theta.tolist())


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda s: s.pop("scout"), "state.scout = "),
        (lambda s: s["scout"].update(theta=[1.0, 1.0, 0.0]), "state.scout.theta = "),
        (lambda s: s["scout"].update(rounds=3), "state.scout"),
        (lambda s: s["scout"].update(rounds=6, inverse_g=6.0), "seal = "),
        (lambda s: s.update(spent=-1.0), "seal = "),
        (lambda s: s.update(spent=1e9), "seal = "),
        (lambda s: s.pop("spent"), "state.spent = .*None"),
    ],
)
def test_what_is_no_state_of_a_scout_is_refused(change: object, refusal: str, tmp_path: Path) -> None:
    learner = Learner(made(told()))
    worked(learner, 5)
    save(learner, tmp_path / "a.json")
    document = json.loads((tmp_path / "a.json").read_text())
    change(document["state"])  # type: ignore[operator]
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(BadInput, match=refusal):
        restore(tmp_path / "a.json")


def test_the_bound_of_a_learner_has_what_proposals_may_have_cost() -> None:
    learner = Learner(made(told("gaussian", 0.0)), watch=None)
    rng, arms = np.random.default_rng(1), arms_of(9, change=False)
    for _ in range(200):
        ticket = learner.choose(arms)
        learner.reward(ticket, float(arms[ticket.arm] @ THETA + rng.standard_normal()))
    p, bound = learner.algorithm.parameters, learner.regret_bound()
    assert p.choice
    assert bound is not None
    own = p.choice.regret_bound_from(learner.algorithm.state.logdet, p.L_mu * 200)
    assert bound == min(own + learner.algorithm.spent, p.choice.problem.link.span * 200)


@pytest.mark.parametrize(("share", "kept"), [(1.0, True), (1e-9, False)])
def test_a_distinct_batch_keeps_the_bound_as_long_as_the_allowance_pays(share: float, kept: bool) -> None:
    learner, arms = Learner(made(told(share=share))), arms_of(9, change=False)
    worked(learner, 20)
    batch = learner.choose_batch(arms, 8, distinct=True)
    assert sorted(ticket.arm for ticket in batch) == list(range(8))
    assert (learner.regret_bound() is not None) is kept


def test_arms_may_grow_fewer_and_more() -> None:
    arms = arms_of(1, change=True)
    p, sizes = told(), (8, 3, 5)

    def shown(rng: np.random.Generator, first: int, count: int) -> Floats:
        return np.repeat(arms[:1, : sizes[first // 512]], count, axis=0)

    record = run(p, World(THETA, shown), 1536, 3, record=True).record or {}
    assert [len(set(part)) > 1 and part.max() < K for part, K in zip(np.split(record["arm"], 3), sizes, strict=True)]
    learner = made(p)
    for t in range(1536):
        offered = arms[0, : sizes[t // 512]]
        assert learner.select(offered) == record["arm"][t], t
        learner.update(offered[int(record["arm"][t])], record["reward"][t])


def test_without_a_scout_nothing_is_proposed_or_spent() -> None:
    learner = HCWGLBOMD(COIN, 3, 1.0, constants="sharpest", horizon=ROUNDS)
    assert (learner.propose(np.eye(3)), learner.spent) == (None, 0.0)
