"""The runner: every piece of work once, the same results for any workers, nothing finished ever lost."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify import runner
from glbcheck.verify.journal import NAME, Journal, RunError, canonical
from glbcheck.verify.progress import Progress
from glbcheck.verify.runner import Engine, Payload, Shard
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent
CALLS: list[int] = []


def square(payload: Payload) -> dict[str, Any]:
    CALLS.append(payload["x"])
    return {"square": payload["x"] ** 2, "third": payload["x"] / 3}


def fails_at_three(payload: Payload) -> dict[str, Any]:
    if payload["x"] == 3:
        raise RunError("three")
    return square(payload)


def stops_at_three(payload: Payload) -> dict[str, Any]:
    if payload["x"] == 3:
        raise KeyboardInterrupt
    return square(payload)


def shards(count: int) -> list[Shard]:
    return [Shard(f"n{x}", 1, {"x": x}) for x in range(count)]


WHOLE = {f"n{x}": {"square": x * x, "third": x / 3} for x in range(8)}


def run(folder: Path, work: runner.Work = square, resume: bool = False, **engine: Any) -> dict[str, Any]:
    CALLS.clear()
    return runner.run(shards(8), work, folder, {"seed": 1}, Engine(**engine), resume)


@pytest.mark.parametrize("workers", [1, 2, 20])
def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path, workers: int) -> None:
    assert run(tmp_path, workers=workers) == WHOLE


def test_several_workers_are_as_many_processes_and_none_is_left(tmp_path: Path) -> None:
    found = run(tmp_path, where, workers=2)
    pids = {result["pid"] for result in found.values()}
    assert len(pids) == 2
    assert os.getpid() not in pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def dies_at_three(payload: Payload) -> dict[str, Any]:
    if payload["x"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return square(payload)


@pytest.mark.parametrize("work", [fails_at_three, dies_at_three])
def test_a_worker_that_fails_or_dies_stops_the_run_and_loses_nothing(
    tmp_path: Path, work: runner.Work
) -> None:
    with pytest.raises(RunError, match=r"(three|died); what is finished is kept: run again with --resume"):
        run(tmp_path, work, workers=2)
    assert run(tmp_path, resume=True) == WHOLE
    assert 3 in CALLS


def test_a_second_run_into_the_same_folder_is_refused_and_loses_nothing(tmp_path: Path) -> None:
    run(tmp_path)
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(RunError, match=r"8 finished pieces .* --resume, or choose another --output"):
        run(tmp_path)
    assert (tmp_path / NAME).read_bytes() == before


def test_resume_does_nothing_twice(tmp_path: Path) -> None:
    run(tmp_path)
    assert run(tmp_path, resume=True) == WHOLE
    assert CALLS == []


@settings(max_examples=40, deadline=None)
@given(keep=st.floats(0, 1))
def test_a_journal_cut_anywhere_resumes_to_the_same_results(
    tmp_path_factory: pytest.TempPathFactory, keep: float
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    run(folder)
    whole = (folder / NAME).read_bytes()
    cut = whole[: round(keep * len(whole))]
    (folder / NAME).write_bytes(cut)
    assert run(folder, resume=True) == WHOLE
    kept = max(cut.count(b"\n") - 1, 0)
    assert len(CALLS) == 8 - kept
    assert (folder / NAME).read_bytes().count(b"\n") == 9


@settings(max_examples=40, deadline=None)
@given(number=st.integers(1, 8), share=st.floats(0, 1, exclude_max=True))
def test_a_damaged_line_is_noticed_and_its_work_done_again(
    tmp_path_factory: pytest.TempPathFactory, number: int, share: float
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    run(folder)
    lines = (folder / NAME).read_bytes().splitlines(keepends=True)
    place = int(share * (len(lines[number]) - 1))
    other = b"6" if lines[number][place] == ord("5") else b"5"
    lines[number] = lines[number][:place] + other + lines[number][place + 1 :]
    (folder / NAME).write_bytes(b"".join(lines))
    assert run(folder, resume=True) == WHOLE
    assert len(CALLS) == 1


def test_resume_with_another_identity_is_refused_and_says_what_differs(tmp_path: Path) -> None:
    run(tmp_path)
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(RunError, match=r"another run \(seed: there 1, here 2\)"):
        runner.run(shards(8), square, tmp_path, {"seed": 2}, Engine(), resume=True)
    with pytest.raises(RunError, match="shards"):
        runner.run(shards(9), square, tmp_path, {"seed": 1}, Engine(), resume=True)
    assert (tmp_path / NAME).read_bytes() == before


def test_resume_with_other_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    monkeypatch.setattr(runner, "source_digest", lambda: "edited")
    with pytest.raises(RunError, match=r"versions.*edited"):
        run(tmp_path, resume=True)


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("my notes\n")
    with pytest.raises(RunError, match="not a journal"):
        run(tmp_path, resume=True)
    assert (tmp_path / NAME).read_text() == "my notes\n"


@pytest.mark.parametrize(("work", "error"), [(fails_at_three, RunError), (stops_at_three, KeyboardInterrupt)])
def test_what_was_finished_before_a_failure_is_kept(
    tmp_path: Path, work: runner.Work, error: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error):
        run(tmp_path, work, workers=1)
    said = capsys.readouterr().err
    assert ("continue with --resume" in said) == (error is KeyboardInterrupt)
    assert run(tmp_path, resume=True) == WHOLE
    assert 3 in CALLS
    assert len(CALLS) < 8


def test_two_runs_cannot_write_to_one_folder(tmp_path: Path) -> None:
    with closing(Journal(tmp_path, {}, resume=False)), pytest.raises(RunError, match="is in use"):
        Journal(tmp_path, {}, resume=True)


@pytest.mark.parametrize("place", ["/proc/none", "/dev/null/below"])
def test_an_unwritable_folder_is_refused_before_any_work(place: str) -> None:
    with pytest.raises(RunError, match=r"--output = .* cannot write there"):
        run(Path(place))
    assert CALLS == []


def test_results_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"x": float("nan")})


FULL = """
import resource, sys
from pathlib import Path
from tests.test_runner import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
run(Path(sys.argv[1]))
"""


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    run(tmp_path / "whole")
    size = (tmp_path / "whole" / NAME).stat().st_size
    command = [sys.executable, "-c", FULL, str(tmp_path / "full"), str(size // 2)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "make room and run again with --resume" in done.stderr
    assert (tmp_path / "full" / NAME).stat().st_size == size // 2
    assert run(tmp_path / "full", resume=True) == WHOLE
    assert 0 < len(CALLS) < 8


def test_the_limit_of_this_process_is_untouched() -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


# --- progress ---------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_speed_and_time_left() -> None:
    screen = Terminal()
    bar = Progress(total=100, before=50, unit="rounds", stream=screen)
    time.sleep(0.02)
    bar.add(25)
    line = screen.getvalue().rsplit("\r", 1)[-1]
    assert "75%" in line
    assert "rounds/s" in line
    assert "0:00 left" in line
    assert len(line.rstrip("\n")) <= 79
    bar.clear()
    assert screen.getvalue().endswith(" \r")


def test_a_log_is_not_flooded() -> None:
    log = io.StringIO()
    bar = Progress(total=1000, before=0, unit="rounds", stream=log)
    for _ in range(1000):
        bar.add(1)
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
            subprocess.Popen(
                [sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
            for command in commands
        ]
        try:
            yield address
        finally:
            for process in reversed(started):  # a worker that loses its scheduler first may hang
                process.kill()
                process.wait(30)


ON_CLUSTER = """
import json, sys
from pathlib import Path
from glbcheck.verify import runner
from glbcheck.verify.runner import Engine
from tests import test_runner
from distributed import Client
with Client(sys.argv[2]) as client:
    client.wait_for_workers(2, timeout=60)
