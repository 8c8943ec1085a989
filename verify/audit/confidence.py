"""What the confidence sequence needs of a family: a supermartingale, and growth under control."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core import concordance
from glbcheck.core.concordance import Constant
from glbcheck.core.enclosure import ball, float_below, jet_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.family import interval_text, z
from glbcheck.verify.audit import shape
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.domain import natural_domain
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

FORMAL = "but the formula is not seen to be smooth on the whole domain that is stated"
WIDEST = 1e-9  # relative width a certified bracket may have


def supermartingale(subject: Subject) -> Finding:
    """E[rho^w] = exp(-J/g), J = (1-w) m(z*) + w m(z) - m((1-w) z* + w z): at most 1 because m is convex.

    The formula holds for every family (with p the densities, rho = p(r|z)/p(r|z*) under z*).  That J >= 0
    follows from convexity; here J is also enclosed at exact points.
    """
    m = jet_function(subject.family.log_partition, z)
    S, g = subject.S, subject.g
    points = [S * k / 4 for k in range(-4, 5)]
    smallest: tuple[Any, ...] | None = None
    with precision(128):
        for at, true in ((a, b) for a in points for b in points if a != b):
            for w in (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)):
                gap = ball(1 - w) * m(true, 1)[0] + ball(w) * m(at, 1)[0] - m((1 - w) * true + w * at, 1)[0]
                if gap < 0:
                    where = {"z": str(at), "z_star": str(true), "w": str(w)}
                    words = f"E[rho^w] > 1 at z* = {true}, z = {at}, w = {w}: m is not convex there"
                    return Finding(Verdict.REFUTED, words, where)
                if smallest is None or gap < smallest[0]:
                    smallest = gap, at, true, w
        assert smallest is not None
        step = (-smallest[0] / ball(g)).exp()
    words = (
        "if rewards have log-partition function m, E[rho^w] = exp(-J/g) <= 1 as m is convex; at most "
        f"{float(step.mid()):.12g} at the points tried"
    )
    # The identity is exact; that m is convex was certified.
    return Finding(Verdict.CERTIFIED, words, {"jensen_gap_at_least": float_below(smallest[0])})


def growth(subject: Subject) -> Finding:
    """m(z + y) - m(z) - mu(z) y <= mu'(z)(e^{R|y|} - 1 - R|y|)/R^2 for z in [-S, S] and every real y.

    This is what the confidence sequence really uses.  It follows when R_s on [-S, S] is R_s on the line;
    on a half-line domain it fails, since m is infinite for large |y|.
    """
    family = subject.family
    if family.domain != sp.S.Reals:
        return _beyond_domain(subject)
    local, whole = concordance.R_s(family, subject.S), concordance.R_s_global(family)
    if not shown(whole, subject):
        return Finding(Verdict.UNDECIDED, f"mu''/mu' is formally constant, {FORMAL}")
    if whole.exact != "oo" and whole.upper <= local.upper * (1 + WIDEST):
        return Finding(Verdict.CERTIFIED, f"R_s = {local.upper:.10g} holds on the whole line already")
    if whole.exact != "oo":
        words = (
            f"holds with R_s = {whole.upper:.10g}, the value for the whole line, not shown with "
            f"{local.upper:.10g}; the repaired constants use the larger one"
        )
        return Finding(Verdict.CERTIFIED, words)
    return _outgrown(subject, local) or Finding(
        Verdict.UNDECIDED, "R_s is infinite on the whole line; whether the weaker bound holds is open"
    )


def _beyond_domain(subject: Subject) -> Finding:
    """Where m cannot be continued the integral is infinite; a domain that merely stops proves nothing."""
    shown = interval_text(subject.family.domain)
    ends = [end for end in (subject.family.domain.inf, subject.family.domain.sup) if end.is_finite]
    if any(shape.ends_at(subject.family.log_partition, end) for end in ends):
        words = f"m is infinite outside {shown}, and the mixture looks at every z"
        return Finding(Verdict.REFUTED, words, {"y": "beyond the domain"})
    return Finding(Verdict.UNDECIDED, f"m is stated on {shown} only, and does not visibly end there")


def _outgrown(subject: Subject, local: Constant) -> Finding | None:
    """An exact z in [-S, S] and y where m grows faster than exp(R |y|) allows, R the bracket's upper end."""
    m, R = jet_function(subject.family.log_partition, z), Fraction(local.upper)
    with precision(256):
        for at in (subject.S, -subject.S):
            for y in (Fraction(sign * 2**k) for k in range(-2, 7) for sign in (1, -1)):
                here, there, u = m(at, 3), m(at + y, 1)[0], ball(R * abs(y))
                allowed = 2 * here[2] * (u.exp() - 1 - u) / ball(R) ** 2 if R else here[2] * ball(y) ** 2
                excess = there - here[0] - here[1] * ball(y) - allowed
                if excess.is_finite() and excess > 0:
                    words = f"at z = {at}, y = {y} m exceeds what R_s = {local.upper:.6g} allows"
                    return Finding(Verdict.REFUTED, words, {"z": str(at), "y": str(y)})
    return None


def shown(whole: Constant, subject: Subject) -> bool:
    """A ratio that is formally constant says nothing where m jumps, in a stated domain that is too large."""
    if whole.attained != "everywhere":
        return True
    try:
        natural = natural_domain(subject.family.log_partition)
    except BadInput:
        return False
    return bool(subject.family.domain.is_subset(natural))
