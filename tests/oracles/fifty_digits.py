"""HCW-GLB-OMD once more, in 50 digits and by other means, as the oracle for `core.algorithm`.

Nothing of `core` is used: links are written out, linear systems are solved by elimination, the projection by
bisection on its multiplier, the optimistic value by golden sections of the dual bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath as mp

DIGITS = 50
Number = Any  # mp.mpf
Link = Callable[[Number], Number]

LINKS: dict[str, tuple[Link, Link]] = {
    "gaussian": (lambda z: z, lambda z: mp.mpf(1)),
    "bernoulli": (lambda z: 1 / (1 + mp.exp(-z)), lambda z: 1 / (mp.exp(z / 2) + mp.exp(-z / 2)) ** 2),
    "poisson": (mp.exp, mp.exp),
}


class SlowLearner:
    """The state after any number of rounds, as mpmath matrices."""

    def __init__(
        self, link: str, d: int, S: float, delta: float, C: float, alpha: float | None, R_s: float, L_mu: float
    ) -> None:
        with mp.workdps(DIGITS):
            self.mu, self.dmu = LINKS[link]
            self.d, self.S, self.delta, self.C = d, mp.mpf(S), mp.mpf(delta), mp.mpf(C)
            self.alpha = mp.sqrt(d) / max(self.C, 1) if alpha is None else mp.mpf(alpha)
            self.L_mu, R = mp.mpf(L_mu), mp.mpf(R_s)
            self.eta = 1 + R * self.S
            self.lam = max(
                14 * d * self.eta * R**2,
                (6 * self.eta * self.alpha * R * self.S * self.L_mu) ** 2,
                mp.mpf(d) / (4 * self.S**2),
            )
            self.theta = mp.zeros(d, 1)
            self.H = self.lam * mp.eye(d)
            self.inverse_g = mp.mpf(0)
            self.weight = mp.mpf(1)

    @property
    def beta(self) -> Number:
        with mp.workdps(DIGITS):
            eta = self.eta
            grown = self.d * (6 * eta**2 + eta) * mp.log(1 + self.L_mu * self.inverse_g / self.lam)
            return mp.sqrt(2 * eta * mp.log(1 / self.delta) + grown + 4 * self.lam * self.S**2)

    @property
    def beta_from_determinant(self) -> Number:
        with mp.workdps(DIGITS):
            eta = self.eta
            grown = (6 * eta**2 + eta) * mp.log(mp.det(self.H) / self.lam**self.d)
            return mp.sqrt(2 * eta * mp.log(1 / self.delta) + grown + 4 * self.lam * self.S**2)

    @property
    def radius(self) -> Number:
        return self.beta + 2 * self.eta * self.alpha * self.C

    def update(self, x: Sequence[float], reward: float, dispersion: float) -> None:
        with mp.workdps(DIGITS):
            point, g = mp.matrix([mp.mpf(float(v)) for v in x]), mp.mpf(dispersion)
            width = mp.sqrt(max(_dot(point, mp.lu_solve(self.H, point)), 0))
            self.weight = mp.mpf(1) if width == 0 else min(mp.mpf(1), self.alpha * g / width)
            z = _dot(point, self.theta)
            gradient = self.weight / g * (self.mu(z) - mp.mpf(reward)) * point
            M = self.H / self.eta + self.weight / g * self.dmu(z) * (point * point.T)
            self.theta = self._nearest(M, M * self.theta - gradient)
            slope = self.dmu(_dot(point, self.theta))
            self.H = self.H + self.weight / g * slope * (point * point.T)
            self.inverse_g += 1 / g

    def _nearest(self, M: Any, c: Any) -> Any:
        """The minimiser of ½ θᵀ M θ - cᵀ θ over the ball, by bisection on the multiplier."""
        free = mp.lu_solve(M, c)
        if mp.norm(free) <= self.S:
            return free
        low, high = mp.mpf(0), mp.norm(c) / self.S
        for _ in range(4 * DIGITS):
            middle = (low + high) / 2
            if mp.norm(mp.lu_solve(M + middle * mp.eye(self.d), c)) > self.S:
                low = middle
            else:
                high = middle
        return mp.lu_solve(M + high * mp.eye(self.d), c)

    def optimistic_value(self, x: Sequence[float], radius: float) -> Number:
        """max ⟨x, θ⟩ over C_t of this radius: the least bound by a combined ellipsoid, ν = exp(u)."""
        with mp.workdps(DIGITS):
            point = mp.matrix([mp.mpf(float(v)) for v in x])
            rho = mp.mpf(radius)
            offset = _dot(self.theta, self.H * self.theta)

            def bound(u: Number) -> Number:
                nu = mp.exp(u)
                P = self.H + nu * mp.eye(self.d)
                center = mp.lu_solve(P, self.H * self.theta)
                size = rho**2 + nu * self.S**2 - offset + _dot(center, P * center)
                return _dot(point, center) + mp.sqrt(size * _dot(point, mp.lu_solve(P, point)))

            return _least(bound, mp.mpf(-60), mp.mpf(120))


def _least(f: Link, low: Number, high: Number) -> Number:
    """The least value of a function with one valley, by golden sections."""
    ratio = (mp.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(90):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = f(b)
    return min(fa, fb)


def _dot(a: Any, b: Any) -> Number:
    return mp.fsum(u * v for u, v in zip(a, b, strict=True))
