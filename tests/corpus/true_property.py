"""True statements for the searching prover; the sharp ones are attained at a point or in the limit."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
from glbcheck.verify.search import strategies
from glbcheck.verify.search.property import stress
from hypothesis import strategies as st

from tests.corpus import Entry
from tests.corpus.false_property import ARMS, SMALL, potential

ENTRIES = [
    Entry("arithmetic and geometric mean",
          lambda: stress(lambda v: v[0] ** 2 + v[1] ** 2 - 2 * v[0] * v[1], SMALL, 100, 1,
                         alternatives={"2 raised to 21/10": lambda v: v[0]**2 + v[1]**2 - F(21, 10)*v[0]*v[1]}),
          sharp=True),
    Entry("Cholesky succeeds on positive definite matrices",
          lambda: stress(lambda m: float(np.linalg.eigvalsh(m)[0]) > 0, strategies.spd_matrices(spread=2), 100, 4)),
    Entry("elliptical potential in one dimension",
          lambda: stress(lambda arms: 2 * potential(arms)[1] - potential(arms)[0], ARMS, 100, 5,
                         alternatives={"factor one": lambda arms: potential(arms)[1] - potential(arms)[0]})),
    Entry("logistic variance",
          lambda: stress(lambda x: F(1, 4) - x * (1 - x), st.fractions(0, 1, max_denominator=12), 40, 7,
                         alternatives={"1/5 in place of 1/4": lambda x: F(1, 5) - x * (1 - x)}),
          sharp=True),
    Entry("supremum attained only at infinity",
          lambda: stress(lambda x: 1 - x / (1 + x), st.fractions(0, 10**6), 100, 8,
                         alternatives={"99/100 in place of 1": lambda x: F(99, 100) - x / (1 + x)}),
          sharp=True),
]  # fmt: skip
