"""Learners and adversaries broken on purpose: what a check of coverage must be able to notice.

`absorbed` says when and why the confidence sets hold all the same: going unnoticed is then no failure of the
check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from glbcheck.core.engine.state import Variant
from glbcheck.core.environment.world import World
from glbcheck.core.theory.parameters import Parameters

Apply: TypeAlias = Callable[[Parameters, World], tuple[Parameters, World, Variant]]

FIRM, OVERSPENT = 100.0, 20.0


@dataclass(frozen=True)
class Mutant:
    """What is broken and how, and where it may not show and why."""

    breaks: str
    apply: Apply
    absorbed: str = ""


def _learner(variant: Variant) -> Apply:
    return lambda p, world: (p, world, variant)


def _constant(name: str, times: float = 1.0, over: float = 1.0) -> Apply:
    """One constant tuned by hand, and said to be."""

    def apply(p: Parameters, world: World) -> tuple[Parameters, World, Variant]:
        changed: dict[str, Any] = {name: getattr(p, name) * times / over}
        return replace(p, by_hand=tuple(dict.fromkeys((*p.by_hand, name))), **changed), world, Variant()

    return apply


def _overspent(p: Parameters, world: World) -> tuple[Parameters, World, Variant]:
    return p, replace(world, attack=world.attack.times(OVERSPENT)), Variant()


MUTANTS: Mapping[str, Mutant] = {
    "radius-halved": Mutant(
        "the radius is half of what the theorem asks",
        _constant("radius_scale", 0.5),
        "it shows where an error comes beyond half of the radius: never with the printed one, which was never"
        " found less than twice too large; with the repaired one in a new direction, which may use four fifths",
    ),
    "radius-tenth": Mutant("the radius is a tenth of what the theorem asks", _constant("radius_scale", 0.1)),
    "no-widening": Mutant(
        "the radius leaves out what corruption adds",
        _learner(Variant(widening=False)),
        "with the α = √d/C of the regret theorem it is 2 η √d, less than the slack of β_t; with a larger α it is"
        " 2 η α C, and shows once that exceeds the slack",
    ),
    "no-weights": Mutant(
        "every weight is 1, although the radius assumes weights",
        _learner(Variant(weights=False)),
        "while C is small: a burst moves an estimate of n observations by C/√n, and the ball lets it"
        " do so from n = C/S on, so at most √(C S) against the radius",
    ),
    "light-ridge": Mutant(
        "λ is a hundredth of what the theorem asks, in H_1 and in the radius",
        _constant("lam", over=FIRM),
        "the prescribed λ is sufficient, not necessary: it makes room for second-order terms that"
        " the factor η² of the logarithm covers many times over; a linear link has none",
    ),
    "heavy-ridge": Mutant("H_1 is a hundred times the λ that the radius assumes", _learner(Variant(ridge=FIRM))),
    "old-hessian": Mutant(
        "curvature is added at θ_t instead of θ_{t+1}",
        _learner(Variant(old_hessian=True)),
        "λ keeps two iterates in a row so close that, by self-concordance, their curvatures agree up"
        " to a constant factor well within the slack; for a linear link nothing changes at all",
    ),
    "euclidean-projection": Mutant(
        "a step that leaves the ball is drawn back along the ray, not in the norm of H/η + ∇²",
        _learner(Variant(euclidean=True)),
        "where no step leaves the ball, which is most places: nothing changes there",
    ),
    "overspent": Mutant(
        "the adversary spends twenty times the C that the learner was told",
        _overspent,
        "up to a small factor: spending f C moves θ by up to f η α C, and only what exceeds the slack of β_t shows",
    ),
}
