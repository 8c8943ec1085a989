"""The world of one run, from short names: arms, dispersions, adversary and the hidden parameter.

A name may carry numbers, `sphere:8` or `decades:0.1:10`.  Everything random comes from a stream named by the
instance and the number of the run, so that runs which differ only in the algorithm, in C or in the constants
meet the same arms, parameters and rewards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Spec:
    """A name and its numbers."""

    name: str
    numbers: tuple[float, ...]
    word: str = ""


@dataclass(frozen=True)
class Form:
    """How a name is written, how many numbers follow it, and which are accepted."""

    usage: str
    count: int = 0
    accepts: Callable[..., bool] = lambda: True
    words: tuple[str, ...] = ()  # one of which follows it, in place of numbers


def _whole(number: float, least: int, most: int) -> bool:
    return number == int(number) and least <= number <= most


ARMS: Mapping[str, Form] = {
    "basis": Form("basis"),
    "sphere": Form("sphere:K", 1, lambda K: _whole(K, 1, MOST_ARMS)),
    "changing": Form("changing:K", 1, lambda K: _whole(K, 1, MOST_ARMS)),
    "hostile": Form("hostile:K", 1, lambda K: _whole(K, 1, MOST_ARMS)),
    "turning": Form("turning (with d >= 2)"),
    "two-worlds": Form("two-worlds (with d >= 2)"),
    DATA: Form("data:" + "|".join(datasets.CLASSES), words=tuple(datasets.CLASSES)),
    "corruption": Form("corruption:PHI with 0 < PHI < pi/2 (and d >= 2)", 1, lambda phi: 0 < phi < math.pi / 2),
}
STAYING = ("basis", "sphere", "corruption", "two-worlds")  # the same arms in every round
DISPERSIONS: Mapping[str, Form] = {
    "constant": Form("constant:G", 1, lambda g: g > 0),
    "decades": Form("decades:LOW:HIGH", 2, lambda low, high: 0 < low < high),
    "spikes": Form("spikes:BASE:HEIGHT:EVERY", 3, lambda low, top, n: 0 < low < top and _whole(n, 1, 10**9)),
    "dyadic": Form("dyadic:G_MAX", 1, lambda top: top > 0),
}
SEARCHED = "searched"
ADVERSARIES: Mapping[str, Form] = {
    **{name: Form(name) for name in NAMED},
    "hiding": Form("hiding (with arms corruption:PHI or two-worlds)"),
    SEARCHED: Form("searched:GENERATIONS", 1, lambda n: _whole(n, 1, 1000)),
}


def spec(axis: str, text: object, forms: Mapping[str, Form]) -> Spec:
    """The name and numbers of a text such as `sphere:8`, checked."""
    name, *rest = text.split(":") if isinstance(text, str) else ("",)
    form = forms.get(name)
    if form and form.words and len(rest) == 1 and rest[0] in form.words:
        return Spec(name, (), rest[0])
    numbers = None if form and form.words else _numbers(rest)
    if not (form and numbers is not None and len(numbers) == form.count and form.accepts(*numbers)):
        typo = "" if form else meant(name, forms)
        raise BadInput(axis, text, typo + "one of " + ", ".join(form.usage for form in forms.values()))
    return Spec(name, numbers)


def _numbers(pieces: list[str]) -> tuple[float, ...] | None:
    try:
        found = tuple(float(piece) for piece in pieces)
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


# --- parts of a world -----------------------------------------------------------------------------------


def arms_and_parameter(cell: Cell, rng: Rng) -> tuple[Floats | Blocks, Floats]:
    """The arms, and θ_* on the edge of Θ in a random direction (for `corruption`, along a random arm)."""
    chosen, d, S = spec("arms", cell.arms, ARMS), cell.d, cell.S
    if chosen.name in ("turning", "two-worlds", "corruption") and d < 2:
        raise BadInput("arms", cell.arms, f"dimensions d >= 2, not {d}")
    if chosen.name == "corruption":
        arms = INSIDE * corruption_arms(d, chosen.numbers[0])
        return arms, S * arms[int(rng.integers(len(arms)))]
    if chosen.name == "two-worlds":
        return _two_worlds(cell, rng)
    theta_star = INSIDE * S * sphere(rng, 1, d)[0]
    if chosen.name == "basis":
        return basis(d), theta_star
    if chosen.name == "turning":
        return _turning(d, cell.T), theta_star
    K = int(chosen.numbers[0])
    return INSIDE * sphere(rng, K, d) if chosen.name == "sphere" else changing(K, d, INSIDE), theta_star


def _two_worlds(cell: Cell, rng: Rng) -> tuple[Floats, Floats]:
    """app:unknown-C: one arm pays, and with a budget another one pays more, which the adversary can hide."""
    first, better = rng.permutation(cell.d)[:2]
    theta_star = np.zeros(cell.d)
    theta_star[first] = FIRST * cell.S
    if cell.C > 0:
        theta_star[better] = HIDDEN * cell.S
    return np.eye(cell.d), theta_star


def _turning(d: int, T: int) -> Blocks:
    """One arm: the first direction until it is well known, then another one for the last quarter."""

    def arms(rng: Rng, first: int, count: int) -> Floats:
        late = (first + np.arange(count)) >= 3 * T // 4
        return np.eye(d)[np.where(late, 1, 0)][:, None, :]

    return arms


def dispersions(text: str, T: int) -> float | Blocks:
    """A number, or a function of the rounds."""
    chosen = spec("dispersions", text, DISPERSIONS)
    if chosen.name == "constant":
        return chosen.numbers[0]
    if chosen.name == "decades":
        return decades(*chosen.numbers)
    if chosen.name == "spikes":
        base, top, every = chosen.numbers
        return lambda rng, first, count: np.where((first + 1 + np.arange(count)) % every == 0, top, base)
    tops = _dyadic_tops(T, chosen.numbers[0])
    return lambda rng, first, count: tops[(first + np.arange(count)) % tops.size]


def _dyadic_tops(T: int, g_max: float) -> Floats:
    """The tops of the dyadic bins, largest first."""
    L = constants.number_of_bins(T)
    return np.minimum(2.0 ** np.arange(L, -1, -1) / T, 1.0) * g_max


def dispersion_range(text: str, T: int) -> tuple[float, float]:
    """What a learner may know beforehand: no dispersion of T rounds is smaller or larger, rounding included."""
    chosen = spec("dispersions", text, DISPERSIONS)
    values = _dyadic_tops(T, chosen.numbers[0]) if chosen.name == "dyadic" else np.array(chosen.numbers[:2])
    slack = ROUNDING if chosen.name == "decades" else 1.0
    return float(values.min()) / slack, float(values.max()) * slack


def check_dispersions(text: str, family: Family, T: int) -> None:
    """Refuse a sequence with a dispersion the family does not have."""
    chosen = spec("dispersions", text, DISPERSIONS)
    if chosen.name == "decades" and family.dispersions is not POSITIVE:
        raise BadInput("dispersions", text, f"{family.name} needs {family.dispersions.words}")
    values = _dyadic_tops(T, chosen.numbers[0]) if chosen.name == "dyadic" else chosen.numbers[:2]
    for g in values:
        family.check_dispersion(float(g), "dispersions")


def opponent(cell: Cell, family: Family) -> Attack:
    """The strategy with its budget; one that is searched for begins as none."""
    name, C, T = spec("adversaries", cell.adversary, ADVERSARIES).name, cell.C, cell.T
    if name in ("none", SEARCHED) or C == 0:
        return adversary.NO_ATTACK
    if name == "hiding":
        return _hiding(cell, family)
    if name == "amplify":
        return adversary.paced(C, T, [1.0], size=1.0, direction="amplify")
    return adversary.fixed(C, T)[name]


def _hiding(cell: Cell, family: Family) -> Attack:
    """The adversary that makes the best arm look like the others, in the manner of the family."""
    chosen = spec("arms", cell.arms, ARMS)
    if chosen.name == "two-worlds":
        return adversary.hidden(cell.C, family, HIDDEN * cell.S, 0.0)
    if chosen.name != "corruption":
        raise BadInput("adversaries", "hiding", f"together with arms corruption:PHI or two-worlds, not {cell.arms!r}")
    return adversary.hidden(cell.C, family, cell.S, cell.S * math.cos(chosen.numbers[0]) ** 2)


def world(cell: Cell, family: Family, rng: Rng) -> World:
    """Everything the learner plays against in one run of the cell."""
    if spec("arms", cell.arms, ARMS).name == DATA:
        stream, theta_star = data_stream(cell, rng)
        g, attack = dispersions(cell.dispersion, cell.T), opponent(cell, family)
        return World(theta_star, stream.arms, g, attack, rewards=stream.rewards)
    arms, theta_star = arms_and_parameter(cell, rng)
    hostile = spec("arms", cell.arms, ARMS).name == "hostile"
    return World(
        theta_star, arms, dispersions(cell.dispersion, cell.T), opponent(cell, family), hostile_contexts=hostile
    )


def data_stream(cell: Cell, rng: Rng) -> tuple[datasets.Stream, Floats]:
    """The examples of a run on data, and the best fixed θ of the whole data set."""
    name = spec("arms", cell.arms, ARMS).word
    datasets.check(name, cell.family, cell.d)
    return datasets.Stream.drawn(name, cell.d, cell.T, rng), datasets.best_fixed(name, cell.family, cell.d, cell.S)
