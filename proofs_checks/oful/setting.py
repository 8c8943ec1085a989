"""Setting: what is given."""

from __future__ import annotations

from glbcheck.verify.writing import definition, structural

NOISE = "the noise is R-sub-Gaussian given the past and the arm"
BOUNDED = "|theta_*| <= S and |x_t| <= L"

structural("sec:setting", "sec:self-normalised", "sec:ellipsoids", "sec:determinants", "sec:regret", "sec:rare",
           reason="headings")  # fmt: skip
definition("eq:design", reason="introduces V_t, positive definite since lambda > 0, and the ridge estimate")
definition("assumption:noise", reason="the assumptions of the whole paper")
