"""The tests that a mutant of `core` is put to: those that run its function, the fastest first, each in a fork.

The tests are the suite's own.  Compiled code is interpreted (`tests.plain_numbers`), so runs are short ones: a round
takes milliseconds, and the periods of the engine are shortened with the runs, so that what comes after thousands of
rounds comes after a few.  A test that takes long even so is left out.
"""

from __future__ import annotations

import gc
import inspect
import json
import linecache
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from zlib import crc32

import pytest

from tests import core_changes

TESTS = Path(__file__).resolve().parent
CORE = str(TESTS.parent / "core")
# Line by line; the loops of rounds are too long for that.
FOLLOWED = {str(file) for file in core_changes.files() if file.parent.name not in ("engine", "competitors")}
FOLLOWED |= {str(file) for file in core_changes.files(numbers=True)}
FILES = (
    "abreast", "adversary", "algorithm", "attack_plans", "bound_gap", "competitors", "conclusion_counts", "conclusions",
    "constants", "contexts", "datasets", "default_grids", "ends", "engine", "engine_beginning", "environment", "factor",
    "feed", "fit", "fit_laws", "fit_parts", "fit_residuals", "fit_small", "fit_words", "flat", "followed",
    "informative", "laws", "learner", "learner_accepted", "learner_delays", "learner_engine_state", "learner_monitor",
    "learner_pulls", "learner_replay", "learner_saving", "learner_states", "learner_tables", "link", "local_confidence",
    "narrow", "newcomers", "optimism", "optimum", "reaching", "relaxation",
    "rivals_constants", "rivals_descent", "rivals_linear", "rivals_refit", "scout",
    "simulate", "simulation_cells", "simulation_grids", "simulation_plays", "simulation_tables", "small_attacks",
    "small_competitors", "small_lanes", "small_laws", "small_numbers", "small_runs", "small_tracking", "start",
    "streams", "sweep", "tally", "taylor", "tracking", "tuning", "turning", "turns", "unknown_budget", "update",
    "variants",
)  # fmt: skip
# Those of what certifies numbers and describes families.
NUMBERS = (
    "balls", "balls_ends", "binomial", "catalog", "concordance_parts", "concordance_small", "constants", "divergences",
    "exact", "expression", "expression_limits", "extrema", "family", "family_small", "fit_residuals", "inversion",
    "inversion_parts", "jets", "link", "numeric", "prover_montecarlo", "suprema", "table", "tails", "translation",
)  # fmt: skip
LONGEST = 3  # seconds of processor time that a test may take
LONGEST_OF_NUMBERS = 4
NOT_TRIED = "not tried"
LONG = {"once", "exhibition"}  # fixtures that play whole grids
# Shorter runs, and periods that fit into them: module, name, value.
SHORT = (
    ("tests.test_engine", "ROUNDS", 50), ("tests.test_variants", "ROUNDS", 60),
    ("tests.test_competitors", "ROUNDS", 49), ("tests.test_competitors", "FEW", 30),
    ("tests.test_rivals_refit", "ROUNDS", 40), ("tests.test_rivals_linear", "T", 40),
    ("tests.test_contexts", "ROUNDS", 50), ("tests.test_abreast", "ROUNDS", 50), ("tests.test_scout", "ROUNDS", 50),
    ("glbcheck.core.competitors.descent", "BLOCK", 24),
    ("glbcheck.core.engine.mirror_descent", "REFRESH", 32), ("glbcheck.core.engine.feed", "BLOCK", 24),
    ("glbcheck.core.engine.feed", "STACK", 20), ("glbcheck.core.engine.feed", "DEPTH", 4),
    ("glbcheck.core.engine.lanes", "_EXACTLY", 16), ("glbcheck.core.engine.replicates", "BLOCK", 24),
)  # fmt: skip


@dataclass(frozen=True)
class Test:
    """A test that passes: how long it takes and which functions of core it runs."""

    item: pytest.Item
    seconds: float
    functions: frozenset[str]
    lines: frozenset[int]

    @property
    def name(self) -> str:
        return self.item.nodeid

    @property
    def order(self) -> float:
        """Quick ones first, and of these the ones that run little else."""
        return self.seconds * len(self.functions)


