"""Inequalities on a box, bounded or not, wherever some hypotheses hold, as claims and the audit call them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, rational
from glbcheck.verify import decide as door
from glbcheck.verify.certificate import statement_data
from glbcheck.verify.claim import Evidence, Statement
from glbcheck.verify.search.unbounded import CELLS

PROVER = "cover"


def certify(
    conclusion: str, box: Mapping[str, tuple[Exact | None, Exact | None]], hypotheses: Sequence[str] = (), *,
    budget: int = CELLS,
) -> Evidence:  # fmt: skip
    """Decide an inequality at every point of the box (None is an infinite end) where the hypotheses hold."""
    bounds = []
    for name, pair in box.items():
        low, high = (None if end is None else rational(f"box[{name!r}]", end) for end in pair)
        if low is not None and high is not None and low > high:
            raise BadInput(f"box[{name!r}]", pair, "low <= high")
        bounds += [f"{name} >= {low}"] if low is not None else []
        bounds += [f"{name} <= {high}"] if high is not None else []
    return decide(Statement((*bounds, *hypotheses), conclusion), tuple(box), budget=budget)


def decide(statement: Statement, names: Sequence[str], *, budget: int = CELLS) -> Evidence:
    """Decide a statement about real variables, with so many cells for each bounded part."""
    return replace(door.decide(statement_data(statement, names), cells=budget), prover=PROVER)
