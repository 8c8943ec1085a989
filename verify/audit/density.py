"""Does the stated density belong to the stated m: mass one, moments, KL and chi^2, at one dispersion.

Each function takes (family, S, g) with an exact g and returns a Finding.  The mass is settled for all z
of the domain where the base measure allows it (see `normaliser`); the other identities follow from it, and
are compared with certified integrals or sums at rational points as well, where a difference refutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from glbcheck.core.enclosure import Ball, NotEnclosed, ball, jet_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.core.family import Family, z
from glbcheck.verify.audit.annihilator import require_convergence
from glbcheck.verify.audit.base_measure import Base, Divergent, NotReadable, Unbounded
from glbcheck.verify.audit.base_moments import moments
from glbcheck.verify.audit.base_reading import read_base
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.normaliser import by_equation, density_moments, explicit_sum, m_ball, on_box
from glbcheck.verify.audit.spot_checks import excess_mass, far_points, numerical_mass, points, shown_mass
from glbcheck.verify.claim import Verdict

CANNOT = (NotReadable, Unbounded, NotEnclosed, BadInput)
SPOT_BITS = 64  # of the comparisons at single points


def normalisation(family: Family, S: Fraction, g: Fraction) -> Finding:
    """The density has mass one for every z of the domain, at dispersion g."""
    try:
        base = read_base(family, g)
    except NotReadable as reason:
        found = explicit_sum(family, g) or excess_mass(family, S, g)
        return found or numerical_mass(family, S, g, str(reason))
    refuted, reasons = _wrong_mass(base, S)
    if refuted:
        return refuted
    for attempt in (partial(explicit_sum, family, g), partial(by_equation, base), partial(on_box, base, S)):
        try:
            if found := attempt():
                return found
        except CANNOT as why:
            reasons.append(str(why))
    return numerical_mass(family, S, g, reasons[0])


def _wrong_mass(base: Base, S: Fraction) -> tuple[Finding | None, list[str]]:
    """A rational z where the mass is certified to differ from one, or why some could not be computed."""
    reasons: list[str] = []
    for at in [*points(base.family, S), *far_points(base)]:
        try:
            (mass,) = density_moments(base, at, [0], SPOT_BITS)
        except Divergent as why:
            words = f"the mass is infinite at z = {at}: {why}"
            return Finding(Verdict.REFUTED, words, {"z": str(at), "mass": "oo"}), []
        except CANNOT as why:
            reasons.append(str(why))
            continue
        if different(mass, ball(1)):
            shown = {"z": str(at), "mass": mass.str(20), "g": str(base.g)}
            return Finding(Verdict.REFUTED, f"mass {shown_mass(mass)} at z = {at}, not 1", shown), []
    try:
        require_convergence(base)
    except Divergent as why:
        return Finding(Verdict.REFUTED, str(why), {"domain": str(base.family.domain)}), []
    except CANNOT as why:
        reasons.append(str(why))
    return None, reasons


def different(a: Ball, b: Ball) -> bool:
    """The two numbers inside are certainly not equal."""
    gap = a - b
    return bool(gap > 0 or gap < 0)


def _short(value: Ball) -> str:
    """Enough digits for a reader to see the difference; the certificate has the enclosure."""
    return str(value.mid().str(8, radius=False))


# --- identities that follow -------------------------------------------------------------------------


Comparison = tuple[str, Ball, Ball]  # where, what the integral says, what m says
Compare = Callable[[Base], list[Comparison]]


def mean_and_variance(family: Family, S: Fraction, g: Fraction) -> Finding:
    """E[r] = m'(z) and Var[r] = g m''(z): the normalisation, differentiated under the integral sign."""
    questions = [partial(_mean_and_variance_at, at=at) for at in points(family, S)]
    return _follows(family, S, g, questions, "the normalisation differentiated under the integral sign")


def _mean_and_variance_at(base: Base, at: Fraction) -> list[Comparison]:
    _, first, second = density_moments(base, at, [0, 1, 2], SPOT_BITS)
    jet = jet_function(base.family.log_partition, z)(at, 3)
    return [
        (f"mean at z = {at}", first, jet[1]),
        (f"variance at z = {at}", second - first**2, 2 * ball(base.g) * jet[2]),
    ]


def kl_as_bregman(family: Family, S: Fraction, g: Fraction) -> Finding:
    """KL(p_a, p_b) = (m(b) - m(a) - m'(a)(b - a))/g, against the integral of p_a log(p_a/p_b)."""
    questions = [partial(_kl_from, a=a, S=S) for a in points(family, S)]
    return _follows(family, S, g, questions, "log(p_a/p_b) is affine in r and E[r] = m'(a)")


