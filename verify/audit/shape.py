"""Is m smooth, convex, its mean strictly increasing?  Shown on intervals, refuted at exact points.

The sign of m'' is shown by a certificate of the kernel where its formula has a value everywhere; balls of Taylor
coefficients serve where it has none at a removable point, and where m is transcendental far away.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import sympy as sp
from glbcheck.core.concordance import NEAR
from glbcheck.core.enclosure import (
    Ball,
    Jet,
    NotEnclosed,
    ball,
    ball_function,
    float_above,
    hull,
    jet_function,
    precision,
)
from glbcheck.core.enclosure.asymptotics import ratio_tail
from glbcheck.core.enclosure.extrema import cell_jet
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number, rational
from glbcheck.core.family import Family, interval_text, z
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.terms import Rejected, show
from glbcheck.core.laplace import construct
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.claim import Statement, Verdict
from glbcheck.verify.search import cover
from glbcheck.verify.search.formulas import term_of

BITS = 192
MAX_CELLS = 4_000
KERNEL_CELLS = 200
KINKED = (sp.Abs, sp.Min, sp.Max, sp.sign, sp.Piecewise)
SAMPLES = tuple(Fraction(k, 8) for k in range(-64, 65))


# --- finite ----------------------------------------------------------------------------------------------


def finite(family: Family, S: Fraction) -> Finding:
    """m has a finite real value at every point of [-S, S]; an exact point where it has none refutes that."""
    for point in (S * k / 8 for k in range(-8, 9)):
        if _has_no_value(family.log_partition, number(point)):
            return Finding(Verdict.REFUTED, f"m is not a real number at z = {point}", {"z": str(point)})
    value = ball_function(family.log_partition, [z])
    cells = _covered(lambda a, b: bool(value(hull(a, b)).is_finite()), -S, S)
    if isinstance(cells, Fraction):  # a removable point perhaps, which Taylor coefficients can pass
        cells = _cover(family, -S, S, lambda jet: bool(jet[0].is_finite()), 1)
    if isinstance(cells, Fraction):
        return _undefined(family, cells)
    words = f"[-S, S] lies inside {interval_text(family.domain)}, and m is finite there"
    return Finding(Verdict.CERTIFIED, words)


def _has_no_value(m: sp.Expr, point: sp.Expr) -> bool:
    """Infinite or not real at the point; a quotient 0/0 may be removable and does not count."""
    value = m.subs(z, point)
    return value.is_real is False or (value.has(sp.zoo, sp.oo) and not value.has(sp.nan))


def ends_at(m: sp.Expr, end: sp.Expr) -> bool:
    """Is m singular at the end of its domain, and infinite there or not real beyond?"""
    try:
        if all(c.is_finite() for c in jet_function(m, z)(ball(end), 3)):
            return False
    except NotEnclosed:  # a root without radicals, or a function without Taylor coefficients
        pass
    beside = [end + sp.Rational(side, 64) for side in (-1, 1)]
    return _has_no_value(m, end) or any(_has_no_value(m, point) for point in beside)


# --- smooth ----------------------------------------------------------------------------------------------


def smooth(family: Family, S: Fraction) -> Finding:
    """Analytic on [-S, S] by finite Taylor coefficients on a cover; a kink is shown by its two sides."""
    if family.log_partition.has(*KINKED):
        return _kinked(family, S)
    cells = _cover(family, -S, S, lambda jet: all(c.is_finite() for c in jet), 5)
    if isinstance(cells, Fraction):
        return _undefined(family, cells)
    return Finding(Verdict.CERTIFIED, f"analytic on [-S, S]: Taylor coefficients enclosed on {_count(cells)}")


def _undefined(family: Family, at: Fraction) -> Finding:
    """Where no cell works: either the formula has no real value there, or balls cannot tell."""
    if _has_no_value(family.log_partition, number(at)):
        return Finding(Verdict.REFUTED, f"m is not a real number at z = {at}", {"z": str(at)})
    return Finding(Verdict.UNDECIDED, f"no finite enclosure of m and its derivatives near z = {float(at):.6g}")


def _kinked(family: Family, S: Fraction) -> Finding:
    """One-sided derivatives up to the third at every zero of an |argument| inside [-S, S]."""
    m = family.log_partition
    if m.has(sp.Min, sp.Max):
        m = m.rewrite(sp.Abs)
    corners = {c for a in m.atoms(sp.Abs) for c in sp.Poly(a.args[0], z).real_roots()}
    for corner in sorted(c for c in corners if -S <= c <= S):
        sides = [_one_side(m, corner, side) for side in (-1, +1)]
        for order in range(4):
            left, right = (sp.diff(side, z, order).subs(z, corner) for side in sides)
            if not ball(left - right).contains(0):
                words = f"derivative number {order} of m jumps from {left} to {right} at z = {corner}"
                data = {"z": str(corner), "order": order, "left": str(left), "right": str(right)}
                return Finding(Verdict.REFUTED, words, data)
    return Finding(Verdict.UNDECIDED, "m has absolute values, whose corners could not be settled")


def _one_side(m: sp.Expr, corner: sp.Expr, side: int) -> sp.Expr:
    """m beside the corner, every |a| replaced by a or -a as its sign there says."""
    replaced = {}
    for a in m.atoms(sp.Abs):
        poly = sp.Poly(a.args[0], z)
        others = [abs(root - corner) for root in poly.real_roots() if root != corner]
        step = min([sp.S.One, *others]) / 2
        replaced[a] = a.args[0] if poly.eval(corner + side * step) > 0 else -a.args[0]
    return m.xreplace(replaced)


# --- convex ----------------------------------------------------------------------------------------------


def convex(family: Family, S: Fraction) -> Finding:
    """m'' >= 0 on [-S, S]; false at an exact point, of the interval or of the rest of the domain."""
    for point in points_of(family.domain):
        value = curvature_at(family, point)
        if value is not None and value < 0:
            words = f"m'' <= {float_above(value):.6g} at z = {point}: a variance cannot be negative"
            return Finding(Verdict.REFUTED, words, {"z": str(point), "second derivative below": float_above(value)})
    if found := _by_kernel(family, _within(S), ">=", "m'' >= 0 on [-S, S]"):
        return found
    cells = _curved(family, S)
    if not isinstance(cells, Fraction):
        return Finding(Verdict.CERTIFIED, f"m'' > 0 on [-S, S], {_count(cells)}")
    return Finding(Verdict.UNDECIDED, f"the sign of m'' near z = {float(cells):.6g} is not settled")


def convex_everywhere(family: Family, S: Fraction) -> Finding:
    """m'' >= 0 inside the whole domain: the logarithm of a Laplace transform is convex."""
    tree = construct(family.log_partition, family.domain)
    if tree is not None:
        return Finding(Verdict.PROVED, f"m'' >= 0 on all of {interval_text(family.domain)}", {"tree": tree.as_dict()})
    low, high = family.domain.inf, family.domain.sup
    inside = [f"z > {low}"] * bool(low.is_finite) + [f"z < {high}"] * bool(high.is_finite)
    if found := _by_kernel(family, tuple(inside), ">=", f"m'' >= 0 on all of {interval_text(family.domain)}"):
        return found
    if _positive_beyond(family):
        return Finding(Verdict.CERTIFIED, "m'' > 0 on the whole line: cells near 0, a proof on each half-line")
    return Finding(Verdict.CERTIFIED_ON_BOX, "on [-S, S]; the rest of the domain is open")


def _by_kernel(family: Family, where: tuple[str, ...], op: str, words: str) -> Finding | None:
    """m'' > 0 or m'' >= 0 by a certificate; the second derivative is the kernel's own."""
    try:
        m = term_of(family.log_partition)
        curvature = derivative(derivative(m, "z"), "z")
        claim = f"{show(curvature)} + 0*{show(m)} {op} 0"  # m must have a value as well
        evidence = cover.decide(Statement(where, claim), ["z"], budget=KERNEL_CELLS)
    except (Rejected, BadInput):  # a function that the kernel's language has no word or no slope for
        return None
    return Finding(evidence.verdict, words, evidence.certificate) if evidence.verdict.positive else None


