"""Integrals enclosed with certainty: balls on the bounded part, a proved bound beyond it.

Integrands are SymPy expressions in one real variable.  An integrable singularity at an end is removed
by a change of variable before integrating (`unfold_power`, `unfold_log`), never by moving the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import Ball, acb, arb, ball, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, Relation, bounds, check_relation, decide, number, rational
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.provers.holomorphic import Holomorphic, holomorphic
from glbcheck.verify.provers.outcome import judge
from glbcheck.verify.provers.tails import Beyond, tail_bound

PRECISIONS = (64, 128, 256)


@dataclass(frozen=True)
class Integral:
    """∫ f dx from `lower` to `upper`, each an exact number or a `Beyond` (then the range is unbounded)."""

    f: sp.Expr
    x: sp.Symbol
    lower: Exact | Beyond
    upper: Exact | Beyond


def integral_compare(integral: Integral, relation: Relation, rhs: Any) -> Evidence:
    """Decide `integral relation rhs`, where rhs is an exact number or a closed SymPy expression."""
    check_relation(relation)
    if not isinstance(rhs, sp.Expr) or rhs.atoms(sp.Float):
        rational("rhs", rhs)
    evidence = Evidence(Verdict.UNDECIDED, "exact", "no finite enclosure of the integral was found")
    for bits in PRECISIONS:
        with precision(bits):
            found = enclose_integral(integral)
            if found is None:
                continue
            value, reasons = found
            lower, upper = bounds(value - ball(rhs))
        facts = {
            "integral": value.str(25),
            "integrand": str(integral.f),
            "bits": bits,
            "tails": reasons,
            "against": str(rhs),
        }
        evidence = judge(
            lower,
            upper,
            relation,
            Fraction(0),
            prover="exact",
            what=f"the integral minus {rhs}",
            certificate=facts,
            positive=Verdict.CERTIFIED,
        )
        if decide(lower, upper, relation, Fraction(0)) is not None:
            break
    return evidence


def expectation_compare(
    density: sp.Expr,
    g: sp.Expr,
    x: sp.Symbol,
    support: tuple[Exact | Beyond, Exact | Beyond],
    relation: Relation,
    rhs: Any,
) -> Evidence:
    """Decide `E[g(X)] relation rhs` for X with this density, which must integrate to one."""
    with precision(PRECISIONS[0]):
        mass = enclose_integral(Integral(density, x, *support))
    if mass is None or not mass[0].contains(1):
        raise BadInput(
            "density", str(density), f"total mass one, found {'nothing' if mass is None else mass[0]}"
        )
    evidence = integral_compare(Integral(g * density, x, *support), relation, rhs)
    return replace(evidence, certificate={**evidence.certificate, "mass of the density": mass[0].str(10)})


def enclose_integral(integral: Integral) -> tuple[Ball, list[dict[str, Any]]] | None:
    """A ball around the integral and the reasons behind its tails, or None if there is no finite one."""
    f, x = integral.f, integral.x
    compiled = holomorphic(f, x)
    ends, rest, reasons = [], Fraction(0), []
    for end, sign in ((integral.lower, -1), (integral.upper, 1)):
        if not isinstance(end, Beyond):
            ends.append(rational("end", end))
            continue
        ends.append(rational("tail.cut", end.cut))
        # A tail on the left is the tail on the right of the reflected integrand.
        outward = f if sign == 1 else f.subs(x, -x)
        beyond = Beyond(sign * ends[-1], end.scale, end.rate, end.prove)
        bound = tail_bound(outward, x, beyond)
        if bound is None:
            return None
        rest += bound.size
        reasons += bound.reason
    if ends[0] > ends[1]:
        raise BadInput("lower", str(ends[0]), f"at most the upper end {ends[1]}")
    inner, real = _integrate(compiled, acb(ball(ends[0])), acb(ball(ends[1])))
    if not real:
        raise BadInput("f", str(f), "an integrand that is real between the ends")
    if not inner.is_finite():
        return None
    return inner.real + arb(-1).union(arb(1)) * ball(rest), reasons


def _integrate(f: Holomorphic, left: acb, right: acb) -> tuple[acb, bool]:
    """The integral, and whether f looked real wherever it was evaluated on the real line."""
    complex_values: list[acb] = []

    def watched(z: acb, analytic: bool) -> acb:
        value = f(z, analytic)
        if z.imag.is_zero() and value.is_finite() and not value.imag.contains(0):
            complex_values.append(value)
        return value

    return acb.integral(watched, left, right), not complex_values


def unfold_power(g: sp.Expr, x: sp.Symbol, end: Exact, far: Exact, power: Exact) -> Integral:
    """∫ |x - end|^power g(x) dx between end and far, with power > -1, as an integral without singularity.

    With power = p/q and x = end + (far - end)·u^q the new integrand is u^(p+q-1) times smooth: for
    a smooth g the enclosure exists however strong the (integrable) singularity was.
    """
    a, b, s = rational("end", end), rational("far", far), rational("power", power)
    if s <= -1:
        raise BadInput("power", str(s), "greater than -1, or the integral diverges")
    p, q = s.numerator, s.denominator
    length = abs(b - a)
    moved = g.subs(x, number(a) + number(b - a) * x**q)
    scale = sp.Pow(number(length), number(s + 1)) * q
    return Integral(scale * x ** (p + q - 1) * moved, x, 0, 1)


def unfold_log(f: sp.Expr, x: sp.Symbol, end: Exact, far: Exact, cut: Exact) -> Integral:
    """∫ f dx between end and far, where f has a logarithm (or a power above -1) at end.

    x = end + (far - end)·exp(-t) moves the singularity to t = oo, where it decays exponentially.
    """
    a, b = rational("end", end), rational("far", far)
    t = sp.Symbol(x.name, real=True)
    near = sp.exp(-t)
    moved = f.subs(x, number(a) + number(b - a) * near) * number(abs(b - a)) * near
    return Integral(sp.expand(sp.expand_log(moved)), t, 0, Beyond(cut))
