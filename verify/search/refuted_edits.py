"""Looks for an edit of a statement, as near as it can, and a point that refutes it: the control of a part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from glbcheck.core.kernel.check import FORMAT, at_point, read_statement, truth
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import controls, edits
from glbcheck.verify.certificate import accepted
from glbcheck.verify.search import proposed_points, solvers
from glbcheck.verify.search.points import Point, Screen, candidates, short

ADMITTED, MOST = 40, 8
Record = dict[str, Any]


def record_missing(folder: Path, certificates: Iterable[Any], everything: bool = False) -> None:
    """Look for controls of the parts that have none; where these are all certificates, those of other parts go."""
    known = controls.read(folder) or {}
    found = {controls.key(part): part for certificate in certificates for part in controls.parts(certificate)}
    made = {key: control_for(part) for key, part in found.items() if controls.control_of(part, known).complaint}
    kept = {key: one for key, one in known.items() if key in found or not everything}
    controls.record(folder, {**kept, **{key: one for key, one in made.items() if one is not None}})


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
    near, coarse = list[edits.Edit](), list[edits.Edit]()
    for edit in edits.edits(data):
        (near if edits.TINY in edit.label else coarse).append(edit)
    kept = [edit for edit in coarse if edit.statement["hypotheses"] == data["hypotheses"]]
    return (
        _at_points(data, [*near[:MOST], *near[-2:]], example)
        or _asked(_stronger(data, near))
        or _refuted_first(coarse, kept, data, example)
    )


def _stronger(data: Mapping[str, Any], near: Sequence[edits.Edit]) -> list[edits.Edit]:
    """The edits of the right side that say more, if it is positive."""
    sign = "+" if ">" in data["conclusion"] else "-"
    labels = [f"the right side times 1 {sign} {edits.TINY}", f"the right side {sign} {edits.TINY}"]
    return [edit for edit in near if edit.label in labels]


def _refuted_first(
    coarse: Sequence[edits.Edit], kept: Sequence[edits.Edit], data: Mapping[str, Any], example: Point | None
) -> Record | None:
    """The nearest of the coarser edits; those that drop or change a hypothesis are looked at one by one."""
    found = _at_points(data, kept, example)
    for edit in coarse:
        if found is not None and edit.label == found["edit"]:
            return found
        if edit not in kept and (point := point_against(edit.statement, example)) is not None:
            return {"edit": edit.label, **point}
    return None


def point_against(data: Mapping[str, Any], example: Point | None = None) -> Point | None:
    """A short point at which every hypothesis holds and the conclusion fails."""
    try:
        context, goal = read_statement(data)
    except Rejected:
        return None
    claimed = Screen(context, [goal])
    worth = filter(claimed.may_fail, candidates(context, json.dumps(example)))
    points = islice(_admitted(context, worth), ADMITTED)
    return next((point for point in points if _false(at_point(context, point), goal)), None)


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
    """The first of these edits, which have the hypotheses of the statement, that fails at one of the short points."""
    context, _ = read_statement(data)
    goals: dict[str, Fact | None] = {}
    best: Record | None = None
    for point in islice(_admitted(context, short(context, example)), ADMITTED):
        at = at_point(context, point)
        for edit in tried:
            if best is not None and edit.label == best["edit"]:
                break
            if edit.label not in goals:
                goals[edit.label] = _goal(context, edit)
            goal = goals[edit.label]
            if goal is not None and _false(at, goal):
                best = {"edit": edit.label, **point}
                break
        if best is not None and best["edit"] == tried[0].label:
            break
    return best


def _goal(context: Context, edit: edits.Edit) -> Fact | None:
    """What the edit claims, if it assumes what the statement assumes."""
    try:
        changed, goal = read_statement(edit.statement)
    except Rejected:
        return None
    return goal if changed.facts == context.facts else None


def _false(at: Callable[[Fact], Fact], goal: Fact) -> bool:
    try:
        return truth(at(goal)) is False
    except (Rejected, ArithmeticError):
        return False


def _admitted(context: Context, points: Iterator[Point]) -> Iterator[Point]:
    """The points at which every hypothesis holds."""
    for point in points:
        try:
            at = at_point(context, point)
            if all(truth(at(fact)) for fact in context.facts):
                yield point
        except (Rejected, ArithmeticError):
            continue


def _asked(tried: Sequence[edits.Edit]) -> Record | None:
    """The first edit for which the optimiser, or an engine, names a point that the kernel accepts."""
    for edit in tried:
        try:
            context, goal = read_statement(edit.statement)
        except Rejected:
            continue
        if not context.names:
            break
        named = proposed_points.around(context, solvers.model(context, goal))
        for point in chain(proposed_points.far(context, goal), named):
            if _fails(context, goal, point):
                return {"edit": edit.label, **point}
    return None


def _fails(context: Context, goal: Fact, point: Point) -> bool:
    try:
        at = at_point(context, point)
        return all(truth(at(fact)) for fact in context.facts) and _false(at, goal)
    except (Rejected, ArithmeticError):
        return False
