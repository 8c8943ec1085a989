"""Is there a measure behind m, for which dispersions, and does the stated density have mass one?"""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.family import ANY, ONE
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

OTHER_DISPERSIONS = (Fraction(1, 2), Fraction(2), Fraction(1, 3))


def log_partition(subject: Subject) -> Finding:
    """A measure that has m as its log-partition function, or an expectation of a square that is negative."""
    from glbcheck.core import laplace

    found = laplace.decide(subject.family.log_partition, subject.family.domain, quick=subject.quick)
    if found is None:
        words = "no measure was constructed, and no necessary condition was violated"
        return Finding(Verdict.UNDECIDED, words)
    verdict = Verdict.REFUTED if isinstance(found, laplace.Witness) else Verdict.PROVED
    return Finding(verdict, found.words, found.as_dict())


def dispersions(subject: Subject) -> Finding:
    """For which g is m/g a log-partition function too?"""
    from glbcheck.core import laplace

    found = laplace.dispersions(subject.family.log_partition, subject.family.domain, quick=subject.quick)
    stated, allows = subject.family.dispersions is not ANY, subject.family.dispersions.allows
    impossible = [1 / s for s, answer in found.answers if isinstance(answer, laplace.Witness)]
    if stated and (wrong := [str(g) for g in impossible if allows(float(g))]):
        words = f"{subject.family.dispersions.words} is stated; impossible for g = {', '.join(wrong)}"
        return Finding(Verdict.REFUTED, words, found.as_dict())
    known = any(isinstance(answer, laplace.Construction) for _, answer in found.answers)
    return Finding(Verdict.PROVED if known else Verdict.UNDECIDED, found.words, found.as_dict())


def with_base(name: str, subject: Subject) -> Finding:
    from glbcheck.verify.audit import density

    decide = getattr(density, name)
    found: Finding = decide(subject.family, subject.S, subject.g)
    return found


def normalisation(subject: Subject) -> Finding:
    """Mass one at the dispersion of the audit, and at others that the family allows, unless that is costly."""
    from glbcheck.verify.audit import density

    found = density.normalisation(subject.family, subject.S, subject.g)
    settled: list[Fraction] = [subject.g]
    open_at: list[Fraction] = []
    costly = subject.quick or found.verdict is Verdict.CERTIFIED_ON_BOX or not found.verdict.positive
    for g in () if costly else OTHER_DISPERSIONS:
        if g == subject.g or not subject.family.dispersions.allows(float(g)):
            continue
        other = density.normalisation(subject.family, subject.S, g)
        if other.verdict is Verdict.REFUTED:
            return Finding(Verdict.REFUTED, f"at g = {g}: {other.evidence}", other.certificate)
        (settled if other.verdict.positive else open_at).append(g)
        if other.verdict.positive:
            found = max(found, other, key=lambda one: one.verdict.rank)
    words = found.evidence
    if len(settled) > 1 or subject.family.dispersions is not ONE:
        words += f"; at g = {', '.join(map(str, settled))}"
    if open_at:
        words += f", not settled at g = {', '.join(map(str, open_at))}"
    return Finding(found.verdict, words, found.certificate)
