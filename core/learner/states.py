"""What a state is: checked against everything that holds of every state a learner can be in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from glbcheck.core import link_constants
from glbcheck.core import scout as scouting
from glbcheck.core.algorithm import State
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.scouted import ScoutedState
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import ONE
from glbcheck.core.parameters import Parameters

ROUNDED = 1e-9  # relative; what rounding over many rounds may do
MOST_ROUNDS = 2**53
LARGEST = 1e300  # of H, so that its trace is a number


def checked_state(p: Parameters, saved: Mapping[str, Any]) -> State:
    """The state, or a refusal that names what cannot be."""
    own = _checked_state(p, saved)
    if not p.scout:
        return own
    sent = saved.get("scout")
    if not isinstance(sent, Mapping):
        raise BadInput("state.scout", sent, "the state of the scout, as `save` writes it")
    try:
        scout = _checked_state(scouting.parameters_of(p), sent)
    except BadInput as err:
        raise BadInput(err.argument.replace("state", "state.scout", 1), err.value, err.accepted) from None
    if (scout.rounds, scout.inverse_g) != (own.rounds, own.inverse_g):
        raise BadInput("state.scout.rounds", scout.rounds, f"those of the learner, {own.rounds}, with the same rewards")
    spent, most = real("state.spent", saved.get("spent")), scouting.allowance(p, own.rounds + 1)
    if not 0 <= spent <= most * (1 + ROUNDED):
        raise BadInput("state.spent", spent, f"a cost within the allowance, at most {most:.6g}")
    return ScoutedState(**vars(own), scout=scout, spent=spent)


def _checked_state(p: Parameters, saved: Mapping[str, Any]) -> State:
    rounds = whole("state.rounds", saved.get("rounds"))
    theta = numbers("state.theta", saved.get("theta"), (p.d,))
    H = numbers("state.H", saved.get("H"), (p.d, p.d))
    inverse_g = real("state.inverse_g", saved.get("inverse_g"))
    logdet = real("state.logdet", saved.get("logdet"))
    if not norm(theta) <= p.S * (1 + 1e-15):
        raise BadInput(
            "state.theta", theta.tolist(), f"a vector of norm at most S = {p.S:g}; this has {norm(theta):.6g}"
        )
    _check_inverse_g(p, rounds, inverse_g)
    _check_H(p, H, inverse_g)
    _check_logdet(p, H, logdet)
    return State(rounds, theta, H, inverse_g, logdet)


def largest_slope(p: Parameters) -> float:
    """What μ' is at most on [-S, S], also if a smaller L_mu was given by hand."""
    return max(p.L_mu, link_constants.L_mu(p.family, p.S).upper) if "L_mu" in p.by_hand else p.L_mu


def _check_H(p: Parameters, H: Floats, inverse_g: float) -> None:
    if not (H == H.T).all():
        raise BadInput("state.H", H.tolist(), "a symmetric matrix")
    size = float(np.abs(H).max())
    if size > LARGEST:
        raise BadInput("state.H", H.tolist(), f"numbers of size at most {LARGEST:g}")
    least = float(np.linalg.eigvalsh(H)[0])
    if not least >= p.lam * (1 - ROUNDED) - ROUNDED * size:
        raise BadInput(
            "state.H", H.tolist(), f"a matrix of at least λ = {p.lam:.6g}; the least eigenvalue is {least:.6g}"
        )
    grown = float(np.trace(H)) - p.d * p.lam
    most = largest_slope(p) * inverse_g
    if not grown <= most + ROUNDED * (most + p.d * size):
        raise BadInput("state.H", H.tolist(), f"a trace that Σ 1/g = {inverse_g:.6g} rewards of slope L_mu can give")


def _check_inverse_g(p: Parameters, rounds: int, inverse_g: float) -> None:
    if inverse_g < 0 or (rounds == 0) != (inverse_g == 0):
        raise BadInput("state.inverse_g", inverse_g, "a sum of positive numbers, one for each round")
    if p.family.dispersions is ONE:
        g_min = g_max = 1.0
    else:
        g_min, g_max = (p.choice.problem.g_min, p.choice.problem.g_max) if p.choice else (0.0, math.inf)
    low, high = rounds / g_max, rounds / g_min if g_min else math.inf
    if not low * (1 - ROUNDED) <= inverse_g <= high * (1 + ROUNDED):
        raise BadInput("state.inverse_g", inverse_g, f"Σ 1/g of {rounds} rounds, from {low:.9g} to {high:.9g}")


def _check_logdet(p: Parameters, H: Floats, logdet: float) -> None:
    expected = float(np.linalg.slogdet(H / p.lam)[1])
    if not abs(logdet - expected) <= 1e-6 * (1 + abs(expected)) < math.inf:
        raise BadInput("state.logdet", logdet, f"log(det H / det λI), which is {expected:.9g} for this H")


def whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_ROUNDS:
        raise BadInput(name, value, f"a whole number from 0 to {MOST_ROUNDS}")
    return value


def real(name: str, value: object) -> float:
    try:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise OverflowError
        return float(value)
    except OverflowError:  # also of a whole number that is no double
        raise BadInput(name, value, "a finite number") from None


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadInput(name, value, "a text")
    return value


def numbers(name: str, value: object, shape: tuple[int, ...]) -> Floats:
    """An array of finite numbers of this shape; -1 is any length."""
    try:
        found = np.array(value)
        if found.size == 0:
            found = found.reshape([0 if n == -1 else n for n in shape]).astype(float)
        if found.dtype.kind not in "fi":
            raise ValueError
    except (TypeError, ValueError):
        raise BadInput(name, value, "numbers") from None
    if found.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, found.shape, strict=True)):
        raise BadInput(name, f"array of shape {found.shape}", f"an array of shape {shape}")
    if not np.isfinite(found).all():
        raise BadInput(name, value, "finite numbers")
    return found.astype(float)
