"""The natural domain of a formula: the open interval around 0, or next to it, on which it is real and smooth.

What is found here is only proposed.  Every later check, the one of the domain included, encloses m on the
interval it speaks about, so a domain guessed too large cannot make a false statement come out true.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.core.family import z

INFINITE = {"oo": sp.oo, "+oo": sp.oo, "inf": sp.oo, "-oo": -sp.oo, "-inf": -sp.oo}
LOOKED_AT = [sp.Rational(k, 7) for k in range(-210, 211) if k % 7]  # for sign changes of what is not solved
SHARES = (sp.Rational(1, 7), sp.Rational(3, 7), sp.Rational(6, 7))


def formula(argument: str, text: str, names: dict[str, sp.Symbol]) -> sp.Expr:
    """A formula of the user, or a refusal that says where it went wrong."""
    text = text.strip()
    shown = text if len(text) <= 60 else text[:57] + "..."
    if not text.isascii():
        raise BadInput(argument, shown, "plain ASCII letters, digits and signs")
    try:
        return parse(text, names)
    except ExpressionError as problem:
        raise BadInput(argument, shown, str(problem)) from None


def read_interval(argument: str, text: str) -> tuple[sp.Expr, sp.Expr]:
    """`lower,upper` as exact numbers, `oo` and `-oo` allowed."""
    ends = text.split(",")
    accepted = "two numbers lower,upper with lower < upper; oo and -oo are numbers here"
    if len(ends) != 2:
        raise BadInput(argument, text, accepted)
    try:
        low, high = (INFINITE.get(e.strip()) or parse(e, []) for e in ends)
    except ExpressionError as problem:
        raise BadInput(argument, text, f"{accepted} ({problem})") from None
    if not low < high:
        raise BadInput(argument, text, accepted)
    return low, high


def natural_domain(m: sp.Expr) -> sp.Interval:
    """Where the formula lives; `BadInput` when that must be said by hand."""
    walls: set[sp.Expr] = set()
    for obstacle in set(_obstacles(m)):
        walls |= set(_zeros(obstacle, m))
    placed = {round(float(w), 9): w for w in walls if not _removable(m, w)}
    edges = [-sp.oo, *(placed[place] for place in sorted(placed)), sp.oo]
    rooms = sorted(itertools.pairwise(edges), key=_distance)
    for low, high in rooms[:4]:
        if _real_inside(m, low, high):
            return sp.Interval.open(low, high)
    raise BadInput("m", m, "a formula that is real somewhere near 0; say where with --domain lower,upper")


def _distance(room: tuple[sp.Expr, sp.Expr]) -> tuple[float, bool]:
    """Rooms with 0 inside come first, then those that touch or are near it, the left one before the right."""
    low, high = float(room[0]), float(room[1])
    if low < 0 < high:
        return -1, False
    return (-high, False) if high <= 0 else (low, True)


def _obstacles(m: sp.Expr) -> Iterator[sp.Expr]:
    """Expressions whose zeros end a domain: arguments of logarithms, bases of denominators, ..."""
    for part in sp.preorder_traversal(m):
        if part.is_Pow and (part.exp.is_negative or not part.exp.is_Integer) and part.base != sp.E:
            yield part.base
        elif isinstance(part, sp.log | sp.loggamma | sp.gamma):
            yield part.args[0]
        elif isinstance(part, sp.atanh | sp.asin | sp.acos):
            yield 1 - part.args[0] ** 2
        elif isinstance(part, sp.acosh):
            yield part.args[0] - 1
        elif isinstance(part, sp.tan | sp.sec):
            yield sp.cos(part.args[0])
        elif isinstance(part, sp.cot | sp.csc):
            yield sp.sin(part.args[0])


def _zeros(obstacle: sp.Expr, m: sp.Expr) -> Iterator[sp.Expr]:
    """Real zeros: of polynomials in z or e^z, of sines and cosines near 0; others only if none show."""
    top = sp.fraction(sp.together(obstacle.rewrite((sp.sinh, sp.cosh, sp.tanh), sp.exp)))[0]
    w = sp.Symbol("w", positive=True)
    for factor in sp.Mul.make_args(top):
        in_w = sp.powsimp(sp.expand(factor)).subs(sp.exp(z), w)
        if not factor.has(z) or isinstance(factor, sp.gamma):  # gamma has no zero, and its wall is found
            continue
        if factor.is_polynomial(z):
            yield from sp.Poly(factor, z).real_roots()
        elif in_w.is_polynomial(w) and not in_w.has(z):
            yield from (sp.log(root) for root in sp.Poly(in_w, w).real_roots() if root > 0)
        elif isinstance(factor, sp.cos | sp.sin) and _linear(factor.args[0]):
            yield from _wave_zeros(sp.Poly(factor.args[0], z), sp.pi / 2 if isinstance(factor, sp.cos) else sp.S.Zero)
        elif isinstance(factor, sp.cos | sp.sin) or _changes_sign(factor):
            raise BadInput("m", m, f"--domain lower,upper, since the zeros of {factor} are not known exactly")


def _linear(expr: sp.Expr) -> bool:
    return bool(expr.is_polynomial(z) and sp.degree(expr, z) == 1)


def _wave_zeros(inner: sp.Poly, phase: sp.Expr) -> Iterator[sp.Expr]:
    """The zeros of a sine or cosine of a z + b nearest to 0."""
    a, b = inner.all_coeffs()
    middle = sp.floor((b - phase) / sp.pi)
    yield from ((phase + k * sp.pi - b) / a for k in range(int(middle) - 2, int(middle) + 4))


def _changes_sign(expr: sp.Expr) -> bool:
    values = [expr.subs(z, point).evalf(15) for point in LOOKED_AT]
    return len({bool(value > 0) for value in values if value.is_comparable}) != 1


def _removable(m: sp.Expr, wall: sp.Expr) -> bool:
    """Does m have a finite limit where the formula has a gap, from both sides the same?"""
    if not _real_inside(m, wall - sp.Rational(1, 64), wall) or not _real_inside(m, wall, wall + sp.Rational(1, 64)):
        return False
    try:
        sides = [sp.limit(m, z, wall, side) for side in "+-"]
    except (NotImplementedError, ValueError):
        return False
    if not (sides[0] == sides[1] and sides[0].is_finite):
        return False
    roots = [p for p in m.atoms(sp.Pow) if not p.exp.is_Integer and p.base != sp.E and p.base.has(z)]
    if any(p.base.subs(z, wall) == 0 for p in roots):
        # sqrt(z) in cosh(sqrt(z)) does no harm, sqrt(z**2 + z**4) has a kink: this is not told apart here.
        raise BadInput("m", m, f"--domain lower,upper, since m may go on across z = {wall}")
    return True


def _real_inside(m: sp.Expr, low: sp.Expr, high: sp.Expr) -> bool:
    """Is the formula real at a few points of the open interval, as far as floats can tell?

    A gamma function to the left of 0 has a pole at every step, so its argument must be positive.
    """
    left = low if low.is_finite else min(sp.S.Zero, high if high.is_finite else sp.S.Zero) - 2
    right = high if high.is_finite else max(sp.S.Zero, low if low.is_finite else sp.S.Zero) + 2
    needed = [part.args[0] for part in m.atoms(sp.gamma, sp.loggamma)]
    for share in SHARES:
        point = left + share * (right - left)
        value = m.subs(z, point).evalf(15)
        if not (value.is_comparable and value.is_finite):
            return False
        if any(not argument.subs(z, point).evalf(15) > 0 for argument in needed):
            return False
    return True