def _kl_from(base: Base, a: Fraction, S: Fraction) -> list[Comparison]:
    mass, first = density_moments(base, a, [0, 1], SPOT_BITS)
    slope = jet_function(base.family.log_partition, z)(a, 2)[1]
    rows = []
    for b in points(base.family, S):
        if a == b:
            continue
        gap = m_ball(base.family, b) - m_ball(base.family, a)
        integral = (ball(a - b) * first + gap * mass) / ball(base.g)
        rows.append((f"KL at ({a}, {b})", integral, (gap - slope * ball(b - a)) / ball(base.g)))
    return rows


def chi2_formula(family: Family, S: Fraction, g: Fraction) -> Finding:
    """chi^2(p_a, p_b) = exp((m(2a - b) - 2m(a) + m(b))/g) - 1, infinite when 2a - b leaves the domain."""
    inside = [(a, b) for a, b in _pairs(family, S) if number(2 * a - b) in family.domain]
    questions = [partial(_chi2_at, a=a, b=b) for a, b in inside]
    found = _follows(family, S, g, questions, "p_a^2/p_b is the density at 2a - b times a constant")
    return _with_edge(family, S, g, found) if found.verdict.positive else found


def _pairs(family: Family, S: Fraction) -> list[tuple[Fraction, Fraction]]:
    at = points(family, S)
    return [(a, b) for a in at[:4] for b in at[:4] if a != b]


def _chi2_at(base: Base, a: Fraction, b: Fraction) -> list[Comparison]:
    far = 2 * a - b
    (mass,) = density_moments(base, far, [0], SPOT_BITS)
    second = m_ball(base.family, far) - 2 * m_ball(base.family, a) + m_ball(base.family, b)
    ratio = (second / ball(base.g)).exp()
    return [(f"chi^2 at ({a}, {b})", mass * ratio - 1, ratio - 1)]


def _with_edge(family: Family, S: Fraction, g: Fraction, found: Finding) -> Finding:
    """Add where on [-S, S] chi^2 is infinite, and look on the far side whether the integral diverges."""
    room = min(family.domain.sup, -family.domain.inf)
    if not room < 3 * number(S):
        return Finding(found.verdict, f"{found.evidence}; finite for all a, b in [-S, S]", found.certificate)
    outcome, pair = _beyond(family, S, g)
    facts = {**found.certificate, "beyond the edge": outcome, "pair": pair}
    if outcome == "finite":
        words = f"chi^2 is finite at {pair} although 2a - b is outside the domain: a larger domain is natural"
        return Finding(Verdict.REFUTED, words, facts)
    seen = f"computed at {pair}" if outcome == "infinite" else outcome
    words = f"{found.evidence}; infinite where 2a - b leaves the domain ({seen})"
    return Finding(found.verdict, words, facts)


def _beyond(family: Family, S: Fraction, g: Fraction) -> tuple[str, str]:
    """What the integral of p_a^2/p_b does for a pair with 2a - b outside the domain and off its edge."""
    outcome, shown = "no such pair was tried", ""
    for a, b in _pairs(family, S):
        far = 2 * a - b
        if number(far) in family.domain.closure:
            continue
        shown = f"({a}, {b})"
        try:
            moments(read_base(family, g), far, [0], Fraction(0), SPOT_BITS)
        except Divergent:
            return "infinite", shown
        except CANNOT as why:
            outcome = f"not settled at {shown}: {why}"
            continue
        return "finite", shown
    return outcome, shown


def _follows(family: Family, S: Fraction, g: Fraction, questions: Sequence[Compare], because: str) -> Finding:
    """Refuted by one comparison, else as strong as the normalisation from which the identity follows."""
    agree, left_out = 0, []
    try:
        base = read_base(family, g)
    except CANNOT as why:
        questions, left_out = [], [str(why)]
    for question in questions:
        try:
            with precision(SPOT_BITS + 64):
                rows = [row for row in question(base) if row[1].is_finite() and row[2].is_finite()]
        except CANNOT as why:
            left_out.append(str(why))
            continue
        for where, integral, formula in rows:
            if different(integral, formula):
                shown = {"where": where, "integral": integral.str(20), "from m": formula.str(20)}
                words = f"{where} is {_short(integral)}, m gives {_short(formula)}"
                return Finding(Verdict.REFUTED, words, shown)
        agree += len(rows)
    mass = normalisation(family, S, g)
    facts = {"comparisons": agree, "left out": left_out, "normalisation": dict(mass.certificate)}
    if not mass.verdict.positive:
        return Finding(mass.verdict, f"rests on the normalisation: {mass.evidence}", facts)
    agreed = f"{agree} certified integrals or sums agree"
    if mass.verdict is Verdict.CERTIFIED_ON_BOX:  # a mass near one says nothing of its derivatives
        return Finding(Verdict.STRESS_TESTED, f"{agreed}; {mass.evidence}", facts)
    return Finding(mass.verdict, f"{because}; {agreed}", facts)
