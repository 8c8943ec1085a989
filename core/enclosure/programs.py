"""Formulas that are evaluated many times: the kernel's steps in a row, constants computed once a precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import flint
from glbcheck.core.kernel.evaluate import Arithmetic, step
from glbcheck.core.kernel.ring import MAX_TERMS
from glbcheck.core.kernel.terms import Rejected, Term, require, spend, variable
from glbcheck.core.translation import NotEnclosed, term_in

Step = tuple[Callable[..., Any], tuple[Term, ...]]  # an operation and what it is applied to


class Program:
    """Several terms of the same variables; what an operation does is said by the kernel's `step` alone."""

    def __init__(self, terms: Sequence[Term], variables: Sequence[str], arithmetic: Arithmetic) -> None:
        self.terms, self.variables, self.arithmetic = terms, [variable(name) for name in variables], arithmetic
        self.fixed, self.steps = dict[Term, Step](), dict[Term, Step]()  # without variables and with, parts first
        self.prepared = dict[int, dict[Term, Any]]()  # the values of the fixed terms, by precision
        for t in terms:
            self.visit(t)

    def __call__(self, *arguments: Any) -> list[Any]:
        bits, count = flint.ctx.prec, len(self.variables)
        require(len(arguments) == count, f"{count} values expected, {len(arguments)} given")
        if bits not in self.prepared:
            self.prepared[bits] = taken(self.fixed, {})
        at = dict(zip(self.variables, arguments, strict=True))
        values = taken(self.steps, self.prepared[bits] | at)
        return [values[t] for t in self.terms]

    def visit(self, t: Term) -> None:
        steps = self.steps if t.free else self.fixed
        if t not in steps and t not in self.variables:
            operation, parts = step(t, self.arithmetic)
            for part in parts:
                self.visit(part)
            require(len(steps) <= 15 * MAX_TERMS, "the formula has too many operations")
            steps[t] = operation, parts


def taken(steps: Mapping[Term, Step], values: dict[Term, Any]) -> dict[Term, Any]:
    """The values with those of the steps added, in their order."""
    spend(len(steps) * (1 + flint.ctx.prec**2 // 2**16))
    value = values.__getitem__
    for t, (operation, parts) in steps.items():
        values[t] = operation(*map(value, parts))
    return values


@lru_cache(1024)
def program_of(exprs: tuple[Any, ...], variables: tuple[Any, ...], arithmetic: Arithmetic) -> Program:
    """Several expressions of these symbols, compiled for one kind of numbers."""
    try:
        return Program([term_in(e, variables) for e in exprs], [v.name for v in variables], arithmetic)
    except Rejected as error:
        raise NotEnclosed(str(error)) from None
