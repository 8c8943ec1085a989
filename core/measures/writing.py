"""One way to write what the normal forms of the kernel take for different: equal wherever both have a value."""

from fractions import Fraction
from math import factorial, prod

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
    if t.op == "+":
        return joined("+", t.args)
    if t.op == "*":
        return _product(joined("*", t.args))
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


def _product(t: Term) -> Term:
    """Roots of one number in a product are one power of it."""
    powers, rest = dict[Term, Fraction](), list[Term]()
    for a in t.args if t.op == "*" else (t,):
        e = a.args[1].value if a.op == "**" and a.args[0].value and a.args[0].value > 0 else None
        if e is None:
            rest.append(a)
        else:
            powers[a.args[0]] = powers.get(a.args[0], Fraction(0)) + e
    if len(powers) + len(rest) == len(t.args) or not powers:
        return t
    return joined("*", [*rest, *(_power(n, e) for n, e in powers.items() if e)])


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
    """Of an exponential, of constants in parts, and of the size of a product or a sum before the rest."""
    first = u.args[0] if u.op in ("exp", "*", "**") else u
    x, (size, rest) = u.value, _parted(u)
    if x is not None and x > 0:
        return joined("+", [term("log", number(p)) * k for p, k in _factors(x)])
    if u.op == "*" and not u.free and all(closed_sign(a) == 1 for a in u.args):
        return joined("+", [_logarithm(a) for a in u.args])
    if u.op == "**" and not u.free and u.args[1].value is not None and closed_sign(first) == 1:
        return joined("*", [u.args[1], _logarithm(first)])
    if x is None and size != 1:
        return joined("+", [_logarithm(number(size)), term("log", rest)])
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
    """A fractional power with the size of its base taken out, and exact roots of numbers."""
    factor, rest = _parted(base)
    if base.value == 0 or rest.value == -1:
        return base**e
    if factor == 1:
        return rest**e
    size, share = _power(number(factor), Fraction(e.numerator)), Fraction(1, e.denominator)
    outside = size**share if size.value is None else _surd(size.value, e.denominator)
    return outside if rest.value == 1 else outside * rest**e


def _surd(x: Fraction, order: int) -> Term:
    """The root of a positive number: a number before roots of different whole ones, none of which has such a factor."""
    rational_part, roots = Fraction(1), list[Term]()
    for p, k in _factors(x):
        whole, rest = divmod(k, order)
        rational_part *= Fraction(p) ** whole
        exact = rational(number(p) ** Fraction(rest, order)) if rest else Fraction(1)
        rational_part *= exact or 1
        roots += [] if exact is not None else [number(p) ** Fraction(rest, order)]
    return joined("*", [number(rational_part), *roots])


def _factors(x: Fraction) -> list[tuple[int, int]]:
    """Small primes with their powers, and what is left of numerator and denominator."""
    found = []
    for n, side in ((x.numerator, 1), (x.denominator, -1)):
        for p in range(2, LARGEST):
            power = 0
            while n % p == 0:
                n, power = n // p, power + 1
            found += [(p, side * power)] if power else []
        found += [(n, side)] if n > 1 else []
    return found


def _parted(u: Term) -> tuple[Fraction, Term]:
    """A positive number and the rest of which u is the product: of a sum the size of the number in it is taken out."""
    if u.value:
        return abs(u.value), number(1 if u.value > 0 else -1)
    if u.op == "+" and not u.free and (x := rational(u)):
        return _parted(number(x))
    if u.op == "*":
        sizes, rests = zip(*map(_parted, u.args), strict=True)
        return prod(sizes, start=Fraction(1)), joined("*", rests)
    size = next((abs(a.value) for a in u.args if a.value), Fraction(1)) if u.op == "+" else Fraction(1)
    return size, u if size == 1 else joined("+", [a * (1 / size) for a in u.args])


def _sign(u: Term) -> int:
    """-1 if the number before the first term is negative."""
    first = u.args[0] if u.op == "+" else u
    factor = first.args[0] if first.op == "*" else first
    return -1 if factor.value is not None and factor.value < 0 else 1
