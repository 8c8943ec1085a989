"""The stages of a reproduction: claims, audits, coverage, regret.  Each leaves files and says how it went."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glbcheck.verify.command import AS_EXPECTED
from glbcheck.verify.plain_json import dumps
from glbcheck.verify.reproduce.cache import Cache, key, source_hash

S = "1"
TILT = 2  # families on a half-line are audited shifted, so that [-S, S] lies inside
SMOKE = ("kappa", "R_s_global", "log_partition", "normalisation", "supermartingale", "growth", "constants")
SOUND = ("log_partition", "normalisation", "moments", "kl", "chi2", "run")


@dataclass(frozen=True)
class Plan:
    """What to do and where."""

    claims: str
    output: Path
    jobs: int
    smoke: bool


def claims(plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[bool, bool]:
    """`pytest` on the claims; (taken from the cache, all as expected)."""
    its_key = key(source_hash(("glbcheck.core", "glbcheck.verify", plan.claims)), versions)
    target = plan.output / "results.json"
    if (facts := cache.hit("claims", its_key)) is not None:
        return True, bool(facts["ok"])
    options = ["-q", "--pyargs", plan.claims, "-n", str(plan.jobs), f"--glbcheck-results={target.resolve()}"]
    ok = subprocess.run([sys.executable, "-m", "pytest", *options], stdout=sys.stderr).returncode == 0
    if target.exists():
        cache.keep(
            "claims", its_key, [target, *sorted(plan.output.glob("counterexamples/*.json"))], {"ok": ok}
        )
    return False, ok


def audits(plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[int, bool]:
    """Every catalogue family; (how many were in the cache, none unsound).  A worker takes one at a time."""
    from glbcheck.core import catalog

    folder = plan.output / "audit"
    folder.mkdir(parents=True, exist_ok=True)
    source = source_hash(("glbcheck.core", "glbcheck.verify", plan.claims))
    keys = {name: key(source, versions, name, S, TILT, plan.smoke) for name in catalog.NAMES}
    found = {name: facts for name in keys if (facts := cache.hit(f"audit {name}", keys[name])) is not None}
    missing = [name for name in catalog.NAMES if name not in found]
    hits = len(found)
    with ProcessPoolExecutor(plan.jobs) as pool:
        waiting = {pool.submit(audit, name, plan.claims, plan.smoke): name for name in missing}
        for done in as_completed(waiting):
            name, text = waiting[done], done.result()
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
            facts = {"ok": _sound(json.loads(text))}
            cache.keep(f"audit {name}", keys[name], [folder / f"{name}.json"], facts)
            found[name] = facts
            print(f"      {name} ({len(found)} of {len(keys)})", file=sys.stderr, flush=True)
    return hits, all(facts["ok"] for facts in found.values())


def audit(name: str, package: str, smoke: bool) -> str:
    """One family as JSON, figures included."""
    from glbcheck.core import catalog
    from glbcheck.verify.audit import audit_subject
    from glbcheck.verify.audit.subject import subject
    from glbcheck.verify.report.audit_figures import figures

    family = catalog.get(name)
    usable = family.domain.contains(0) and 0 in family.domain.interior
    chosen = subject(family if usable else family.tilted(TILT), S)
    found = audit_subject(chosen, package, only=SMOKE if smoke else None)
    return dumps({**found, "figures": figures(found, chosen, f"audit-{name}")})


def _sound(found: Mapping[str, Any]) -> bool:
    """The constants are there, and nothing that must hold of a family was refuted."""
    refuted = {check["name"] for check in found["checks"] if check["verdict"] == "refuted"}
    return found["constants"]["R_s"] is not None and not refuted & set(SOUND)


def simulation(what: str, plan: Plan, cache: Cache, versions: Mapping[str, str]) -> tuple[bool, bool]:
    """`glbcheck simulate`; an interrupted one goes on where it was.  (taken from the cache, no alarm)"""
    from glbcheck.verify.runner import Engine

    from glbcheck.simulate import defaults, study

    folder = plan.output / "simulate" / what
    grid = defaults.grid(what, plan.smoke)
    its_key = key(source_hash(("glbcheck.core", "glbcheck.verify")), versions, what, grid.plain())
    if (facts := cache.hit(what, its_key)) is not None:
        return True, bool(facts["ok"])
    note = plan.output / f".{what}.key"
    going_on = note.exists() and note.read_text(encoding="utf-8") == its_key and not cache.fresh
    if not going_on and folder.exists():
        shutil.rmtree(folder)
    note.write_text(its_key, encoding="utf-8")
    outcome = study(what, grid, folder, Engine(plan.jobs, None), resume=going_on)
    target = plan.output / "simulate" / f"{what}.json"
    target.write_text(dumps(outcome.data), encoding="utf-8")
    ok = outcome.code == AS_EXPECTED
    cache.keep(what, its_key, [target, *sorted(p for p in folder.iterdir() if p.is_file())], {"ok": ok})
    note.unlink()
    return False, ok
