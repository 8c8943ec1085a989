"""What other modules share of the sharpest confidence sequence; its claims are in `confidence.sharpest`."""

from __future__ import annotations

import sympy as sp

NEAR = sp.Rational(1, 10**6)
LOCAL = (
    "|x_s| <= 1",
    "theta_1, theta_* in Theta",
    "0 <= mu' <= L_mu, |mu''| <= R mu' and |mu''| <= bend on [-S, S]",
    "eta = 1 + R S",
)
EPS = "eps = min(2 eta alpha S bend/sqrt(lambda), 2 eta S bend/(lambda g_min)), and eps < 1"
