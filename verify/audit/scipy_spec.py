"""A SciPy distribution as a family: its parameters as functions of z, its log-density as an oracle.

SciPy gives numbers, not formulas.  So m is either stated by the user or recognised, to nine digits, as that
of a catalogue family; then SciPy's own log-density decides whether p(r | z) = exp(r z - m(z) + base(r)).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, from_log_partition, interval_text, z
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.domain import formula
from glbcheck.verify.claim import Verdict
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TOLERANCE = 1e-9
DIFFERENT = 1e-6  # a spread that rounding in SciPy does not explain


@dataclass(frozen=True)
class ScipyLaw:
    """A distribution whose parameters move with z."""

    name: str
    distribution: Any
    parameters: Mapping[str, sp.Expr]

    def frozen(self, at: float) -> Any:
        values = {name: float(expr.subs(z, at)) for name, expr in self.parameters.items()}
        return self.distribution(**values)

    def log_density(self, reward: Floats, at: float) -> Floats:
        law = self.frozen(at)
        return np.asarray(law.logpmf(reward) if hasattr(law.dist, "logpmf") else law.logpdf(reward))

    def rewards(self, at: float) -> Floats:
        """Points that carry mass, from the quantiles."""
        return np.unique(np.asarray(self.frozen(at).ppf(np.linspace(0.02, 0.98, 13)), dtype=float))


def read_law(name: str, natural: str | None) -> ScipyLaw:
    """The distribution of this name with its parameters as formulas in z."""
    from scipy import stats

    found = getattr(stats, name, None) if name.isidentifier() and not name.startswith("_") else None
    if not isinstance(found, stats.rv_continuous | stats.rv_discrete):
        raise BadInput("SPEC", f"scipy:{name}", "the name of a distribution of scipy.stats")
    accepted = f"its parameters as formulas in z, e.g. --natural '{_example(found)}'"
    if natural is None:
        raise BadInput("SPEC", f"scipy:{name}", f"together with --natural: {accepted}")
    parameters = {}
    for part in re.split(r"[;,](?=\s*\w+\s*=)", natural):
        key, equals, text = part.partition("=")
        if not equals or key.strip() not in _parameters(found):
            raise BadInput("--natural", part, f"{accepted}; {name} takes {', '.join(_parameters(found))}")
        parameters[key.strip()] = formula("--natural", text, {"z": z})
    if missing := [shape for shape in _shapes(found) if shape not in parameters]:
        raise BadInput("--natural", natural, f"{accepted}; also {', '.join(missing)}")
    return ScipyLaw(name, found, parameters)


def _parameters(distribution: Any) -> list[str]:
    return [*_shapes(distribution), "loc", *(["scale"] if hasattr(distribution, "logpdf") else [])]


def _shapes(distribution: Any) -> list[str]:
    return [s.strip() for s in (distribution.shapes or "").split(",") if s.strip()]


def _example(distribution: Any) -> str:
    return f"{_parameters(distribution)[0]}=exp(z)"


def from_scipy(law: ScipyLaw, partition: sp.Expr | None, domain: sp.Interval | None) -> Family:
    """The family, m stated or recognised, rewards drawn by SciPy."""
    from glbcheck.verify.audit.domain import natural_domain

    if partition is None:
        family = recognised(law)
    else:
        family = from_log_partition(f"scipy:{law.name}", partition, domain or natural_domain(partition))

    def draw(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
        points = np.ravel(at)
        rewards = np.empty(points.size)
        for point in np.unique(points):  # building a law takes SciPy longer than drawing from it
            mine = points == point
            rewards[mine] = law.frozen(float(point)).rvs(size=int(mine.sum()), random_state=rng)
        return rewards.reshape(np.shape(at))

    return replace(family, name=f"scipy:{law.name}", sampler=draw)


def recognised(law: ScipyLaw) -> Family:
    """The catalogue family with the same m up to a constant."""
    for family in catalog.every():
        points = inner_points(family)
        try:
            gap = [_partition_gap(law, family, point) for point in points]
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            continue
        if np.isfinite(gap).all() and np.ptp(gap) <= TOLERANCE * (1 + np.abs(gap).max()):
            return family
    accepted = "a catalogue family in this z; for any other --partition gives m(z) as a formula"
    raise BadInput("SPEC", f"scipy:{law.name}", accepted)


def _partition_gap(law: ScipyLaw, family: Family, at: float) -> float:
    """r z - log p(r | z) - m(z): the base at one fixed reward, the same for every z if m is right."""
    rewards = law.rewards(inner_points(family)[4])
    reward = rewards[rewards.size // 2 :][:1]
    return float((reward * at - law.log_density(reward, at))[0]) - _partition(family, at)


def _partition(family: Family, at: float) -> float:
    """m at one point, without the tables of the family, which take longer than a few values."""
    return float(sp.N(family.log_partition.subs(z, sp.Rational(at))))


def inner_points(family: Family) -> Sequence[float]:
    """Nine points well inside the domain, and inside [-2, 2] if that is."""
    low, high = float(family.domain.inf), float(family.domain.sup)
    left = low if np.isfinite(low) else min(0.0, high if np.isfinite(high) else 0.0) - 2
    right = high if np.isfinite(high) else max(0.0, low if np.isfinite(low) else 0.0) + 2
    return list(np.linspace(left, right, 11)[1:-1])


def agrees(law: ScipyLaw, family: Family) -> Callable[[], Finding]:
    """Is SciPy's density exp(r z - m(z) + base(r)) on a grid of rewards and natural parameters?"""

    def decide() -> Finding:
        points = inner_points(family)
        rewards = law.rewards(points[4])
        table = np.array([rewards * at - law.log_density(rewards, at) - family.m(at) for at in points])
        spread = np.ptp(table, axis=0) / (1 + np.abs(table).max(axis=0))
        worst = float(np.max(spread))
        where = f"{len(points)} z in {interval_text(family.domain)} and {rewards.size} rewards"
        if not np.isfinite(worst):
            return Finding(Verdict.UNDECIDED, f"SciPy's log-density is not finite on {where}")
        if worst > TOLERANCE:
            words = f"r z - m(z) - log p(r|z) moves with z by {worst:.3g} (relative, in doubles)"
            if worst > DIFFERENT:
                return Finding(Verdict.CONTRADICTED, f"{words}: not of the form claimed")
            return Finding(Verdict.UNDECIDED, f"{words}, which may be rounding")
        return Finding(Verdict.STRESS_TESTED, f"constant in z to {worst:.1e} (relative) at {where}, in doubles")

    return decide
