"""Learners and adversaries broken on purpose: what a check of coverage must be able to notice.

Each comes with an exhibit, an instance chosen to bring it to light, on which the unbroken learner must pass.
`absorbed` says when and why the confidence sets hold all the same: going unnoticed is then no failure of the
check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.engine import Variant, World, attack
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters

Broken: TypeAlias = tuple[Parameters, World, Variant]
Apply: TypeAlias = Callable[[Parameters, World], Broken]

FIRM, OVERSPENT = 100.0, 20.0


@dataclass(frozen=True)
class Exhibit:
    """A learner, its world and how long they play."""

    parameters: Parameters
    world: World
    rounds: int


@dataclass(frozen=True)
class Mutant:
    """What is broken and how, where to look, whether it shows there, and where it may not and why."""

    name: str
    breaks: str
    apply: Apply
    exhibit: Callable[[], Exhibit]
    noticed: bool = True
    absorbed: str = ""

    def broken(self) -> tuple[Parameters, World, Variant, int]:
        """The exhibit, broken: arguments for a run."""
        shown = self.exhibit()
        return *self.apply(shown.parameters, shown.world), shown.rounds


# --- where to look --------------------------------------------------------------------------------------


def burst(family: str, S: float, C: float, T: int, alpha: float | None = None) -> Exhibit:
    """One arm, θ_* at the edge, and at half time all of C at once, towards -θ_*."""
    p = parameters(catalog.get(family), 2, S, 0.05, C, alpha, reading="repaired")
    at_once = attack.paced(C, T, (0.0, 1.0), C, "mirror")
    return Exhibit(p, World(np.array([0.99 * S, 0.0]), np.eye(2)[:1], attack=at_once), T)


def second_direction() -> Exhibit:
    """One direction until it is well known, then another, whose noise throws the estimate out of the ball."""
    T, first = 2000, 1500
    arms = np.zeros((T, 1, 2))
    arms[:first, 0, 0], arms[first:, 0, 1] = 1.0, 1.0
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, reading="repaired")
    return Exhibit(p, World(np.array([0.9, 0.4]), arms), T)


# --- how to break ---------------------------------------------------------------------------------------


def _learner(variant: Variant) -> Apply:
    return lambda p, world: (p, world, variant)


def _radius(scale: float) -> Apply:
    return lambda p, world: (_by_hand(p, "radius_scale", scale * p.radius_scale), world, Variant())


def _light_ridge(p: Parameters, world: World) -> Broken:
    return _by_hand(p, "lam", p.lam / FIRM), world, Variant()


def _overspent(p: Parameters, world: World) -> Broken:
    return p, replace(world, attack=world.attack.times(OVERSPENT)), Variant()


def _by_hand(p: Parameters, name: str, value: float) -> Parameters:
    """The same with one constant tuned by hand, and said to be."""
    by_hand = tuple(dict.fromkeys((*p.by_hand, name)))
    return replace(p, by_hand=by_hand, **{name: value})  # type: ignore[arg-type]


_ALL = (
    Mutant(
        "radius-halved",
        "the radius is half of what the theorem asks",
        _radius(0.5),
        second_direction,
        absorbed="by the printed radius, which was never found less than twice too large; not by the repaired"
        " one, of which a new direction may use four fifths",
    ),
    Mutant("radius-tenth", "the radius is a tenth of what the theorem asks", _radius(0.1), second_direction),
    Mutant(
        "no-widening",
        "the radius leaves out what corruption adds",
        _learner(Variant(widening=False)),
        lambda: burst("gaussian", 1.0, 2000.0, 4000, alpha=1.0),
        absorbed="for the α = √d/C of the regret theorem, where it is 2 η √d, less than the slack of β_t; not"
        " for a larger α, as here",
    ),
    Mutant(
        "no-weights",
        "every weight is 1, although the radius assumes weights",
        _learner(Variant(weights=False)),
        lambda: burst("gaussian", 1.0, 2000.0, 4000),
        absorbed="while C is small: a burst moves an estimate of n observations by C/√n, and the ball lets it"
        " do so from n = C/S on, so at most √(C S) against the radius",
    ),
    Mutant(
        "light-ridge",
        "λ is a hundredth of what the theorem asks, in H_1 and in the radius",
        _light_ridge,
        lambda: burst("poisson", 1.0, 100.0, 2000),
        noticed=False,
        absorbed="the prescribed λ is sufficient, not necessary: it makes room for second-order terms that"
        " the factor η² of the logarithm covers many times over; a linear link has none",
    ),
    Mutant(
        "heavy-ridge",
        "H_1 is a hundred times the λ that the radius assumes",
        _learner(Variant(ridge=FIRM)),
        lambda: burst("bernoulli", 1.0, 100.0, 2000),
    ),
    Mutant(
        "old-hessian",
        "curvature is added at θ_t instead of θ_{t+1}",
        _learner(Variant(old_hessian=True)),
        lambda: burst("poisson", 1.0, 100.0, 2000),
        noticed=False,
        absorbed="λ keeps two iterates in a row so close that, by self-concordance, their curvatures agree up"
        " to a constant factor well within the slack; for a linear link nothing changes at all",
    ),
    Mutant(
        "euclidean-projection",
        "a step that leaves the ball is drawn back along the ray, not in the norm of H/η + ∇²",
        _learner(Variant(euclidean=True)),
        second_direction,
        absorbed="where no step leaves the ball, which is most places: nothing changes there",
    ),
    Mutant(
        "overspent",
        "the adversary spends twenty times the C that the learner was told",
        _overspent,
        lambda: burst("gaussian", 10.0, 10.0, 200),
        absorbed="up to a small factor: spending f C moves θ by up to f η α C, and only what exceeds the"
        " slack of β_t shows",
    ),
)
MUTANTS: Mapping[str, Mutant] = {mutant.name: mutant for mutant in _ALL}


def get(name: str) -> Mutant:
    """The mutant of this name."""
    if name not in MUTANTS:
        raise BadInput("mutant", name, "one of " + ", ".join(MUTANTS))
    return MUTANTS[name]
