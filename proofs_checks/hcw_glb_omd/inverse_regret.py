"""What other modules share of lemma:inverse-regret; its claims are in `confidence.inverse_regret`."""

from __future__ import annotations

SETTING = (
    "|x_s| <= 1",
    "theta_1, theta_* in Theta",
    "0 <= mu' <= L_mu and |mu''| <= R_s mu' on [-S, S]",
    "eta = 1 + R_s S",
)
