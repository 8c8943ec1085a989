"""True statements for the searching prover; the sharp ones are attained at a point or in a corner."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
from glbcheck.verify.search import strategies
from glbcheck.verify.search.attack import attack
from glbcheck.verify.search.property import stress

from tests.corpus import Entry
from tests.corpus.false_property import ARMS, SMALL, SQUARE, UNIT, pair, potential, scalars

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
    Entry("rounding seen in floats is settled exactly",
          lambda: stress(lambda v: float(v[0]) * float(v[1]) / 3 * 3 == float(v[0]) * float(v[1]), SMALL, 100, 7,
                         confirmation=pair("x*y/3*3 == x*y")),
          sharp=True),
    Entry("logistic variance",
          lambda: attack(lambda v: v["x"] * (1 - v["x"]), F(1, 4), UNIT, seed=1,
                         confirmation=scalars("x*(1 - x) <= 1/4")),
          sharp=True),
    Entry("mean inequality under attack",
          lambda: attack(lambda v: 2 * v["x"] * v["y"] / (v["x"] ** 2 + v["y"] ** 2), 1, SQUARE, seed=2,
                         confirmation=scalars("2*x*y <= x**2 + y**2")),
          sharp=True),
    Entry("supremum attained only at infinity",
          lambda: attack(lambda v: v["x"] / (1 + v["x"]), 1, {"x": (F(1, 1000), 10**6)}, seed=3, logarithmic=["x"]),
          sharp=True),
    Entry("tangent of the exponential",
          lambda: attack(lambda v: 1 + v["x"] - math.exp(v["x"]), 0, {"x": (-1, 1)}, seed=4,
                         confirmation=scalars("1 + x <= exp(x)")),
          sharp=True),
]  # fmt: skip
