"""Mutants of the learner, the engine and what is built on them: one small edit each, and which test notices it.

`python -m tests.engine_mutants` tries the edits of `NAMED` and one edit of every fourth function or constant;
`--all` tries every edit of the files that `core_mutants.json` does not call settled, and writes there what it found.
`--named` tries the first alone, `--seconds=10` gives each more tests, `--tests=fit,tuning` names files of tests, and
words choose files of core.  `--numbers` tries one edit of every function that certifies numbers or describes families,
and with `--all` every one.  `--registers` tries the edits of what only compiled code can do.
What is known from an earlier run is kept in `build/core_mutants.jsonl` as long as the file does not change; survivors
without a reason are tried again.
The exit code is 1 if a mutant survives that `tests.core_harmless` does not explain.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import NoReturn

from tests import core_battery, core_changes, core_record
from tests.core_battery import Battery, Test, varied
from tests.core_changes import CORE, Mutant
from tests.core_harmless import noticed_first, reason_for
from tests.core_record import EXPLAINED, NOTICED, OPEN

BUILD = Path(__file__).resolve().parent.parent / "build"
JOURNAL, NOTES = BUILD / "core_mutants.jsonl", BUILD / "core_tests.jsonl"
NOTES_OF_NUMBERS = BUILD / "number_tests.jsonl"
ONE_IN = 4  # functions that the sample takes an edit of
APART = "fitting/"  # its tests take seconds each: only by name
SECONDS = 2.0  # of tests for a mutant
SECONDS_OF_NUMBERS = 8.0


@dataclass(frozen=True)
class Named:
    """A text of a file that occurs once there, what stands in its place, and the test that must notice."""

    path: str
    old: str
    new: str
    test: str

    def __str__(self) -> str:
        return f"{self.path}: {self.old} becomes {self.new}"

    def change(self) -> None:
        text = (CORE / self.path).read_text()
        if text.count(self.old) != 1:
            raise ValueError(f"{self.path}: {self.old!r} occurs {text.count(self.old)} times, not once")
        changed = ast.parse(text.replace(self.old, self.new))
        line = text[: text.index(self.old)].count("\n") + 1
        owner = next(node for node in changed.body if node.lineno <= line <= (node.end_lineno or 0))
        core_changes.install(self.path, changed, owner)


NAMED = (
    Named("parameters.py", "getattr(self, name) < needed", "getattr(self, name) < 0.9 * needed",
          "a_constant_a_twentieth_below_what_is_needed_voids_the_guarantee"),
    Named("parameters.py", "self.R_s < whole_line(self.family).lower", "self.R_s < 0.9 * whole_line(self.family).lower",
          "the_repaired_theorem_needs_its_constant_on_the_whole_line"),
    Named("engine/arms.py", "DRIFT = 1e-12", "DRIFT = 1e-6", "a_norm_of_which_little_is_left_is_computed_afresh"),
    Named("engine/arms.py", "(abreast(values, k) >= level) &", "(abreast(values, k) > level) &",
          "when_all_indices_are_zero_the_most_uncertain_arm_is_played[alone]"),
    Named("engine/arms.py", "found = where((values[k] >= level)", "found = where((values[k] > level)",
          "when_all_indices_are_zero_the_most_uncertain_arm_is_played[in lockstep]"),
    Named("engine/feed.py", "self.course.stream(REWARDS, k)", "self.course.stream(REWARDS, 0)",
          "an_arm_that_stays_pays_its_own_stream_in_order[drawn by Python]"),
    Named("engine/feed.py", "self.stack[k] = self._draw", "self.stack[0] = self._draw",
          "an_arm_that_stays_pays_its_own_stream_in_order[drawn by Python]"),
    Named("engine/stacks.py", "restock(stacks[k], arms[k], recipes[k])", "restock(stacks[k], arms[0], recipes[k])",
          "an_arm_that_stays_pays_its_own_stream_in_order[drawn in compiled code]"),
    Named("engine/rounds.py", "block.streams[k], block.recipes[k]", "block.streams[0], block.recipes[k]",
          "an_arm_that_stays_pays_its_own_stream_in_order[drawn in compiled code]"),
    Named("engine/feed.py", "self._naturals(self.arms[0])", "self._naturals(self.arms[0][::-1])",
          "an_arm_that_stays_pays_its_own_stream_in_order"),
    Named("engine/rounds.py", "row, column = k, block.used[k]", "row, column = k, 0",
          "an_arm_that_stays_pays_its_own_stream_in_order"),
    Named("engine/rounds.py", "Pull(k, x, reward + c, g)", "Pull(k, x, reward, g)",
          "a_competitor_learns_from_what_the_adversary_shows"),
    Named("projection.py", "return max(stationarity, abs(norm(theta) - S) / S)", "return abs(norm(theta) - S) / S",
          "the_residual_of_a_projection_sees_a_wrong_multiplier"),
    Named("engine/mirror_descent.py", "while dot(out, out) > S * S:", "while dot(out, out) > 2 * S * S:",
          "a_step_brought_back_to_the_ball_is_not_a_rounding_error_outside"),
    Named("engine/optimum.py", "value + R * root(norm)", "value + R * root(norm) - 1e-6",
          "no_bound_of_the_exact_choice_is_below_the_value_it_bounds"),
    Named("engine/ends.py", "7.0 * TIE", "5.0 * TIE", "only_an_arm_that_is_three_ties_below_the_ball_is_put_away"),
    Named("engine/ends.py", "step = abs(facts.moved) *", "step = 0.9 * abs(facts.moved) *",
          "an_arm_that_was_put_away_is_back_when_C_t_has_come_to_its_end"),
    Named("engine/ends.py", "step = np.sqrt(quadratic", "step = 0.9 * np.sqrt(quadratic",
          "an_arm_that_was_put_away_is_back_when_C_t_has_come_to_its_end"),
    Named("engine/optimum.py", "_ACCURACY = 1e-13", "_ACCURACY = 1e-10",
          "a_value_next_to_that_of_the_ball_is_as_accurate_as_any_other"),
    Named("rivals/cw_oful.py", "return math.sqrt(g_max * d) / C if", "return math.sqrt(d) / C if",
          "cw_oful_weighs_by_its_noise_and_its_budget"),
    Named("competitors/mirror_descent.py", "course.dispersion_range()[0]", "course.dispersion_range()[1]",
          "tuned_glb_omd_has_the_ridge_of_the_smallest_dispersion"),
    Named("simulation/instances.py", "(first + 1 + np.arange(count)) % every == 0, top",
          "(first + np.arange(count)) % every == 0, top", "spikes_come_at_every_multiple_of_their_period"),
    Named("simulation/instances.py", "every == 0, top, base)", "every == 0, base, top)",
          "spikes_come_at_every_multiple_of_their_period"),
)  # fmt: skip


def named(battery: Battery) -> int:
    """Each edit of `NAMED` must fail the test that is named beside it, and is taken back by the end of its process."""
    lost = 0
    for mutant in NAMED:
        tests = [test for test in battery.tests if f"::test_{mutant.test}" in test.name]
        who = battery.noticed_by(mutant.change, tests) if tests else "no such test"
        if "::" not in who or battery.noticed_by(lambda: None, tests):
            lost += 1
            print(f"SURVIVES  {mutant}: {who or 'nobody notices'}", flush=True)
    print(f"{len(NAMED) - lost} of {len(NAMED)} named mutants noticed, each by its own test", flush=True)
    return lost


# --- the sample ---------------------------------------------------------------------------------------------------


class Trials:
    """Mutants, each with the test that notices it; a test that noticed an edit of the function comes first."""

    def __init__(self, battery: Battery, seconds: float) -> None:
        self.battery, self.seconds = battery, seconds
        self.by_name = {test.name: test for test in battery.tests}
        self.known = known()
        self.noticed: dict[str, Counter[str]] = {}
        for key, who in self.known.items():
            self._count(key, who)

    def _count(self, key: str, who: str) -> None:
        self.noticed.setdefault(key.rpartition(" ")[0], Counter())[who] += 1

    def tests_for(self, mutant: Mutant) -> list[Test]:
        """Those that are known to notice, then those that run the function, or for a constant its file."""
        name = noticed_first(mutant)
        first = [test for test in self.battery.tests if name and name in test.name]
        others = self.noticed.get(f"{mutant.path} {mutant.owner}", Counter()).most_common()
        first += [self.by_name[who] for who, _ in others if who in self.by_name]
        run_it = self.battery.for_function(mutant.path, mutant.owner, mutant.line)
        if not run_it and mutant.owner.upper() == mutant.owner:
            run_it = self.battery.for_file(mutant.path)
        then = varied(run_it, self.seconds)
        return list({test.name: test for test in (*first, *then)}.values())

    def outcome(self, mutant: Mutant) -> str:
        """The test that notices; empty if none does."""

        def change() -> None:
            core_changes.install(mutant.path, *mutant.tree())

        tests = self.tests_for(mutant)
        return self.battery.noticed_by(change, tests) if tests else f"{core_battery.NOT_TRIED}: no test runs it"

    def of(self, mutants: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """Each with who notices it; at the end those who noticed are asked whether they pass without an edit."""
        witnesses, untried = set(), []
        for mutant in mutants:
            who = self.known.get(mutant.key, "")
            if _is_noticed(who) or reason_for(mutant):
                witnesses.add(who)
                yield mutant, who
            else:
                untried.append(mutant)
        with JOURNAL.open("a") as journal:
            for mutant, who in self._tried(untried):
                journal.write(json.dumps([mutant.key, who]) + "\n")
                journal.flush()
                witnesses.add(who)
                yield mutant, who
        tests = [self.by_name[who] for who in witnesses if who in self.by_name]
        if liar := self.battery.noticed_by(lambda: None, tests):
            raise ValueError(f"{liar} fails without an edit too: what it noticed must be tried again")

    def _tried(self, mutants: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """By as many processes as there are cores for them; each takes a function with all its edits, then another."""
        functions = [list(edits) for _, edits in groupby(enumerate(mutants), lambda pair: pair[1].owner)]
        reading, writing = os.pipe()
        workers = len(os.sched_getaffinity(0))
        for first in range(workers):
            if os.fork() == 0:
                self._try_all(chain.from_iterable(functions[first::workers]), writing)
        os.close(writing)
        answered = 0
        with os.fdopen(reading) as lines:
            for line in lines:
                number, who = json.loads(line)
                answered += 1
                yield mutants[number], who
        if answered < len(mutants):
            raise RuntimeError(f"{len(mutants) - answered} mutants have no answer")

    def _try_all(self, numbered: Iterable[tuple[int, Mutant]], writing: int) -> NoReturn:
        """Write down each outcome, in a process that ends here."""
        try:
            with os.fdopen(writing, "w") as answers:
                for number, mutant in numbered:
                    who = self.outcome(mutant)
                    self._count(mutant.key, who)
                    print(json.dumps([number, who]), file=answers, flush=True)
        finally:
            os._exit(0)


def _is_noticed(who: str) -> bool:
    return bool(who) and not who.startswith(core_battery.NOT_TRIED)


def sampled(words: list[str], every: bool, numbers: bool = False) -> list[Mutant]:
    """Those of the chosen files, in the order of the words; in the sample one edit of every so many functions."""
    mutants = core_changes.all_mutants(numbers=numbers)
    if not every:
        mutants = core_changes.sample(mutants, 1 if numbers else ONE_IN)
    if not words:
        settled = {path for path in {m.path for m in mutants} if every and core_record.is_settled(path)}
        return [m for m in mutants if not m.path.startswith(APART) and m.path not in settled]
    return list(dict.fromkeys(m for word in words for m in mutants if m.path.startswith(word)))


def known() -> dict[str, str]:
    """Mutants of an earlier run, with the test that noticed or nothing."""
    if not JOURNAL.exists():
        return {}
    rows = [json.loads(line) for line in JOURNAL.read_text().splitlines()]
    return dict(rows)


def some(trials: Trials, mutants: list[Mutant], whole: bool = False) -> int:
    """The sample, or whole files; returns how many survive without an explanation."""
    outcomes: dict[Mutant, str] = {}
    for mutant, who in trials.of(mutants):
        outcomes[mutant] = NOTICED if _is_noticed(who) else EXPLAINED if reason_for(mutant) else OPEN
        if outcomes[mutant] == OPEN:
            print(f"SURVIVES  {mutant}{' (' + who + ')' if who else ''}", flush=True)
        if len(outcomes) % 50 == 0:
            print(f"{len(outcomes)} of {len(mutants)}", flush=True)
    if whole:
        core_record.write(outcomes)
    counts = Counter(outcomes.values())
    print(f"{counts[NOTICED]} of {len(mutants)} noticed, {counts[EXPLAINED]} explained, {counts[OPEN]} not explained")
    return counts[OPEN]


def registers(battery: Battery, words: list[str]) -> int:
    """Edits of code about registers, by tests that compile in their forks, first those that have its name in theirs."""
    mutants = [m for m in core_changes.all_mutants(plain=False) if not words or m.path.startswith(tuple(words))]
    trials = InRegisters(battery, 0.0)
    return some(trials, mutants)


class InRegisters(Trials):
    """Mutants of code about registers."""

    def tests_for(self, mutant: Mutant) -> list[Test]:
        name = mutant.owner.strip("_").partition(".")[0].lower()
        return sorted(self.battery.tests, key=lambda test: name not in test.name)


def main(arguments: list[str]) -> int:
    if "--registers" in arguments:
        words = [word for word in arguments if not word.startswith("-")]
        return core_battery.run(lambda battery: registers(battery, words), None, ("wide",), compiled=True)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        settings = {"NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, "-m", "tests.engine_mutants", *arguments], os.environ | settings)
    words = [word for word in arguments if not word.startswith("-")]
    numbers = "--numbers" in arguments
    usual = SECONDS_OF_NUMBERS if numbers else SECONDS
    seconds = next((float(word.partition("=")[2]) for word in arguments if word.startswith("--seconds=")), usual)

    def work(battery: Battery) -> int:
        lost = named(battery) if not words and not numbers else 0
        if "--named" not in arguments:
            mutants = sampled(words, "--all" in arguments, numbers)
            lost += some(Trials(battery, seconds), mutants, "--all" in arguments)
        return int(lost > 0)

    if "--named" in arguments:
        return core_battery.run(work, None, ("narrow", "ends"))
    chosen = next((word.partition("=")[2].split(",") for word in arguments if word.startswith("--tests=")), None)
    if numbers:
        return core_battery.run(work, NOTES_OF_NUMBERS, chosen or core_battery.NUMBERS, numbers=True)
    return core_battery.run(work, NOTES, chosen or core_battery.FILES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
