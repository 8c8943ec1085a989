"""An optimiser sent against an inequality: the largest ratio it can find, and what that shows.

Random examples rarely come near a sharp constant; a climber does.  It starts from the corners, the
centre and seeded random points of a box, climbs by Nelder–Mead and polishes along the coordinates.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, natural, rational
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import evidence_for
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.search.confirm import Confirmation, decide_at, exact_point, refutation

Values = Mapping[str, float]
Ratio = Callable[[Values], float | None]
"""The quantity to make large; None where the hypotheses fail."""

Array = np.ndarray[tuple[int], np.dtype[np.float64]]
MOST_CORNERS = 64
MOST_SWEEPS = 60


@dataclass(frozen=True)
class Maximum:
    """The largest ratio met, where, and how many evaluations met the hypotheses or gave no number."""

    ratio: float
    point: Mapping[str, float]
    decided: int
    undefined: int


class _Climb:
    """The ratio on the unit cube, remembering the best point met."""

    def __init__(self, ratio: Ratio, box: Mapping[str, tuple[float, float]], logarithmic: Collection[str]) -> None:
        self.ratio, self.box, self.logarithmic = ratio, box, logarithmic
        self.best, self.where = -math.inf, dict[str, float]()
        self.decided = self.undefined = 0

    def values(self, cube: Array) -> dict[str, float]:
        return {
            name: _place(min(max(float(u), 0.0), 1.0), low, high, name in self.logarithmic)
            for u, (name, (low, high)) in zip(cube, self.box.items(), strict=True)
        }

    def loss(self, cube: Array) -> float:
        values = self.values(cube)
        found = self.ratio(values)
        if found is None:
            return math.inf
        if math.isnan(found):
            self.undefined += 1
            return math.inf
        self.decided += 1
        if found > self.best:
            self.best, self.where = float(found), values
        # The simplex subtracts losses; an infinite one would spoil it.
        return -min(float(found), sys.float_info.max)


def maximise(
    ratio: Ratio,
    box: Mapping[str, tuple[Exact, Exact]],
    *,
    seed: int,
    restarts: int = 8,
    logarithmic: Collection[str] = (),
) -> Maximum:
    """Climb from many starts; coordinates named in `logarithmic` are searched over decades."""
    import scipy.optimize as optimize  # slow to load, and rarely needed

    natural("restarts", restarts)
    climb = _Climb(ratio, {name: _interval(name, ends, name in logarithmic) for name, ends in box.items()}, logarithmic)
    for start in _starts(len(box), restarts, seed):
        if math.isinf(climb.loss(start)):
            continue
        found = optimize.minimize(
            climb.loss,
            start,
            method="Nelder-Mead",
            bounds=[(0.0, 1.0)] * len(box),
            options={"maxfev": 200 * len(box), "xatol": 1e-12, "fatol": 1e-15},
        )
        _polish(climb, np.asarray(found.x, dtype=np.float64))
    return Maximum(climb.best, climb.where, climb.decided, climb.undefined)


def attack(
    ratio: Ratio,
    limit: Exact,
    box: Mapping[str, tuple[Exact, Exact]],
    *,
    seed: int,
    confirmation: Confirmation[Values] | None = None,
    restarts: int = 8,
    logarithmic: Collection[str] = (),
) -> Evidence:
    """Try to push `ratio` above `limit` on the box: stress-tested if it stays below."""
    bound = rational("limit", limit)
    found = maximise(ratio, box, seed=seed, restarts=restarts, logarithmic=logarithmic)
    facts: dict[str, Any] = {
        "largest ratio": repr(found.ratio),
        "at": {name: repr(value) for name, value in found.point.items()},
        "limit": str(bound),
        "examples": found.decided,
        "seed": seed,
    }
    scope = f"largest ratio {found.ratio:.6g} in {found.decided} evaluations"
    if found.decided == 0:
        return Evidence(Verdict.UNDECIDED, "property", "vacuous: no point met the hypotheses", certificate=facts)
    if found.ratio <= bound and found.undefined:
        return Evidence(Verdict.UNDECIDED, "property", f"{found.undefined} points gave no number", certificate=facts)
    if found.ratio <= bound:
        return evidence_for({"format": FORMAT, "search": facts}, "property", f"{scope}, limit {bound}", scope)
    if confirmation is not None:
        refuted = refutation(confirmation, found.point)
        if refuted is not None:
            return refuted
        point = exact_point(confirmation, found.point)
        if point is not None and decide_at(confirmation, point) == "holds":
            facts["excess"] = "rounding: the statement holds exactly at the point"
            return evidence_for({"format": FORMAT, "search": facts}, "property", f"{scope}, limit {bound}", scope)
    return Evidence(Verdict.UNDECIDED, "property", f"found in floats, not confirmed: {scope}", scope, facts)


def _interval(name: str, ends: tuple[Exact, Exact], logarithmic: bool) -> tuple[float, float]:
    low, high = (rational(f"box[{name!r}]", end) for end in ends)
    if not low < high or (logarithmic and low <= 0):
        raise BadInput(f"box[{name!r}]", (str(low), str(high)), "low < high, and low > 0 on a logarithmic scale")
    return float(low), float(high)


def _place(u: float, low: float, high: float, logarithmic: bool) -> float:
    if u in (0.0, 1.0):
        return high if u else low
    if logarithmic:
        return math.exp(math.log(low) + u * (math.log(high) - math.log(low)))
    return low + u * (high - low)


def _starts(dimension: int, restarts: int, seed: int) -> Sequence[Array]:
    corners = itertools.islice(itertools.product((0.0, 1.0), repeat=dimension), MOST_CORNERS)
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    fixed = [np.array(corner) for corner in corners]
    return [np.full(dimension, 0.5), *generator.random((restarts, dimension)), *fixed]


def _polish(climb: _Climb, cube: Array) -> None:
    """Coordinate search with shrinking steps, which unlike the simplex likes to walk into corners."""
    here, loss, step = np.clip(cube, 0, 1), climb.loss(cube), 0.25
    for _ in range(MOST_SWEEPS):  # along a ridge the gains may never stop
        if step <= 1e-9:
            break
        moved = False
        for axis, sign in itertools.product(range(len(here)), (-1, 1)):
            trial = here.copy()
            trial[axis] = min(max(trial[axis] + sign * step, 0.0), 1.0)
            value = climb.loss(trial)
            if value < loss:
                here, loss, moved = trial, value, True
        step = step if moved else step / 4
