"""The search for what the checker of answers asks: breaks between cells, proofs by form, points of attainment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.evaluate import ball, precision
from glbcheck.core.kernel.terms import Rejected, Term, budget
from glbcheck.core.measures.cells import Form, finite, shown, signed
from glbcheck.core.measures.series import coefficients
from glbcheck.verify.claim import Statement
from glbcheck.verify.search import cover

CELLS, DEEPEST, COVER = 2000, 30, 200
PRECISIONS = (128, 512)
GRID, STEPS = 64, 60
WORK, MORE_WORK = 50_000, 400_000  # steps of the kernel for an evident sign: where cells may do, where not
Seen = Callable[[Fraction, Fraction], bool]
By = Mapping[str, Any]


def breaks(low: Fraction, high: Fraction, seen: Seen) -> list[Fraction] | None:
    """Where to cut so that something is seen on every cell; None if that takes too many."""
    found, waiting = list[Fraction](), [(low, high, 0)]
    while waiting:
        a, b, depth = waiting.pop()
        try:
            good = seen(a, b)
        except Rejected:
            return None
        if good:
            found.append(b)
        elif depth == DEEPEST or len(found) + len(waiting) > CELLS:
            return None
        else:
            # In three, so that a maximum or a removable point in the middle stays in the middle of a cell.
            third = (b - a) / 3
            waiting += [(a + k * third, a + (k + 1) * third, depth + 1) for k in (2, 1, 0)]
    return found[:-1]


def finite_cover(m: Term, S: Fraction, length: int) -> By:
    """Cells of [-S, S] on which so many Taylor coefficients are finite."""
    return _cells(S, lambda a, b: finite(m, a, b, length))


def _cells(S: Fraction, seen: Seen) -> By:
    for bits in PRECISIONS:
        with precision(bits):
            found = breaks(-S, S, seen)
        if found is not None:
            return {"rule": "cells", "breaks": list(map(str, found)), "bits": bits}
    raise Rejected("no cover by cells was found")


def sign_cover(m: Term, S: Fraction, form: Form, known: By | None = None) -> By:
    """A proof by form, one that is known, cells, or a cover that treats points of equality by Taylor's formula."""
    within = [f"z >= {-S}", f"z <= {S}"]
    if found := by_kernel(m, within, Fraction(0), form, known, WORK):
        return found
    try:
        return _cells(S, lambda a, b: signed(m, a, b, form))
    except Rejected:
        try:
            evidence = cover.decide(Statement(tuple(within), form.text(m)), ["z"], budget=COVER)
        except BadInput:
            raise Rejected("no cover was found") from None
        found = by_kernel(m, within, Fraction(0), form, evidence.certificate)
        if found is None:
            raise
        return found


def by_kernel(
    m: Term, hypotheses: list[str], inside: Fraction, form: Form, known: By | None = None, work: int = MORE_WORK
) -> By | None:
    """A proof that the kernel accepts: the sign is evident, with so much work, or somebody knew one."""
    proofs = [{"proof": {"rule": "evident"}, "example": {"at": {"z": str(inside)}}}]
    if known and "proof" in known:
        proofs.append({"proof": known["proof"], "example": known.get("example", proofs[0]["example"])})
    for steps, proof in zip((work, math.inf), proofs, strict=False):
        try:
            with budget(steps):
                shown(m, hypotheses, form, proof)
        except Rejected:
            continue
        return {"rule": "kernel", **proof}
    return None


def largest(m: Term, S: Fraction, size: Callable[[list[float]], float]) -> Fraction:
    """A point of [-S, S] where a function of m', m'', m''' is nearly largest: a grid, then ever smaller steps."""

    def value(x: Fraction) -> float:
        with precision(128):
            jet = coefficients(m, ball(x), 4)
        if not all(c.is_finite() for c in jet):
            return -float("inf")
        return size([float(c.mid()) for c in jet])

    best = max((S * k / GRID for k in range(-GRID, GRID + 1)), key=value)
    step, top = S / GRID, value(best)
    for _ in range(STEPS):
        beside = max((x for x in (best - step, best + step) if abs(x) <= S), key=value, default=best)
        if value(beside) > top:
            best, top = beside, value(beside)
        else:
            step /= 2
    return best