class Battery:
    """All tests that pass and are quick, as a plugin of pytest that is handed the collected ones."""

    def __init__(self, work: Callable[[Battery], int], notes: Path | None, numbers: bool = False) -> None:
        self.work, self.notes, self.numbers = work, notes, numbers
        self.tests: list[Test] = []
        self.status = 4

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = [item for item in session.items if not LONG & set(getattr(item, "fixturenames", ()))]
        self.tests = self._known(items, self.notes) if self.notes else [_untried(item) for item in items]
        total = sum(test.seconds for test in self.tests)
        print(f"{len(self.tests)} of {len(items)} tests, {total:.0f} s", flush=True)
        self.tests.sort(key=lambda test: test.order)
        self.warm()
        self.status = self.work(self)
        return True

    def _known(self, items: list[pytest.Item], notes: Path) -> list[Test]:
        """The tests that pass, tried unless the notes of an earlier run say what they do."""
        known = dict(map(json.loads, notes.read_text().splitlines())) if notes.exists() else {}
        begun: set[Path] = set()
        with notes.open("a") as written:
            for item in items:
                name = _name(item)
                if name not in known:
                    known[name] = _tried(item, self.numbers)
                    written.write(json.dumps([name, known[name]]) + "\n")
                    written.flush()
                    if known[name]["passed"] and item.path not in begun:
                        begun.add(item.path)
                        passes(item)  # here, so that the forks of the other tests find what it asked for
        passed = [(item, known[_name(item)]) for item in items if known[_name(item)]["passed"]]
        return [
            Test(item, note["seconds"], _with_owners(note["functions"]), frozenset(note["lines"]))
            for item, note in passed
        ]

    def warm(self) -> None:
        """A test of each file here, so that forks find what all of them ask for."""
        for test in {test.item.path: test for test in self.tests if test.seconds < 0.5}.values():
            passes(test.item)
        core_changes.remember()
        gc.freeze()

    def for_function(self, path: str, name: str, line: int) -> list[Test]:
        """The tests that run a line of a function; if it is not known which do, those that run the function."""
        run_it = [test for test in self.tests if f"{path}:{name}" in test.functions]
        return [test for test in run_it if line_id(str(TESTS.parent / "core" / path), line) in test.lines] or run_it

    def for_file(self, path: str) -> list[Test]:
        return [test for test in self.tests if any(f.startswith(f"{path}:") for f in test.functions)]

    def noticed_by(self, change: Callable[[], None], tests: list[Test]) -> str:
        """The first test that fails after the change; empty if all pass."""
        limit = int(4 * sum(test.seconds for test in tests)) + 4

        def trial() -> str:
            try:
                change()
            except core_changes.NotFound as error:
                return f"{NOT_TRIED}: {error}"
            return first_failure([test.item for test in tests])

        return str(in_fork(trial, limit, "a run that does not end"))


def varied(tests: list[Test], budget: float) -> list[Test]:
    """As many as the budget of seconds allows; the n-th case of a test waits as if it took n times as long."""
    seen: dict[str, int] = {}
    ranks = []
    for test in tests:
        name = test.name.partition("[")[0]
        seen[name] = seen.get(name, 0) + 1
        ranks.append((seen[name] * test.order, test))
    kept: list[Test] = []
    total = 0.0
    for _, test in sorted(ranks, key=lambda rank: rank[0]):
        if total + test.seconds <= budget or not kept:
            kept.append(test)
            total += test.seconds
    return kept


def _with_owners(functions: list[str]) -> frozenset[str]:
    """With each function the one that it was made in."""
    return frozenset(functions) | {name.partition(".<locals>")[0] for name in functions}


def _untried(item: pytest.Item) -> Test:
    return Test(item, 1.0, frozenset(), frozenset())


def line_id(file: str, line: int) -> int:
    """Of its text, which stays when others are added above."""
    return crc32(f"{file[len(CORE) :]} {linecache.getline(file, line)}".encode())


def _name(item: pytest.Item) -> str:
    text = inspect.getsource(item.function) if isinstance(item, pytest.Function) else ""
    return f"{item.nodeid} {sha256(text.encode()).hexdigest()[:12]}"


