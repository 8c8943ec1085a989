"""Pieces of work on any number of processes, here or on a cluster: the same results from all of them."""

from __future__ import annotations

import platform
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from glbcheck.core.errors import RunError
from glbcheck.core.extras import require
from glbcheck.core.versions import simulation_versions
from glbcheck.verify.runner.worker import Payload, Work, Worker

CLUSTER_WAIT = 30  # seconds to find the scheduler, and a worker


@dataclass(frozen=True)
class Shard:
    """A named piece of work, a pure function of its payload, which is plain data; `size` measures it."""

    key: str
    size: int
    payload: Payload


Results = Generator[tuple[Shard, Any], None, None]


@dataclass(frozen=True)
class Engine:
    """Who does the work: this process, several of them, or the cluster of a Dask scheduler."""

    workers: int = 1
    dask: str | None = None


@contextmanager
def finished(shards: Sequence[Shard], work: Work, engine: Engine) -> Iterator[Results]:
    """Every shard with its result, as they finish; a failure, or the end of the block, stops all work.

    `work` must be a function that another process can import by name.
    """
    if engine.dask is not None and shards:
        results = _on_cluster(shards, work, engine.dask)
    elif engine.workers > 1 and shards:
        results = _on_processes(shards, work, min(engine.workers, len(shards)))
    else:
        results = ((shard, work(shard.payload)) for shard in shards)
    with closing(results):
        yield results


def _on_processes(shards: Sequence[Shard], work: Work, workers: int) -> Results:
    waiting = iter(shards)
    busy: dict[Connection, tuple[Worker, Shard]] = {}
    with ExitStack() as crew:
        for _ in range(workers):
            worker, shard = crew.enter_context(Worker(work)), next(waiting)
            busy[worker.ask(shard.payload)] = worker, shard
        while busy:
            for pipe in cast(list[Connection], wait(list(busy))):
                worker, shard = busy.pop(pipe)
                answer = worker.answer()
                if answer.failure is not None:
                    raise RunError(f"{shard.key}: {answer.failure}")
                if (following := next(waiting, None)) is not None:
                    busy[worker.ask(following.payload)] = worker, following
                yield shard, answer.value


def _on_cluster(shards: Sequence[Shard], work: Work, address: str) -> Results:
    require("distributed", f"--dask = {address!r}")
    from distributed import CancelledError, Client, KilledWorker, as_completed

    try:
        client = Client(address, timeout=CLUSTER_WAIT, set_as_default=False)
        client.wait_for_workers(1, timeout=CLUSTER_WAIT)
    except (OSError, ValueError, TimeoutError) as err:
        raise RunError(f"--dask = {address!r}: no scheduler with a worker answers there ({err})") from None
    with client:
        ours = simulation_versions()
        futures = {client.submit(_elsewhere, work, dict(s.payload), ours, pure=False): s for s in shards}
        try:
            for future in as_completed(list(futures), loop=client.loop):
                yield futures[future], future.result()
        except (CancelledError, KilledWorker, OSError) as err:
            reason = str(err).partition("\n")[0]
            raise RunError(f"--dask = {address!r}: the cluster was lost ({reason})") from None


def _elsewhere(work: Work, payload: Payload, expected: Mapping[str, str]) -> Any:
    """The work, on a worker that runs the same code."""
    here = simulation_versions()
    if differing := [
        f"{name} {here.get(name)} for {ours}" for name, ours in expected.items() if here.get(name) != ours
    ]:
        raise RunError(f"--dask: a worker on {platform.node()} differs: {', '.join(differing)}")
    return work(payload)
