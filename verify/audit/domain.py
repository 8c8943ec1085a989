"""The natural domain of a formula: the open interval around 0, or next to it, on which it is real and smooth.

What is found here is only proposed.  Every later check, the one of the domain included, encloses m on the
interval it speaks about, so a domain guessed too large cannot make a false statement come out true.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.core.family import z
from glbcheck.core.kernel.terms import Rejected, show
from glbcheck.core.laplace import construct
from glbcheck.core.laplace.shapes import turned
from glbcheck.core.translation import NotEnclosed
from glbcheck.verify.audit.analyticity import sign
from glbcheck.verify.claim import Statement
from glbcheck.verify.search import cover
from glbcheck.verify.search.formulas import term_of

INFINITE = {"oo": sp.oo, "+oo": sp.oo, "inf": sp.oo, "-oo": -sp.oo, "-inf": -sp.oo}
LINE = (-sp.oo, sp.oo)
CELLS = 200  # of a cover that shows that something does not vanish
DIGITS = 60  # by which walls are put in order
SHARES = (sp.Rational(1, 7), sp.Rational(3, 7), sp.Rational(6, 7))


def formula(argument: str, text: str, names: dict[str, sp.Symbol]) -> sp.Expr:
    """A formula of the user, or a refusal that says where it went wrong."""
    text = text.strip()
    shown = text if len(text) <= 60 else text[:57] + "..."
    if not text.isascii():
        raise BadInput(argument, shown, "plain ASCII letters, digits and signs")
    try:
        read = parse(text, names)
        gone = next(_cancelled(read, parse(text, names, evaluate=False)), None)
    except ExpressionError as problem:
        raise BadInput(argument, shown, str(problem)) from None
    if gone is not None:
        raise BadInput(argument, shown, f"a formula in which {gone}, which may have no value, does not cancel")
    return read


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
    unsolved: set[sp.Expr] = set()
    for obstacle in set(_obstacles(m)):
        for factor in _factors(obstacle):
            zeros = _zeros(factor)
            if zeros is None:
                unsolved.add(factor)
            else:
                walls |= set(zeros)
    for factor in tuple(unsolved):
        zeros = _zeros_among({sp.S.Zero} | walls, factor)
        if zeros:
            unsolved.remove(factor)
            walls |= set(zeros)
    edges = [-sp.oo, *_in_order(w for w in walls if not _removable(m, w)), sp.oo]
    rooms = sorted(itertools.pairwise(edges), key=_distance)
    for low, high in rooms[:4]:
        if _real_inside(m, low, high):
            for factor in unsolved:
                if not _keeps_its_sign(factor, low, high):
                    raise BadInput("m", m, f"--domain lower,upper, since the zeros of {factor} are not known exactly")
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


def _factors(obstacle: sp.Expr) -> Iterator[sp.Expr]:
    """What must not vanish, factor by factor; constants and gamma, which has no zero, are left out."""
    top = sp.fraction(sp.together(obstacle.rewrite((sp.sinh, sp.cosh, sp.tanh), sp.exp)))[0]
    yield from (part for part in sp.Mul.make_args(top) if part.has(z) and not isinstance(part, sp.gamma))


def _zeros(factor: sp.Expr) -> list[sp.Expr] | None:
    """Real zeros of polynomials in z or e^z, those of sines and cosines near 0; None for other functions."""
    w = sp.Symbol("w", positive=True)
    slopes = [sp.LC(e.args[0], z) for e in factor.atoms(sp.exp) if _linear(e.args[0])]
    step = math.lcm(*(int(slope.q) for slope in slopes if slope.is_Rational))  # zeros in e^(z/step)
    in_w = sp.powsimp(sp.expand(factor)).subs(z, step * z).subs(sp.exp(z), w)
    if factor.is_polynomial(z):
        return _real_roots(sp.Poly(factor, z))
    if in_w.is_polynomial(w) and not in_w.has(z):
        roots = _real_roots(sp.Poly(in_w, w))
        return None if roots is None else [step * sp.log(root) for root in roots if root > 0]
    if isinstance(factor, sp.besseli) and factor.args[0].is_Integer and _linear(factor.args[1]):
        return [] if factor.args[0] == 0 else sp.solve(factor.args[1], z)  # I_n(x) has the sign of x^n
    if isinstance(factor, sp.cos | sp.sin | sp.tan) and _linear(factor.args[0]):
        phase = sp.pi / 2 if isinstance(factor, sp.cos) else sp.S.Zero
        return list(_wave_zeros(sp.Poly(factor.args[0], z), phase))
    for side in (1, -1):
        if factor.is_Add and (wave := turned(side * factor)) is not None:
            return list(_wave_zeros(sp.Poly(wave[1], z), sp.pi / 2))
    return None


def _real_roots(poly: sp.Poly) -> list[sp.Expr] | None:
    """The real roots; of irrational coefficients those of a straight line only."""
    if poly.degree() == 1:
        slope, constant = poly.all_coeffs()
        return [sp.radsimp(-constant / slope)]
    try:
        return list(poly.real_roots())
    except NotImplementedError:
        return None


def _zeros_among(candidates: set[sp.Expr], factor: sp.Expr) -> list[sp.Expr]:
    """The candidates where the factor vanishes, if it is proved to vanish nowhere else; otherwise none."""
    zeros = _in_order(c for c in candidates if c.is_Rational and factor.subs(z, c) == 0)
    gaps = itertools.pairwise([-sp.oo, *zeros, sp.oo])
    return zeros if zeros and all(sign(factor, gap) for gap in gaps) else []


def _keeps_its_sign(factor: sp.Expr, low: sp.Expr, high: sp.Expr) -> bool:
    """No zero strictly between the ends: by structure and monotonicity, as a transform, or by the kernel."""
    if sign(factor, (low, high)):
        return True
    if any(construct(sp.log(side * factor), sp.Interval.open(low, high)) for side in (1, -1)):
        return True  # the transform of a positive measure is positive
    inside = [f"z > {low}"] * bool(low.is_finite) + [f"z < {high}"] * bool(high.is_finite)
    try:
        text = show(term_of(factor))
        found = (cover.decide(Statement(tuple(inside), f"{text} {op} 0"), ["z"], budget=CELLS) for op in "><")
        return any(evidence.verdict.positive for evidence in found)
    except (Rejected, BadInput, NotEnclosed):
        return False


def _in_order(walls: Iterable[sp.Expr]) -> list[sp.Expr]:
    """Walls from left to right, each of them once, however close they are."""
    distinct: list[sp.Expr] = []
    for wall in walls:
        if not any(sp.simplify(wall - other) == 0 for other in distinct):
            distinct.append(wall)
    return sorted(distinct, key=lambda wall: sp.N(wall, DIGITS))


def _cancelled(read: sp.Expr, written: sp.Expr) -> Iterator[sp.Expr]:
    """What limits where the formula has a value as it is written, and no longer does as it was read."""
    kept = [factor for obstacle in _obstacles(read) for factor in _parts(obstacle)]
    for obstacle in _obstacles(written):
        for factor in _parts(obstacle.doit()):
            if not any(not sp.cancel(factor / other).free_symbols for other in kept) and not sign(factor, LINE):
                yield factor


def _parts(obstacle: sp.Expr) -> Iterator[sp.Expr]:
    factors = (part.base if part.is_Pow else part for part in sp.Mul.make_args(sp.factor(obstacle)))
    yield from (factor for factor in factors if factor.free_symbols)


def _linear(expr: sp.Expr) -> bool:
    return bool(expr.is_polynomial(z) and sp.degree(expr, z) == 1)


def _wave_zeros(inner: sp.Poly, phase: sp.Expr) -> Iterator[sp.Expr]:
    """The zeros of a sine or cosine of a z + b nearest to 0."""
    a, b = inner.all_coeffs()
    middle = sp.floor((b - phase) / sp.pi)
    yield from ((phase + k * sp.pi - b) / a for k in range(int(middle) - 2, int(middle) + 4))


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

    A gamma function to the left of 0 has a pole at every step, so its argument must be positive; so must that of each
    logarithm, for the imaginary parts of two of them may cancel where neither is a real number.
    """
    left = low if low.is_finite else min(sp.S.Zero, high if high.is_finite else sp.S.Zero) - 2
    right = high if high.is_finite else max(sp.S.Zero, low if low.is_finite else sp.S.Zero) + 2
    roots = [part.base for part in m.atoms(sp.Pow) if part.exp.is_Rational and not part.exp.is_Integer]
    needed = [part.args[0] for part in m.atoms(sp.gamma, sp.loggamma, sp.log)] + roots
    for share in SHARES:
        point = left + share * (right - left)
        try:
            value = m.subs(z, point).evalf(15)
        except (ValueError, OverflowError):  # a pole, or a number that no float holds
            return False
        if not (value.is_comparable and value.is_finite):
            return False
        if any(not argument.subs(z, point).evalf(15) > 0 for argument in needed):
            return False
    return True
