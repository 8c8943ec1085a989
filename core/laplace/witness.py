"""A certificate that M = exp(m) is no Laplace transform: the expectation of a square that is negative.

The kinds are those of `core.measures.witness`, which says why each is one.  `replay` certifies one
from its exact numbers and m alone, whatever found them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from math import factorial
from typing import Any

import mpmath as mp
import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, acb, ball, ball_function, jet_function, precision, upper
from glbcheck.core.errors import BadInput
from glbcheck.core.family import z
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, rational, where
from glbcheck.core.laplace.holomorphic import around, continuation
from glbcheck.core.measures.continuation import MIDDLING, Continuation
from glbcheck.core.translation import term_of

KINDS = ("moments", "exponentials", "characteristic", "jump", "zeros")
WITHOUT_WEIGHTS = ("jump", "zeros")
BITS = 512
LARGEST_POWER = 40


@dataclass(frozen=True)
class Witness:
    """sum over i, j of v_i conj(v_j) K_ij <= value_upper < 0; v = weights + i imaginary.

    A jump has the points (a, b, x_1, x_2, t, rho), no weights, and what is allowed less the jump as its value; zeros
    have (x_1, x_2, y_1, y_2, q), the sides of the box and the power without branches, and the value -1.
    """

    kind: str
    power: Fraction
    z0: Fraction
    points: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    imaginary: tuple[Fraction, ...]
    value_upper: Fraction

    @property
    def words(self) -> str:
        """One plain sentence."""
        if self.kind == "moments" and set(self.points) <= {0, 1}:
            return f"the variance m''({self.z0}) would be negative"
        size = f"at most {_few_digits(self.value_upper)}"
        if self.kind == "moments":
            return f"at z = {self.z0} the mean of ({_polynomial(self)})^2 would be {size}"
        if self.kind == "jump":
            x, height = float(self.points[2] + self.points[3]) / 2, float(self.points[4])
            return f"a branch point: continued to the two sides of {x:.6g} + {height:.6g}i, exp(m) has different values"
        if self.kind == "zeros":
            x, y, q = float(self.points[0] + self.points[1]) / 2, float(sum(self.points[2:4])) / 2, self.points[4]
            what = "a pole" if q.numerator == 1 else "a branch point"
            return f"exp({_multiple(self.power)}m) has {what} near {x:.6g} + {y:.6g}i, where a transform is analytic"
        if self.kind == "exponentials":
            return f"at z = {self.z0} the mean of ({_exponentials(self)})^2 would be {size}"
        if len(self.points) == 2:
            t = abs(self.points[1] - self.points[0])
            return f"the characteristic function at z = {self.z0} would exceed 1 at t = {t}"
        times = ", ".join(map(str, self.points))
        return f"at z = {self.z0} the characteristic function is not positive definite on t = {times}"

    def as_dict(self) -> dict[str, Any]:
        """The numbers as text; `replay` needs nothing else."""
        return {
            "kind": self.kind,
            "power": str(self.power),
            "z0": str(self.z0),
            "points": list(map(str, self.points)),
            "weights": list(map(str, self.weights)),
            "imaginary": list(map(str, self.imaginary)),
            "value_upper": str(self.value_upper),
            "words": self.words,
        }


def from_dict(data: Mapping[str, Any]) -> Witness:
    """The witness that `as_dict` wrote."""
    try:
        if data["kind"] not in KINDS:
            raise ValueError
        power, z0, bound = (Fraction(str(data[name])) for name in ("power", "z0", "value_upper"))
        points, v, w = (tuple(Fraction(str(x)) for x in data[name]) for name in ("points", "weights", "imaginary"))
        return Witness(data["kind"], power, z0, points, v, w, bound)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise BadInput("data", data, "a witness as written by as_dict, all numbers rational") from None


def replay(m: sp.Expr, domain: sp.Interval, data: Mapping[str, Any]) -> bool:
    """Is the mean of the square certainly at most value_upper < 0 for M = exp(power m)?"""
    w = from_dict(data)
    same_length = len(w.weights) == len(w.imaginary) == (0 if w.kind in WITHOUT_WEIGHTS else len(w.points))
    if w.value_upper >= 0 or w.power <= 0 or not w.points or not same_length:
        return False
    with precision(BITS):
        try:
            value = mean_of_square(exponent(m, w.power), where(domain), w)
        except NotEnclosed:
            return False
        return value is not None and bool(value <= ball(w.value_upper))


def certified(m: sp.Expr, domain: sp.Interval, draft: Witness) -> Witness | None:
    """The draft with a value that `replay` accepts, or None."""
    with precision(BITS):
        value = mean_of_square(exponent(m, draft.power), where(domain), draft)
        if value is None or not value < 0:
            return None
        found = replace(draft, value_upper=_rounded_up(upper(value)))
    return found if replay(m, domain, found.as_dict()) else None


def mean_of_square(e: sp.Expr, inside: Where, w: Witness) -> Ball | None:
    """The ball of the witness's expectation for M = exp(e); None where it is not an expectation at all."""
    if w.kind in WITHOUT_WEIGHTS:
        return _jump(e, inside, w) if w.kind == "jump" else _zeros(e, inside, w)
    entry = {"moments": _moments, "exponentials": _exponential_moments, "characteristic": _characteristic}
    K = entry[w.kind](e, inside, w)
    if K is None:
        return None
    v = [acb(ball(a), ball(b)) for a, b in zip(w.weights, w.imaginary, strict=True)]
    total = sum((a * b.conjugate() * K(i, j) for i, a in enumerate(v) for j, b in enumerate(v)), acb(0))
    return total.real if total.is_finite() else None


