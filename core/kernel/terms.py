"""Terms: numbers, variables and operations on terms.  Equal terms are one object, and nothing is ever cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import Any
from weakref import WeakValueDictionary

MAX_LENGTH, MAX_DEPTH, MAX_CHOICES, MAX_BITS, MAX_WIDTH = 200_000, 150, 20, 200_000, 50_000
FUNCTIONS: Mapping[str, tuple[int, int]] = {  # how many arguments, at least and at most
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"), (1, 1)),
    **dict.fromkeys(("tanh", "asinh", "acosh", "atanh", "gamma", "loggamma", "erf", "abs"), (1, 1)),
    **dict.fromkeys(("besseli", "polygamma"), (2, 2)),
    **dict.fromkeys(("min", "max"), (1, MAX_CHOICES)),
}
BINDERS = ("sum", "integral")


class Rejected(ValueError):
    """A text that is not in the language, or a certificate that does not prove its statement."""


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


_left = [float("inf")]  # steps that may still be taken


@contextmanager
def budget(steps: float) -> Iterator[None]:
    """No more than so many steps (of about a microsecond) inside the block."""
    saved, _left[0] = _left[0], min(steps, _left[0])
    try:
        yield
    finally:
        _left[0] = saved


def spend(steps: int) -> None:
    _left[0] -= steps
    if _left[0] < 0:
        raise RuntimeError("this asks for too much work")


def sized(value: Fraction) -> Fraction:
    """The number itself, if it is short enough to work with; long ones are paid for."""
    bits = value.numerator.bit_length() + value.denominator.bit_length()
    if bits > 1000:
        require(bits <= MAX_BITS, f"a number has more than {MAX_BITS} bits")
        spend(bits * bits >> 15)
    return value


@dataclass(eq=False, repr=False, slots=True, weakref_slot=True)
class Term:
    """An operation and its arguments; made by `term`, `number`, `variable` and arithmetic only."""

    op: str
    args: tuple[Any, ...]
    parts: tuple[Term, ...]  # the arguments that are terms
    outer: tuple[Term, ...]  # those that have a value wherever the term has: not the body of a sum
    free: frozenset[str]  # the names of the variables that occur free
    depth: int
    size: int  # as a tree, however much is shared
    value: Fraction | None  # the number that this term is written as, if it is one

    def __add__(self, other: Term | int | Fraction) -> Term:
        return joined("+", [self, number(other)])

    def __mul__(self, other: Term | int | Fraction) -> Term:
        return joined("*", [self, number(other)])

    def __neg__(self) -> Term:
        return self * -1

    def __sub__(self, other: Term | int | Fraction) -> Term:
        return self + -number(other)

    def __pow__(self, exponent: int | Fraction) -> Term:
        return self if exponent == 1 else term("**", self, number(exponent))

    def __repr__(self) -> str:
        return show(self) if self.size <= 500 else f"a formula of {self.size} symbols"

    def rebuilt(self, change: Callable[[Term], Term], kept: int = 0) -> Term:
        """The same operation on changed arguments, the first ones kept."""
        later = (change(a) if isinstance(a, Term) else a for a in self.args[kept:])
        return term(self.op, *self.args[:kept], *later)


_made: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()


def term(op: str, *args: Any) -> Term:
    spend(1)
    found = _made.get((op, *args))
    if found is None:
        parts = tuple(a for a in args if isinstance(a, Term))
        free = frozenset(args if op == "variable" else ()).union(*(a.free for a in parts))
        if op in BINDERS:
            free = (parts[0].free - {args[1]}).union(*(a.free for a in parts[1:]))
        depth = 1 + max((a.depth for a in parts), default=0)
        require(depth <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        value = args[0] if op == "number" else None
        bits = (16,) if value is None else (n.bit_length() for n in value.as_integer_ratio())
        size = sum(bits) // 16 + sum(a.size for a in parts)
        _made[(op, *args)] = found = Term(op, args, parts, parts[op in BINDERS :], free, depth, size, value)
    return found


def number(value: Term | Fraction | int) -> Term:
    """A number as a term; what is a term already stays itself."""
    return value if isinstance(value, Term) else term("number", sized(Fraction(value)))


variable = partial(term, "variable")
ZERO, ONE = number(0), number(1)


def joined(op: str, parts: Sequence[Term]) -> Term:
    """A sum or product as one operation, whatever its length; written numbers in a product are multiplied."""
    flat = [a for part in parts for a in (part.args if part.op == op else (part,))]
    require(len(flat) <= MAX_WIDTH, f"a sum or product of more than {MAX_WIDTH} terms")
    if op == "+":
        flat = [a for a in flat if a is not ZERO] or [ZERO]
    else:
        rest = [a for a in flat if a.value is None]
        written = (a.value for a in flat if a.value is not None)
        coefficient = number(reduce(lambda p, q: sized(p * q), written, Fraction(1)))
        flat = rest if rest and coefficient is ONE else [coefficient, *rest]
    return term(op, *flat) if len(flat) > 1 else flat[0]


def subterms(t: Term, outer: bool = False) -> Iterator[Term]:
    """Every term inside this one, or those of it that have a value wherever it has; itself included, each once."""
    seen, stack = {t}, [t]
    while stack:
        here = stack.pop()
        yield here
        fresh = set(here.outer if outer else here.parts) - seen
        seen |= fresh
        stack.extend(fresh)


def substitute(t: Term, values: Mapping[str, Term], instance: Callable[[str, int], Term] | None = None) -> Term:
    """The term with these variables replaced, all at once, and each derivative of a function by a formula in t."""
    known = {variable(name): value for name, value in values.items()}
    names = frozenset(values).union(*(value.free for value in values.values()))

    def walk(here: Term) -> Term:
        if here not in known and (instance is not None or here.free & values.keys()):
            require(here.op not in BINDERS or here.args[1] not in names, "a bound name cannot be replaced")
            if here.op == "function" and instance is not None:
                known[here] = substitute(instance(*here.args[:2]), {"t": walk(here.args[2])})
            else:
                known[here] = here.rebuilt(walk)
        return known.get(here, here)

    return walk(t)


def show(t: Term) -> str:
    """Text that `parse` reads back as this very term."""
    require(t.size <= MAX_LENGTH, "a formula is too long to be written out")
    texts = [show(a) if isinstance(a, Term) else str(a) for a in t.args]
    if t.op in ("number", "variable"):
        return texts[0] if texts[0].isidentifier() or texts[0].isdecimal() else f"({texts[0]})"
    if t.op == "**":
        return f"sqrt({texts[0]})" if t.args[1].value == Fraction(1, 2) else f"({texts[0]}**{texts[1]})"
    if t.op in ("+", "*"):
        return f"({f' {t.op} '.join(texts)})"
    if t.op == "function":
        return f"{texts[0]}{f'_{texts[1]}' if t.args[1] else ''}({texts[2]})"
    return f"{t.op}({', '.join(texts)})" if texts else t.op
