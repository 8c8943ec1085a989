"""Where a formula in z is real analytic: an open interval, apart from a few removable points.

Every operation that could fail (a division, a root, a logarithm) leaves a guard that must keep its sign;
signs are proved by structure, by Sturm's theorem for polynomials, and by monotonicity from the value at
an end.  A formula with an operation that is not listed is not accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, jet_function
from glbcheck.core.family import z
from glbcheck.core.kernel.evaluate import closed_sign
from glbcheck.core.measures.interval import MINUS_OO, OO, limit
from glbcheck.core.translation import term_of
from glbcheck.verify.audit.base_measure import NotReadable, between

ENTIRE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.erf, sp.erfc, sp.tanh, sp.sech, sp.atan, sp.asinh)
ODD = (sp.sinh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.coth, sp.csch)
POSITIVE = (sp.exp, sp.cosh, sp.sech, sp.erfc)
DEEPEST = 6  # derivatives taken to see that a guard is monotone

Span = tuple[sp.Expr, sp.Expr]


def breaks(m: sp.Expr, domain: sp.Interval) -> list[sp.Rational]:
    """Removable points of m inside the domain; between them m is proved analytic.  Else NotReadable."""
    needs = list(guards(m))
    ends: Span = (domain.inf, domain.sup)
    points = sorted({p for u in needs for p in _rational_zeros(u, ends)})
    for span in pairwise([ends[0], *points, ends[1]]):
        for u in needs:
            if not sign(u, span):
                raise NotReadable(f"{u} is not seen to keep its sign on ({span[0]}, {span[1]})")
    jet = jet_function(m, z)
    for point in points:
        if not all(c.is_finite() for c in jet(point, 3)):
            raise NotReadable(f"the formula is singular at z = {point}")
    return points


def guards(e: sp.Expr) -> Iterator[sp.Expr]:
    """What must not vanish (or must stay positive: a sign at one point tells) for e to be analytic."""
    if e.is_Rational or e in (sp.pi, sp.E, sp.EulerGamma, z):
        return
    if e.is_Pow and e.base != sp.E:
        if not (e.exp.is_Integer and e.exp > 0):
            yield e.base
    elif isinstance(e, sp.log | sp.loggamma | sp.gamma):
        yield e.args[0]
    elif isinstance(e, sp.besseli):
        if not e.args[0].is_Integer:
            yield e.args[1]
    elif isinstance(e, sp.tan | sp.sec):
        yield sp.cos(e.args[0])
    elif isinstance(e, sp.cot | sp.csc):
        yield sp.sin(e.args[0])
    elif isinstance(e, sp.coth | sp.csch):
        yield e.args[0]
    elif not (e.is_Add or e.is_Mul or e.is_Pow or isinstance(e, ENTIRE)):
        raise NotReadable(f"{e.func.__name__} is not known to be analytic")
    for part in e.args:
        yield from guards(part)


def _rational_zeros(u: sp.Expr, span: Span) -> Iterator[sp.Rational]:
    """Rational zeros, strictly inside, of the polynomial factors of a guard."""
    for power in {u, *u.atoms(sp.Pow)}:
        base = power.base if power.is_Pow else power
        if base.is_polynomial(z) and base.has(z):
            zeros = sp.roots(sp.Poly(base, z), filter="Q") if _rational(base) else {}
            yield from (x for x in zeros if span[0] < x < span[1])


def _rational(polynomial: sp.Expr) -> bool:
    return all(c.is_Rational for c in sp.Poly(polynomial, z).all_coeffs())


def sign(u: sp.Expr, span: Span, depth: int = 0) -> int:
    """+1 or -1 if u is proved to keep that sign on the open interval, else 0."""
    if not u.has(z):
        return _number_sign(u)
    if u.is_Mul:
        result = 1
        for factor in u.args:
            result *= sign(factor, span, depth)
        return result
    if isinstance(u, POSITIVE):
        return 1
    if isinstance(u, sp.besseli) and u.args[0].is_Integer:
        order = abs(int(u.args[0]))  # I_n(x) has the sign of x^n
        return 1 if order == 0 else sign(u.args[1], span, depth) ** (2 - order % 2)
    if u.is_Pow and u.exp.is_Rational:
        base = sign(u.base, span, depth)
        if not u.exp.is_Integer:
            return max(base, 0)  # a root lives on positive numbers
        return base**2 if u.exp % 2 == 0 else base
    if isinstance(u, ODD):
        return sign(u.args[0], span, depth)
    if isinstance(u, sp.cos | sp.sin):
        return _trigonometric(u, span)
    if u.is_polynomial(z) and _rational(u):
        return _polynomial_sign(sp.Poly(u, z), span)
    if isinstance(u, sp.log):
        return sign(u.args[0] - 1, span, depth)
    if u.is_Add:
        signs = {sign(term, span, depth) for term in u.args}
        if len(signs) == 1 and 0 not in signs:
            return signs.pop()
        constant, waves = u.as_independent(z, as_Add=True)
        if (reach := _reach(waves)) is not None and _number_sign(sp.Abs(constant) - reach) > 0:
            return _number_sign(constant)
        return _by_monotonicity(u, span, depth)
    return 0


def _reach(u: sp.Expr) -> sp.Expr | None:
    """A bound of |u| for a sum of multiples of functions between -1 and 1."""
    terms = [term.as_independent(z, as_Add=False) for term in sp.Add.make_args(u)]
    if not all(isinstance(wave, sp.sin | sp.cos | sp.tanh | sp.erf) for _, wave in terms):
        return None
    return sp.Add(*(sp.Abs(size) for size, _ in terms))


def _number_sign(u: sp.Expr) -> int:
    if u == 0:
        return 0
    try:
        value = ball(u)
    except NotEnclosed:
        return 0
    return 1 if value > 0 else -1 if value < 0 else 0


def _polynomial_sign(p: sp.Poly, span: Span) -> int:
    """By Sturm's theorem; a zero at an end of the open interval does not count."""
    if any(not (end.is_Rational or end.is_infinite) for end in span):
        return 0
    inside = [x for x in p.real_roots() if span[0] < x < span[1]]
    return 0 if inside else _number_sign(p.eval(between(*span)))


