"""The runner: every piece of work once, the same results for any workers, nothing finished ever lost."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core import versions
from glbcheck.core.errors import RunError
from glbcheck.core.extras import MissingLibrary
from glbcheck.verify import runner
from glbcheck.verify.runner import Budget, Engine, Payload, Progress, Shard, Worker, scheduler
from glbcheck.verify.runner import worker as worker_module
from glbcheck.verify.runner.journal import ENDED, NAME, Journal
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
CALLS: list[int] = []


def square(payload: Payload) -> dict[str, Any]:
    CALLS.append(payload["x"])
    return {"square": payload["x"] ** 2, "third": payload["x"] / 3}


def where(payload: Payload) -> dict[str, Any]:
    time.sleep(0.1)  # long enough for the work to be shared
    return {**square(payload), "where": [os.getpid(), "x" * 3000]}  # long enough to fill a page of the file


def without_place(found: dict[str, Any]) -> dict[str, Any]:
    return {key: {k: v for k, v in result.items() if k != "where"} for key, result in found.items()}


def trouble_at_three(kind: str, payload: Payload) -> dict[str, Any]:
    if payload["x"] == 3:
        if kind == "death":
            os.kill(os.getpid(), signal.SIGKILL)
        raise RunError("three") if kind == "failure" else KeyboardInterrupt
    return square(payload)


def shards(count: int) -> list[Shard]:
    return [Shard(f"n{x}", 1, {"x": x}) for x in range(count)]


WHOLE = {f"n{x}": {"square": x * x, "third": x / 3} for x in range(8)}


def run(folder: Path, work: runner.Work = square, resume: bool = False, **engine: Any) -> dict[str, Any]:
    CALLS.clear()
    return runner.run(shards(8), work, folder, {"seed": 1}, Engine(**engine), resume)


def script(code: str, *arguments: object) -> subprocess.Popen[str]:
    """This module's names in a process of their own, started from `code`."""
    code = f"import sys; from pathlib import Path; from tests.verify.runner.test_runner import *\n{code}"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    with process:
        return process.communicate(timeout=60)[1]


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return "zombie" in Path(f"/proc/{pid}/status").read_text()


def until(true: Any, seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(true())


# --- processes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 20])
def test_results_do_not_depend_on_the_workers_and_none_of_them_is_left(tmp_path: Path, workers: int) -> None:
    found = run(tmp_path, where, workers=workers)
    assert without_place(found) == WHOLE
    pids = {result["where"][0] for result in found.values()}
    assert len(pids) == min(workers, 8)
    assert workers == 1 or all(map(gone, pids))


@pytest.mark.parametrize(("kind", "workers"), [("failure", 1), ("failure", 2), ("death", 2), ("interrupt", 1)])
def test_trouble_stops_the_run_and_loses_nothing(
    tmp_path: Path, kind: str, workers: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises((RunError, KeyboardInterrupt)) as caught:
        run(tmp_path, partial(trouble_at_three, kind), workers=workers)
    assert caught.type is (KeyboardInterrupt if kind == "interrupt" else RunError)
    told = str(caught.value) + capsys.readouterr().err
    assert ("continue with --resume" if kind == "interrupt" else "run again with --resume") in told
    assert run(tmp_path, resume=True) == WHOLE
    assert 3 in CALLS
    assert len(CALLS) < 8


def sleeps(payload: Payload) -> None:
    Path(payload["file"]).write_text(str(os.getpid()))
    time.sleep(600)


def spins(payload: Payload) -> None:
    while True:
        pass


def eats(payload: Payload) -> int:
    return len(bytearray(payload["bytes"]))


@pytest.mark.parametrize("fork", [True, False])
def test_a_worker_lives_no_longer_than_its_parent(tmp_path: Path, fork: bool) -> None:
    file = tmp_path / "pid"
    code = f"Worker(sleeps, fork={fork}).ask({{'file': sys.argv[1]}}); time.sleep(600)"
    with script(code, file) as parent:
        assert until(lambda: file.exists() and file.read_text())
        parent.kill()
        assert until(lambda: gone(int(file.read_text())), 10)


def test_whatever_ends_a_worker_is_an_answer_and_the_next_question_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[runner.Work, Payload, str | None]] = [
        (eats, {"bytes": 10}, None),
        (spins, {}, "no answer within 0.2 s of computing"),
        (eats, {"bytes": 1 << 30}, "MemoryError"),
        (partial(trouble_at_three, "death"), {"x": 3}, "died (exit code -9)"),
        (sleeps, {"file": str(tmp_path / "pid")}, "stopped by the clock, the last guard"),
        (eats, {"bytes": 10}, None),
    ]
    with Worker(lambda payload: asked[payload["n"]][0](asked[payload["n"]][1]), fork=True) as worker:
        for n, (work, _, failure) in enumerate(asked):
            # On a busy machine a fifth of a second of computing may take long.
            monkeypatch.setattr(worker_module, "LAST_GUARD", 1 if work is sleeps else 100)
            worker.ask({"n": n}, Budget(0.2, memory=100 << 20))
            answer = worker.answer()
            assert answer.value == (10 if failure is None else None)
            assert (failure or "") in (answer.failure or "")


# --- the journal ------------------------------------------------------------------------------------------


def test_a_run_on_top_of_another_is_refused_and_its_own_resume_does_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path)
    with pytest.raises(RunError, match=r"8 finished pieces .* --resume, or choose another --output"):
        run(tmp_path)
    for count, seed, differs in ((8, 2, "seed: there 1, here 2"), (9, 1, "shards")):
        with pytest.raises(RunError, match=rf"another run \({differs}"):
            runner.run(shards(count), square, tmp_path, {"seed": seed}, Engine(), resume=True)
    with monkeypatch.context() as edited:
        edited.setattr(runner.journal, "simulation_versions", lambda: {"source": "edited"})
        with pytest.raises(RunError, match=r"versions.*edited"):
            run(tmp_path, resume=True)
    assert run(tmp_path, resume=True) == WHOLE
    assert CALLS == []


