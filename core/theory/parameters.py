"""What a learner is told before the first round, checked, with every constant filled in.

The reference and the compiled engine both start from here, so they cannot disagree about a constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index as index_of
from typing import Literal, SupportsIndex, TypeAlias, get_args

from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.theory import constants, link_constants, sharpest, tuning
from glbcheck.core.theory.link_constants import whole_line
from glbcheck.core.theory.local_constants import known_surroundings

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
    by_hand: tuple[str, ...]  # named here when given by hand instead of by the theory
    choice: tuning.Choice | None = None  # what was chosen by minimising the proved bound, if it was
    horizon: float | None = None  # the number of rounds that it was chosen for
    scout: float = 0.0  # the share of the proved bound that a scout may spend; 0 for none

    def beta(self, inverse_g: float, logdet: float) -> float:
        """theorem:confidence-sequence/eq2: β_t, or its determinant form."""
        if self.radius_form == "determinant":
            return float(self.use.beta_from_logdet(self.S, self.delta, self.eta, self.lam, logdet))
        return float(self.use.beta(self.d, self.S, self.delta, self.eta, self.lam, self.L_mu, inverse_g))

    @cached_property
    def half(self) -> float:
        """η α C where the radius is the root of x² = β_t² + 2 η α C x, and 0 where it is bounded by β_t + 2 η α C."""
        return 0.0 if self.choice is None else self.choice.half

    @cached_property
    def widening(self) -> float:
        """eq:CS: what the corruption adds to β_t, or to the root of β_t² + half²."""
        return self.half if self.choice else float(constants.widening(self.eta, self.alpha, self.C))

    def radius(self, beta: float) -> float:
        """eq:CS: the radius of C_t; a hand-tuned scale other than 1 voids the guarantee."""
        exact = beta + self.widening if self.choice is None else float(sharpest.radius(beta**2, self.half))
        return self.radius_scale * exact

    def promised(self, dispersion: float) -> float:
        """The dispersion, refused if the constants were chosen for others."""
        if self.choice is None or self.choice.problem.g_min <= dispersion <= self.choice.problem.g_max:
            return dispersion
        within = f"a number in [{self.choice.problem.g_min:g}, {self.choice.problem.g_max:g}]"
        raise BadInput("dispersion", dispersion, f"{within}, or another range of `dispersions` at the start")

    @cached_property
    def tuned(self) -> tuple[str, ...]:
        """The constants that void the confidence guarantee: tuned, or below the family's certified value."""
        free = [name for name in self.by_hand if name in ("eta", "lam", "radius_scale")]
        certified = [name for name in ("R_s", "L_mu") if name in self.by_hand]
        needed = {name: link_constants.needed(self.family, name, self.S) for name in certified}
        return (*free, *(name for name in certified if getattr(self, name) < needed[name]))

    @property
    def guarantee(self) -> str:
        """Which theorem stands behind the confidence sets, or that none does."""
        if self.tuned:
            return "none: tuned by hand: " + ", ".join(self.tuned)
        if self.choice:
            T = f"{self.horizon:g}" if self.horizon else "10^4"
            bound, least = self.choice.regret_bound(self.horizon or 1e4), self.choice.problem.link.span
            times = f"{1 + self.scout:.15g} " if self.scout else ""
            return (
                f"theorem:confidence-sequence (sharpest constants), and with probability at least {1 - self.delta:g} "
                f"the regret of T rounds is at most {(1 + self.scout) * bound:.4g} for T = {T} (the most possible is "
                f"{least * (self.horizon or 1e4):.4g}), and bounded by {times}choice.regret_bound(T) for all T at once "
                "(parameters.choice)"
            )
        if self.use is constants.REPAIRED and self.R_s < whole_line(self.family).lower:
            return "none: the repaired theorem needs R_s to hold on the whole line"
        return f"theorem:confidence-sequence ({self.use.name} constants)"


