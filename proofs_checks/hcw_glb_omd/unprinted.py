"""What the proofs need and the paper does not state, or states and does not have, as its C depends on the rewards.

A claim that rests on one of these says so in these words, or says why it holds.
"""

from __future__ import annotations

NORMALISED = "nu = nu_g for each g in use, and exp((r z - m(z))/g) dnu_g has mass one wherever m is finite"
GROWTH = "|mu''| <= R_s mu' on the whole line"
PREDICTABLE = "x_t, tau_t, w_t and P_t are known before r_t is drawn, and 0 < w_t <= 1"
BUDGET = "sum |c_t| <= C for a C fixed in advance"
COMPACT = "every arm set X_t is compact"
CURVED = "mu' > 0 somewhere between -S and S, so that kappa is finite"

UNPRINTED = (NORMALISED, GROWTH, PREDICTABLE, BUDGET, COMPACT, CURVED)
FIXED_BUDGET = {PREDICTABLE: "C is fixed in advance, so alpha, w_t and P_t depend on the past, x_t and tau_t alone"}
