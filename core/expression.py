"""The formula language in SymPy: text to expression and back.

Text is read by the kernel's parser, which executes nothing, and the expression is built from its term.
SymPy computes as it builds; every step that could grow without bound (powers, factorials, towers of
exponentials, long lists of maxima) is refused before it is taken.

>>> parse("log(1 + exp(z))", ["z"])
log(exp(z) + 1)
>>> parse_relation("0.1*x <= 1/3", ["x"])
x/10 <= 1/3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from glbcheck.core.kernel import language, terms
from glbcheck.core.kernel.terms import FUNCTIONS, MAX_CHOICES, MAX_LENGTH, Rejected, Term
from glbcheck.core.translation import expr_of, verbatim

__all__ = ["FUNCTIONS", "MAX_LENGTH", "ExpressionError", "parse", "parse_relation", "symbols_of", "to_text"]

MAX_EXPONENT = 1_000
MAX_BITS = 10_000
MAX_RADICAL_BITS = 2_000
MAX_GROWTH = 100_000
SLOW = ("log", "abs", "min", "max")  # on a constant these grow no faster than their argument
CONSTANTS = ("pi", "E")
RELATIONS: Mapping[str, Any] = {
    "<=": sympy.Le,
    "<": sympy.Lt,
    ">=": sympy.Ge,
    ">": sympy.Gt,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}
Names = Iterable[str] | Mapping[str, Any]


class ExpressionError(Rejected):
    """A formula that is not in the language, or grows beyond bounds; the message names the piece."""


def parse(text: str, names: Names, *, evaluate: bool = True) -> Any:
    """The SymPy expression that `text` denotes.

    `names` declares the variables: either plain names, which become real symbols, or a mapping from
    names to the expressions they stand for.  With `evaluate=False` the tree mirrors the text (``x/x``
    stays a quotient), which is what a pointwise check needs: nothing undefined is simplified away.
    """
    table = symbols_of(names)
    return _built(_read(language.parse, text, table), table, evaluate)


def parse_relation(text: str, names: Names, *, evaluate: bool = True) -> Any:
    """The relation (`<=`, `<`, `>=`, `>`, `==`, `!=`) that `text` denotes, never folded to true or false."""
    table = symbols_of(names)
    left, operator, right = _read(language.parse_relation, text, table)
    return RELATIONS[operator](*(_built(side, table, evaluate) for side in (left, right)), evaluate=False)


def to_text(expr: Any) -> str:
    """A formula that `parse` (or `parse_relation`) reads back as exactly `expr`."""
    symbols = {symbol.name: symbol for symbol in expr.free_symbols}
    if expr.is_Relational:
        text = f"{sympy.sstr(expr.lhs)} {expr.rel_op} {sympy.sstr(expr.rhs)}"
        back = parse_relation(text, symbols)
    else:
        text = sympy.sstr(expr)
        back = parse(text, symbols)
    if back != expr:
        raise ExpressionError(f"{text!r} reads back as {back}, a different expression")
    return text


def symbols_of(names: Names) -> dict[str, Any]:
    """Declared names and what they stand for; plain names become real symbols."""
    if isinstance(names, str):
        raise TypeError(f"names must be a collection of names, got the single string {names!r}")
    table = dict(names) if isinstance(names, Mapping) else {n: sympy.Symbol(n, real=True) for n in names}
    for name in table:
        if not isinstance(name, str) or not name.isidentifier() or "__" in name:
            raise ExpressionError(f"declared name {name!r} is not a plain identifier")
        if name in CONSTANTS:
            raise ExpressionError(f"declared name {name!r} is reserved for the constant")
    return table


def _read(reader: Callable[..., Any], text: str, table: Mapping[str, Any]) -> Any:
    try:
        return reader(text, {name: terms.variable(name) for name in table})
    except Rejected as error:
        hint = " Write powers as **." if "^" in text else ""
        raise ExpressionError(f"{error}{hint}") from None


def _built(term: Term, table: Mapping[str, Any], evaluate: bool) -> Any:
    if any(_bits(t.value) > MAX_BITS for t in terms.subterms(term) if t.value is not None):
        raise ExpressionError(f"a number has more than {MAX_BITS} binary digits")
    try:
        value = expr_of(term, table, _tamely)
        return value if evaluate else expr_of(term, table, verbatim)
    except ExpressionError:
        raise
    except OverflowError:
        raise _error(term, "holds a root of a number too large for SymPy") from None
    except (Rejected, RecursionError) as error:
        reason = "is nested too deeply for SymPy" if isinstance(error, RecursionError) else error
        raise _error(term, reason) from None


def _error(term: Term, complaint: object) -> ExpressionError:
    piece = terms.show(term)
    return ExpressionError(f"{piece if len(piece) <= 40 else piece[:37] + '...'} {complaint}")


# --- what is refused before it can grow --------------------------------------------------------------


def _tamely(term: Term, make: Callable[..., Any], args: list[Any]) -> Any:
    """The expression, if it is a finite real number of reasonable size as far as SymPy can tell."""
    if term.op in ("+", "*"):
        _tame_numbers(term, args)
    elif term.op == "**":
        _tame_power(term, *args)
    else:
        _tame_call(term, args)
    value = make(*args)
    if value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        raise _error(term, "is not a finite number")
    if value.has(sympy.I) or value.is_real is False:
        raise _error(term, "is not a real number")
    _tame_numbers(term, [value.as_coeff_Mul()[0], value.as_coeff_Add()[0]])
    return value


def _tame_numbers(term: Term, parts: list[Any]) -> None:
    if sum(_bits(part.as_coeff_Mul()[0]) for part in parts) > 2 * MAX_BITS:
        raise _error(term, f"holds numbers of more than {MAX_BITS} binary digits together")
    factors = [factor for part in parts for factor in sympy.Mul.make_args(part)]
    radicals = [factor.base for factor in factors if factor.is_Pow and factor.base.is_Rational]
    # SymPy multiplies radicands together and looks for factors.
    if sum(map(_bits, radicals)) > MAX_RADICAL_BITS:
        raise _error(term, f"holds roots of numbers of more than {MAX_RADICAL_BITS} binary digits")


def _tame_power(term: Term, base: Any, exponent: Any) -> None:
    if base.is_zero and exponent.is_negative:
        raise _error(term, "divides by zero")
    _tame_exponent(term, exponent, MAX_EXPONENT)
    if base.is_Rational and exponent.is_Rational:
        limit = MAX_BITS if exponent.is_Integer else MAX_RADICAL_BITS
        if _bits(base) * max(abs(exponent), 1) > limit:
            raise _error(term, f"has more than {limit} binary digits")
    elif not (base.free_symbols or exponent.free_symbols) and _size(term, base) > 0:
        growth = abs(_size(term, exponent) * sympy.log(_size(term, base)).evalf(5))
        if growth > MAX_GROWTH:
            raise _error(term, f"grows beyond exp({MAX_GROWTH})")


def _tame_call(term: Term, args: list[Any]) -> None:
    order, last = args[0], args[-1]
    ordered = term.op in ("besseli", "polygamma")
    if ordered and not (order.is_Rational and abs(order) <= MAX_EXPONENT):
        raise _error(term, f"needs a rational order of size at most {MAX_EXPONENT}")
    if term.op == "exp":
        _tame_exponent(term, last, MAX_GROWTH)
    if term.op in ("min", "max"):
        inside = [choice for arg in args for choice in arg.atoms(sympy.Min, sympy.Max)]
        if len(args) + sum(len(choice.args) for choice in inside) > MAX_CHOICES:
            raise _error(term, f"chooses among more than {MAX_CHOICES} alternatives")
    if term.op not in SLOW and not last.free_symbols:
        limit = MAX_EXPONENT if term.op in ("gamma", "loggamma", "polygamma") else MAX_GROWTH
        if _size(term, last) > limit:
            raise _error(term, f"has a constant argument beyond {limit}")


def _tame_exponent(term: Term, exponent: Any, limit: int) -> None:
    """Bound exponents; exp(n log b) is b**n to SymPy, so numbers beside a logarithm are exponents too."""
    logs = exponent.has(sympy.log)
    bound = MAX_EXPONENT if logs else limit
    for number in exponent.atoms(sympy.Rational) if logs else [exponent]:
        if number.is_Rational and max(abs(number), int(number.q)) > bound:
            raise _error(term, f"has an exponent beyond {bound}")


def _size(term: Term, constant: Any) -> Any:
    """Rough absolute value of a constant, to five digits; its parts were bounded before."""
    value = constant.evalf(5)
    if not (value.is_comparable or value.is_zero):
        raise _error(term, "is not a real number")
    return abs(value)


def _bits(number: Any) -> int:
    """Binary digits of a rational; 0 for anything else."""
    if not isinstance(number, Fraction | sympy.Rational):
        return 0
    return max(int(number.numerator).bit_length(), int(number.denominator).bit_length())
