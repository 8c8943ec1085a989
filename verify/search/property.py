"""Property-based testing that knows what it has and has not shown.

Hypothesis searches for a violation with a fixed seed and no memory of earlier runs.  Nothing found is
`stress-tested`, with the number of examples that were really decided and, if asked, the share of planted
violations that the same search detects.  A violation that is found in floats is `undecided`: a refutation
needs an exact point (`verify.counterexample.refute`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

import numpy as np
from glbcheck.core.exact import natural
from glbcheck.core.kernel.check import FORMAT
from glbcheck.verify.certificate import evidence_for
from glbcheck.verify.claim import Evidence, Verdict
from hypothesis import Phase, find, reject, settings, target
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

Array = NDArray[np.float64]
T = TypeVar("T")
Outcome = bool | float | int | Fraction | None
"""True or a slack >= 0: holds.  False or a slack < 0: violated.  None: the hypotheses fail here."""

Property = Callable[[T], Outcome]


@dataclass
class Tally:
    """What became of the examples of one search."""

    decided: int = 0
    outside: int = 0
    undefined: int = 0
    least_slack: float = math.inf


def stress(
    statement: Property[T],
    strategy: SearchStrategy[T],
    examples: int,
    seed: int,
    *,
    alternatives: Mapping[str, Property[T]] | None = None,
    runs: int = 5,
) -> Evidence:
    """Search for a violation of `statement` among `examples` draws from `strategy`.

    `alternatives` are named false neighbours; the power printed for each is the share of `runs` other
    seeds in which the same search finds its violation.  A neighbour that is never found means the
    search is blind, and a blind search shows nothing.
    """
    natural("examples", examples, 1)
    natural("seed", seed)
    tally = Tally()
    example = search(lambda x: _violated(statement, x, tally), strategy, examples, seed)
    if example is not None:
        return _unconfirmed(f"{example.value!r}", tally)
    power = {
        name: Fraction(_detections(rival, strategy, examples, seed, runs), runs)
        for name, rival in (alternatives or {}).items()
    }
    return _nothing_found(tally, examples, seed, power)


def climb(
    ratio: Callable[[Array], float], limit: int, box: Mapping[str, tuple[int, int]], seed: int, generations: int = 100
) -> Evidence:
    """Try to push a ratio above its limit on a box, by differential evolution; stress-tested if it stays below."""
    from scipy.optimize import Bounds, differential_evolution  # slow to load, and rarely needed

    undefined = 0

    def loss(at: Array) -> float:
        nonlocal undefined
        value = ratio(at)
        undefined += not math.isfinite(value)
        return -value

    low, high = (np.array(ends, dtype=float) for ends in zip(*box.values(), strict=True))
    # With a negative `tol` it never stops early, not even where all its points are equally good.
    found = differential_evolution(loss, Bounds(low, high), maxiter=generations, tol=-1, polish=False, seed=seed)
    largest = -float(found.fun)
    where = dict(zip(box, map(repr, found.x.tolist()), strict=True))
    facts = {
        "largest ratio": repr(largest),
        "at": where,
        "limit": str(limit),
        "examples": int(found.nfev),
        "seed": seed,
    }
    scope = f"largest ratio {largest:.6g} in {found.nfev} evaluations"
    if undefined:
        return Evidence(Verdict.UNDECIDED, "property", f"{undefined} points gave no number", certificate=facts)
    if largest > limit:
        return Evidence(Verdict.UNDECIDED, "property", f"found in floats, not confirmed: {scope}", scope, facts)
    return evidence_for({"format": FORMAT, "search": facts}, "property", f"{scope}, limit {limit}", scope)


@dataclass(frozen=True)
class Found:
    """A search may find None; so what it finds is wrapped."""

    value: Any


def search(
    condition: Callable[[Any], bool], strategy: SearchStrategy[Any], examples: int, seed: int, shrink: bool = True
) -> Found | None:
    """An example that meets the condition, a short one if it is to be shrunk, or None."""
    plan = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.target, *((Phase.shrink,) if shrink else ())),
    )
    try:
        with _same_everywhere():
            return Found(find(strategy, condition, settings=plan, random=Random(seed)))
    except (NoSuchExample, Unsatisfiable):
        return None


@contextmanager
def _same_everywhere() -> Iterator[None]:
    """Keep Hypothesis from drawing constants out of whatever modules happen to be loaded.

    With them the examples would depend on what else was imported, not on the seed alone.
    """
    cache: LRUCache[Any, Any] = LRUCache(1024)
    with patch.object(providers, "_get_local_constants", Constants), patch.object(providers, "CONSTANTS_CACHE", cache):
        yield


def _violated(statement: Property[T], x: T, tally: Tally) -> bool:
    """Evaluate once and keep the books; an example outside the hypotheses does not count."""
    outcome = statement(x)
    if outcome is None:
        tally.outside += 1
        reject()
    if isinstance(outcome, bool | np.bool_):
        tally.decided += 1
        return not outcome
    if outcome != outcome:
        tally.undefined += 1
        return False
    tally.decided += 1
    slack = _as_float(outcome)
    tally.least_slack = min(tally.least_slack, slack)
    if math.isfinite(slack):
        # Lets Hypothesis climb towards small slack instead of sampling blindly.
        target(-slack)
    return bool(outcome < 0)


def _as_float(slack: float | Fraction) -> float:
    """For the record and for the climb only; the sign is taken from the number itself."""
    try:
        return float(slack)
    except OverflowError:
        return math.copysign(math.inf, slack)


def _detections(rival: Property[T], strategy: SearchStrategy[T], examples: int, seed: int, runs: int) -> int:
    natural("runs", runs, 1)
    return sum(
        search(lambda x: _violated(rival, x, Tally()), strategy, examples, seed + 1 + run, shrink=False) is not None
        for run in range(runs)
    )


def _nothing_found(tally: Tally, examples: int, seed: int, power: Mapping[str, Fraction]) -> Evidence:
    facts: dict[str, Any] = {
        "examples": tally.decided,
        "asked": examples,
        "outside the hypotheses": tally.outside,
        "seed": seed,
        "power": {name: str(share) for name, share in power.items()},
    }
    if math.isfinite(tally.least_slack):
        facts["least slack seen"] = repr(tally.least_slack)
    weakness = _weakness(tally, examples, power)
    if weakness:
        return Evidence(Verdict.UNDECIDED, "property", weakness, certificate=facts)
    strength = "; ".join(f"power {share} against {name}" for name, share in power.items())
    scope = f"{tally.decided} examples" + (f"; {strength}" if strength else "")
    return evidence_for({"format": FORMAT, "search": facts}, "property", f"no violation in {scope}", scope)


def _weakness(tally: Tally, examples: int, power: Mapping[str, Fraction]) -> str:
    """Why a search without a find shows nothing; empty if it does show something."""
    if tally.undefined:
        return f"{tally.undefined} examples gave no number"
    if tally.decided == 0:
        return "vacuous: no example met the hypotheses"
    if tally.outside and tally.decided * 10 < examples:
        return f"nearly vacuous: {tally.decided} of {examples} examples met the hypotheses"
    if blind := [name for name, share in power.items() if share == 0]:
        return f"blind: the planted violation {blind[0]!r} was never found"
    return ""


def _unconfirmed(shown: str, tally: Tally) -> Evidence:
    short = shown if len(shown) < 300 else shown[:300] + "…"
    facts = {"examples": tally.decided, "found": short}
    return Evidence(Verdict.UNDECIDED, "property", f"found in floats, not confirmed: {short}", certificate=facts)
