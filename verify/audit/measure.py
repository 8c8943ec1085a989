"""Is there a measure behind m, for which dispersions, and does the stated density have mass one?"""

from __future__ import annotations

from collections.abc import Mapping
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
    settled, open_at = {subject.g: found}, list[str]()
    costly = subject.quick or found.verdict is Verdict.CERTIFIED_ON_BOX or not found.verdict.positive
    for g in () if costly else OTHER_DISPERSIONS:
        if g == subject.g or not subject.family.dispersions.allows(float(g)):
            continue
        other = density.normalisation(subject.family, subject.S, g)
        if other.verdict is Verdict.REFUTED:
            words = f"at g = {g}: {other.evidence}"
            return Finding(Verdict.REFUTED, words, {**other.certificate, "answers": _rows({g: other})})
        if other.verdict.positive:
            settled[g] = other
        else:
            open_at.append(str(g))
    weakest = max(settled.values(), key=lambda one: one.verdict.rank)
    facts = {**weakest.certificate, "answers": _rows(settled), "not settled at g": open_at}
    where = "" if subject.family.dispersions is ONE else f"; at g = {subject.g}"
    return Finding(weakest.verdict, weakest.evidence + ("" if weakest.verdict.positive else where), facts)


def _rows(found: Mapping[Fraction, Finding]) -> list[dict[str, str]]:
    """What was found at each dispersion."""
    return [{"g": str(g), "word": str(one.verdict), "what": one.evidence} for g, one in found.items()]
