"""`pytest proofs_checks`: every claim is a test item, its verdict the word that `-v` prints.

Collected are the claims declared in the modules of any folder named in the ini option
`glbcheck_packages` (by default `proofs_checks`).  An item passes when the claim comes out as expected.
The rows travel inside the test reports, so the table and `results.json` are the same under xdist.

This module is loaded in every pytest session of the environment: nothing heavy is imported until a
claim is collected.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from glbcheck.verify.claim import Claim

_ROW = "glbcheck_row"
_INDEX = "glbcheck_index"
_WEAK = ("undecided", "gap", "refuted")


class ClaimFailed(Exception):
    """The claim did not come out as expected; the message says how."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("glbcheck", "claims of a paper")
    group.addoption(
        "--glbcheck-results",
        metavar="PATH",
        default=None,
        help="where to write the results of the claims (default: results/results.json in the rootdir)",
    )
    parser.addini("glbcheck_packages", "folders whose modules declare claims", "args", ["proofs_checks"])


def pytest_configure(config: pytest.Config) -> None:
    # Workers of xdist only run; the controlling process keeps the ledger.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config), "glbcheck-recorder")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".py" or file_path.name in ("__init__.py", "conftest.py"):
        return None
    if file_path.parent.parent.name not in parent.config.getini("glbcheck_packages"):
        return None
    return ClaimModule.from_parent(parent, path=file_path)


def pytest_report_teststatus(report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    if report.when != "call":
        return None
    row = _property(report, _ROW)
    if row is None:
        return None
    colour = "red" if report.failed else ("yellow" if row["verdict"] in _WEAK else "green")
    return report.outcome, "F" if report.failed else ".", (row["verdict"], {colour: True})


class ClaimModule(pytest.Module):
    """A module whose claims, not test functions, are its items."""

    def _getobj(self) -> Any:
        # Under its own name: a second copy under a path-made name would declare every claim twice.
        import importlib

        folder = self.path.parent
        if folder.parent.name == "proofs_checks":
            return importlib.import_module(f"glbcheck.proofs_checks.{folder.name}.{self.path.stem}")
        return super()._getobj()  # type: ignore[no-untyped-call]

    def collect(self) -> Iterator[pytest.Item]:
        from glbcheck.verify.registry import claims_in

        for claim in claims_in(self.obj):
            yield ClaimItem.from_parent(self, name=claim.id, claim=claim)


class ClaimItem(pytest.Item):
    """One claim as a test."""

    def __init__(self, *, claim: Claim, **others: Any) -> None:
        super().__init__(**others)
        self.claim = claim

    def runtest(self) -> None:
        from glbcheck.verify import ledger, registry
        from glbcheck.verify.judge import decide
        from glbcheck.verify.paper import INDEX_NAME

        package = self.claim.location.rpartition(":")[0].rpartition(".")[0]
        declared = registry.load(package) if package else list(registry.REGISTRY)
        complaint = ledger.graph_complaint(self.claim.id, {known.id: known.uses for known in declared})
        decision = decide(self.claim)
        self.user_properties.append((_ROW, ledger.row(decision)))
        self.user_properties.append((_INDEX, str(self.path.parent / INDEX_NAME)))
        problems = [*decision.problems, *([complaint] if complaint else [])]
        if problems:
            raise ClaimFailed("\n".join(problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ClaimFailed):
            return f"{excinfo.value}\n(declared at {self.claim.location})"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        line = int(self.claim.location.rpartition(":")[2] or 1)
        return self.path, line - 1, self.claim.id


class Recorder:
    """Gathers the rows that the reports bring, prints the table, writes the results."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rows: dict[str, dict[str, Any]] = {}
        self.index: str | None = None
        self.started = time.perf_counter()
        self.results: dict[str, Any] | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        row = _property(report, _ROW) if report.when == "call" else None
        if row is not None:
            self.rows[row["id"]] = row
            self.index = _property(report, _INDEX)

    def pytest_sessionfinish(self) -> None:
        if not self.rows:
            return
        from glbcheck.verify import ledger
        from glbcheck.verify.paper import identity

        self.results = ledger.results(self.rows.values(), identity(self.index))
        ledger.write(self.results, self.path())

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.results is None:
            return
        from glbcheck.verify.report.table import summary

        terminalreporter.section("claims", sep="=")
        for line in summary(self.results, time.perf_counter() - self.started):
            terminalreporter.write_line(line)
        terminalreporter.write_line(f"results: {self.path()}")

    def path(self) -> Path:
        chosen = self.config.getoption("--glbcheck-results")
        if chosen:
            return Path(self.config.invocation_params.dir, chosen)
        return self.config.rootpath / "results" / "results.json"


def _property(report: Any, name: str) -> Any:
    return next((value for key, value in getattr(report, "user_properties", []) if key == name), None)
