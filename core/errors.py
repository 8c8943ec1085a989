"""One sentence for every refusal: which argument, what it was, what is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BadInput(ValueError):
    """An argument outside what a function accepts."""

    def __init__(self, argument: str, value: object, accepted: str) -> None:
        self.argument, self.value, self.accepted = argument, value, accepted
        super().__init__(f"{argument} = {value!r} is not accepted: {accepted}")


class RunError(RuntimeError):
    """A run that cannot start or go on; the message says what to do, and nothing finished is lost."""


def meant(word: str, known: Iterable[str]) -> str:
    """What a mistyped word was probably meant to be, as the beginning of a refusal; nothing if nothing is near."""
    near = get_close_matches(word[:60], list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