def _trigonometric(u: sp.Expr, span: Span) -> int:
    """cos is positive on (-pi/2, pi/2) and sin on (0, pi); the argument must be linear."""
    inside = u.args[0]
    if not inside.is_polynomial(z) or sp.Poly(inside, z).degree() != 1 or any(e.is_infinite for e in span):
        return 0
    values = [sp.simplify(inside.subs(z, e)) for e in span]
    low, high = (-sp.pi / 2, sp.pi / 2) if isinstance(u, sp.cos) else (sp.S.Zero, sp.pi)
    gaps = [sp.simplify(gap) for v in values for gap in (v - low, high - v)]
    return 1 if all(gap == 0 or _number_sign(gap) > 0 for gap in gaps) else 0


def _by_monotonicity(u: sp.Expr, span: Span, depth: int) -> int:
    """u is monotone and starts at a value on the right side of 0."""
    if depth >= DEEPEST:
        return 0
    direction = sign(sp.powsimp(sp.factor(sp.diff(u, z))), span, depth + 1)
    if direction == 0:
        return 0
    for end, outcome in ((span[0], direction), (span[1], -direction)):
        if _limit_sign(u, end) in (0, outcome):
            return outcome
    return 0


def _limit_sign(u: sp.Expr, end: sp.Expr) -> int | None:
    """The sign of a finite limit at an end; None if there is none, or it is not seen."""
    try:
        found = limit(term_of(u), OO if end == sp.oo else MINUS_OO if end == -sp.oo else term_of(end))
    except NotEnclosed:
        return None
    return None if found is None or found is OO or found is MINUS_OO else closed_sign(found)
