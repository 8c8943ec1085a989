"""An adversary that is searched for: the attack found on one instance then meets the cell's own runs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from glbcheck.verify.simulate import instances
from glbcheck.verify.simulate.attack_search import Found, Settings, fixed_attacks, search
from glbcheck.verify.simulate.cells import prepared, world_of
from glbcheck.verify.simulate.grid import MOST_REPLICATES, Cell


def find(cell: Cell, seed: int) -> Found:
    """The attack with the largest error against the radius, on an instance that none of the runs meets."""
    p = prepared(cell)
    world = world_of(cell, p, MOST_REPLICATES, seed)
    return search(p, world, cell.T, seed, _settings(cell), workers=1)


def trials(cell: Cell) -> int:
    """How many runs the search takes, about."""
    s = _settings(cell)
    return s.generations * (s.population * s.replicates + s.finals)


def _settings(cell: Cell) -> Settings:
    (generations,) = instances.spec("adversaries", cell.adversary, instances.ADVERSARIES).numbers
    return Settings(generations=int(generations))


def described(found: Found) -> dict[str, Any]:
    """What was found, as plain data; scores are mean ratios over the same runs."""
    fixed = {name: found.rivals[name] for name in fixed_attacks(1.0, 1) if name in found.rivals}
    return {
        "winner": found.name,
        "plan": None if found.plan is None else asdict(found.plan),
        "score": found.score,
        "best_fixed": max(fixed, key=lambda name: fixed[name]),
        "best_fixed_score": max(fixed.values()),
        "generations": [generation.score for generation in found.history],
    }
