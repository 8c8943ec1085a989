"""The base measure of a family read off its formula: pieces of an interval, a pair of gammas, or a lattice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import Family, g, r
from glbcheck.verify.audit.base_lattice import runs
from glbcheck.verify.audit.base_measure import (
    Base,
    GammaPair,
    NotReadable,
    Piece,
    between,
    coefficients,
    fraction_of,
    kinks,
    terms,
    unfolded,
)


def read_base(family: Family, at: Fraction) -> Base:
    """The base measure of the family at dispersion `at`, or NotReadable."""
    fixed = {g: number(at)}
    lower, upper = (e.subs(fixed) for e in (family.support.lower, family.support.upper))
    log_base = family.log_base.subs(fixed)
    if family.support.step is None:
        if (lower, upper) == (-sp.oo, sp.oo) and (pair := _gamma_pair(log_base)):
            return Base(family, at, pair=pair)
        return Base(family, at, pieces=tuple(_pieces(log_base, lower, upper)))
    step = fraction_of(family.support.step.subs(fixed), "the lattice step")
    if step <= 0:
        raise NotReadable(f"the lattice step {step} is not positive")
    return Base(family, at, runs=tuple(runs(log_base, lower, upper, step)))


def _pieces(log_base: sp.Expr, lower: sp.Expr, upper: sp.Expr) -> Iterator[Piece]:
    for end in (lower, upper):
        if not (end.is_Rational or end.is_infinite):
            raise NotReadable(f"the end {end} of the support is not rational")
    if not lower < upper:
        raise NotReadable(f"[{lower}, {upper}] is not an interval")
    ends = [lower, *kinks(log_base, lower, upper), upper]
    for a, b in pairwise(ends):
        local = list(terms(unfolded(log_base, between(a, b))))
        cuts = [a, *sorted(_roots(local, a, b)), b]
        for left, right in pairwise(cuts):
            yield _piece(local, left, right)


def _roots(local: list[tuple[sp.Expr, sp.Expr]], a: sp.Expr, b: sp.Expr) -> set[sp.Expr]:
    """Zeros and poles of everything rational strictly between a and b."""
    found: set[sp.Expr] = set()
    for _, h in local:
        if isinstance(h, sp.loggamma):
            raise NotReadable(f"{h} on an interval has no rational slope")
        sides = sp.fraction(sp.together(h.args[0] if isinstance(h, sp.log) else h))
        for side in sides if isinstance(h, sp.log) else sides[1:]:
            if not side.has(r):
                continue
            coefficients(side)
            inside = [x for x in sp.Poly(side, r).real_roots() if a < x < b]
            if not all(x.is_Rational for x in inside):
                raise NotReadable(f"{side} vanishes at an irrational point of the support")
            found.update(inside)
    return found


def _piece(local: list[tuple[sp.Expr, sp.Expr]], a: sp.Expr, b: sp.Expr) -> Piece:
    constant = sp.Add(*(c * h for c, h in local if not h.has(r)))
    smooth = sp.Add(*(c * h for c, h in local if h.has(r) and not isinstance(h, sp.log)))
    powers = tuple((sp.cancel(h.args[0]), c) for c, h in local if isinstance(h, sp.log) and h.has(r))
    for inside, c in powers:
        if not inside.subs(r, between(a, b)) > 0:
            raise NotReadable(f"log({inside}) is not real between {a} and {b}")
        if not c.is_Rational:
            raise NotReadable(f"the exponent {c} of {inside} is not rational")
    slope = sp.diff(smooth, r) + sp.Add(*(c * sp.diff(R, r) / R for R, c in powers))
    slope = sp.cancel(sp.together(slope))
    if not all(c.is_Rational for side in sp.fraction(slope) for c in sp.Poly(side, r).all_coeffs()):
        raise NotReadable(f"the slope {slope} of the base has irrational coefficients")
    return Piece(a, b, constant, smooth, powers, slope)


def _gamma_pair(log_base: sp.Expr) -> GammaPair | None:
    """Exactly two conjugate gammas and nothing else that moves with r."""
    moving = [t for t in sp.Add.make_args(sp.expand(log_base, log=False)) if t.has(r)]
    if len(moving) != 2 or not all(isinstance(t, sp.loggamma) for t in moving):
        return None
    lines = [sp.Poly(t.args[0], r) for t in moving if t.args[0].is_polynomial(r)]
    if len(lines) != 2 or any(line.degree() != 1 for line in lines):
        return None
    (a, beta), (b, other) = (line.all_coeffs() for line in lines)
    kappa = sp.Abs(sp.im(a))
    conjugate = sp.re(a) == 0 and a + b == 0 and beta == other and beta.is_Rational and kappa.is_Rational
    if not conjugate or beta <= 0:
        return None
    return GammaPair(log_base - sp.Add(*moving), beta, kappa)
