"""`pytest proofs_checks`: every claim is a test item, its verdict the word that `-v` prints.

Collected are the claims of every paper met on the way: a folder with a `paper.toml`, wherever it lies.  An
item passes when the claim comes out as expected.  The rows travel inside the test reports, so table and
results are the same under xdist.  Only a run of every claim of a paper counts as its results.

Load it with `-p glbcheck.verify.pytest_plugin`; nothing heavy is imported until a claim is collected.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from glbcheck.verify.claim import Claim
    from glbcheck.verify.papers import Paper

Collecting = Generator[None, list[pytest.Collector], list[pytest.Collector]]
_ROW = "glbcheck_row"
_PAPER = "glbcheck_paper"
_WEAK = ("undecided", "gap", "refuted")


class ClaimFailed(Exception):
    """The claim did not come out as expected; the message says how."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("glbcheck", "claims of a paper")
    group.addoption(
        "--glbcheck-results",
        metavar="PATH",
        default=None,
        help="where to write the results of the claims (default: results/PAPER/results.json)",
    )


def pytest_configure(config: pytest.Config) -> None:
    # Workers of xdist only run; the controlling process keeps the ledger.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config), "glbcheck-recorder")


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    # As a package pytest would import the folder itself, under a name of its own.
    return pytest.Dir.from_parent(parent, path=path) if _home(path / "any") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Collecting:
    collectors = yield
    home = _home(file_path) if file_path.suffix == ".py" and file_path.name != "conftest.py" else None
    if home is None:
        return collectors
    # A file that is named on the command line pytest would import a second time, under another name.
    tests = any(map(file_path.match, parent.config.getini("python_files")))
    return [ClaimFile.from_parent(parent, path=file_path, home=home), *(collectors if tests else ())]


def pytest_report_teststatus(report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    if report.when != "call":
        return None
    row = _property(report, _ROW)
    if row is None:
        return None
    colour = "red" if report.failed else ("yellow" if row["verdict"] in _WEAK else "green")
    return report.outcome, "F" if report.failed else ".", (row["verdict"], {colour: True})


class ClaimFile(pytest.File):
    """A module whose claims are its items."""

    def __init__(self, *, home: Path, **others: Any) -> None:
        super().__init__(**others)
        self.home = home

    def collect(self) -> Iterator[pytest.Item]:
        from glbcheck.verify import papers
        from glbcheck.verify.anchors import PaperError

        try:
            paper = papers.find(self.home)
            claims = paper.claims_of(self.path.parent.resolve() / self.path.name)
        except PaperError as err:
            raise self.CollectError(str(err)) from None
        for claim in claims:
            yield ClaimItem.from_parent(self, name=claim.id, claim=claim, paper=paper)


class ClaimItem(pytest.Item):
    """One claim as a test."""

    def __init__(self, *, claim: Claim, paper: Paper, **others: Any) -> None:
        super().__init__(**others)
        self.claim, self.paper = claim, paper

    def runtest(self) -> None:
        from glbcheck.verify import ledger
        from glbcheck.verify.judge import decide
        from glbcheck.verify.support import graph_complaint

        claim, paper = self.claim, self.paper
        declared = _declared(paper)
        graph = graph_complaint(claim, declared, tuple(paper.unprinted())) if declared else None
        complaints = (graph, paper.anchor_complaint(claim))
        decision = decide(claim, *self.paper.checked)
        problems = (*decision.problems, *filter(None, complaints))
        self.user_properties.append((_ROW, ledger.row(replace(decision, problems=problems))))
        self.user_properties.append((_PAPER, paper.facts(len(declared) if declared else None)))
        if problems:
            raise ClaimFailed("\n".join(problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from glbcheck.verify.anchors import PaperError
        from glbcheck.verify.registry import ClaimError

        if isinstance(excinfo.value, ClaimFailed | PaperError | ClaimError):
            return f"{excinfo.value}\n(declared at {self.claim.location})"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        line = int(self.claim.location.rpartition(":")[2] or 1)
        return self.path, line - 1, self.claim.id


class Recorder:
    """Gathers the rows that the reports bring, prints a table and writes the results of each paper."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rows: dict[str, dict[str, dict[str, Any]]] = {}
        self.facts: dict[str, dict[str, Any]] = {}
        self.started = time.perf_counter()
        self.written: list[tuple[Path, dict[str, Any]]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = _property(report, _PAPER) if report.when == "call" else None
        if facts is not None:
            row = _property(report, _ROW)
            self.facts[facts["name"]] = facts
            self.rows.setdefault(facts["name"], {})[row["id"]] = row

    def pytest_sessionfinish(self) -> None:
        for name, rows in self.rows.items():
            from glbcheck.verify import ledger

            found = ledger.results(rows.values(), self.facts[name])
            path = self.path(name, ledger.complete(found))
            ledger.write(found, path)
            self.written.append((path, found))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for path, found in self.written:
            from glbcheck.verify.ledger import complete
            from glbcheck.verify.report.counting import recorded
            from glbcheck.verify.report.table import summary

            name, total = found["paper"]["name"], found["paper"]["claims"] or "?"
            terminalreporter.section("claims" if len(self.written) == 1 else f"claims of {name}", sep="=")
            for line in summary(found, time.perf_counter() - self.started):
                terminalreporter.write_line(line)
            if number := recorded(found["claims"]):
                terminalreporter.write_line(f"Coq was not asked: {number} theorems are judged by their recorded check")
            if not complete(found):
                terminalreporter.write_line(f"partial: {len(found['claims'])} of {total} claims of {name} ran")
            terminalreporter.write_line(f"results: {path}")

    def path(self, name: str, whole: bool) -> Path:
        """Where the results of a paper go; those of a partial run never replace those of a whole one."""
        from glbcheck.verify.ledger import holds_complete

        chosen = self.config.getoption("--glbcheck-results")
        here = self.config.invocation_params.dir
        # Without a configuration file the rootdir is a guess, and may be the paper itself.
        path = (self.config.rootpath if self.config.inipath else here) / "results" / name / "results.json"
        if chosen:
            path = Path(here, chosen)
            path = path if len(self.rows) == 1 else path.parent / name / path.name
        aside = not whole and (chosen is None or holds_complete(path))
        return path.parent / "partial" / path.name if aside else path


@cache
def _declared(paper: Paper) -> dict[str, Claim] | None:
    """The claims of the paper by name; None if a module is broken, which its own collection reports."""
    from glbcheck.verify.anchors import PaperError

    try:
        return {claim.id: claim for claim in paper.claims()}
    except PaperError:
        return None


def _home(path: Path) -> Path | None:
    from glbcheck.verify.papers import around

    return around(path.parent.resolve() / path.name)


def _property(report: Any, name: str) -> Any:
    return next((value for key, value in getattr(report, "user_properties", []) if key == name), None)
