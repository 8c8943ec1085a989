"""The journal of a run over many questions: what was answered is not asked again after a stop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from glbcheck.verify import edits


class Asked(Protocol):
    """What the journal enters of a question."""

    @property
    def key(self) -> str: ...
    @property
    def claim(self) -> str: ...
    @property
    def edit(self) -> edits.Edit: ...


Q = TypeVar("Q", bound=Asked)
Way = Callable[[Q], str]


def answered(asked: Sequence[Q], way: Way[Q], put: Callable[[Way[Q], Q], tuple[Q, str]], journal: Path | None,
             workers: int) -> dict[str, str]:  # fmt: skip
    """The word on each question, from the journal where it is known; new ones are entered there."""
    stage = way.__name__
    known = {line["key"]: line["word"] for line in read(journal) if line["stage"] == stage}
    new = [question for question in asked if question.key not in known]
    if not new:
        return known
    with get_context("fork").Pool(workers, maxtasksperchild=500) as pool:
        for i, (question, word) in enumerate(pool.imap_unordered(partial(put, way), new), 1):
            known[question.key] = word
            _enter(journal, {"key": question.key, "stage": stage, "claim": question.claim,
                             "edit": question.edit.label, "word": word})  # fmt: skip
            print(f"\r{stage}: {i} of {len(new)}", end="", file=sys.stderr)
    return known


def read(journal: Path | None) -> list[dict[str, str]]:
    known = journal is not None and journal.exists()
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()] if journal and known else []


def _enter(journal: Path | None, line: Mapping[str, str]) -> None:
    if journal is not None:
        journal.parent.mkdir(parents=True, exist_ok=True)
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
