"""Inequalities in one variable that are true, most of them with equality at an end or at infinity."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from glbcheck.verify.search.ladder import inequality

from tests.corpus import Entry

SHARP_AT_ZERO = [
    "log(1 + x) <= x", "exp(x) >= 1 + x", "log(1 + x) >= x/(1 + x)", "log(1 + x) >= 2*x/(2 + x)",
    "log(1 + x) <= x - x**2/2 + x**3/3", "exp(-x) - 1 + x >= x**2/(2 + x)", "exp(-x) - 1 + x <= x**2/2",
    "exp(x) >= 1 + x + x**2/2 + x**3/6 + x**4/24", "sinh(x) >= x", "x*cosh(x) >= sinh(x)", "tanh(x) <= x",
    "tanh(x) >= x - x**3/3", "2*log(1 + x) >= log(1 + 2*x*log(1 + x))", "exp(x)/(1 + exp(x))**2 <= 1/4",
    "log(1 + exp(x)) <= log(2) + x/2 + x**2/8",
]  # fmt: skip
ON_THE_OPEN_HALF_LINE = [
    "(1 - exp(-x))/x >= 1/(1 + x)", "x*(exp(x) + 1)/(exp(x) - 1) > 2", "x*log(x) >= x - 1", "x*log(1 + 1/x) < 1",
    "log(1 + 1/x) >= 1/(1 + x)", "log(1 + 1/x) > 2/(2*x + 1)",
]  # fmt: skip

ENTRIES = [
    *(Entry(claim, partial(inequality, claim), sharp=True) for claim in SHARP_AT_ZERO),
    *(Entry(claim, partial(inequality, claim, closed=(False, True)), sharp=True) for claim in ON_THE_OPEN_HALF_LINE),
    Entry("tanh(x) < 1, its limit at infinity", partial(inequality, "tanh(x) < 1"), sharp=True),
    Entry("1 + x/2 > log(1 + x), with a dip inside", partial(inequality, "1 + x/2 > log(1 + x)")),
    Entry("a parabola that touches zero inside", partial(inequality, "x**2 - 2*x + 1 >= 0"), sharp=True),
    Entry("exp(x) >= 1 + x left of zero", partial(inequality, "exp(x) >= 1 + x", "x", -3, 0), sharp=True),
    Entry("log between simple bounds", partial(inequality, "log(x) <= x - 1", "x", Fraction(1, 2), 3)),
]
