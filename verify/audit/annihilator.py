"""A linear differential equation in z that the normaliser N(z) = ∫ exp(r z/g) b(r) dr satisfies, exactly.

On an interval with b'/b = q/p, let P = p s with s vanishing at the ends where b does not.  Then the
integral of d/dr [P exp(r z/g) b] is zero, and since r acts on the integral as g d/dz,

    [ (P' + s q)(g d/dz)  +  (z/g) P(g d/dz) ]  N  =  0.

On a lattice with b(r + h)/b(r) = c P(r)/Q(r), both multiplied so that Q vanishes one step before the first
point and P at the last one, shifting the sum gives  Q(g d/dz - h) N = c exp(h z/g) P(g d/dz) N.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import ball
from glbcheck.core.exact import number
from glbcheck.core.family import Family, r, z
from glbcheck.core.translation import equal
from glbcheck.verify.audit.base_measure import Base, Divergent, GammaPair, NotReadable, Piece, Run
from glbcheck.verify.audit.base_moments import end_of, rate_at_infinity
from glbcheck.verify.audit.common_multiple import common_multiple, zeros
from glbcheck.verify.audit.gamma_pair import edge

HIGHEST_ORDER = 8


@dataclass(frozen=True)
class Annihilator:
    """sum_j coefficients[j] (g d/dz)^j N = 0; the last coefficient vanishes at `singular` only."""

    coefficients: tuple[sp.Expr, ...]
    singular: tuple[sp.Expr, ...]

    @property
    def order(self) -> int:
        return len(self.coefficients) - 1


def annihilator(base: Base) -> Annihilator:
    """The equation for the normaliser on the whole natural domain; `require_convergence` comes before."""
    if base.pair:
        return Annihilator(_for_pair(base.pair, base.g), ())  # singular at the edge of the domain only
    parts = [_trimmed(part) for part in _parts(base)]
    if len(parts) > 1:
        coefficients = common_multiple(parts, base.g)
        return Annihilator(tuple(coefficients), zeros(coefficients[-1]))
    return Annihilator(tuple(parts[0]), _zeros(parts[0][-1]))


def _parts(base: Base) -> list[list[sp.Expr]]:
    """An equation for each part of the base with a recurrence of its own."""
    if base.pieces:
        slopes = sorted({piece.slope for piece in base.pieces}, key=sp.default_sort_key)
        groups = [tuple(piece for piece in base.pieces if piece.slope == slope) for slope in slopes]
        return [_for_interval(group, base.g) for group in groups]
    if all(not run.exact for run in base.runs):
        return [_for_bessel(base.runs, base.g)]
    if any(not run.exact for run in base.runs):
        raise NotReadable("Bessel weights on a part of the lattice")
    return [_for_lattice(run, base.g) for run in base.runs]


def _trimmed(coefficients: list[sp.Expr]) -> list[sp.Expr]:
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    if not 2 <= len(coefficients) <= HIGHEST_ORDER + 1:
        raise NotReadable(f"the recurrence of the base has order {len(coefficients) - 1}")
    return coefficients


def _for_interval(pieces: tuple[Piece, ...], g: Fraction) -> list[sp.Expr]:
    """Pieces that share one slope q/p."""
    q, p = (sp.Poly(side, r) for side in sp.fraction(pieces[0].slope))
    s = sp.Poly(1, r)
    for end in sorted({e for piece in pieces for e in (piece.lower, piece.upper)}):
        if not end.is_infinite and p.eval(end) != 0:
            s *= sp.Poly(r - end, r)
    P = p * s
    A = P.diff(r) + s * q
    return _joined(A, P, z / number(g))


def _for_lattice(run: Run, g: Fraction) -> list[sp.Expr]:
    h, first = number(run.step), number(run.first)
    P, Q = (sp.Poly([number(c) for c in reversed(side)], r) for side in (run.top, run.bottom))
    t = sp.Poly(1, r)
    if Q.eval(first - h) != 0:
        t *= sp.Poly(r - first + h, r)
    if run.count is not None:
        last = first + (run.count - 1) * h
        if P.eval(last) != 0:
            t *= sp.Poly(r - last, r)
    shifted = (Q * t).compose(sp.Poly(r - h, r))
    return _joined(shifted, P * t, -run.scale * sp.exp(h * z / number(g)))


def _for_bessel(runs: tuple[Run, ...], g: Fraction) -> list[sp.Expr]:
    """I_(k-1)(x) - I_(k+1)(x) = (2k/x) I_k(x) for every whole k, with r = k h on the whole lattice."""
    if len(runs) != 2 or runs[0].scale != runs[1].scale or runs[0].first != 0:
        raise NotReadable("Bessel weights on a part of the lattice")
    h, x = number(runs[0].step), 2 * runs[0].scale
    tilt = h * z / number(g)
    return [sp.exp(tilt) - sp.exp(-tilt), -2 / (h * x)]


def _for_pair(pair: GammaPair, g: Fraction) -> tuple[sp.Expr, ...]:
    """From moving the line of integration up by i/kappa.

    With u = beta + i kappa r and v = beta - i kappa r, u Gamma(u) Gamma(v) exp(r z/g) has no pole in the
    strip and is v Gamma(u) Gamma(v) exp(r z/g) exp(i z/(kappa g)) on its upper side; inside the domain it
    decays exponentially in the strip, so the integrals over both sides are equal.
    """
    angle = z / (2 * pair.kappa * number(g))
    return (-pair.beta * sp.sin(angle), pair.kappa * sp.cos(angle))


def _joined(A: sp.Poly, B: sp.Poly, factor: sp.Expr) -> list[sp.Expr]:
    """Coefficients of A + factor * B, constant first."""
    size = max(A.degree(), B.degree()) + 1
    return [sp.expand(A.coeff_monomial(r**j) + factor * B.coeff_monomial(r**j)) for j in range(size)]


def _zeros(leading: sp.Expr) -> tuple[sp.Expr, ...]:
    """Where the leading coefficient, a + b z or a + b exp(c z), vanishes."""
    if not leading.has(z):
        return ()
    a, rest = leading.as_independent(z, as_Add=True)
    b, moving = rest.as_independent(z, as_Add=False)
    if moving == z:
        return (-a / b,)
    if not isinstance(moving, sp.exp):
        raise NotReadable(f"the zeros of {leading} are not known")
    if a == 0:
        return ()
    ratio, c = -a / b, moving.args[0] / z
    return (sp.log(ratio) / c,) if ball(ratio) > 0 else ()


def satisfies(family: Family, base: Base, equation: Annihilator) -> bool:
    """Does exp(m/g) solve the equation, as an exact identity?  False means only: not seen."""
    g, direct = number(base.g), sp.exp(family.log_partition / number(base.g))
    ways = [log_powers(family, base.g, equation.order)]
    if not isinstance(direct, sp.exp):  # m/g is a logarithm: what is inside has the shorter derivatives
        ways.insert(0, [g**j * sp.diff(direct, z, j) for j in range(equation.order + 1)])
    return any(equal(_residual(equation, powers), sp.S.Zero) for powers in ways)


def _residual(equation: Annihilator, powers: list[sp.Expr]) -> sp.Expr:
    total = sp.Add(*(c * w for c, w in zip(equation.coefficients, powers, strict=True)))
    return lowered_bessel(total.replace(sp.tan, lambda u: sp.sin(u) / sp.cos(u)))


def log_powers(family: Family, g: Fraction, order: int) -> list[sp.Expr]:
    """exp(-m/g) (g d/dz)^j exp(m/g) for j = 0, ..., order."""
    slope = family.mu_expr
    result = [sp.S.One]
    for _ in range(order):
        result.append(number(g) * sp.diff(result[-1], z) + slope * result[-1])
    return result


def lowered_bessel(e: sp.Expr) -> sp.Expr:
    """Every I_n with whole n brought to I_0 and I_1 by I_n = I_(n-2) - 2(n - 1)/u I_(n-1)."""

    def lower(n: sp.Expr, u: sp.Expr) -> sp.Expr:
        if not n.is_Integer or n in (0, 1):
            return sp.besseli(n, u)
        n = abs(n)
        return sp.besseli(1, u) if n == 1 else lower(n - 2, u) - 2 * (n - 1) / u * lower(n - 1, u)

    return e.replace(sp.besseli, lower)


# --- convergence on the whole domain ---------------------------------------------------------------


def require_convergence(base: Base) -> None:
    """N is finite, and boundary terms vanish, for every z inside the domain; else Divergent."""
    inf, sup = base.family.domain.inf, base.family.domain.sup
    if base.pair:
        far = edge(base.pair, base.g)
        if not (sp.simplify(sup - far) <= 0 and sp.simplify(inf + far) >= 0):
            raise Divergent(f"the integral is infinite for |z| beyond {far}, inside the domain")
    for piece in base.pieces:
        for upper, far in ((False, inf), (True, sup)):
            end = end_of(piece, upper)
            if end.at.is_infinite:
                _require_decay(number(base.g) * rate_at_infinity(piece, upper), far, upper)
    for run in base.runs:
        if run.count is None:
            _require_small_ratio(run, base.g, sup if run.step > 0 else inf)


def _require_decay(rate: sp.Expr, far: sp.Expr, upper: bool) -> None:
    """z + rate must be negative (at +oo) for all z up to the end `far` of the domain."""
    sign = 1 if upper else -1
    if rate * sign == -sp.oo:
        return
    if rate.is_infinite or far.is_infinite or (far + rate) * sign > 0:
        raise Divergent(f"the integral is infinite for z beyond {-rate}, inside the domain")


def _require_small_ratio(run: Run, g: Fraction, far: sp.Expr) -> None:
    excess = len(run.top) - len(run.bottom)
    if not run.exact or excess < 0:
        return
    limit = run.scale * number(run.top[-1] / run.bottom[-1]) * sp.exp(number(run.step / g) * far)
    if excess > 0 or limit.is_infinite or ball(limit) > 1:
        raise Divergent("the sum is infinite for some z inside the domain")
    if sp.simplify(limit) != 1 and not ball(limit) < 1:
        raise NotReadable(f"the limit {limit} of the ratio is not seen to be at most 1")
