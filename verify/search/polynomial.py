"""Polynomials with rational coefficients: exponents to coefficient, by the order of the variables.

A monomial is the tuple of its exponents without trailing zeros, so that a polynomial stays what it is
when further variables are introduced behind the old ones.

>>> show(multiply(add(variable(0), constant(1)), add(variable(0), constant(-1))), ["x"])
'x**2 - 1'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add as plus
from operator import le
from typing import Any, TypeAlias

from flint import fmpq

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, Any]

ONE = fmpq(1)
UNIT: Polynomial = {(): ONE}


def constant(value: Any) -> Polynomial:
    return {(): fmpq(value)} if value else {}


def variable(index: int) -> Polynomial:
    return {(0,) * index + (1,): ONE}


def is_constant(p: Polynomial) -> bool:
    return not p or set(p) == {()}


def add(p: Polynomial, q: Polynomial, factor: Any = ONE) -> Polynomial:
    """p + factor*q."""
    return add_to(dict(p), q, factor)


def add_to(total: Polynomial, q: Polynomial, factor: Any = ONE) -> Polynomial:
    """The same in place of a polynomial that is being made."""
    for monomial, coefficient in q.items():
        value = total.get(monomial, 0) + factor * coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def scale(p: Polynomial, factor: Any) -> Polynomial:
    return {monomial: factor * c for monomial, c in p.items()} if factor else {}


def times(a: Monomial, b: Monomial) -> Monomial:
    if len(a) < len(b):
        a, b = b, a
    return (*map(plus, a, b), *a[len(b) :])


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    if p is UNIT or q is UNIT:  # most products begin or end with it
        return q if p is UNIT else p  # nobody changes one that is made
    total: Polynomial = {}
    for a, c in p.items():
        for b, d in q.items():
            monomial = times(a, b)
            total[monomial] = total.get(monomial, 0) + c * d
    return {monomial: c for monomial, c in total.items() if c}


def product(factors: Iterable[Polynomial]) -> Polynomial:
    total = UNIT
    for factor in factors:
        total = multiply(total, factor)
    return total


def power(p: Polynomial, exponent: int) -> Polynomial:
    return product([p] * exponent)


def divides(a: Monomial, b: Monomial) -> bool:
    return len(a) <= len(b) and all(map(le, a, b))


def quotient(b: Monomial, a: Monomial) -> Monomial:
    """b/a, where a divides b."""
    return trimmed([*(y - x for x, y in zip(a, b, strict=False)), *b[len(a) :]])


def trimmed(exponents: list[int]) -> Monomial:
    while exponents and not exponents[-1]:
        exponents.pop()
    return tuple(exponents)


def degree(p: Polynomial) -> int:
    return max(map(sum, p), default=0)


def exponent(monomial: Monomial, index: int) -> int:
    return monomial[index] if index < len(monomial) else 0


def variables_of(p: Polynomial) -> set[int]:
    return {index for monomial in p for index, e in enumerate(monomial) if e}


def derivative(p: Polynomial, index: int) -> Polynomial:
    """By the variable, divided by the coefficient of its first monomial."""
    slope = {quotient(m, (0,) * index + (1,)): c * m[index] for m, c in p.items() if exponent(m, index)}
    return scale(slope, 1 / slope[max(slope)])


def show(p: Polynomial, names: Sequence[str]) -> str:
    """The polynomial as text in the formula language."""
    pieces = [piece(m, p[m], names) for m in sorted(p, key=lambda m: (sum(m), m), reverse=True)]
    return "".join(pieces).removeprefix(" + ").replace(" - ", "-", 1 if pieces[0][1] == "-" else 0) if p else "0"


def piece(monomial: Monomial, coefficient: Any, names: Sequence[str]) -> str:
    powers = [names[index] if e == 1 else f"{names[index]}**{e}" for index, e in enumerate(monomial) if e]
    size = abs(coefficient)
    if size != 1 or not powers:
        powers.insert(0, str(size))
    return f" {'-' if coefficient < 0 else '+'} {'*'.join(powers)}"
