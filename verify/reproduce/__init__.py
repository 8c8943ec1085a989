"""The whole reproduction: decide every claim, audit every family, play the simulations, write one page."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from glbcheck.verify.command import AS_EXPECTED, NOT_AS_EXPECTED, Outcome, UsageError
from glbcheck.verify.plain_json import dumps
from glbcheck.verify.reproduce import stages
from glbcheck.verify.reproduce.cache import Cache
from glbcheck.verify.reproduce.stages import Plan
from glbcheck.verify.reproduce.summary import lines, write_tables

STAGES = ("claims", "audit", "coverage", "regret")


def reproduce(
    claims: str,
    output: Path,
    jobs: int,
    smoke: bool = False,
    fresh: bool = False,
    only: Collection[str] = STAGES,
) -> Outcome:
    """Exit code, summary and data; everything produced is left in the output folder."""
    from glbcheck.verify.ledger import versions
    from glbcheck.verify.report.verbs import PAGE, write

    _writable(output)
    plan, cache = Plan(claims, output, jobs, smoke), Cache(output, fresh)
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
    environment = _environment(jobs, smoke, wall)
    (output / "environment.json").write_text(dumps(environment), encoding="utf-8")
    found = _json(output / "results.json")
    audits = [_json(path) for path in sorted((output / "audit").glob("*.json"))]
    write_tables(output, found, audits)
    page = output / PAGE
    _, size = write(output, page, claims)
    told = lines(found, audits, output, ok, time.monotonic() - started)
    told.append(f"report: {page} ({size / 1e6:.1f} MB)")
    code = AS_EXPECTED if all(ok.values()) else NOT_AS_EXPECTED
    return Outcome(code, told, {"results": found, "audits": audits, "report": str(page), "as_expected": ok})


TITLES: Mapping[str, str] = {
    "claims": "claims of the paper, by pytest",
    "audit": f"audit of every catalogue family on [-{stages.S}, {stages.S}]",
    "coverage": "coverage of the confidence sets under attack",
    "regret": "regret of all algorithms under attack",
}


def _stage(name: str, plan: Plan, cache: Cache, used: Mapping[str, str]) -> tuple[str, bool]:
    """The cache's part in words, and whether all was as expected."""
    if name == "audit":
        hits, ok = stages.audits(plan, cache, used)
        return (f"cache: {hits} hits" if hits else "cache: miss"), ok
    simple: Mapping[str, Callable[[], tuple[bool, bool]]] = {
        "claims": lambda: stages.claims(plan, cache, used),
        "coverage": lambda: stages.simulation("coverage", plan, cache, used),
        "regret": lambda: stages.simulation("regret", plan, cache, used),
    }
    hit, ok = simple[name]()
    return f"cache: {'hit' if hit else 'miss'}", ok


def stage_names(text: str) -> Sequence[str]:
    """`claims,audit` as a list; an unknown word is named."""
    chosen = [word.strip() for word in text.split(",")]
    for word in chosen:
        if word not in STAGES:
            raise UsageError(f"--stages = {text!r}: {word!r} is none of {', '.join(STAGES)}")
    return chosen


def _writable(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".writable"
        probe.write_text("", encoding="utf-8")
        probe.unlink()
    except OSError as err:
        raise UsageError(f"--output = {str(output)!r}: cannot write there ({err.strerror})") from None


def _environment(jobs: int, smoke: bool, wall: Mapping[str, float]) -> dict[str, Any]:
    from glbcheck.verify.audit.subject import SEED as AUDIT_SEED

    from glbcheck.simulate import defaults

    seeds = {what: defaults.grid(what, smoke).seed for what in ("coverage", "regret")}
    return {
        "machine": {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()},
        "run": {"jobs": jobs, "smoke": smoke},
        "seeds": {"audit": AUDIT_SEED, **seeds},
        "wall_seconds": dict(wall),
    }


def _json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {"claims": [], "paper": {}, "versions": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
