"""One run of one cell, as a small row of plain numbers."""

from __future__ import annotations

import math
import zlib
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.engine.run import play as play_agent
from glbcheck.core.engine.state import OWN_ALPHA, initial
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import INSTANCE, Rng, World, stream
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.names import OURS, OWN, SCOUTED, SUFFIX
from glbcheck.core.rivals.claims import claimed, guaranteed
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.grid import CORRECT, Cell
from glbcheck.core.simulation.mutants import MUTANTS
from glbcheck.core.theory import constants, link_constants, lower_constants, scout
from glbcheck.core.theory.parameters import Parameters, parameters

Row = dict[str, Any]
SHARPEST = "sharpest"
TERMS = ("bound_noise", "bound_widening", "bound_weights", "bound_curvature", "bound_scout")
BOUNDS = {"paper": "bound_printed", "repaired": "bound_repaired", SHARPEST: "bound_sharpest"}
BOUNDLESS = ("local", "paper")  # a confidence theorem only; a regret theorem that is refuted as printed
MARKS = (1, 2, 5)
CURVES = ("regret_at", "radius_at", "error_at", "weight_at")

# Certified constants are computed in a precision that belongs to the whole process, so one at a time.
_BUILDING = Lock()


def check(cell: Cell) -> None:
    """Refuse a cell that cannot be played, before anything is."""
    p = prepared(cell)
    instances.check_dispersions(cell.dispersion, p.family, cell.T)
    rivals.check(cell.algorithm, p, varies=not cell.dispersion.startswith("constant"))
    if cell.variant != CORRECT:
        if cell.algorithm != OURS:
            raise BadInput("variants", cell.variant, f"{CORRECT!r} for algorithms other than {OURS}")
        if cell.variant not in MUTANTS:
            raise BadInput("variants", cell.variant, "one of " + ", ".join((CORRECT, *MUTANTS)))
    world_of(cell, 0, 0)
    if is_data(cell) and (cell.variant != CORRECT or is_searched(cell) or SUFFIX in cell.algorithm):
        accepted = f"the correct learner, no searched attack and no {SUFFIX} with arms {cell.arms}"
        raise BadInput("arms", cell.arms, accepted)
    if is_searched(cell) and cell.C == 0:
        raise BadInput("adversaries", cell.adversary, "together with C > 0, not C = 0")


def play(cell: Cell, number: int, seed: int, opponent: Attack | None = None) -> Row:
    """Run number `number` of the cell, whichever others are played; against another opponent if one is given."""
    p, marks, world, key = prepared(cell), checkpoints(cell.T), world_of(cell, number, seed), key_of(cell, number)
    if opponent is not None:
        world = replace(world, attack=opponent)
    if cell.variant != CORRECT:
        p, world, variant = MUTANTS[cell.variant].apply(p, world)
        return _row(cell, run(p, world, cell.T, seed, key, marks, variant=variant))
    episode = Episode(world, cell.T, seed, key)
    if not is_data(cell):
        return _row(cell, rivals.run(cell.algorithm, p, episode, marks))
    # On a data set regret counts wrong classes, and what the best fixed θ has of them stands beside it.
    chosen = rivals.check(cell.algorithm, p)
    found = play_agent(chosen.start(p, episode), p, episode, marks, record=True)
    wrong = np.cumsum(1.0 - (found.record or {})["reward"])
    counted = replace(found, regret=float(wrong[-1]), regret_at=wrong[np.array(marks) - 1], record=None)
    examples, theta = instances.data_stream(cell, _instance(cell, number, seed))
    return _row(cell, chosen.masked(counted)) | {"best_fixed": examples.mistakes(theta)}


def is_searched(cell: Cell) -> bool:
    return cell.adversary.partition(":")[0] == instances.SEARCHED


def is_data(cell: Cell) -> bool:
    """Do contexts and rewards come from a data set, not from the model?"""
    return cell.arms.partition(":")[0] == instances.DATA


def checkpoints(T: int) -> list[int]:
    """Rounds at which curves are read: 10, 20, 50, 100, ... and the last."""
    decades = range(1, len(str(T)) + 1)
    return sorted({m * 10**k for k in decades for m in MARKS if m * 10**k < T} | {T})


def prepared(cell: Cell) -> Parameters:
    """The learner's constants, as the cell's reading prescribes them; only the sharpest are told T and dispersions."""
    unheard: dict[str, Any] = {"adversary": "", "algorithm": "", "arms": "", "variant": "", "replicates": 0}
    if cell.constants != SHARPEST:
        unheard |= {"T": 0, "dispersion": ""}
    with _BUILDING:
        p = _parameters(replace(cell, **unheard))
    return scout.with_scout(p) if cell.algorithm == SCOUTED and p.choice else p


def known_family(name: str) -> str:
    """The name of a family of the catalogue, as it stands there; refused otherwise."""
    if name not in catalog.NAMES:
        raise BadInput("families", name, f"{meant(name, catalog.NAMES)}one of {', '.join(catalog.NAMES)}")
    return name


@lru_cache(maxsize=1024)
def _parameters(cell: Cell) -> Parameters:
    family, told = catalog.get(known_family(cell.family)), dict[str, Any](index=cell.index)
    if cell.constants == SHARPEST:
        told |= {"horizon": cell.T, "dispersions": instances.dispersion_range(cell.dispersion, cell.T)}
    p = parameters(family, cell.d, cell.S, cell.delta, cell.C, cell.alpha, reading=cell.constants, **told)
    initial(p)  # builds the table of the link
    return p


