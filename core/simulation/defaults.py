"""The grids that run when none is given.

Small d, S and C, where the confidence sets become informative and the weights active; long horizons; many
runs where few would say nothing; and, for every broken variant, the cells in which it should show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glbcheck.core.errors import BadInput
from glbcheck.core.extras import is_installed
from glbcheck.core.names import OURS, SUFFIX
from glbcheck.core.rivals import NAMES
from glbcheck.core.rivals.claims import claimed
from glbcheck.core.simulation import cells, datasets
from glbcheck.core.simulation.grid import CORRECT, Block, Grid

SEED = 2026
FAMILIES = ("gaussian", "bernoulli", "poisson")
ATTACKS = ("front-loaded", "low-weight", "mirror", "amplify", "spread", "late")


def grid(kind: str, smoke: bool, data: Sequence[str] = ()) -> Grid:
    """The default grid for `coverage` or `regret`, or its small version; on these data sets, if any are named."""
    if data:
        return Grid(SEED, tuple(block for name in data for block in on_data(name, smoke)))
    if kind == "coverage":
        return Grid(SEED, coverage(smoke) + broken(100 if smoke else 200))
    return Grid(SEED, regret(smoke))


def coverage(smoke: bool) -> tuple[Block, ...]:
    """Every family under every attack, then the corners."""
    n, T, long = (40, 2000, 20_000) if smoke else (200, 10_000, 1_000_000)
    attacks = ("front-loaded", "amplify") if smoke else ATTACKS
    base = Block(families=FAMILIES, C=(5.0,), T=(T,), replicates=n)
    linear = replace(base, families=("gaussian",), adversaries=("amplify",))
    short = replace(base, T=(T // 5,))
    return (
        replace(base, d=(1,), C=(10.0,), arms=("basis",), T=(long,)),
        replace(base, C=(20.0,), adversaries=attacks),
        replace(base, C=(0.0, 5.0), constants=("paper", "repaired"), arms=("basis",)),
        replace(base, C=(20.0,), adversaries=("searched:3" if smoke else "searched:12",), T=(T // 5,)),
        # A weak guarantee without corruption: here the radius is nearly used up.
        replace(base, d=(1, 2), C=(0.0,), arms=("basis",), delta=(0.5, 0.9)),
        # Dispersions that vary over decades, and precise rewards.
        replace(linear, dispersions=("decades:0.01:10", "spikes:0.01:10:100", "dyadic:1")),
        replace(base, families=("scaled_poisson",), dispersions=("decades:0.01:1",)),
        replace(base, families=("binomial_proportion",), dispersions=("constant:0.01",)),
        # Other radii, more dimensions, arms that change, the arms of the lower bound.
        replace(short, S=(0.5, 2.0)),
        replace(short, d=(5,), arms=("changing:10",)),
        replace(short, d=(3,), arms=("corruption:1.0",), adversaries=("hiding",), C=(20.0,)),
    )


def broken(n: int) -> tuple[Block, ...]:
    """Every broken variant where it should show, beside the correct learner in the same place."""
    place = Block(families=FAMILIES, d=(1,), adversaries=("mirror",), C=(100.0,), arms=("basis",), replicates=n)
    # A direction that is well known, then a new one whose noise leaves the ball.
    turning = replace(place, families=("gaussian",), d=(2,), C=(0.0,), arms=("turning",), T=(2000,))
    firm = ("radius-tenth", "no-weights", "heavy-ridge", "light-ridge", "old-hessian")
    return (
        replace(place, variants=(CORRECT, *firm)),
        replace(place, variants=(CORRECT, "radius-halved"), C=(0.0,)),
        replace(place, variants=(CORRECT, "no-widening"), alpha=(0.3,)),
        replace(place, variants=(CORRECT, "overspent"), C=(10.0,)),
        replace(turning, variants=(CORRECT, "euclidean-projection")),
    )


def regret(smoke: bool) -> tuple[Block, ...]:
    """Every algorithm that accepts a setting, in a star around one centre: not the full product of the axes.

    From the centre C, T, d, S (and with it κ), the dispersions and the arms are varied one at a time, T, d and S both
    without corruption and with it.  Algorithms whose rounds grow dearer play a shorter horizon, with all the others.
    """
    centre = _centre(smoke)
    budgets = (0.0, 10.0, 100.0) if smoke else (0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
    few = (0.0, 100.0) if smoke else (0.0, 30.0, 300.0)
    plain = [replace(centre, families=(family,)) for family in FAMILIES]
    blocks = [replace(block, C=budgets) for block in plain]
    for family, g in VARYING[:1] if smoke else VARYING:
        blocks.append(replace(centre, families=(family,), dispersions=(g,), C=few if smoke else budgets))
    blocks += [replace(block, C=few[:2], T=(100, 300, 1000) if smoke else (1000, 10_000, 100_000)) for block in plain]
    blocks += [replace(block, C=few, d=(5,) if smoke else (5, 10)) for block in plain]
    blocks += [replace(block, C=few, S=(3.0,) if smoke else (2.0, 4.0)) for block in plain[1:]]
    blocks += [replace(block, C=few[1:], arms=("changing:10",), T=(1000 if smoke else 5000,)) for block in plain]
    found = [replace(block, algorithms=accepted(block, CHEAP)) for block in blocks]
    for block in blocks[: len(FAMILIES) if smoke else len(FAMILIES) + len(VARYING)]:
        short = replace(block, C=few if smoke else budgets, T=(200 if smoke else 5000,), replicates=10)
        if accepted(short, DEAR):
            found.append(replace(short, algorithms=accepted(short, NAMES)))
    found += _two_worlds(centre, smoke)
    if is_installed("scikit-learn"):
        found += on_data("breast_cancer", smoke)
    return tuple(found)


def _centre(smoke: bool) -> Block:
    """The index in closed form for all, the sharpest constants for whoever has them; S = 1 and d = 2."""
    return Block(
        adversaries=("mirror",), constants=("sharpest",), index=("closed-form",), arms=("sphere:20",),
        T=(1000 if smoke else 20_000,), replicates=9 if smoke else 20,
    )  # fmt: skip


# Logistic and Poisson rewards have dispersions of their own in proportions and scaled counts.  Precise rewards make a
# learner trust what it sees.
VARYING = (
    ("gaussian", "spikes:0.01:10:100"), ("gaussian", "decades:0.01:10"), ("binomial_proportion", "spikes:0.01:1:100"),
    ("scaled_poisson", "decades:0.01:1"), ("scaled_poisson", "spikes:0.01:1:100"),
    ("gaussian", "constant:0.01"),
)  # fmt: skip
DEAR = tuple(name for name in NAMES if claimed(name).refits)
CHEAP = tuple(name for name in NAMES if name not in DEAR)


def accepted(block: Block, names: Sequence[str]) -> tuple[str, ...]:
    """Those of these algorithms that accept every cell of a block."""
    return tuple(name for name in names if _refusal(replace(block, algorithms=(name,))) is None)


def fitting(whole: Grid, axes: Sequence[str]) -> tuple[Grid, list[BadInput]]:
    """The blocks of a grid whose cells can all be played, and why the others cannot.

    A block that does not fit is split by the values of these axes.  A value that fits in no block is refused.
    """
    kept: list[Block] = []
    left_out: list[tuple[Block, BadInput]] = []
    for block in whole.blocks:
        parts = [Grid(0, (block,))]
        for axis in axes if _refusal(block) is not None else ():
            parts = [one.changed({axis: [value]}) for one in parts for value in getattr(one.blocks[0], axis)]
        for (part,) in (one.blocks for one in parts):
            if (refusal := _refusal(part)) is None:
                kept.append(part)
            else:
                left_out.append((part, refusal))
    for axis in axes:
        fits = {value for block in kept for value in getattr(block, axis)}
        refused = [refusal for part, refusal in left_out if getattr(part, axis)[0] not in fits]
        if refused:
            raise next((refusal for refusal in refused if refusal.argument in axes), refused[0])
    return replace(whole, blocks=tuple(kept)), [refusal for _, refusal in left_out]


def _refusal(block: Block) -> BadInput | None:
    """Why a cell of the block cannot be played."""
    try:
        for cell in block.cells():
            cells.check(cell)
    except BadInput as refusal:
        return refusal
    return None


def _two_worlds(centre: Block, smoke: bool) -> list[Block]:
    """The two worlds of the appendix, whose adversary hides the best arm; and our learner not told C."""
    base = replace(
        centre, adversaries=("hiding",), arms=("two-worlds",), T=(1000 if smoke else 5000,), replicates=9,
        C=(0.0, 100.0, 1000.0) if smoke else (0.0, 10.0, 30.0, 100.0, 300.0, 1000.0),
    )  # fmt: skip
    worlds = [replace(base, dispersions=("constant:0.01",)), *(replace(base, families=(f,)) for f in FAMILIES[1:])]
    found = [replace(block, algorithms=accepted(block, CHEAP)) for block in worlds[: 1 if smoke else 3]]
    return [replace(found[0], algorithms=(*found[0].algorithms, OURS + SUFFIX)), *found[1:]]


def on_data(name: str, smoke: bool) -> list[Block]:
    """A public data set with four features per class: logistic, and linear for the algorithms that need it."""
    if name not in datasets.CLASSES:
        raise BadInput("arms", f"data:{name}", "one of " + ", ".join(f"data:{each}" for each in datasets.CLASSES))
    d = 4 * datasets.CLASSES[name]
    datasets.examples(name, d)
    block = replace(
        _centre(smoke), d=(d,), C=(0.0, 100.0) if smoke else (0.0, 30.0, 100.0, 300.0), arms=(f"data:{name}",),
        T=(500 if smoke else 5000,), replicates=9,
    )  # fmt: skip
    pair = (
        replace(block, families=("bernoulli",), S=(4.0,)),
        # Rewards between 0 and 1 are sub-Gaussian with variance 1/4.
        replace(block, families=("gaussian",), S=(2.0,), dispersions=("constant:0.25",)),
    )
    return [replace(each, algorithms=accepted(each, CHEAP)) for each in pair]
