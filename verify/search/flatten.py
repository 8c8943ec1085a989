"""An obligation over the reals as polynomial facts that must contradict each other.

Facts are numbered as they arise: first the hypotheses, those that make no demand before the others and
otherwise in the order given, then the denied conclusion.  A relation is read from left to right, arguments
before what is made of them.  Each subterm that is no polynomial becomes a fresh variable (`_1`, `_2`, … in
order), the same one wherever a term of the same kind is made of the same polynomials; its facts come before
that of the relation where it is new:

    1/b, b**-k          i:  i*b - 1 == 0                                         demands b != 0
    sqrt(b), b**(p/q)   r:  r >= 0, r**q - b == 0                                demands b >= 0
    abs(a)              m:  m - a >= 0, m + a >= 0, (m - a)*(m + a) == 0
    max(a, b, …)        m:  m - a >= 0, m - b >= 0, …, (m - a)*(m - b)*… == 0
    min(a, b, …)        m:  a - m >= 0, b - m >= 0, …, (a - m)*(b - m)*… == 0

b**(-p/q) is (1/r)**p for the root r of b, so it demands b >= 0 and then r != 0.  A constant divisor divides
the coefficients; a constant radicand that is not negative demands nothing.  What is demanded must follow
from the facts before it.  `l >= r` is the fact l - r >= 0 and `l <= r` the fact r - l >= 0, likewise `>` and
`<`; `==` and `!=` are facts about l - r.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import fmpq
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.polynomial import Polynomial

LARGEST_POWER = 64
LONGEST = 2000
FRESH = re.compile(r"_\d{1,3}")  # what is not a polynomial is called so; longer names are a caller's
SIGNS = {
    ast.GtE: (1, ">="),
    ast.Gt: (1, ">"),
    ast.LtE: (-1, ">="),
    ast.Lt: (-1, ">"),
    ast.Eq: (1, "=="),
    ast.NotEq: (1, "!="),
}
DENIED = {">=": (-1, ">"), ">": (-1, ">="), "==": (1, "!="), "!=": (1, "==")}


class NotAlgebraic(ValueError):
    """A relation that is not built from + - * / rational powers, abs, min and max, or is too large."""


@dataclass(frozen=True)
class Fact:
    """`polynomial sign 0`, where the sign is one of >=, >, ==, !=."""

    polynomial: Polynomial
    sign: str

    def denied(self) -> Fact:
        factor, sign = DENIED[self.sign]
        return Fact(poly.scale(self.polynomial, fmpq(factor)), sign)


@dataclass(frozen=True)
class Demand:
    """The fact that makes a term defined; it must follow from the first `before` facts."""

    fact: Fact
    before: int


@dataclass(frozen=True)
class Definition:
    """What a fresh variable stands for: its kind, and the polynomials it is made of."""

    kind: str
    of: tuple[Polynomial, ...]

    def gaps(self, index: int) -> list[Polynomial]:
        """For an extreme, its distances to what it is made of: none is negative, and one is zero."""
        if self.kind not in ("abs", "max", "min"):
            return []
        side = fmpq(-1 if self.kind == "min" else 1)
        return [poly.scale(poly.add(poly.variable(index), a, fmpq(-1)), side) for a in self.of]


@dataclass
class Flattening:
    """The facts so far; the names of all variables, declared and fresh."""

    declared: tuple[str, ...]
    names: list[str] = field(init=False)
    facts: list[Fact] = field(default_factory=list)
    origins: list[tuple[str, int]] = field(default_factory=list)  # hypothesis, fresh variable or conclusion
    demands: list[Demand] = field(default_factory=list)
    definitions: dict[int, Definition] = field(default_factory=dict)
    known: dict[Any, int] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        self.names = list(self.declared)

    def read(self, relation: str) -> Fact:
        """The fact that the relation states; what defines its terms is added to the facts."""
        self.source = " ".join(relation.split())
        tree = ast.parse(self.source, mode="eval").body
        if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
            raise NotAlgebraic(f"{relation!r} is not one relation")
        left, right = self.term(tree.left), self.term(tree.comparators[0])
        factor, sign = SIGNS[type(tree.ops[0])]
        return Fact(poly.scale(poly.add(left, right, fmpq(-1)), fmpq(factor)), sign)

    def term(self, node: ast.expr) -> Polynomial:
        match node:
            case ast.Constant():
                value = Fraction(ast.get_source_segment(self.source, node) or "")
                return poly.constant(fmpq(value.numerator, value.denominator))
            case ast.Name(id=name) if name in self.declared:
                return poly.variable(self.names.index(name))
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign):
                return poly.scale(self.term(node.operand), fmpq(-1 if isinstance(sign, ast.USub) else 1))
            case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
                left, right = self.term(node.left), self.term(node.right)
                return poly.add(left, right, fmpq(-1 if isinstance(sign, ast.Sub) else 1))
            case ast.BinOp(op=ast.Mult()):
                return limited([self.term(node.left), self.term(node.right)])
            case ast.BinOp(op=ast.Div()):
                return limited([self.term(node.left), self.reciprocal(self.term(node.right))])
            case ast.BinOp(op=ast.Pow()):
                return self.power(self.term(node.left), self.rational(node.right))
            case ast.Call(func=ast.Name(id="sqrt"), args=[base]):
                return self.root(self.term(base), 2)
            case ast.Call(func=ast.Name(id="abs" | "Abs"), args=[inside]):
                a = self.term(inside)
                return self.fresh(Definition("abs", (a, poly.scale(a, fmpq(-1)))))
            case ast.Call(func=ast.Name(id="max" | "Max" | "min" | "Min" as name)):
                return self.fresh(Definition(name.lower(), tuple(map(self.term, node.args))))
        raise NotAlgebraic(f"{ast.unparse(node)!r} is not algebraic over {', '.join(self.names)}")

    def rational(self, node: ast.expr) -> Any:
        value = self.term(node)
        if not poly.is_constant(value):
            raise NotAlgebraic(f"the exponent {ast.unparse(node)!r} is not a rational number")
        return value.get((), fmpq(0))

    def power(self, base: Polynomial, exponent: Any) -> Polynomial:
        p, q = int(exponent.p), int(exponent.q)
        if max(abs(p), q) > LARGEST_POWER:
            raise NotAlgebraic(f"the exponent {exponent} is larger than {LARGEST_POWER}")
        root = base if q == 1 else self.root(base, q)
        return limited([root if p >= 0 else self.reciprocal(root)] * abs(p))

    def reciprocal(self, b: Polynomial) -> Polynomial:
        if not b:
            raise NotAlgebraic("a divisor is zero")
        if poly.is_constant(b):
            return poly.constant(1 / b[()])
        return self.fresh(Definition("reciprocal", (b,)))

    def root(self, b: Polynomial, order: int) -> Polynomial:
        return self.fresh(Definition(f"root {order}", (b,)))

    def fresh(self, definition: Definition) -> Polynomial:
        """The variable with this definition, with its facts added if it is new."""
        key = (definition.kind, *(frozenset(p.items()) for p in definition.of))
        if key not in self.known:
            index = self.known[key] = len(self.names)
            self.names.append(f"_{len(self.known)}")
            self.definitions[index] = definition
            self.define(index, definition)
        return poly.variable(self.known[key])

    def define(self, index: int, definition: Definition) -> None:
        """Add the facts of the new variable, and what they demand."""
        new, b, before = poly.variable(index), definition.of[0], len(self.facts)
        if gaps := definition.gaps(index):
            self.facts += [*(Fact(gap, ">=") for gap in gaps), Fact(limited(gaps), "==")]
        elif definition.kind == "reciprocal":
            self.demands.append(Demand(Fact(b, "!="), len(self.facts)))
            self.facts.append(Fact(poly.add(limited([new, b]), poly.constant(-1)), "=="))
        else:
            if not poly.is_constant(b) or b.get((), 0) < 0:
                self.demands.append(Demand(Fact(b, ">="), len(self.facts)))
            order = int(definition.kind.removeprefix("root "))
            self.facts += [Fact(new, ">="), Fact(poly.add(poly.power(new, order), b, fmpq(-1)), "==")]
        self.origins += [("fresh", index)] * (len(self.facts) - before)

    def recalled(self, relation: str) -> Fact:
        """The fact that the relation states, in terms that have occurred before."""
        before = len(self.names)
        fact = self.read(relation)
        if len(self.names) > before:
            raise NotAlgebraic(f"the hint {relation!r} has terms that do not occur in the statement")
        return fact


def limited(factors: Sequence[Polynomial]) -> Polynomial:
    """The product, if it does not grow too long on the way."""
    total = poly.constant(1)
    for factor in factors:
        total = poly.multiply(total, factor)
        if len(total) > LONGEST:
            raise NotAlgebraic(f"a product has more than {LONGEST} monomials")
    return total


def flatten(hypotheses: Sequence[str], conclusion: str, variables: Sequence[str]) -> Flattening:
    """All facts of the obligation, the denied conclusion last."""
    for name in variables:
        if FRESH.fullmatch(name):
            raise NotAlgebraic(f"the variable {name!r} begins like a fresh one")
    flat = Flattening(tuple(variables))
    for i, hypothesis in sorted(enumerate(hypotheses), key=lambda pair: makes_demands(pair[1], variables)):
        flat.facts.append(flat.read(hypothesis))
        flat.origins.append(("hypothesis", i))
    flat.facts.append(flat.read(conclusion).denied())
    flat.origins.append(("conclusion", 0))
    return flat


def makes_demands(relation: str, variables: Sequence[str]) -> bool:
    alone = Flattening(tuple(variables))
    alone.read(relation)
    return bool(alone.demands)
