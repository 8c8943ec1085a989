"""Programs broken on purpose: one function, one piece of its source replaced.

The code object of the broken function is put in place of the sound one, so that every caller meets
it, however it was imported; nothing of the mutated source is ever run as a module.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` inside the named function (or Class.method) of the module."""

    name: str
    module: ModuleType
    function: str
    old: str
    new: str

    @contextmanager
    def alive(self) -> Iterator[None]:
        target: object = self.module
        for part in self.function.split("."):
            target = getattr(target, part)
        target = inspect.unwrap(getattr(target, "__func__", target))  # type: ignore[arg-type]
        assert isinstance(target, FunctionType)
        sound = target.__code__
        target.__code__ = self.broken_code(sound)
        try:
            yield
        finally:
            target.__code__ = sound

    def broken_code(self, sound: CodeType) -> CodeType:
        source = inspect.getsource(self.module)
        body = inspect.getsource(sound)
        assert body.count(self.old) == 1, f"{self.old!r} occurs {body.count(self.old)} times in {self.function}"
        whole = compile(source.replace(body, body.replace(self.old, self.new)), sound.co_filename, "exec")
        return next(code for code in nested(whole) if code.co_qualname == sound.co_qualname)


def nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)