Entry = Callable[[int, int], Any]


def _moments(e: sp.Expr, inside: Where, w: Witness) -> Entry | None:
    whole = all(k.denominator == 1 and 0 <= k <= LARGEST_POWER for k in w.points)
    if any(w.imaginary) or not whole or not inside.holds(w.z0):
        return None
    powers = [int(k) for k in w.points]
    # The constant drops out of M(z)/M(z0), and with it numbers beyond all bounds.
    jet = jet_function(e, z)(w.z0, 2 * max(powers) + 1)
    ratio = _exp_series([ball(0), *jet[1:]])
    return lambda i, j: acb(factorial(powers[i] + powers[j]) * ratio[powers[i] + powers[j]])


def _exp_series(a: Sequence[Ball]) -> list[Ball]:
    """Coefficients of exp(sum a_k h^k), a_0 = 0, by b' = a' b."""
    b = [ball(1)]
    for n in range(1, len(a)):
        b.append(sum((k * a[k] * b[n - k] for k in range(1, n + 1)), ball(0)) / n)
    return b


def real_values(e: sp.Expr) -> Callable[[Fraction], Ball]:
    """e at real points, removable singularities filled in where the formula is analytic."""
    try:
        jet = jet_function(e, z)
        return lambda x: jet(x, 1)[0]
    except NotEnclosed:
        return ball_function(e, [z])


def _exponential_moments(e: sp.Expr, inside: Where, w: Witness) -> Entry | None:
    if any(w.imaginary) or not inside.holds(w.z0, *(w.z0 + 2 * x for x in w.points)):
        return None
    value = cache(real_values(e))
    base = value(w.z0)
    return lambda i, j: acb((value(w.z0 + w.points[i] + w.points[j]) - base).exp())


def _characteristic(e: sp.Expr, inside: Where, w: Witness) -> Entry | None:
    if not inside.holds(w.z0):
        return None
    M = cache(continuation(exponentiated(e)))
    base = real_values(e)(w.z0).exp()

    def entry(i: int, j: int) -> Any:
        t = w.points[i] - w.points[j]
        value = M(w.z0, abs(t)) / base
        # M is real on the real line, so its values at conjugate points are conjugate.
        return acb(1) if t == 0 else value if t > 0 else value.conjugate()

    return entry


def _jump(e: sp.Expr, inside: Where, w: Witness) -> Ball | None:
    """What F may change by between two close points, less what the formula changes by; M(z0) is the unit."""
    if len(w.points) != 6:
        return None
    a, b, left, right, t, rho = w.points
    if not (left < right and rho > 0 and inside.holds(w.z0, a, b, left - rho, right + rho)):
        return None
    value, base = real_values(e), real_values(e)(w.z0)
    M = around(exponentiated(e))
    change = (M(a, t, left) - M(b, t, right)) / base.exp()
    # M is convex, being a mean of exponentials, so its largest value is at an end.
    largest = (value(left - rho) - base).exp().max((value(right + rho) - base).exp())
    bound = ball(right - left) * largest / ball(rho)
    return bound - abs(change) if change.is_finite() and bound.is_finite() else None


def _zeros(e: sp.Expr, inside: Where, w: Witness) -> Ball | None:
    """-1 if the q-th power of M turns as often as that of no analytic function, None otherwise."""
    if len(w.points) != 5:
        return None
    left, right, low, high, q = w.points
    if not (left < right and low < high and q > 0 and inside.holds(left, right)):
        return None
    turns = _turns(exponentiated(rational(q) * e), left, right, low, high)
    return ball(-1) if turns is not None and (turns < 0 or turns % q != 0) else None


@lru_cache(maxsize=16)  # many powers of one formula ask about one box
def _turns(G: sp.Expr, left: Fraction, right: Fraction, low: Fraction, high: Fraction) -> int | None:
    try:
        with precision(MIDDLING):
            return Continuation(term_of(G)).turns((left, right), (low, high))
    except Rejected:
        return None


# --- words -----------------------------------------------------------------------------------------


def _rounded_up(x: Fraction) -> Fraction:
    """A nearby short fraction above a negative number, still negative."""
    scale = Fraction(1)
    while -x * scale < 1000:
        scale *= 2
    return Fraction(-(int(-x * scale)), 1) / scale


def _multiple(power: Fraction) -> str:
    return "" if power == 1 else f"{power} "


def _few_digits(x: Fraction) -> str:
    return str(mp.nstr(mp.mpf(x.numerator) / x.denominator, 3))


def _sum(pieces: list[tuple[Fraction, str]]) -> str:
    text = ""
    for v, what in pieces:
        sign = " - " if v < 0 else " + "
        size = "" if abs(v) == 1 and what else str(abs(v)) + (" " if what else "")
        text += sign + size + what
    return text.removeprefix(" + ").replace(" - ", "-", 1) if text.startswith(" - ") else text[3:]


def _polynomial(w: Witness) -> str:
    names = {Fraction(0): "", Fraction(1): "r"}
    return _sum([(v, names.get(k, f"r^{k}")) for k, v in zip(w.points, w.weights, strict=True) if v][::-1])


def _exponentials(w: Witness) -> str:
    return _sum([(v, f"exp({x} r)" if x else "") for x, v in zip(w.points, w.weights, strict=True) if v])
