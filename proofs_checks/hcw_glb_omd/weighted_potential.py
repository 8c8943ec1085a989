"""What the claims on the elliptical sums share: one round of the algorithm."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.theory import constants
from glbcheck.verify.writing import Evidence, fails, refuted, text_of

from .quantities import WEIGHT, of_setting
from .setting import normal_rewards

# One round of the algorithm from its definitions, in dimension d with the linear link mu(z) = L z, for which
# R_s = 0, eta = 1 and kappa = 1/L; normal rewards of variance g L have it for every g.  x has norm 1, C = 0.
ONE_ROUND = {
    "R": "0",
    "C": "0",
    "kappa": "1/L",
    "alpha": "sqrt(d)/max(C, 1)",
    "lam": "max(14*d*R**2, 36*alpha**2*R**2*S**2*L**2, d/(4*S**2))",
    "n": "1/sqrt(lam)",
    "w": WEIGHT,
    "u": "w/g*L*n**2",
}
ROUND = {"T": "1", "R_s": "0", "L_mu": "L", "g_min": "g", "g_max": "g"}
SUMS = {name: of_setting(getattr(constants, name), **ROUND) for name in ("S_1", "S_2", "S_3")}
PRINTED = {
    "potential": f"u <= {text_of(constants.elliptical_potential, 'd', 'L/g', 'lam', '1')}",
    "S_1": f"L*n <= {SUMS['S_1']}",
    "S_1 without g_max": f"L*n <= ({SUMS['S_1']})/g",
    "S_2": f"n**2 <= {SUMS['S_2']}",
    "S_3": f"n**2 <= {SUMS['S_3']}",
}
UNIT_SLOPE = {"d": 1, "L": 1}
# lambda = 1, where lemma:epl holds as printed; w = 3/5.
FLAT: dict[str, int | Fraction] = {"d": 9, "S": Fraction(3, 2), "L": Fraction(1, 100), "g": Fraction(1, 5)}


def one_round(bound: str, trusted: bool, **values: int | Fraction) -> Evidence:
    """A printed bound after T = 1 round, at exact parameters; `trusted` says whether w = 1 or w < 1."""
    witness = fails(
        ("d >= 1", "S > 0", "g > 0", "L > 0", "alpha*g > n" if trusted else "alpha*g < n"),
        PRINTED[bound],
        ONE_ROUND,
        at={**UNIT_SLOPE, **values},
    )
    return refuted(witness, normal_rewards())
