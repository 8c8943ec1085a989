r"""Formulas of `core.expression` as LaTeX, laid out as they were written.

>>> of("x**2/lam <= 2*log(1 + g_min)")
'\\frac{x^{2}}{\\lambda} \\le 2 \\, \\log \\left( 1 + g_{\\min} \\right)'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from fractions import Fraction

GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Sigma",
    "Phi", "Psi", "Omega",
})  # fmt: skip
SPELT: Mapping[str, str] = {"lam": r"\lambda", "eps": r"\varepsilon", "ell": r"\ell"}
SUBSCRIPTS: Mapping[str, str] = {"min": r"\min", "max": r"\max", "star": r"\star"}


class MathError(ValueError):
    """A formula that cannot be set; the message quotes it."""


def of(text: str) -> str:
    """LaTeX of a formula or relation, node by node of the text's own tree."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MathError(f"formula {text!r} does not parse") from None
    return _Layout(text.strip()).of(tree)


def number(text: str) -> str:
    """LaTeX of an exact number as the ledger writes it: 3, -2/7, 815395e-4; long zeros become powers of 10.

    >>> number("815395e-4"), number("1/10000000000"), number("-3000000000"), number("22/7")
    ('81.5395', '10^{-10}', '-3 \\\\cdot 10^{9}', '\\\\frac{22}{7}')
    """
    text = text.replace("_", "")
    if not re.fullmatch(r"-?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)", text):
        if re.fullmatch(r"-?\d+(\*\*\d+|[*/]\d+)*", text):  # powers of numbers, as texts of claims have them
            return of(text)
        raise MathError(f"{text!r} is not an exact number")
    if "/" not in text and re.search(r"[.eE]", text):
        return _decimal(text)
    value = Fraction(text)
    sign, top, bottom = "-" if value < 0 else "", abs(value.numerator), value.denominator
    if bottom == 1:
        return sign + _whole(top)
    exponent = len(str(bottom)) - 1
    if exponent >= 6 and bottom == 10**exponent:
        return sign + _scaled(str(top), -exponent)
    return rf"{sign}\frac{{{_whole(top)}}}{{{_whole(bottom)}}}"


def name(identifier: str) -> str:
    """LaTeX of a variable: Greek spelt out, `_` and digits as subscripts, words as words."""
    base, *parts = identifier.split("_")
    if lettered := re.fullmatch(r"([A-Za-z]+?)(\d+)", base):
        base, parts = lettered[1], [lettered[2], *parts]
    symbol = _symbol(base)
    if symbol is None or not all(parts):
        return rf"\text{{{identifier.replace('_', ' ')}}}"
    below = [SUBSCRIPTS.get(p) or (p if p.isdigit() else _symbol(p)) or rf"\text{{{p}}}" for p in parts]
    return symbol + (f"_{{{','.join(below)}}}" if below else "")


def _symbol(word: str) -> str | None:
    if word in SPELT:
        return SPELT[word]
    if word in GREEK:
        return "\\" + word
    return word if len(word) == 1 else None


