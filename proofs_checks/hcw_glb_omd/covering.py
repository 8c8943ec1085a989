"""Covering numbers of a GLM class: lemma:covering.

The class is x -> mu(<x, theta>) with |theta| <= S, the arms lie in the unit ball, and mu' <= L on [-S, S].
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.search import exact, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies


def lipschitz(factor: str) -> Evidence:
    """|mu(z_1) - mu(z_2)| = slope |<x, delta>| <= L |delta| <= eps when |delta| <= eps/L and |x| <= 1."""
    return implies(
        ["L > 0", "eps > 0", "slope >= 0", "slope <= L", "x >= 0", "x <= 1", "move >= 0", "inner >= 0",
         "inner <= x*move", f"move <= {factor}*eps/L"],
        "slope*inner <= eps",
    )  # fmt: skip


@claim(
    "lemma:covering",
    "lemma:covering/eq1",
    "lemma:covering/eq2",
    "lemma:covering/eq3",
    hypotheses=("mu' <= L on [-S, S]", "|x| <= 1", "eps > 0"),
    control=("1 + S L/eps as the ratio of the radii", 1),
    facts=("packing", "mean-value", "cauchy-schwarz"),
)
def covering_number(base: int = 2) -> Evidence:
    """The eps-covering number of the class is at most (1 + 2SL/eps)^d.

    Parameters eps/L apart give functions eps apart.  A largest set of points of the ball of radius S that
    are more than r = eps/L apart is an r-cover; the balls of radius r/2 around them are disjoint and lie in
    the ball of radius S + r/2, so there are at most as many as the ratio of the volumes, which is the ratio
    of the radii to the power d.
    """
    # The ratio of the radii S + r/2 and r/2 for r = eps/L.
    S, L, eps = sp.symbols("S L eps", positive=True)
    r = eps / L
    radii = symbolic.identity((S + r / 2) / (r / 2), 1 + base * S * L / eps)
    return combine(lipschitz("1"), radii)


def intervals(S: Fraction, eps: Fraction, slack: Fraction) -> Evidence:
    """[-S, S] needs ceil(S/eps) intervals of radius eps (mu(z) = z): against slack + S/eps."""
    needed = -((-S) // eps)
    return exact.compare(needed, "<=", slack + S / eps, f"intervals for S = {S}, eps = {eps}")


@claim(
    "lemma:covering/eq1",
    math=r"N(\varepsilon) = \left\lceil \frac{S L_\mu}{\varepsilon} \right\rceil \le 1 + \frac{S L_\mu}{\varepsilon} "
    r"\text{ for } \mu(z) = L_\mu z, \; d = 1",
    reading="repaired",
    hypotheses=("mu(z) = L z", "d = 1"),
    expected="certified",
    control=("without the 1", lambda: intervals(Fraction(10), Fraction(3), Fraction(0))),
)
def covering_number_of_the_line() -> Evidence:
    """For linear mu in one dimension the covering number is ceil(SL/eps), at most 1 + SL/eps: the 2 is slack.

    Two members differ by L|a - b| somewhere on [-1, 1] and nowhere by more, so the number is that of intervals of
    radius eps/L that cover [-S, S], which each take 2 eps/L of its length 2S; four cases are counted.  For eps >= SL
    one function covers the class, and its logarithm, the lambda of app:ye, is zero.
    """
    ceiling = implies(["n - 1 < y", "y > 0"], "n <= 1 + y")
    cases = [(10, 3), (1, 1), (1, 5), (7, 2)]
    return combine(ceiling, *(intervals(Fraction(S), Fraction(e), Fraction(1)) for S, e in cases))
