"""Moments of a base measure in closed form, where the classical integrals give them: no rounding anywhere.

On a piece, r^j exp(t r) b(r) is brought to  K x^p (L - x)^q P(x) exp(E(x))  with x the distance from an end
and a polynomial P; then it is a Gamma, Beta, Gauss or half-integer Bessel integral, or elementary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.exact import number
from glbcheck.core.family import r
from glbcheck.verify.audit.base_measure import Base, NotReadable, Piece, Run, between

MOST_STEPS = 40  # of the recurrence of half-integer Bessel functions

x = sp.Symbol("x", positive=True)


@dataclass(frozen=True)
class Integrand:
    """scale * x^p (length - x)^q polynomial(x) exp(exponent(x)) on 0 < x < length, or on the whole line."""

    scale: sp.Expr
    p: sp.Rational
    q: sp.Rational
    polynomial: sp.Poly
    exponent: sp.Expr
    length: sp.Expr
    line: bool = False


def exact_moment(base: Base, at: Fraction, j: int) -> sp.Expr:
    """∫ r^j exp(r at/g) b(r) dr; NotReadable if no classical integral gives it."""
    return _moment(base, at, j).replace(sp.loggamma, lambda u: sp.log(sp.gamma(u)))


def _moment(base: Base, at: Fraction, j: int) -> sp.Expr:
    if base.pair:
        if at or j:
            raise NotReadable("the weight of two gammas is integrated in closed form at z = 0 only")
        beta, kappa = base.pair.beta, base.pair.kappa
        # ∫ |Gamma(beta + i y)|^2 dy = 2 pi 4^-beta Gamma(2 beta)
        return sp.exp(base.pair.constant) * 2 * sp.pi * 4**-beta * sp.gamma(2 * beta) / kappa
    if base.runs:
        return _lattice(base, at, j)
    return sp.Add(*(_integral(_integrand(piece, number(at / base.g), j)) for piece in base.pieces))


def _lattice(base: Base, at: Fraction, j: int) -> sp.Expr:
    """Geometric series, and the sum of I_k(x) over all whole k, which is e^x."""
    if all(run.exact for run in base.runs):
        return sp.Add(*(_geometric(run, number(at / base.g), j) for run in base.runs))
    if at or j or len(base.runs) != 2 or any(run.exact for run in base.runs):
        raise NotReadable("Bessel weights are summed in closed form at z = 0 only")
    first = base.runs[0]
    (bessel,) = first.log_base.atoms(sp.besseli)
    return sp.exp(first.log_base - sp.log(bessel) + bessel.args[1])


def _geometric(run: Run, tilt: sp.Rational, j: int) -> sp.Expr:
    """The sum over k >= 0 of b (first + k step)^j q^k, by the sums of k(k - 1)...(k - l + 1) q^k."""
    if run.count is not None or run.top != run.bottom:
        raise NotReadable("the weights on the lattice are not a geometric sequence")
    first, step = number(run.first), number(run.step)
    q = run.scale * sp.exp(step * tilt)
    powers = sp.Poly(sp.expand((first + x * step) ** j), x)
    sums = [
        c * _stirling(int(k), n) * sp.factorial(n) * q**n / (1 - q) ** (n + 1)
        for (k,), c in powers.terms()
        for n in range(int(k) + 1)
    ]
    return sp.exp(run.log_base.subs(r, first) + first * tilt) * sp.Add(*sums)


def _stirling(k: int, n: int) -> int:
    """In how many ways k things fall into n classes: k^i as a sum of falling factorials."""
    if k == 0 or n == 0:
        return int(k == n)
    return n * _stirling(k - 1, n) + _stirling(k - 1, n - 1)


# --- from a piece to an integrand -----------------------------------------------------------------------


def _integrand(piece: Piece, tilt: sp.Rational, j: int) -> Integrand:
    finite = [end for end in (piece.lower, piece.upper) if not end.is_infinite]
    origin = finite[0] if finite else sp.S.Zero
    inward = -1 if finite and origin == piece.upper else 1
    moved = origin + inward * x
    scale, p, q, polynomial = sp.exp(piece.constant), sp.S.Zero, sp.S.Zero, sp.Poly(moved**j, x)
    middle = between(piece.lower, piece.upper)
    for factor, exponent in _factors(piece):
        signed = factor if factor.subs(r, middle) > 0 else -factor
        if not factor.has(r):
            scale *= signed**exponent
        elif finite and factor.subs(r, origin) == 0 and sp.degree(factor, r) == 1:
            p, scale = p + exponent, scale * abs(sp.diff(factor, r)) ** exponent
        elif len(finite) == 2 and factor.subs(r, piece.upper) == 0 and sp.degree(factor, r) == 1:
            q, scale = q + exponent, scale * abs(sp.diff(factor, r)) ** exponent
        elif exponent.is_Integer and exponent >= 0:
            polynomial *= sp.Poly(signed.subs(r, moved), x) ** int(exponent)
        else:
            raise NotReadable(f"({factor})**({exponent}) is in no classical integral")
    exponent = sp.expand((piece.smooth + tilt * r).subs(r, moved))
    length = piece.upper - piece.lower if len(finite) == 2 else sp.oo
    return Integrand(scale, p, q, polynomial, exponent, length, line=not finite)


def _factors(piece: Piece) -> Iterator[tuple[sp.Expr, sp.Rational]]:
    """b(r) exp(-constant - smooth) as powers of irreducible polynomials, each of them once."""
    total: dict[sp.Expr, sp.Expr] = {}
    for inside, c in piece.powers:
        for side, sign in zip(sp.fraction(sp.together(inside)), (1, -1), strict=True):
            constant, rest = sp.factor_list(side, r)
            for factor, count in [(constant, 1), *rest]:
                total[factor] = total.get(factor, sp.S.Zero) + sign * c * count
    # Constants of both signs may occur; their product is positive, since each R_i is.
    yield from ((sp.Abs(factor) if not factor.has(r) else factor, c) for factor, c in total.items() if c != 0)


# --- the classical integrals ------------------------------------------------------------------------------


def _integral(f: Integrand) -> sp.Expr:
    rows = [(sp.Integer(k), c) for (k,), c in f.polynomial.terms()]
    if f.line:
        terms = [c * _gauss(f.exponent, int(k)) for k, c in rows]
    elif f.length == sp.oo:
        terms = [c * _half_line(f.exponent, f.p + k) for k, c in rows]
    elif not f.exponent.has(x):
        # Beta: ∫ x^a (L - x)^b dx = L^(a + b + 1) Gamma(a + 1) Gamma(b + 1)/Gamma(a + b + 2)
        terms = [c * sp.exp(f.exponent) * _beta(f.p + k, f.q, f.length) for k, c in rows]
    elif all(e.is_Integer and e >= 0 for e in (f.p, f.q)):
        whole = sp.Poly(x ** int(f.p) * (f.length - x) ** int(f.q), x) * f.polynomial
        terms = [_elementary(f.exponent, whole, f.length)]
    else:
        raise NotReadable("an exponential times broken powers on a bounded interval")
    return f.scale * sp.Add(*terms)


def _beta(a: sp.Rational, b: sp.Rational, length: sp.Expr) -> sp.Expr:
    return length ** (a + b + 1) * sp.gamma(a + 1) * sp.gamma(b + 1) / sp.gamma(a + b + 2)


def _gauss(exponent: sp.Expr, k: int) -> sp.Expr:
    """∫ x^k exp(c + b x - a x^2) dx over the line: moments of a normal law with mean b/2a and variance 1/2a."""
    a, b, c = _quadratic(exponent)
    if not a > 0:
        raise NotReadable(f"exp({exponent}) on the line")
    mean, variance = b / (2 * a), 1 / (2 * a)
    before, here = sp.S.Zero, sp.S.One
    for n in range(k):
        before, here = here, mean * here + n * variance * before
    return here * sp.exp(c + b**2 / (4 * a)) * sp.sqrt(sp.pi / a)


def _quadratic(exponent: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """(a, b, c) with exponent = c + b x - a x^2."""
    if not exponent.is_polynomial(x) or sp.degree(exponent, x) > 2:
        raise NotReadable(f"exp({exponent}) is in no classical integral")
    poly = sp.Poly(exponent, x)
    return -poly.coeff_monomial(x**2), poly.coeff_monomial(x), poly.coeff_monomial(1)


def _half_line(exponent: sp.Expr, power: sp.Rational) -> sp.Expr:
    """∫ x^power exp(exponent) over x > 0."""
    inverse = exponent.coeff(x, -1)
    a, b, c = _quadratic(sp.expand(exponent - inverse / x))
    if inverse == 0 and a == 0 and b < 0:
        return sp.exp(c) * sp.gamma(power + 1) * (-b) ** (-power - 1)
    if inverse == 0 and a > 0 and b == 0:
        return sp.exp(c) * sp.gamma((power + 1) / 2) / (2 * a ** ((power + 1) / 2))
    if inverse < 0 and a == 0 and b < 0:
        # 2 (A/B)^(nu/2) K_nu(2 sqrt(A B)) with nu = power + 1, for exp(-A/x - B x)
        nu, A, B = power + 1, -inverse, -b
        return sp.exp(c) * 2 * (A / B) ** (nu / 2) * _bessel_k(nu, 2 * sp.sqrt(A * B))
    raise NotReadable(f"x**({power}) exp({exponent}) on a half-line")


def _bessel_k(nu: sp.Rational, y: sp.Expr) -> sp.Expr:
    """K_nu at a positive y for nu = ±1/2, ±3/2, ..., by K_(nu+1) = K_(nu-1) + (2 nu/y) K_nu."""
    nu = abs(nu)
    if nu.q != 2 or nu > MOST_STEPS:
        raise NotReadable(f"the Bessel function K of order {nu}")
    half = sp.sqrt(sp.pi / (2 * y)) * sp.exp(-y)
    before, here, order = half, half, sp.Rational(1, 2)
    while order < nu:
        before, here, order = here, before + 2 * order / y * here, order + 1
    return here


def _elementary(exponent: sp.Expr, polynomial: sp.Poly, length: sp.Expr) -> sp.Expr:
    """∫ P(x) exp(c + s x) over (0, length): exp(c + s x) (P/s - P'/s^2 + P''/s^3 - ...) at both ends."""
    a, s, c = _quadratic(exponent)
    if a != 0:
        raise NotReadable(f"exp({exponent}) on a bounded interval")
    primitive, derivative, power = sp.S.Zero, polynomial, s
    while not derivative.is_zero:
        primitive += derivative.as_expr() / power
        derivative, power = derivative.diff(x), -s * power
    at_end = sp.exp(c + s * length) * primitive.subs(x, length)
    return at_end - sp.exp(c) * primitive.subs(x, 0)
