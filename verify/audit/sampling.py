"""Does the sampler draw from the density: mean, variance and support of a few thousand draws."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from glbcheck.core.exact import number
from glbcheck.core.family import Family, Floats, g
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.spot_checks import points
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

DRAWS, SEED = 4000, 20_240_611
FAR = 6.0  # standard errors, which chance passes once in 10^8


def samples(subject: Subject) -> Finding:
    """Stress-tested where nothing speaks against the sampler; samples cannot refute, only contradict."""
    family, disp = subject.family, subject.g
    rng = np.random.default_rng(SEED)
    if not family.dispersions.allows(float(disp)):
        return Finding(Verdict.UNDECIDED, f"g = {disp} is not a dispersion of the family")
    tried = [at for at in points(family, subject.S) if number(at) in family.domain.interior][:3]
    widest = 0.0
    for at in tried:
        drawn = family.sample(rng, np.full(DRAWS, float(at)), float(disp))
        if (stray := _outside(family, disp, drawn)) is not None:
            return Finding(Verdict.CONTRADICTED, f"drew {stray!r} at z = {at}, outside {family.support}")
        for what, off in _errors(family, at, disp, drawn):
            if not abs(off) <= FAR:
                words = f"the {what} of {DRAWS} draws at z = {at} is {abs(off):.3g} standard errors from that of m"
                return Finding(Verdict.CONTRADICTED, words, {"z": str(at), "seed": SEED})
            widest = max(widest, abs(off))
    shown = ", ".join(map(str, tried))
    words = f"mean and variance of {DRAWS} draws at z = {shown} within {widest:.2g} standard errors of those of m"
    return Finding(Verdict.STRESS_TESTED, words, {"draws": DRAWS, "seed": SEED})


def _errors(family: Family, at: Fraction, disp: Fraction, drawn: Floats) -> list[tuple[str, float]]:
    """How far mean and variance are from m' and g m'', in standard errors."""
    mean, variance = float(family.mu(float(at))), float(disp) * float(family.dmu(float(at)))
    centred = (drawn - mean) ** 2
    spread = math.sqrt(max(float(centred.var()), 1e-300) / drawn.size)
    slack = 1e-9 * variance  # rounding, where every draw has the same distance from the mean
    gap = max(abs(float(centred.mean()) - variance) - slack, 0.0)
    return [("mean", float(drawn.mean() - mean) / math.sqrt(variance / drawn.size)), ("variance", gap / spread)]


def _outside(family: Family, disp: Fraction, drawn: Floats) -> float | None:
    """A draw off the support, if there is one; on a lattice a little rounding is allowed."""
    fixed = {g: number(disp)}
    low, high = (float(end.subs(fixed)) for end in (family.support.lower, family.support.upper))
    stray = ~((drawn >= low - 1e-9) & (drawn <= high + 1e-9))
    if family.support.step is not None:
        step = float(family.support.step.subs(fixed))
        count = (drawn - (low if math.isfinite(low) else 0.0)) / step
        stray |= np.abs(count - np.round(count)) > 1e-6
    return float(drawn[stray][0]) if stray.any() else None
