"""Setting: what is given, and the regret as a sum over the arms."""

from __future__ import annotations

from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, definition, structural

REWARDS = "the rewards of an arm are independent, in [0, 1], of mean mu_i"
POLICY = "UCB1 on K >= 2 arms"

structural("sec:setting", "sec:deviations", "sec:pulls", "sec:regret", "sec:folklore", reason="headings")
definition("eq:index", reason="introduces the index of an arm and its width c_{t,s}")


@claim(
    "lem:decomposition",
    "lem:decomposition/eq1",
    math=r"n \mu_\star - \sum_i \mu_i \mathbb{E} T_i(n) = \sum_i \Delta_i \mathbb{E} T_i(n)",
    control=("the mean mu_* alone in place of the gap", "best"),
)
def decomposition(gap: str = "best - mu") -> Evidence:
    """The regret n mu_* - sum mu_i E T_i(n) is the sum of Delta_i E T_i(n).

    The pulls T_i(n) of all arms add up to n, and so do their means; each arm contributes the identity that is checked.
    """
    return symbolic.identity("best*pulls - mu*pulls", f"({gap})*pulls", variables=["best", "mu", "pulls"])
