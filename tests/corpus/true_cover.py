"""Inequalities on boxes that are true, most of them with equality somewhere or in the limit."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from glbcheck.verify.search.cover import certify

from tests.corpus import Entry

F = Fraction


def true(name: str, conclusion: str, box: Any, *hypotheses: str, sharp: bool = True) -> Entry:
    return Entry(name, partial(certify, conclusion, box, hypotheses), sharp=sharp)


UNIT, HALF_LINE, LINE = {"x": (0, 1)}, {"x": (0, None)}, {"x": (None, None)}
SQUARE = {"x": (0, 1), "y": (0, 1)}

ENTRIES = [
    true("log(1+x) <= x, equal at the end", "log(1 + x) <= x", UNIT),
    true("log(1+x) <= x on the half-line", "log(1 + x) <= x", HALF_LINE),
    true("the tangent of exp at an inner zero", "exp(x) >= 1 + x", {"x": (-1, 2)}),
    true("the tangent of exp on the line", "exp(x) >= 1 + x", LINE),
    true("a fourth order zero", "exp(x) >= 1 + x + x**2/2 + x**3/6", {"x": (0, 2)}),
    true("tanh stays below its limit", "tanh(x) < 1", LINE),
    true("a quotient below its limit", "x/(1 + x) < 1", HALF_LINE),
    true("Euler's limit from below", "x*log(1 + 1/x) < 1", {"x": (1, None)}),
    true("the largest logistic variance", "exp(x)/(1 + exp(x))**2 <= 1/4", LINE),
    true("the softplus below its parabola", "log(1 + exp(x)) <= log(2) + x/2 + x**2/8", LINE),
    true("a double root inside", "x**2 - 2*x + 1 >= 0", {"x": (0, 3)}),
    true("a zero at a corner", "x + y - log(1 + x + y) >= 0", SQUARE),
    true("zeros on three faces", "x*y*(2 - x - y) >= 0", SQUARE),
    true("zeros at two corners", "x + y >= 2*x*y", SQUARE),
    true("a zero at a far corner", "x*y <= 1", {"x": (0, 1), "y": (0, 1)}),
    true("a face to the second order", "y*(exp(x) - 1 - x) >= 0", {"x": (0, 2), "y": (1, 3)}),
    true("an unbounded second variable", "(exp(x) - 1)*y >= x*y", {"x": (0, 3), "y": (0, None)}),
    true("three variables", "x + y + z >= 3*x*y*z", {"x": (0, 1), "y": (0, 1), "z": (0, 1)}),
    true("strict off the excluded end", "exp(x) > 1 + x", UNIT, "x > 0"),
    true("a removable singularity at an excluded end", "sinh(x)/x > 1", HALF_LINE, "x > 0"),
    true("a disc under a line", "x + y <= 5/4", SQUARE, "x**2 + y**2 <= 3/4", sharp=False),
    true("within a millionth", "exp(x) + exp(-x) >= 2 - 1/10**6", {"x": (-1, F(4, 3))}, sharp=False),
    true("a thin strip above a minimum", "x**2 + y**2 - x*y + 1/10**4 > 0", {"x": (-1, 2), "y": (-1, 1)}, sharp=False),
    true("Bessel functions of neighbouring order", "besseli(1, x) <= besseli(0, x)", {"x": (0, 4)}, sharp=False),
    true("a maximum of two", "max(x, 1 - x) >= 1/2 - 1/10**6", UNIT, sharp=False),
    true("log Γ above its tangent", "loggamma(x) >= -1/4", {"x": (1, 3)}, sharp=False),
    true("a point for a box", "exp(x) > 2", {"x": (1, 1)}, sharp=False),
    true("the far half of the line", "exp(-x) < 1/1000", {"x": (7, None)}, sharp=False),
    true("a zero set on the diagonal", "x**2 - 2*x*y + y**2 >= 0", SQUARE),
    true("zeros at irrational places", "x**4 - 4*x**2 + 4 >= 0", LINE),
    true("a dip on the line", "exp(x) - 3*x + 1 > 0", LINE, sharp=False),
    true("a hump on the half-line", "x**2*exp(-x) < 1", HALF_LINE, sharp=False),
    true("a polynomial that stays positive", "x**4 - x**3 + x**2 - x + 1 > 0", LINE, sharp=False),
    true("a bell below its top", "exp(-x**2) <= 1", LINE),
    true("a quadrant", "exp(x*y) >= 1 + x*y", {"x": (0, None), "y": (0, None)}),
    true("the geometric variance", "exp(x)/(1 - exp(x))**2 > 0", {"x": (None, -1)}),
    true("a root by multipliers", "sqrt(1 + x**2) > x", LINE),
    true("a kink", "log(1 + x**2) <= abs(x)", LINE),
]

OPEN = [
    true("a function without a tail in the kernel", "erf(x) < 1", LINE),
    true("a wave", "cos(x) <= 1", LINE),
    true("a wave on a parabola", "x**2 + 2*sin(x) + 3 > 0", LINE),
    true("neighbouring Bessel functions far out", "besseli(1, x) <= besseli(0, x)", HALF_LINE),
    true("the trigamma function far out", "polygamma(1, x) > 0", {"x": (1, None)}),
    true("a bound above a limit", "atan(x) < 2", HALF_LINE),
    true("an exponential inside another", "exp(exp(x)) >= 1 + exp(x)", LINE),
    true("the variance of a tilted uniform law", "1/x**2 > 1/sinh(x)**2", {"x": (1, None)}),
]
"""True, and not found: what is here may one day move up."""
