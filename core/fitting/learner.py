"""From an estimate to a learner: a radius S that holds θ, a shift where the domain asks for one, three lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.data import INTERCEPT, Data
from glbcheck.core.theory.link_constants import whole_line

ERRORS = 3.0  # standard errors between the estimated norm and S
LEAST = 0.01


@dataclass(frozen=True)
class Setup:
    """How a learner is set up for a family, or why it cannot be."""

    S: float | None
    tilt: str  # the shift of the natural parameter as an exact number; "0" is none
    code: tuple[str, ...]  # three lines, or nothing
    usage: str


def norm_error(theta: Floats, covariance: Floats) -> float:
    """The standard error of ‖θ‖ by the delta method; along the worst direction where θ is 0."""
    size = float(np.linalg.norm(theta))
    if size == 0:
        return worst_error(covariance)
    return math.sqrt(max(float(theta @ covariance @ theta), 0.0)) / size


def worst_error(covariance: Floats) -> float:
    """The largest standard error of θ in any direction."""
    return math.sqrt(float(np.linalg.eigvalsh(covariance)[-1]))


def setup(family: Family, call: str, data: Data, theta: Floats, covariance: Floats, dispersion: float | None) -> Setup:
    """S, the tilt and the code; `call` is the Python text that makes the family."""
    margin = ERRORS * worst_error(covariance)
    room = min(float(family.domain.sup), -float(family.domain.inf))
    shifted, tilt, radius = family, "0", _round_up(max(float(np.linalg.norm(theta)) + margin, LEAST))
    if room <= 0:
        found = _tilt(data, theta, margin)
        if found is None:
            return Setup(None, "0", (), _no_room(family, data))
        tilt, radius = found
        shifted, call = family.tilted(tilt), f'{call}.tilted("{tilt}")'
    elif radius >= room:
        words = f"S = {radius:g} would leave the domain ({family.domain.inf}, {family.domain.sup})"
        return Setup(None, "0", (), f"{words}, so no ball that surely holds θ fits into it")
    name, more = _learner(shifted, data, dispersion)
    code = (
        f"from glbcheck import {name}, catalog",
        f"family = {call}",
        f"learner = {name}(family, d={data.d}, S={radius:g}, C=0.0{more})",
    )
    return Setup(radius, tilt, code, _usage(data, dispersion))


def _learner(family: Family, data: Data, dispersion: float | None) -> tuple[str, str]:
    """The learner with a scout and its dispersions; where the sharpest constants have no theorem, local ones alone."""
    # Rewards in [a, b] have |m'''| <= (b - a) m'', so that the constant is finite before it is known.
    width = float(family.support.upper - family.support.lower)
    if not math.isfinite(width) and not math.isfinite(whole_line(family).upper):
        return "HCWGLBOMD", ', constants="local"'
    spread = np.asarray(data.dispersions if dispersion is None else dispersion, dtype=float)
    low, high = _round_down(float(spread.min())), _round_up(float(spread.max()))
    return "Scouted", "" if (spread == 1).all() else f", dispersions=({low:g}, {high:g})"


def _tilt(data: Data, theta: Floats, margin: float) -> tuple[str, float] | None:
    """A shift a of the natural parameter and a radius S < a that holds the shifted θ.

    A constant direction v of the contexts carries the shift: ⟨x, θ + a v⟩ - a = ⟨x, θ⟩.  The a that leaves most
    room is looked for on a grid, and rounded.
    """
    if data.constant is None:
        return None
    tried: list[tuple[float, Fraction, float]] = []
    size = float(np.abs(data.contexts @ theta).max())
    for a in {_two_digits(size * factor) for factor in np.geomspace(0.05, 20, 120)}:
        radius = _round_up(max(float(np.linalg.norm(theta + float(a) * data.constant)) + margin, float(a) / 100))
        tried.append((radius / float(a), a, radius))
    share, shift, radius = min(tried)
    return (f"{float(shift):g}", radius) if share < 1 else None


def _no_room(family: Family, data: Data) -> str:
    words = f"a learner needs [-S, S] inside the domain, which is ({family.domain.inf}, {family.domain.sup}); "
    if data.constant is None:
        return words + "a shift of z needs a constant column (--intercept)"
    return words + "no shift leaves room for θ and its error: the contexts move z too much, or the data are too few"


def _usage(data: Data, dispersion: float | None) -> str:
    names = ", ".join("1" if name == INTERCEPT else name for name in data.columns)
    g = "the row's g" if dispersion is None else f"{dispersion:.6g}"
    divided = ""
    if (data.scales != 1).any():
        divided = f" divided by ({', '.join(f'{scale:.6g}' for scale in data.scales)})"
    return (
        f"x is ({names}){divided}; learner.select(arms) pulls a row, and learner.update(x, reward, dispersion={g}) "
        "learns from it; C is the corruption budget, 0 if there is none; learner.guarantee names the theorem behind "
        "the learner, or says that there is none"
    )


def _round_up(value: float) -> float:
    """The next number of two digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / unit - 1e-9) * unit:.12g}")


def _round_down(value: float) -> float:
    """The number of two digits before."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.floor(value / unit + 1e-9) * unit:.12g}")


def _two_digits(value: float) -> Fraction:
    return Fraction(f"{value:.1e}")
