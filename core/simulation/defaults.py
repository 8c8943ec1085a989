"""The grids that run when none is given.

Small d, S and C, where the confidence sets become informative and the weights active; long horizons; many
runs where few would say nothing; and, for every broken variant, the cells in which it should show.
"""

from __future__ import annotations

from dataclasses import replace

from glbcheck.core.simulation.grid import CORRECT, Block, Grid

SEED = 2026
FAMILIES = ("gaussian", "bernoulli", "poisson")
ATTACKS = ("front-loaded", "low-weight", "mirror", "amplify", "spread", "late")
RIVALS = ("hcw-glb-omd", "glb-omd", "glm-ucb", "greedy", "uniform")
BOTH = ("paper", "repaired")


def grid(kind: str, smoke: bool) -> Grid:
    """The default grid for `coverage` or `regret`, or its small version."""
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
        replace(base, C=(0.0, 5.0), constants=BOTH, arms=("basis",)),
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
    subtle = ("light-ridge", "old-hessian")
    return (
        replace(place, variants=(CORRECT, "radius-tenth", "no-weights", "heavy-ridge", *subtle)),
        replace(place, variants=(CORRECT, "radius-halved"), C=(0.0,)),
        replace(place, variants=(CORRECT, "no-widening"), alpha=(0.3,)),
        replace(place, variants=(CORRECT, "overspent"), C=(10.0,)),
        # A direction that is well known, then a new one whose noise leaves the ball.
        replace(
            place,
            families=("gaussian",),
            d=(2,),
            C=(0.0,),
            arms=("turning",),
            T=(2000,),
            variants=(CORRECT, "euclidean-projection"),
        ),
    )


def regret(smoke: bool) -> tuple[Block, ...]:
    """All algorithms against C, and against T.

    Precise rewards make a learner trust what it sees; there the weights pay.
    """
    n, T = (10, 2000) if smoke else (30, 20_000)
    budgets = (0.0, 10.0, 100.0) if smoke else (0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
    horizons = (200, 2000) if smoke else (1000, 10_000, 100_000)
    linear = (*RIVALS[:2], "cw-oful", *RIVALS[2:])
    precise = Block(dispersions=("constant:0.01",), adversaries=("mirror",), algorithms=linear, replicates=n)
    counts = Block(families=FAMILIES[1:], adversaries=("mirror",), algorithms=RIVALS, replicates=n)
    return tuple(
        replace(block, C=C, T=T) for C, T in ((budgets, (T,)), ((10.0,), horizons)) for block in (precise, counts)
    )