def parameters(
    family: Family, d: int, S: float, delta: float, C: float, alpha: float | None = None, *,
    R_s: float | None = None, L_mu: float | None = None, eta: float | None = None, lam: float | None = None,
    radius_scale: float | None = None, reading: str = "paper", index: Index | None = None,
    radius_form: RadiusForm | None = None, horizon: float | None = None,
    dispersions: tuple[float, float] = (1.0, 1.0), start: float = 0.0, scout: float = 0.0,
) -> Parameters:  # fmt: skip
    """The parameters of a learner; whatever is None is what the paper (or its repair) prescribes.

    The last four are for the `sharpest` constants: the number of rounds to be best at (None: at every T nearly), the
    range of the dispersions, ‖θ_1‖, and the share of the proved bound that a scout may spend (`core.theory.scout`).
    """
    if not isinstance(family, Family):
        raise BadInput("family", family, "a family, such as catalog.get('bernoulli')")
    for argument, word, accepted in (("index", index, Index), ("radius_form", radius_form, RadiusForm)):
        if word is not None and word not in get_args(accepted):
            raise BadInput(argument, word, " or ".join(map(repr, get_args(accepted))))
    if isinstance(d, bool) or not isinstance(d, SupportsIndex) or index_of(d) < 1:
        raise BadInput("d", d, "an integer d >= 1")
    d = index_of(d)
    radius = family.check_radius(S)
    S, delta, C = float(S), _real("delta", delta), _real("C", C)
    if not 0 < delta < 1:
        raise BadInput("delta", delta, "a probability strictly between 0 and 1")
    if not 0 <= C < math.inf:
        raise BadInput("C", C, "a finite corruption budget C >= 0")
    if horizon is not None and not 1 <= _real("horizon", horizon) < math.inf:
        raise BadInput("horizon", horizon, "a number of rounds, or None for a learner that is nearly best at every T")
    share = _real("scout", scout)
    if not 0 <= share < math.inf:
        raise BadInput("scout", scout, "a share of the proved bound: a finite number >= 0, and 0 for no scout")
    given = {"R_s": R_s, "L_mu": L_mu, "eta": eta, "lam": lam, "radius_scale": radius_scale, "alpha": alpha}
    for name, value in given.items():
        number, zero = 1.0 if value is None else _real(name, value), name in ("R_s", "radius_scale")
        if not (math.isfinite(number) and (number > 0 or (zero and number == 0))):
            raise BadInput(name, value, "a finite number " + (">= 0" if zero else "> 0"))
    if reading == "sharpest":
        for name, other in {**given, "radius_form": radius_form}.items():
            if other is not None and name != "radius_scale":
                raise BadInput(name, other, "nothing: the sharpest constants are found, not given")
        chosen = _sharpest(family, sharpest_problem(family, d, S, delta, C, dispersions, start), horizon)
        scale = 1.0 if radius_scale is None else float(radius_scale)
        by_hand = () if radius_scale is None else ("radius_scale",)
        if share and index == "exact":
            raise BadInput("index", index, "'closed-form' with a scout: what proposals cost is told by it")
        own = index or ("closed-form" if share else chosen.index)
        return replace(chosen, index=own, radius_scale=scale, by_hand=by_hand, scout=share)
    if share:
        raise BadInput("scout", scout, "0, or the sharpest constants: a scout spends a share of the bound they prove")
    if alpha is None:
        alpha = constants.alpha(d, C)
    with _certified(S):
        use = known_surroundings(family, radius).formulas if reading == "local" else constants.formulas(reading)
        if R_s is None:  # on [-S, S] as printed; the repaired theorem asks for the whole line, where that is finite
            whole = whole_line(family).upper if use is constants.REPAIRED else math.inf
            R_s = whole if math.isfinite(whole) else link_constants.R_s(family, S).upper
        L_mu = link_constants.L_mu(family, S).upper if L_mu is None else L_mu
    if eta is None:
        eta = constants.eta(R_s, S)
    try:
        lam = use.lam(d, S, eta, alpha, R_s, L_mu) if lam is None else lam
        ordinary = math.isfinite(4 * lam * S**2)
    except ArithmeticError:
        lam, ordinary = math.inf, False
    if not ordinary:
        raise BadInput("S", S, f"a radius for which λ and 4 λ S² are ordinary numbers; here λ = {lam!r}")
    return Parameters(
        family=family, d=d, S=S, delta=delta, C=C, alpha=float(alpha), R_s=float(R_s), L_mu=float(L_mu),
        eta=float(eta), lam=float(lam), use=use, index=index or "exact", radius_form=radius_form or "sum",
        radius_scale=1.0 if radius_scale is None else float(radius_scale),
        by_hand=tuple(name for name, value in given.items() if value is not None),
    )  # fmt: skip


def _sharpest(family: Family, problem: tuning.Problem, horizon: float | None) -> Parameters:
    """Everything that the theorems leave free, by `core.theory.tuning`."""
    try:
        choice = tuning.tune(problem, horizon)
        finite = math.isfinite(choice.regret_bound(horizon or 1e4))
    except ArithmeticError:
        finite = False
    if not finite:
        p, accepted = problem, "a problem whose bound is an ordinary number, unlike"
        asked = f"S = {p.S:g}, delta = {p.delta:g}, C = {p.C:g}, dispersions from {p.g_min:g} to {p.g_max:g}"
        raise BadInput("constants", "sharpest", f"{accepted} {asked}")
    return of_choice(family, choice, horizon)


def sharpest_problem(
    family: Family, d: int, S: float, delta: float, C: float, dispersions: tuple[float, float], start: float
) -> tuning.Problem:
    """What the sharpest constants are chosen for."""
    R_s = whole_line(family).upper
    if not math.isfinite(R_s):
        accepted = "a family that is self-concordant on the whole line; here 'local' has a theorem"
        raise BadInput("constants", "sharpest", accepted)
    g_min, g_max = tuning.checked_dispersions(dispersions)
    with _certified(S):
        return tuning.Problem(tuning.link_of(family, S, R_s), d, S, delta, C, g_min, g_max, start)


@contextmanager
def _certified(S: float) -> Iterator[None]:
    """Constants that cannot be enclosed are a matter of the radius."""
    try:
        yield
    except (TypeError, ArithmeticError) as err:
        from glbcheck.core.enclosure import NotEnclosed
        from glbcheck.core.enclosure.extrema import Unresolved

        if not isinstance(err, NotEnclosed | Unresolved):
            raise
        raise BadInput("S", S, f"a radius for which the constants of the family can be certified ({err})") from None


def of_choice(family: Family, choice: tuning.Choice, horizon: float | None) -> Parameters:
    """The parameters of a learner that runs with what was found."""
    p, link = choice.problem, choice.problem.link
    use = constants.Formulas("sharpest", lambda *_: choice.lam, constants.growth_rate_repaired, choice.beta_from_logdet)
    return Parameters(
        family, p.d, p.S, p.delta, p.C, choice.alpha, link.R_s, link.L_mu, p.eta, choice.lam, use, "exact",
        "determinant", 1.0, by_hand=(), choice=choice, horizon=horizon,
    )  # fmt: skip


def _real(argument: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise BadInput(argument, value, "a real number") from None
