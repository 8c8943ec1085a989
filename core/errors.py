"""One sentence for every refusal: which argument, what it was, what is accepted."""

from __future__ import annotations


class BadInput(ValueError):
    """An argument outside what a function accepts."""

    def __init__(self, argument: str, value: object, accepted: str) -> None:
        self.argument, self.value, self.accepted = argument, value, accepted
        super().__init__(f"{argument} = {value!r} is not accepted: {accepted}")


class RunError(RuntimeError):
    """A run that cannot start or go on; the message says what to do, and nothing finished is lost."""
