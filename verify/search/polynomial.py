"""Polynomials with rational coefficients, of python-flint; a monomial is the tuple of its exponents.

>>> x, = ring(["x"]).gens()
>>> show((x + 1) * (x - 1))
'x**2 - 1'
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import add, ge, sub
from typing import Any, TypeAlias

from flint import Ordering, fmpq_mpoly_ctx

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = Any  # flint.fmpq_mpoly, which ships no types
Ring: TypeAlias = Any


def ring(names: Sequence[str]) -> Ring:
    """The polynomials in these variables."""
    return fmpq_mpoly_ctx.get(list(names), Ordering.deglex)


def key(p: Polynomial) -> Hashable:
    """The same for equal polynomials, which have no hash themselves."""
    return tuple(p.terms())


def power_of(ring: Ring, monomial: Monomial, coefficient: Any = 1) -> Polynomial:
    return ring.from_dict({monomial: coefficient})


def divides(a: Monomial, b: Monomial) -> bool:
    return all(map(ge, b, a))


def quotient(b: Monomial, a: Monomial) -> Monomial:
    """b/a, where a divides b."""
    return tuple(map(sub, b, a))


def times(a: Monomial, b: Monomial) -> Monomial:
    return tuple(map(add, a, b))


def variables_of(p: Polynomial) -> set[int]:
    return {index for index, e in enumerate(p.degrees()) if e > 0}


def show(p: Polynomial) -> str:
    """The polynomial as text in the formula language."""
    return str(p).replace("^", "**")