def threshold(cell: Cell) -> float | None:
    """The α of the algorithm's weights; null if it has none, or none below which a weight could fall."""
    base = cell.algorithm.removesuffix(SUFFIX)
    if base != cell.algorithm or not claimed(base).thresholds:
        return None
    episode = Episode(world_of(cell, 0, 0), cell.T, 0)
    return plain(rivals.ALGORITHMS[base].start(prepared(cell), episode).state[OWN_ALPHA])


def kappa(cell: Cell) -> float:
    with _BUILDING:
        return float(link_constants.kappa(catalog.get(cell.family), cell.S).upper)


def guarantee(cell: Cell) -> str | None:
    """Which theorem speaks about this learner, if one does."""
    if cell.algorithm not in OWN or cell.variant != CORRECT or is_data(cell):
        return None
    p = prepared(cell)
    with _BUILDING:
        words = _guarantee(p)
    return None if words.startswith("none") else words


def claims_bound(cell: Cell) -> bool:
    """Has the algorithm a regret bound at this C, here or in its source?  On data, if the model were true."""
    if cell.variant != CORRECT or (cell.algorithm in OWN and cell.constants in BOUNDLESS):
        return False
    if cell.algorithm in OWN and not is_data(cell):
        return guarantee(cell) is not None
    with _BUILDING:
        return guaranteed(cell.algorithm, cell.family, cell.S, cell.C)


@lru_cache(maxsize=1024)
def _guarantee(p: Parameters) -> str:
    return p.guarantee


def key_of(cell: Cell, number: int) -> tuple[int, int]:
    """The name of a run among those of the same seed."""
    return zlib.crc32(cell.instance.encode()), number


def world_of(cell: Cell, number: int, seed: int) -> World:
    """What run number `number` meets."""
    return instances.world(cell, prepared(cell).family, _instance(cell, number, seed))


def _instance(cell: Cell, number: int, seed: int) -> Rng:
    return stream(seed, key_of(cell, number), INSTANCE)


def _row(cell: Cell, outcome: Outcome) -> Row:
    numbers = ("worst_ratio", "smallest_weight", "regret", "corruption")
    return {
        **{name: getattr(outcome, name) for name in ("misses", "first_informative", "discounted")},
        **{name: plain(getattr(outcome, name)) for name in numbers},
        **_bounds(cell, outcome),
        "best_fixed": None,
        **{name: [plain(value) for value in getattr(outcome, name)] for name in CURVES},
    }


def plain(value: float) -> float | None:
    """JSON has no NaN and no infinity: what is not a number is null."""
    return float(value) if math.isfinite(value) else None


def _bounds(cell: Cell, o: Outcome) -> Row:
    """The bounds of this very run: printed and repaired, and the sharpest if the learner has these constants.

    The local constants have a confidence theorem and no regret theorem of their own; with a scout there is the last.
    What the sharpest bound pays for stands beside it.
    """
    found: Row = dict.fromkeys((*BOUNDS.values(), *TERMS))
    p = prepared(cell)
    if guarantee(cell) is None:
        return found
    if cell.constants != "local":
        for reading in {cell.constants, *(() if cell.algorithm == SCOUTED else ("paper", "repaired"))}:
            found[BOUNDS[reading]] = plain(regret_bound(replace(cell, constants=reading), o))
    if p.choice:
        logdet = float(p.use.logdet_bound(p.d, p.lam, p.L_mu, o.inverse_g))
        terms = p.choice.regret_terms(logdet, o.optimal_variance) | {"scout": scout.allowance(p, cell.T)}
        found |= {f"bound_{name}": plain(value) for name, value in terms.items()}
    return found


def regret_bound(cell: Cell, o: Outcome) -> float:
    """The explicit bound of the cell's reading on the regret of this run.

    The sum over T - 1 rounds is taken without the largest dispersion: exact if g is constant, and one term
    under a logarithm off at most.
    """
    p = prepared(cell)
    if p.choice:
        logdet = p.use.logdet_bound(p.d, p.lam, p.L_mu, o.inverse_g)
        return p.choice.regret_bound_from(float(logdet), o.optimal_variance) + scout.allowance(p, cell.T)
    s = constants.Setting(
        p.d, p.S, cell.T, p.C, p.delta, p.alpha, p.R_s, p.L_mu, kappa(cell), o.g_min, o.g_max, use=p.use
    )
    V, before = o.optimal_variance, o.inverse_g - 1 / o.g_max
    if p.use is constants.PAPER:
        return float(constants.regret_bound(s, V, before, o.inverse_g))
    return float(constants.regret_bound_repaired(s, V, o.inverse_g, s.radius(before), s.radius(o.inverse_g)))


def regret_floor(cell: Cell) -> float | None:
    """What some instance with this d, S, C and T costs every algorithm, this one too; null on data."""
    if is_data(cell):
        return None
    p = prepared(cell)
    Delta = float(p.family.mu(p.S) - p.family.mu(0.0))
    # Only normal rewards have a linear link, and their noise is the same for all arms.
    return lower_constants.corruption_regret_floor(p.d, p.C, cell.T, Delta, arm_free_noise=p.R_s == 0)
