"""What a learner refuses to see: each refusal names the argument, the value and what is accepted."""

from __future__ import annotations

import math
from sys import float_info

import numpy as np
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.reference import into_ball
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import POSITIVE
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import LARGEST_REWARD, UNIT
from numpy.typing import ArrayLike


def checked_arms(arms: ArrayLike, d: int, argument: str = "arms", advice: str = "") -> Floats:
    """The arms as a (K, d) array of finite numbers, each of norm at most 1."""
    points = _numbers(argument, arms)
    if points.ndim != 2 or points.shape[0] < 1 or points.shape[1] != d:
        raise BadInput(argument, f"array of shape {points.shape}", f"an array of shape (K, {d}) with K >= 1")
    lengths = np.einsum("ij,ij->i", points, points)
    if not (lengths <= UNIT**2).all():  # also catches what is not a number
        k = int(np.flatnonzero(~(lengths <= UNIT**2))[0])
        found = f"; this has {lengths[k] ** 0.5:.6g}{advice}" if np.isfinite(points[k]).all() else ""
        raise BadInput(f"{argument}[{k}]", points[k].tolist(), f"finite {argument} of norm at most 1{found}")
    return points


def checked_vector(argument: str, value: ArrayLike, d: int, longest: float) -> Floats:
    """A vector of d finite numbers, of norm at most `longest`."""
    point = _numbers(argument, value)
    if point.shape != (d,):
        raise BadInput(argument, f"array of shape {point.shape}", f"a vector of {d} numbers")
    if not norm(point) <= longest:
        raise BadInput(argument, point.tolist(), f"finite numbers, norm at most {longest:.12g}")
    return point


def checked_start(theta0: ArrayLike | None, d: int, S: float) -> Floats:
    """θ_1 in the ball of radius S: the one given, or 0."""
    return np.zeros(d) if theta0 is None else into_ball(checked_vector("theta0", theta0, d, UNIT * S), S)


def length_of_start(theta0: ArrayLike | None) -> float:
    """‖θ_1‖ of a start of which the shape is yet to be checked."""
    length = 0.0 if theta0 is None else norm(_numbers("theta0", theta0).ravel())
    if not math.isfinite(length):
        raise BadInput("theta0", theta0, "finite numbers")
    return length


def checked_reward(reward: object, argument: str = "reward") -> float:
    """A finite reward; inside or outside the family's support, since it may be corrupted."""
    value = _numbers(argument, reward, kinds="fiub")  # a binary reward may come as a truth value
    if value.ndim != 0 or not abs(value) <= LARGEST_REWARD:
        raise BadInput(argument, reward, f"one finite number, at most {LARGEST_REWARD:g} in size")
    return float(value)


def checked_rewards(rewards: ArrayLike, count: int) -> Floats:
    """So many rewards, each as `checked_reward` accepts it."""
    values = np.asarray(rewards)
    if values.shape != (count,):
        raise BadInput("rewards", f"array of shape {values.shape}", f"{count} numbers, one for each row")
    if not (values.dtype.kind in "fiub" and (np.abs(values) <= LARGEST_REWARD).all()) or np.ma.is_masked(rewards):
        return np.array([checked_reward(value, f"rewards[{row}]") for row, value in enumerate(rewards)])  # type: ignore[arg-type]
    return np.ascontiguousarray(values, dtype=float)


def usual_dispersions(p: Parameters) -> tuple[float, float]:
    """The ends of an interval in which every dispersion is allowed; others may be, too."""
    low, high = (0.0, math.inf) if p.choice is None else (p.choice.problem.g_min, p.choice.problem.g_max)
    allows = p.family.dispersions.allows
    if allows is not POSITIVE.allows:
        low, high = (1.0, 1.0) if low <= 1 <= high and allows(1.0) else (math.inf, 0.0)
    return max(low, float_info.min), min(high, float_info.max)


def _numbers(argument: str, value: object, kinds: str = "fiu") -> Floats:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in kinds or np.ma.is_masked(value):  # a masked number is none, whatever lies below
            raise TypeError
        return np.ascontiguousarray(array, dtype=float) if array.ndim else array.astype(float)
    except (TypeError, ValueError, RecursionError):
        raise BadInput(argument, value, "real numbers") from None
