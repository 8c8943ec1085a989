"""Hypothesis strategies for the objects of bandit theory, degenerate cases included.

Every strategy shrinks towards something a reader can hold in mind: dimension one, the identity, the
zero arm, short sequences, small fractions.  Those called `rational_*` yield Fractions and nothing else.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[Fraction, ...]

MAX_DIMENSION, MAX_ROUNDS = 5, 12


# A strategy that is made anew for every draw is also validated anew, which costs more than the draw.
@cache
def dimensions(largest: int = MAX_DIMENSION) -> SearchStrategy[int]:
    return st.integers(1, largest)


@cache
def decades(low: int, high: int) -> SearchStrategy[float]:
    """A positive number whose order of magnitude is uniform between 10^low and 10^high."""
    return st.builds(lambda digit, power: digit * 10.0**power, st.floats(1, 10, exclude_max=True), _powers(low, high))


@cache
def rational_decades(low: int, high: int) -> SearchStrategy[Fraction]:
    """The same with one significant digit, exactly."""
    return st.builds(lambda digit, power: digit * Fraction(10) ** power, st.integers(1, 9), _powers(low, high))


@st.composite
def spd_matrices(draw: DrawFn, d: int | None = None, spread: int = 3) -> Array:
    """A symmetric positive definite matrix L·Lᵀ, condition number up to about 10^(4·spread)."""
    size = draw(dimensions()) if d is None else d
    diagonal = draw(st.lists(decades(-spread, spread), min_size=size, max_size=size))
    lower = np.diag(np.sqrt(np.array(diagonal)))
    for i in range(size):
        for j in range(i):
            # Entries below the diagonal no larger than it keep the rounded product definite.
            lower[i, j] = draw(st.floats(-1, 1)) * min(lower[i, i], lower[j, j])
    return np.asarray(lower @ lower.T)


@st.composite
def rational_arm_sequences(draw: DrawFn, d: int | None = None, rounds: int = MAX_ROUNDS) -> tuple[Vector, ...]:
    """Arms in the closed unit ball: fresh, repeated, zero, collinear with an earlier one, or tiny."""
    size = draw(dimensions()) if d is None else d
    arms: list[Vector] = []
    for _ in range(draw(st.integers(1, rounds))):
        kind = draw(st.sampled_from(["zero", "fresh", "repeat", "collinear", "tiny"]))
        if kind == "zero":
            arms.append((Fraction(0),) * size)
        elif kind in ("repeat", "collinear") and arms:
            factor = Fraction(1) if kind == "repeat" else draw(st.fractions(-1, 1, max_denominator=12))
            arms.append(tuple(factor * c for c in draw(st.sampled_from(arms))))
        else:
            shrink = draw(rational_decades(-9, -5)) if kind == "tiny" else Fraction(1)
            arms.append(tuple(shrink * c for c in draw(_unit_ball(size))))
    return tuple(arms)


def arm_sequences(d: int | None = None, rounds: int = MAX_ROUNDS) -> SearchStrategy[Array]:
    """The same as a float array of shape (rounds, d), every row of norm at most one."""
    return rational_arm_sequences(d, rounds).map(_inside_ball)


def dispersions(rounds: int = MAX_ROUNDS, low: int = -6, high: int = 6) -> SearchStrategy[list[float]]:
    """Positive dispersions of one run, ranging over decades."""
    return st.lists(decades(low, high), min_size=1, max_size=rounds)


@cache
def _powers(low: int, high: int) -> SearchStrategy[int]:
    # Listed by size so that shrinking ends at 10^0.
    return st.sampled_from(sorted(range(low, high + 1), key=abs))


@cache
def _unit_ball(size: int) -> SearchStrategy[Vector]:
    """Integer vectors divided by a whole number no smaller than their norm."""
    return st.lists(st.integers(-12, 12), min_size=size, max_size=size).map(
        lambda v: tuple(Fraction(c, max(1, 1 + math.isqrt(max(sum(c * c for c in v) - 1, 0)))) for c in v)
    )


def _inside_ball(arms: tuple[Vector, ...]) -> Array:
    rows = np.array([[float(c) for c in arm] for arm in arms])
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    # Rounding may push a unit vector an ulp outside.
    return np.asarray(np.where(norms > 1, rows * (1 - 2.0**-50) / np.maximum(norms, 1), rows))
