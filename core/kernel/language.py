"""The formula language of docs/certificates.md as text, read by a parser of its own, and the derivative."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from . import terms
from .terms import BINDERS, FUNCTIONS, ONE, ZERO, Rejected, Term, joined, number, require, substitute, term, variable

MAX_DIGITS = 4_000
SPELLINGS, ENDS = {"Abs": "abs", "Min": "min", "Max": "max"}, {"": "end of the formula", "(": "formula"}
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>\*\*|[<>=!]=|[-+*/(),<>])|(?P<foreign>\S[^\n]*)", re.ASCII)  # fmt: skip
Names = Mapping[str, Term]
CONSTANTS: Names = {"pi": term("pi"), "E": term("exp", ONE)}


def parse(text: str, names: Names, functions: frozenset[str] = frozenset()) -> Term:
    """The term that the text denotes; `names` are variables and definitions, `functions` the smooth ones."""
    reader = Reader(text, names, functions)
    return (reader.sum(), reader.expect(""))[0]


def parse_relation(text: str, names: Names, functions: frozenset[str] = frozenset()) -> tuple[Term, str, Term]:
    """Left side, operator and right side of a relation."""
    reader = Reader(text, names, functions)
    left, op, right, _ = reader.sum(), reader.expect("<=", "<", ">=", ">", "==", "!="), reader.sum(), reader.expect("")
    return left, op, right


def fraction(text: str) -> Fraction:
    value = parse(text, {}).value
    if value is None:
        raise Rejected(f"{text!r} is not an exact number")
    return value


class Reader:
    """Reads a line from left to right: sums of products of powers of numbers, names, calls and brackets."""

    def __init__(self, text: str, names: Names, functions: frozenset[str]) -> None:
        require(isinstance(text, str), f"a formula is text, not {type(text).__name__}")
        require(len(text) <= terms.MAX_LENGTH, f"a formula has more than {terms.MAX_LENGTH} characters")
        self.text, self.names, self.functions, self.at, self.level = text, {**CONSTANTS, **names}, functions, 0, 0
        self.tokens = [(found.lastgroup, found[0], found.start() + 1) for found in _TOKEN.finditer(text)]
        self.tokens.append(("end", "", len(text) + 1))

    def require(self, condition: object, at: int, why: str) -> None:
        _, token, column = self.tokens[at]
        require(condition, f"{token[:40] or 'the end'!r} at column {column} {why}")

    def expect(self, *wanted: str) -> str:
        """The token here, which must be one of these; the next one is then here."""
        (_, token, column), known = self.tokens[self.at], " or ".join(ENDS.get(sign, repr(sign)) for sign in wanted)
        where = repr(token[:40]) if token else "the end"
        require(token in wanted, f"Syntax error in {self.text[:200]!r}: {known} expected at {where} (column {column}).")
        self.at += 1
        return token

    def taken(self, *wanted: str) -> str:
        return self.expect(*wanted) if self.tokens[self.at][1] in wanted else ""

    def sum(self) -> Term:
        parts = [self.product()]
        while sign := self.taken("+", "-"):
            parts.append(self.product() if sign == "+" else -self.product())
        return joined("+", parts)

    def product(self) -> Term:
        parts = [self.factor()]
        while sign := self.taken("*", "/"):
            part = self.factor()
            parts.append(part if sign == "*" else number(1 / part.value) if part.value else part**-1)
        return joined("*", parts)

    def factor(self) -> Term:
        self.level += 1
        require(self.level <= terms.MAX_DEPTH, f"a formula is nested more than {terms.MAX_DEPTH} levels deep")
        sign = self.taken("+", "-")
        found = self.factor() if sign else self.atom()
        if not sign and self.taken("**"):
            found = term("**", found, self.factor())
        self.level -= 1
        return -found if sign == "-" else found

    def atom(self) -> Term:
        at, (kind, token, _) = self.at, self.tokens[self.at]
        if kind not in ("number", "name"):
            self.expect("(")
            found = self.sum()
            self.expect(")")
            return found
        self.at += 1
        if kind == "number":
            require(len(token) <= MAX_DIGITS, f"a number has more than {MAX_DIGITS} digits")
            return number(Fraction(token))
        if self.taken("("):
            return self.binder(at, token) if token in BINDERS else self.call(at, token)
        self.require(token in self.names, at, f"is not a name; declared are {', '.join(self.names)[:200]}")
        return self.names[token]

    def call(self, at: int, word: str) -> Term:
        args = [] if self.taken(")") else [self.sum()]
        while args and self.expect(",", ")") == ",":
            args.append(self.sum())
        stem, _, order = word.rpartition("_") if word not in self.functions else (word, "", "0")
        if stem in self.functions and order.isdecimal() and len(order) < 4:
            self.require(len(args) == 1, at, "takes one argument")
            return term("function", stem, int(order), args[0])
        if word == "diff":  # has a value only where the formula has one, and around
            self.require(len(args) == 2 and args[1].op == "variable", at, "takes a formula and a variable")
            exponents = [t.args[1].value for t in terms.subterms(args[0]) if t.op == "**" and args[1].free <= t.free]
            plain = all(e is None or (e != 0 if e.denominator == 1 else e < 1) for e in exponents)
            self.require(plain, at, "takes no u**0, and u**(3/2) as sqrt(u)**3")
            return derivative(args[0], *args[1].free) + args[0] * 0
        word = SPELLINGS.get(word, word)
        self.require(word in FUNCTIONS, at, f"is not a function; known are {', '.join(FUNCTIONS)}")
        least, most = FUNCTIONS[word]
        self.require(least <= len(args) <= most, at, f"does not take {len(args)} arguments")
        return args[0] ** Fraction(1, 2) if word == "sqrt" else term(word, *args)

    def binder(self, at: int, word: str) -> Term:
        """A body, a name, and two ends; the name comes after the body and must be known before it is read."""
        comma, depth = self.at, 0
        while self.tokens[comma][1] and (depth or self.tokens[comma][1] != ","):
            depth += {"(": 1, ")": -1}.get(self.tokens[comma][1], 0)
            comma += 1
        kind, bound, _ = self.tokens[min(comma + 1, len(self.tokens) - 1)]
        fresh = kind == "name" and bound not in {*self.names, *self.functions}
        self.require(fresh, at, "needs a body, a name that is used for nothing else, and two ends")
        outside, self.names = self.names, {**self.names, bound: variable(bound)}
        body = self.sum()
        self.names = outside
        for token in (",", bound, ","):
            self.expect(token)
        low, _, high, _ = self.sum(), self.expect(","), self.sum(), self.expect(")")
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
            outer: Term = t.args[1] * u ** (t.args[1].value - 1)
        case "function":
            outer = term("function", t.args[0], t.args[1] + 1, u)
        case "besseli" | "polygamma" if t.args[0].value is not None:
            up, down = (term(t.op, number(t.args[0].value + k), u) for k in (1, -1))
            outer = up if t.op == "polygamma" else (up + down) * Fraction(1, 2)
        case _:
            require(t.op in _SLOPES, f"{t} has no derivative here")
            outer = substitute(parse(_SLOPES[t.op], {"u": variable("u")}), {"u": u})
    return outer * derivative(u, x)
