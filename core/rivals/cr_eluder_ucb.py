"""CR-Eluder-UCB (Ye, Xiong, Gu and Zhang 2023, Theorem 4.1) for the class x -> μ(⟨x, θ⟩), ‖θ‖ <= S: sub-Gaussian noise.

Rounds are weighted by 1/σ_s² with σ_s² = max(1, D_s/α), where D_s is the uncertainty

    sup over f of  |f(x_s) - f̂(x_s)| / √(λ + Σ_{i<s} (f(x_i) - f̂(x_i))²/σ_i²),

the estimate f̂ is the weighted least squares one, and the arm is optimistic over all f whose weighted distance from f̂ on
the arms played is at most β.  As published (Theorem 4.1), for C > 0: γ = 1/(T C) covers the class with N functions,
λ = log N, α = √(log N)/C, and β is c (α C + √log(N/δ) + ...) with an absolute constant c that is not stated.

What our setting asks for is derived here and proved in docs/refitting-rivals.md: units in which the noise has scale R,
C = 0, the constant in β, and the search over f, which is not convex.  Slopes lie in [1/κ, L_μ], so D, with any two
functions of the class for f and f̂, is at most κ L_μ ‖x‖ in H⁻¹ with H = κ²λ/(4S²) I + Σ x xᵀ/σ²; exactly that for the
best two if the link is linear.  A larger D only lowers weights, which the theory allows, and with all pairs in D the
sets need not be nested as in Algorithm 1.  The set becomes ‖θ - θ̂‖ <= κ √(λ + β²) in H.

The least squares problem is not convex either unless the link is linear.  Theorem 4.1 takes a global minimiser for
granted; here it is the end of a descent from the estimate before, and a loss that is `gap` above the smallest would
need `gap` more in `excess`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from glbcheck.core import concordance
from glbcheck.core.arrays import Floats
from glbcheck.core.closed_forms import is_constant
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.observed import checked_reward, checked_vector
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.rivals.descent import minimise_on_ball
from glbcheck.core.rivals.horizon import checked_horizon, checked_round, promised
from glbcheck.core.rivals.refitting import RefittingRival, checked_growth
from glbcheck.core.tolerances import UNIT
from glbcheck.core.tuning import checked_dispersions
from numpy.typing import ArrayLike

NAME = "cr-eluder-ucb"
SPREAD = math.sqrt(2 * math.log(2))  # derived here: Σ |ε_s| over t rounds is below R (SPREAD t + log(1/δ)/SPREAD)


@dataclass(frozen=True)
class Constants:
    """What the learner is tuned to before the first round."""

    S: float
    C: float
    R: float
    L_mu: float
    kappa: float
    horizon: float
    gamma: float
    log_cover: float
    lam: float
    alpha: float
    excess: float
    refit_growth: float

    @property
    def ridge(self) -> float:
        """Derived here: R²/S² picks one minimiser where the data leave many; adds R² to the loss at most."""
        return self.R**2 / self.S**2

    @property
    def H_1(self) -> float:
        """Derived here: ‖θ - θ'‖ <= 2S, so this share of λ is a norm."""
        return self.kappa**2 * self.lam / (4 * self.S**2)

    @property
    def trust(self) -> float:
        """Derived here: α over κ L_μ, by which D exceeds ‖x‖ in H⁻¹ at most."""
        return self.alpha / (self.kappa * self.L_mu)

    def weight(self, length: float) -> float:
        """As published (8): 1/σ² = min(1, α/D); `length` is ‖x‖ in H⁻¹."""
        return 1.0 if length <= self.trust else self.trust / length

    @property
    def radius(self) -> float:
        """Derived here: κ y for the largest y = √(λ + Q) with Q <= ½ (√Q + b)² + excess + 2 α C y, b = γ √T."""
        b = self.gamma * math.sqrt(self.horizon)
        half = b + (2 * self.alpha * self.C if self.C else 0.0)
        return self.kappa * (half + math.sqrt(half**2 + self.lam + b**2 + 2 * self.excess))


def noise_scale(family: Family, g_max: float) -> float:
    """R with log E e^{s(r - μ)} <= R² s²/2 whatever θ_* is: √g times the root of the largest slope on the whole line.

    Derived here.  That log is (m(z + gs) - m(z) - gs μ(z))/g.  Rewards in [a, b] have variance at most (b - a)²/4,
    which at g = 1 is the slope.
    """
    if is_constant(family.dmu_expr):
        return math.sqrt(g_max * float(family.dmu(0.0)))
    low, high = family.support.lower, family.support.upper
    if not (family.has_base and low.is_finite and high.is_finite and family.dispersions.allows(1.0)):
        accepted = f"families with sub-Gaussian rewards (normal or bounded ones), and those of {family.name} are not"
        raise BadInput("algorithm", NAME, accepted)
    return math.sqrt(g_max) * float(high - low) / 2


