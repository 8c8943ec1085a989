"""One run of one cell, as a small row of plain numbers."""

from __future__ import annotations

import math
import zlib
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

from glbcheck.core import catalog, competitors, concordance, constants, engine, lower_constants
from glbcheck.core.adversary import Attack
from glbcheck.core.engine import Outcome, World, link
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.grid import CORRECT, Cell
from glbcheck.core.simulation.mutants import MUTANTS
from glbcheck.core.world import INSTANCE, stream

Row = dict[str, Any]
OURS = "hcw-glb-omd"
SHARPEST = "sharpest"
BOUNDS = {"paper": "bound_printed", "repaired": "bound_repaired", SHARPEST: "bound_sharpest"}
MARKS = (1, 2, 5)
CURVES = ("regret_at", "radius_at", "error_at", "weight_at")

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
    world_of(cell, 0, 0)
    if is_searched(cell) and cell.C == 0:
        raise BadInput("adversaries", cell.adversary, "together with C > 0, not C = 0")


def play(cell: Cell, number: int, seed: int, opponent: Attack | None = None) -> Row:
    """Run number `number` of the cell, against another opponent if one is given."""
    p, world = prepared(cell), world_of(cell, number, seed)
    key, marks = key_of(cell, number), checkpoints(cell.T)
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
        return _parameters(replace(cell, **_unheard(cell)))


def _unheard(cell: Cell) -> dict[str, Any]:
    """What the constants do not depend on, blotted out: only the sharpest are told the horizon and the dispersions."""
    blank: dict[str, Any] = {"adversary": "", "algorithm": "", "arms": "", "variant": "", "replicates": 0}
    return blank if cell.constants == SHARPEST else blank | {"T": 0, "dispersion": ""}


@lru_cache(maxsize=1024)
def _parameters(cell: Cell) -> Parameters:
    name, told = cell.family, {}
    if name not in catalog.NAMES:
        raise BadInput("families", name, "one of " + ", ".join(catalog.NAMES))
    if cell.constants == SHARPEST:
        told = {"horizon": cell.T, "dispersions": instances.dispersion_range(cell.dispersion, cell.T)}
    p = parameters(
        catalog.get(name), cell.d, cell.S, cell.delta, cell.C, cell.alpha, reading=cell.constants,
        index=cell.index, **told,
    )  # fmt: skip
    link.pack(p.family, p.S)  # builds the family's table
    return p


def kappa(cell: Cell) -> float:
    with _BUILDING:
        return _kappa(cell.family, cell.S)


@lru_cache(maxsize=1024)
def _kappa(name: str, S: float) -> float:
    return float(concordance.kappa(catalog.get(name), S).upper)


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


def key_of(cell: Cell, number: int) -> tuple[int, int]:
    """The name of a run among those of the same seed."""
    return zlib.crc32(cell.instance.encode()), number


def world_of(cell: Cell, number: int, seed: int) -> World:
    """What run number `number` meets."""
    rng = stream(seed, key_of(cell, number), INSTANCE)
    return instances.world(cell, prepared(cell).family, rng)


def _row(cell: Cell, outcome: Outcome) -> Row:
    numbers = ("worst_ratio", "smallest_weight", "regret", "corruption")
    return {
        **{name: getattr(outcome, name) for name in ("misses", "first_informative", "discounted")},
        **{name: plain(getattr(outcome, name)) for name in numbers},
        **_bounds(cell, outcome),
        **{name: [plain(value) for value in getattr(outcome, name)] for name in CURVES},
    }


def plain(value: float) -> float | None:
    """JSON has no NaN and no infinity: what is not a number is null."""
    return float(value) if math.isfinite(value) else None


def _bounds(cell: Cell, outcome: Outcome) -> Row:
    """The bounds of this very run: printed and repaired, and the sharpest if the learner has these constants."""
    found: Row = dict.fromkeys(BOUNDS.values())
    if guarantee(cell) is not None:
        for reading, name in BOUNDS.items():
            if reading in ("paper", "repaired", cell.constants):
                found[name] = plain(regret_bound(replace(cell, constants=reading), outcome))
    return found


def regret_bound(cell: Cell, o: Outcome) -> float:
    """The explicit bound of the cell's reading on the regret of this run.

    The sum over T - 1 rounds is taken without the largest dispersion: exact if g is constant, and one term
    under a logarithm off at most.
    """
    p = prepared(cell)
    if p.choice:
        logdet = p.use.logdet_bound(p.d, p.lam, p.L_mu, o.inverse_g)
        return p.choice.regret_bound_from(float(logdet), o.optimal_variance)
    s = constants.Setting(
        p.d, p.S, cell.T, p.C, p.delta, p.alpha, p.R_s, p.L_mu, kappa(cell), o.g_min, o.g_max, use=p.use
    )
    V, before = o.optimal_variance, o.inverse_g - 1 / o.g_max
    if p.use is constants.PAPER:
        return float(constants.regret_bound(s, V, before, o.inverse_g))
    return float(constants.regret_bound_repaired(s, V, o.inverse_g, s.radius(before), s.radius(o.inverse_g)))


def regret_floor(cell: Cell) -> float:
    """What some instance with this d, S, C and T costs every algorithm, this one too."""
    p = prepared(cell)
    Delta = float(p.family.mu(p.S) - p.family.mu(0.0))
    # Only normal rewards have a linear link, and their noise is the same for all arms.
    return lower_constants.corruption_regret_floor(p.d, p.C, cell.T, Delta, arm_free_noise=p.R_s == 0)
