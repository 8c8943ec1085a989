"""The border of exact arithmetic: what may enter a proof, and how two exact numbers compare.

Everything behind this border is a `Fraction`; a float never crosses it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

from glbcheck.core import enclosure
from glbcheck.core.enclosure import fmpq, fmpz
from glbcheck.core.errors import BadInput
from sympy import Rational

Relation = Literal["<", "<=", "==", "!=", ">=", ">"]
Exact = int | Fraction
"""What signatures ask for; `rational` also takes the exact numbers of flint and SymPy, which are untyped."""


class NotExact(TypeError):
    """A number that is not known exactly was offered to a proof."""


def rational(argument: str, value: object) -> Fraction:
    """`value` as a Fraction if it is an exact rational, a refusal naming it otherwise.

    >>> rational("p", fmpq(1, 3))
    Fraction(1, 3)
    """
    if isinstance(value, bool):
        raise NotExact(f"{argument} = {value!r}: a truth value is not a number")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, fmpz):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.p), int(value.q))
    raise NotExact(
        f"{argument} = {value!r} ({type(value).__name__}) is not exact; "
        "accepted: int, Fraction, fmpq, SymPy Rational"
    )


def natural(argument: str, value: object, least: int = 0) -> int:
    """`value` as an int of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotExact(f"{argument} = {value!r} ({type(value).__name__}) is not an int")
    if value < least:
        raise BadInput(argument, value, f"an integer of at least {least}")
    return value


def check_relation(relation: str) -> None:
    if relation not in get_args(Relation):
        raise BadInput("relation", relation, f"one of {', '.join(get_args(Relation))}")


def decide(lower: Fraction, upper: Fraction, relation: Relation, rhs: Fraction) -> bool | None:
    """Is `v relation rhs` true for every v in [lower, upper] (True), for none (False), or for some (None)?"""
    check_relation(relation)
    match relation:
        case "<":
            return True if upper < rhs else False if lower >= rhs else None
        case "<=":
            return True if upper <= rhs else False if lower > rhs else None
        case ">":
            return True if lower > rhs else False if upper <= rhs else None
        case ">=":
            return True if lower >= rhs else False if upper < rhs else None
        case "==":
            return False if lower > rhs or upper < rhs else True if lower == upper == rhs else None
        case "!=":
            equal = decide(lower, upper, "==", rhs)
            return None if equal is None else not equal


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


def bounds(ball: enclosure.Ball) -> tuple[Fraction, Fraction]:
    """Exact rationals around a finite real ball, rounded outward."""
    if not ball.is_finite():
        raise BadInput("ball", str(ball), "a finite ball")
    return enclosure.lower(ball), enclosure.upper(ball)