def constants(p: Parameters, horizon: float, dispersions: tuple[float, float], refit_growth: float = 0.0) -> Constants:
    """All of them, for `horizon` rounds with dispersions in this range."""
    checked_horizon(horizon)
    R = noise_scale(p.family, checked_dispersions(dispersions)[1])
    # As published (Theorem 4.1) 1/(T C); derived here: in units of R, and R/T for C < R.
    gamma = R / (horizon * max(p.C / R, 1.0))
    log_cover = p.d * math.log1p(2 * p.S * p.L_mu / gamma)  # lemma:covering
    return Constants(
        S=p.S, C=p.C, R=R, L_mu=p.L_mu, kappa=concordance.kappa(p.family, p.S).upper, horizon=horizon,
        gamma=gamma, log_cover=log_cover,
        lam=R**2 * log_cover,  # as published (Theorem 4.1), in units of R²
        alpha=R * math.sqrt(log_cover) / p.C if p.C else math.inf,  # as published (Theorem 4.1), in units of R
        excess=(  # derived here: noise at the points of the cover, noise between them, ridge
            4 * R**2 * (log_cover + math.log(2 / p.delta))
            + 2 * gamma * R * (SPREAD * horizon + math.log(2 / p.delta) / SPREAD)
            + R**2
        ),
        refit_growth=checked_growth(refit_growth),
    )  # fmt: skip


class CREluderUCB(RefittingRival):
    """The learner; its interface is that of `core.algorithm.HCWGLBOMD`.

    `refit_growth` > 0 keeps the estimate and its set until log det H has grown by so much, which the theory allows (a
    set once valid stays so) and the authors do not do.
    """

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, C: float = 0.0, *, horizon: float,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float | None = None, refit_growth: float = 0.0,
    ) -> None:  # fmt: skip
        self.parameters = parameters(family, d, S, delta, C, radius_scale=radius_scale)
        self.dispersions = 0.0, dispersions[1]  # smaller ones are treated alike
        self.tuned(constants(self.parameters, horizon, dispersions, refit_growth))

    def tuned(self, use: Constants) -> None:
        """Start anew, with these constants."""
        self.constants = use
        self._rows: list[tuple[Floats, float, float]] = []  # x, r and 1/σ² of every round
        self._start(use.H_1, use.refit_growth)

    def _radius(self) -> float:
        return self.constants.radius

    def uncertainty(self, x: ArrayLike) -> float:
        """The bound on D of this round, at x."""
        length = self._length(checked_vector("x", x, self.parameters.d, UNIT))
        return self.constants.kappa * self.constants.L_mu * length

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """1/σ² of an observation at x; every dispersion up to that of R is treated alike."""
        promised(self.parameters.family, dispersion, self.dispersions)
        return self.constants.weight(self._length(checked_vector("x", x, self.parameters.d, UNIT)))

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """Learn from the (corrupted) reward of arm x."""
        checked_round(self.t, self.constants.horizon)
        point, observed = checked_vector("x", x, self.parameters.d, UNIT), checked_reward(reward)
        w = self.weight(point, dispersion)
        self._rows.append((point, observed, w))
        self._grow(w * np.outer(point, point), w * self._length(point) ** 2)

    def loss(self, theta: Floats) -> float:
        """Σ (r - μ(⟨x, θ⟩))²/σ² + ridge ‖θ‖², of all rounds so far."""
        X, r, w = (np.array(column) for column in zip(*self._rows, strict=True))
        means = self.parameters.family.mu(np.clip(X @ theta, -self.constants.S, self.constants.S))
        return float(w @ (r - means) ** 2 + self.constants.ridge * theta @ theta)

    def _fit(self) -> Floats:
        """Weighted least squares over the ball, by Newton's method from the estimate before.

        Where the Hessian is not positive definite, what the bend of μ adds to it is left out (Gauss and Newton).
        """
        family, use, d = self.parameters.family, self.constants, self.parameters.d
        X, r, w = (np.array(column) for column in zip(*self._rows, strict=True))

        def expand(theta: Floats) -> tuple[Floats, Floats]:
            natural = np.clip(X @ theta, -use.S, use.S)
            off, slope = w * (family.mu(natural) - r), family.dmu(natural)
            plain = use.ridge * np.eye(d) + (X.T * (w * slope**2)) @ X
            hessian = plain + (X.T * (off * family.ddmu(natural))) @ X
            positive = np.linalg.eigvalsh(hessian)[0] > 0.01 * use.ridge
            return use.ridge * theta + X.T @ (off * slope), hessian if positive else plain

        return minimise_on_ball(expand, self.theta, use.S, 0.01 * use.ridge)
