"""The whole reproduction: decide every claim, audit every family, play the simulations, write one page."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from glbcheck.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError
from glbcheck.core.versions import versions
from glbcheck.page import PAGE, refuse_another_paper, write
from glbcheck.reproduce import stages
from glbcheck.reproduce.cache import Cache
from glbcheck.reproduce.stages import Plan
from glbcheck.reproduce.summary import lines, write_tables
from glbcheck.verify.anchors import PaperError
from glbcheck.verify.papers import FACTS, REQUIREMENTS, Paper
from glbcheck.verify.plain_json import dumps

SIMULATIONS = ("coverage", "regret")
STAGES = ("claims", "audit", *SIMULATIONS)


def reproduce(plan: Plan, fresh: bool, only: Collection[str]) -> Outcome:
    """Exit code, summary and data; everything produced is left in the output folder."""
    from glbcheck.verify import ledger

    output = plan.output
    _writable(output)
    refuse_another_paper(output, plan.paper)
    cache = Cache(output, fresh)
    used = versions()
    started = time.monotonic()
    wall: dict[str, float] = {}
    ok: dict[str, bool] = {}
    for number, name in enumerate(stage for stage in STAGES if stage in only):
        begun = time.monotonic()
        _say(f"[{number + 1}/{len(only) + 1}] {TITLES[name]}")
        hit, ok[name] = _stage(name, plan, cache, used)
        wall[name] = round(time.monotonic() - begun, 1)
        _say(f"      {hit}, {wall[name]:.0f} s")
    _say(f"[{len(only) + 1}/{len(only) + 1}] one page")
    environment = _environment(plan, wall)
    (output / "environment.json").write_text(dumps(environment), encoding="utf-8")
    if not (output / "results.json").exists():
        ledger.write(ledger.results([], plan.paper.facts(0)), output / "results.json")
    found = ledger.read(output / "results.json")
    audits = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((output / "audit").glob("*.json"))]
    write_tables(output, found, audits)
    page = output / PAGE
    _, size = write(output, page, plan.paper)
    told = lines(found, audits, output, ok, time.monotonic() - started)
    told.append(f"report: {page} ({size / 1e6:.1f} MB)")
    code = AS_EXPECTED if all(ok.values()) else NOT_AS_EXPECTED
    return Outcome(code, told, {"results": found, "audits": audits, "report": str(page), "as_expected": ok})


TITLES: Mapping[str, str] = {
    "claims": "claims of the paper",
    "audit": f"audit of every catalogue family on [-{stages.S}, {stages.S}]",
    "coverage": "coverage of the confidence sets under attack",
    "regret": "regret of all algorithms under attack",
}


def _stage(name: str, plan: Plan, cache: Cache, used: Mapping[str, str]) -> tuple[str, bool]:
    """The cache's part in words, and whether all was as expected."""
    if name == "audit":
        hits, ok = stages.audits(plan, cache, used)
        return (f"cache: {hits} hits" if hits else "cache: miss"), ok
    claims = name == "claims"
    hit, ok = stages.claims(plan, cache, used) if claims else stages.simulation(name, plan, cache, used)
    return f"cache: {'hit' if hit else 'miss'}", ok


def stages_of(paper: Paper, text: str | None) -> Sequence[str]:
    """What there is to do about a paper, or those of it that the user asks for; an unknown word is named."""
    for word in paper.simulations:
        if word not in SIMULATIONS:
            raise PaperError(f"{paper.folder / FACTS}: simulations: {word!r} is none of {', '.join(SIMULATIONS)}")
    audited = (paper.folder / f"{REQUIREMENTS}.py").exists()
    there = ["claims", *(["audit"] if audited else []), *(s for s in SIMULATIONS if s in paper.simulations)]
    chosen = there if text is None else [word.strip() for word in text.split(",")]
    for word in chosen:
        if word not in there:
            raise UsageError(f"--stages = {text!r}: {word!r} is none of {', '.join(there)}")
    return chosen


def _writable(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".writable"
        probe.write_text("", encoding="utf-8")
        probe.unlink()
    except OSError as err:
        raise UsageError(f"--output = {str(output)!r}: cannot write there ({err.strerror})") from None


def _environment(plan: Plan, wall: Mapping[str, float]) -> dict[str, Any]:
    from glbcheck.core.simulation import defaults
    from glbcheck.verify.audit.subject import SEED as AUDIT_SEED

    seeds = {"audit": AUDIT_SEED} if "audit" in wall else {}
    seeds |= {what: defaults.grid(what, plan.smoke).seed for what in SIMULATIONS if what in wall}
    return {
        "machine": {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()},
        "run": {"jobs": plan.jobs, "smoke": plan.smoke},
        "seeds": seeds,
        "wall_seconds": dict(wall),
    }


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
