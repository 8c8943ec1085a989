"""The tolerances that the reference and the compiled engine must share to make the same choices."""

from __future__ import annotations

TIE = 1e-9  # indices this close, relative to the largest bound among the arms, are equal; so are norms, relatively
SLACK = 1e-12  # relative; a point this close to a boundary counts as on it
UNIT = 1 + 1e-9  # arms may leave the unit ball by this much rounding
LARGEST_REWARD = 1e100
BEST = 1e-12  # an arm whose ⟨x, θ_*⟩ is this close to the largest is a best one too
