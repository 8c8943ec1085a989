"""The canonical-link maximum likelihood of one family: Newton's method on a concave function, without a ridge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.data import Data

LARGEST = 700.0  # of |z|; beyond it exp(z) leaves the doubles
EDGE = 2.0**-38  # how near an end of the domain z may come
STEPS = 200
EVALUATIONS = 400  # of the likelihood, all steps together
LEAST_SHARE = 1e-10  # of a Newton step; a shorter one is cut off by the end of the domain
SETTLED = 1e-15  # gain of a Newton step relative to the likelihood, below rounding


class NoMaximum(Exception):
    """The likelihood has no largest value, or none was found; the words say which."""


@dataclass(frozen=True, eq=False)
class Maximum:
    """θ that maximises Σ (r z - m(z)) / g at z = ⟨x, θ⟩, and the information there."""

    theta: Floats
    natural: Floats  # z of every row
    information: Floats  # Σ μ'(z) x xᵀ / g, with g = 1 where it is not known
    steps: int


def maximise(family: Family, data: Data) -> Maximum:
    """The maximum likelihood θ; `NoMaximum` where there is none."""
    try:
        found = _newton(family, data)
    except NoMaximum as problem:
        _refuse_separated(family, data)
        raise problem from None
    if not _stationary(family, data, found):
        _refuse_separated(family, data)
    return found


def _stationary(family: Family, data: Data, found: Maximum) -> bool:
    """Does the gradient show that there is no separating direction v?

    Along v only rewards at an end of the support count, and of these no term (r - μ)⟨x, v⟩ of the gradient is negative:
    it is at least min |r - μ| Σ |⟨x, v⟩|, so at least min |r - μ| times the least singular value of the contexts, where
    each error is divided by its dispersion.
    """
    w = 1.0 if data.dispersions is None else 1 / data.dispersions
    errors = w * (data.rewards - family.mu(found.natural))
    ends = (data.rewards == float(family.support.lower)) | (data.rewards == float(family.support.upper))
    if not ends.any():
        return True
    return bool(np.linalg.norm(data.contexts.T @ errors) < np.abs(errors[ends]).min() * data.least_gain / 2)


def _refuse_separated(family: Family, data: Data) -> None:
    separated = separating_direction(family, data)
    if separated is not None:
        raise NoMaximum(
            f"separation: along {_direction(separated, data.columns)} the likelihood grows for ever, "
            "so no finite θ is best; more data or fewer columns are needed"
        )


def _newton(family: Family, data: Data) -> Maximum:
    low, high = natural_ends(family)
    X, r = data.contexts, data.rewards
    w = np.ones(data.n) if data.dispersions is None else 1 / data.dispersions
    theta = _start(family, data)
    z = X @ theta
    value = _value(family, z, r, w)
    tried = 0
    for step in range(1, STEPS + 1):
        gradient = X.T @ (w * (r - family.mu(z)))
        information = (X * (w * family.dmu(z))[:, None]).T @ X
        move = _solve(information, gradient)
        dz = X @ move
        gain = float(gradient @ move)
        if gain <= SETTLED * (1 + abs(value)):
            return Maximum(theta, z, information, step)
        share = min(1.0, 0.99 * _room(z, dz, low, high))
        if share <= LEAST_SHARE:
            raise NoMaximum(
                f"the likelihood still grows at the end of [{low:.3g}, {high:.3g}], where natural parameters are "
                "computed; rewards in other units may fit into it"
            )
        while share > 1e-14:
            tried += 1
            if tried > EVALUATIONS:
                raise NoMaximum(f"{EVALUATIONS} evaluations of the likelihood did not settle")
            moved = _value(family, z + share * dz, r, w)
            if moved >= value + 1e-4 * share * gain or (share == 1.0 and gain <= 1e-10 * (1 + abs(value))):
                break
            share /= 2
        else:
            return Maximum(theta, z, information, step)  # nothing more to gain in doubles
        theta = theta + share * move
        z = X @ theta
        value = _value(family, z, r, w)
    raise NoMaximum(f"{STEPS} Newton steps did not settle")


def log_likelihood(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> float:
    """Σ log p(r | z, g), the dispersion row by row."""
    exponents = (rewards * natural - family.m(natural)) / dispersions
    return float(np.sum(exponents + family.log_base_density(rewards, dispersions)))


def separating_direction(family: Family, data: Data) -> Floats | None:
    """A direction along which no reward speaks against going on for ever; None if there is none.

    Along v the likelihood never falls exactly if ⟨x, v⟩ = 0 wherever the reward lies strictly inside the support,
    ⟨x, v⟩ <= 0 where it is the least possible one and >= 0 where it is the largest.
    """
    import scipy.linalg as linalg
    import scipy.optimize as optimize

    low, high = float(family.support.lower), float(family.support.upper)
    at_low, at_high = data.rewards == low, data.rewards == high
    inner = data.contexts[~(at_low | at_high)]
    # Of singular values, not of their squares, which rounding would not tell from 0.
    free = linalg.null_space(np.linalg.qr(inner, mode="r"), rcond=1e-8)
    if free.shape[1] == 0 or not (at_low | at_high).any():
        return None
    signed = np.concatenate([-data.contexts[at_low], data.contexts[at_high]]) @ free
    # Rescaled rows leave the cone as it is; the largest total gain is positive exactly if there is a direction.
    found = optimize.linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(signed.shape[0]), bounds=(-1, 1))
    if found.x is None or float(signed.sum(axis=0) @ found.x) <= 1e-7 * signed.shape[0]:
        return None
    return np.asarray(free @ found.x)


def _direction(v: Floats, columns: tuple[str, ...]) -> str:
    largest = np.argsort(-np.abs(v))[:3]
    parts = [f"{'+' if v[k] > 0 else '-'}{columns[k]}" for k in largest if abs(v[k]) > 1e-6 * np.abs(v).max()]
    return ", ".join(parts)


def natural_ends(family: Family) -> tuple[float, float]:
    """How far z may go in floating point."""
    low, high = float(family.domain.inf), float(family.domain.sup)
    return max(low + EDGE, -LARGEST), min(high - EDGE, LARGEST)


def _start(family: Family, data: Data) -> Floats:
    """A θ with every ⟨x, θ⟩ inside the domain, which holds 0 or all that is below it."""
    if natural_ends(family)[1] > 0:
        return np.zeros(data.d)
    if data.constant is not None:
        return -data.constant
    import scipy.optimize as optimize

    cone = optimize.linprog(np.zeros(data.d), A_ub=data.contexts, b_ub=-np.ones(data.n), bounds=(None, None))
    if cone.status != 0:
        raise NoMaximum(
            f"no θ keeps every ⟨x, θ⟩ inside the domain ({family.domain.inf}, {family.domain.sup}); "
            "a constant column (--intercept) may help"
        )
    theta = np.asarray(cone.x)
    reach = float(np.abs(data.contexts @ theta).max())
    return theta * min(1.0, LARGEST / 2 / reach)


def _value(family: Family, z: Floats, r: Floats, w: Floats) -> float:
    return float(np.sum(w * (r * z - family.m(z))))


def _solve(information: Floats, gradient: Floats) -> Floats:
    try:
        np.linalg.cholesky(information)
        return np.asarray(np.linalg.solve(information, gradient))
    except np.linalg.LinAlgError:
        raise NoMaximum("the information matrix is singular: the fitted variances vanish") from None


def _room(z: Floats, dz: Floats, low: float, high: float) -> float:
    """How far along dz every z stays in the domain."""
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(dz > 0, (high - z) / dz, np.inf)
        down = np.where(dz < 0, (low - z) / dz, np.inf)
    return float(min(up.min(), down.min()))