found = runner.run(test_runner.shards(8), test_runner.where, Path(sys.argv[1]), {}, Engine(dask=sys.argv[2]))
print(json.dumps(found))
"""


def where(payload: Payload) -> dict[str, Any]:
    time.sleep(0.1)  # long enough for the scheduler to share the work
    return {**square(payload), "pid": os.getpid()}


def test_a_cluster_of_two_processes_gives_the_same_results(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as address:
        command = [sys.executable, "-c", ON_CLUSTER, str(tmp_path / "run"), address]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
    pids = {result.pop("pid") for result in found.values()}
    assert found == WHOLE
    assert len(pids) == 2
    assert os.getpid() not in pids


MANY_ON_CLUSTER = ON_CLUSTER.replace("shards(8)", "shards(400)")


def test_a_lost_worker_costs_nothing_and_a_lost_cluster_is_reported(tmp_path: Path) -> None:
    output = tmp_path / "run"

    def results() -> list[dict[str, Any]]:
        text = (output / NAME).read_text() if (output / NAME).exists() else ""
        complete = text[: text.rfind("\n") + 1].splitlines()
        return [json.loads(line)["record"]["result"] for line in complete[1:]]

    def wait_for(count: int) -> None:
        while len(results()) < count and process.poll() is None:
            time.sleep(0.05)

    with cluster(tmp_path, workers=2) as address:
        command = [sys.executable, "-c", MANY_ON_CLUSTER, str(output), address]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        wait_for(10)
        os.kill(results()[0]["pid"], signal.SIGKILL)
        done = len(results())
        wait_for(done + 20)
    _, said = process.communicate(timeout=60)
    assert "the cluster was lost" in said.splitlines()[-1]
    assert "run again with --resume" in said.splitlines()[-1]
    assert len(results()) >= done + 20


def test_a_worker_with_other_code_is_refused() -> None:
    expected = {**runner.versions(), "source": "other"}
    with pytest.raises(RunError, match=r"a worker on .* differs: source .* for other"):
        runner._elsewhere(square, {"x": 1}, expected)
    assert runner._elsewhere(square, {"x": 1}, runner.versions())["square"] == 1


def test_without_the_extra_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RunError, match=r"pip install 'glbcheck\[distributed\]'"):
        run(tmp_path, dask="tcp://127.0.0.1:1")


def test_an_address_nobody_answers_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "CLUSTER_WAIT", 1)
    code = (
        "import sys; from pathlib import Path; from verify import runner; from tests.test_runner import run;"
        "runner.CLUSTER_WAIT = 1; run(Path(sys.argv[1]), dask=sys.argv[2])"
    )
    command = [sys.executable, "-c", code, str(tmp_path), f"tcp://127.0.0.1:{free_port()}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "no scheduler with a worker answers there" in done.stderr.splitlines()[-1]
