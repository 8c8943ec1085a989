"""Certificates that M = exp(power m) is no Laplace transform: the mean of a square that would be negative.

If M(z) = E[e^{rz}] for a positive measure, then under the tilt at z0 (divide by M(z0)) these are means of squares:

    moments         E[(sum v_i r^{k_i})^2]          from the derivatives of M at z0
    exponentials    E[(sum v_i e^{x_i r})^2]        from M(z0 + x_i + x_j)
    characteristic  E|sum v_i e^{i t_i r}|^2        from M(z0 + i(t_i - t_j)), by analytic continuation

Besides, M would extend to one analytic function F on the strip over the interval, with |F(x + it)| <= M(x):

    jump            two continuations, from starts a and b to w_1 = x_1 + it and w_2 = x_2 + it, further apart than
                    |w_1 - w_2| max M(x)/rho over [x_1 - rho, x_2 + rho], which bounds |F(w_1) - F(w_2)| by Cauchy
    zeros           a formula without branches is F^q on the interval, q rational, so its powers are those of F on the
                    strip; along the edge of a box there it turns around 0 q times as often as F has zeros inside
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Any

from flint import acb

from ..kernel.evaluate import Ball, ball, precision
from ..kernel.ring import same
from ..kernel.terms import Term, require, term
from .continuation import MIDDLING, Continuation
from .interval import Interval, number_of, read
from .series import coefficients, value
from .writing import opened

BITS, LARGEST_POWER, MOST_POINTS = 512, 40, 40
Entry = Callable[[int, int], Any]


@dataclass(frozen=True)
class Witness:
    """The exact numbers of a witness against exp(e) on the interval."""

    e: Term
    where: Interval
    form: Term
    z0: Fraction
    points: list[Fraction]
    weights: list[Fraction]
    imaginary: list[Fraction]
    known: dict[Fraction, Ball] = field(default_factory=dict)

    def value(self, x: Fraction) -> Ball:
        """e at a real point, a removable one included."""
        if x not in self.known:
            self.known[x] = value(self.e, ball(x))
        return self.known[x]

    def moments(self) -> Entry:
        require(all(k.denominator == 1 and 0 <= k <= LARGEST_POWER for k in self.points), "powers of r are whole")
        require(not any(self.imaginary), "powers of r have real weights")
        powers = [int(k) for k in self.points]
        cumulants, ratio = coefficients(self.e, ball(self.z0), 2 * max(powers) + 1), [ball(1)]
        for n in range(1, len(cumulants)):  # exp of the series without its constant, by b' = a' b
            ratio.append(sum((k * cumulants[k] * ratio[n - k] for k in range(1, n + 1)), ball(0)) / n)
        return lambda i, j: acb(factorial(powers[i] + powers[j]) * ratio[powers[i] + powers[j]])

    def exponentials(self) -> Entry:
        require(not any(self.imaginary), "real exponentials have real weights")
        require(self.where.holds(*(self.z0 + 2 * x for x in self.points)), "a point is not inside the domain")
        return lambda i, j: acb((self.value(self.z0 + self.points[i] + self.points[j]) - self.value(self.z0)).exp())

    def characteristic(self) -> Entry:
        M, base = Continuation(self.form), self.value(self.z0).exp()

        def entry(i: int, j: int) -> Any:
            t = self.points[i] - self.points[j]
            if t == 0:
                return acb(1)
            found = M.above(self.z0, abs(t)) / base
            # M is real on the real line, so its values at conjugate points are conjugate.
            return found if t > 0 else found.conjugate()

        return entry

    def mean(self, entry: Entry) -> Ball:
        v = [acb(ball(a), ball(b)) for a, b in zip(self.weights, self.imaginary, strict=True)]
        return sum((a * b.conjugate() * entry(i, j) for i, a in enumerate(v) for j, b in enumerate(v)), acb(0)).real

    def jump(self) -> Ball:
        """What F may change by between two close points, less what the formula changes by; M(z0) is the unit."""
        require(len(self.points) == 6, "a jump has six numbers")
        a, b, left, right, t, rho = self.points
        require(left < right and rho > 0 and t > 0, "a jump has two sides")
        require(self.where.holds(a, b, left - rho, right + rho), "a point is not inside the domain")
        M, base = Continuation(self.form), self.value(self.z0)
        change = (M.beside(a, t, left) - M.beside(b, t, right)) / base.exp()
        require(change.is_finite(), "the continuation is not seen to reach the two points")
        # M is convex, being a mean of exponentials, so its largest value is at an end.
        largest = (self.value(left - rho) - base).exp().max((self.value(right + rho) - base).exp())
        return ball(right - left) * largest / ball(rho) - abs(change)

    def zeros(self) -> None:
        """The form, F^q, turns as often as no analytic F can, or `Rejected`."""
        require(len(self.points) == 5, "a box has four sides")
        left, right, low, high, q = self.points
        require(left < right and low < high and self.where.holds(left, right), "the box is not inside the strip")
        with precision(MIDDLING):
            turns = Continuation(self.form).turns((left, right), (low, high))
        require(turns < 0 or turns % q != 0, f"an analytic function may have {turns / q} zeros there")


def refutes(m: Term, where: Interval, data: Mapping[str, Any]) -> None:
    """Passes in silence if the mean of the square is certainly negative for exp(power m); or raises `Rejected`."""
    power, z0 = number_of(data["power"]), number_of(data["z0"])
    points, weights, imaginary = (list(map(number_of, data[name])) for name in ("points", "weights", "imaginary"))
    require(power > 0 and 0 < len(points) <= MOST_POINTS and where.holds(z0), "a witness has points inside the domain")
    kind = data["kind"]
    q = points[-1] if kind == "zeros" else Fraction(1)
    require(q > 0, "a power is positive")
    e = m * (power * q)
    whole = term("exp", e)
    form = read(data["form"]) if kind in ("characteristic", "jump", "zeros") else whole
    # Near z0 both are analytic and equal, so they have one continuation.
    require(form is whole or same(opened(form), opened(whole)), "the form is not seen to be exp(power m)")
    witness = Witness(e, where, form, z0, points, weights, imaginary)
    with precision(BITS):
        require(witness.value(z0).is_finite(), f"m has no value at {z0}")
        if kind == "zeros":
            return witness.zeros()
        require(kind in ("moments", "exponentials", "characteristic", "jump"), f"{str(kind)[:40]!r} is no witness")
        found = witness.jump() if kind == "jump" else witness.mean(getattr(witness, kind)())
        require(found.is_finite() and found < 0, "the mean of the square is not seen to be negative")
