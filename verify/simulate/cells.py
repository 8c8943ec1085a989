"""One run of one cell, as a small row of plain numbers."""

from __future__ import annotations

import math
import zlib
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

from glbcheck.core import catalog, competitors, concordance, engine
from glbcheck.core.engine import Attack, Outcome, World, link
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.verify.simulate import bounds, instances
from glbcheck.verify.simulate.grid import CORRECT, Cell
from glbcheck.verify.simulate.mutants import MUTANTS

Row = dict[str, Any]
OURS = "hcw-glb-omd"
MARKS = (1, 2, 5)

# Certified constants are computed in a precision that belongs to the whole process, so one at a time.
_BUILDING = Lock()


def check(cell: Cell) -> None:
    """Refuse a cell that cannot be played, before anything is."""
    p = prepared(cell)
    instances.check_dispersions(cell.dispersion, p.family, cell.T)
    competitors.check(cell.algorithm, p)
    if cell.variant != CORRECT:
        if cell.algorithm != OURS:
            raise BadInput("variants", cell.variant, f"{CORRECT!r} for algorithms other than {OURS}")
        if cell.variant not in MUTANTS:
            raise BadInput("variants", cell.variant, "one of " + ", ".join((CORRECT, *MUTANTS)))
    world_of(cell, p, 0, 0)
    if is_searched(cell) and cell.C == 0:
        raise BadInput("adversaries", cell.adversary, "together with C > 0, not C = 0")


def play(cell: Cell, number: int, seed: int, opponent: Attack | None = None) -> Row:
    """Run number `number` of the cell, against another opponent if one is given."""
    p = prepared(cell)
    world, key, marks = world_of(cell, p, number, seed), _key(cell, number), checkpoints(cell.T)
    if opponent is not None:
        world = replace(world, attack=opponent)
    if cell.variant == CORRECT:
        return _row(cell, competitors.run(cell.algorithm, p, world, cell.T, seed, key, marks))
    p, world, variant = MUTANTS[cell.variant].apply(p, world)
    return _row(cell, engine.run(p, world, cell.T, seed, key, marks, variant=variant))


def is_searched(cell: Cell) -> bool:
    return cell.adversary.partition(":")[0] == instances.SEARCHED


def checkpoints(T: int) -> list[int]:
    """Rounds at which curves are read: 10, 20, 50, 100, ... and the last."""
    decades = range(1, len(str(T)) + 1)
    return sorted({m * 10**k for k in decades for m in MARKS if m * 10**k < T} | {T})


def prepared(cell: Cell) -> Parameters:
    """The learner's constants, as the cell's reading prescribes them."""
    with _BUILDING:
        return _parameters(cell.family, cell.d, cell.S, cell.delta, cell.C, cell.alpha, cell.constants)


def kappa(cell: Cell) -> float:
    with _BUILDING:
        return _kappa(cell.family, cell.S)


@lru_cache(maxsize=1024)
def _kappa(name: str, S: float) -> float:
    return float(concordance.kappa(catalog.get(name), S).upper)


@lru_cache(maxsize=1024)
def _parameters(name: str, d: int, S: float, delta: float, C: float, alpha: float | None, reading: str) -> Parameters:
    if name not in catalog.NAMES:
        raise BadInput("families", name, "one of " + ", ".join(catalog.NAMES))
    p = parameters(catalog.get(name), d, S, delta, C, alpha, reading=reading)
    link.pack(p.family, p.S)  # builds the family's table
    return p


def _key(cell: Cell, number: int) -> tuple[int, int]:
    return zlib.crc32(cell.instance.encode()), number


def world_of(cell: Cell, p: Parameters, number: int, seed: int) -> World:
    """What run number `number` meets."""
    rng = instances.stream(seed, _key(cell, number))
    return instances.world(p.family, cell.d, cell.S, cell.C, cell.T, cell.arms, cell.dispersion, cell.adversary, rng)


def _row(cell: Cell, outcome: Outcome) -> Row:
    curves = {name: getattr(outcome, name) for name in ("regret_at", "radius_at", "error_at", "weight_at")}
    return {
        "misses": outcome.misses,
        "worst_ratio": plain(outcome.worst_ratio),
        "first_informative": outcome.first_informative,
        "discounted": outcome.discounted,
        "smallest_weight": plain(outcome.smallest_weight),
        "regret": plain(outcome.regret),
        "corruption": plain(outcome.corruption),
        **_bounds(cell, outcome),
        **{name: [plain(value) for value in values] for name, values in curves.items()},
    }


def guarantee(cell: Cell) -> str | None:
    """Which theorem speaks about this learner, if one does."""
    if cell.algorithm != OURS or cell.variant != CORRECT:
        return None
    p = prepared(cell)
    with _BUILDING:
        words = _guarantee(p)
    return None if words.startswith("none") else words


@lru_cache(maxsize=1024)
def _guarantee(p: Parameters) -> str:
    return p.guarantee


def _bounds(cell: Cell, o: Outcome) -> Row:
    """The bounds of this very run: the printed one for the paper's constants, and the repaired one."""
    found: Row = {"bound_printed": None, "bound_repaired": None}
    if guarantee(cell) is not None:
        for name, reading in (("bound_printed", "paper"), ("bound_repaired", "repaired")):
            p = prepared(replace(cell, constants=reading))
            found[name] = plain(bounds.upper(p, kappa(cell), cell.T, o.g_min, o.g_max, o.optimal_variance, o.inverse_g))
    return found


def plain(value: float) -> float | None:
    """JSON has no NaN and no infinity: what is not a number is null."""
    return float(value) if math.isfinite(value) else None
