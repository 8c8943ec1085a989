"""The base measure of a family at one dispersion, cut into pieces where its shape is exactly known.

On an interval a piece is where  log b(r) = R(r) + sum c_i log R_i(r) + constant  with rational functions
R, R_i and R_i > 0, so that b'/b is a rational function.  On a lattice it is where b(r + step)/b(r) is a
constant times a rational function, positive on the lattice.  Kinks such as |r| separate pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.family import Family, r


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


def coefficients(polynomial: sp.Expr, x: sp.Symbol = r) -> tuple[Fraction, ...]:
    """Of a polynomial in x, constant first; NotReadable if one is not rational."""
    return tuple(fraction_of(c, "the coefficient") for c in reversed(sp.Poly(polynomial, x).all_coeffs()))


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
