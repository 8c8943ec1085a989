"""How far a long run is: a bar for people at a terminal, a line now and then for a log."""

from __future__ import annotations

import sys
import time
from typing import TextIO

EVERY = 10.0  # seconds between two lines of a log
WIDTH = 24


class Progress:
    """Work done out of `total`, of which `before` was done in an earlier run."""

    def __init__(self, total: int, before: int, unit: str, stream: TextIO | None = None) -> None:
        self.total, self.before, self.unit = total, before, unit
        self.done = before
        self._stream = sys.stderr if stream is None else stream
        self._started = self._shown = time.monotonic()

    def add(self, work: int) -> None:
        self.done += work
        now = time.monotonic()
        if self._stream.isatty():
            print(f"\r{self.line():<79}", end="", file=self._stream, flush=True)
        elif now - self._shown >= EVERY:
            self._shown = now
            print(self.line(), file=self._stream, flush=True)

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._stream.isatty():
            print(f"\r{'':<79}\r", end="", file=self._stream, flush=True)

    def line(self) -> str:
        elapsed = time.monotonic() - self._started
        rate = (self.done - self.before) / elapsed if elapsed > 0 else 0.0
        share = self.done / self.total if self.total else 1.0
        bar = "#" * int(WIDTH * share)
        left = _clock((self.total - self.done) / rate) if rate > 0 else "?"
        return f"[{bar:<{WIDTH}}] {share:4.0%}  {rate:.3g} {self.unit}/s  {left} left"[:79]


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
