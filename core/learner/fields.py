"""The fields of a file, read by their whole path."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput


class Fields:
    """The fields of an object of the file; refusals name the field by its whole path."""

    def __init__(self, name: str, saved: object) -> None:
        if not isinstance(saved, dict):
            raise BadInput(name, saved, "an object, as `save` writes it")
        self.name, self.saved = name, saved

    def part(self, key: str) -> Fields:
        return Fields(f"{self.name}.{key}", self.saved.get(key))

    def refuse(self, key: str, accepted: str) -> BadInput:
        return BadInput(f"{self.name}.{key}", self.saved.get(key), accepted)

    def whole(self, key: str) -> int:
        found = self.saved.get(key)
        if type(found) is not int or not 0 <= found <= 2**53:
            raise self.refuse(key, f"a whole number from 0 to {2**53}")
        return found

    def text(self, key: str) -> Any:
        if not isinstance(self.saved.get(key), str):
            raise self.refuse(key, "a text")
        return self.saved[key]

    def real(self, key: str) -> float:
        return float(self.array(key, ()))

    def array(self, key: str, shape: tuple[int, ...]) -> Floats:
        """Finite numbers of this shape; -1 is any length."""
        try:
            found = np.array(self.saved.get(key))
            found = found if found.size else np.zeros([max(n, 0) for n in shape])
            if found.dtype.kind not in "fi" or not np.isfinite(found).all():
                raise ValueError
        except (TypeError, ValueError):
            raise self.refuse(key, "finite numbers" if shape else "a finite number") from None
        if found.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, found.shape, strict=True)):
            raise BadInput(f"{self.name}.{key}", f"array of shape {found.shape}", f"an array of shape {shape}")
        return found.astype(float)
