"""The compiled engine's learner in the same format: what its rounds change, and the factors of H as they are."""

from __future__ import annotations

import os

import numpy as np
from glbcheck.core.algorithm import State
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.factor import factorise
from glbcheck.core.engine.state import initial, radius, views
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner import saving
from glbcheck.core.learner.states import numbers
from glbcheck.core.parameters import Parameters

CHANGED = ("multiplier", "decided", "weight", "projected")  # by a round, beside what the reference has too


def save_engine(path: str | os.PathLike[str], p: Parameters, state: Floats) -> None:
    """Write the flat array of an engine's learner with these parameters."""
    _without_scout(p)
    engine = views(state)
    facts = engine.facts
    if int(facts.d) != p.d or float(facts.lam) != p.lam:
        raise BadInput("state", f"d = {int(facts.d)}, lam = {float(facts.lam)}", "the state of these parameters")
    H = np.array(engine.H)
    # The engine counts the determinant only where the radius asks for it.
    logdet = float(facts.logdet) if facts.use_determinant else float(np.linalg.slogdet(H / p.lam)[1])
    common = State(int(facts.rounds), np.array(engine.theta), H, float(facts.inverse_g), logdet)
    more = {
        "lower": engine.lower.tolist(), "inverse_d": engine.inverse_d.tolist(),
        **{name: float(getattr(facts, name)) for name in CHANGED},
    }  # fmt: skip
    saving.write(path, p, common, engine=more)


def restore_engine(path: str | os.PathLike[str], family: Family | None = None) -> tuple[Parameters, Floats]:
    """Parameters and flat array; from a file of the reference the factors are made anew."""
    p, common, document = saving.read(path, family)
    _without_scout(p)
    state = initial(p)
    engine = views(state)
    facts = engine.facts
    facts.rounds, facts.inverse_g = common.rounds, common.inverse_g
    facts.logdet = common.logdet if facts.use_determinant else 0.0
    engine.theta[:], engine.H[:] = common.theta, common.H
    saved = document.get("engine")
    if saved is None:
        factorise(engine.H, 0.0, p.lam, engine.lower, engine.inverse_d)
    elif document["version"] != saving.VERSION:
        again = "or `restore`, for the reference learner, which can be saved for the engine again"
        raise BadInput("version", document["version"], f"an engine's state of version {saving.VERSION}; {again}")
    else:
        _take_factors(p, engine.H, saved, engine.lower, engine.inverse_d)
        for name in CHANGED:
            setattr(facts, name, float(numbers(f"engine.{name}", saved.get(name), ())))
    facts.radius = radius(facts)
    return p, state


def _without_scout(p: Parameters) -> None:
    if p.scout:
        raise BadInput("scout", p.scout, "0: the flat array is that of a learner without a scout")


def _take_factors(p: Parameters, H: Floats, saved: object, lower: Floats, inverse_d: Floats) -> None:
    """L and 1/D of the file, if Lᵀ D L is H."""
    if not isinstance(saved, dict):
        raise BadInput("engine", saved, "an object, as `save_engine` writes it")
    lower[:] = numbers("engine.lower", saved.get("lower"), (p.d, p.d))
    inverse_d[:] = numbers("engine.inverse_d", saved.get("inverse_d"), (p.d,))
    if not (inverse_d > 0).all():
        raise BadInput("engine.inverse_d", inverse_d.tolist(), "positive numbers")
    L = np.tril(lower, -1) + np.eye(p.d)
    if not np.allclose(L.T @ (L / inverse_d[:, None]), H, rtol=0, atol=1e-6 * float(np.abs(H).max())):
        raise BadInput("engine.lower", "a factor of another matrix", "the factor of state.H")
