"""Every choice that the repaired theorems leave free, made by minimising the regret bound that they prove.

Free are α > 0 and λ from a floor on; eps, the coefficient of log det and the split between near and far rounds follow.
The parametrisation cannot leave the theorem (claim `every_point_of_the_search`).  The search is deterministic: a grid
on a logarithmic scale, refined around its best point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.theory import constants, link_constants, sharpest

DECADES = tuple(10.0**k for k in range(2, 8))  # where an anytime learner is compared with the best for each T
MARGIN = 1 + 1e-9  # so that rounding does not put a choice below its floor
_COARSE, _REFINEMENTS, _SHRINK = 25, 24, 0.55


@dataclass(frozen=True)
class Link:
    """What the theorems need of a family on [-S, S]; R_s holds on the whole line."""

    R_s: float
    R_local: float
    L_mu: float
    kappa: float
    bend: float
    span: float


@dataclass(frozen=True)
class Problem:
    """What is known before the first round; dispersions lie in [g_min, g_max], |θ_1| is `start`."""

    link: Link
    d: int
    S: float
    delta: float
    C: float
    g_min: float
    g_max: float
    start: float = 0.0

    @cached_property
    def eta(self) -> float:
        return float(constants.eta(self.link.R_local, self.S))

    @cached_property
    def second_order(self) -> float:
        """The least coefficient of the second order, over all splits between near and far rounds."""
        link = self.link
        whole = float(sharpest.second_order(link.bend, link.kappa))
        low, high = 0.0, 2 * self.S / MARGIN
        for _ in range(60):
            rho = 0.5 * (low + high)
            near = sharpest.second_order_near(link.R_local, rho)
            low, high = (rho, high) if near < sharpest.second_order_far(link.kappa, link.span, rho) else (low, rho)
        near = sharpest.second_order_near(link.R_local, high)
        return min(whole, float(max(near, sharpest.second_order_far(link.kappa, link.span, high))))


@dataclass(frozen=True)
class Choice:
    """One point of the search: everything the learner runs with, and the bound that is proved for it."""

    problem: Problem
    alpha: float
    lam: float

    @cached_property
    def eps(self) -> float:
        p = self.problem
        return float(sharpest.moves_spent(p.eta, p.S, p.link.bend, self.alpha, self.lam, p.g_min))

    @cached_property
    def base(self) -> float:
        p = self.problem
        return float(sharpest.beta_base(p.S, p.delta, p.eta, self.lam, p.start))

    @cached_property
    def slope(self) -> float:
        p = self.problem
        reach = sharpest.mixture_reach(p.eta, p.link.R_s, self.eps, self.lam)
        return float(sharpest.beta_slope(p.eta, self.eps, sharpest.mixture_excess(reach)))

    @cached_property
    def half(self) -> float:
        """η α C, half of what the corruption may add to the radius."""
        return self.problem.eta * self.alpha * self.problem.C

    @property
    def weighs(self) -> bool:
        """Can a weight be below 1?"""
        return self.alpha * self.problem.g_min * math.sqrt(self.lam) < 1

    def beta_from_logdet(self, S: float, delta: float, eta: float, lam: float, logdet: float) -> float:
        """β_t, in the order of arguments of `constants.Formulas`."""
        return math.sqrt(self.base + self.slope * logdet)

    def logdet_bound(self, T: float) -> float:
        """What log(det H_{T+1} / det H_1) is at most."""
        p = self.problem
        return float(constants.REPAIRED.logdet_bound(p.d, self.lam, p.link.L_mu, T / p.g_min))

    def regret_bound(self, T: float) -> float:
        """theorem:regret, sharpest: what the regret of T rounds is at most, on the event of the confidence sequence."""
        p = self.problem
        return self.regret_bound_from(self.logdet_bound(T), p.link.L_mu * p.g_max * T)

    def says_nothing(self, T: float) -> bool:
        """Is the bound above what T rounds can cost, for a λ that their rewards together cannot double H with?"""
        p = self.problem
        return self.lam > p.link.L_mu * T / p.g_min and self.regret_bound(T) >= p.link.span * T

    def regret_bound_from(self, logdet: float, optimal_variance: float, stale: float = 1.0) -> float:
        """The same from log(det H_{T+1} / det H_1), known after the run, and Σ g μ' at the best arms.

        `stale` is the most that √(det H at an update / det H at its pull) was, if rewards came late (claim
        `regret_with_delayed_rewards`).
        """
        Q, P = self._sums(logdet, self.half)
        return self._bound(optimal_variance, Q * stale, P)

    def _bound(self, V: float, Q: float, P: float, weights: bool = True, curvature: bool = True) -> float:
        """The bound from its sums, without what it pays for rounds of weight below 1, or for the curvature."""
        inverse_alpha = 1 / self.alpha if weights and self.weighs else 0.0
        trust = sharpest.largest_trust(self.alpha, self.lam, self.problem.g_max) if curvature else 0.0
        return float(sharpest.regret_of_sums(V, Q, P, inverse_alpha, self.problem.second_order, trust))

    def _sums(self, logdet: float, half: float) -> tuple[float, float]:
        """Q and P of the bound, for radii that corruption widens by this `half`."""
        growth = sharpest.largest_growth(self.alpha, self.problem.link.L_mu, self.lam, self.problem.g_min)
        ratio, step = sharpest.potential_ratio(growth), math.log1p(growth)
        Q = math.sqrt(ratio * sharpest.radii_summed(self.base, self.slope, half, logdet, step))
        return Q, ratio * logdet

    def regret_terms(self, logdet: float, optimal_variance: float) -> dict[str, float]:
        """What the same bound pays for: its first term without corruption, and what corruption adds to it; the rounds
        of weight below 1; and the curvature of the link, in the second order.  The parts sum up to the bound."""
        (Q, P), (unwidened, _) = self._sums(logdet, self.half), self._sums(logdet, 0.0)
        noise = self._bound(optimal_variance, unwidened, P, False, False)
        return {
            "noise": noise,
            "widening": self._bound(optimal_variance, Q, P, False, False) - noise,
            "weights": self._bound(0.0, Q, P, True, False),
            "curvature": self._bound(0.0, Q, P, False, True),
        }


def floor(problem: Problem, alpha: float) -> float:
    """The λ from which on the theorem holds (claim `every_point_of_the_search`)."""
    p = problem
    by_weights = sharpest.lam_floor_by_weights(p.eta, p.S, p.link.R_s, p.link.bend, alpha)
    by_dispersion = sharpest.lam_floor_by_dispersion(p.eta, p.S, p.link.R_s, p.link.bend, p.g_min)
    return float(min(by_weights, by_dispersion))


def weighing(problem: Problem, log_alpha: float, log_more: float) -> Choice:
    """Any α, and λ above the smaller of its two floors."""
    p, alpha = problem, math.exp(log_alpha)
    return Choice(p, alpha, MARGIN * floor(p, alpha) + math.exp(log_more) * p.d / p.S**2)


def without_weights(problem: Problem, log_more: float) -> Choice:
    """λ above its floor by the dispersions, and the least α for which every weight is 1."""
    p = problem
    floor = sharpest.lam_floor_by_dispersion(p.eta, p.S, p.link.R_s, p.link.bend, p.g_min)
    lam = MARGIN * floor + math.exp(log_more) * p.d / p.S**2
    return Choice(p, MARGIN / (p.g_min * math.sqrt(lam)), lam)


def tune(problem: Problem, horizon: float | None = None) -> Choice:
    """The choice of least bound at the horizon; without one, of least worst ratio to the best bound at any decade.

    At a short horizon every bound exceeds what so many rounds can cost, and the least one is that of a λ so large that
    nothing is ever learnt, however long the learner is used.  All choices have the theorem, so then it is the choice
    for ten times the horizon, or ten times that.
    """
    if horizon is not None:
        found = least(problem, horizon)
        while found.says_nothing(horizon):
            horizon *= 10
            found = least(problem, horizon)
        return found
    best = [least(problem, T).regret_bound(T) for T in DECADES]
    return _best(problem, lambda x: max(x.regret_bound(T) / b for T, b in zip(DECADES, best, strict=True)))


def least(problem: Problem, horizon: float) -> Choice:
    """The choice of least bound at the horizon."""
    return _best(problem, lambda choice: choice.regret_bound(horizon))


def tune_without_weights(problem: Problem, horizon: float) -> Choice:
    """The choice of least bound at the horizon among those for which every weight is 1."""
    return _plain(problem, lambda choice: choice.regret_bound(horizon))


def _plain(problem: Problem, loss: Callable[[Choice], float]) -> Choice:
    return _refined(lambda x: without_weights(problem, x[0]), loss, ((-12.0, 12.0),))


def _best(problem: Problem, loss: Callable[[Choice], float]) -> Choice:
    """The better of the two families of choices, each searched by itself."""
    plain = _plain(problem, loss)
    weighed = _refined(lambda x: weighing(problem, x[0], x[1]), loss, ((-14.0, 10.0), (-12.0, 12.0)))
    return plain if loss(plain) <= loss(weighed) else weighed


def _refined(
    at: Callable[[tuple[float, ...]], Choice], loss: Callable[[Choice], float], box: tuple[tuple[float, float], ...]
) -> Choice:
    """The best point of a grid, then again and again the best of its neighbours, ever closer."""
    axes = [np.linspace(low, high, _COARSE) for low, high in box]
    points = [tuple(map(float, point)) for point in np.stack(np.meshgrid(*axes), -1).reshape(-1, len(box))]
    best = min(points, key=lambda x: loss(at(x)))
    widths = [(high - low) / (_COARSE - 1) for low, high in box]
    offsets = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * len(box)), -1).reshape(-1, len(box))
    for _ in range(_REFINEMENTS):
        near = [tuple(b + w * o for b, w, o in zip(best, widths, offset, strict=True)) for offset in offsets]
        best = min([best, *near], key=lambda x: loss(at(x)))
        widths = [_SHRINK * w for w in widths]
    return at(best)


@lru_cache(maxsize=256)
def link_of(family: Family, S: float, R_s: float) -> Link:
    """The constants of a family, rounded outward but for the span; R_s is that of the whole line."""
    local, L_mu = link_constants.R_s(family, S).upper, link_constants.L_mu(family, S).upper
    low, high = float(family.mu(-S)), float(family.mu(S))
    kappa, bend = link_constants.kappa(family, S).upper, link_constants.bend(family, S).upper
    return Link(R_s, local, L_mu, kappa, min(bend, local * L_mu * MARGIN), (high - low) * MARGIN)


def checked_dispersions(dispersions: tuple[float, float]) -> tuple[float, float]:
    """The smallest and the largest dispersion that a learner is promised."""
    try:
        low, high = (float(g) for g in dispersions)
        if not 0 < low <= high < math.inf:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BadInput("dispersions", dispersions, "a pair 0 < g_min <= g_max of finite numbers") from None
    return low, high
