"""An interactive Coq: one sentence at a time, so that a lemma that fails does not take others with it."""

from __future__ import annotations

import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from types import TracebackType

PROMPT = re.compile(rb"<prompt>.*?</prompt>", re.DOTALL)
ERROR = re.compile(r"Error:\s*(.*)", re.DOTALL)


class OutOfTime(Exception):
    """A sentence took longer than allowed."""


class Refused(Exception):
    """Coq does not accept a sentence."""


class Toplevel:
    """A running coqtop that has read an opening."""

    def __init__(self, flags: Sequence[str], opening: Sequence[str], seconds: float) -> None:
        program = shutil.which("coqtop")
        if program is None:
            raise Refused("coqtop is not installed")
        self.process = subprocess.Popen(
            [program, *flags, "-emacs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.pending, self.busy = b"", True
        try:
            self.answer(time.monotonic() + seconds)
            for sentence in opening:
                self.say(sentence, time.monotonic() + seconds)
        except (OutOfTime, Refused):
            self.__exit__(None, None, None)
            raise

    def __enter__(self) -> Toplevel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, sentence: str, deadline: float) -> str:
        """Coq's answer to one sentence."""
        assert self.process.stdin is not None
        self.busy = True
        self.process.stdin.write(sentence.encode() + b"\n")
        self.process.stdin.flush()
        answer = self.answer(deadline)
        if problem := ERROR.search(answer):
            raise Refused(" ".join(problem[1].split()))
        return answer

    def interrupt(self, seconds: float) -> None:
        """Stop what is under way and give the open proof up; `OutOfTime` if Coq goes on."""
        deadline = time.monotonic() + seconds
        if self.busy:
            self.process.send_signal(signal.SIGINT)
            self.answer(deadline)
        try:
            self.say("Abort.", deadline)
        except Refused:  # no proof was open
            return

    def answer(self, deadline: float) -> str:
        """What Coq prints up to its next prompt."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not (prompt := PROMPT.search(self.pending)):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise OutOfTime
                if not (more := os.read(self.process.stdout.fileno(), 1 << 16)):
                    raise Refused("Coq ended")
                self.pending += more
        self.busy = False
        text, self.pending = self.pending[: prompt.start()], self.pending[prompt.end() :]
        return text.decode(errors="replace")
