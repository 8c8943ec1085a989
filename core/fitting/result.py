"""What a fit found, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.goodness import LEVEL, Bin, Test
from glbcheck.core.fitting.learner import Setup

Word = Literal["plausible", "undecided", "contradicted", "excluded"]
WORDS: tuple[Word, ...] = ("plausible", "undecided", "contradicted", "excluded")
TWIN = "here the same law as"  # how the reason of a family begins that repeats another one
MEANING = {
    "plausible": f"its tests together do not speak against it at {LEVEL:.1%}; that is no proof",
    "undecided": "it could not be fitted or tested, for the reason given",
    "contradicted": f"the tests together reject it at {LEVEL:.1%}",
    "excluded": "it cannot give a value that was seen",
}


@dataclass(frozen=True, eq=False)
class Estimate:
    """The maximum likelihood fit of one family, in units of the scaled contexts."""

    theta: Floats
    standard_errors: Floats
    norm: float
    norm_error: float
    dispersion: float | None  # None where every row has its own
    dispersion_how: str
    parameters: int
    log_likelihood: float
    aic: float
    deviance: float | None  # of Gaussian, Poisson, gamma and binomial laws
    variance_ratio: float  # mean squared Pearson residual over n - d: 1 if g μ' is the variance
    natural: Floats
    pearson: Floats
    deviances: Floats | None  # deviance residuals


@dataclass(frozen=True, eq=False)
class FamilyFit:
    """One family: its word, the reason for it, and the evidence."""

    name: str
    family: Family
    word: Word
    reason: str
    estimate: Estimate | None = None
    tests: tuple[Test, ...] = ()
    quantile_residuals: Floats | None = None  # of the rows that were tested
    bins: tuple[Bin, ...] = ()
    learner: Setup | None = None
    chosen_n: bool = False  # was n taken from the data?

    @property
    def discrete(self) -> bool:
        return self.family.support.step is not None

    def as_dict(self) -> dict[str, Any]:
        """Plain data, without the arrays that have one entry per row."""
        found: dict[str, Any] = {"family": self.name, "word": self.word, "reason": self.reason}
        found["density"] = "mass function" if self.discrete else "density"
        if self.estimate is not None:
            one = self.estimate
            found |= {
                "theta": one.theta.tolist(),
                "standard_errors": one.standard_errors.tolist(),
                "norm": one.norm,
                "norm_error": one.norm_error,
                "dispersion": one.dispersion,
                "dispersion_how": one.dispersion_how,
                "parameters": one.parameters,
                "log_likelihood": one.log_likelihood,
                "aic": one.aic,
                "deviance": one.deviance,
                "variance_ratio": one.variance_ratio,
            }
        found["tests"] = [vars(test) for test in self.tests]
        found["bins"] = [vars(one) for one in self.bins]
        found["learner"] = None if self.learner is None else vars(self.learner) | {"code": list(self.learner.code)}
        return found


@dataclass(frozen=True, eq=False)
class Fit:
    """All families, best first."""

    rows: int
    tested_rows: int
    columns: tuple[str, ...]
    scales: tuple[float, ...]
    seed: int
    families: tuple[FamilyFit, ...]
    notes: tuple[str, ...]

    @property
    def best(self) -> FamilyFit | None:
        """The first plausible family, if there is one."""
        return next((one for one in self.families if one.word == "plausible"), None)

    def __getitem__(self, name: str) -> FamilyFit:
        """The family of this name, with or without its n."""
        return next(one for one in self.families if name in (one.name, one.name.partition("(")[0]))

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "tested_rows": self.tested_rows,
            "columns": list(self.columns),
            "scales": list(self.scales),
            "seed": self.seed,
            "best": None if self.best is None else self.best.name,
            "families": [one.as_dict() for one in self.families],
            "notes": list(self.notes),
        }
