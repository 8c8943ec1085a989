"""The formula language: terms, their parser, printer, substitution and derivative.

A term is an exact number, a variable, or an operation on terms.  Equal terms are one object, so a term is
compared and looked up at once however large it is.  Nothing is cancelled when a term is made: x/x stays a
quotient, and is undefined at 0.  In the language are declared variables, exact numbers (0.1 is one tenth),
+ - * / **, the functions of `FUNCTIONS`, pi and E, sum(body, k, low, high), integral(body, t, low, high), and
values f(u), f_1(u), f_2(u) of declared smooth functions and of their derivatives.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any, NoReturn
from weakref import WeakValueDictionary

MAX_LENGTH, MAX_DEPTH, MAX_DIGITS, MAX_CHOICES, MAX_BITS, MAX_WIDTH = 200_000, 150, 4_000, 20, 200_000, 50_000
FUNCTIONS: Mapping[str, tuple[int, int]] = {  # how many arguments, at least and at most
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"), (1, 1)),
    **dict.fromkeys(("tanh", "asinh", "acosh", "atanh", "gamma", "loggamma", "erf", "abs"), (1, 1)),
    **dict.fromkeys(("besseli", "polygamma"), (2, 2)),
    **dict.fromkeys(("min", "max"), (1, MAX_CHOICES)),
}  # fmt: skip
BINDERS = ("sum", "integral")
SPELLINGS = {"Abs": "abs", "Min": "min", "Max": "max"}


class Rejected(ValueError):
    """A text that is not in the language, or a certificate that does not prove its statement."""


class Exhausted(RuntimeError):
    """The steps of a budget are taken."""


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
        raise Exhausted("this asks for too much work")


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def sized(value: Fraction) -> Fraction:
    """The number itself, if it is short enough to work with; long ones are paid for."""
    bits = _bits(value)
    if bits > 1000:
        require(bits <= MAX_BITS, f"a number has more than {MAX_BITS} bits")
        spend(bits * bits >> 15)
    return value


class Term:
    """An operation and its arguments; made by `term`, `number`, `variable` and arithmetic only."""

    __slots__ = ("__weakref__", "args", "depth", "op", "size")
    op: str
    args: tuple[Any, ...]
    depth: int
    size: int  # as a tree, however much is shared

    @property
    def value(self) -> Fraction | None:
        """The number that this term is written as, if it is one."""
        return self.args[0] if self.op == "number" else None

    def __add__(self, other: Term | int | Fraction) -> Term:
        return joined("+", [self, _of(other)])

    def __mul__(self, other: Term | int | Fraction) -> Term:
        return joined("*", [self, _of(other)])

    def __neg__(self) -> Term:
        return self * -1

    def __sub__(self, other: Term | int | Fraction) -> Term:
        return self + -_of(other)

    def __pow__(self, exponent: int | Fraction) -> Term:
        return self if exponent == 1 else term("**", self, number(exponent))

    def __repr__(self) -> str:
        return show(self) if self.size <= 500 else f"a formula of {self.size} symbols"


_made: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()


def term(op: str, *args: Any) -> Term:
    spend(1)
    found = _made.get((op, *args))
    if found is None:
        found = Term()
        found.op, found.args = op, args
        found.depth = 1 + max((a.depth for a in args if isinstance(a, Term)), default=0)
        found.size = _bits(*args) // 16 if op == "number" else sum(a.size for a in inner(found)) + 1
        require(found.depth <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        _made[(op, *args)] = found
    return found


def number(value: Fraction | int) -> Term:
    return term("number", sized(Fraction(value)))


def variable(name: str) -> Term:
    return term("variable", name)


ZERO, ONE = number(0), number(1)


def _of(value: Term | int | Fraction) -> Term:
    return value if isinstance(value, Term) else number(value)


def joined(op: str, parts: Sequence[Term]) -> Term:
    """A sum or product as one operation, whatever its length; written numbers in a product are multiplied."""
    flat = [a for part in parts for a in (part.args if part.op == op else (part,))]
    require(len(flat) <= MAX_WIDTH, f"a sum or product of more than {MAX_WIDTH} terms")
    if op == "*":
        written = (a.value for a in flat if a.value is not None)
        coefficient = reduce(lambda p, q: sized(p * q), written, Fraction(1))
        rest = [a for a in flat if a.value is None]
        flat = rest if rest and coefficient == 1 else [number(coefficient), *rest]
    else:
        flat = [a for a in flat if a is not ZERO] or [ZERO]
    return term(op, *flat) if len(flat) > 1 else flat[0]


def inner(t: Term) -> tuple[Term, ...]:
    return tuple(a for a in t.args if isinstance(a, Term))


def subterms(t: Term, inside: Callable[[Term], Iterable[Term]] = inner) -> Iterator[Term]:
    """Every term inside this one, itself included, each once."""
    seen, stack = {t}, [t]
    while stack:
        here = stack.pop()
        yield here
        fresh = set(inside(here)) - seen
        seen |= fresh
        stack.extend(fresh)


def outer_terms(t: Term) -> Iterator[Term]:
    """The terms inside this one that have a value wherever it has: all but those in bodies of sums."""
    return subterms(t, lambda here: here.args[2:] if here.op in BINDERS else inner(here))


@lru_cache(100_000)
def free(t: Term) -> frozenset[str]:
    """The names of the variables that occur free."""
    if t.op == "variable":
        return frozenset(t.args)
    if t.op in BINDERS:
        return (free(t.args[0]) - {t.args[1]}) | free(t.args[2]) | free(t.args[3])
    return frozenset[str]().union(*map(free, inner(t)))


def substitute(t: Term, values: Mapping[str, Term]) -> Term:
    """The term with these variables replaced, all at once."""
    known: dict[Term, Term] = {}

    def walk(here: Term) -> Term:
        if not free(here) & values.keys():
            return here
        if here not in known:
            if here.op in BINDERS:
                clash = here.args[1] in values or any(here.args[1] in free(v) for v in values.values())
                require(not clash, f"{here.args[1]} is bound in {here} and cannot be replaced there")
            made = (walk(a) if isinstance(a, Term) else a for a in here.args)
            known[here] = values[here.args[0]] if here.op == "variable" else term(here.op, *made)
        return known[here]

    return walk(t)


# --- the derivative -------------------------------------------------------------------------------

_SLOPES = {  # of each function of u, as text
    "exp": "exp(u)", "log": "1/u", "sin": "cos(u)", "cos": "-sin(u)", "tan": "1 + tan(u)**2",
    "asin": "1/sqrt(1 - u**2)", "acos": "-1/sqrt(1 - u**2)", "atan": "1/(1 + u**2)",
    "sinh": "cosh(u)", "cosh": "sinh(u)", "tanh": "1 - tanh(u)**2", "asinh": "1/sqrt(1 + u**2)",
    "acosh": "1/(sqrt(u - 1)*sqrt(u + 1))", "atanh": "1/(1 - u**2)", "erf": "2*exp(-u**2)/sqrt(pi)",
    "gamma": "gamma(u)*polygamma(0, u)", "loggamma": "polygamma(0, u)",
}  # fmt: skip


@lru_cache(100_000)
def derivative(t: Term, x: str) -> Term:
    """dt/dx where t is differentiable; refused for abs, min, max, integrals, and sums with x in their limits."""
    if x not in free(t):
        return ZERO
    if t.op == "variable":
        return ONE
    if t.op == "+":
        return joined("+", [derivative(a, x) for a in t.args if x in free(a)])
    if t.op == "*":
        terms = []
        for i, a in enumerate(t.args):
            if x in free(a):
                terms.append(joined("*", [derivative(a, x), *t.args[:i], *t.args[i + 1 :]]))
        return joined("+", terms)
    if t.op == "**" and t.args[1] is ZERO:  # 1, where the base is 0 too
        return ZERO  # type: ignore[no-any-return]
    if t.op == "**" and t.args[1].value is not None:
        base, exponent = inner(t)
        return exponent * base ** (t.args[1].value - 1) * derivative(base, x)  # type: ignore[no-any-return]
    if t.op == "**":
        return t * derivative(t.args[1] * term("log", t.args[0]), x)
    if t.op == "sum" and x not in free(t.args[2]) | free(t.args[3]):
        return term("sum", derivative(t.args[0], x), *t.args[1:])
    u = t.args[-1]
    if t.op == "function":
        outer = term("function", t.args[0], t.args[1] + 1, u)
    elif t.op in ("besseli", "polygamma") and t.args[0].value is not None:
        up, down = (term(t.op, number(t.args[0].value + k), u) for k in (1, -1))
        outer = up if t.op == "polygamma" else (up + down) * Fraction(1, 2)
    else:
        require(t.op in _SLOPES, f"{t} has no derivative here")
        outer = substitute(parse(_SLOPES[t.op], {"u": variable("u")}), {"u": u})
    return outer * derivative(u, x)


# --- reading --------------------------------------------------------------------------------------

_FOREIGN = re.compile(r"[^\w\s.+\-*/(),<>=!]|[^\x00-\x7f]|__")
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?")
_KEYWORD = re.compile(rf"\b({'|'.join(keyword.kwlist)})\b")
_RELATIONS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
Names = Mapping[str, Term]


def parse(text: str, names: Names, functions: frozenset[str] = frozenset()) -> Term:
    """The term that the text denotes; `names` are variables and definitions, `functions` the smooth ones."""
    line, tree = _grammar(text)
    return _Reader(line, names, functions).read(tree)


def parse_relation(text: str, names: Names, functions: frozenset[str] = frozenset()) -> tuple[Term, str, Term]:
    """Left side, operator and right side of a relation."""
    line, tree = _grammar(text)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in _RELATIONS:
        raise Rejected(f"{text!r} is not one relation with <=, <, >=, >, == or !=")
    reader = _Reader(line, names, functions)
    return reader.read(tree.left), _RELATIONS[type(tree.ops[0])], reader.read(tree.comparators[0])


def _grammar(text: str) -> tuple[str, ast.expr]:
    """The line in Python's grammar; what of it belongs to the language is decided node by node."""
    require(isinstance(text, str), f"a formula is text, not {type(text).__name__}")
    require(len(text) <= MAX_LENGTH, f"a formula has {len(text)} characters, more than {MAX_LENGTH}")
    line = re.sub(r"\s", " ", text)
    foreign = _FOREIGN.search(line)
    if foreign is not None:
        raise Rejected(f"{line[foreign.start() :][:20]!r} at column {foreign.start() + 1} is not in the language")
    # Python's keywords are names here: two underscores, which no name of the language holds, set them apart.
    line = _KEYWORD.sub(r"\g<0>__", line)
    try:
        with warnings.catch_warnings(action="ignore"):
            return line, ast.parse(line.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise Rejected(f"{text[:200]!r} is not a formula, or is nested too deeply") from None


def _name(node: ast.expr) -> str:
    return node.id.removesuffix("__") if isinstance(node, ast.Name) else ""


class _Reader:
    """Walks the syntax tree of one line; numbers are read from the line itself, never as floats."""

    def __init__(self, line: str, names: Names, functions: frozenset[str]) -> None:
        self.line, self.functions, self.names = line.strip(), functions, names
        self.shift = 1 + len(line) - len(line.lstrip())

    def piece(self, node: ast.expr) -> str:
        return self.line[node.col_offset : node.end_col_offset].replace("__", "")

    def refuse(self, node: ast.expr, why: str) -> NoReturn:
        raise Rejected(f"{self.piece(node)[:40]!r} at column {node.col_offset + self.shift} {why}")

    def read(self, node: ast.expr, level: int = 0) -> Term:
        require(level <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        match node:
            case ast.Constant():
                digits = self.piece(node)
                if not _NUMBER.fullmatch(digits) or len(digits) > MAX_DIGITS:
                    self.refuse(node, "is not a number such as 12, 0.25 or 1e-9")
                return number(Fraction(digits))
            case ast.Name():
                name = _name(node)
                known = {"pi": term("pi"), "E": term("exp", ONE), **self.names}
                if name not in known:
                    self.refuse(node, f"is not a declared name; declared are {', '.join(self.names)[:200] or 'none'}")
                return known[name]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                inside = self.read(node.operand, level + 1)
                return -inside if isinstance(node.op, ast.USub) else inside
            case ast.BinOp(op=ast.Pow()):
                return term("**", self.read(node.left, level + 1), self.read(node.right, level + 1))
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return joined("+", self.chain(node, (ast.Add, ast.Sub), level))
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return joined("*", self.chain(node, (ast.Mult, ast.Div), level))
            case ast.Call(func=ast.Name(), keywords=[]):
                return self.call(node.func, _name(node.func), node.args, level)
        self.refuse(node, "is not in the language")

    def chain(self, node: ast.expr, operators: tuple[type[ast.operator], ...], level: int) -> list[Term]:
        """A sum or product of any length, gathered without recursion, so that length is not depth."""
        links: list[Term] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, operators):
            part = self.read(node.right, level + 1)
            if isinstance(node.op, ast.Div):
                part = number(1 / part.value) if part.value else part**-1
            links.append(-part if isinstance(node.op, ast.Sub) else part)
            node = node.left
        return [self.read(node, level + 1), *reversed(links)]

    def call(self, node: ast.expr, word: str, given: list[ast.expr], level: int) -> Term:
        if word in BINDERS:
            bound = _name(given[1]) if len(given) == 4 else ""
            if not bound or bound in {*self.names, *self.functions, "pi", "E"}:
                self.refuse(node, "needs a body, a name that is used for nothing else, and two ends")
            within = _Reader(self.line, {**self.names, bound: variable(bound)}, self.functions)
            low, high = (self.read(end, level + 1) for end in given[2:])
            return term(word, within.read(given[0], level + 1), bound, low, high)
        args = [self.read(a, level + 1) for a in given]
        stem, _, order = word.rpartition("_")
        if word in self.functions or (stem in self.functions and order.isdecimal() and len(order) < 4):
            require(len(args) == 1, f"{word} takes one argument")
            name, order = (word, "0") if word in self.functions else (stem, order)
            return term("function", name, int(order), args[0])
        word = SPELLINGS.get(word, word)
        if word not in FUNCTIONS:
            self.refuse(node, f"is not a function; known are {', '.join(FUNCTIONS)}")
        if not FUNCTIONS[word][0] <= len(args) <= FUNCTIONS[word][1]:
            self.refuse(node, f"does not take {len(args)} arguments")
        return args[0] ** Fraction(1, 2) if word == "sqrt" else term(word, *args)


def show(t: Term) -> str:
    """Text that `parse` reads back as this very term."""
    require(t.size <= MAX_LENGTH, "a formula is too long to be written out")
    if t.op == "number":
        value = t.args[0]
        return str(value) if value >= 0 and value.denominator == 1 else f"({value})"
    if t.op == "variable":
        return str(t.args[0])
    if t.op in ("+", "*"):
        return "(" + f" {t.op} ".join(map(show, t.args)) + ")"
    if t.op == "**":
        root = t.args[1].value == Fraction(1, 2)
        return f"sqrt({show(t.args[0])})" if root else f"({show(t.args[0])}**{show(t.args[1])})"
    if t.op == "function":
        return f"{t.args[0]}{f'_{t.args[1]}' if t.args[1] else ''}({show(t.args[2])})"
    arguments = ", ".join(show(a) if isinstance(a, Term) else str(a) for a in t.args)
    return f"{t.op}({arguments})" if t.args else t.op
