"""Signs of polynomials whose generators are confined to ranges."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

from .ring import Polynomial, plus, times, whole_power

HALVINGS = 12


class Range(NamedTuple):
    """The values a variable may take: ends (None is infinite) and whether each end is left out."""

    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False


def sign(p: Polynomial, axes: dict[int, Range], names: set[int], halvings: int = HALVINGS) -> int:
    """1 if p > 0 with each generator anywhere in its range, 0 if p >= 0, -1 if neither is seen.

    A range is mapped to t in (0, oo), by x = low + t, x = high - t or x = (low + high t)/(1 + t); coefficients
    that are all positive decide.  If just one generator is a name, its range is halved where they are not.
    """
    used = sorted({g for monomial in p for g, _ in monomial})
    if not axes.keys() >= set(used):
        return -1
    mapped, ends = p, list[list[int | None]]()
    for g in used:
        r, degree = axes[g], max(dict(monomial).get(g, 0) for monomial in p)
        mapped = _mapped(mapped, g, r, degree)
        first_open, last_open = r.high_open if r.low is None else r.low_open, None in r or r.high_open
        ends.append([0] * (not first_open) + [degree] * (not last_open) or [None])
    both_ways = {g for g in used if axes[g].low is None and axes[g].high is None}
    if all(c > 0 and all(k % 2 == 0 for g, k in m if g in both_ways) for m, c in mapped.items()):
        # Positive off the ends; where some closed ends meet, a monomial with just these powers of t is left.
        powers = [[dict(monomial).get(g, 0) for g in used] for monomial in mapped]
        left = (any(all(k in (None, e) for k, e in zip(at, es, strict=True)) for es in powers) for at in product(*ends))
        return int(bool(mapped) and all(left))
    moving = names.intersection(used)
    r = axes[min(moving)] if len(moving) == 1 and halvings else Range()
    if r.low is None or (r.high is not None and r.low >= r.high):
        return -1
    middle = (r.low + r.high) / 2 if r.high is not None else max(2 * abs(r.low), Fraction(1)) + r.low
    found, at = 1, Range(middle, False, middle)
    for part in (at, Range(r.low, r.low_open, middle), Range(middle, False, r.high, r.high_open)):
        found = min(found, sign(p, {**axes, min(moving): part}, names, halvings - 1)) if found >= 0 else -1
    return found


def _mapped(p: Polynomial, g: int, r: Range, degree: int) -> Polynomial:
    """p in terms of t, times (1 + t)**degree if the range has two ends."""
    if r.high is None and not r.low:
        return p
    two = r.low is not None and r.high is not None
    start, slope = (r.low, r.high if two else 1) if r.low is not None else (r.high, -1)
    lines = ((start, slope), (1, int(two)))  # x = (start + slope t)/(1 + two t)
    above, below = ({m: Fraction(c) for m, c in (((), a), (((g, 1),), b)) if c} for a, b in lines)
    result: Polynomial = {}
    for monomial, c in p.items():
        k = dict(monomial).get(g, 0)
        rest = {tuple(power for power in monomial if power[0] != g): c}
        result = plus(result, times(rest, times(whole_power(above, k), whole_power(below, degree - k))))
    return result
