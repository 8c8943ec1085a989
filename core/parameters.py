"""What a learner is told before the first round, checked, with every constant filled in.

The reference and the compiled engine both start from here, so they cannot disagree about a constant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import index as index_of
from typing import Literal, SupportsIndex, TypeAlias, get_args

from glbcheck.core import concordance, constants
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.local_constants import surroundings

Index: TypeAlias = Literal["exact", "closed-form"]
RadiusForm: TypeAlias = Literal["sum", "determinant"]


@dataclass(frozen=True)
class Parameters:
    """The constants of one run; built by `parameters`, which fills in what the theory prescribes."""

    family: Family
    d: int
    S: float
    delta: float
    C: float
    alpha: float
    R_s: float
    L_mu: float
    eta: float
    lam: float
    use: constants.Formulas
    index: Index
    radius_form: RadiusForm
    radius_scale: float
    # Named here when given by hand instead of by the theory.
    by_hand: tuple[str, ...]

    def beta(self, inverse_g: float, logdet: float) -> float:
        """theorem:confidence-sequence/eq2: β_t, or its determinant form."""
        if self.radius_form == "determinant":
            return float(self.use.beta_from_logdet(self.S, self.delta, self.eta, self.lam, logdet))
        return float(self.use.beta(self.d, self.S, self.delta, self.eta, self.lam, self.L_mu, inverse_g))

    @cached_property
    def widening(self) -> float:
        """eq:CS: what the corruption adds to β_t."""
        return float(constants.widening(self.eta, self.alpha, self.C))

    def radius(self, beta: float) -> float:
        """eq:CS: the radius of C_t; a hand-tuned scale other than 1 voids the guarantee."""
        return self.radius_scale * (beta + self.widening)

    @cached_property
    def tuned(self) -> tuple[str, ...]:
        """The constants that void the confidence guarantee: tuned, or below the family's certified value."""
        names = [name for name in self.by_hand if name in ("eta", "lam", "radius_scale")]
        for name, certified in (("R_s", concordance.R_s), ("L_mu", concordance.L_mu)):
            if name not in self.by_hand:
                continue
            try:
                needed = certified(self.family, self.S).lower
            except (NotEnclosed, Unresolved):
                needed = math.inf  # what cannot be certified guarantees nothing
            if getattr(self, name) < needed:
                names.append(name)
        return tuple(names)

    @property
    def guarantee(self) -> str:
        """Which theorem stands behind the confidence sets, or that none does."""
        if self.tuned:
            return "none: tuned by hand: " + ", ".join(self.tuned)
        if self.use is constants.REPAIRED and self.R_s < _whole_line(self.family).lower:
            return "none: the repaired theorem needs R_s to hold on the whole line"
        return f"theorem:confidence-sequence ({self.use.name} constants)"


def _whole_line(family: Family) -> concordance.Constant:
    """The global R_s; what cannot be enclosed counts as unbounded."""
    try:
        return concordance.R_s_global(family)
    except (NotEnclosed, Unresolved):
        return concordance.Constant(None, math.inf, math.inf, "not enclosed")


def _formulas(reading: str, family: Family, S: Fraction) -> constants.Formulas:
    """Those of the local theorem hold what the family is like around [-S, S]."""
    return surroundings(family, S).formulas if reading == "local" else constants.formulas(reading)


def _self_concordance(family: Family, S: float, use: constants.Formulas) -> float:
    """R_s on [-S, S] as printed; the repaired theorem asks for the whole line, where that is finite."""
    local = concordance.R_s(family, S).upper
    if use is not constants.REPAIRED:
        return local
    whole = _whole_line(family).upper
    return whole if math.isfinite(whole) else local


def parameters(
    family: Family,
    d: int,
    S: float,
    delta: float,
    C: float,
    alpha: float | None = None,
    *,
    R_s: float | None = None,
    L_mu: float | None = None,
    eta: float | None = None,
    lam: float | None = None,
    radius_scale: float | None = None,
    reading: str = "paper",
    index: Index = "exact",
    radius_form: RadiusForm = "sum",
) -> Parameters:
    """The parameters of a learner; whatever is None is what the paper (or its repair) prescribes."""
    _check_choice("index", index, get_args(Index))
    _check_choice("radius_form", radius_form, get_args(RadiusForm))
    if isinstance(d, bool) or not isinstance(d, SupportsIndex) or index_of(d) < 1:
        raise BadInput("d", d, "an integer d >= 1")
    d = index_of(d)
    use = _formulas(reading, family, family.check_radius(S))
    S, delta, C = float(S), _real("delta", delta), _real("C", C)
    if not 0 < delta < 1:
        raise BadInput("delta", delta, "a probability strictly between 0 and 1")
    if not 0 <= C < math.inf:
        raise BadInput("C", C, "a finite corruption budget C >= 0")
    given = {"R_s": R_s, "L_mu": L_mu, "eta": eta, "lam": lam, "radius_scale": radius_scale, "alpha": alpha}
    for name, value in given.items():
        if value is not None:
            _check_constant(name, value)
    if alpha is None:
        alpha = constants.alpha(d, C)
    if R_s is None:
        R_s = _self_concordance(family, S, use)
    if L_mu is None:
        L_mu = concordance.L_mu(family, S).upper
    if eta is None:
        eta = constants.eta(R_s, S)
    if lam is None:
        lam = use.lam(d, S, eta, alpha, R_s, L_mu)
    if not (math.isfinite(lam) and math.isfinite(4 * lam * S**2) and lam > 0):
        raise BadInput("S", S, f"a radius for which λ is an ordinary number; here λ = {lam!r}")
    return Parameters(
        family=family,
        d=d,
        S=S,
        delta=delta,
        C=C,
        alpha=float(alpha),
        R_s=float(R_s),
        L_mu=float(L_mu),
        eta=float(eta),
        lam=float(lam),
        use=use,
        index=index,
        radius_form=radius_form,
        radius_scale=1.0 if radius_scale is None else float(radius_scale),
        by_hand=tuple(name for name, value in given.items() if value is not None),
    )


def _real(argument: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise BadInput(argument, value, "a real number") from None


def _check_constant(name: str, value: object) -> None:
    number = _real(name, value)
    zero_allowed = name in ("R_s", "radius_scale")
    if not (math.isfinite(number) and (number > 0 or (zero_allowed and number == 0))):
        raise BadInput(name, value, "a finite number " + (">= 0" if zero_allowed else "> 0"))


def _check_choice(argument: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise BadInput(argument, value, " or ".join(repr(word) for word in accepted))
