"""One sentence for every refusal: which argument, what it was, what is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 300  # characters of a value that a refusal shows


class BadInput(ValueError):
    """An argument outside what a function accepts; the message shows the ends of a long value."""

    def __init__(self, argument: str, value: object, accepted: str) -> None:
        self.argument, self.value, self.accepted = argument, value, accepted
        super().__init__(f"{argument} = {_shown(value)} is not accepted: {accepted}")


def _shown(value: object) -> str:
    try:
        words = repr(value)
    except Exception as err:  # what cannot be shown is refused all the same
        return f"<{type(value).__name__} without words: {type(err).__name__}>"
    half = (LONGEST - 5) // 2
    return words if len(words) <= LONGEST else f"{words[:half]} ... {words[-half:]}"


class RunError(RuntimeError):
    """A run that cannot start or go on; the message says what to do, and nothing finished is lost."""


def meant(word: str, known: Iterable[str]) -> str:
    """What a mistyped word was probably meant to be, as the beginning of a refusal; nothing if nothing is near."""
    near = get_close_matches(word[:60], list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
