"""Certificates that M = exp(power m) is no Laplace transform: the mean of a square that would be negative.

If M(z) = E[e^{rz}] for a positive measure, then under the tilt at z0 (divide by M(z0)) these are means of squares:

    moments         E[(sum v_i r^{k_i})^2]          from the derivatives of M at z0
    exponentials    E[(sum v_i e^{x_i r})^2]        from M(z0 + x_i + x_j)
    characteristic  E|1 - u e^{itr}|^2 = 2 - 2|M(z0 + it)|/M(z0) for some u with |u| = 1, by analytic continuation
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Any

from ..kernel.evaluate import Ball, ball, precision
from ..kernel.ring import same
from ..kernel.terms import Term, require, term
from .continuation import Continuation
from .interval import Interval, ended, number_of, read
from .series import coefficients, value
from .writing import opened

BITS, LARGEST_POWER, MOST_POINTS = 1024, 40, 40
ENDED = ("jump", "zeros")


@dataclass(frozen=True)
class Witness:
    """The exact numbers of a witness against exp(e) on the interval; each kind gives the mean of its square."""

    e: Term
    where: Interval
    form: Term
    z0: Fraction
    points: list[Fraction]
    weights: list[Fraction]
    known: dict[Fraction, Ball] = field(default_factory=dict)

    def value(self, x: Fraction) -> Ball:
        """e at a real point, a removable one included."""
        if x not in self.known:
            self.known[x] = value(self.e, ball(x))
        return self.known[x]

    def moments(self) -> Ball:
        require(all(k.denominator == 1 and 0 <= k <= LARGEST_POWER for k in self.points), "powers of r are whole")
        powers = [int(k) for k in self.points]
        cumulants, ratio = coefficients(self.e, ball(self.z0), 2 * max(powers) + 1), [ball(1)]
        for n in range(1, len(cumulants)):  # exp of the series without its constant, by b' = a' b
            ratio.append(sum((k * cumulants[k] * ratio[n - k] for k in range(1, n + 1)), ball(0)) / n)
        return self.mean([[factorial(j + k) * ratio[j + k] for k in powers] for j in powers])

    def exponentials(self) -> Ball:
        require(self.where.holds(*(self.z0 + 2 * x for x in self.points)), "a point is not inside the domain")
        base = self.value(self.z0)
        return self.mean([[(self.value(self.z0 + x + y) - base).exp() for y in self.points] for x in self.points])

    def mean(self, entries: list[list[Ball]]) -> Ball:
        require(len(self.weights) == len(self.points), "each point has a weight")
        v = [ball(w) for w in self.weights]
        return sum((a * b * k for a, row in zip(v, entries, strict=True) for b, k in zip(v, row, strict=True)), ball(0))

    def characteristic(self) -> Ball:
        require(len(self.points) == 1 and self.points[0] > 0, "one time after 0")
        continued = Continuation(self.form).above(self.z0, self.points[0])
        require(continued.is_finite(), "the continuation is not seen to reach the point")
        return 2 - 2 * abs(continued) / self.value(self.z0).exp()


def refutes(m: Term, where: Interval, data: Mapping[str, Any]) -> Ball:
    """The mean of the square, certainly negative, for exp(power m); or raises `Rejected`."""
    power, z0 = number_of(data["power"]), number_of(data["z0"])
    points, weights = (list(map(number_of, data[name])) for name in ("points", "weights"))
    require(power > 0 and 0 < len(points) <= MOST_POINTS and where.holds(z0), "a witness has points inside the domain")
    kind = data["kind"]
    ended(kind in ENDED, f"the witness {kind!r}")
    ended(kind == "characteristic" and bool(weights), "a characteristic witness with weights")
    require(kind in ("moments", "exponentials", "characteristic"), f"{str(kind)[:40]!r} is no witness")
    e = m * power
    whole = term("exp", e)
    form = read(data["form"]) if kind == "characteristic" else whole
    # Near z0 both are analytic and equal, so they have one continuation.
    require(form is whole or same(opened(form), opened(whole)), "the form is not seen to be exp(power m)")
    witness = Witness(e, where, form, z0, points, weights)
    with precision(BITS):
        require(witness.value(z0).is_finite(), f"m has no value at {z0}")
        found = getattr(witness, kind)()
        require(found.is_finite() and found < 0, "the mean of the square is not seen to be negative")
        return found
