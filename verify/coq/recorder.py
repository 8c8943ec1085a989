"""Formulas of `core` as Coq text: a function is run on symbols that write down what is done with them.

The text is MathComp's ring_scope over the reals; a whole number such as a dimension stands as `d%:R`.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

SUM, PRODUCT, POWER, ATOM = 50, 40, 30, 0  # how tightly the outermost operation binds; less is tighter


@dataclass(frozen=True)
class Formula:
    """Coq text with the level of its outermost operation; `largest` holds the members of a maximum."""

    text: str
    level: int = ATOM
    largest: tuple[Formula, ...] = ()

    def within(self, level: int) -> str:
        return self.text if self.level <= level else f"({self.text})"

    def __add__(self, other: Any) -> Formula:
        return _joined(self, "+", other, SUM)

    def __radd__(self, other: Any) -> Formula:
        return _joined(other, "+", self, SUM)

    def __sub__(self, other: Any) -> Formula:
        return _joined(self, "-", other, SUM)

    def __rsub__(self, other: Any) -> Formula:
        return _joined(other, "-", self, SUM)

    def __mul__(self, other: Any) -> Formula:
        return _joined(self, "*", other, PRODUCT)

    def __rmul__(self, other: Any) -> Formula:
        return _joined(other, "*", self, PRODUCT)

    def __truediv__(self, other: Any) -> Formula:
        return _joined(self, "/", other, PRODUCT)

    def __rtruediv__(self, other: Any) -> Formula:
        return _joined(other, "/", self, PRODUCT)

    def __pow__(self, power: int) -> Formula:
        if not isinstance(power, int) or power < 1:
            raise TypeError(f"power = {power!r}: a positive whole number is accepted")
        return Formula(f"{self.within(POWER - 1)} ^+ {power}", POWER)

    def sqrt(self) -> Formula:
        return applied("sqrt", self)

    def log(self) -> Formula:
        return applied("ln", self)

    def log1p(self) -> Formula:
        return applied("ln", 1 + self)

    def max(self, other: Any) -> Formula:
        """The larger one; of several, `Num.max a (Num.max b c)`."""
        members = (*(self.largest or (self,)), _formula(other))
        text = members[-1]
        for one in reversed(members[:-1]):
            text = applied("Num.max", one, text)
        return Formula(text.text, ATOM + 1, members)

    def min(self, other: Any) -> Formula:
        return applied("Num.min", self, other)


def applied(name: str, *arguments: Any) -> Formula:
    """A function of Coq applied to formulas."""
    return Formula(" ".join((name, *(_formula(one).within(ATOM) for one in arguments))), ATOM + 1)


def _formula(value: Any) -> Formula:
    if isinstance(value, Formula):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Formula(str(value))
    raise TypeError(f"{value!r}: a formula or a whole number is accepted; a float has no place in a proof")


def _joined(left: Any, sign: str, right: Any, level: int) -> Formula:
    first, second = _formula(left), _formula(right)
    # All four associate to the left.
    return Formula(f"{first.within(level)} {sign} {second.within(level - 1)}", level)


@dataclass(frozen=True)
class Definition:
    """A function and the Coq definition that it becomes; `naturals` are the parameters of type nat."""

    name: str
    function: Callable[..., Any]
    names: Mapping[str, str]
    naturals: Sequence[str] = ()

    def parameters(self) -> list[str]:
        return [self.names.get(one, one) for one in inspect.signature(self.function).parameters]

    def call(self, *arguments: Any) -> Formula:
        """What stands for a call of the function in another definition; a natural number loses its `%:R`."""
        texts = zip(self.parameters(), arguments, strict=True)
        plain = (
            Formula(_formula(one).text.removesuffix("%:R")) if name in self.naturals else one for name, one in texts
        )
        return applied(self.name, *plain)

    def text(self) -> str:
        """The definition, with the first line of the function's docstring as its comment."""
        names = self.parameters()
        symbols = [Formula(f"{name}%:R" if name in self.naturals else name) for name in names]
        reals = [name for name in names if name not in self.naturals]
        nats = f" ({' '.join(self.naturals)} : nat)" if self.naturals else ""
        comment = (inspect.getdoc(self.function) or "").splitlines()[0]
        body = textwrap.fill(f"{self.function(*symbols).text}.", 118, initial_indent="  ", subsequent_indent="    ")
        return f"(* {comment} *)\nDefinition {self.name}{nats} ({' '.join(reals)} : R) : R :=\n{body}\n"


def definitions(module: Any, chosen: Sequence[Definition], holders: Sequence[Any] = ()) -> str:
    """The definitions in order; a call of one within another stays a call.

    The functions are found, and stood in for, as names of the module, as methods, and as fields of `holders`.
    """
    texts = []
    for one in chosen:
        with ExitStack() as stack:
            for other in chosen:
                if other is not one:
                    _stand_in(other, module, holders, stack)
            texts.append(one.text())
    return "\n".join(texts)


def _stand_in(other: Definition, module: Any, holders: Sequence[Any], stack: ExitStack) -> None:
    function, name = other.function, other.function.__name__
    if inspect.ismethod(function):
        stack.enter_context(patch.object(type(function.__self__), name, lambda _, *given: other.call(*given)))
    elif getattr(module, name, None) is function:
        stack.enter_context(patch.object(module, name, other.call))
    for holder in holders:
        fields = {field: other.call for field, value in vars(holder).items() if value is function}
        stack.enter_context(patch.dict(vars(holder), fields))
