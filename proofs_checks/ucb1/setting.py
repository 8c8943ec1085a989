"""Setting: what is given, and the regret as a sum over the arms."""

from __future__ import annotations

from glbcheck.verify.writing import definition, proves, structural

REWARDS = "the rewards of an arm are independent, in [0, 1], of mean mu_i"
POLICY = "UCB1 on K >= 2 arms"

structural("sec:setting", "sec:deviations", "sec:pulls", "sec:regret", "sec:folklore", reason="headings")
definition("eq:index", reason="introduces the index of an arm and its width c_{t,s}")


proves(
    "UCB1.Pulls.decomposition",
    "lem:decomposition",
    "lem:decomposition/eq1",
    id="decomposition",
    title="Along every run the gaps of the n arms pulled add up to the sum over the arms of Delta_i T_i(n).",
    math=r"\sum_{t \le n} (\mu_\star - \mu_{I_t}) = \sum_i \Delta_i T_i(n)",
    hypotheses=("finitely many arms",),
    control=("mu_* in place of the gap", "UCB1.Controls.star_for_gap_false"),
    why="The left side is n mu_* minus the sum of mu_i T_i(n); the lemma is the mean of both sides, and "
    "means are linear.",
)
