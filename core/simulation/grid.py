"""A simulation is declared before it runs: blocks of cells, each the product of its axes.

    {"seed": 1, "blocks": [{"families": ["poisson"], "d": [1, 2], "C": [0, 5], "replicates": 200}]}

What an axis does not say has its default.  A grid is checked completely, every cell of it, before the first
round is played.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.files import read_json
from glbcheck.core.names import OURS
from glbcheck.core.versions import checksum

MOST_ROUNDS = 10**9
MOST_REPLICATES = 10**7
CORRECT = "correct"
ADVERSARIES = ("none", "front-loaded", "spread", "late", "low-weight", "mirror", "amplify", "hiding")


@dataclass(frozen=True)
class Cell:
    """One row of the table: a setting, and how often it is played."""

    family: str
    d: int
    S: float
    dispersion: str
    adversary: str
    C: float
    alpha: float | None
    constants: str
    index: str
    algorithm: str
    arms: str
    T: int
    delta: float
    variant: str
    replicates: int

    @property
    def instance(self) -> str:
        """What runs must share to meet the same arms, parameters and rewards."""
        return f"{self.family}|{self.d}|{self.S!r}|{self.dispersion}|{self.arms}"


@dataclass(frozen=True)
class Block:
    """The product of some axes."""

    families: tuple[str, ...] = ("gaussian",)
    d: tuple[int, ...] = (2,)
    S: tuple[float, ...] = (1.0,)
    dispersions: tuple[str, ...] = ("constant:1",)
    adversaries: tuple[str, ...] = ("front-loaded",)
    C: tuple[float, ...] = (0.0,)
    alpha: tuple[float | None, ...] = (None,)  # None: the paper's √d / max(C, 1)
    constants: tuple[str, ...] = ("repaired",)
    index: tuple[str, ...] = ("exact",)
    algorithms: tuple[str, ...] = (OURS,)
    arms: tuple[str, ...] = ("sphere:8",)
    T: tuple[int, ...] = (1000,)
    delta: tuple[float, ...] = (0.05,)
    variants: tuple[str, ...] = (CORRECT,)
    replicates: int = 100

    def cells(self) -> list[Cell]:
        axes = [getattr(self, axis) for axis in AXES]
        names = [field.name for field in fields(Cell)]
        return [Cell(**dict(zip(names, (*values, self.replicates), strict=True))) for values in product(*axes)]


AXES = tuple(field.name for field in fields(Block) if field.name != "replicates")


@dataclass(frozen=True)
class Grid:
    """Everything a simulation is made of."""

    seed: int
    blocks: tuple[Block, ...]

    def cells(self) -> list[Cell]:
        """Every cell once, in the order of the blocks, with the most replicates it is asked for."""
        found: dict[Cell, int] = {}
        for cell in (cell for block in self.blocks for cell in block.cells()):
            setting = replace(cell, replicates=0)
            found[setting] = max(found.get(setting, 0), cell.replicates)
        return [replace(setting, replicates=count) for setting, count in found.items()]

    def changed(self, axes: Mapping[str, Any], seed: int | None = None) -> Grid:
        """The same grid with these axes (or `replicates`) in place of those of every block."""
        values = {name: _axis(name, value) for name, value in axes.items()}
        blocks = dict.fromkeys(replace(block, **values) for block in self.blocks)
        return Grid(self.seed if seed is None else _natural("seed", seed, 0, 2**63), tuple(blocks))

    def narrowed(self, axis: str, wanted: Sequence[str]) -> Grid:
        """Of every block the part with these values of an axis; where a value is in no block, it is put into all."""
        if not set(wanted) <= {value for block in self.blocks for value in getattr(block, axis)}:
            return self.changed({axis: wanted})
        kept = [tuple(value for value in getattr(block, axis) if value in wanted) for block in self.blocks]
        parts: list[dict[str, Any]] = [{axis: values} for values in kept]
        return replace(self, blocks=tuple(replace(b, **p) for b, p in zip(self.blocks, parts, strict=True) if p[axis]))

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def name(self) -> str:
        """A short name for everything it asks for."""
        return checksum(self.plain())


def read(path: str) -> Grid:
    """The grid of a JSON file."""
    try:
        data = read_json(path)
    except OSError as err:
        raise BadInput("--grid", path, f"a readable file ({err.strerror})") from None
    except ValueError as err:
        raise BadInput("--grid", path, f"a JSON file ({err})") from None
    return grid(data)


def grid(data: object) -> Grid:
    """A grid from plain data; what it does not know it refuses by name."""
    known = _known("grid", data, ("seed", "blocks"))
    blocks = known.get("blocks")
    if not isinstance(blocks, Sequence) or isinstance(blocks, str) or not blocks:
        raise BadInput("blocks", blocks, "a list of at least one block")
    axes = [_known("block", block, (*AXES, "replicates")) for block in blocks]
    found = tuple(Block(**{name: _axis(name, value) for name, value in block.items()}) for block in axes)
    return Grid(_natural("seed", known.get("seed", 1), 0, 2**63), found)


def _known(what: str, data: object, names: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise BadInput(what, data, "an object with the fields " + ", ".join(names))
    for name in data:
        if name not in names:
            raise BadInput(what, name, "the fields " + ", ".join(names))
    return data


def _axis(name: str, value: object) -> Any:
    """The values of an axis, each of the right kind."""
    if name == "replicates":
        return _natural(name, value, 1, MOST_REPLICATES)
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise BadInput(name, value, "a list of at least one value")
    return tuple(dict.fromkeys(_value(name, each) for each in value))


def _value(name: str, value: object) -> Any:
    if name in ("d", "T"):
        return _natural(name, value, 1, 1000 if name == "d" else MOST_ROUNDS)
    if name == "alpha" and value is None:
        return None
    if name in ("S", "C", "alpha", "delta"):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadInput(name, value, "a finite number")
        return float(value)
    if name == "dispersions":
        with suppress(TypeError, ValueError):
            if math.isfinite(number := float(value)):  # type: ignore[arg-type]
                return f"constant:{number:g}"
    if not isinstance(value, str):
        raise BadInput(name, value, "a name")
    return value


def _natural(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadInput(name, value, f"a whole number from {least} to {most}")
    return value
