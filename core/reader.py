"""The walk behind `core.expression`: from Python's syntax tree to SymPy, node by allowed node.

Whatever could grow without bound is refused before SymPy sees it: powers and products of numbers,
factorials, towers of exponentials, long lists of maxima.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

MAX_DEPTH = 100
MAX_EXPONENT = 1_000
MAX_BITS = 10_000
MAX_RADICAL_BITS = 2_000
MAX_GROWTH = 100_000
MAX_CHOICES = 20


class ExpressionError(ValueError):
    """A formula that is not in the language; the message names the piece and its column."""


@dataclass(frozen=True)
class Function:
    """How a name of the language is built: the SymPy class and how many arguments it takes."""

    build: Any
    fewest: int = 1
    most: int = 1


_MIN, _MAX = Function(sympy.Min, 1, MAX_CHOICES), Function(sympy.Max, 1, MAX_CHOICES)
_ABS = Function(sympy.Abs)
FUNCTIONS: Mapping[str, Function] = {
    "exp": Function(sympy.exp),
    "log": Function(sympy.log),
    "sqrt": Function(lambda x, **options: sympy.Pow(x, sympy.Rational(1, 2), **options)),
    "sin": Function(sympy.sin),
    "cos": Function(sympy.cos),
    "tan": Function(sympy.tan),
    "asin": Function(sympy.asin),
    "acos": Function(sympy.acos),
    "atan": Function(sympy.atan),
    "sinh": Function(sympy.sinh),
    "cosh": Function(sympy.cosh),
    "tanh": Function(sympy.tanh),
    "asinh": Function(sympy.asinh),
    "acosh": Function(sympy.acosh),
    "atanh": Function(sympy.atanh),
    "gamma": Function(sympy.gamma),
    "loggamma": Function(sympy.loggamma),
    "erf": Function(sympy.erf),
    "besseli": Function(sympy.besseli, 2, 2),
    "abs": _ABS,
    "Abs": _ABS,
    "min": _MIN,
    "Min": _MIN,
    "max": _MAX,
    "Max": _MAX,
}
CONSTANTS: Mapping[str, Any] = {"pi": sympy.pi, "E": sympy.E}

# On a constant these grow no faster than their argument, so any argument will do.
_SLOW = ("log", "sqrt", "abs", "Abs", "min", "max", "Min", "Max")
_NUMBER = re.compile(r"(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d{1,4})?")


class Reader:
    """Walks the syntax tree of one line; knows the line so that errors can quote it."""

    def __init__(self, line: str, shift: int, table: Mapping[str, Any], evaluate: bool = True) -> None:
        self.line = line
        self.source = line.encode()
        self.shift = shift
        self.table = table
        self.evaluate = evaluate

    def verbatim(self) -> Reader:
        """A reader that builds the tree as written, for text that this reader has accepted."""
        return Reader(self.line, self.shift, self.table, evaluate=False)

    def piece(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset].decode()

    def error(self, node: ast.expr, complaint: str) -> ExpressionError:
        piece = self.piece(node)
        shown = piece if len(piece) <= 40 else piece[:37] + "..."
        column = len(self.source[: node.col_offset].decode()) + self.shift + 1
        return ExpressionError(f"{shown!r} at column {column} {complaint}")

    def expression(self, node: ast.expr, depth: int = 0) -> Any:
        if depth > MAX_DEPTH:
            raise self.error(node, f"is nested more than {MAX_DEPTH} levels deep")
        match node:
            case ast.Constant():
                return self.number(node)
            case ast.Name():
                return self.name(node)
            case ast.UnaryOp(op=ast.USub()):
                return self.negative(self.expression(node.operand, depth + 1))
            case ast.UnaryOp(op=ast.UAdd()):
                return self.expression(node.operand, depth + 1)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.chain(node, depth, (ast.Add, ast.Sub))
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return self.chain(node, depth, (ast.Mult, ast.Div))
            case ast.BinOp(op=ast.Pow()):
                return self.power(node, depth)
            case ast.Call():
                return self.call(node, depth)
        raise self.error(node, f"is not part of the language ({type(node).__name__})")

    def number(self, node: ast.Constant) -> Any:
        digits = self.piece(node)
        if not _NUMBER.fullmatch(digits) or len(digits) > MAX_EXPONENT:
            raise self.error(node, "is not a number; write decimals such as 12, 0.25 or 1e-9")
        if abs(int(digits.lower().partition("e")[2] or 0)) > MAX_EXPONENT:
            raise self.error(node, f"has an exponent beyond {MAX_EXPONENT}")
        value = Fraction(digits)
        return sympy.Rational(value.numerator, value.denominator)

    def name(self, node: ast.Name) -> Any:
        if node.id in self.table:
            return self.table[node.id]
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        known = ", ".join([*sorted(self.table), *CONSTANTS])
        shown = known if len(known) < 200 else known[:200] + "..."
        raise self.error(node, f"is not a declared name; declared are {shown}")

    def negative(self, value: Any) -> Any:
        # The negative of a number is a number, also in a tree kept as written.
        return -value if value.is_Rational else self.build(sympy.Mul, sympy.S.NegativeOne, value)

    def chain(self, node: ast.BinOp, depth: int, operators: tuple[type[ast.operator], ...]) -> Any:
        """A sum or product of any length, gathered without recursion so that length is not depth."""
        links: list[tuple[ast.operator, ast.expr]] = []
        head: ast.expr = node
        while isinstance(head, ast.BinOp) and isinstance(head.op, operators):
            links.append((head.op, head.right))
            head = head.left
        parts = [self.expression(head, depth + 1)]
        for operator, operand in reversed(links):
            value = self.expression(operand, depth + 1)
            if isinstance(operator, ast.Sub):
                value = self.negative(value)
            if isinstance(operator, ast.Div):
                if self.evaluate and value.is_zero:
                    raise self.error(operand, "is zero and divides")
                value = self.build(sympy.Pow, value, sympy.S.NegativeOne)
            parts.append(value)
        if self.evaluate:
            self.tame_numbers(node, parts)
        return self.real(node, self.build(sympy.Add if ast.Add in operators else sympy.Mul, *parts))

    def power(self, node: ast.BinOp, depth: int) -> Any:
        base, exponent = (self.expression(side, depth + 1) for side in (node.left, node.right))
        if self.evaluate:
            self.tame_power(node, base, exponent)
        return self.real(node, self.build(sympy.Pow, base, exponent))

    def call(self, node: ast.Call, depth: int) -> Any:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise self.error(
                node.func, f"is not a function of the language; known are {', '.join(FUNCTIONS)}"
            )
        name, function = node.func.id, FUNCTIONS[node.func.id]
        if node.keywords:
            raise self.error(node, "has a keyword argument; only plain arguments are accepted")
        if not function.fewest <= len(node.args) <= function.most:
            accepted = " to ".join(dict.fromkeys((str(function.fewest), str(function.most))))
            raise self.error(node, f"has {len(node.args)} arguments; {name} takes {accepted}")
        args = [self.expression(arg, depth + 1) for arg in node.args]
        if self.evaluate:
            self.tame_call(node, name, args)
        return self.real(node, self.build(function.build, *args))

    def build(self, make: Callable[..., Any], *args: Any) -> Any:
        return make(*args) if self.evaluate else make(*args, evaluate=False)

    def real(self, node: ast.expr, value: Any) -> Any:
        """The value, if it is a finite real number of reasonable size as far as SymPy can tell."""
        if not self.evaluate:
            return value
        if value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
            raise self.error(node, "is not a finite number")
        if value.has(sympy.I) or value.is_real is False:
            raise self.error(node, "is not a real number")
        self.tame_numbers(node, [value.as_coeff_Mul()[0], value.as_coeff_Add()[0]])
        return value

    # --- what is refused before it can grow ------------------------------------------------------

    def tame_numbers(self, node: ast.expr, parts: list[Any]) -> None:
        if sum(_bits(part.as_coeff_Mul()[0]) for part in parts) > 2 * MAX_BITS:
            raise self.error(node, f"holds numbers of more than {MAX_BITS} binary digits together")
        factors = [factor for part in parts for factor in sympy.Mul.make_args(part)]
        radicals = [factor.base for factor in factors if factor.is_Pow and factor.base.is_Rational]
        # SymPy multiplies radicands together and looks for factors.
        if sum(map(_bits, radicals)) > MAX_RADICAL_BITS:
            raise self.error(node, f"holds roots of numbers of more than {MAX_RADICAL_BITS} binary digits")

    def tame_power(self, node: ast.expr, base: Any, exponent: Any) -> None:
        if base.is_zero and exponent.is_negative:
            raise self.error(node, "divides by zero")
        self.tame_exponent(node, exponent, MAX_EXPONENT)
        if base.is_Rational and exponent.is_Rational:
            limit = MAX_BITS if exponent.is_Integer else MAX_RADICAL_BITS
            if _bits(base) * max(abs(exponent), 1) > limit:
                raise self.error(node, f"has more than {limit} binary digits")
        elif not (base.free_symbols or exponent.free_symbols) and self.size(node, base) > 0:
            growth = abs(self.size(node, exponent) * sympy.log(self.size(node, base)).evalf(5))
            if growth > MAX_GROWTH:
                raise self.error(node, f"grows beyond exp({MAX_GROWTH})")

    def tame_call(self, node: ast.expr, name: str, args: list[Any]) -> None:
        last = args[-1]
        if name == "besseli" and not (args[0].is_Rational and abs(args[0]) <= MAX_EXPONENT):
            raise self.error(node, f"needs a rational order of size at most {MAX_EXPONENT}")
        if name == "exp":
            self.tame_exponent(node, last, MAX_GROWTH)
        if name == "sqrt" and last.is_Rational:
            self.tame_power(node, last, sympy.Rational(1, 2))
        if name in ("min", "max", "Min", "Max"):
            inside = [choice for arg in args for choice in arg.atoms(sympy.Min, sympy.Max)]
            if len(args) + sum(len(choice.args) for choice in inside) > MAX_CHOICES:
                raise self.error(node, f"chooses among more than {MAX_CHOICES} alternatives")
        if name not in _SLOW and not last.free_symbols:
            limit = MAX_EXPONENT if name in ("gamma", "loggamma") else MAX_GROWTH
            if self.size(node, last) > limit:
                raise self.error(node, f"has a constant argument beyond {limit}")

    def tame_exponent(self, node: ast.expr, exponent: Any, limit: int) -> None:
        """Bound exponents; exp(n log b) is b**n to SymPy, so numbers beside a logarithm are exponents too."""
        logs = exponent.has(sympy.log)
        bound = MAX_EXPONENT if logs else limit
        for number in exponent.atoms(sympy.Rational) if logs else [exponent]:
            if number.is_Rational and max(abs(number), int(number.q)) > bound:
                raise self.error(node, f"has an exponent beyond {bound}")

    def size(self, node: ast.expr, constant: Any) -> Any:
        """Rough absolute value of a constant, to five digits; its parts were bounded before."""
        value = constant.evalf(5)
        if not (value.is_comparable or value.is_zero):
            raise self.error(node, "is not a real number")
        return abs(value)


def _bits(number: Any) -> int:
    """Binary digits of a rational; 0 for anything else."""
    return max(int(number.p).bit_length(), int(number.q).bit_length()) if number.is_Rational else 0
