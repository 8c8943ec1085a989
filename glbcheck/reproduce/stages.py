"""The stages of a reproduction: claims, audits, coverage, regret.  Each leaves files and says how it went."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glbcheck import core, verify
from glbcheck.command import AS_EXPECTED
from glbcheck.core.versions import checksum, source_hash
from glbcheck.deciding import check
from glbcheck.reproduce.cache import Cache
from glbcheck.verify import ledger
from glbcheck.verify.papers import Paper
from glbcheck.verify.plain_json import dumps
from glbcheck.verify.runner import Engine, Payload, Shard, finished

ROOMS = tuple(Path(room.__path__[0]) for room in (core, verify))
S = "1"
TILT = 2  # families on a half-line are audited shifted, so that [-S, S] lies inside
SMOKE = (
    "kappa",
    "L_mu",
    "R_s",
    "R_s_global",
    "log_partition",
    "normalisation",
    "supermartingale",
    "growth",
    "constants",
)
SOUND = ("log_partition", "normalisation", "moments", "kl", "chi2", "run")


@dataclass(frozen=True)
class Plan:
    """What to do and where."""

    paper: Paper
    output: Path
    jobs: int
    smoke: bool


def claims(plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[bool, bool]:
    """Every claim of the paper; (taken from the cache, all as expected)."""
    from glbcheck.verify.coq import driver

    coq = driver.version() if driver.ready() else None
    its_key = checksum([_source(plan.paper), versions, coq])
    target = plan.output / "results.json"
    if (facts := cache.hit("claims", its_key)) is not None:
        return True, bool(facts["ok"])
    found = check(plan.paper.folder, jobs=plan.jobs)
    ledger.write(found, target)
    ok = all(map(ledger.as_expected, found["claims"]))
    cache.keep("claims", its_key, [target, *sorted(plan.output.glob("certificates/*.json"))], {"ok": ok})
    return False, ok


def _source(paper: Paper) -> str:
    return source_hash(*ROOMS, paper.folder)


def audits(plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[int, bool]:
    """Every catalogue family; (how many were in the cache, none unsound).  A worker takes one at a time."""
    from glbcheck.core import catalog

    folder = plan.output / "audit"
    folder.mkdir(parents=True, exist_ok=True)
    source = _source(plan.paper)
    keys = {name: checksum([source, versions, name, S, TILT, plan.smoke]) for name in catalog.NAMES}
    found = {name: facts for name in keys if (facts := cache.hit(f"audit {name}", keys[name])) is not None}
    missing = [name for name in catalog.NAMES if name not in found]
    hits = len(found)
    paper = str(plan.paper.folder)
    fixed = {"paper": paper, "smoke": plan.smoke, "folder": str(folder)}
    shards = [Shard(name, 1, {"name": name, **fixed}) for name in missing]
    with finished(shards, audit, Engine(plan.jobs)) as audited:
        for shard, text in audited:
            name = shard.key
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
            facts = {"ok": _sound(json.loads(text))}
            cache.keep(f"audit {name}", keys[name], [folder / f"{name}.json", *(folder / name).glob("*.svg")], facts)
            found[name] = facts
            print(f"      {name} ({len(found)} of {len(keys)})", file=sys.stderr, flush=True)
    return hits, all(facts["ok"] for facts in found.values())


def audit(payload: Payload) -> str:
    """One family as JSON; its figures are written into the folder, below its name."""
    from glbcheck.core import catalog
    from glbcheck.verify.audit import audit_subject
    from glbcheck.verify.audit.questions import items
    from glbcheck.verify.audit.subject import subject
    from glbcheck.verify.papers import find
    from glbcheck.verify.report.audit_figures import figures
    from glbcheck.verify.report.figures import draw

    name = payload["name"]
    family = catalog.get(name)
    usable = family.domain.contains(0) and 0 in family.domain.interior
    chosen = subject(family if usable else family.tilted(TILT), S)
    paper = find(payload["paper"])
    questions = tuple(paper.questions())
    asked = {item.name for item in items(questions)}
    only = [name for name in SMOKE if name in asked] if payload["smoke"] else None
    found = audit_subject(chosen, paper.requirements(), questions, only=only)
    drawn = figures(found, chosen)
    folder = Path(payload["folder"], name)
    folder.mkdir(exist_ok=True)
    for title, (fig, _) in drawn.items():
        draw(fig, "svg", folder / f"{title}.svg")
    return dumps({**found, "captions": {title: caption for title, (_, caption) in drawn.items()}})


def _sound(found: Mapping[str, Any]) -> bool:
    """The constants are there, and nothing that must hold of a family was refuted."""
    refuted = {check["name"] for check in found["checks"] if check["verdict"] == "refuted"}
    return found["constants"]["R_s"] is not None and not refuted & set(SOUND)


def simulation(what: str, plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[bool, bool]:
    """`glbcheck simulate`; an interrupted one goes on where it was.  (taken from the cache, no alarm)"""
    from glbcheck.core.simulation import defaults
    from glbcheck.simulate import study

    folder = plan.output / "simulate" / what
    grid = defaults.grid(what, plan.smoke)
    its_key = checksum([source_hash(*ROOMS), versions, what, grid.plain()])
    if (facts := cache.hit(what, its_key)) is not None:
        return True, bool(facts["ok"])
    going_on = cache.begun(what, its_key)
    if not going_on:
        shutil.rmtree(folder, ignore_errors=True)
        cache.begin(what, its_key)
    outcome = study(what, grid, folder, Engine(plan.jobs, None), resume=going_on)
    target = plan.output / "simulate" / f"{what}.json"
    target.write_text(dumps(outcome.data), encoding="utf-8")
    ok = outcome.code == AS_EXPECTED
    cache.keep(what, its_key, [target, *sorted(p for p in folder.iterdir() if p.is_file())], {"ok": ok})
    return False, ok
