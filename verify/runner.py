"""Shards of work on any number of workers, here or on a cluster: the same results, whoever computes them.

A shard is a pure function of its payload, which is plain data, and so is its result.  Results are journalled
as they come, in any order; a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import platform
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, cast

from glbcheck.verify.journal import Journal, RunError, checksum
from glbcheck.verify.progress import Progress

Payload = Mapping[str, Any]
Work = Callable[[Payload], Any]

ROOT = Path(__file__).resolve().parent.parent
CLUSTER_WAIT = 30  # seconds to find the scheduler, and a worker


@dataclass(frozen=True)
class Shard:
    """A named piece of work; `size` measures it for the progress bar."""

    key: str
    size: int
    payload: Payload


@dataclass(frozen=True)
class Engine:
    """Who does the work: this process, several of them, or the cluster of a Dask scheduler."""

    workers: int = 1
    dask: str | None = None


def versions() -> dict[str, str]:
    """Everything the numbers depend on."""
    packages = ("glbcheck", "numpy", "numba", "scipy")
    found = {"python": platform.python_version(), "machine": platform.machine()}
    return found | {name: _version(name) for name in packages} | {"source": source_digest()}


@cache
def source_digest() -> str:
    """A name for the code that computes: every source file of `core` and of the simulation."""
    state = hashlib.sha256()
    for room in (ROOT / "core", ROOT / "verify" / "simulate"):
        for path in sorted(room.rglob("*.py")):
            state.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return state.hexdigest()[:16]


def run(
    shards: Sequence[Shard],
    work: Work,
    folder: Path,
    identity: Mapping[str, Any],
    engine: Engine,
    resume: bool = False,
    unit: str = "rounds",
) -> dict[str, Any]:
    """The result of every shard by its key; those in the folder's journal are not computed again.

    `work` must be a function that another process can import by name.  `identity` is whatever two runs must
    share for their results to be mixed.
    """
    names = {"shards": checksum([[s.key, dict(s.payload)] for s in shards]), "versions": versions()}
    with closing(Journal(folder, {**identity, **names}, resume)) as journal:
        if journal.damaged:
            _say(f"{journal.path}: {journal.damaged} damaged lines ignored; their work is done again")
        waiting = [shard for shard in shards if shard.key not in journal.finished]
        total, before = (sum(s.size for s in some) for some in (shards, waiting))
        progress = Progress(total, total - before, unit)
        try:
            for shard, result in _results(waiting, work, engine):
                journal.add(shard.key, result)
                progress.add(shard.size)
        except KeyboardInterrupt:
            progress.clear()
            left = len(shards) - len(journal.finished)
            _say(f"stopped with {left} of {len(shards)} pieces to go; continue with --resume")
            raise
        progress.clear()
        return {shard.key: journal.finished[shard.key] for shard in shards}


def _results(shards: Sequence[Shard], work: Work, engine: Engine) -> Iterator[tuple[Shard, Any]]:
    if not shards:
        return iter(())
    if engine.dask is not None:
        return _on_cluster(shards, work, engine.dask)
    if engine.workers > 1:
        return _on_processes(shards, work, engine.workers)
    return ((shard, work(shard.payload)) for shard in shards)


def _on_processes(shards: Sequence[Shard], work: Work, workers: int) -> Iterator[tuple[Shard, Any]]:
    """As they finish.  Each worker has a pipe of its own, and ends when the other side of it is gone."""
    waiting = list(reversed(shards))
    crew = [_hire(work) for _ in range(min(workers, len(shards)))]
    busy: dict[Connection, Shard] = {}
    try:
        for _, pipe in crew:
            busy[pipe] = _ask(pipe, waiting.pop())
        while busy:
            for pipe in cast(list[Connection], wait(list(busy))):
                shard, result = busy.pop(pipe), _answer(pipe)
                if waiting:
                    busy[pipe] = _ask(pipe, waiting.pop())
                yield shard, result
    finally:
        for process, pipe in crew:
            process.kill()
            process.join()
            pipe.close()


def _hire(work: Work) -> tuple[SpawnProcess, Connection]:
    # Spawned, not forked: a fork would share the lock of the journal and outlive a killed parent with it.
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work), daemon=True)
    process.start()
    there.close()
    return process, here


def _serve(pipe: Connection, work: Work) -> None:
    """A worker process: answers payloads until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's business
    with suppress(EOFError, OSError):
        while True:
            payload = pipe.recv()
            try:
                pipe.send((work(payload), None))
            except Exception as err:
                traceback.print_exc()
                pipe.send((None, f"{type(err).__name__}: {err}"))


def _ask(pipe: Connection, shard: Shard) -> Shard:
    with suppress(OSError):  # who cannot be asked will not answer either
        pipe.send(shard.payload)
    return shard


def _answer(pipe: Connection) -> Any:
    try:
        result, complaint = pipe.recv()
    except (EOFError, OSError):
        complaint = "a worker process died"
    if complaint is not None:
        raise RunError(f"{complaint}; what is finished is kept: run again with --resume")
    return result


def _on_cluster(shards: Sequence[Shard], work: Work, address: str) -> Iterator[tuple[Shard, Any]]:
    try:
        from distributed import CancelledError, Client, KilledWorker, as_completed
    except ImportError:
        raise RunError(
            f"--dask = {address!r}: needs the extra: pip install 'glbcheck[distributed]'"
        ) from None
    try:
        client = Client(address, timeout=CLUSTER_WAIT, set_as_default=False)
        client.wait_for_workers(1, timeout=CLUSTER_WAIT)
    except (OSError, ValueError, TimeoutError) as err:
        raise RunError(f"--dask = {address!r}: no scheduler with a worker answers there ({err})") from None
    with client:
        ours = versions()
        futures = {client.submit(_elsewhere, work, dict(s.payload), ours, pure=False): s for s in shards}
        try:
            for future in as_completed(list(futures), loop=client.loop):
                yield futures[future], future.result()
        except (CancelledError, KilledWorker, OSError) as err:
            reason = str(err).partition("\n")[0]
            raise RunError(
                f"--dask = {address!r}: the cluster was lost ({reason}); what is finished is kept: "
                "run again with --resume"
            ) from None


def _elsewhere(work: Work, payload: Payload, expected: Mapping[str, str]) -> Any:
    """The work, on a worker that runs the same code."""
    here = versions()
    differing = [
        f"{name} {here.get(name)} for {expected[name]}"
        for name in expected
        if here.get(name) != expected[name]
    ]
    if differing:
        raise RunError(f"--dask: a worker on {platform.node()} differs: {', '.join(differing)}")
    return work(payload)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
