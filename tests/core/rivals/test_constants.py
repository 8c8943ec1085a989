"""The constants of CR-Eluder-UCB and GAdaOFUL are those of `docs/refitting-rivals.md`; those of MOR-UCB."""

from __future__ import annotations

import math
from math import e, exp, log, sqrt

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.environment.world import World
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals import cr_eluder_ucb, gadaoful, likelihood
from glbcheck.core.theory.parameters import Parameters, parameters

SLOPE = 1 / (2 + 2 * math.cosh(0.7))  # of the logistic link at 0.7


def told(name: str, S: float, C: float, d: int = 2, delta: float = 0.1) -> Parameters:
    return parameters(catalog.get(name), d, S, delta, C)


# --- CR-Eluder-UCB ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "dispersions", "R"), [
    ("gaussian", (0.1, 2.25), 1.5), ("bernoulli", (1.0, 1.0), 0.5), ("rademacher", (1.0, 1.0), 1.0),
    ("binomial_proportion", (0.01, 0.04), 0.1),
])  # fmt: skip
def test_the_noise_scale_is_that_of_the_largest_variance(name: str, dispersions: tuple[float, float], R: float) -> None:
    assert cr_eluder_ucb.noise_scale(catalog.get(name), dispersions[1]) == pytest.approx(R)
    use = cr_eluder_ucb.constants(told(name, 0.5, 1.0), 10, dispersions[1])
    assert (use.R, use.lam) == pytest.approx((R, R**2 * use.log_cover))


@pytest.mark.parametrize("C", [0.0, 0.2, 5.0])
def test_cr_eluder_ucb_has_the_constants_of_the_proof(C: float) -> None:
    S, T, R, delta = 0.7, 300, 0.5, 0.1
    use = cr_eluder_ucb.constants(told("bernoulli", S, C), T, 1.0)
    assert (use.S, use.C, use.horizon) == (S, C, T)
    assert (use.L_mu, use.kappa) == pytest.approx((0.25, 1 / SLOPE))
    gamma = R * R / (T * C) if C > R else R / T
    log_N = 2 * log(1 + 2 * S * 0.25 / gamma)
    assert (use.gamma, use.log_cover, use.lam) == pytest.approx((gamma, log_N, R * R * log_N))
    assert use.alpha == pytest.approx(R * sqrt(log_N) / C if C else math.inf)
    between = R * (sqrt(2 * log(2)) * T + log(2 / delta) / sqrt(2 * log(2)))
    assert use.excess == pytest.approx(4 * R * R * log(2 * exp(log_N) / delta) + 2 * gamma * between + R * R)
    assert (use.ridge, use.H_1) == pytest.approx((R * R / S / S, use.lam / SLOPE**2 / (4 * S * S)))
    assert use.trust == pytest.approx(use.alpha * SLOPE / 0.25)


@pytest.mark.parametrize("C", [0.0, 5.0])
def test_the_radius_of_cr_eluder_ucb_solves_its_quadratic(C: float) -> None:
    use = cr_eluder_ucb.constants(told("bernoulli", 0.7, C), 300, 1.0)
    b, y = use.gamma * sqrt(300), use.radius / use.kappa
    pushed = 2 * use.alpha * C if C else 0.0
    assert y**2 - 2 * (b + pushed) * y == pytest.approx(use.lam + b**2 + 2 * use.excess)
    assert y > 2 * (b + pushed)


def test_the_spread_of_absolute_noise_is_the_least_rate_of_its_exponential_bound() -> None:
    s = np.linspace(0.5, 3, 100_001)  # E e^{s|ε|} <= 2 e^{s²/2} at R = 1
    assert ((log(2) + s**2 / 2) / s).min() == pytest.approx(cr_eluder_ucb.SPREAD, rel=1e-9)
    assert log(2) + cr_eluder_ucb.SPREAD**2 / 2 == pytest.approx(cr_eluder_ucb.SPREAD**2)  # at s = SPREAD


# --- GAdaOFUL ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("T", "S", "C"), [(300, 0.7, 5.0), (300, 0.7, 5000.0), (300, 0.7, 0.0), (2, 0.7, 5.0)])
def test_gadaoful_as_published(T: int, S: float, C: float) -> None:
    d, delta, kappa = 2, 0.1 / 3, 1 / SLOPE
    use = gadaoful.published(told("bernoulli", S, C), T)
    assert (use.S, use.horizon, use.base, use.slope) == (S, T, 0, 0)
    level, most = log(2 * T * T / delta), d * log(1 + T * T * S * S / d / d)
    assert (use.L_mu, use.kappa, use.lam, use.sigma_min) == pytest.approx((0.25, kappa, d / S / S, 1 / sqrt(T)))
    assert use.m_0**-2 == pytest.approx(108 * level)
    assert use.tau_0**2 * level == pytest.approx(max(2 * most, 4 * d))
    assert use.alpha**2 == pytest.approx(max(S * 0.25 * sqrt(42 * level / d), C / sqrt(most)))
    corrupted = 4 * sqrt(most) if C else 0.0
    assert use.widening == pytest.approx(kappa * (corrupted + 32 * most / use.tau_0) + 5 * sqrt(d))
    assert use.level == pytest.approx(log(2 / delta))
    assert (use.per_root, use.per_level) == pytest.approx((32 * kappa * sqrt(most), 32 * kappa * use.tau_0))


