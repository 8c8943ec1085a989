"""Self-normalised Bernstein bounds: how long Σ x_i ε_i is in the norm of Z⁻¹, Z = λ I + Σ x_i x_iᵀ, for bounded noise.

Let E ε_i = 0, E ε_i² <= σ² and |ε_i| min(1, w_i) <= M given the past, where w_i is the length of x_i in the Z⁻¹ before.
With D = d log(1 + n L²/(dλ)) and ℓ = log(4n²/δ), in no round n is the length above

    β_n = a σ √(D ℓ) + b M ℓ,    a = 2 + √7 < 4.65,    b = 2/3 + √19/3 < 2.12,

but for probability δ.  Derived here, by the martingale argument of the sources with Freedman's inequality
(√(2Vℓ) + 2cℓ/3 for variance V and size c) in place of theirs.  The square of the length grows in round i by at most
2 ε_i ⟨x_i, Z⁻¹ s⟩/(1 + w_i²) + ε_i² w_i²/(1 + w_i²), s being the sum before.  While the bound has held so far, the
first parts have sizes below 2 β_n M and variances that sum to 8 β_n² σ² D at most (Σ min(1, w_i²) <= 2D), the second
sizes below M², means that sum to 2 σ² D and variances to 2 M² σ² D.  So with u = σ √(Dℓ) and v = M ℓ, and ℓ >= 1,

    length² <= 4 β_n u + (4/3) β_n v + 3 u² + (5/3) v²,

which β_n = a u + b v does not exceed, since a (a - 4) = 3 and b (b - 4/3) = 5/3; the two events of round n cost δ/(4n²)
each.  The constants that the sources are known for are larger, so their sets hold, whatever they print exactly.
"""

from __future__ import annotations

import math

LEAST = (2 + math.sqrt(7), (2 + math.sqrt(19)) / 3)  # a and b above
VECTOR = (8.0, 4.0)  # as published: Zhou, Gu and Szepesvári 2021, Theorem 4.1


def length_bound(d: int, sigma: float, M: float, mass: float, level: float) -> float:
    """8 σ √(D ℓ) + 4 M ℓ, where `mass` is n L²/(dλ) and `level` is ℓ."""
    return VECTOR[0] * sigma * math.sqrt(d * math.log1p(mass) * level) + VECTOR[1] * M * level
