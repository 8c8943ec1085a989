"""When C_t begins to speak: the first rounds in which it surely holds all of Θ, and surely no longer does."""

from __future__ import annotations

import math

from glbcheck.core.parameters import Parameters

FARTHEST = 10**18  # rounds; beyond it nobody plays


def radius_at(p: Parameters, rounds: float, g: float) -> float:
    """The radius after that many rounds of dispersion g; where it follows the determinant, what it is at most."""
    return p.radius(float(p.use.beta(p.d, p.S, p.delta, p.eta, p.lam, p.L_mu, rounds / g)))


def not_before(p: Parameters, g: float) -> float:
    """Before this round C_t holds all of Θ for sure: H_t <= λ + L_μ Σ1/g, and Θ has diameter 2S.

    Not where the radius follows the determinant, which may be smaller.
    """
    return _first(p, g, p.L_mu, 2 * p.S)


def surely_from(p: Parameters, g: float, kappa: float) -> float:
    """From this round on C_t has lost a part of Θ, if arms have length 1.

    As H_t >= λ every weight is at least w = min(1, α g sqrt(λ)).  So H_t has an eigenvalue of at least
    λ + (t - 1) w/(κ d g), and one of the two ends of Θ along its direction is S times its root away from θ_t,
    or farther.
    """
    weight = min(1.0, p.alpha * g * math.sqrt(p.lam))
    return _first(p, g, weight / (kappa * p.d), p.S)


def _first(p: Parameters, g: float, rate: float, reach: float) -> float:
    """The first round t with radius_t < reach sqrt(λ + rate (t - 1)/g); infinity beyond 1e18.

    No round before it and every round after it is such: the square of the radius is concave in t, the other
    side is linear, and at t = 1 the radius is larger because β_1^2 > 4 λ S^2.
    """

    def informative(past: int) -> bool:
        return radius_at(p, past, g) < reach * math.sqrt(p.lam + rate * past / g)

    low, high = 0, 1  # rounds before t: not informative after `low` of them, informative after `high`
    while not informative(high):
        low, high = high, 2 * high
        if high > FARTHEST:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if informative(middle) else (middle, high)
    return high + 1