@pytest.mark.parametrize(("T", "d", "S", "C", "dispersions"), [
    (300, 2, 0.7, 5.0, (0.04, 0.5)), (300, 2, 0.7, 5000.0, (0.04, 0.5)), (300, 2, 0.7, 5.0, (1e-6, 100.0)),
    (1, 900, 0.7, 0.0, (4.0, 9.0)), (1, 8, 10.0, 0.0, (1e-6, 1e4)), (10**6, 40, 0.7, 0.0, (1.0, 1.0)),
])  # fmt: skip
def test_gadaoful_derived(T: int, d: int, S: float, C: float, dispersions: tuple[float, float]) -> None:
    level = log(2 / 0.1)
    p = told("gaussian", S, C, d)
    use = gadaoful.derived(p, T, dispersions)
    assert (use.S, use.L_mu, use.kappa, use.horizon) == (S, 1, 1, T)
    assert use.m_0**-2 == pytest.approx(16 * level)
    assert use.lam == pytest.approx(max(d / S / S, 16 * level / dispersions[1]))
    assert use.sigma_min**2 == pytest.approx(max(1 / T, dispersions[0]))
    most = d * log(1 + T / (d * use.lam * use.sigma_min**2))
    assert use.tau_0**2 == pytest.approx(max(1.0, most / level))
    asked = S * sqrt(42 * log(2 * T * T / 0.1) / d), C / sqrt(most), 4 * 2 * S / use.tau_0
    assert use.alpha**2 == pytest.approx(max(asked))


@pytest.mark.parametrize("C", [0.0, 5.0])
def test_gadaoful_keeps_what_the_three_losses_of_curvature_leave(C: float) -> None:
    p = told("bernoulli", 0.7, C)
    use = gadaoful.derived(p, 300, (1.0, 1.0))._replace(alpha=1.5, tau_0=2.5)
    most, level = 2 * log(1 + 300 / (2 * use.lam * use.sigma_min**2)), log(20)
    span = math.tanh(0.35)  # μ(S) - μ(-S)
    steepest = 1.5 * 1.25**-2.5
    lost = (
        steepest * span / (2.25 * 2.5),
        steepest * use.m_0**2 * C / (2.25 * 2.5),
        1.5 * (e - 1) * use.m_0**2 * most / 2.5**2 + use.m_0**2 * level,
    )
    assert 1 - gadaoful.kept(p, use) == pytest.approx(sum(lost))
    found = gadaoful.proved(p, use)
    keeps, kappa = 1 - sum(lost), 1 / SLOPE
    base, slope = gadaoful.noise(level, most, 2.5)
    assert (found.base, found.slope) == pytest.approx((base * (kappa / keeps) ** 2, slope * (kappa / keeps) ** 2))
    assert found.widening == pytest.approx((kappa * C / 2.25 + sqrt(use.lam) * 0.7) / keeps)
    assert found._replace(base=use.base, slope=use.slope, widening=use.widening) == use


def test_constants_that_leave_no_curvature_are_refused_and_a_published_level_is_left_out() -> None:
    p = told("gaussian", 0.7, 5.0)
    use = gadaoful.published(p, 300)
    ours = gadaoful.proved(p, use)
    assert (ours.level, ours.per_root, ours.per_level) == (0, 0, 0)
    with pytest.raises(BadInput, match="that leave some curvature"):
        gadaoful.proved(p, use._replace(m_0=1.0))


@pytest.mark.parametrize(("most", "tau_0"), [(5.0, 1.0), (5.0, 3.0), (200.0, 8.0), (1e-3, 0.1)])
def test_the_rate_of_the_noise_is_the_largest_that_its_own_bound_allows(most: float, tau_0: float) -> None:
    level, k = log(20), (e**2 - 3) / 4
    bias = ((1 + sqrt(5)) / 2) ** -2.5

    def bound(B: float) -> float:
        rate = min(2 / (2 * tau_0 * B + tau_0**2), 1 / (8 * k))
        return float(level / rate + (1 + 4 * bias**2 / tau_0**2 + 3 * k * rate * tau_0**2) * most)

    base, slope = gadaoful.noise(level, most, tau_0)
    rate = level / base
    assert slope == pytest.approx(1 + 4 * bias**2 / tau_0**2 + 3 * k * rate * tau_0**2)
    reached = base + slope * most
    if rate < 0.999 / (8 * k):
        B = (2 / rate - tau_0**2) / (2 * tau_0)
        assert bound(B / 1.001) > (B / 1.001) ** 2
        assert reached <= B**2 * (1 + 1e-9)
    else:
        assert rate == pytest.approx(1 / (8 * k))
        assert 2 * tau_0 * sqrt(reached) + tau_0**2 <= 2 / rate
    assert math.isclose(bound(sqrt(reached)), reached, rel_tol=0.01)


@pytest.mark.parametrize("T", [1, 30])
def test_the_engine_has_the_published_constants_if_those_of_the_paper_are_asked_for(T: int) -> None:
    for reading in ("paper", "repaired"):
        p = parameters(catalog.get("gaussian"), 2, 0.7, 0.1, 5.0, reading=reading)
        use = gadaoful.published(p, T) if reading == "paper" else gadaoful.derived(p, T, (0.5, 0.5))
        found = rivals.run("gadaoful", p, Episode(World(np.zeros(2), np.eye(2)[:1], 0.5), 1 if T == 1 else 0, 1))
        grown = math.log1p(1 / use.lam / gadaoful.sigma_squared(use, 0.5, use.lam**-0.5)) if T == 1 else 0.0
        assert found.radius == pytest.approx(gadaoful.radius(use, grown, found.rounds))
        assert found.H[1, 1] == pytest.approx(use.lam)


# --- MOR-UCB ----------------------------------------------------------------------------------------------------------


MOR = likelihood.Constants(d=3, S=0.7, L_mu=0.5, kappa=4.0, R=3.0, delta=0.02, layers=4)