SLOWLY = "runner.run(shards(400), where, Path(sys.argv[1]), {}, Engine(2), resume=True)"


def test_killed_at_any_moment_nothing_finished_is_lost(tmp_path: Path) -> None:
    chance, finished, journal = random.Random(5), 0, tmp_path / NAME
    for _ in range(4):
        size = journal.stat().st_size if journal.exists() else 0
        with script(SLOWLY, tmp_path) as process:
            assert until(lambda: journal.exists() and journal.stat().st_size > size + 20_000)  # noqa: B023
            time.sleep(chance.uniform(0, 0.3))
            process.kill()
        with Journal(journal) as intact:
            assert not intact.damaged
            assert finished < len(intact.kept) < 400
            finished = len(intact.kept)
            assert all(value["square"] == int(key[1:]) ** 2 for key, value in intact.kept.items() if key)


@settings(max_examples=40, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), cut=st.booleans(), value=st.integers(0, 255))
def test_a_damaged_file_gives_the_same_results_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, place: float, cut: bool, value: int
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    run(folder)
    data = (folder / NAME).read_bytes()
    at = int(place * len(data))
    (folder / NAME).write_bytes(data[:at] if cut else data[:at] + bytes([value]) + data[at + 1 :])
    assert run(folder, resume=True) == WHOLE


def test_a_result_changed_on_the_disk_is_computed_again(tmp_path: Path) -> None:
    run(tmp_path)
    data = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(data.replace(b'"square":49', b'"square":50'))
    assert run(tmp_path, resume=True) == WHOLE
    assert CALLS == [7]


@pytest.mark.parametrize("notes", ["my notes\n" * 100, "my notes", '{"key":1}\n', "\n"])
def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path, notes: str) -> None:
    (tmp_path / NAME).write_text(notes)
    with pytest.raises(RunError, match="no record of a run: move it away"):
        run(tmp_path)
    assert (tmp_path / NAME).read_text() == notes


def test_a_journal_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / ENDED).write_bytes(b"SQLite format 3")
    with pytest.raises(RunError, match=r"journal.sqlite, which an earlier version wrote .* choose another --output"):
        run(tmp_path, resume=True)


def test_a_line_that_a_kill_has_torn_is_cut_off(tmp_path: Path) -> None:
    run(tmp_path)
    whole = (tmp_path / NAME).read_bytes()
    for size in range(len(whole) - 40, len(whole)):
        (tmp_path / NAME).write_bytes(whole[:size])
        with Journal(tmp_path / NAME) as journal:
            assert not journal.damaged
            assert len(journal.kept) == 8
            journal.put("n7", WHOLE["n7"])
        assert (tmp_path / NAME).read_bytes() == whole


