"""Replays a ladder: a certificate that f >= 0 (or > 0) on an interval, one rung at a time.

Each rung turns the claim about f into one about the next expression, down to one whose sign is
evident.  Nothing is taken from the search on trust: every expression is read from text, every
derivative and product recomputed and compared, every sign evaluated again.

Rules, for a claim about f on the open interval (low, high):
  evident       f is positive by its form
  times         then = factor * f, with a positive factor
  left, right   f >= 0 at the low end and then = f' ; f >= 0 at the high end and then = -f'
  exponentiate  f = sum of c_i log(u_i) with whole c_i; then = prod_(c>0) u^c - prod_(c<0) u^(-c)
  split         f >= 0 at a point, and a ladder on each side of it
  reciprocal    then = f(1/x), on (1/high, 1/low), where low >= 0; the end at oo becomes an end at 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.expression import parse, parse_relation
from glbcheck.verify.provers.ring import NotReadable, is_zero
from glbcheck.verify.provers.signs import Interval, Unknown, defined, evident, sign_at

Rung = Mapping[str, Any]


class Rejected(ValueError):
    """The certificate does not prove its claim; the message names the rung."""


def check(certificate: Mapping[str, Any]) -> None:
    """Accept the certificate in silence, or raise `Rejected`."""
    try:
        x = sp.Symbol(certificate["variable"], real=True)
        low = Fraction(certificate["low"])
        high = None if certificate["high"] == "oo" else Fraction(certificate["high"])
        on = Interval(x, low, high)
        for lemma in certificate.get("lemmas", ()):
            known = read(lemma["f"], on)
            climb(known, lemma["rungs"], on, strict=True)
            on = replace(on, known=(*on.known, known))
        f, claim = read(certificate["f"], on), certificate["claim"]
        gap, strict = difference(claim, x)
        require(defined(gap, on) and is_zero(gap - f), f"{f} is not the difference of the sides of {claim}")
        climb(f, certificate["rungs"], on, strict)
        for end in [low] * certificate["closed_low"] + [high] * certificate["closed_high"]:
            require(sign_at(gap, x, end) >= int(strict), f"the sign of {f} at the end {end}")
    except (Unknown, NotReadable, LookupError, TypeError) as error:
        raise Rejected(f"not replayable: {error}") from error


def difference(claim: str, x: sp.Symbol) -> tuple[sp.Expr, bool]:
    """Larger side minus smaller side, exactly as written, and whether the inequality is strict."""
    r = parse_relation(claim, {x.name: x}, evaluate=False)
    above, below = {">": r.args, ">=": r.args, "<": r.args[::-1], "<=": r.args[::-1]}[r.rel_op]
    return sp.Add(above, sp.Mul(-1, below, evaluate=False), evaluate=False), r.rel_op in ("<", ">")


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


def read(text: str, on: Interval) -> sp.Expr:
    """An expression of the certificate, which must be smooth on the whole open interval."""
    f = parse(text, {on.x.name: on.x})
    require(defined(f, on), f"{f} is not seen to be defined on the whole interval")
    return f


def climb(f: sp.Expr, rungs: Sequence[Rung], on: Interval, strict: bool) -> None:
    """f >= 0 on the open interval, or f > 0 if strict."""
    rung, rest, rule = rungs[0], rungs[1:], rungs[0]["rule"]
    if rule == "evident":
        return require(evident(f, on, strict), f"{f} has no evident sign")
    if rule == "split":
        return split(f, rung, on, strict)
    if rule == "reciprocal":
        require(on.low >= 0, "the reciprocal of an interval across 0")
        low = Fraction(0) if on.high is None else 1 / on.high
        turned = Interval(on.x, low, 1 / on.low if on.low else None)
        then = read(rung["then"], turned)
        require(is_zero(f.subs(on.x, 1 / on.x) - then), f"{then} is not {f} at 1/{on.x}")
        return climb(then, rest, turned, strict)
    then = read(rung["then"], on)
    if rule == "times":
        factor = read(rung["factor"], on)
        require(evident(factor, on, strict=True), f"the factor {factor} is not evidently positive")
        require(is_zero(factor * f - then), f"{then} is not {factor} times {f}")
        climb(then, rest, on, strict)
    elif rule in ("left", "right"):
        at_end = sign_at(f, on.x, on.low if rule == "left" else on.high)
        require(at_end >= 0, f"{f} is negative at the {rule} end")
        slope = sp.diff(f, on.x) if rule == "left" else -sp.diff(f, on.x)
        require(is_zero(slope - then), f"{then} is not the {rule} slope of {f}")
        climb(then, rest, on, strict and at_end == 0)  # a positive start needs no strict slope
    elif rule == "exponentiate":
        terms = [(int(c), read(u, on)) for c, u in rung["terms"]]
        require(all(evident(u, on, strict=True) for _, u in terms), "logarithms of positive things only")
        require(is_zero(sp.Add(*(c * sp.log(u) for c, u in terms)) - f), f"{f} is not that sum of logarithms")
        above = sp.Mul(*(u**c for c, u in terms if c > 0))
        below = sp.Mul(*(u**-c for c, u in terms if c < 0))
        require(is_zero(above - below - then), f"{then} is not {above} - {below}")
        climb(then, rest, on, strict)
    else:
        raise Rejected(f"unknown rule {rule!r}")


def split(f: sp.Expr, rung: Rung, on: Interval, strict: bool) -> None:
    at = Fraction(rung["at"])
    require(on.low < at and (on.high is None or at < on.high), f"{at} does not split the interval")
    require(sign_at(f, on.x, at) >= int(strict), f"the sign of {f} at {at}")
    climb(f, rung["below"], replace(on, high=at), strict)
    climb(f, rung["above"], replace(on, low=at), strict)
