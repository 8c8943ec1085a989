"""Looks for an edit of a statement, as near as it can, and a point that refutes it: the control of a part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import Any

from glbcheck.core.kernel.check import FORMAT, at_point, read_statement, truth
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import controls, edits
from glbcheck.verify.certificate import accepted, trial_points, with_equations
from glbcheck.verify.search import falsify

POINTS, ASKED = 160, 6
FAR = [Fraction(10) ** k for k in (-9, -4, -2, 2, 4, 9)]
Point = Mapping[str, Any]
Record = dict[str, Any]


def record_missing(folder: Path, certificates: Iterable[Any]) -> None:
    """Look for controls of the parts that have none, and record those that are found."""
    known = controls.read(folder) or {}
    found = {controls.key(part): part for certificate in certificates for part in controls.parts(certificate)}
    made = {key: control_for(part) for key, part in found.items() if controls.control_of(part, known).complaint}
    controls.record(folder, {key: one for key, one in made.items() if one is not None})


def control_for(part: controls.Part) -> Record | None:
    """The nearest edit of the part for which a refutation is found, as `controls` records it."""
    for kind in ("game", "computed"):
        if kind in part:
            return _of_a_number(part, kind)
    for step, statement in enumerate(controls.statements(part)):
        found = of_statement(statement, part.get("example"))
        if found is not None:
            return {**({"step": step} if step else {}), **found}
    return None


def of_statement(data: Mapping[str, Any], example: Point | None = None) -> Record | None:
    """The nearest refuted edit of a statement: at short points, then at those that the engines propose."""
    near, coarse = [], []
    for edit in edits.edits(data):
        (near if edits.TINY in edit.label else coarse).append(edit)
    found = _at_points(data, near, example)
    if found is None:
        found = _asked(near[:ASKED], optimise=True)
    return found or _at_points(data, coarse, example) or _asked(coarse[: 2 * ASKED], optimise=False)


def fails_somewhere(data: Mapping[str, Any], example: Point | None = None) -> bool:
    """Is there a short point at which the statement fails?"""
    return _refutation(edits.Edit("", dict(data)), None, example) is not None


def _of_a_number(part: controls.Part, kind: str) -> Record | None:
    for label, claim in edits.claim_edits(part[kind]["claim"]):
        try:
            word = accepted({"format": FORMAT, kind: {**part[kind], "claim": claim}}).word
        except Rejected:
            word = "refuted" if kind == "computed" else ""
        if word == "refuted":
            return {"edit": label}
    return None


def _at_points(data: Mapping[str, Any], tried: Sequence[edits.Edit], example: Point | None) -> Record | None:
    """The first edit that fails at one of the short points."""
    context, _ = read_statement(data)
    admitted = list(_admitted(context, _short(context, example)))
    for edit in tried:
        found = _refutation(edit, admitted if edit.statement["hypotheses"] == data["hypotheses"] else None, example)
        if found is not None:
            return {"edit": edit.label, **found}
    return None


def _refutation(edit: edits.Edit, admitted: list[Point] | None, example: Point | None) -> Point | None:
    """A point at which the edit fails, among those where its hypotheses are known to hold, or all short ones."""
    try:
        context, goal = read_statement(edit.statement)
    except Rejected:
        return None
    for point in _admitted(context, _short(context, example)) if admitted is None else admitted:
        try:
            if truth(at_point(context, point)(goal)) is False:
                return point
        except (Rejected, ArithmeticError):
            continue
    return None


def _admitted(context: Context, points: Iterator[Point]) -> Iterator[Point]:
    """The points at which every hypothesis holds."""
    for point in points:
        try:
            at = at_point(context, point)
            if all(truth(at(fact)) for fact in context.facts):
                yield point
        except (Rejected, ArithmeticError):
            continue


def _short(context: Context, example: Point | None) -> Iterator[Point]:
    """Short points, the example of the certificate, and both with one value, or all, tiny or huge."""
    trials = list(islice(trial_points(context, POINTS), 2 * POINTS))
    known = _known(context, example)
    yield from chain.from_iterable(falsify.instances(context, at) for at in chain(known, trials))
    if context.functions:
        return
    for at in chain(known, trials[:12]):
        for size in FAR:
            for name in (*at, None):
                moved = {n: _moved(context, n, v, size) if name in (n, None) else v for n, v in at.items()}
                yield from falsify.instances(context, moved)
                solved = with_equations(context, moved)
                yield from falsify.instances(context, solved) if solved else ()


def _known(context: Context, example: Point | None) -> list[dict[str, Fraction]]:
    """The example, where it is one of numbers."""
    try:
        found = {name: Fraction(value) for name, value in (example or {}).get("at", {}).items()}
    except ValueError:
        return []
    return [found] if found.keys() == context.names.keys() else []


def _moved(context: Context, name: str, value: Fraction, size: Fraction) -> Fraction:
    """The value taken near an end of its range, or far away from it."""
    r = context.ranges[name]
    whole = dict(context.kinds)[name] == "integer"
    if whole:
        return value + size if size > 1 else value
    if r.low is not None and r.high is not None:
        return r.low + (r.high - r.low) * (size if size < 1 else 1 - 1 / size)
    if r.high is not None:
        return r.high - size
    return r.low + size if r.low is not None else value * size


def _asked(tried: Sequence[edits.Edit], optimise: bool) -> Record | None:
    """The first edit for which the engines, or the optimiser, name a point that the kernel accepts."""
    for edit in tried:
        try:
            context, goal = read_statement(edit.statement)
        except Rejected:
            continue
        points = falsify.proposed(edit.statement, context)
        for point in chain(points, falsify.far(context, goal) if optimise else ()):
            if _fails(context, goal, point):
                return {"edit": edit.label, **point}
    return None


def _fails(context: Context, goal: Fact, point: Point) -> bool:
    try:
        at = at_point(context, point)
        return all(truth(at(fact)) for fact in context.facts) and truth(at(goal)) is False
    except (Rejected, ArithmeticError):
        return False
