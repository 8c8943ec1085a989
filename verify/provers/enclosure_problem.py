"""The border of the enclosure prover: what is asked, with nothing inexact in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import rational
from glbcheck.core.expression import parse_relation, to_text
from glbcheck.verify.provers.enclosure_task import Hypothesis, substituted
from glbcheck.verify.provers.inputs import Relation, relation

Bound = int | Fraction | None
Ends = tuple[Fraction | None, Fraction | None]
ORDERS = ("<=", "<", ">=", ">")


@dataclass(frozen=True)
class Problem:
    """gap >= 0 (> 0 if strict) for all points of the box that satisfy the hypotheses.

    `written` is the gap as written; the texts are what a counterexample quotes.
    """

    text: str
    written: sp.Expr
    gap: sp.Expr
    strict: bool
    symbols: tuple[sp.Symbol, ...]
    box: tuple[Ends, ...]
    texts: tuple[str, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    zeros: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)

    def conditions(self) -> tuple[str, ...]:
        """The box and the hypotheses, as texts."""
        sides = []
        for symbol, (low, high) in zip(self.symbols, self.box, strict=True):
            sides += [f"{symbol.name} >= {low}"] if low is not None else []
            sides += [f"{symbol.name} <= {high}"] if high is not None else []
        return (*sides, *self.texts)

    def excludes(self, i: int, at: Fraction) -> bool:
        """Does a strict hypothesis fail on the whole face x_i = at?"""
        for h in self.hypotheses:
            value = substituted(h.gap.doit(), {self.symbols[i]: at})
            if value.is_Rational and (
                (h.operator == ">" and value <= 0)
                or (h.operator == "<" and value >= 0)
                or (h.operator == "!=" and value == 0)
            ):
                return True
        return False


def read_problem(
    conclusion: Relation,
    box: Mapping[str, tuple[Bound, Bound]],
    hypotheses: Sequence[Relation],
    zeros: Mapping[str, Iterable[int | Fraction]] | None,
) -> Problem:
    if not box:
        raise BadInput("box", box, "at least one variable with its range")
    symbols = {name: sp.Symbol(name, real=True) for name in box}
    ends = tuple(read_ends(name, value) for name, value in box.items())
    text, stated, settled = read_relation("conclusion", conclusion, symbols)
    if stated.rel_op not in ORDERS:
        raise BadInput("conclusion", text, f"one of {', '.join(ORDERS)}")
    texts, read = [], []
    for number, hypothesis in enumerate(hypotheses):
        h_text, h_stated, _ = read_relation(f"hypotheses[{number}]", hypothesis, symbols)
        texts.append(h_text)
        read.append(Hypothesis(difference(h_stated.lhs, h_stated.rhs), h_stated.rel_op))
    named = {}
    for name, values in (zeros or {}).items():
        if name not in symbols:
            raise BadInput("zeros", name, f"one of the variables {', '.join(symbols)}")
        named[name] = tuple(rational(f"zeros[{name!r}]", value) for value in values)
    return Problem(
        text,
        oriented(stated, written=True),
        oriented(settled, written=False),
        stated.rel_op in ("<", ">"),
        tuple(symbols.values()),
        ends,
        tuple(texts),
        tuple(read),
        named,
    )


def oriented(r: sp.core.relational.Relational, *, written: bool) -> sp.Expr:
    """Larger side minus smaller side."""
    above, below = (r.lhs, r.rhs) if r.rel_op in (">", ">=") else (r.rhs, r.lhs)
    return difference(above, below) if written else above - below


def difference(above: sp.Expr, below: sp.Expr) -> sp.Expr:
    """above - below, with nothing cancelled."""
    if below == 0:
        return above
    return sp.Add(above, sp.Mul(sp.S.NegativeOne, below, evaluate=False), evaluate=False)


def read_relation(
    argument: str, value: Relation, symbols: Mapping[str, sp.Symbol]
) -> tuple[str, sp.core.relational.Relational, sp.core.relational.Relational]:
    """The text of a relation, the relation as written, and the relation as SymPy evaluates it."""
    stated = relation(argument, value, symbols)
    if unknown := {s.name for s in stated.free_symbols} - set(symbols):
        raise BadInput(argument, str(value), f"only the variables of the box, found {sorted(unknown)}")
    if isinstance(value, str):
        return value, stated, parse_relation(value, symbols)
    renamed = {s: symbols[s.name] for s in stated.free_symbols}
    stated = stated.func(*(side.xreplace(renamed) for side in stated.args), evaluate=False)
    return to_text(stated), stated, stated


def read_ends(name: str, value: tuple[Bound, Bound]) -> Ends:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise BadInput(f"box[{name!r}]", value, "a pair (low, high), None for an infinite end")
    low, high = (None if end is None else rational(f"box[{name!r}]", end) for end in value)
    if low is not None and high is not None and low > high:
        raise BadInput(f"box[{name!r}]", value, "low <= high")
    return low, high
