"""Learners that the tests serve, save and edit on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.environment.world import sphere
from glbcheck.core.learner import Learner
from glbcheck.core.learner.files import sealed

COIN, GAUSSIAN = catalog.get("bernoulli"), catalog.get("gaussian")
TILTED = catalog.get("exponential").tilted(2)
ARMS = sphere(np.random.default_rng(0), 6, 2)


def algorithm(C: float = 0.0, **options: Any) -> HCWGLBOMD:
    return HCWGLBOMD(COIN, d=3, S=1.5, C=C, constants="sharpest", horizon=2000, **options)


def arms(seed: int = 0, K: int = 8) -> Floats:
    return sphere(np.random.default_rng(seed), K, 3)


class Frame:
    """What pandas and polars have in common: names, and columns that become arrays."""

    def __init__(self, data: dict[Any, Any] | None = None, **columns: Any) -> None:
        self.data = data or columns

    @property
    def columns(self) -> list[Any]:
        return list(self.data)

    def __getitem__(self, name: Any) -> Any:
        return pa.array(self.data[name])


LEARNERS: dict[str, Callable[[], HCWGLBOMD]] = {
    "sharpest": lambda: HCWGLBOMD(COIN, 2, 1.0, C=3.0, constants="sharpest", horizon=1000),
    "dispersions": lambda: HCWGLBOMD(GAUSSIAN, 2, 1.0, constants="sharpest", dispersions=(0.5, 2.0), horizon=1e3),
    "scaled, from the sphere": lambda: HCWGLBOMD(
        COIN, 2, 1.0, constants="sharpest", horizon=1000, radius_scale=0.5, theta0=[0.6, 0.8]
    ),
    "repaired": lambda: HCWGLBOMD(COIN, 2, 1.0, C=3.0, alpha=0.4, constants="repaired", index="closed-form"),
    "by hand": lambda: HCWGLBOMD(GAUSSIAN, 2, 1.0, lam=2.0, radius_scale=0.1, theta0=[0.1, 0.2]),
    "local": lambda: HCWGLBOMD(TILTED, 2, 1.0, constants="local", radius_form="determinant"),
}


def serve(learner: Learner, rounds: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for t in range(rounds):
        learner.choose(ARMS)
        if t % 3:
            waited = [ticket for ticket in learner.pending if ticket.number not in learner.desk.early]
            ticket = waited[int(rng.integers(len(waited)))]
            learner.reward(ticket, float(rng.integers(2)))


def used(name: str, **options: Any) -> Learner:
    learner = Learner(LEARNERS[name](), **options)
    serve(learner, 25, 1)
    return learner


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    """The file with an edit, and the seal of what it then says."""
    document = json.loads(path.read_text())
    del document["seal"]
    edit(document)
    path.write_text(sealed(document))
    return path


def put(*keys: str | int, value: Any) -> Callable[[dict[str, Any]], object]:
    def edit(document: Any) -> object:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value
        return document

    return edit