def _whole(value: int) -> str:
    digits = str(value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return _scaled(digits[:-zeros], zeros) if zeros >= 6 else digits


def _scaled(digits: str, exponent: int) -> str:
    power = f"10^{{{exponent}}}"
    return power if digits == "1" else rf"{digits} \cdot {power}"


def _decimal(text: str) -> str:
    """Sign, digits and exponent as a decimal of moderate length, or with a power of ten."""
    mantissa, _, exponent = text.lower().partition("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, rest = mantissa.partition(".")
    digits, shift = whole + rest, int(exponent or 0) - len(rest)
    point = len(digits) + shift
    if -3 <= point <= 0:
        return sign + "0." + "0" * -point + digits
    if 0 < point <= 7:
        return sign + (digits[:point].ljust(point, "0")) + ("." + digits[point:] if digits[point:] else "")
    return sign + rf"{digits[0]}.{digits[1:] or '0'} \cdot 10^{{{point - 1}}}"


_RELATIONS = {ast.LtE: r"\le", ast.Lt: "<", ast.GtE: r"\ge", ast.Gt: ">", ast.Eq: "=", ast.NotEq: r"\ne"}
_NAMED = {
    "log": r"\log", "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "sinh": r"\sinh", "cosh": r"\cosh",
    "tanh": r"\tanh", "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "min": r"\min",
    "Min": r"\min", "max": r"\max", "Max": r"\max", "gamma": r"\Gamma", "loggamma": r"\log \Gamma",
    "erf": r"\operatorname{erf}", "asinh": r"\operatorname{arsinh}", "acosh": r"\operatorname{arcosh}",
    "atanh": r"\operatorname{artanh}",
}  # fmt: skip
_ORDERED = {"besseli": "I_{{{}}}", "polygamma": r"\psi^{{({})}}"}
_SUM, _PRODUCT, _POWER = 1, 2, 3


def _derivative(node: ast.expr) -> tuple[ast.expr, str] | None:
    """The formula and the name in diff(formula, name)."""
    match node:
        case ast.Call(func=ast.Name("diff"), args=[body, ast.Name(x)]):
            return body, x
    return None


class _Layout:
    """Walks the syntax tree of one formula; knows the text so that numbers appear as written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def of(self, node: ast.expr, binding: int = 0) -> str:
        """LaTeX of a node, in parentheses if it binds less tightly than its surroundings."""
        match node:
            case ast.Compare(ops=[op], comparators=[right]):
                return f"{self.of(node.left)} {_RELATIONS[type(op)]} {self.of(right)}"
            case ast.Constant():
                return number(ast.get_source_segment(self.text, node) or "")
            case ast.Name():
                return {"pi": r"\pi", "E": "e"}.get(node.id) or name(node.id)
            case ast.UnaryOp(op=ast.USub()):
                return self.enclosed(f"-{self.of(node.operand, _PRODUCT)}", _SUM, binding)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.of(node.operand, binding)
            case ast.BinOp():
                return self.operation(node, binding)
            case ast.Call(func=ast.Name(), keywords=[]):
                return self.call(node, binding)
        raise MathError(f"{self.text!r}: {ast.dump(node)[:60]} is not part of the language")

    def operation(self, node: ast.BinOp, binding: int) -> str:
        match node.op:
            case ast.Add():
                return self.enclosed(f"{self.of(node.left)} + {self.of(node.right, _SUM)}", _SUM, binding)
            case ast.Sub():
                right = self.of(node.right, _PRODUCT)
                return self.enclosed(f"{self.of(node.left)} - {right}", _SUM, binding)
            case ast.Mult():
                left, right = self.of(node.left, _PRODUCT), self.of(node.right, _PRODUCT)
                between = r"\cdot" if right[0].isdigit() or r"\text" in (left[:5], right[:5]) else r"\,"
                return self.enclosed(f"{left} {between} {right}", _PRODUCT, binding)
            case ast.Div():
                made = rf"\frac{{{self.of(node.left)}}}{{{self.of(node.right)}}}"
                return self.enclosed(made, _PRODUCT, binding if binding == _POWER else 0)
            case ast.Pow():
                made = f"{self.of(node.left, _POWER)}^{{{self.of(node.right)}}}"
                return self.enclosed(made, _PRODUCT, binding if binding == _POWER else 0)
        raise MathError(f"{self.text!r}: operator {type(node.op).__name__} is not part of the language")

    def call(self, node: ast.Call, binding: int) -> str:
        assert isinstance(node.func, ast.Name)
        if made := self.bound(node):
            return self.enclosed(made, _SUM, binding)
        function, arguments = node.func.id, [self.of(argument) for argument in node.args]
        inside = ", ".join(arguments)
        if function == "sqrt":
            return rf"\sqrt{{{inside}}}" if binding < _POWER else rf"\left( \sqrt{{{inside}}} \right)"
        if function in ("abs", "Abs"):
            return rf"\lvert {inside} \rvert"
        if function == "exp":
            return self.enclosed(f"e^{{{inside}}}", _PRODUCT, binding if binding == _POWER else 0)
        if function in _ORDERED and len(arguments) == 2:
            return rf"{_ORDERED[function].format(arguments[0])} \left( {arguments[1]} \right)"
        if function not in _NAMED:
            raise MathError(f"{self.text!r}: {function!r} is not a function of the language")
        made = rf"{_NAMED[function]} \left( {inside} \right)"
        return self.enclosed(made, _PRODUCT, binding if binding == _POWER else 0)

    def bound(self, node: ast.Call) -> str:
        """A derivative, a sum or an integral; empty if it is none of them."""
        match node:
            case ast.Call(func=ast.Name("diff"), args=[body, ast.Name(x)]):
                order = 1
                while (inner := _derivative(body)) and inner[1] == x:
                    body, order = inner[0], order + 1
                power = f"^{{{order}}}" if order > 1 else ""
                return rf"\frac{{d{power}}}{{d {name(x)}{power}}} \, {self.of(body, _POWER)}"
            case ast.Call(func=ast.Name("sum"), args=[body, ast.Name(k), low, high]):
                return rf"\sum_{{{name(k)} = {self.of(low)}}}^{{{self.of(high)}}} {self.of(body, _PRODUCT)}"
            case ast.Call(func=ast.Name("integral"), args=[body, ast.Name(t), low, high]):
                return rf"\int_{{{self.of(low)}}}^{{{self.of(high)}}} {self.of(body, _PRODUCT)} \, d {name(t)}"
        return ""

    def enclosed(self, made: str, own: int, binding: int) -> str:
        return rf"\left( {made} \right)" if own < binding else made
