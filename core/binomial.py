"""Exact facts about coin tosses: tails of the binomial law and the confidence bounds built on them.

Bounds are searched with balls, which is fast, and then confirmed in integers, which is final.  Every
bound is rounded to the cautious side on a decimal grid, so its certificate is a short fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from glbcheck.core.enclosure import ball, precision, upper
from glbcheck.core.errors import BadInput

DIGITS = 6
BITS = 128


def at_most(n: int, k: int, p: Fraction) -> Fraction:
    """P(K <= k) for K ~ Binomial(n, p), exactly."""
    if k < 0:
        return Fraction(0)
    if k >= n:
        return Fraction(1)
    if p == 1:
        return Fraction(0)
    if 2 * k > n:
        return 1 - at_most(n, n - k - 1, 1 - p)
    a, b = p.numerator, p.denominator
    term = total = (b - a) ** n
    for i in range(k):
        term = term * (n - i) * a // ((i + 1) * (b - a))
        total += term
    return Fraction(total, b**n)


def at_least(n: int, k: int, p: Fraction) -> Fraction:
    """P(K >= k) for K ~ Binomial(n, p), exactly."""
    return 1 - at_most(n, k - 1, p)


def clopper_pearson_upper(n: int, k: int, alpha: Fraction) -> Fraction:
    """The least grid point p with P(K <= k) <= alpha: after k failures in n it and all above are excluded."""
    _check(n, k, alpha)
    if k == n:
        return Fraction(1)
    found = _least_on_grid(lambda p: _ball_at_most(n, k, p) <= alpha)
    below = found - Fraction(1, 10**DIGITS)
    if at_most(n, k, below) <= alpha:
        # A tie on the grid, which no ball can see.
        found = below
    if at_most(n, k, found) > alpha:
        raise AssertionError(f"the upper bound {found} for {k} of {n} at {alpha} fails in integers")
    return found


def clopper_pearson_lower(n: int, k: int, alpha: Fraction) -> Fraction:
    """The greatest grid point p with P(K >= k) <= alpha: smaller p are excluded at level alpha."""
    return 1 - clopper_pearson_upper(n, n - k, alpha)


def pass_threshold(n: int, p: Fraction, alpha: Fraction) -> int:
    """The largest c with P(K <= c) <= alpha under p, or -1: seeing c or fewer excludes p and all above it."""
    _check(n, 0, alpha)
    low, high = -1, n
    while high - low > 1:  # balls find it
        middle = (low + high) // 2
        low, high = (middle, high) if _ball_at_most(n, middle, p) <= alpha else (low, middle)
    while at_most(n, low + 1, p) <= alpha:  # and integers confirm it
        low += 1
    if at_most(n, low, p) > alpha:
        raise AssertionError(f"the threshold {low} of {n} fails in integers")
    return low


def alarm_threshold(n: int, p: Fraction, alpha: Fraction) -> int:
    """The smallest c with P(K >= c) <= alpha under p, at most n + 1: seeing c or more excludes p."""
    return n - pass_threshold(n, 1 - p, alpha)


def _least_on_grid(holds: Callable[[Fraction], bool]) -> Fraction:
    """The least multiple of 10^-DIGITS at which an increasing property holds (it is taken to hold at 1)."""
    scale = 10**DIGITS
    low, high = 0, scale
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(Fraction(middle, scale)) else (middle, high)
    return Fraction(high, scale)


def _ball_at_most(n: int, k: int, p: Fraction) -> Fraction:
    """A bound on P(K <= k) for k < n, through the regularised incomplete beta function."""
    with precision(BITS):
        value = ball(1 - p).beta_lower(n - k, k + 1, regularized=True)
        # Not finite means nothing is known, and a probability is at most one.
        return upper(value) if value.is_finite() else Fraction(1)


def _check(n: int, k: int, alpha: Fraction) -> None:
    if not 0 <= k <= n:
        raise BadInput("k", k, f"a whole number from 0 to n = {n}")
    if not 0 < alpha < 1:
        raise BadInput("alpha", str(alpha), "strictly between 0 and 1")
