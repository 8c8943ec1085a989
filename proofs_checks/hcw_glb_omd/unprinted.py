"""What the proofs need and the paper does not state; a claim that rests on one of these says so in these words."""

from __future__ import annotations

NORMALISED = "nu = nu_g for each g in use, and exp((r z - m(z))/g) dnu_g has mass one wherever m is finite"
GROWTH = "|mu''| <= R_s mu' on the whole line"
BUDGET = "sum |c_t| <= C for a C fixed in advance"
COMPACT = "every arm set X_t is compact"
CURVED = "mu' > 0 somewhere on [-S, S], so that kappa is finite"

UNPRINTED = (NORMALISED, GROWTH, BUDGET, COMPACT, CURVED)
