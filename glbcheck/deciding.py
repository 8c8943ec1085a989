"""A paper decided, a family audited: what the command line, a reproduction and Python callers share."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glbcheck.command import DEFAULT_PAPER, UsageError
from glbcheck.made import made

if TYPE_CHECKING:
    from glbcheck.core.family import Family
    from glbcheck.verify.claim import Claim, Formal
    from glbcheck.verify.papers import Paper


def check(
    paper: str | Path = DEFAULT_PAPER, anchors: Sequence[str] = (), jobs: int = 1, review: bool = False
) -> dict[str, Any]:
    """The results of the claims about these anchors (default: all), and of everything they rest on.

    `paper` is the name of an installed paper or a folder; an anchor is a label of it or the id of a claim.
    With `review` the words of these claims are recorded as read again beside what was decided, and for each
    part that has none yet an edit that a point refutes.
    """
    from glbcheck.verify import ledger, papers

    found = papers.find(paper)
    claims = sound_claims(found)
    uses = {claim.id: claim.uses for claim in claims}
    chosen = _choose(found, claims, anchors)
    wanted = {name for claim in chosen for name in ledger.ancestors(claim.id, uses)}
    _compile_theories([claim.coq for claim in claims if claim.id in wanted and claim.coq])
    rows = _rows([claim.id for claim in claims if claim.id in wanted], str(found.folder), jobs, strict=not review)
    if review:
        from glbcheck.verify.claims import joint
        from glbcheck.verify.review import beside, record
        from glbcheck.verify.search import refuted_edits

        words = {one["id"]: one["words"] for one in rows}
        seen = {claim.id: {claim.id: words[claim.id], **beside(claim)} for claim in chosen}
        record(found.folder, {name: said for one in seen.values() for name, said in one.items()}, not anchors)
        # The certificate of a claim that failed does not show which of its controls are still needed.
        everything = not anchors and all(map(ledger.as_expected, rows))
        refuted_edits.record_missing(found.folder, [one["evidence"]["certificate"] for one in rows], everything)
        joint.record_missing(found.folder, {claim.id: claim for claim in claims}, rows, everything)
    return {**ledger.results(rows, found.facts(len(claims))), "made": made()}


def _compile_theories(chosen: Sequence[Formal]) -> None:
    """Compile what the claims' Coq theorems need, once and with progress, or say what is missing."""
    from glbcheck.verify.coq import driver, pins
    from glbcheck.verify.coq.sources import CoqError

    if chosen and not driver.ready():
        _tell(f"Coq is not installed: recorded checks of {len(chosen)} theorems are used; to ask it: {driver.INSTALL}")
        return
    named = {
        (name, formal.folder) for formal in chosen for name in (formal.theorem, formal.control, formal.witness) if name
    }
    together = dict[tuple[driver.Library, ...], list[str]]()
    for name, folder in sorted(named):
        together.setdefault(tuple(pins.libraries(name, folder)), []).append(driver.module_of(name))
    for ours, modules in together.items():
        known = driver.modules(ours)
        with suppress(CoqError):  # the claim itself will say so
            wanted = [module for module in modules if module in known]
            driver.build(ours, driver.store(), wanted, lambda module: _tell(f"coq: {module}"))


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def sound_claims(paper: Paper) -> list[Claim]:
    """The claims of a paper, refused unless all they name is there."""
    from glbcheck.verify.anchors import PaperError
    from glbcheck.verify.support import check_graph

    claims = paper.claims()
    if not claims:
        raise UsageError(f"paper = {str(paper.folder)!r}: declares no claims")
    check_graph(claims, tuple(paper.unprinted()))
    for complaint in filter(None, map(paper.anchor_complaint, claims)):
        raise PaperError(complaint)
    return claims


def audit_family(
    family: Family | object, S: object, *, paper: str | Path = DEFAULT_PAPER, **setting: Any
) -> dict[str, Any]:
    """Constants and checks of a GLM family on [-S, S], and which theorems of the paper apply to it.

    A family of statsmodels, a GLM of it or an estimator of scikit-learn is taken for the family that it states, and its
    link is named; where that is not the canonical one no theorem about the GLM applies.
    """
    from glbcheck.core.family import Family
    from glbcheck.verify import audit, papers
    from glbcheck.verify.audit.models import family_of, with_link

    found = papers.find(paper)
    requirements, questions = found.requirements(), found.questions()
    if isinstance(family, Family):
        return audit.audit_family(family, S, requirements=requirements, questions=questions, **setting)
    model = family_of(family)
    audited = audit.audit_family(model.family, S, requirements=requirements, questions=questions, **setting)
    return with_link(audited, model, requirements)


def _choose(paper: Paper, claims: Sequence[Claim], anchors: Sequence[str]) -> list[Claim]:
    if not anchors:
        return list(claims)
    known = {name for claim in claims for name in (claim.id, *claim.anchors)}
    for anchor in anchors:
        if anchor not in known:
            raise unknown_anchor(anchor, known, paper)
    return [claim for claim in claims if {claim.id, *claim.anchors} & set(anchors)]


def unknown_anchor(anchor: str, known: Collection[str], paper: Paper) -> UsageError:
    """The refusal of a name that no claim has: what was probably meant, or where all names are listed."""
    from difflib import get_close_matches

    from glbcheck.verify.anchors import INDEX_NAME

    if paper.index and anchor in paper.index.ids():
        return UsageError(f"No claim checks {anchor!r}.")
    near = get_close_matches(anchor[:100], known, n=1)
    index = paper.folder / INDEX_NAME
    listed = "docs/verdicts.md" if paper.name == DEFAULT_PAPER else index if index.exists() else ""
    help = f"Did you mean {near[0]}?" if near else f"{listed} lists the labels." if listed else ""
    return UsageError(f"Unknown claim or label {anchor!r}. {help}".rstrip())


def _rows(ids: Sequence[str], folder: str, jobs: int, strict: bool) -> list[dict[str, Any]]:
    from glbcheck.verify.runner import Engine, Progress, Shard, finished

    shards = [Shard(claim_id, 1, {"folder": folder, "claim": claim_id, "strict": strict}) for claim_id in ids]
    progress = Progress(len(ids), 0, "claims")
    rows = []
    with finished(shards, decide_one, Engine(jobs)) as results:
        for _, row in results:
            rows.append(row)
            progress.add(1)
    progress.clear()
    return rows


def decide_one(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The row of one claim of the paper in a folder; a function that other processes find by its name."""
    from glbcheck.verify import judge, ledger, papers

    paper = papers.find(payload["folder"])
    claim = next(claim for claim in paper.claims() if claim.id == payload["claim"])
    return ledger.row(judge.decide(claim, *(paper.checked if payload["strict"] else ())))
