"""One way to write what the normal forms of the kernel take for different: equal wherever both have a value."""

from fractions import Fraction
from math import factorial

from ..kernel.evaluate import closed_sign
from ..kernel.ring import rational
from ..kernel.terms import Term, joined, number, spend, term

ODD = ("erf", "atan", "asinh", "sin", "tan")
HALF, LARGEST = Fraction(1, 2), 200


def opened(t: Term, known: dict[Term, Term] | None = None) -> Term:
    """Whole powers of products and of roots multiplied out, odd functions of positive multiples, few functions."""
    spend(1)
    known = {} if known is None else known
    if t not in known:
        known[t] = _written(t.rebuilt(lambda part: opened(part, known)))
    return known[t]


def _written(t: Term) -> Term:
    if t.op == "**" and t.args[1].value is not None:
        return _power(t.args[0], t.args[1].value)
    if t.op in ("+", "*"):
        return joined(t.op, t.args)
    u: Term = t.args[-1] if t.parts else t
    if t.op in ("sin", "cos") and (u.op == "atan" or (u.op == "+" and _phase(u)[1].op == "atan")):
        return _turned(t.op, u)
    if t.op in ODD and _sign(u) < 0:
        return -term(t.op, -u)
    if t.op == "cos" and _sign(u) < 0:
        return term("cos", -u)
    if t.op == "gamma":  # where log gamma has a value: of positive numbers
        return term("exp", term("loggamma", u))
    if t.op == "log":
        return _logarithm(u)
    if t.op == "loggamma" and not u.free and (x := rational(u)) is not None:
        return _log_gamma(x)
    if t.op == "atanh":
        return (term("log", u + 1) - term("log", -u + 1)) * HALF
    if t.op in ("asinh", "acosh"):
        return term("log", u + (u**2 + (1 if t.op == "asinh" else -1)) ** HALF)
    return t


def _phase(u: Term) -> tuple[int, Term, Term]:
    """The sign and the size of the constant in a sum, and the rest of it."""
    fixed = joined("+", [a for a in u.args if not a.free])
    side = _sign(fixed)
    return side, fixed if side > 0 else -fixed, joined("+", [a for a in u.args if a.free])


def _turned(wave: str, u: Term) -> Term:
    """The sine or cosine of atan x, or of v + atan x or v - atan x, without the angle."""
    if u.op == "atan":
        x = rational(u.args[0])
        a, b = (u.args[0], 1) if x is None else (number(x.numerator), x.denominator)
        return _power(opened(a**2 + b**2), -HALF) * (a if wave == "sin" else b)
    side, angle, v = _phase(u)
    s, c = _written(term("sin", v)), _written(term("cos", v))
    p, q = _turned("sin", angle) * side, _turned("cos", angle)
    return s * q + c * p if wave == "sin" else c * q - s * p


def _logarithm(u: Term) -> Term:
    """Of an exponential, of constants in parts, and of a number before the rest."""
    first = u.args[0] if u.op in ("exp", "*", "**") else u
    x, size = u.value, abs(first.value or 1)
    if x is not None and x > 0 and x.denominator > 1:
        return term("log", number(x.numerator)) - term("log", number(x.denominator))
    if u.op == "*" and not u.free and all(closed_sign(a) == 1 for a in u.args):
        return joined("+", [_logarithm(a) for a in u.args])
    if u.op == "**" and not u.free and u.args[1].value is not None and closed_sign(first) == 1:
        return joined("*", [u.args[1], _logarithm(first)])
    if u.op == "*" and size != 1:
        return joined("+", [_logarithm(number(size)), term("log", u * (1 / size))])
    return first if u.op == "exp" else term("log", u)


def _log_gamma(x: Fraction) -> Term:
    """log gamma of small whole numbers and halves in closed form."""
    if x.denominator > 2 or not 0 < x <= LARGEST:
        return term("loggamma", number(x))
    n = int(x)
    if x.denominator == 1:
        return term("log", number(factorial(n - 1)))
    scale = number(Fraction(factorial(2 * n), 4**n * factorial(n)))  # gamma(n + 1/2) over the root of pi
    return term("log", scale) + term("log", term("pi")) * HALF


def _power(base: Term, e: Fraction) -> Term:
    if e.denominator > 1:
        return _root(base, e)
    if base.value and abs(e) <= LARGEST:
        return number(base.value**e.numerator)
    if abs(e) < 2:
        return base**e
    if base.op == "*":
        return joined("*", [_power(a, e) for a in base.args])
    below: Term = base.args[0] if base.op == "**" else base
    inner = base.args[1].value if base.op == "**" else None
    if inner is not None and "z" not in base.free and closed_sign(below) in (0, 1):
        whole: Term = below ** (inner * e)
        return whole
    return base**e


def _root(base: Term, e: Fraction) -> Term:
    """A fractional power with the size of the number before its base taken out, and exact roots of numbers."""
    factor, rest = (base.args[0].value, base.args[1:]) if base.op == "*" else (base.value, ())
    if factor is None or factor == 0 or (not rest and factor < 0):
        return base**e
    size, share = _power(number(abs(factor)), Fraction(e.numerator)), Fraction(1, e.denominator)
    exact, whole = rational(size**share), size.value or Fraction(0)
    outside = number(exact) if exact is not None else size**share
    if exact is None and whole.denominator > 1:  # as the exponential of a logarithm comes out
        p, q = number(whole.numerator), number(whole.denominator)
        outside = p**share * q ** (1 - share) * q**-1
    return outside * joined("*", [number(1 if factor > 0 else -1), *rest]) ** e if rest else outside


def _sign(u: Term) -> int:
    """-1 if the number before the first term is negative."""
    first = u.args[0] if u.op == "+" else u
    factor = first.args[0] if first.op == "*" else first
    return -1 if factor.value is not None and factor.value < 0 else 1