def _within(S: Fraction) -> tuple[str, ...]:
    return f"z >= {-S}", f"z <= {S}"


def slope(family: Family, S: Fraction) -> Finding:
    """mu' > 0 on all of [-S, S], or an exact zero of it."""
    for point in sorted({*(rational("zero", p) for p in _rational_zeros(family.dmu_expr)), Fraction(0), S, -S}):
        if -S <= point <= S and _vanishes(family.dmu_expr, point):
            words = f"mu'(z) = 0 exactly at z = {point}: kappa is infinite"
            return Finding(Verdict.REFUTED, words, {"z": str(point)})
    if found := _by_kernel(family, _within(S), ">", "mu' > 0 on [-S, S]"):
        return found
    cells = _curved(family, S)
    if isinstance(cells, Fraction):
        return Finding(Verdict.UNDECIDED, f"the sign of mu' near z = {float(cells):.6g} is not settled")
    return Finding(Verdict.CERTIFIED, f"mu' > 0 on [-S, S], {_count(cells)}")


def _curved(family: Family, S: Fraction) -> int | Fraction:
    """The number of cells on which m'' > 0, 0 if half-lines settle what is far away, or an open place."""
    if max(NEAR) < S and _positive_beyond(family):
        return 0
    return _cover(family, -S, S, lambda jet: bool(jet[2] > 0), 3)


