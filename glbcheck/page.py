"""A results folder as one HTML page: what `report` and `reproduce` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from glbcheck.command import UsageError, written

if TYPE_CHECKING:
    from glbcheck.verify.papers import Paper
    from glbcheck.verify.report.html import Bundle

PAGE = "report.html"


def write(folder: Path, output: Path, paper: Paper) -> tuple[Bundle, int]:
    """The page of a results folder, and what it shows; the anchors are those that the paper lists."""
    from glbcheck.verify.report.html import render
    from glbcheck.verify.report.html.bundle import read

    refuse_another_paper(folder, paper)
    bundle = read(folder, paper.places(), paper.letters)
    return bundle, written("--output", output, render(bundle), make_folder=True)


def refuse_another_paper(folder: Path, paper: Paper) -> None:
    """Results of one paper are not shown, or written, as those of another."""
    from glbcheck.verify import ledger

    try:
        named = ledger.read(folder / "results.json").get("paper", {}).get("name", paper.name)
    except ledger.ResultsError:
        return  # nothing to protect; who needs the file will say so
    if named != paper.name:
        raise UsageError(f"{folder}: holds the results of paper {named!r}, not of {paper.name!r}")
