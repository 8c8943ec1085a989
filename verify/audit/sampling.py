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
FAR = 6.0  # standard errors, which chance passes once in 10^7
DOUBTFUL, MORE = 4.0, 16  # beyond so many, as many times the draws are asked


def samples(subject: Subject) -> Finding:
    """Stress-tested where nothing speaks against the sampler; samples cannot refute, only contradict."""
    family, disp = subject.family, subject.g
    rng = np.random.default_rng(SEED)
    if not family.dispersions.allows(float(disp)):
        return Finding(Verdict.UNDECIDED, f"g = {disp} is not a dispersion of the family")
    tried = [at for at in points(family, subject.S) if number(at) in family.domain.interior][:3]
    widest = 0.0
    for at in tried:
        for draws in (DRAWS, MORE * DRAWS):
            drawn = family.sample(rng, np.full(draws, float(at)), float(disp))
            if (stray := _outside(family, disp, drawn)) is not None:
                return Finding(Verdict.CONTRADICTED, f"drew {stray!r} at z = {at}, outside {family.support}")
            errors = _errors(family, float(at), float(disp), drawn)
            worst = max(errors, key=lambda what: errors[what])
            if not errors[worst] <= FAR:
                words = f"is {errors[worst]:.3g} standard errors from that of m"
                found = f"the {worst} of {draws} draws at z = {at} {words}"
                return Finding(Verdict.CONTRADICTED, found, {"z": str(at), "seed": SEED})
            if errors[worst] <= DOUBTFUL:
                break
        widest = max(widest, errors[worst])
    shown = ", ".join(map(str, tried))
    words = f"mean and variance of {DRAWS} draws at z = {shown} within {widest:.2g} standard errors of those of m"
    return Finding(Verdict.STRESS_TESTED, words, {"draws": DRAWS, "seed": SEED})


def _errors(family: Family, at: float, disp: float, drawn: Floats) -> dict[str, float]:
    """How far mean and variance are from m' and g m'', in standard errors that follow from m too.

    Where all draws are alike, as those of a coin that hardly ever falls on one side, their own spread says nothing.
    """
    mean, variance = float(family.mu(at)), disp * float(family.dmu(at))
    of_squares = max(disp**3 * _fourth_derivative(family, at) + 2 * variance**2, 0.0)
    return {
        "mean": _distance(drawn - mean, variance, 0.0),
        "variance": _distance((drawn - mean) ** 2 - variance, of_squares, 1e-9 * variance),
    }


def _distance(centred: Floats, variance: float, rounding: float) -> float:
    """How far an average is from 0, in standard errors; a rare large draw allows for more (Bernstein)."""
    off = abs(float(centred.mean()))
    scale = variance + float(np.abs(centred).max()) * off / 3
    return off * math.sqrt(centred.size / scale) if off > rounding else 0.0


def _fourth_derivative(family: Family, at: float) -> float:
    """Of m, to a few digits."""
    low, high = family.ends
    step = min(1e-3, (at - low) / 4, (high - at) / 4)
    after, before = family.ddmu(np.array([at + step, at - step]))
    return float(after - before) / (2 * step)


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