def _count(cells: int) -> str:
    if cells == 0:
        return "a proof on each half-line"
    return f"{cells} cell{'s' if cells > 1 else ''}"


def _vanishes(expr: sp.Expr, at: Fraction) -> bool:
    return bool(expr.subs(z, number(at)) == 0)


def _rational_zeros(expr: sp.Expr) -> Sequence[sp.Expr]:
    if not expr.is_polynomial(z) or expr.is_zero:
        return []
    return [root for root in sp.Poly(expr, z).real_roots() if root.is_Rational]


def _positive_beyond(family: Family) -> bool:
    """m'' > 0 on the whole line: the ratio m'''/m'' is enclosed on both half-lines, so m'' has no zero."""
    if family.domain != sp.S.Reals:
        return False
    for near in NEAR:
        if isinstance(_cover(family, Fraction(-near), Fraction(near), lambda jet: bool(jet[2] > 0), 3), Fraction):
            return False
        try:
            with precision(BITS):
                tails = [ratio_tail(family.log_partition, z, side, near) for side in (1, -1)]
        except NotEnclosed:
            continue
        if all(tail.values.is_finite() for tail in tails):
            return True
    return False


# --- small parts -----------------------------------------------------------------------------------------


def curvature_at(family: Family, point: Fraction) -> Ball | None:
    """m'' at an exact point as a ball, None where it has no finite enclosure."""
    try:
        with precision(BITS):
            value = 2 * jet_function(family.log_partition, z)(ball(point), 3)[2]
    except (NotEnclosed, ValueError, ZeroDivisionError):
        return None
    return value if value.is_finite() else None


def points_of(domain: sp.Interval) -> Iterator[Fraction]:
    """Rational points of the open domain, near 0 first, and near its finite ends."""
    low, high = domain.inf, domain.sup
    ends = [e for e in (low, high) if e.is_finite]
    anchors = [rational("end", sp.nsimplify(e.evalf(30), rational=True).limit_denominator(64)) for e in ends]
    for base, step in itertools.product([Fraction(0), *anchors], sorted(SAMPLES, key=abs)):
        point = base + step
        if low < number(point) and number(point) < high:
            yield point


def _cover(family: Family, left: Fraction, right: Fraction, good: Callable[[Jet], bool], length: int) -> int | Fraction:
    """The number of cells on which `good` holds of the enclosed jet, or a place where it fails."""
    jet = jet_function(family.log_partition, z)
    return _covered(lambda a, b: good(cell_jet(jet, a, b, length)), left, right)


def _covered(good: Callable[[Fraction, Fraction], bool], left: Fraction, right: Fraction) -> int | Fraction:
    """The number of cells on which `good` holds, or a place where it fails on every small one."""
    waiting, done = [(left, right)], 0
    with precision(BITS):
        while waiting:
            a, b = waiting.pop()
            if good(a, b):
                done += 1
                continue
            if done + len(waiting) > MAX_CELLS or b - a < (right - left) / 2**40:
                return (a + b) / 2
            waiting += [((a + b) / 2, b), (a, (a + b) / 2)]
    return done
