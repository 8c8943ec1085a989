"""Supports that the mean and the variance of m, or its period, exclude."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from flint import acb, arb

from ..kernel.evaluate import ball, precision
from ..kernel.ring import same
from ..kernel.terms import Term, require, term
from .continuation import Continuation, single_valued
from .interval import Interval, number_of, read
from .series import Z, coefficients, evaluate_exactly
from .writing import opened

BITS = 128


def fits(m: Term, where: Interval, g: Fraction, support: list[Any], data: Mapping[str, Any]) -> str:
    """The sentence that speaks against the support; or `Rejected`."""
    low, high, step = support
    if data["rule"] == "period":
        require(step is None and low != high, "a lattice has a period")
        period = _period(m)
        return f"|exp(m)| has the period 2 pi i/{period}, so rewards lie on a lattice, and no density on an interval"
    at = number_of(data["z"])
    require(where.holds(at), f"{at} is not inside the domain")
    with precision(BITS):
        if data["rule"] == "turn":
            return _turned(m, g, at, number_of(step), read(data["form"]))
        require(data["rule"] == "moments", f"{str(data['rule'])[:40]!r} is no rule")
        here, mean, half = coefficients(m, ball(at), 3)
        require(here.is_finite(), f"m has no value at {at}")
        ends = [None if text in ("-oo", "oo") else ball(number_of(text)) for text in (low, high)]
        if (ends[0] is not None and mean < ends[0]) or (ends[1] is not None and mean > ends[1]):
            return f"the mean m'({at}) lies outside [{low}, {high}]"
        require(None not in ends, "the mean lies inside")
        excess = 2 * half * ball(g) - (mean - ends[0]) * (ends[1] - mean)
        two = step is not None and number_of(step) == number_of(high) - number_of(low)
        require(excess > 0 or (two and excess < 0), "such a law is possible")
        return f"no law between {low} and {high} has the mean and variance of m at z = {at}"


def _turned(m: Term, g: Fraction, at: Fraction, step: Fraction, form: Term) -> str:
    """On a lattice of step h, |exp(m/g)| has the period 2 pi i g/h, and |exp(m)| with it."""
    require(step > 0 and same(opened(form), opened(term("exp", m))), "the form is not seen to be exp(m)")
    M = Continuation(form)
    require(M.single, "the form may have several values")
    height = ball(2 * g / step) * arb.pi()
    here, there = (abs(M.at(acb(ball(at), t))) for t in (ball(0), height))
    require(here.is_finite() and there.is_finite() and not here.overlaps(there), "the modulus is not seen to change")
    return f"|exp(m)| changes at z = {at} along the period that a lattice of step {step} gives it"


def _period(m: Term) -> Fraction:
    """A k with 2 pi i/k a period of |exp(m)|, m a sum of c log(u) and v: no branches inside, z in e^{az + b} only."""
    speeds, waiting = list[Fraction](), [_modulus(t) for t in (m.args if m.op == "+" else (m,))]
    while waiting:
        t = waiting.pop()
        if "z" not in t.free:
            continue
        require(t is not Z, "z stands outside exponentials")
        require(single_valued(t), "exp(m) may have several values")
        if t.op in ("exp", "cosh", "sinh", "tanh") and (speed := _speed(t.args[0])) is not None:
            speeds.append(speed)
        else:
            waiting += t.parts
    require(any(speeds), "m is a constant")
    return Fraction(gcd(*(s.numerator for s in speeds)), lcm(*(s.denominator for s in speeds)))


def _modulus(t: Term) -> Term:
    """The u of a constant times log(u), for |exp(c log u)| = |u|^c; else t."""
    factors = [a for a in (t.args if t.op == "*" else (t,)) if "z" in a.free]
    return factors[0].args[0] if len(factors) == 1 and factors[0].op == "log" else t


def _speed(u: Term) -> Fraction | None:
    """The a of u = a z + b, both written numbers."""
    start, end, far = (evaluate_exactly(u, x) for x in (0, 1, 2))
    if start is None or end is None or far is None or far - end != end - start:
        return None
    return end - start
