"""The rules by which exp(power m) is known to be the Laplace transform of a positive measure on an open interval.

A tree of rules derives a formula of one of two kinds:

    transform   f(z) = integral of e^{rz} over a positive measure
    exponent    psi(z) with e^{t psi} a transform for every t > 0: an infinitely divisible law

Transforms are closed under sums, products and power series without negative coefficients, and exponents under sums and
positive multiples; both are convex, so D = 1 - f and D = -psi are concave, which makes D > 0 decidable at the ends.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

from ..kernel.evaluate import ball, closed_sign, precision
from ..kernel.language import derivative
from ..kernel.ring import same
from ..kernel.terms import ONE, ZERO, Term, joined, require, spend, term
from .densities import is_density, spline, weight, weighted_gaussian, weighted_half_gaussian
from .interval import Interval, affine, ended, number_of, positive, read
from .series import Z, value
from .writing import opened

TRANSFORM, EXPONENT = "transform", "exponent"
HALF, PI = Fraction(1, 2), term("pi")
BITS = 128
ENTIRE = ("exp", "sin", "cos", "sinh", "cosh", "tanh", "atan", "asinh", "erf", "+", "*")
ENDED = (
    "tangent", "stable", "landau", "tangent-jumps", "cotangent-jumps", "cosh-time", "sinh-time",
    "log-convex-logarithmic", "log-convex-sibuya",
)  # fmt: skip
Terms = list[Term]


@dataclass(frozen=True)
class Rule:
    """`gives` a kind from `count` parts of the kind `takes` and so many `numbers`; None is any number of them."""

    gives: str
    makes: Callable[[Terms, Terms], Term]
    holds: Callable[[Terms, Terms, Interval], bool] = lambda p, f, where: True
    takes: str = TRANSFORM
    count: int | None = 0
    numbers: int | None = 0


def _log(x: Term) -> Term:
    return term("log", x)


def _whole(n: Term, least: int) -> bool:
    return n.value is not None and n.value.denominator == 1 and n.value >= least


def _proper(p: Term | Fraction | None) -> bool:
    value = p.value if isinstance(p, Term) else p
    return value is not None and 0 < value < 1


def _line(w: Term, where: Interval) -> bool:
    """Is w = a z + b > 0 on the interval?"""
    return affine(w) and where.positive_if_concave(w)


def _within(reach: Term) -> Callable[[Terms, Terms, Interval], bool]:
    """Is w = a z + b between -reach and reach on the interval?"""
    return lambda p, f, where: affine(p[0]) and all(where.positive_if_concave(reach + p[0] * side) for side in (1, -1))


def _below_one(p: Terms, f: Terms, where: Interval) -> bool:
    return where.positive_if_concave(-f[0] + 1)


def _negative(p: Terms, f: Terms, where: Interval) -> bool:
    return where.positive_if_concave(-f[0])


def _power_below_one(p: Terms, f: Terms, where: Interval) -> bool:
    return _proper(p[0]) and _below_one(p, f, where)


def _quadratic(p: Terms, f: Terms, where: Interval) -> bool:
    return not any(x.free for x in p) and closed_sign(p[0]) in (0, 1) and None not in map(closed_sign, p[1:])


def _polynomial(p: Terms) -> Term:
    """q z^2 + a z + b; what is written as 0 is left out, for 0 times infinity is no limit."""
    rows = [c * x for c, x in zip(p, (Z**2, Z, ONE), strict=True) if c is not ZERO]
    return joined("+", [ZERO, *rows])


def _two_ends(p: Terms, f: Terms, where: Interval) -> bool:
    constant = [not w.free and closed_sign(w) is not None for w in p]
    return all(affine(w) or fixed for w, fixed in zip(p, constant, strict=True)) and affine(p[1] - p[0])


def _thinned(p: Terms, f: Terms, where: Interval) -> bool:
    gaps = [-c + Fraction(1, factorial(k)) for k, c in enumerate(p)]
    return all(not gap.free and closed_sign(gap) in (0, 1) for gap in gaps)


def _curved(p: Terms, f: Terms, where: Interval) -> bool:
    return _analytic(p[0], where) and same(derivative(derivative(p[0], "z"), "z"), f[0])


def _analytic(psi: Term, where: Interval) -> bool:
    """Analytic on the interval, so that its formal derivative is its derivative: atan(1/z) jumps at 0."""
    spend(1)
    if psi is Z or "z" not in psi.free:
        return psi is Z or closed_sign(psi) is not None
    e = psi.args[1].value if psi.op == "**" else None
    if psi.op == "**":
        if e is not None and e.denominator == 1 and e >= 0:
            return _analytic(psi.args[0], where)
        return e is not None and _line(psi.args[0], where)
    if psi.op in ("log", "loggamma", "gamma"):
        return _line(psi.args[0], where)
    return psi.op in ENTIRE and all(_analytic(part, where) for part in psi.parts)


RULES: Mapping[str, Rule] = {
    "constant": Rule(TRANSFORM, lambda p, f: p[0], lambda p, f, where: positive(p[0]), numbers=1),
    "exponential": Rule(TRANSFORM, lambda p, f: term("exp", f[0]), takes=EXPONENT, count=1),
    "mixture": Rule(TRANSFORM, lambda p, f: joined("+", f), lambda p, f, where: bool(f), count=None),
    "product": Rule(TRANSFORM, lambda p, f: joined("*", f), lambda p, f, where: bool(f), count=None),
    "power": Rule(
        TRANSFORM, lambda p, f: term("**", f[0], p[0]), lambda p, f, where: _whole(p[0], 1), count=1, numbers=1
    ),
    "uniform": Rule(
        TRANSFORM, lambda p, f: (term("exp", p[1]) - term("exp", p[0])) * (p[1] - p[0]) ** -1, _two_ends, numbers=2
    ),
    # I_n(w)/w^n is, up to a positive constant, the integral of e^{rw} (1 - r^2)^{n - 1/2} over [-1, 1].
    "bessel": Rule(
        TRANSFORM,
        lambda p, f: term("besseli", p[0], p[1]) * p[1] ** -(p[0].value or 0),
        lambda p, f, where: _whole(p[0], 0) and affine(p[1]),
        numbers=2,
    ),
    "spline": Rule(TRANSFORM, lambda p, f: spline(p), lambda p, f, where: is_density(p, where), numbers=None),
    "weighted-gaussian": Rule(
        TRANSFORM, lambda p, f: weighted_gaussian(p), lambda p, f, where: weight(p, None), numbers=None
    ),
    "half-gaussian": Rule(
        TRANSFORM, lambda p, f: weighted_half_gaussian(p), lambda p, f, where: weight(p, Fraction(0)), numbers=None
    ),
    # log((d + D)/D) is the integral of e^{-sD} (1 - e^{-sd})/s over s > 0 (Frullani).
    "frullani": Rule(
        TRANSFORM,
        lambda p, f: _log(p[0] - f[0]) - _log(-f[0]),
        lambda p, f, where: positive(p[0]) and _negative(p, f, where),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    # From here on, power series with no negative coefficient.
    "thinned-poisson": Rule(
        TRANSFORM,
        lambda p, f: joined("+", [term("exp", f[0]), *(-c * f[0] ** k for k, c in enumerate(p))]),
        _thinned,
        count=1,
        numbers=None,
    ),
    "cosh-series": Rule(TRANSFORM, lambda p, f: term("cosh", f[0]), count=1),
    "sinh-series": Rule(TRANSFORM, lambda p, f: term("sinh", f[0]), count=1),
    "bessel-series": Rule(
        TRANSFORM,
        lambda p, f: term("besseli", p[0], f[0]),
        lambda p, f, where: _whole(p[0], 0),
        count=1,
        numbers=1,
    ),
    "logarithmic": Rule(TRANSFORM, lambda p, f: -_log(-f[0] + 1), _below_one, count=1),
    "sibuya": Rule(
        TRANSFORM, lambda p, f: -((-f[0] + 1) ** (p[0].value or 0)) + 1, _power_below_one, count=1, numbers=1
    ),
    # Exponents.
    "quadratic": Rule(EXPONENT, lambda p, f: _polynomial(p), _quadratic, numbers=3),
    "sum": Rule(EXPONENT, lambda p, f: joined("+", f), lambda p, f, where: bool(f), takes=EXPONENT, count=None),
    "multiple": Rule(
        EXPONENT, lambda p, f: p[0] * f[0], lambda p, f, where: positive(p[0]), takes=EXPONENT, count=1, numbers=1
    ),
    "jumps": Rule(EXPONENT, lambda p, f: f[0], count=1),
    # D^-t is the gamma mixture of e^{-sD} over s.
    "gamma": Rule(EXPONENT, lambda p, f: -_log(-f[0]), _negative, takes=EXPONENT, count=1),
    # e^{-t D^p} is a mixture of e^{-sD} over the positive stable law of index p.
    "stable-time": Rule(
        EXPONENT,
        lambda p, f: -((-f[0]) ** (p[0].value or 0)),
        lambda p, f, where: _proper(p[0]) and _negative(p, f, where),
        takes=EXPONENT,
        count=1,
        numbers=1,
    ),
    # Kolmogorov: psi'' the transform of rho makes psi a drift plus the integral of (e^{rz} - 1 - rz)/r^2 rho.
    "kolmogorov": Rule(EXPONENT, lambda p, f: p[0], _curved, count=1, numbers=1),
    "log-gamma": Rule(
        EXPONENT, lambda p, f: term("loggamma", p[0]), lambda p, f, where: _line(p[0], where), numbers=1
    ),
    "log-beta": Rule(
        EXPONENT,
        lambda p, f: term("loggamma", p[0]) - term("loggamma", p[0] + p[1]),
        lambda p, f, where: _line(p[0], where) and positive(p[1]),
        numbers=2,
    ),
    # 1/cos w and w/sin w are products of Laplace transforms 1/(1 - w^2/c_k^2).
    "secant": Rule(EXPONENT, lambda p, f: -_log(term("cos", p[0])), _within(PI * HALF), numbers=1),
    "logistic": Rule(EXPONENT, lambda p, f: _log(p[0] * term("sin", p[0]) ** -1), _within(PI), numbers=1),
}  # fmt: skip


def derived(tree: Mapping[str, Any], kind: str, where: Interval, depth: int = 0) -> Term:
    """The formula that the tree derives, each of its steps being valid on the interval; or `Rejected`."""
    spend(10)
    ended(tree["rule"] in ENDED, f"the rule {tree['rule']!r}")
    require(depth <= 60 and tree["rule"] in RULES, f"{str(tree['rule'])[:40]!r} is no rule, or stands too deep")
    name, rule, parts = tree["rule"], RULES[tree["rule"]], tree.get("parts", [])
    parameters = [read(text) for text in tree.get("parameters", [])]
    require(rule.gives == kind, f"{name} gives no {kind}")
    require(rule.count in (None, len(parts)) and rule.numbers in (None, len(parameters)), f"{name} takes other parts")
    below = [derived(part, rule.takes, where, depth + 1) for part in parts]
    require(rule.holds(parameters, below, where), f"{name} does not hold for {', '.join(map(str, parameters))} here")
    return rule.makes(parameters, below)


def transform(m: Term, where: Interval, power: Fraction, tree: Mapping[str, Any]) -> None:
    """Passes in silence if the tree derives exp(power m) on the interval; or raises `Rejected`."""
    require(power > 0, "a power is positive")
    has_values(m, where)
    found = derived(tree, TRANSFORM, where)
    while tree["rule"] == "power":  # f^n = exp(n u) for a positive f means f = exp(u)
        power, tree = power / number_of(tree["parameters"][0]), tree["parts"][0]
        found = derived(tree, TRANSFORM, where)
    # Roots of positive numbers are equal where the numbers are.
    ways = ((found**q, term("exp", m * (power * q))) for q in (1, 2, 3))
    if not any(same(*map(opened, way)) for way in ways):
        require(_is_power(m, where, power, tree), f"the tree derives {found}, not exp of {m * power}")


def _is_power(m: Term, where: Interval, power: Fraction, tree: Mapping[str, Any]) -> bool:
    """exp(power psi) is exp(power m) where exp(psi) is exp(m): the logarithms of positive numbers are equal."""
    part = tree["parts"][0] if tree["rule"] == "exponential" else {}
    if part.get("rule") != "multiple" or read(part["parameters"][0]).value != power:
        return False
    return same(opened(term("exp", derived(part["parts"][0], EXPONENT, where))), opened(term("exp", m)))


def has_values(m: Term, where: Interval) -> None:
    """m is a real number at a point of the interval: about one that never is, an identity says nothing."""
    point = where.inside()
    with precision(BITS):
        require(value(m, ball(point)).is_finite(), f"m has no value at {point}")


def infinitely_divisible(tree: Mapping[str, Any]) -> bool:
    """Does the derivation give every positive power at once?"""
    if tree["rule"] in ("product", "power"):
        return all(infinitely_divisible(part) for part in tree["parts"])
    return tree["rule"] in ("constant", "exponential")
