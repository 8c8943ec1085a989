"""The formula language of docs/certificates.md as text, read without executing anything, and the derivative."""

import ast
import keyword
import re
import warnings
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from .terms import BINDERS, FUNCTIONS, MAX_DEPTH, MAX_LENGTH, ONE, ZERO, Rejected, Term
from .terms import joined, number, require, substitute, term, variable

MAX_DIGITS = 4_000
SPELLINGS = {"Abs": "abs", "Min": "min", "Max": "max"}
_FOREIGN = re.compile(r"[^\w\s.+\-*/(),<>=!]|[^\x00-\x7f]|__")
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?")
_KEYWORD = re.compile(rf"\b({'|'.join(keyword.kwlist)})\b")
_RELATIONS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
Names = Mapping[str, Term]


def parse(text: str, names: Names, functions: frozenset[str] = frozenset()) -> Term:
    """The term that the text denotes; `names` are variables and definitions, `functions` the smooth ones."""
    reader = _Reader(text, names, functions)
    return reader.read(reader.tree)


def parse_relation(text: str, names: Names, functions: frozenset[str] = frozenset()) -> tuple[Term, str, Term]:
    """Left side, operator and right side of a relation."""
    reader = _Reader(text, names, functions)
    match reader.tree:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _RELATIONS:
            return reader.read(left), _RELATIONS[type(op)], reader.read(right)
    raise Rejected(f"{text!r} is not one relation with <=, <, >=, >, == or !=")


def fraction(text: str) -> Fraction:
    value = parse(text, {}).value
    if value is None:
        raise Rejected(f"{text!r} is not an exact number")
    return value


class _Reader:
    """Walks the syntax tree of one line; numbers are read from the line itself, never as floats."""

    def __init__(self, text: str, names: Names, functions: frozenset[str]) -> None:
        require(isinstance(text, str), f"a formula is text, not {type(text).__name__}")
        require(len(text) <= MAX_LENGTH, f"a formula has {len(text)} characters, more than {MAX_LENGTH}")
        line = re.sub(r"\s", " ", text)
        if foreign := _FOREIGN.search(line):
            raise Rejected(f"{line[foreign.start() :][:20]!r} at column {foreign.start() + 1} is not in the language")
        # Python's keywords are names here: two underscores, which no name of the language holds, set them apart.
        self.line = _KEYWORD.sub(r"\g<0>__", line.strip())
        self.shift = 1 + len(line) - len(line.lstrip())
        self.names, self.functions, self.level = names, functions, 0
        try:
            with warnings.catch_warnings(action="ignore"):
                self.tree = ast.parse(self.line, mode="eval").body
        except (SyntaxError, RecursionError, MemoryError, ValueError):
            raise Rejected(f"{text[:200]!r} is not a formula, or is nested too deeply") from None

    def piece(self, node: ast.expr) -> str:
        return self.line[node.col_offset : node.end_col_offset].replace("__", "")

    def refuse(self, node: ast.expr, why: str) -> NoReturn:
        raise Rejected(f"{self.piece(node)[:40]!r} at column {node.col_offset + self.shift} {why}")

    def read(self, node: ast.expr) -> Term:
        self.level += 1
        require(self.level <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        found = self.read_node(node)
        self.level -= 1
        return found

    def read_node(self, node: ast.expr) -> Term:
        match node:
            case ast.Constant():
                digits = self.piece(node)
                if not _NUMBER.fullmatch(digits) or len(digits) > MAX_DIGITS:
                    self.refuse(node, "is not a number such as 12, 0.25 or 1e-9")
                return number(Fraction(digits))
            case ast.Name():
                known = {"pi": term("pi"), "E": term("exp", ONE), **self.names}
                if self.piece(node) not in known:
                    self.refuse(node, f"is not a declared name; declared are {', '.join(self.names)[:200] or 'none'}")
                return known[self.piece(node)]
            case ast.UnaryOp(op=ast.USub()):
                return -self.read(node.operand)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.read(node.operand)
            case ast.BinOp(op=ast.Pow()):
                return term("**", self.read(node.left), self.read(node.right))
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return joined("+", self.chain(node, ast.Add, ast.Sub))
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return joined("*", self.chain(node, ast.Mult, ast.Div))
            case ast.Call(func=ast.Name(), keywords=[]):
                return self.call(node.func, self.piece(node.func), node.args)
        self.refuse(node, "is not in the language")

    def chain(self, node: ast.expr, *operators: type[ast.operator]) -> list[Term]:
        """A sum or product of any length, gathered without recursion, so that length is not depth."""
        links: list[Term] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, operators):
            part = self.read(node.right)
            if isinstance(node.op, ast.Div):
                part = number(1 / part.value) if part.value else part**-1
            links.append(-part if isinstance(node.op, ast.Sub) else part)
            node = node.left
        return [self.read(node), *reversed(links)]

    def call(self, node: ast.expr, word: str, given: list[ast.expr]) -> Term:
        if word in BINDERS:
            return self.binder(node, word, given)
        args = [self.read(a) for a in given]
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

    def binder(self, node: ast.expr, word: str, given: list[ast.expr]) -> Term:
        bound = self.piece(given[1]) if len(given) == 4 and isinstance(given[1], ast.Name) else ""
        if not bound or bound in {*self.names, *self.functions, "pi", "E"}:
            self.refuse(node, "needs a body, a name that is used for nothing else, and two ends")
        low, high = (self.read(end) for end in given[2:])
        outside, self.names = self.names, {**self.names, bound: variable(bound)}
        body = self.read(given[0])
        self.names = outside
        return term(word, body, bound, low, high)


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
    if x not in t.free or (t.op == "**" and t.args[1] is ZERO):  # u**0 is 1, where u is 0 too
        return ZERO
    u = t.args[0 if t.op == "**" else -1]
    match t.op:
        case "variable":
            return ONE
        case "+":
            return joined("+", [derivative(a, x) for a in t.args if x in a.free])
        case "*":
            others = ((a, t.args[:i] + t.args[i + 1 :]) for i, a in enumerate(t.args) if x in a.free)
            return joined("+", [joined("*", [derivative(a, x), *rest]) for a, rest in others])
        case "**" if t.args[1].value is None:
            return t * derivative(t.args[1] * term("log", u), x)
        case "sum" if x not in t.args[2].free | t.args[3].free:
            return term("sum", derivative(t.args[0], x), *t.args[1:])
        case "**":
            outer = t.args[1] * u ** (t.args[1].value - 1)
        case "function":
            outer = term("function", t.args[0], t.args[1] + 1, u)
        case "besseli" | "polygamma" if t.args[0].value is not None:
            up, down = (term(t.op, number(t.args[0].value + k), u) for k in (1, -1))
            outer = up if t.op == "polygamma" else (up + down) * Fraction(1, 2)
        case _:
            require(t.op in _SLOPES, f"{t} has no derivative here")
            outer = substitute(parse(_SLOPES[t.op], {"u": variable("u")}), {"u": u})
    return outer * derivative(u, x)