def passes(item: pytest.Item, following: pytest.Item | None = None) -> bool:
    """Asked without a report, which takes longer than most tests; what the following one shares is kept for it."""
    if hasattr(item, "_initrequest"):
        item._initrequest()
    passed = True
    try:
        item.ihook.pytest_runtest_setup(item=item)
        item.ihook.pytest_runtest_call(item=item)
    except pytest.skip.Exception:
        pass
    except (Exception, pytest.fail.Exception):
        passed = False
    with suppress(Exception):  # `tmp_path` misses the report
        item.ihook.pytest_runtest_teardown(item=item, nextitem=following)
    return passed


def first_failure(items: list[pytest.Item]) -> str:
    following = zip_longest(items, items[1:])
    return next((item.nodeid for item, then in following if not passes(item, then)), "")


def in_fork(work: Callable[[], Any], seconds: int, otherwise: Any) -> Any:
    """What the work returns in a process of its own; `otherwise` if it takes too long or dies."""
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ends[0])
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        signal.alarm(12 * seconds)
        try:
            found = work()
        except BaseException as error:
            found = f"{type(error).__name__}: {error}"[:200]
        with os.fdopen(ends[1], "w") as pipe:
            json.dump(found, pipe)
        os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0]) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else otherwise


def _lines_of(code: CodeType) -> set[int]:
    """Those that may be followed."""
    return {line for *_, line in code.co_lines() if line} if code.co_filename in FOLLOWED else set()


def _tried(item: pytest.Item, numbers: bool) -> dict[str, Any]:
    """Does the test pass in time, how long does it take, and which functions and lines of core does it run?"""

    def trial() -> dict[str, Any]:
        left: dict[CodeType, set[int]] = {}  # lines not yet run; a function that has none is not followed any more

        def trace(frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
            code = frame.f_code
            if code not in left:
                left[code] = _lines_of(code)
            return follow if left[code] else None

        def follow(frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
            left[frame.f_code].discard(frame.f_lineno)
            frame.f_trace_lines = bool(left[frame.f_code])
            return follow

        threading.settrace(trace)
        sys.settrace(trace)
        passed = passes(item)
        sys.settrace(None)
        threading.settrace(None)
        if numbers:
            core_changes.forget("glbcheck.core.translation")
        start = time.process_time()
        passed = passes(item) and passed  # as a mutant will find it, and not traced
        seconds = time.process_time() - start
        seen = [code for code in left if code.co_filename.startswith(CORE)]
        functions = sorted({f"{code.co_filename[len(CORE) + 1 :]}:{code.co_qualname}" for code in seen})
        lines = sorted({line_id(code.co_filename, n) for code in seen for n in _lines_of(code) - left[code]})
        return {"passed": passed, "seconds": seconds, "functions": functions, "lines": lines}

    found = in_fork(trial, LONGEST_OF_NUMBERS if numbers else LONGEST, "too long")
    return found if isinstance(found, dict) else {"passed": False, "why": found}


def run(
    work: Callable[[Battery], int],
    notes: Path | None,
    files: Iterable[str] = FILES,
    compiled: bool = False,
    numbers: bool = False,
) -> int:
    """Collect the tests in this process, which must not compile unless that is said, and hand them to the work."""
    if notes:
        notes.parent.mkdir(parents=True, exist_ok=True)
    battery = Battery(work, notes, numbers)
    arguments = [str(TESTS / f"test_{name}.py") for name in files if (TESTS / f"test_{name}.py").exists()]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", "--import-mode=importlib", "-s"]
    options += ["-W", "ignore::RuntimeWarning"]  # compiled code divides by zero without a word
    options += ["--hypothesis-profile=unshrunk"]  # which example fails does not matter
    pytest.main([*options, *arguments], plugins=[battery] if compiled else [battery, _Shorter()])
    return battery.status


class _Shorter:
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        from tests import plain_numbers  # what it changes must not be compiled

        plain_numbers.install()
        # What is found by a mutant must not be kept for others, nor hidden by what others found.
        sys.modules["glbcheck.core.family"].kept = lambda question, find: find()  # type: ignore[attr-defined]
        core_changes.remember()
        for module, name, value in SHORT:
            if module in sys.modules:
                core_changes.set_constant(name, getattr(sys.modules[module], name), value)
