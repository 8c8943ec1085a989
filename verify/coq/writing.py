"""Coq scripts, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Script:
    """Sentences of a proof in order; a block is a sentence and the proof of the goal it opens."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    used: int = 0

    def __call__(self, sentence: str) -> None:
        self.lines.append("  " * self.depth + sentence)

    def fresh(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"

    @contextmanager
    def block(self, sentence: str = "") -> Iterator[None]:
        if sentence:
            self(sentence)
        self("{")
        self.depth += 1
        yield
        self.depth -= 1
        self("}")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def unpacked(whole: str, parts: list[str]) -> str:
    """The sentence that names the parts of a conjunction."""
    if len(parts) == 1:
        return f"rename {whole} into {parts[0]}."
    return f"destruct {whole} as {_pattern(parts)}."


def _pattern(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"[{names[0]} {_pattern(names[1:])}]"
