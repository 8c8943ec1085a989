"""Does a derivation prove what was asked?  Its steps, then its formula by exact rewriting, then balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, jet_function, precision
from glbcheck.core.family import z
from glbcheck.core.laplace.derivation import Construction, formula, from_dict
from glbcheck.core.laplace.equality import same
from glbcheck.core.laplace.formula import Where, exponent, exponentiated, interior_points, where
from glbcheck.core.laplace.rule import TRANSFORM

BITS = 128


def derives(tree: Construction, m: sp.Expr, domain: sp.Interval, power: Fraction = Fraction(1)) -> bool:
    """Does the tree prove that exp(power m) is a Laplace transform on the interior of the domain?"""
    inside = where(domain)
    e = exponent(m, power)
    found = formula(tree, TRANSFORM, inside)
    return found is not None and same(found, exponentiated(e)) and _agrees(found, e, inside)


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
