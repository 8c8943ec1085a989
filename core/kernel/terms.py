"""The formula language: terms, their parser, printer, substitution and derivative.

A term is an exact number, a variable, or an operation on terms.  Equal terms are one object, so a term is
compared and looked up at once however large it is, and a definition used a thousand times is stored once.
Nothing is simplified when a term is made: x/x stays a quotient, and is undefined at 0.

The language: variables, exact numbers (0.1 is one tenth), + - * / **, the functions of `FUNCTIONS`, the
constants pi and E, sum(body, k, low, high), integral(body, t, low, high), and values f(u), f_1(u), f_2(u) of
declared smooth functions and of their derivatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

MAX_LENGTH, MAX_DEPTH, MAX_DIGITS, MAX_CHOICES = 200_000, 150, 4_000, 20
FUNCTIONS: Mapping[str, tuple[int, int]] = {  # how many arguments, at least and at most
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"), (1, 1)),
    **dict.fromkeys(("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"), (1, 1)),
    **dict.fromkeys(("gamma", "loggamma", "erf", "abs"), (1, 1)),
    **dict.fromkeys(("besseli", "polygamma"), (2, 2)),
    **dict.fromkeys(("min", "max"), (1, MAX_CHOICES)),
}
BINDERS = ("sum", "integral")
SPELLINGS = {"Abs": "abs", "Min": "min", "Max": "max"}
OPERATORS = ("<=", "<", ">=", ">", "==", "!=")


class Rejected(ValueError):
    """A text that is not in the language, or a certificate that does not prove its statement."""


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


class Term:
    """An operation and its arguments; made by `term`, `number` and `variable` only."""

    __slots__ = ("__weakref__", "args", "depth", "op")
    op: str
    args: tuple[Any, ...]
    depth: int

    @property
    def value(self) -> Fraction | None:
        """The number that this term is written as, if it is one."""
        return self.args[0] if self.op == "number" else None

    def __repr__(self) -> str:
        return show(self)


_made: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()


def term(op: str, *args: Any) -> Term:
    found = _made.get((op, *args))
    if found is None:
        found = Term()
        found.op, found.args = op, args
        found.depth = 1 + max((a.depth for a in args if isinstance(a, Term)), default=0)
        require(found.depth <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        _made[(op, *args)] = found
    return found


def number(value: Fraction | int) -> Term:
    return term("number", Fraction(value))


def variable(name: str) -> Term:
    return term("variable", name)


ZERO, ONE, MINUS = number(0), number(1), number(-1)


def add(*parts: Term) -> Term:
    return term("+", *parts) if len(parts) > 1 else parts[0]


def mul(*parts: Term) -> Term:
    return term("*", *parts) if len(parts) > 1 else parts[0]


def neg(a: Term) -> Term:
    return number(-a.value) if a.value is not None else mul(MINUS, a)


def sub(a: Term, b: Term) -> Term:
    return a if b is ZERO else add(a, neg(b))


def power(base: Term, exponent: Fraction | int) -> Term:
    return term("**", base, number(exponent))


def subterms(t: Term) -> Iterator[Term]:
    """Every term inside this one, itself included, each once."""
    seen, stack = {t}, [t]
    while stack:
        here = stack.pop()
        yield here
        fresh = {a for a in here.args if isinstance(a, Term)} - seen
        seen |= fresh
        stack.extend(fresh)


@lru_cache(100_000)
def free(t: Term) -> frozenset[str]:
    """The names of the variables that occur free."""
    if t.op == "variable":
        return frozenset(t.args)
    names = frozenset[str]().union(*(free(a) for a in t.args if isinstance(a, Term)))
    if t.op in BINDERS:
        return (free(t.args[0]) - {t.args[1]}) | free(t.args[2]) | free(t.args[3])
    return names


def substitute(t: Term, values: Mapping[str, Term]) -> Term:
    """The term with these variables replaced, all at once."""
    known: dict[Term, Term] = {}

    def walk(here: Term) -> Term:
        if not free(here) & values.keys():
            return here
        if here not in known:
            if here.op == "variable":
                known[here] = values[here.args[0]]
            else:
                if here.op in BINDERS:
                    bound = here.args[1]
                    clash = bound in values or any(bound in free(v) for v in values.values())
                    require(not clash, f"{bound} is bound in {here} and cannot be replaced there")
                known[here] = term(here.op, *(walk(a) if isinstance(a, Term) else a for a in here.args))
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
    """dt/dx where t is differentiable; refused for abs, min, max and sums with x in their limits."""
    if x not in free(t):
        return ZERO
    if t.op == "variable":
        return ONE
    if t.op == "+":
        parts = [derivative(a, x) for a in t.args if x in free(a)]
        return add(*parts)
    if t.op == "*":
        rest = [t.args[:i] + t.args[i + 1 :] for i in range(len(t.args))]
        return add(*(product_of(derivative(a, x), *rest[i]) for i, a in enumerate(t.args) if x in free(a)))
    if t.op == "**":
        base, exponent = t.args
        if exponent.value is not None:
            lower = power(base, exponent.value - 1) if exponent.value != 2 else base
            return product_of(exponent, lower, derivative(base, x))
        return mul(t, derivative(mul(exponent, term("log", base)), x))
    if t.op == "function":
        name, order, u = t.args
        return product_of(term("function", name, order + 1, u), derivative(u, x))
    if t.op in ("besseli", "polygamma"):
        order, u = t.args
        require(order.value is not None and x not in free(order), f"the order in {t} is not a number")
        if t.op == "polygamma":
            outer = term("polygamma", number(order.value + 1), u)
        else:
            near = (term("besseli", number(order.value + k), u) for k in (-1, 1))
            outer = mul(number(Fraction(1, 2)), add(*near))
        return product_of(outer, derivative(u, x))
    if t.op == "sum" and x not in free(t.args[2]) | free(t.args[3]):
        return term("sum", derivative(t.args[0], x), *t.args[1:])
    require(t.op in _SLOPES, f"{t} has no derivative here")
    outer = substitute(parse(_SLOPES[t.op], {"u": variable("u")}), {"u": t.args[0]})
    return product_of(outer, derivative(t.args[0], x))


def product_of(*factors: Term) -> Term:
    """The product, without the factors that are written as 1 (a derivative is full of them)."""
    return mul(*([f for f in factors if f is not ONE] or [ONE]))


# --- reading --------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[<>=!]=|[-+*/(),<>]))"
)


def parse(text: str, names: Mapping[str, Term], functions: frozenset[str] = frozenset()) -> Term:
    """The term that the text denotes; `names` are the variables and definitions, `functions` the smooth ones."""
    reader = _Reader(text, names, functions)
    result = reader.sum()
    reader.end()
    return result


def parse_relation(
    text: str, names: Mapping[str, Term], functions: frozenset[str] = frozenset()
) -> tuple[Term, str, Term]:
    """Left side, operator and right side of a relation."""
    reader = _Reader(text, names, functions)
    left = reader.sum()
    operator = reader.peek()
    require(operator in OPERATORS, f"{text!r} is not a relation with one of {', '.join(OPERATORS)}")
    reader.take()
    right = reader.sum()
    reader.end()
    return left, operator, right


class _Reader:
    """Recursive descent with Python's precedences: -x**2 is -(x**2), 2**-1 is a half."""

    def __init__(self, text: str, names: Mapping[str, Term], functions: frozenset[str]) -> None:
        require(isinstance(text, str), f"a formula is text, not {type(text).__name__}")
        require(len(text) <= MAX_LENGTH, f"a formula has {len(text)} characters, more than {MAX_LENGTH}")
        self.text, self.names, self.functions = text, dict(names), functions
        self.tokens: list[tuple[str, str, int]] = []
        self.at, self.level, place = 0, 0, 0
        stripped = text.rstrip()
        while place < len(stripped):
            found = _TOKEN.match(stripped, place)
            if found is None:
                raise Rejected(f"{text[place : place + 20]!r} at column {place + 1} is not in the language")
            kind = found.lastgroup or ""
            self.tokens.append((kind, found[kind], found.start(kind) + 1))
            place = found.end()

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def spot(self, at: int) -> str:
        return "{1!r} at column {2}".format(*self.tokens[at]) if at < len(self.tokens) else "the end"

    def take(self, wanted: str = "") -> str:
        here = self.peek()
        require(here and wanted in ("", here), f"{wanted or 'more'} is missing before {self.spot(self.at)}")
        self.at += 1
        return here

    def end(self) -> None:
        require(self.at == len(self.tokens), f"{self.spot(self.at)} was not expected")

    def sum(self) -> Term:
        self.level += 1
        require(self.level <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
        parts = [self.product()]
        while self.peek() in ("+", "-"):
            parts.append(self.product() if self.take() == "+" else neg(self.product()))
        self.level -= 1
        return add(*parts)

    def product(self) -> Term:
        parts = [self.factor()]
        while self.peek() in ("*", "/"):
            parts.append(self.factor() if self.take() == "*" else power(self.factor(), -1))
        return mul(*parts)

    def factor(self) -> Term:
        minus = False
        while self.peek() in ("+", "-"):
            minus ^= self.take() == "-"
        base = self.atom()
        if self.peek() == "**":
            self.take()
            self.level += 1
            require(self.level <= MAX_DEPTH, f"a formula is nested more than {MAX_DEPTH} levels deep")
            base = term("**", base, simple(self.factor()))
            self.level -= 1
        return neg(base) if minus else base

    def atom(self) -> Term:
        kind = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
        word = self.take()
        if kind == "number":
            require(len(word) <= MAX_DIGITS, f"a number of more than {MAX_DIGITS} digits")
            return number(Fraction(word))
        if word == "(":
            inner = self.sum()
            self.take(")")
            return simple(inner)
        spot = self.spot(self.at - 1)
        require(kind == "name", f"{spot} was not expected")
        if self.peek() == "(":
            return self.call(SPELLINGS.get(word, word), spot)
        if word in self.names:
            return self.names[word]
        constants = {"pi": term("pi"), "E": term("exp", ONE)}
        known = ", ".join(sorted(self.names))[:200]
        require(word in constants, f"{spot} is not a declared name; declared are {known or 'none'}")
        return constants[word]

    def call(self, word: str, spot: str) -> Term:
        self.take("(")
        if word in BINDERS:
            return self.binder(word)
        args = [self.sum()]
        while self.peek() == ",":
            self.take()
            args.append(self.sum())
        self.take(")")
        for stem, k in ((word, "0"), (word.rpartition("_")[0], word.rpartition("_")[2])):
            if stem in self.functions and k.isdecimal() and len(k) < 4:
                require(len(args) == 1, f"{spot} takes one argument")
                return term("function", stem, int(k), args[0])
        require(word in FUNCTIONS, f"{spot} is not a function; known are {', '.join(FUNCTIONS)}")
        fewest, most = FUNCTIONS[word]
        require(fewest <= len(args) <= most, f"{spot} does not take {len(args)} arguments")
        return power(args[0], Fraction(1, 2)) if word == "sqrt" else term(word, *args)

    def binder(self, word: str) -> Term:
        """sum(body, k, low, high): the bound name is read ahead, and may not be a name already in use."""
        start, level = self.at, 0
        while (level > 0 or self.peek() != ",") and self.at < len(self.tokens):
            level += {"(": 1, ")": -1}.get(self.take(), 0)
        self.take(",")
        bound = self.take()
        fresh = (
            self.tokens[self.at - 1][0] == "name" and bound not in self.names and bound not in self.functions
        )
        require(fresh, f"{bound!r} cannot be bound in {self.text!r}: it is in use, or no name")
        after, self.at = self.at, start
        self.names[bound] = variable(bound)
        body = self.sum()
        del self.names[bound]
        self.at = after
        ends = []
        for _ in range(2):
            self.take(",")
            ends.append(self.sum())
        self.take(")")
        return term(word, body, bound, *ends)


def simple(t: Term) -> Term:
    """A quotient of two written numbers, or the negative of one, is a number: (1/2), (-3)."""
    if t.op == "*" and len(t.args) == 2 and t.args[1].op == "**":
        (top, below), exponent = (t.args[0], t.args[1].args[0]), t.args[1].args[1]
        if None not in (top.value, below.value) and exponent is MINUS and below.value:
            return number(top.value / below.value)
    return t


# --- writing --------------------------------------------------------------------------------------


def show(t: Term) -> str:
    """Text that `parse` reads back as this very term."""
    if t.op == "number":
        value = t.args[0]
        return str(value) if value >= 0 and value.denominator == 1 else f"({value})"
    if t.op == "variable":
        return str(t.args[0])
    if t.op in ("+", "*"):
        return "(" + f" {t.op} ".join(show(a) for a in t.args) + ")"
    if t.op == "**":
        return f"({show(t.args[0])}**{show(t.args[1])})"
    if t.op == "function":
        return f"{t.args[0]}{f'_{t.args[1]}' if t.args[1] else ''}({show(t.args[2])})"
    inner = ", ".join(show(a) if isinstance(a, Term) else str(a) for a in t.args)
    return f"{t.op}({inner})" if t.args else t.op
