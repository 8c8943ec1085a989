"""Determinants: trace, potential and the ratio of norms, by Coq for every dimension."""

from __future__ import annotations

from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, proves

DESIGN = ("lambda > 0", "V_0 = lambda I and V_t = V_{t-1} + x_t x_t^T")

proves(
    "Glbcheck.Determinant.det_le_trace",
    "lem:det-trace",
    "lem:det-trace/eq1",
    id="determinant_and_trace",
    title="The determinant of a positive definite matrix is at most the d-th power of its mean eigenvalue tr A/d.",
    math=r"\det A \le \left( \operatorname{tr} A / d \right)^d",
    hypotheses=("A symmetric and positive definite",),
    control=("nine tenths of the right side", "OFUL.Controls.det_smaller_false"),
    why="With A = V_t the trace is d lambda + sum |x_s|^2 <= d lambda + t L^2, which is the lemma.",
)

proves(
    "OFUL.Potential.capped_sum_printed",
    "lem:potential",
    "eq:potential-capped",
    id="capped_potential",
    title="The sum of min(1, w_t) is at most 2 log(det V_n/lambda^d), where w_t = |x_t|^2 in V_{t-1}^-1.",
    math=r"\sum_{t \le n} \min(1, w_t) \le 2 \log (\det V_n / \lambda^d)",
    hypotheses=DESIGN,
    control=("7/5 in place of 2", "OFUL.Potential.capped_sum_false"),
    witness="OFUL.Controls.premises_met",
    why="det V_t = det V_{t-1} (1 + w_t), and min(1, w) <= 2 log(1 + w).",
)

proves(
    "OFUL.Potential.capped_sum",
    "lem:potential",
    "eq:potential-capped",
    id="capped_potential_sharper",
    title="The factor 2 of the potential may be replaced by 3/2.",
    math=r"\sum_{t \le n} \min(1, w_t) \le \tfrac{3}{2} \log (\det V_n / \lambda^d)",
    reading="repaired",
    hypotheses=DESIGN,
    control=("7/5 in place of 3/2", "OFUL.Potential.capped_sum_false"),
    witness="OFUL.Controls.premises_met",
    why="u <= (1 + u/2) log(1 + u), which is at most (3/2) log(1 + u) up to u = 1, and log 2 >= 2/3.  The best "
    "constant is 1/log 2 = 1.4427, for one step of w = 1.",
)


@claim(
    "eq:potential-uncapped",
    math=r"\lambda \ge \max(1, L^2) \implies \sum_{t \le n} w_t \le 2 \log (\det V_n / \lambda^d)",
    hypotheses=(*DESIGN, "lambda >= max(1, L^2)", "|x_t| <= L"),
    control=("factor 7/5", "7/5"),
    uses=("capped_potential",),
    facts=("loewner-order", "determinant-lemma"),
)
def uncapped_potential(factor: str = "2") -> Evidence:
    """For lambda >= max(1, L^2) the sum of w_t is at most 2 log(det V_n/lambda^d).

    V_{t-1} - lambda I is positive semidefinite, so that w_t <= L^2/lambda <= 1; then u <= 2 log(1 + u) for u = w_t, and
    the logarithms add up.
    """
    return ladder.inequality(f"u <= ({factor})*log(1 + u)", "u", 0, 1)


proves(
    "OFUL.Regret.norm_ratio",
    "lem:ratio",
    "lem:ratio/eq1",
    id="ratio_of_norms",
    title="|y|^2 in V_s^-1 is at most det V_t/det V_s times |y|^2 in V_t^-1, for s <= t.",
    math=r"|y|^2_{V_s^{-1}} \le \frac{\det V_t}{\det V_s} |y|^2_{V_t^{-1}}",
    hypotheses=DESIGN,
    control=("nine tenths of the right side", "OFUL.Controls.ratio_smaller_false"),
    witness="OFUL.Controls.premises_met",
    why="One update shrinks the dual norm by at most 1 + |x|^2 in V^-1, which is the growth of the determinant.",
)
