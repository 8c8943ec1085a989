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
        self.total, self.before, self.done, self.unit = total, before, before, unit
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
        rate = (self.done - self.before) / max(time.monotonic() - self._started, 1e-9)
        share, left = self.done / self.total if self.total else 1.0, "?"
        if rate > 0:
            minutes, seconds = divmod(round((self.total - self.done) / rate), 60)
            left = f"{minutes}:{seconds:02d}"
        bar = "#" * int(WIDTH * share)
        return f"[{bar:<{WIDTH}}] {share:4.0%}  {rate:.3g} {self.unit}/s  {left} left"[:79]
