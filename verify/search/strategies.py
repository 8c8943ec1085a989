"""Hypothesis strategies for the objects of bandit theory, degenerate cases included.

Every strategy shrinks towards something a reader can hold in mind: dimension one, the identity, the
zero arm, short sequences, small fractions.  Those called `rational_*` yield Fractions and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]

MAX_DIMENSION, MAX_ROUNDS = 5, 12


class Family(Protocol):
    """A generalised linear model with log-partition m, mean mu = m' and variance dmu = m''."""

    @property
    def name(self) -> str: ...
    def m(self, z: float) -> float: ...
    def mu(self, z: float) -> float: ...
    def dmu(self, z: float) -> float: ...


@dataclass(frozen=True)
class FiniteFamily:
    """The exponential family of a law with finitely many atoms: m(z) = log Σ pᵢ exp(aᵢ z)."""

    atoms: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]

    @property
    def name(self) -> str:
        return "finite(" + ", ".join(f"{a}: {w}" for a, w in zip(self.atoms, self.weights, strict=True)) + ")"

    def m(self, z: float) -> float:
        top = max(float(a) * z for a in self.atoms)
        return top + math.log(
            sum(float(w) * math.exp(float(a) * z - top) for a, w in zip(self.atoms, self.weights, strict=True))
        )

    def mu(self, z: float) -> float:
        return sum(p * float(a) for p, a in zip(self.tilted(z), self.atoms, strict=True))

    def dmu(self, z: float) -> float:
        mean = self.mu(z)
        return sum(p * (float(a) - mean) ** 2 for p, a in zip(self.tilted(z), self.atoms, strict=True))

    def tilted(self, z: float) -> list[float]:
        """The law at natural parameter z."""
        shift = self.m(z)
        return [float(w) * math.exp(float(a) * z - shift) for a, w in zip(self.atoms, self.weights, strict=True)]


@dataclass(frozen=True)
class Link:
    """A mean function and its derivative, canonical or not."""

    name: str
    mu: Callable[[float], float]
    dmu: Callable[[float], float]


def dimensions(largest: int = MAX_DIMENSION) -> SearchStrategy[int]:
    return st.integers(1, largest)


def decades(low: int, high: int) -> SearchStrategy[float]:
    """A positive number whose order of magnitude is uniform between 10^low and 10^high."""
    return st.builds(lambda digit, power: digit * 10.0**power, st.floats(1, 10, exclude_max=True), _powers(low, high))


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
def rational_spd_matrices(draw: DrawFn, d: int | None = None) -> Matrix:
    """L·D·Lᵀ with L unit lower triangular and D positive: definite by construction, exactly."""
    size = draw(dimensions(3)) if d is None else d
    scale = draw(st.lists(rational_decades(-2, 2), min_size=size, max_size=size))
    lower = [[draw(small_fractions()) if j < i else Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    return tuple(
        tuple(sum((lower[i][k] * scale[k] * lower[j][k] for k in range(size)), Fraction(0)) for j in range(size))
        for i in range(size)
    )


def small_fractions(bound: int = 3) -> SearchStrategy[Fraction]:
    """Fractions between -bound and bound with a small denominator."""
    return st.fractions(-bound, bound, max_denominator=12)


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


def rational_dispersions(rounds: int = MAX_ROUNDS, low: int = -6, high: int = 6) -> SearchStrategy[list[Fraction]]:
    return st.lists(rational_decades(low, high), min_size=1, max_size=rounds)


def trajectories(rounds: int = MAX_ROUNDS, bound: float = 10.0) -> SearchStrategy[list[float]]:
    """Scalar paths: free, constant, monotone or alternating."""
    return rational_trajectories(rounds, Fraction(bound)).map(lambda path: [float(v) for v in path])


@st.composite
def rational_trajectories(draw: DrawFn, rounds: int = MAX_ROUNDS, bound: Fraction = Fraction(10)) -> list[Fraction]:
    values = draw(st.lists(st.fractions(-bound, bound, max_denominator=100), min_size=1, max_size=rounds))
    shape = draw(st.sampled_from(["free", "constant", "monotone", "alternating"]))
    if shape == "constant":
        return [values[0]] * len(values)
    if shape == "monotone":
        return sorted(values)
    if shape == "alternating":
        return [abs(v) * (-1) ** i for i, v in enumerate(values)]
    return values


@st.composite
def families(draw: DrawFn, most_atoms: int = 4) -> FiniteFamily:
    """A family with at least two atoms: coins, dice, rare extreme rewards, lattices."""
    atoms = draw(st.lists(small_fractions(), min_size=2, max_size=most_atoms, unique=True))
    raw = draw(st.lists(rational_decades(-4, 0), min_size=len(atoms), max_size=len(atoms)))
    return FiniteFamily(tuple(sorted(atoms)), tuple(w / sum(raw) for w in raw))


def links() -> SearchStrategy[Link]:
    """Classical mean functions and those of random finite families."""
    return st.one_of(st.sampled_from(_LINKS), families().map(lambda f: Link(f.name, f.mu, f.dmu)))


def _powers(low: int, high: int) -> SearchStrategy[int]:
    # Listed by size so that shrinking ends at 10^0.
    return st.sampled_from(sorted(range(low, high + 1), key=abs))


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


def _logistic(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


_LINKS: list[Any] = [
    Link("identity", lambda z: z, lambda z: 1.0),
    Link("logistic", _logistic, lambda z: _logistic(z) * _logistic(-z)),
    Link("exponential", math.exp, math.exp),
    Link(
        "probit",
        lambda z: (1 + math.erf(z / math.sqrt(2))) / 2,
        lambda z: math.exp(-z * z / 2) / math.sqrt(2 * math.pi),
    ),
    Link("tanh", math.tanh, lambda z: 1 - math.tanh(z) ** 2),
]
