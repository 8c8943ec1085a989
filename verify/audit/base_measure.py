"""The base measure of a family at one dispersion, cut into pieces where its shape is exactly known.

On an interval a piece is where  log b(r) = R(r) + sum c_i log R_i(r) + constant  with rational functions
R, R_i and R_i > 0, so that b'/b is a rational function.  On a lattice it is where b(r + step)/b(r) is a
constant times a rational function, positive on the lattice.  Kinks such as |r| separate pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import Family, g, r
from glbcheck.verify.audit.polynomials import taylor, value

MOST_POINTS = 20_000  # of a finite lattice that are added up one by one


class NotReadable(ValueError):
    """The base measure has a shape that the exact methods do not know; the text says which."""


class Unbounded(ArithmeticError):
    """No finite enclosure was found: the moment may diverge, or the method is too weak."""


class Divergent(Unbounded):
    """The integral or sum is proved to be infinite."""


@dataclass(frozen=True)
class Piece:
    """b on the open interval (lower, upper): exp(constant + smooth) times the product of R_i ** c_i."""

    lower: sp.Expr
    upper: sp.Expr
    constant: sp.Expr
    smooth: sp.Expr  # R, a rational function of r
    powers: tuple[tuple[sp.Expr, sp.Expr], ...]  # (R_i, c_i)
    slope: sp.Expr  # b'/b as a cancelled rational function with rational coefficients


@dataclass(frozen=True)
class Run:
    """b on the lattice points first, first + step, ... (`count` of them, None for all): a known ratio.

    `step` is negative when the run goes down.  b(x + step)/b(x) = scale * top(x)/bottom(x); with `log_term`
    the ratio is only a bound, and every term is computed from the formula.
    """

    first: Fraction
    step: Fraction
    count: int | None
    scale: sp.Expr
    top: tuple[Fraction, ...]  # coefficients in r, constant first
    bottom: tuple[Fraction, ...]
    log_base: sp.Expr
    exact: bool = True


@dataclass(frozen=True)
class GammaPair:
    """b(r) = exp(constant) |Gamma(beta + i kappa r)|^2 on the whole line, with rational beta, kappa > 0."""

    constant: sp.Expr
    beta: sp.Rational
    kappa: sp.Rational


@dataclass(frozen=True)
class Base:
    """The base measure at dispersion g: pieces of an interval, runs of a lattice, or a pair of gammas."""

    family: Family
    g: Fraction
    pieces: tuple[Piece, ...] = ()
    runs: tuple[Run, ...] = ()
    pair: GammaPair | None = None


def fraction_of(expr: sp.Expr, what: str) -> Fraction:
    if not expr.is_Rational:
        raise NotReadable(f"{what} {expr} is not a rational number")
    return Fraction(int(expr.p), int(expr.q))


def read_base(family: Family, at: Fraction) -> Base:
    """The base measure of the family at dispersion `at`, or NotReadable."""
    assert family.support is not None
    assert family.log_base is not None
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
    return Base(family, at, runs=tuple(_runs(log_base, lower, upper, step)))


# --- taking a logarithm apart ---------------------------------------------------------------------


def terms(log_base: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """log_base as a sum of c*h with h one of 1, a rational function, log(R), loggamma(u)."""
    for term in sp.Add.make_args(sp.expand(log_base.rewrite(sp.gamma), log=False)):
        constant, rest = term.as_independent(r, as_Add=False)
        if isinstance(rest, sp.log):
            yield from _logarithm(constant, rest.args[0])
        elif isinstance(rest, sp.loggamma) or rest.is_rational_function(r):
            yield constant, rest
        else:
            raise NotReadable(f"{rest} is neither rational nor a logarithm of something rational")


def _logarithm(c: sp.Expr, inside: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """c*log(inside) factor by factor; that each factor is positive is checked by those who ask."""
    for factor in sp.Mul.make_args(inside):
        if factor.is_rational_function(r):
            yield c, sp.log(factor)
        elif isinstance(factor, sp.gamma):
            yield c, sp.loggamma(factor.args[0])
        elif isinstance(factor, sp.exp):
            yield from ((c * k, h) for k, h in terms(factor.args[0]))
        elif factor.is_Pow and factor.exp.is_Rational:
            yield from _logarithm(c * factor.exp, factor.base)
        else:
            raise NotReadable(f"log({factor}) is not the logarithm of something rational")


def kinks(log_base: sp.Expr, lower: sp.Expr, upper: sp.Expr) -> list[sp.Rational]:
    """Where |r - c| has its kink, inside the support."""
    found = set()
    for corner in log_base.atoms(sp.Abs):
        inside = sp.Poly(corner.args[0], r) if corner.args[0].is_polynomial(r) else None
        if inside is None or inside.degree() != 1 or not all(c.is_Rational for c in inside.all_coeffs()):
            raise NotReadable(f"{corner} has its kink where no rational number is")
        a, b = inside.all_coeffs()
        found.add(-b / a)
    return sorted(c for c in found if lower < c < upper)


def unfolded(log_base: sp.Expr, inside: sp.Expr) -> sp.Expr:
    """log_base with every |u| replaced by u or -u, whichever it is at the point `inside`."""
    sides = {a: a.args[0] if a.args[0].subs(r, inside) >= 0 else -a.args[0] for a in log_base.atoms(sp.Abs)}
    return log_base.xreplace(sides)


def between(a: sp.Expr, b: sp.Expr) -> sp.Rational:
    """A rational point strictly between two ends, either of which may be infinite."""
    if a == -sp.oo:
        return sp.S.Zero if b == sp.oo else sp.Min(b - 1, -1)
    return sp.Max(a + 1, 1) if b == sp.oo else (a + b) / 2


# --- intervals --------------------------------------------------------------------------------------


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
            _coefficients(side)
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


# --- lattices ---------------------------------------------------------------------------------------


def _runs(log_base: sp.Expr, lower: sp.Expr, upper: sp.Expr, step: Fraction) -> Iterator[Run]:
    origin = Fraction(0) if lower == -sp.oo else fraction_of(lower, "the lower end")
    if lower == -sp.oo:
        if upper != sp.oo:
            raise NotReadable("a lattice without a lower end must have no upper end")
        yield _run(log_base, origin, step, None)
        yield _run(log_base, -step, -step, None)
        return
    if upper == sp.oo:
        first, count = origin, None
    else:
        length = (fraction_of(upper, "the upper end") - origin) / step
        if length.denominator != 1 or length < 0:
            raise NotReadable(f"the upper end {upper} is not on the lattice {origin} + {step} k")
        first, count = origin, int(length) + 1
    stops = {s for s in (_index(k, first, step) for k in kinks(log_base, lower, upper)) if s > 0}
    start = 0
    for stop in [*sorted(stops), count]:
        size = None if stop is None else stop - start
        yield _run(log_base, first + start * step, step, size)
        start = stop or 0


def _index(kink: sp.Rational, first: Fraction, step: Fraction) -> int:
    """The first lattice point at or right of a kink."""
    return int(-((first - Fraction(int(kink.p), int(kink.q))) // step))


def _run(log_base: sp.Expr, first: Fraction, step: Fraction, count: int | None) -> Run:
    sample = number(first if count == 1 else first + step / 2)
    if count is None and kinks(log_base, *_span(first, step)):
        raise NotReadable("a kink inside an unbounded lattice, away from 0")
    local = unfolded(log_base, sample)
    if bessel := _bessel(local, step):
        return Run(first, step, count, *bessel, local, exact=False)
    scale, ratio = sp.S.One, sp.S.One
    for c, h in terms(local):
        factor = _ratio(c, h, step, first, count)
        if factor.has(r):
            ratio *= factor
        else:
            scale *= factor
    top, bottom = sp.fraction(sp.cancel(sp.together(ratio)))
    return Run(first, step, count, scale, _coefficients(top), _coefficients(bottom), local)


def _span(first: Fraction, step: Fraction) -> tuple[sp.Expr, sp.Expr]:
    return (number(first), sp.oo) if step > 0 else (-sp.oo, number(first))


def _coefficients(polynomial: sp.Expr) -> tuple[Fraction, ...]:
    return tuple(fraction_of(c, "the coefficient") for c in reversed(sp.Poly(polynomial, r).all_coeffs()))


def _ratio(c: sp.Expr, h: sp.Expr, step: Fraction, first: Fraction, count: int | None) -> sp.Expr:
    """exp(c*(h(r + step) - h(r))), after checking that h is real on the run."""
    if not h.has(r):
        return sp.S.One
    s = number(step)
    if isinstance(h, sp.loggamma):
        return _gamma_ratio(c, h.args[0], step, first, count)
    if isinstance(h, sp.log):
        _require_positive(h.args[0], step, first, count)
        if not c.is_Integer:
            raise NotReadable(f"the exponent {c} of {h.args[0]} on the lattice is not whole")
        return (h.args[0].subs(r, r + s) / h.args[0]) ** c
    change = sp.cancel(c * (h.subs(r, r + s) - h))
    if change.has(r):
        raise NotReadable(f"exp({c * h}) has no rational ratio on the lattice")
    return sp.exp(change)


def _gamma_ratio(c: sp.Expr, u: sp.Expr, step: Fraction, first: Fraction, count: int | None) -> sp.Expr:
    """(Gamma(u + n)/Gamma(u))**c for the whole number n by which u grows in a step."""
    linear = sp.Poly(u, r) if u.is_polynomial(r) else None
    if linear is None or linear.degree() != 1 or not all(a.is_Rational for a in linear.all_coeffs()):
        raise NotReadable(f"loggamma({u}) is not of a rational linear function")
    growth = linear.all_coeffs()[0] * number(step)
    if not (growth.is_Integer and c.is_Integer) or abs(growth) > 50:
        raise NotReadable(f"{c}*loggamma({u}) grows by {growth} in a step")
    _require_positive(u, step, first, count)
    rising = sp.Mul(*(u + k for k in range(int(growth)))) / sp.Mul(*(u - k for k in range(1, 1 - int(growth))))
    return rising**c


def _require_positive(expr: sp.Expr, step: Fraction, first: Fraction, count: int | None) -> None:
    """The rational function is positive at every point of the run."""
    if count is not None:
        if count > MOST_POINTS:
            raise NotReadable(f"the lattice has {count} points")
        if all(expr.subs(r, number(first + k * step)) > 0 for k in _sampled(expr, count)):
            return
    elif _positive_from(expr, step, first):
        return
    raise NotReadable(f"{expr} is not positive on the whole support")


def _sampled(expr: sp.Expr, count: int) -> list[int]:
    """Enough points to know the sign at all: the ends for a linear function, else every one."""
    linear = expr.is_polynomial(r) and sp.Poly(expr, r).degree() <= 1
    return [0, count - 1] if linear else list(range(count))


def _positive_from(expr: sp.Expr, step: Fraction, first: Fraction) -> bool:
    """Positive at first + k*step for every k >= 0: by the signs of Taylor coefficients from some k on."""
    k = sp.Symbol("k")
    top, bottom = sp.fraction(sp.together(expr.subs(r, number(first) + number(step) * k)))
    sides = [
        [fraction_of(c, "the coefficient") for c in reversed(sp.Poly(side, k).all_coeffs())] for side in (top, bottom)
    ]
    if sides[1][-1] < 0:
        sides = [[-c for c in side] for side in sides]
    start = next((n for n in range(64) if all(min(taylor(side, n)) >= 0 for side in sides)), None)
    return start is not None and all(value(sides[0], n) * value(sides[1], n) > 0 for n in range(start + 1))


def _bessel(local: sp.Expr, step: Fraction) -> tuple[sp.Expr, tuple[Fraction, ...], tuple[Fraction, ...]] | None:
    """The bound I_(n+1)(x)/I_n(x) <= x/(2(n + 1)), for a base that is a constant times I_n(x), n = r/step."""
    bessels = local.atoms(sp.besseli)
    if len(bessels) != 1:
        return None
    (bessel,) = bessels
    order, x = bessel.args
    rest = local - sp.log(bessel)
    if rest.has(r) or sp.cancel(order - r / number(step)) != 0 or not (x.is_Rational and x > 0):
        return None
    return x / 2, (Fraction(1),), (Fraction(1), 1 / step)
