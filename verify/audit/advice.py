"""What a user can do about a no: a tilt that makes room for [-S, S], the largest S, a smaller interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import sympy as sp
from glbcheck.core.family import Family, interval_text
from glbcheck.verify.audit.check import Check
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict


def advice(subject: Subject, checks: Mapping[str, Check]) -> list[str]:
    """Plain sentences, each something to try."""
    return [
        *_room(subject, checks.get("domain")),
        *_whole_line(checks.get("growth")),
        *_flat(checks.get("slope")),
        *_slow(subject, checks.get("constants")),
        *_base(subject),
    ]


def _refuted(check: Check | None) -> bool:
    return check is not None and check.verdict is Verdict.REFUTED


def tilt_for(family: Family, S: Fraction) -> Fraction | None:
    """The simplest shift a such that [-S, S] lies inside the domain of m(z - a), with as much room again."""
    low, high = family.domain.inf, family.domain.sup
    width = high - low
    if width.is_finite and not width > 2 * sp.Rational(S.numerator, S.denominator):
        return None
    if high.is_finite and low.is_finite:
        middle = -(low + high) / 2
        return Fraction(float(middle)).limit_denominator(8)
    if high.is_finite:
        return Fraction(math.ceil(2 * S - Fraction(float(high)).limit_denominator(1000)))
    return Fraction(math.floor(-2 * S - Fraction(float(low)).limit_denominator(1000)))


def _room(subject: Subject, domain: Check | None) -> list[str]:
    if not _refuted(domain):
        return []
    family = subject.family
    room = min(family.domain.sup, -family.domain.inf)
    lines = []
    if room > 0:
        lines.append(f"every S below {room} works: try --S {_below(room)}")
    a = tilt_for(family, subject.S)
    if a is None:
        lines.append(f"the domain {interval_text(family.domain)} is shorter than [-S, S] even after a shift")
    elif a != 0:
        shift = f"z - {a}" if a > 0 else f"z + {-a}"
        lines.append(
            f"the same rewards with natural parameter shifted, m({shift}), have [-{subject.S}, {subject.S}] "
            f"inside their domain: --tilt {a}"
        )
    return lines


def _below(room: sp.Expr) -> str:
    return str(Fraction(float(room) * 0.9).limit_denominator(16))


def _whole_line(growth: Check | None) -> list[str]:
    if growth is None or growth.verdict.positive:
        return []
    return [
        'self-concordance is not shown on the whole line: use constants="local", which looks a little beyond [-S, S]'
    ]


def _flat(slope: Check | None) -> list[str]:
    if not _refuted(slope):
        return []
    return ["where mu' vanishes the mean does not move with z: shift z so that [-S, S] avoids that point"]


def _slow(subject: Subject, constants: Check | None) -> list[str]:
    if constants is None or not constants.certificate:
        return []
    soonest = constants.certificate["repaired"]["not_before"]
    if soonest is not None and soonest <= subject.T:
        return []
    when = "for any T" if soonest is None else f"before T = {soonest}"
    return [
        f"with T = {subject.T} the confidence set never excludes anything ({when}): a longer horizon "
        "or a smaller C helps"
    ]


def _base(subject: Subject) -> list[str]:
    if subject.family.has_base or subject.oracle is not None:
        return []
    return ["state --support and --base to have the density, its divergences and a run checked too"]
