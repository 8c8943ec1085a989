"""Does a derivation prove what was asked?  Its steps, then its formula by exact rewriting, then balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, jet_function, precision
from glbcheck.core.family import z
from glbcheck.core.laplace.derivation import Construction, formula, from_dict
from glbcheck.core.laplace.equality import same
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, interior_points, rational, where
from glbcheck.core.laplace.rule import TRANSFORM

BITS = 128


@lru_cache(maxsize=64)  # a power rests on the whole
def derives(tree: Construction, m: sp.Expr, domain: sp.Interval, power: Fraction = Fraction(1)) -> bool:
    """Does the tree prove that exp(power m) is a Laplace transform on the interior of the domain?"""
    inside = where(domain)
    e = exponent(m, power)
    found = formula(tree, TRANSFORM, inside)
    if found is None or not _agrees(found, e, inside):
        return False
    return _is_power(tree, m, domain, power) or same(found, exponentiated(e))


def _is_power(tree: Construction, m: sp.Expr, domain: sp.Interval, power: Fraction) -> bool:
    """f^n is exp(n m) where f is exp(m); exp(power psi) is exp(power m) where exp(psi) is: equal logarithms."""
    if tree.rule == "power" and tree.parameters[0] == rational(power):
        return derives(tree.parts[0], m, domain, Fraction(1))
    part = tree.parts[0] if tree.rule == "exponential" else None
    if part is None or part.rule != "multiple" or power == 1 or part.parameters[0] != rational(power):
        return False
    return derives(Construction("exponential", (), part.parts), m, domain, Fraction(1))


def replay(m: sp.Expr, domain: sp.Interval, data: Mapping[str, Any], power: Fraction = Fraction(1)) -> bool:
    """The same question for a derivation read back from its dictionary."""
    return derives(from_dict(data), m, domain, power)


def _agrees(f: sp.Expr, e: sp.Expr, inside: Where) -> bool:
    """At several points: e is a real number, and the balls of f and exp(e) overlap where both are finite."""
    compared = 0
    with precision(BITS):
        try:
            left, right = jet_function(f, z), jet_function(e, z)
        except NotEnclosed:
            return False
        for x in interior_points(inside):
            a, b = left(x, 1)[0], right(x, 1)[0]
            if not b.is_finite():
                return False
            compared += bool(a.is_finite() and b.exp().is_finite())
            if a.is_finite() and not a.overlaps(b.exp()):
                return False
    return compared >= 2
