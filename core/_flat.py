"""Flat memory with named parts, which compiled code hands over as addresses and sizes.

A tuple of arrays is handed over entry by entry, seven numbers or more for each array: more than a short function does,
and more to compile.  The parts are the same for both kinds of code, and found where they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model
from numba.np.arrayobj import make_array, populate_array

_INTEGER = types.int64


class Part(NamedTuple):
    """An array of this shape, of numbers and of names of sizes; `shown` names how much of a row is seen of it."""

    name: str
    shape: tuple[int | str, ...]
    shown: str = ""


class Memory(NamedTuple):
    """Parts, one after the other."""

    name: str
    parts: tuple[Part, ...]


def cut(memory: Memory, numbers: Any, sizes: Mapping[str, int]) -> Iterator[Any]:
    """The parts of an array, in turn."""
    numbers, first = numbers.reshape(-1), 0
    for part in memory.parts:
        shape = [_size(side, sizes) for side in part.shape]
        end = first + prod(shape)
        array = numbers[first:end].reshape(*shape)
        yield array[: sizes[part.shown]] if part.shown else array
        first = end


def count(memory: Memory, sizes: Mapping[str, int]) -> int:
    """The numbers in all parts."""
    return sum(prod(_size(side, sizes) for side in part.shape) for part in memory.parts)


def _size(side: int | str, sizes: Mapping[str, int]) -> int:
    return sizes[side] if isinstance(side, str) else side


# --- in compiled code ---------------------------------------------------------------------------------------------


class Flat(types.Type):
    """The type of addresses and sizes; parts named in `records` are records."""

    def __init__(
        self, element: Any, memories: tuple[Memory, ...], sizes: tuple[str, ...], records: tuple[tuple[str, Any], ...]
    ) -> None:
        self.element, self.memories, self.sizes, self.records = element, memories, sizes, dict(records)
        super().__init__(f"flat({element}, {memories}, {sizes}, {sorted(records)})")

    def find(self, name: str) -> tuple[Memory, Part] | None:
        found = ((memory, part) for memory in self.memories for part in memory.parts if part.name == name)
        return next(found, None)

    def type_of(self, part: Part) -> Any:
        dimension = 1 if part.shown else len(part.shape)
        return self.records.get(part.name) or types.Array(
            self.element, dimension, "C", aligned=self.element == types.float64
        )

    def made(self, context: Any, builder: Any, **members: Any) -> Any:
        """Such a value, of the registers that hold its members."""
        value = cgutils.create_struct_proxy(self)(context, builder)
        for name, register in members.items():
            setattr(value, name, register)
        return value._getvalue()


def whole(*arrays: Any) -> None:
    """Refuse arrays with gaps, whose parts would not be where they are looked for."""
    for array in arrays:
        if array.layout != "C":
            raise TypingError(f"{array} is not accepted: an array without gaps")


@register_model(Flat)
class _Model(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, flat: Flat) -> None:
        address: Any = types.CPointer(flat.element)  # type: ignore[attr-defined]
        addresses = [(memory.name, address) for memory in flat.memories]
        super().__init__(manager, flat, addresses + [(name, _INTEGER) for name in flat.sizes])


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = Flat

    def generic_resolve(self, flat: Flat, name: str) -> Any:
        found = flat.find(name)
        return found and flat.type_of(found[1])


@lower_getattr_generic(Flat)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, flat: Flat, value: Any, name: str) -> Any:
    """The part as an array, or as a record, in the memory that it is in."""
    members = cgutils.create_struct_proxy(flat)(context, builder, value)
    found = flat.find(name)
    assert found is not None, name
    memory, part = found

    def register(side: int | str) -> Any:
        return getattr(members, side) if isinstance(side, str) else context.get_constant(_INTEGER, side)

    def product(sides: tuple[int | str, ...]) -> Any:
        total = register(sides[0])
        for side in sides[1:]:
            total = builder.mul(total, register(side))
        return total

    first = context.get_constant(_INTEGER, 0)
    for before in memory.parts[: memory.parts.index(part)]:
        first = builder.add(first, product(before.shape))
    address, kind = builder.gep(getattr(members, memory.name), [first]), flat.type_of(part)
    if name in flat.records:
        return builder.bitcast(address, context.get_value_type(kind))
    shape: tuple[int | str, ...] = (part.shown,) if part.shown else part.shape
    bytes_on = context.get_constant(_INTEGER, context.get_abi_sizeof(context.get_data_type(flat.element)))
    steps = [bytes_on]
    for side in reversed(shape[1:]):
        steps.insert(0, builder.mul(steps[0], register(side)))
    array = make_array(kind)(context, builder)
    populate_array(array, address, [register(side) for side in shape], steps, bytes_on, None)
    return array._getvalue()
