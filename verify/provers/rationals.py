"""How exact numbers compare, and the simplest of them between two others."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

from glbcheck.core import enclosure
from glbcheck.core.errors import BadInput

Relation = Literal["<", "<=", "==", "!=", ">=", ">"]


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
