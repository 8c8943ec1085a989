"""The families that are tried: names of the catalogue, with a number of trials where a family asks for one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.family import Family
from glbcheck.core.fitting.data import Data

SIZED = ("binomial", "negative_binomial", "truncated_poisson")
MOST_N = {"binomial": 2_000, "truncated_poisson": 40, "negative_binomial": 64}  # beyond it n must be stated
GROWTH = 64  # how far beyond the smallest possible n a likelihood is followed


@dataclass(frozen=True)
class Candidate:
    """A family, the Python text that makes it, and whether its n was taken from the data."""

    family: Family
    call: str
    chosen_n: bool = False
    n: int | None = None
    at_limit: bool = False  # did the likelihood still grow at the largest n tried?


def read_names(families: Sequence[str]) -> list[tuple[str, int | None]]:
    """Names such as poisson or binomial(n=20), each checked."""
    found = []
    for text in families:
        named = catalog.spelled(text)
        if named is None:
            raise BadInput("families", text, f"{meant(str(text), catalog.NAMES)}one of {', '.join(catalog.NAMES)}")
        key, size = named
        if size is not None:
            catalog.get(key, n=size)
        found.append(named)
    return list(dict.fromkeys(found))


def too_large(name: str, n: int | None, data: Data) -> str:
    """Why no n is looked for, or nothing."""
    if n is not None or name not in SIZED or _least(name, data) <= MOST_N[name]:
        return ""
    return f"a reward above {MOST_N[name]}: n that large is not looked for; state it, as in {name}(n=5000)"


def candidate(name: str, n: int | None, data: Data, likelihood: Callable[[Family], float]) -> Candidate:
    """The family of this name; an n that was not stated is the likeliest one that allows every reward."""
    if name not in SIZED:
        return Candidate(catalog.get(name), f'catalog.get("{name}")')
    stated = n is not None
    if n is None:
        n = _size(name, data, lambda size: likelihood(_sized(name, size)))
    limit = not stated and name != "truncated_poisson" and n == _most(name, data)
    return Candidate(catalog.get(name, n=n), f'catalog.get("{name}", n={n})', not stated, n, limit)


def _size(name: str, data: Data, likelihood: Callable[[int], float]) -> int:
    least = _least(name, data)
    if name == "truncated_poisson":
        return least  # the likelihood falls as n grows
    return _likeliest(likelihood, least, _most(name, data))


def _sized(name: str, n: int) -> Family:
    """The family of this n with n times the table of n = 1, which need not be made for every n that is tried."""
    one, family = catalog.get(name, n=1), copy(catalog.get(name, n=n))
    vars(family)["table"] = lambda derivative, at: n * one.table(derivative, at)
    return family


def _most(name: str, data: Data) -> int:
    return min(GROWTH * _least(name, data), MOST_N[name])


def _least(name: str, data: Data) -> int:
    """The smallest n that allows every reward."""
    return 1 if name == "negative_binomial" else max(1, math.ceil(data.rewards.max()))


def _likeliest(likelihood: Callable[[int], float], least: int, most: int) -> int:
    """Doubling while the likelihood grows, then halving the bracket."""
    known: dict[int, float] = {}

    def value(n: int) -> float:
        if n not in known:
            known[n] = likelihood(n)
        return known[n]

    n = least
    if not np.isfinite(value(n)) and not np.isfinite(value(min(2 * n, most))):
        return n
    while (twice := 2 * n) <= most and value(twice) > value(n):
        n = twice
    low, high = max(least, n // 2), min(2 * n, most)
    while high - low > 2:
        a, b = low + (high - low) // 3, high - (high - low) // 3
        low, high = (a, high) if value(a) < value(b) else (low, b)
    for size in range(low, high + 1):
        value(size)
    return max(known, key=lambda size: known[size])
