"""Short exact values of a formula in z: parity, constancy, its size at a rational point, a pole at 0."""

from __future__ import annotations

import contextlib
import itertools
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, ball, ball_function, hull, jet_function
from glbcheck.core.enclosure.asymptotics import HYPERBOLIC
from glbcheck.core.family import z
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.terms import Rejected
from glbcheck.core.translation import term_of

MAX_ORDER = 8  # of a zero in a denominator
LONGEST_FORMULA = 120  # characters; a longer closed form helps nobody


@lru_cache(maxsize=512)
def short(expr: sp.Expr) -> sp.Expr:
    """The expression simplified as a function of z; constants are never simplified, that would use floats."""
    if expr.free_symbols and sp.count_ops(expr) < 150 and not expr.has(sp.besseli):
        return sp.simplify(expr)
    return expr


@lru_cache(maxsize=512)
def parity(expr: sp.Expr) -> int:
    """1 for an even function of z, -1 for an odd one, 0 if neither shows in normal form."""
    mirrored = expr.subs(z, -z)
    return next((sign for sign in (1, -1) if _vanishes(expr - sign * mirrored)), 0)


@lru_cache(maxsize=512)
def is_constant(expr: sp.Expr) -> bool:
    """Does the expression not depend on z?  Two values say no; else the normal form of its derivative."""
    try:
        return not _takes_two_values(expr) and is_zero(derivative(term_of(expr), z.name))
    except (NotEnclosed, Rejected):
        return False


def _vanishes(expr: sp.Expr) -> bool:
    try:
        return is_zero(term_of(expr))
    except NotEnclosed:
        return False


def _takes_two_values(expr: sp.Expr) -> bool:
    """Are two of the values at a few rational points certified to differ?"""
    function, values = ball_function(expr, [z]), list[Ball]()
    for point in (Fraction(-1, 3), Fraction(1, 5), Fraction(1, 2)):
        with contextlib.suppress(ValueError, ZeroDivisionError):
            values.append(function(point))
    known = [value for value in values if value.is_finite()]
    return any(not a.overlaps(b) for a, b in itertools.combinations(known, 2))


def magnitude(expr: sp.Expr, point: Fraction) -> sp.Expr | None:
    """|expr| at an exact point, at |point| when parity allows; None if the formula is too long to help."""
    where = sp.Rational(point.numerator, point.denominator)
    if parity(expr):
        where = abs(where)
    value = short(expr).subs(z, where)
    if value.has(sp.nan, sp.zoo, sp.oo):
        value = _by_differentiation(short(expr), where)
    if value is None or len(str(value)) > LONGEST_FORMULA:
        return None
    try:
        return -value if ball(value) < 0 else value
    except NotEnclosed:  # a constant that balls cannot check is no closed form of ours
        return None


def _by_differentiation(expr: sp.Expr, where: sp.Rational) -> sp.Expr | None:
    """The value at a removable singularity by l'Hopital's rule, if it runs through rational numbers."""
    top, bottom = sp.fraction(sp.together(expr.rewrite(HYPERBOLIC, sp.exp)))
    for _ in range(MAX_ORDER):
        above, below = top.subs(z, where), bottom.subs(z, where)
        if not (above.is_Rational and below.is_Rational):
            return None
        if below != 0:
            return above / below
        if above != 0:  # a pole
            return None
        top, bottom = sp.diff(top, z), sp.diff(bottom, z)
    return None


def has_pole(f: sp.Expr) -> bool:
    """Is some z**k f(z), k > 0, bounded away from 0 on all of (0, width], by a ball around its values there?"""
    for k, width in itertools.product((1, 2, 3), (Fraction(1, 4), Fraction(1, 64))):
        try:
            (value,) = jet_function(short(z**k * f), z)(hull(0, width), 1)
        except NotEnclosed:
            continue
        if value.is_finite() and not value.contains(0):
            return True
    return False
