"""A long run that can be killed at any moment and goes on where it stopped.

Results are kept as they come, in any order, under an identity: whatever two runs must share for their
results to be mixed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glbcheck.core.errors import RunError
from glbcheck.core.versions import checksum, simulation_versions
from glbcheck.verify.runner.progress import Progress
from glbcheck.verify.runner.scheduler import Engine, Shard, finished
from glbcheck.verify.runner.store import Store
from glbcheck.verify.runner.worker import Work

NAME = "journal.sqlite"
IDENTITY = ""  # the name of no piece


def run(
    shards: Sequence[Shard],
    work: Work,
    folder: Path,
    identity: Mapping[str, Any],
    engine: Engine,
    resume: bool = False,
    unit: str = "rounds",
) -> dict[str, Any]:
    """The result of every shard by its key; those in the folder's journal are not computed again."""
    names = {"shards": checksum([[s.key, dict(s.payload)] for s in shards]), "versions": simulation_versions()}
    with Store(folder / NAME) as store:
        _claim(store, {**identity, **names}, resume)
        if store.damaged:
            _say(f"{store.path} was damaged: {_count(store)} pieces are intact, the rest is done again")
        waiting = [shard for shard in shards if shard.key not in store.kept]
        total, left = (sum(s.size for s in some) for some in (shards, waiting))
        progress = Progress(total, total - left, unit)
        try:
            with finished(waiting, work, engine) as results:
                for shard, result in results:
                    store.put(shard.key, result)
                    progress.add(shard.size)
        except KeyboardInterrupt:
            progress.clear()
            missing = len(shards) - _count(store)
            _say(f"stopped with {missing} of {len(shards)} pieces to go; continue with --resume")
            raise
        except RunError as err:
            kept = "; what is finished is kept: run again with --resume" if _count(store) else ""
            raise RunError(f"{err}{kept}") from None
        progress.clear()
        return {shard.key: store.kept[shard.key] for shard in shards}


def _claim(store: Store, ours: dict[str, Any], resume: bool) -> None:
    """Begin under our own name, or go on with what was begun under it."""
    theirs, done = store.kept.get(IDENTITY), _count(store)
    if theirs is None or not done:  # nothing to lose
        store.clear()
        store.put(IDENTITY, ours)
        return
    if not resume:
        raise RunError(
            f"{store.path} holds {done} finished pieces of a run: continue it with --resume, or choose another --output"
        )
    differing = sorted(k for k in theirs.keys() | ours.keys() if theirs.get(k) != ours.get(k))
    if differing:
        shown = "; ".join(f"{k}: there {theirs.get(k)!r}, here {ours.get(k)!r}" for k in differing)
        raise RunError(
            f"{store.path} belongs to another run ({shown}): resume with what it was started with, "
            "or choose another --output"
        )


def _count(store: Store) -> int:
    return len(store.kept.keys() - {IDENTITY})


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
