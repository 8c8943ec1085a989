"""Exact points that speak against a formula: where m has no real value, or a derivative of it jumps."""

from fractions import Fraction

from ..kernel.evaluate import ball, closed_sign, precision
from ..kernel.language import derivative
from ..kernel.terms import Term, joined, number, require, substitute, subterms
from .series import coefficients, value

BITS, HIGHEST = 256, 3


def undefined(m: Term, z: Fraction) -> None:
    """Some part of m certainly has no real value at z, and m none either; or `Rejected`."""
    parts = subterms(substitute(m, {"z": number(z)}), outer=True)
    require(any(_has_no_value(t) for t in parts), f"m is not seen to be undefined at z = {z}")


def _has_no_value(t: Term) -> bool:
    """log of what is not positive, a fractional power of a negative number, a number other than 0 over 0, and so on."""
    u = t.args[-1] if t.parts else t
    if t.op == "*":  # 0/0 may be removable, and does not count
        below = [a for a in t.args if a.op == "**" and (a.args[1].value or 0) < 0]
        above = [a for a in t.args if a not in below]
        zero = any(closed_sign(a.args[0]) == 0 for a in below)
        return zero and all(closed_sign(a) in (-1, 1) for a in above)
    if t.op == "**" and t.args[1].value is not None:
        e, sign = t.args[1].value, closed_sign(t.args[0])
        return e.denominator > 1 and sign == -1
    if t.op == "log":
        return closed_sign(u) in (-1, 0)
    if t.op in ("gamma", "loggamma"):
        return u.value is not None and u.value <= 0 and u.value.denominator == 1
    if t.op in ("asin", "acos"):
        return closed_sign(u**2 - 1) == 1
    if t.op == "atanh":
        return closed_sign(u**2 - 1) in (0, 1)
    return t.op == "acosh" and closed_sign(u - 1) == -1


def kink(m: Term, z: Fraction, order: int) -> None:
    """The derivative of this order, at most 3, has different limits from the left and from the right at z."""
    require(type(order) is int and 0 <= order <= HIGHEST, "m, or one of its first three derivatives")
    with precision(BITS):
        left, right = (coefficients(one_side(m, z, side), ball(z), order + 1) for side in (-1, 1))
        require(all(c.is_finite() for c in (*left, *right)), f"m has no derivatives beside z = {z}")
        gap = left[order] - right[order]
        require(gap > 0 or gap < 0, f"derivative number {order} is not seen to jump at z = {z}")


def one_side(t: Term, z: Fraction, side: int) -> Term:
    """t beside z, with |u|, min and max replaced by what they are there."""
    if t.op == "abs":
        u = one_side(t.args[0], z, side)
        return u * _sign_beside(u, z, side)
    if t.op in ("min", "max"):
        best, *others = (one_side(a, z, side) for a in t.args)
        for other in others:
            above = _sign_beside(best - other, z, side) > 0
            best = best if above == (t.op == "max") else other
        return best
    return (
        joined(t.op, [one_side(a, z, side) for a in t.args])
        if t.op in ("+", "*")
        else t.rebuilt(lambda part: one_side(part, z, side))
    )


def _sign_beside(u: Term, z: Fraction, side: int) -> int:
    """The sign of an analytic u just left or right of z: that of its first derivative that does not vanish at z."""
    sign = 1
    for _ in range(4):
        found = closed_sign(substitute(u, {"z": number(z)}))
        require(found is not None, f"the sign of {u} beside z = {z} is not seen")
        if found:
            return sign * int(found or 0)
        u, sign = derivative(u, "z"), sign * side
    require(False, f"the sign of {u} beside z = {z} is not seen")
    return 0


def vanishes(m: Term, z: Fraction) -> None:
    """m has a value at z, and m'' is exactly 0 there; or `Rejected`."""
    with precision(BITS):
        require(value(m, ball(z)).is_finite(), f"m has no value at z = {z}")
    second = substitute(derivative(derivative(m, "z"), "z"), {"z": number(z)})
    require(closed_sign(second) == 0, f"m'' is not seen to be 0 at z = {z}")