def test_two_runs_cannot_write_to_one_folder_nor_one_what_json_cannot_hold(tmp_path: Path) -> None:
    with Journal(tmp_path / NAME) as journal:
        assert "is in use" in said(script("run(Path(sys.argv[1]))", tmp_path))
        with pytest.raises(ValueError, match="JSON"):
            journal.put("a", float("nan"))
        assert journal.kept == {}


@pytest.mark.parametrize("place", ["/proc/none", "/dev/null/below", "/sys/kernel"])
def test_an_unwritable_folder_is_refused_before_any_work(place: str) -> None:
    with pytest.raises(RunError, match=r"--output = .* cannot write there"):
        run(Path(place))
    assert CALLS == []


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
run(Path(sys.argv[1]), where)
"""


@pytest.mark.parametrize("size", [8_000, 15_000, 20_000])
def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path, size: int) -> None:
    last = said(script(FULL, tmp_path, size)).splitlines()[-1]
    assert "make room; what is finished is kept: run again with --resume" in last
    assert without_place(run(tmp_path, resume=True)) == WHOLE
    assert 0 < len(CALLS) < 8


# --- progress ---------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_speed_and_time_left_and_a_log_is_not_flooded() -> None:
    screen, log = Terminal(), io.StringIO()
    for stream in (screen, log):
        bar = Progress(total=100, before=50, unit="rounds", stream=stream)
        time.sleep(0.02)
        bar.add(25)
        bar.clear()
    line, empty, _ = screen.getvalue().split("\r")[1:]
    assert all(part in line for part in ("75%", "rounds/s", "0:00 left"))
    assert len(line) == len(empty) == 79
    assert log.getvalue() == ""


# --- a cluster --------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """A scheduler and worker processes on this machine, as a user would start them."""
    address = f"tcp://127.0.0.1:{free_port()}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    scheduler = ["distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"]
    worker = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    commands = [scheduler]
    commands += [[*worker, "--local-directory", str(folder / str(n))] for n in range(workers)]
    with open(folder / "cluster.log", "w") as log:
        started = [
            subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=log, stderr=log)
            for command in commands
        ]
        try:
            yield address
        finally:
            for process in reversed(started):  # a worker that loses its scheduler first may hang
                process.kill()
                process.wait(30)


ON_CLUSTER = """
from distributed import Client
folder, address, count = sys.argv[1:]
with Client(address) as client:
    client.wait_for_workers(int(count == "8") + 1, timeout=60)
print(json.dumps(runner.run(shards(int(count)), where, Path(folder), {}, Engine(dask=address))))
"""


def test_a_cluster_gives_the_same_results_survives_a_lost_worker_and_reports_its_end(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as address:
        with script(ON_CLUSTER, tmp_path / "first", address, 8) as process:
            found = json.loads(process.communicate(timeout=90)[0])
        pids = [result["where"][0] for result in found.values()]
        assert without_place(found) == WHOLE
        assert len({*pids}) == 2
        process = script(ON_CLUSTER, tmp_path / "second", address, 400)
        journal = tmp_path / "second" / NAME
        assert until(lambda: journal.exists() and journal.stat().st_size > 10_000)
        os.kill(pids[0], signal.SIGKILL)
        size = journal.stat().st_size
        assert until(lambda: journal.stat().st_size > size + 8_000)
    last = said(process).splitlines()[-1]
    assert "the cluster was lost" in last
    assert "run again with --resume" in last


def test_a_worker_with_other_code_is_refused() -> None:
    ours = versions.simulation_versions()
    assert scheduler._elsewhere(square, {"x": 1}, ours)["square"] == 1
    with pytest.raises(RunError, match=r"a worker on .* differs: source .* for other"):
        scheduler._elsewhere(square, {"x": 1}, {**ours, "source": "other"})


def test_without_the_extra_or_a_scheduler_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "scheduler.CLUSTER_WAIT = 1; run(Path(sys.argv[1]), dask=sys.argv[2])"
    process = script(code, tmp_path, f"tcp://127.0.0.1:{free_port()}")
    assert "no scheduler with a worker answers there" in said(process).splitlines()[-1]
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'glbcheck\[distributed\]'"):
        run(tmp_path, dask="tcp://127.0.0.1:1")
