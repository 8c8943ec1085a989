"""The optimistic value of an arm: the largest ⟨x, θ⟩ over the ellipsoid ‖θ - θ_t‖ <= ρ and the ball ‖θ‖ <= S.

For every ν >= 0 the set ‖θ - θ_t‖² + ν ‖θ‖² <= ρ² + ν S² is an ellipsoid that contains the intersection, so
its largest ⟨x, θ⟩, in closed form, is an upper bound; the least of these bounds is the answer.  ν = 0 is the
ellipsoid alone, ν = ∞ the ball alone, and in between the best ν makes the maximiser touch both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from glbcheck.core.algorithm.matrices import cholesky, eigen, inverse_factor, norm, secular_root
from glbcheck.core.arrays import Floats
from glbcheck.core.tolerances import SLACK, TIE

_WIDEST = 1e200  # multipliers beyond this, or below its inverse, leave only one of the two constraints


@dataclass(frozen=True)
class Optimum:
    """An upper bound, and a feasible point that attains it up to `gap`."""

    value: float
    point: Floats
    gap: float


@dataclass(frozen=True, eq=False)
class ConfidenceSet:
    """eq:CS: C_t, all θ of the ball of radius S with ‖θ - center‖ <= radius in H; H is at least `floor`."""

    center: Floats
    H: Floats
    radius: float
    S: float
    floor: float

    @cached_property
    def factor(self) -> Floats:
        return cholesky(self.H, self.floor)

    @cached_property
    def whitener(self) -> Floats:
        """W with Wᵀ W = H⁻¹: the length of W x is ‖x‖ in H⁻¹."""
        return inverse_factor(self.factor)

    @cached_property
    def spectrum(self) -> tuple[Floats, Floats]:
        return eigen(self.H, self.floor)

    def distance(self, theta: Floats) -> float:
        """‖θ - center‖ in the norm of H."""
        return norm((theta - self.center) @ self.factor)

    # --- all arms at once -------------------------------------------------------------------------

    def squared_norms(self, arms: Floats) -> Floats:
        """‖x‖² in H⁻¹."""
        white = arms @ self.whitener.T
        return np.asarray(np.einsum("ij,ij->i", white, white))

    def ellipsoid_values(self, arms: Floats) -> Floats:
        """The closed form without Θ: ⟨x, center⟩ + ρ ‖x‖ in H⁻¹."""
        return np.asarray(arms @ self.center + self.radius * np.sqrt(self.squared_norms(arms)))

    def closed_form(self, arms: Floats) -> tuple[Floats, float]:
        """The closed-form values, and the size that ties are measured by."""
        values = self.ellipsoid_values(arms)
        return values, float(np.abs(values).max())

    def values(self, arms: Floats) -> tuple[Floats, float]:
        """The optimistic values over C_t, exact for every arm that may be best and bounds for the others; their size.

        Arms are solved in the order of their upper bounds, until no bound reaches the best value.
        """
        ball = self.S * np.sqrt(np.einsum("ij,ij->i", arms, arms))
        scale, best = float(ball.max()), -math.inf
        values = np.minimum(self.ellipsoid_values(arms), ball)
        for k in np.argsort(-values, kind="stable"):
            if values[k] < best - TIE * scale:
                break
            values[k] = self.optimum(arms[k]).value
            best = max(best, float(values[k]))
        return values, scale

    def best_closed_form(self, arms: Floats) -> int:
        """The arm of largest closed-form value, the most uncertain one of equals."""
        return most_uncertain(*self.closed_form(arms), self.squared_norms(arms))

    def best(self, arms: Floats) -> int:
        """The arm of largest optimistic value over C_t, the most uncertain one of equals."""
        return most_uncertain(*self.values(arms), self.squared_norms(arms))

    # --- one arm ----------------------------------------------------------------------------------

    def optimum(self, x: Floats) -> Optimum:
        """The largest ⟨x, θ⟩ over C_t, with a feasible point that attains it."""
        length = norm(x)
        if length == 0 or self.radius == 0:
            return Optimum(float(x @ self.center), self.center, 0.0)
        white = self.whitener @ x
        width = norm(white)
        of_ellipsoid, of_ball = float(x @ self.center) + self.radius * width, self.S * length
        if of_ellipsoid <= of_ball * (1 + SLACK):
            point = self.center + white @ self.whitener * (self.radius / width)
            if norm(point) <= self.S * (1 + SLACK):
                return Optimum(of_ellipsoid, point, 0.0)
        if of_ellipsoid >= of_ball * (1 - SLACK):
            point = x * (self.S / length)
            if self.distance(point) <= self.radius * (1 + SLACK):
                return Optimum(of_ball, point, 0.0)
        return self._touching_both(x)

    def _touching_both(self, x: Floats) -> Optimum:
        """The ν at which the maximiser y over the ellipsoid H + ν lies on the sphere: it touches both.

        In the eigenbasis of H, by steps from the centre τ, which keep their accuracy where the ellipsoid is small.  The
        square of its radius is ρ² + ν (S² - ‖τ‖²) + ν² τᵀ (H + ν)⁻¹ τ.
        """
        values, Q = self.spectrum
        along, tau = x @ Q, self.center @ Q
        room = max((self.S - norm(tau)) * (self.S + norm(tau)), 0.0)  # S² - ‖τ‖²

        def maximiser(nu: float) -> tuple[Floats, float]:
            """y - τ, and what it gains over τ: an upper bound on ⟨x, θ - τ⟩ for every θ in C_t."""
            inverse = 1 / (values + nu)
            pull = (nu * inverse) * tau
            size = math.sqrt(self.radius**2 + nu * room + nu * float(pull @ tau))
            width = math.sqrt(float(np.sum(inverse * along**2)))
            return inverse * (along * (size / width)) - pull, size * width - float(pull @ along)

        def excess(log_nu: float) -> float:
            """‖y‖² - S²."""
            step = maximiser(math.exp(log_nu))[0]
            return float(step @ step) + 2 * float(tau @ step) - room

        low, high, wider = -math.log(_WIDEST), math.log(float(values[-1])), 2.0
        while excess(high) > 0 and high < math.log(_WIDEST):
            low, high, wider = high, high + wider, 2 * wider
        root = high
        if excess(low) > 0 >= excess(high):
            from scipy.optimize import brentq

            root, inward = brentq(excess, low, high, xtol=1e-14, rtol=8.9e-16), 1e-15
            while excess(root) > 0 and root < high:  # end on the inner side of the sphere
                root, inward = root + inward, 2 * inward
        step, gain = maximiser(math.exp(root))
        # Drawn back into the ellipsoid if rounding left it outside: the centre lies in both sets.
        step = step / max(math.sqrt(float(np.sum(values * step**2))) / self.radius, 1.0)
        gap = max(gain - float(along @ step), 0.0)
        return Optimum(float(x @ self.center) + gain, self.center + Q @ step, gap)

    # --- the whole of Θ ---------------------------------------------------------------------------

    def farthest(self) -> float:
        """The largest ‖θ - center‖ over the ball: a trust-region problem, solved on the sphere."""
        values, Q = self.spectrum
        tau, poles = self.center @ Q, float(values[-1]) - values
        pull = values * tau
        sigma = secular_root(pull, poles, self.S)
        z = np.divide(-pull, poles + sigma, out=np.zeros_like(pull), where=pull != 0)
        # When the centre has no component along the longest axis, the rest of the length goes there.
        z[-1] = math.copysign(math.sqrt(max(self.S**2 - float(z[:-1] @ z[:-1]), 0.0)), z[-1])
        return math.sqrt(float(np.sum(values * (z - tau) ** 2)))

    def covers_ball(self) -> bool:
        """Does the ellipsoid contain all of Θ, so that C_t says nothing yet?"""
        return self.farthest() <= self.radius


def most_uncertain(values: Floats, scale: float, squared_norms: Floats) -> int:
    """Of the arms whose value ties with the largest the one of largest norm, and of these the first.

    The theory allows any maximiser of the index (claim `any_maximiser_will_do`).  While C_t contains Θ all arms of
    equal length tie, and a rule that does not look at what is known would pull one of them for ever.
    """
    tied = values >= values.max() - TIE * scale
    return int(np.argmax(tied & (squared_norms >= (1 - TIE) * squared_norms[tied].max())))
