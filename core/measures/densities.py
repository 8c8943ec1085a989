"""Rules that name a density: piecewise polynomial on a line cut at knots, or a polynomial times a Gaussian.

Spline (w, a, k, c, a, k, c, ...): the sum of c e^{aw} / w^k.  For w < 0 the integral of e^{rw} (r - a)^{k-1} / (k-1)!
over r > a is e^{aw} (-w)^{-k}, so the density is the sum of c (-1)^k (r - a)^{k-1} / (k-1)! over the a below r; k = 0
is a point mass.  If the density vanishes beyond the last knot, both sides are analytic and agree for every w.

Gaussian (q, w, c_0, c_1, ...): the k-th derivative in w of e^{qw^2} stands for r^k e^{-r^2/(4q)} on the line, and that
of e^{qw^2} (1 + erf(sqrt(q) w)) for it on r > 0, up to one positive constant.
"""

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from ..kernel.language import derivative
from ..kernel.terms import ONE, Term, joined, number, require, substitute, term, variable
from .interval import Interval, affine, positive

LARGEST_ORDER = 40
Polynomial = list[Fraction]  # constant first, no zero at the end
Knot = tuple[Fraction, int, Fraction]


def rational(t: Term) -> Fraction:
    require(t.value is not None, f"{t} is not a written number")
    return t.value or Fraction(0)


# --- polynomials of one variable ---------------------------------------------------------------------------


def _trimmed(p: Polynomial) -> Polynomial:
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def _value(p: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    p = list(p)
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        p = _trimmed([c - factor * q[i - shift] if i >= shift else c for i, c in enumerate(p)][:-1])
    return p


def _quotient(p: Polynomial, q: Polynomial) -> Polynomial:
    found, p = [Fraction(0)] * (len(p) - len(q) + 1), list(p)
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        found[shift] = factor
        p = _trimmed([c - factor * q[i - shift] if i >= shift else c for i, c in enumerate(p)][:-1])
    return found


def _common(p: Polynomial, q: Polynomial) -> Polynomial:
    while q:
        p, q = q, _remainder(p, q)
    return [c / p[-1] for c in p]


def _slope(p: Polynomial) -> Polynomial:
    return [k * c for k, c in enumerate(p)][1:]


def _changes(chain: list[Polynomial], at: Fraction | None, side: int) -> int:
    """Sign changes of Sturm's chain at a number, or at an infinite end."""
    values = [p[-1] * side ** (len(p) - 1) if at is None else _value(p, at) for p in chain]
    signs = [v > 0 for v in values if v]
    return sum(a != b for a, b in pairwise(signs))


def _inside(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def nonnegative(p: Polynomial, low: Fraction | None, high: Fraction | None) -> bool:
    """Is the polynomial >= 0 on the open interval?  Its zeros of odd order are counted by Sturm's theorem."""
    p = _trimmed(p)
    if not p:
        return True
    middle = _inside(low, high)
    simple = _odd_part(p)
    for end in {end for end in (low, high) if end is not None}:  # a zero at an end is not inside
        while len(simple) > 1 and _value(simple, end) == 0:
            simple = _quotient(simple, [-end, Fraction(1)])
    chain = [simple, _slope(simple)]
    while chain[-1]:
        chain.append([-c for c in _remainder(chain[-2], chain[-1])])
    chain.pop()
    return _changes(chain, low, -1) == _changes(chain, high, 1) and _value(p, _off_zeros(p, middle, high)) > 0


def _odd_part(p: Polynomial) -> Polynomial:
    """The product of the factors of odd multiplicity, by Yun's algorithm."""
    shared = _common(p, _slope(p)) if len(p) > 1 else [Fraction(1)]
    rest, odd, order = _quotient(p, shared), [Fraction(1)], 1
    while len(rest) > 1:
        common = _common(rest, shared)
        factor = _quotient(rest, common)
        if order % 2:
            odd = _product(odd, factor)
        rest, shared, order = common, _quotient(shared, common), order + 1
    return odd


def _product(p: Polynomial, q: Polynomial) -> Polynomial:
    found = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] += a * b
    return found


def _off_zeros(p: Polynomial, x: Fraction, high: Fraction | None) -> Fraction:
    """A point of the interval near x where p does not vanish."""
    step = Fraction(1, 2) if high is None else (high - x) / 2
    while _value(p, x) == 0:
        x, step = x + step, step / 2
    return x


# --- splines -----------------------------------------------------------------------------------------------


def _knots(p: list[Term]) -> list[Knot]:
    require(len(p) >= 4 and len(p) % 3 == 1, "a spline has a variable and knots of three numbers")
    rows = [(rational(a), rational(k), rational(c)) for a, k, c in zip(p[1::3], p[2::3], p[3::3], strict=True)]
    require(all(k.denominator == 1 and 0 <= k <= LARGEST_ORDER for _, k, _ in rows), "orders are whole numbers")
    return [(a, int(k), c) for a, k, c in rows]


def spline(p: list[Term]) -> Term:
    w = p[0]
    rows = [joined("*", [number(c), term("exp", w * a), w**-k if k else ONE]) for a, k, c in _knots(p)]
    return joined("+", rows)


def is_density(p: list[Term], where: Interval) -> bool:
    """Point masses and density are nowhere negative, and integrate to what the formula says."""
    knots = _knots(p)
    places = sorted({a for a, _, _ in knots})
    if not affine(p[0]) or any(sum(c for a, k, c in knots if a == x and k == 0) < 0 for x in places):
        return False
    pieces = [(low, high, _density(knots, low)) for low, high in pairwise([*places, None]) if low is not None]
    if not all(nonnegative(density, low, high) for low, high, density in pieces):
        return False
    return not pieces[-1][2] or where.positive_if_concave(-p[0])


def _density(knots: list[Knot], low: Fraction) -> Polynomial:
    """The density just above the knot, up to the next one."""
    found = [Fraction(0)] * LARGEST_ORDER
    for a, k, c in knots:
        for j in range(k if a <= low else 0):
            found[j] += c * (-1) ** k * comb(k - 1, j) * (-a) ** (k - 1 - j) / factorial(k - 1)
    return _trimmed(found)


# --- Gaussians ---------------------------------------------------------------------------------------------


def weighted_gaussian(p: list[Term]) -> Term:
    x = variable("x")
    return _derived(term("exp", p[0] * x**2), p)


def weighted_half_gaussian(p: list[Term]) -> Term:
    x = variable("x")
    return _derived(term("exp", p[0] * x**2) * (term("erf", p[0] ** Fraction(1, 2) * x) + 1), p)


def _derived(f: Term, p: list[Term]) -> Term:
    """The sum of c_k times the k-th derivative of f in x, at x = w."""
    rows = []
    for c in p[2:]:
        rows.append(f * c)
        f = derivative(f, "x")
    return substitute(joined("+", rows), {"x": p[1]})


def weight(p: list[Term], low: Fraction | None) -> bool:
    """Is the polynomial weight nowhere negative, and somewhere positive, above low?"""
    if not 3 <= len(p) <= 2 + LARGEST_ORDER // 2 or not positive(p[0]) or not affine(p[1]):
        return False
    c = _trimmed([rational(x) for x in p[2:]])
    return bool(c) and nonnegative(c, low, None)
