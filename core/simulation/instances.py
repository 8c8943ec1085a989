"""The world of one run, from short names: arms, dispersions, adversary and the hidden parameter.

A name may carry numbers, `sphere:8` or `decades:0.1:10`.  Everything random comes from a stream named by the
instance and the number of the run, so that runs which differ only in the algorithm, in C or in the constants
meet the same arms, parameters and rewards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import Blocks, Rng, World, basis, changing, corruption_arms, decades, sphere
from glbcheck.core.errors import BadInput, meant
from glbcheck.core.family import POSITIVE, Family
from glbcheck.core.simulation import datasets
from glbcheck.core.simulation.grid import ADVERSARIES as NAMED
from glbcheck.core.simulation.grid import Cell
from glbcheck.core.theory import constants

INSIDE = 1 - 1e-9  # keeps rounded unit vectors in the unit ball
ROUNDING = 1 + 1e-12  # a dispersion is drawn through its logarithm
MOST_ARMS = 10_000
DATA = "data"
FIRST, HIDDEN = 0.6, 0.79  # app:unknown-C: the coordinates of two arms of `two-worlds`, as shares of S


class Spec(NamedTuple):
    """A name and its numbers, or the word in their place."""

    name: str
    numbers: tuple[float, ...]
    word: str = ""


class Form(NamedTuple):
    """How a name is written, how many numbers follow it, and which are accepted."""

    usage: str
    places: int = 0
    accepts: Callable[..., bool] = lambda: True
    words: tuple[str, ...] = ()  # one of which follows it, in place of numbers


def _whole(most: int) -> Callable[[float], bool]:
    return lambda number: number == int(number) and 1 <= number <= most


ARMS: Mapping[str, Form] = {
    "basis": Form("basis"),
    **{name: Form(f"{name}:K", 1, _whole(MOST_ARMS)) for name in ("sphere", "changing", "hostile")},
    "turning": Form("turning (with d >= 2)"),
    "two-worlds": Form("two-worlds (with d >= 2)"),
    DATA: Form("data:" + "|".join(datasets.CLASSES), words=tuple(datasets.CLASSES)),
    "corruption": Form("corruption:PHI with 0 < PHI < pi/2 (and d >= 2)", 1, lambda phi: 0 < phi < math.pi / 2),
}
STAYING = ("basis", "sphere", "corruption", "two-worlds")  # the same arms in every round
DISPERSIONS: Mapping[str, Form] = {
    "constant": Form("constant:G", 1, lambda g: g > 0),
    "decades": Form("decades:LOW:HIGH", 2, lambda low, high: 0 < low < high),
    "spikes": Form("spikes:BASE:HEIGHT:EVERY", 3, lambda low, top, n: 0 < low < top and _whole(10**9)(n)),
    "dyadic": Form("dyadic:G_MAX", 1, lambda top: top > 0),
}
SEARCHED = "searched"
ADVERSARIES: Mapping[str, Form] = {
    **{name: Form(name) for name in NAMED},
    "hiding": Form("hiding (with arms corruption:PHI or two-worlds)"),
    SEARCHED: Form("searched:GENERATIONS", 1, _whole(1000)),
}


def spec(axis: str, text: object, forms: Mapping[str, Form]) -> Spec:
    """The name and numbers of a text such as `sphere:8`, checked."""
    name, *rest = text.split(":") if isinstance(text, str) else ("",)
    form = forms.get(name)
    if form and form.words:
        if len(rest) == 1 and rest[0] in form.words:
            return Spec(name, (), rest[0])
    elif form and len(rest) == form.places:
        try:
            numbers = tuple(float(each) for each in rest)
            if all(map(math.isfinite, numbers)) and form.accepts(*numbers):
                return Spec(name, numbers)
        except ValueError:
            pass
    typo = "" if form else meant(name, forms)
    raise BadInput(axis, text, typo + "one of " + ", ".join(form.usage for form in forms.values()))


# --- parts of a world -----------------------------------------------------------------------------------


def arms_and_parameter(cell: Cell, rng: Rng) -> tuple[Floats | Blocks, Floats]:
    """The arms, and θ_* on the edge of Θ in a random direction (for `corruption`, along a random arm)."""
    (name, numbers, _), d, S = spec("arms", cell.arms, ARMS), cell.d, cell.S
    if name in ("turning", "two-worlds", "corruption") and d < 2:
        raise BadInput("arms", cell.arms, f"dimensions d >= 2, not {d}")
    if name == "corruption":
        arms = INSIDE * corruption_arms(d, numbers[0])
        return arms, S * arms[int(rng.integers(len(arms)))]
    if name == "two-worlds":
        # app:unknown-C: one arm pays, and with a budget another one pays more, which the adversary can hide.
        shares, (first, better) = np.zeros(d), rng.permutation(d)[:2]
        shares[first], shares[better] = FIRST, HIDDEN if cell.C > 0 else 0.0
        return np.eye(d), shares * S
    theta_star = INSIDE * S * sphere(rng, 1, d)[0]
    if name == "basis":
        return basis(d), theta_star
    if name == "turning":
        # One arm: the first direction until it is well known, then another one for the last quarter.
        turn = 3 * cell.T // 4
        return lambda _, first, count: np.eye(d)[(first + np.arange(count) >= turn).astype(int)][:, None, :], theta_star
    K = int(numbers[0])
    return INSIDE * sphere(rng, K, d) if name == "sphere" else changing(K, d, INSIDE), theta_star


def dispersions(text: str, T: int) -> float | Blocks:
    """A number, or a function of the rounds."""
    name, numbers, _ = spec("dispersions", text, DISPERSIONS)
    if name == "constant":
        return numbers[0]
    if name == "decades":
        return decades(*numbers)
    if name == "spikes":
        base, top, every = numbers
        return lambda rng, first, count: np.where((first + 1 + np.arange(count)) % every == 0, top, base)
    tops = _dyadic_tops(T, numbers[0])
    return lambda rng, first, count: tops[(first + np.arange(count)) % tops.size]


def _dyadic_tops(T: int, g_max: float) -> Floats:
    """The tops of the dyadic bins, largest first."""
    L = constants.number_of_bins(T)
    return np.minimum(2.0 ** np.arange(L, -1, -1) / T, 1.0) * g_max


def _extremes(chosen: Spec, T: int) -> Floats:
    return _dyadic_tops(T, chosen.numbers[0]) if chosen.name == "dyadic" else np.array(chosen.numbers[:2])


def dispersion_range(text: str, T: int) -> tuple[float, float]:
    """What a learner may know beforehand: no dispersion of T rounds is smaller or larger, rounding included."""
    chosen = spec("dispersions", text, DISPERSIONS)
    values, slack = _extremes(chosen, T), ROUNDING if chosen.name == "decades" else 1.0
    return float(values.min()) / slack, float(values.max()) * slack


def check_dispersions(text: str, family: Family, T: int) -> None:
    """Refuse a sequence with a dispersion the family does not have."""
    chosen = spec("dispersions", text, DISPERSIONS)
    if chosen.name == "decades" and family.dispersions is not POSITIVE:
        raise BadInput("dispersions", text, f"{family.name} needs {family.dispersions.words}")
    for g in _extremes(chosen, T).tolist():
        family.check_dispersion(g, "dispersions")


def opponent(cell: Cell, family: Family) -> Attack:
    """The strategy with its budget; one that is searched for begins as none."""
    name, C, T = spec("adversaries", cell.adversary, ADVERSARIES).name, cell.C, cell.T
    if name in ("none", SEARCHED) or C == 0:
        return adversary.NO_ATTACK
    if name == "amplify":
        return adversary.paced(C, T, [1.0], size=1.0, direction="amplify")
    if name != "hiding":
        return adversary.fixed(C, T)[name]
    # The adversary that makes the best arm look like the others, in the manner of the family.
    chosen = spec("arms", cell.arms, ARMS)
    if chosen.name == "two-worlds":
        return adversary.hidden(C, family, HIDDEN * cell.S, 0.0)
    if chosen.name != "corruption":
        raise BadInput("adversaries", "hiding", f"together with arms corruption:PHI or two-worlds, not {cell.arms!r}")
    return adversary.hidden(C, family, cell.S, cell.S * math.cos(chosen.numbers[0]) ** 2)


def world(cell: Cell, family: Family, rng: Rng) -> World:
    """Everything the learner plays against in one run of the cell."""
    name = spec("arms", cell.arms, ARMS).name
    if name == DATA:
        stream, theta_star = data_stream(cell, rng)
        g, attack = dispersions(cell.dispersion, cell.T), opponent(cell, family)
        return World(theta_star, stream.arms, g, attack, rewards=stream.rewards)
    arms, theta_star = arms_and_parameter(cell, rng)
    g, attack = dispersions(cell.dispersion, cell.T), opponent(cell, family)
    return World(theta_star, arms, g, attack, hostile_contexts=name == "hostile")


def data_stream(cell: Cell, rng: Rng) -> tuple[datasets.Stream, Floats]:
    """The examples of a run on data, and the best fixed θ of the whole data set."""
    name = spec("arms", cell.arms, ARMS).word
    datasets.check(name, cell.family, cell.d)
    return datasets.Stream.drawn(name, cell.d, cell.T, rng), datasets.best_fixed(name, cell.family, cell.d, cell.S)
