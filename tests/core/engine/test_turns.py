"""Whose turn it is to compile: one process at a time, a word to whoever waits long, and nobody waits for ever."""

from __future__ import annotations

import fcntl
import gc
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from glbcheck.core import _turns


@pytest.fixture(autouse=True)
def collects() -> Iterator[None]:
    """Unused objects are looked for before a test, and after it whatever it did."""
    gc.enable()
    yield
    gc.enable()


def is_held(lock: Path) -> bool:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def waiting_words() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer) and thread.is_alive()]


@pytest.mark.parametrize("folder", ["there", "not there yet/nor this"])
def test_a_turn_has_the_lock_as_long_as_it_lasts(folder: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    lock = tmp_path / folder / "lock"
    with _turns.turn(lock):
        assert is_held(lock)
    assert not is_held(lock)


def test_who_waits_for_a_turn_pauses_and_has_it_when_the_other_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, pauses = tmp_path / "lock", []
    other = lock.open("w")
    fcntl.flock(other, fcntl.LOCK_EX)

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        other.close()

    monkeypatch.setattr(time, "sleep", pause)
    with _turns.turn(lock):
        assert is_held(lock)
    assert pauses == [_turns._PAUSE]


def test_a_turn_within_a_turn_is_explained_once_and_the_next_one_again(tmp_path: Path) -> None:
    for _ in range(2):
        with _turns.turn(tmp_path / "one"), _turns.turn(tmp_path / "two"):
            assert is_held(tmp_path / "two")
            (word,) = waiting_words()
            assert word.daemon  # it keeps no process from ending
        word.join(5.0)
        assert not word.is_alive()


def test_the_first_turn_of_a_thread_is_explained() -> None:
    def words() -> int:
        with _turns.turn(None):
            return len(waiting_words())

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(words).result() == 1


@pytest.mark.parametrize("before", [True, False])
def test_unused_objects_are_not_looked_for_during_a_turn_and_after_it_as_before(before: bool) -> None:
    if not before:
        gc.disable()
    with _turns.turn(None):
        assert not gc.isenabled()
    assert gc.isenabled() == before


def test_where_files_cannot_be_locked_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_turns, "fcntl", None)
    with _turns.turn(tmp_path / "lock"):
        assert not gc.isenabled()
    assert not (tmp_path / "lock").exists()


@pytest.mark.parametrize(("kept", "words"), [(True, "kept for next time in"), (False, "no cache directory can be")])
def test_a_long_wait_for_the_compiler_is_explained_and_a_short_one_is_not(
    kept: bool, words: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "lock" if kept else None
    with _turns.turn(lock):
        pass
    assert not caplog.records
    monkeypatch.setattr(_turns, "SLOW", 0.0)
    with _turns.turn(lock):
        while not caplog.records:
            time.sleep(0.01)
    assert words in caplog.text


def test_a_lock_that_cannot_be_had_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with _turns.turn(tmp_path / "file" / "lock"):
        assert not gc.isenabled()
    assert gc.isenabled()
    monkeypatch.setattr(_turns, "PATIENCE", 0.1)
    with _turns.turn(tmp_path / "lock"), _turns.turn(tmp_path / "lock"):
        pass
