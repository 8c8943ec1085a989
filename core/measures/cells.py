"""Signs of combinations of m and its derivatives over [a, b], cell by cell, and at single points."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb, factorial
from operator import mul
from typing import Any

from ..kernel.check import FORMAT
from ..kernel.check import check as kernel
from ..kernel.evaluate import Ball, ball, hull, precision
from ..kernel.language import derivative
from ..kernel.terms import Rejected, Term, joined, number, require, show
from .interval import Malformed, number_of
from .series import coefficients

CURVATURE = ((2, Fraction(1)),)
EXTRA, MOST_CELLS, MOST_BITS = 6, 20_000, 4096


@dataclass(frozen=True)
class Form:
    """constant + sum of factor times the k-th derivative of m, and whether it is to be > 0 or >= 0."""

    factors: tuple[tuple[int, Fraction], ...]
    constant: Fraction = Fraction(0)
    strict: bool = False

    @property
    def order(self) -> int:
        return max(k for k, _ in self.factors)

    def of(self, jet: Sequence[Ball], slope: int = 0) -> Ball:
        """Its value, or that of its derivative of this order, by Taylor coefficients of m."""
        rows = (ball(c * factorial(k + slope)) * jet[k + slope] for k, c in self.factors)
        return sum(rows, ball(self.constant) if not slope else ball(0))

    def text(self, m: Term) -> str:
        """The claim in the kernel's language; m must have a value as well."""
        rows = [number(self.constant), m * 0]
        for k, c in self.factors:
            f = m
            for _ in range(k):
                f = derivative(f, "z")
            rows.append(f * c)
        return f"{show(joined('+', rows))} {'>' if self.strict else '>='} 0"

    def signed(self, value: Ball) -> bool:
        return bool(value > 0 or (value >= 0 and not self.strict))


def jet_over(m: Term, a: Fraction, b: Fraction, length: int) -> list[Ball]:
    """Taylor coefficients over [a, b]: those around the middle with a remainder, where that is narrower."""
    wide = coefficients(m, hull(a, b), length + EXTRA)
    if a == b:
        return wide[:length]
    middle, reach, top = (a + b) / 2, hull((a - b) / 2, (b - a) / 2), length + EXTRA - 1
    near, found = [*coefficients(m, ball(middle), top), wide[top]], []
    powers = list(accumulate([reach] * top, mul, initial=ball(1)))  # flint's x**n is no number where x has both signs
    for k in range(length):
        sharp = sum((comb(j, k) * near[j] * powers[j - k] for j in range(k, top + 1)), ball(0))
        found.append(sharp if sharp.is_finite() and not sharp.rad() > wide[k].rad() else wide[k])
    return found


def finite(m: Term, a: Fraction, b: Fraction, length: int) -> bool:
    """Are so many Taylor coefficients seen to be finite over [a, b]?"""
    return all(c.is_finite() for c in coefficients(m, hull(a, b), length))


def signed(m: Term, a: Fraction, b: Fraction, form: Form) -> bool:
    """Is the form seen to have its sign on [a, b]: by its ball, its slope, or its curvature?"""
    jet = jet_over(m, a, b, form.order + 3)
    if not all(c.is_finite() for c in jet):
        return False
    value, slope, curvature = (form.of(jet, k) for k in range(3))
    if form.signed(value):
        return True
    middle, length = (a + b) / 2, form.order + 2
    if slope >= 0 or slope <= 0:
        return form.signed(form.of(coefficients(m, ball(a if slope >= 0 else b), length)))
    at = coefficients(m, ball(middle), length)
    if curvature > 0:  # above its tangent parabola, whose lowest point is known
        steep = abs(form.of(at, 1))
        if form.signed(form.of(at) - steep * steep / (2 * curvature.lower())):
            return True
    return form.signed(form.of(at) + slope * hull((a - b) / 2, (b - a) / 2))


def covered(m: Term, low: Fraction, high: Fraction, claim: Form | int, data: Any) -> None:
    """The cells between the breaks reach from low to high, and the claim is seen on each; or `Rejected`."""
    breaks, bits = [low, *map(number_of, data["breaks"]), high], data["bits"]
    if not (2 <= bits <= MOST_BITS and len(breaks) <= MOST_CELLS):
        raise Malformed("not an answer (too much work)")
    require(all(a < b for a, b in pairwise(breaks)), "the breaks do not increase from one end to the other")
    with precision(bits):
        for a, b in pairwise(breaks):
            holds = finite(m, a, b, claim) if isinstance(claim, int) else signed(m, a, b, claim)
            require(holds, f"nothing is seen between {a} and {b}")


def shown(m: Term, hypotheses: list[str], form: Form, data: Any) -> str:
    """The word of the kernel on the claim under these hypotheses."""
    statement = {"variables": {"z": "real"}, "hypotheses": hypotheses, "conclusion": form.text(m)}
    certificate = {"format": FORMAT, "statement": statement, "proof": data["proof"]}
    word = kernel({**certificate, **({"example": data["example"]} if hypotheses else {})}).word
    require(word in ("proved", "certified"), "the kernel says otherwise")
    return word


def on_interval(m: Term, S: Fraction, form: Form, data: Any) -> str:
    """The word for the claim on [-S, S]."""
    if data["rule"] == "kernel":
        return shown(m, [f"z >= {-S}", f"z <= {S}"], form, data)
    require(data["rule"] == "cells", "cells, or a proof of the kernel")
    covered(m, -S, S, form, data)
    return "certified"


def at_point(m: Term, z: Fraction, form: Form) -> None:
    """The form has its sign at one point; or `Rejected`."""
    for bits in (64, 256, 1024, 4096):
        with precision(bits):
            try:
                jet = coefficients(m, ball(z), form.order + 1)
                if jet[0].is_finite() and form.signed(form.of(jet)):
                    return
            except Rejected:
                break
    raise Rejected(f"the sign is not seen at z = {z}")


def bounds(constant: str, upper: Fraction) -> list[Form]:
    """What must be >= 0 on [-S, S] for the constant to be at most so large."""
    if constant == "L_mu":
        return [Form(((2, Fraction(-1)),), upper)]
    if constant == "kappa":
        return [Form(CURVATURE, -1 / upper)]
    return [Form(((2, upper), (3, Fraction(side)))) for side in (1, -1)]


def attains(m: Term, z: Fraction, constant: str, lower: Fraction) -> None:
    """The constant is at least so large, by its value at z; or `Rejected`."""
    if constant == "L_mu":
        return at_point(m, z, Form(CURVATURE, -lower))
    if constant == "kappa":
        return at_point(m, z, Form(((2, Fraction(-1)),), 1 / lower))
    at_point(m, z, Form(CURVATURE, strict=lower > 0))  # for 0 is at least any multiple of 0
    if lower == 0:
        return None
    sides = [Form(((2, -lower), (3, Fraction(side)))) for side in (1, -1)]
    try:
        return at_point(m, z, sides[0])
    except Rejected:
        return at_point(m, z, sides[1])
