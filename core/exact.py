"""The border of exact arithmetic: what may enter a proof, and how two exact numbers compare.

Everything behind this border is a `Fraction`, or a SymPy rational; a float never crosses it by itself.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from glbcheck.core.errors import BadInput

if TYPE_CHECKING:
    import sympy as sp

Relation = Literal["<", "<=", "==", "!=", ">=", ">"]
Exact = int | Fraction
"""What signatures ask for; `rational` also takes the exact numbers of flint and SymPy, which are untyped."""

LONGEST = 10_000  # characters of a number, and the largest exponent of ten


def rational(argument: str, value: object) -> Fraction:
    """`value` as a Fraction if it is an exact rational, a refusal naming it otherwise.

    >>> from glbcheck.core.enclosure import fmpq
    >>> rational("p", fmpq(1, 3))
    Fraction(1, 3)
    """
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    import sympy as sp
    from glbcheck.core.enclosure import fmpq, fmpz

    if isinstance(value, fmpq | sp.Rational):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, fmpz):
        return Fraction(int(value))
    kind = type(value).__name__
    raise BadInput(argument, value, f"an exact number (int, Fraction, SymPy Rational, fmpq), not a {kind}")


def stated(argument: str, value: object, accepted: str = "an exact number such as 3/7") -> Fraction:
    """A number as people and files state it: as text, or as a float that is taken for exactly what it is.

    >>> stated("S", "5/2"), stated("S", 0.5)
    (Fraction(5, 2), Fraction(1, 2))
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, int | float | Fraction):
            return Fraction(value)
        text = str(value)
        if len(text) > LONGEST or abs(int(text.lower().partition("e")[2] or 0)) > LONGEST:
            raise ValueError
        return Fraction(text)
    except (ValueError, OverflowError, TypeError, ZeroDivisionError):
        shown = value[:60] if isinstance(value, str) else value
        raise BadInput(argument, shown, accepted) from None


def natural(argument: str, value: object, least: int = 0) -> int:
    """`value` as an int of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(argument, value, f"a whole number of at least {least}")
    return value


def number(value: Exact) -> sp.Rational:
    """The same number for SymPy."""
    import sympy as sp

    return sp.Rational(value.numerator, value.denominator)


def check_relation(relation: str) -> None:
    if relation not in get_args(Relation):
        raise BadInput("relation", relation, f"one of {', '.join(get_args(Relation))}")


def simplest_between(lower: Fraction, upper: Fraction) -> Fraction:
    """The rational of smallest denominator in the closed interval (Stern–Brocot descent).

    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    if lower > upper:
        raise BadInput("lower", lower, f"at most upper = {upper}")
    if lower <= 0 <= upper:
        return Fraction(0)
    if upper < 0:
        return -simplest_between(-upper, -lower)
    # Continued fractions of both ends agree up to the first differing quotient.
    quotients: list[int] = []
    while True:
        whole = -(-lower.numerator // lower.denominator)
        if whole <= upper:
            quotients.append(whole)
            break
        quotients.append(whole - 1)
        lower, upper = 1 / (upper - (whole - 1)), 1 / (lower - (whole - 1))
    result = Fraction(quotients.pop())
    while quotients:
        result = quotients.pop() + 1 / result
    return result
