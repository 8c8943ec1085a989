"""A set of arms, one that stays or a new one, with norms and closed-form indices of all arms at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from glbcheck.core._flat import Flat, Memory, Part, count, cut, whole
from glbcheck.core._numba import apart, compiled, in_line, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import abreast, before_end, count_lanes, first_lane, largest, put_abreast
from glbcheck.core.engine.factor import dot, forward, squared_norm
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner, own_lines
from glbcheck.core.engine.wide import LANES, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather, lane_numbers
from glbcheck.core.tolerances import TIE
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

EPS = float(np.finfo(np.float64).eps)
DRIFT = 1e-12  # relative error of an updated norm at which it is computed afresh

# Rows of notes, about values that are followed, see `core.engine.tracking`: five numbers about each, two inner products
# with the arm of the latest rounds; last the norms of an earlier round, the first being 0 if none is followed, and
# below if the arms do not stay.  The first BEND is 0 until an arm of this H, or one grown from it, has been solved.
PEAK, RATE, EXCESS, BEND, REACH, ALONG, BENT, FIRST_NORM = range(8)
_NOTES = 8
AWAY = PEAK  # until values are followed: how far θ may go before the arm is looked at again, see `core.engine.ends`

# Entries of extremes: the largest closed-form index, the largest in absolute value, the largest <x, θ_*>, the arm of
# largest index, or -1 if others tie with it.  For exact choices: the largest squared length, and the radius of the
# relaxation whose norms and indices these are, 0 for none.
TOP, SCALE, BEST_NATURAL, LEADER, LONGEST, RELAXED = range(6)


class Arms(NamedTuple):
    """K arms, (K, d), and room for what is worked out about them."""

    points: Floats
    columns: Floats  # the arms again, one in each column
    scratch: Floats  # as many columns
    norm: Floats  # squared, in H⁻¹
    closed: Floats  # the closed-form index, without the ball
    upper: Floats  # bounds on the exact value
    guess: Floats  # latest multipliers; 0 for none
    length: Floats
    square: Floats  # of the length, for arms that do not stay
    drift: Floats  # bounds on the rounding error of `norm` for arms that stay; for others the ways to their ends
    mean: Floats  # the true one, for arms that stay
    solved: Floats  # is the bound the exact value?
    extremes: Floats  # of arms that do not stay, the entries named above
    notes: Floats  # the rows named above
    maximisers: Floats  # of the values that are followed, one in each column


ROOM = Memory(
    "room",
    (
        Part("columns", ("d", "width")), Part("scratch", ("d", "width")),
        *(Part(name, ("width",), shown="K") for name in Arms._fields[3:12]),  # from `norm` to `solved`
        Part("extremes", ("width",)), Part("notes", (_NOTES, "width")), Part("maximisers", ("d", "width")),
    ),
)  # fmt: skip
POINTS = Memory("points", (Part("points", ("K", "d")),))


def room(K: int, d: int) -> Floats:
    """Space for K arms."""
    width = -(-K // LANES) * LANES  # whole lines for each row
    return own_lines(count(ROOM, {"d": d, "width": width})).reshape(-1, width)


def views(room: Floats, points: Floats) -> Arms:
    """The arms, with the parts of their room."""
    K, d = points.shape
    return Arms(points, *cut(ROOM, room, {"K": K, "d": d, "width": room.shape[1]}))


@intrinsic  # type: ignore[untyped-decorator]
def arms_in(typingctx: Any, room: Any, points: Any) -> Any:
    """The same for compiled callers."""
    whole(room, points)
    flat = Flat(types.float64, (ROOM, POINTS), ("K", "d", "width"), ())

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        space, arms = (make_array(kind)(context, builder, value) for kind, value in zip(sig.args, args, strict=True))
        (_, width), (K, d) = (cgutils.unpack_tuple(builder, array.shape) for array in (space, arms))
        return flat.made(context, builder, room=space.data, points=arms.data, K=K, d=d, width=width)

    return flat(room, points), build


@compiled
@in_line
def lanes_of(arms: Arms, k: int) -> float:
    """Where the arms from number k on begin among the points; lanes beyond the last arm show that once more."""
    K, d = arms.points.shape
    return min(lane_numbers() + float(k), float(K - 1)) * float(d)  # type: ignore[no-any-return]


@compiled
def show(arms: Arms) -> None:
    """The columns of new arms."""
    for k in range(0, arms.norm.size, LANES):
        place = lanes_of(arms, k)
        for j in range(arms.columns.shape[0]):
            put_abreast(arms.columns[j], k, gather(arms.points, place, j))


@compiled
@apart
def settle(learner: Learner, arms: Arms) -> None:
    """A set of arms that will stay: norms from the factors of H, from now on kept by `follow`."""
    show(arms)
    arms.notes[FIRST_NORM, 0] = arms.notes[BEND, 0] = 0.0
    for k in range(arms.norm.size):
        arms.guess[k], arms.notes[AWAY, k], arms.length[k] = 0.0, 0.0, root(dot(arms.points[k], arms.points[k]))
        measure_one(learner, arms, k)


@compiled
def stays(arms: Arms) -> bool:
    """Have they been entered by `settle`?"""
    return bool(arms.notes[FIRST_NORM, 0] >= 0.0)


@compiled
def measure_one(learner: Learner, arms: Arms, k: int) -> None:
    reduced = learner.work[REDUCED]
    forward(learner.lower, arms.points[k], reduced)
    arms.norm[k] = squared_norm(learner.inverse_d, reduced)
    arms.drift[k] = EPS * arms.norm[k]


@compiled
def remeasure(learner: Learner, arms: Arms, k: int) -> None:
    """The norm of an arm afresh, if too little is left of it."""
    if not arms.drift[k] <= DRIFT * arms.norm[k]:
        measure_one(learner, arms, k)


@compiled
@in_line
def follow(learner: Learner, arms: Arms, x: Floats, c: float) -> None:
    """The norms after H grew by c x xᵀ, from the H⁻¹ x of before.

    An update subtracts, so its rounding error is followed along, and a norm is computed afresh when the error
    is no longer small against what is left of it.
    """
    solved, norm, drift = learner.work[SOLVED], arms.norm, arms.drift
    scale = c / (1.0 + c * dot(x, solved))
    lost = spread(0.0)
    for k in range(0, norm.size, LANES):
        inner, old = spread(0.0), abreast(norm, k)
        for j in range(solved.size):
            inner += solved[j] * abreast(arms.columns[j], k)
        new = old - scale * inner * inner
        worn = abreast(drift, k) + 2.0 * EPS * old
        put_abreast(norm, k, new)
        put_abreast(drift, k, worn)
        lost = where(before_end(norm, k) & ~(worn <= DRIFT * new), 1.0, lost)
    if some(lost > 0.0):
        for k in range(norm.size):
            remeasure(learner, arms, k)


@compiled
@in_line
def closed_form(learner: Learner, arms: Arms) -> tuple[float, float]:
    """The closed-form indices of all arms; returns the largest, and the largest in absolute value."""
    if not stays(arms):  # the survey of new arms has made them, for the learner that it was made for
        return arms.extremes[TOP], arms.extremes[SCALE]
    theta, index, radius = learner.theta, arms.closed, learner.facts.radius
    top, depth = spread(-np.inf), spread(-np.inf)
    for k in range(0, index.size, LANES):
        value = radius * root(abreast(arms.norm, k))
        for j in range(theta.size):
            value += theta[j] * abreast(arms.columns[j], k)
        put_abreast(index, k, value)
        shown = before_end(index, k)
        top, depth = max(top, where(shown, value, -np.inf)), max(depth, where(shown, -value, -np.inf))
    highest = largest(top)
    return highest, max(highest, largest(depth))


@compiled
@in_line
def best_closed_form(learner: Learner, arms: Arms) -> int:
    """The arm of largest closed-form index, of equals the most uncertain one."""
    top, scale = closed_form(learner, arms)
    if not stays(arms) and arms.extremes[LEADER] >= 0.0:
        return int(arms.extremes[LEADER])
    return most_uncertain_of(arms.closed, top - TIE * scale, arms.norm)


@compiled
def top_of(values: Floats) -> float:
    top = spread(-np.inf)
    for k in range(0, values.size, LANES):
        top = max(top, where(before_end(values, k), abreast(values, k), -np.inf))
    return largest(top)  # type: ignore[no-any-return]


@vectorised_numbers
def most_uncertain(values: Floats, level: float, norms: Floats) -> float:
    """Of the arms whose value reaches the level that of largest norm, and of these the first; see `core.optimism`."""
    least, found = (1.0 - TIE) * _widest(values, level, norms), 0.0
    for k in range(values.size - 1, -1, -1):
        found = where((values[k] >= level) & (norms[k] >= least), float(k), found)
    return found


@compiled
def most_uncertain_of(values: Floats, level: float, norms: Floats) -> int:
    """The same for one run, several arms abreast."""
    K, widest = values.size, spread(-np.inf)
    found, count = K, 0
    for k in range(0, K, LANES):
        reach = _reaching(values, k, level)
        found, count = min(found, k + first_lane(reach)), count + count_lanes(reach)
        widest = max(widest, where(reach, abreast(norms, k), -np.inf))
    if count > 1:
        found, least = K, (1.0 - TIE) * largest(widest)
        for k in range(0, K, LANES):
            reach = _reaching(values, k, level) & (abreast(norms, k) >= least)
            found = min(found, k + first_lane(reach))
    return found if found < K else 0


@compiled
@in_line
def first_of(values: Floats, level: float) -> int:
    """The first arm whose value reaches the level; there must be one."""
    found = values.size
    for k in range(0, values.size, LANES):
        found = min(found, k + first_lane(abreast(values, k) >= level))
    return found


@compiled
@in_line
def only_one(values: Floats, level: float) -> int:
    """The only arm whose value reaches the level, or -1."""
    found, count = values.size, 0
    for k in range(0, values.size, LANES):
        reach = _reaching(values, k, level)
        found, count = min(found, k + first_lane(reach)), count + count_lanes(reach)
    return found if count == 1 else -1


@compiled
@in_line
def _reaching(values: Floats, k: int, level: float) -> bool:
    """Of the arms from number k on, which reach the level?"""
    return (abreast(values, k) >= level) & before_end(values, k)  # type: ignore[no-any-return]


@vectorised_numbers
@in_line
def _widest(values: Floats, level: float, norms: Floats) -> float:
    widest = -np.inf
    for k in range(values.size):
        widest = max(widest, where(values[k] >= level, norms[k], -np.inf))
    return widest
