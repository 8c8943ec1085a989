"""Compiled code is kept under the fingerprint of its sources, or not at all: a stale kernel is never run."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core import _hands, _unused
from glbcheck.core._numba import apart
from glbcheck.core.names import OURS
from glbcheck.core.simulation.cells import play_several
from glbcheck.core.simulation.grid import Block
from numba.core import event

from glbcheck import compiling

# A package of two modules: what `outer` returns is decided by `inner`, whose change numba does not notice.
OUTER = """from tiny._numba import compiled
from tiny.inner import inner
@compiled
def outer(x):
    return inner(x) + 1.0
"""
INNER = """from tiny._numba import compiled
@compiled
def inner(x):
    return x * {factor}
"""
OTHER = OUTER.replace("outer", "other")
ASK = "from tiny.{name} import {name}; print({name}(10.0), sum({asked}.stats.cache_hits.values()))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(Path(__file__).parents[3] / "core" / "_numba.py", folder)
    (folder / "outer.py").write_text(OUTER)
    (folder / "other.py").write_text(OTHER)
    return folder


def asked(
    package: Path, factor: str | None, name: str = "outer", of: str = "outer.whole", **environment: str
) -> tuple[float, int]:
    """What a function answers in a process of its own, and how often it, or a part of it, was found in the cache."""
    inner, text = package / "inner.py", INNER.format(factor=factor)
    if factor is not None and (not inner.exists() or inner.read_text() != text):
        inner.write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))}
    done = subprocess.run(
        [sys.executable, "-c", ASK.format(name=name, asked=of)], cwd=package.parent, env={**kept, **environment},
        text=True, check=True, capture_output=True,
    )  # fmt: skip
    value, hits = done.stdout.split()
    return float(value), int(hits)


def test_a_second_process_compiles_nothing_and_a_changed_source_is_compiled_anew(package: Path, tmp_path: Path) -> None:
    for factor, expected in (("2.0", (21.0, 0)), ("2.0", (21.0, 1)), ("3.0", (31.0, 0))):
        assert asked(package, factor, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == expected
    assert not list(package.rglob("*.nbi"))


def test_a_part_that_is_kept_is_not_compiled_again_for_another_caller(package: Path, tmp_path: Path) -> None:
    part = "__import__('tiny.inner').inner.inner._part"
    for name, hits in (("outer", 0), ("other", 1)):
        assert asked(package, "2.0", name, part, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == (21.0, hits)


def test_a_function_apart_is_compiled_once_for_all_its_callers_in_every_process(package: Path, tmp_path: Path) -> None:
    apart = INNER.replace("tiny._numba import compiled", "tiny._numba import apart, compiled").replace(
        "@compiled\ndef inner(x):", "@compiled\n@apart\ndef inner(x) -> 'float':"
    )
    (package / "inner.py").write_text(apart.format(factor="2.0"))
    code = "__import__('tiny.inner').inner.inner.alone"
    for name, hits, seed in (("outer", 0, "1"), ("other", 1, "2"), ("outer", 1, "3")):
        found = asked(package, None, name, code, NUMBA_CACHE_DIR=str(tmp_path / "cache"), PYTHONHASHSEED=seed)
        assert found == (21.0, hits)
    assert asked(package, None, "outer", code, NUMBA_CACHE_DIR=str(package / "__init__.py")) == (21.0, 0)


@pytest.mark.parametrize("words", ["", " -> 'list[float]'"])
def test_a_function_apart_must_say_what_it_returns(words: str) -> None:
    made: dict[str, Any] = {}
    exec(f"def f(x){words}: return x", made)
    with pytest.raises(TypeError, match="f must be annotated to return one of int, float"):
        apart(made["f"])


def left_alone(pid: int) -> bool:
    """Does the process end within some seconds?"""
    for _ in range(300):
        try:
            if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return True  # ended, and nobody asked how
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_hands.COMPILERS, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda who: {0, 1}, raising=False)


def test_a_second_process_works_beside_the_first_and_ends_when_it_is_told(two_cores: None, tmp_path: Path) -> None:
    helper = _hands.Helper()
    helper.offer(partial(int, "not a number"), tmp_path)  # an error of one task is not the end of others
    helper.offer(task := partial(Path.write_text, tmp_path / "done", "done"), tmp_path)
    assert helper.latest_first([list, task]) == [task, list]
    while not (tmp_path / "done").exists():
        time.sleep(0.05)
    process = helper._process
    helper.end()
    assert process is not None
    assert process.returncode == 0


@pytest.mark.parametrize("why", ["told not to", "one core", "forked"])
def test_no_second_process_is_started_where_it_would_not_help(
    why: str, two_cores: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = _hands.Helper()
    if why == "told not to":
        monkeypatch.setenv(_hands.COMPILERS, "1")
    elif why == "one core":
        monkeypatch.setattr(os, "sched_getaffinity", lambda who: {0})
    else:
        monkeypatch.setattr(os, "getpid", lambda: -1)
    helper.offer(partial(int), tmp_path)
    assert helper._process is None


@pytest.mark.needs("proc")
def test_the_second_process_dies_with_the_first(two_cores: None, tmp_path: Path) -> None:
    work = (
        "import time; from functools import partial; from pathlib import Path; from glbcheck.core import _hands\n"
        "_hands.HELPER.offer(partial(time.sleep, 600), Path.cwd())\n"
        "print(_hands.HELPER._process.pid, flush=True); time.sleep(600)"
    )
    patched = "import os; os.sched_getaffinity = lambda who: {0, 1}\n" + work
    with subprocess.Popen([sys.executable, "-c", patched], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        second = int(first.stdout.readline())
        first.kill()
    assert left_alone(second)


CELLS = Block(
    index=("exact", "closed-form"), algorithms=(OURS, "greedy"), arms=("sphere:4", "changing:4"),
    dispersions=("constant:1", "decades:0.1:1"), T=(30,),
).cells()  # fmt: skip


def test_what_cells_play_is_compiled_before_them_and_nothing_else() -> None:
    compiling.compile_engine(CELLS, io.StringIO())
    compiled: list[object] = []
    with event.install_listener("numba:compile", Listening(compiled)):
        for cell in CELLS:
            play_several(cell, (0, 1), 1)
    assert not compiled


class Listening(event.Listener):  # type: ignore[misc]
    """Notes what is compiled."""

    def __init__(self, notes: list[object]) -> None:
        self.notes = notes

    def on_start(self, event: Any) -> None:
        self.notes.append(event.data)

    def on_end(self, event: Any) -> None:
        pass


def test_of_two_processes_that_start_together_one_compiles_and_the_other_waits_for_it(
    package: Path, tmp_path: Path
) -> None:
    (package / "inner.py").write_text(INNER.format(factor="2.0"))
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(asked, package, "2.0", NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert sorted(one.result() for one in both) == [(21.0, 0), (21.0, 1)]


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_without_a_place_to_keep_it_nothing_is_kept(package: Path, tmp_path: Path, variable: str) -> None:
    blocked = tmp_path / "blocked"
    blocked.touch()  # a file, where nobody can make a directory, not even root
    for factor, expected in (("2.0", 21.0), ("3.0", 31.0)):
        assert asked(package, factor, **{variable: str(blocked)}) == (expected, 0)
    assert not list(tmp_path.rglob("*.nbi"))


# --- what is not used any more ----------------------------------------------------------------------------------


def folder(place: Path, days: float = 0.0, mark: bool = True) -> Path:
    """A folder that was used so many days ago."""
    place.mkdir(parents=True)
    (place / "kernel.nbc").touch()
    if mark:
        (place / _unused.MARK).touch()
        os.utime(place / _unused.MARK, (then := time.time() - days * 24 * 3600.0, then))
    return place


def test_folders_unused_for_a_month_are_removed_by_a_new_one_and_no_others(tmp_path: Path) -> None:
    old, recent = folder(tmp_path / ("a" * 16), 31), folder(tmp_path / ("b" * 16), 29)
    others = [folder(tmp_path / ("c" * 16), mark=False), folder(tmp_path / "of-somebody-else", 31), recent]
    own = folder(tmp_path / ("d" * 16), mark=False)
    _unused.hold(own)
    assert set(tmp_path.iterdir()) == {*others, own}
    folder(old, 31)
    _unused.hold(own)  # it is not new any more, and looks no further
    assert old.exists()


def test_a_folder_in_use_is_not_removed_however_long_it_has_been_in_use(tmp_path: Path) -> None:
    used, own = folder(tmp_path / ("a" * 16), 31), folder(tmp_path / ("d" * 16))
    work = f"import sys; from pathlib import Path; from glbcheck.core import _unused\n_unused.hold(Path({str(used)!r}))"
    with subprocess.Popen(
        [sys.executable, "-c", f"{work}\nprint('held', flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        os.utime(used / _unused.MARK, (0, 0))
        _unused.forget(own)
        assert used.exists()
        process.communicate()
    _unused.forget(own)
    assert not used.exists()


def test_what_cannot_be_removed_or_was_removed_already_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / ("a" * 16)).touch()  # a file
    _unused.forget(tmp_path / ("d" * 16))
    _unused.forget(tmp_path / "nowhere" / ("d" * 16))
    assert (tmp_path / ("a" * 16)).exists()
