"""False statements for the searching prover: common violations, rare ones, and searches that show nothing."""

from __future__ import annotations

import math
from fractions import Fraction as F

from glbcheck.verify.search.property import stress
from hypothesis import strategies as st

from tests.corpus import false

FRACTIONS = st.fractions(-3, 3, max_denominator=12)
SMALL = st.tuples(FRACTIONS, FRACTIONS)
ARMS = st.lists(st.fractions(0, 1, max_denominator=10), min_size=1, max_size=5)


def potential(arms: list[F]) -> tuple[float, float]:
    """Σ x²/V before each update, and log V at the end, for scalar arms and V = 1 at the start."""
    v, total = F(1), F(0)
    for arm in arms:
        total += arm**2 / v
        v += arm**2
    return float(total), math.log(v)


ENTRIES = [
    false("squares add like numbers",
          lambda: stress(lambda v: v[0] ** 2 + v[1] ** 2 - (v[0] + v[1]) ** 2, SMALL, 200, 1),
          "(x + y)**2 <= x**2 + y**2", {"x": 1, "y": 1}),
    false("squares dominate numbers",
          lambda: stress(lambda v: v[0] ** 2 - v[0], SMALL, 200, 2),
          "x <= x**2", {"x": F(1, 2)}),
    false("potential without its factor two",
          lambda: stress(lambda arms: potential(arms)[1] - potential(arms)[0], ARMS, 200, 4),
          "x**2 <= log(1 + x**2)", {"x": 1}),
    false("variance at most one quarter for any coin",
          lambda: stress(lambda v: F(1, 4) - v[0] ** 2 * abs(v[1]) / 3 * (1 - abs(v[1]) / 3), SMALL, 200, 5),
          "p*(1 - p)*a**2 <= 1/4", {"p": F(1, 2), "a": 2}),
    false("hypotheses that cannot be met",
          lambda: stress(lambda v: v[0] < 10 if v[0] >= 10 else None, SMALL, 100, 6),
          "x < 10", {"x": 10}, "x >= 10"),
    false("strategy that yields nothing",
          lambda: stress(lambda v: v < 0, st.integers().filter(lambda _: False), 50, 7), "v < 0", {"v": 0}),
    false("values that are not numbers",
          lambda: stress(lambda v: math.nan if v[0] < 1 else True, SMALL, 50, 8),
          "log(x) >= 0", {"x": F(1, 2)}, "x > 0"),
    false("hypotheses that are almost never met",
          lambda: stress(lambda v: v != 77 if v == 77 else None, st.integers(0, 10**6), 500, 9),
          "v != 77", {"v": 77}),
    false("a search too weak for its planted violation",
          lambda: stress(lambda v: v != 123456, st.integers(0, 10**6), 100, 10,
                         alternatives={"shifted": lambda v: v != 123457}),
          "v != 123456", {"v": 123456}),
]  # fmt: skip
