"""The lower bounds on hypercubes against the exact values of small games.

d = 2, logistic rewards: arms and parameters are the four sign pairs, with odds e^(l_t w) for the right one.  Odds 9/4
for arms of length 1 and 3/2 for arms of length 1/2 are one parameter w = log(9/4); averages of N coins have g = 1/N.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from glbcheck.core.theory import lower_constants
from glbcheck.verify.search import exact
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.writing import Evidence, claim, combine, text_of

from .bandit_games import square_of_rounds
from .unprinted import NORMALISED

Rounds = Sequence[tuple[Fraction, int]]
HALF = Fraction(1, 2)
COIN = (Fraction(2, 3), 1)  # odds 2
LOUD, QUIET = (Fraction(9, 13), 1), (Fraction(3, 5), 2)  # lengths and dispersions 1 and 1/2
DIGITS = 10**6
COINS = {NORMALISED: "averages of N coins are binomial counts over N, an exponential family for g = 1/N"}


def assouad_terms(rounds: Rounds) -> list[tuple[Fraction, Fraction]]:
    """For each round what a wrong sign costs, and half of the divergence bound of the rounds before it."""
    terms, before = [], Fraction(0)
    for p, coins in rounds:
        terms.append((p - HALF, before / 2))
        before += coins * (p - HALF) ** 2 / (p * (1 - p))
    return terms


def just_above(rounds: Rounds) -> Fraction:
    """The bound with its roots rounded down, so rounded up itself."""

    def root(x: Fraction) -> Fraction:
        return Fraction(isqrt(x.numerator * DIGITS**2 // x.denominator), DIGITS)

    return sum((cost * (1 - root(half)) for cost, half in assouad_terms(rounds)), Fraction(0))


def between(rounds: Rounds, odds: Fraction, V: Fraction, most: Fraction) -> Evidence:
    """Theorem <= Assouad's sum <= exact value <= most times a number just above that sum."""
    above, game = just_above(rounds), square_of_rounds(rounds)
    terms = " + ".join(f"({cost})*(1 - sqrt({half}))" for cost, half in assouad_terms(rounds))
    theorem = text_of(lower_constants.cube_floor, "2", f"log({odds})", "1/4", str(odds), "1", str(V))
    return combine(
        exact.closed(f"{above} >= {terms}"),
        exact.closed(f"{terms} >= {theorem}"),
        dynamic_program(game, ">=", above, "min"),
        dynamic_program(game, "<=", most * above, "min"),
    )


@claim(
    "thm:lower-bound/eq1",
    reading="repaired",
    hypotheses=("Bernoulli rewards with means 1/3, 1/2, 2/3", "d = 2", "T = 1, 2, 4 or 8"),
    control=("a quarter more than the sum, at T = 8", lambda: coins(8, Fraction(5, 4))),
    uses=("heteroskedastic_lower_bound_glm",),
    discharges=COINS,
    facts=("kl-below-chi-square", "pinsker", "kl-chain-rule", "backward-induction"),
)
def hypercube_exact_values() -> Evidence:
    """On the square the best policy's Bayes regret is within 34% of what the argument says, for T up to 8.

    The argument says the sum over t < T of (1 - sqrt(t)/4)/6: a wrong sign costs 1/6, and KL <= chi^2 <= 1/8
    a round, so total variation before round t + 1 is at most sqrt(t)/4.  The value is the optimum over all policies,
    by backward induction: 0.167, 0.306, 0.569 and 1.033 against 0.167, 0.292, 0.494 and 0.772.  The theorem, which
    bounds slopes by e^(R_s w), gives 0.072 to 0.373.
    """
    return combine(*(coins(T, Fraction(67, 50)) for T in (1, 2, 4, 8)))


def coins(T: int, most: Fraction) -> Evidence:
    """One coin a round; V = T."""
    return between([COIN] * T, Fraction(2), Fraction(T), most)


@claim(
    "thm:lower-bound/eq1",
    reading="repaired",
    hypotheses=("averages of 1 and of 2 Bernoulli rewards in turn, g_t = 1 and 1/2", "d = 2", "T = 2, 4 or 6"),
    control=("a sixth more than the sum, at T = 6", lambda: in_turn(3, Fraction(7, 6))),
    uses=("heteroskedastic_lower_bound_glm",),
    discharges=COINS,
    facts=("kl-below-chi-square", "pinsker", "kl-chain-rule", "backward-induction"),
)
def heteroskedastic_exact_values() -> Evidence:
    """With arms as long as their round is loud, the best policy's Bayes regret is within 25% of the argument's sum.

    Loud rounds have one coin of mean 9/13 and arms of length 1, quiet ones two coins of mean 3/5 and arms of length
    1/2.  A wrong sign costs 5/26 or 1/10; KL <= chi^2 <= 25/144 a round, so total variation stays below 1; quiet rounds
    have half of that.  The value is the optimum over all policies, by backward induction: 0.273, 0.504 and 0.715
    against 0.263, 0.440 and 0.576.
    """
    return combine(*(in_turn(pairs, Fraction(5, 4)) for pairs in (1, 2, 3)))


def in_turn(pairs: int, most: Fraction) -> Evidence:
    """Loud and quiet rounds in turn; V = 3/2 for each pair."""
    return between([LOUD, QUIET] * pairs, Fraction(9, 4), Fraction(3 * pairs, 2), most)
