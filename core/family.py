"""A GLM family states its log-partition function; everything else is derived.

The reward r at natural parameter z and dispersion g has density

    p(r | z, g)  =  exp( (r z - m(z)) / g  +  log_base(r, g) )

with respect to Lebesgue measure on an interval or counting measure on a lattice.  A family is the
five facts m, domain, support, log_base, dispersions, and a sampler.  Mean mu = m', variance
g m'', derivatives, densities and constants follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats as Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number, stated
from glbcheck.core.support import Support as Support
from glbcheck.core.support import g as g
from glbcheck.core.support import r as r
from glbcheck.core.support import z as z
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from glbcheck.core.density import LogDensity
    from glbcheck.core.numeric import Table

Sampler = Callable[[np.random.Generator, Floats, float], NDArray[Any]]


@dataclass(frozen=True)
class Dispersions:
    """Which g make the density a density: a test and the words for it."""

    words: str
    allows: Callable[[float], bool]


ONE = Dispersions("g = 1", lambda g: g == 1)
POSITIVE = Dispersions("g > 0", lambda g: 0 < g < float("inf"))
ANY = Dispersions("g > 0, as far as m tells", POSITIVE.allows)
RECIPROCAL = Dispersions("g = 1/n", lambda g: 0 < g <= 1 and abs(1 / g - round(1 / g)) <= 1e-9 / g)


@dataclass(frozen=True)
class Family:
    """One GLM family; see the module's docstring for the meaning of the fields."""

    name: str
    log_partition: sp.Expr
    support: Support
    log_base: sp.Expr
    sampler: Sampler
    domain: sp.Interval = sp.S.Reals
    dispersions: Dispersions = ONE

    def __post_init__(self) -> None:
        stray = self.log_partition.free_symbols - {z}
        if stray:
            raise BadInput("log_partition", self.log_partition, f"an expression in z alone, without {stray}")

    def __hash__(self) -> int:
        """Of what tells families apart; that of a domain takes sympy longer than a short run takes us."""
        return hash((self.name, self.log_partition, self.sampler))

    @property
    def has_base(self) -> bool:
        """Is the base measure known, or m alone?"""
        return self.log_base is not sp.nan

    # --- exact ---------------------------------------------------------------------------------

    @cached_property
    def mu_expr(self) -> sp.Expr:
        """The mean, or inverse link."""
        return sp.diff(self.log_partition, z)

    @cached_property
    def dmu_expr(self) -> sp.Expr:
        """The slope of the mean; the variance is g times this."""
        return sp.diff(self.mu_expr, z)

    @cached_property
    def ddmu_expr(self) -> sp.Expr:
        return sp.diff(self.dmu_expr, z)

    @property
    def log_density_expr(self) -> sp.Expr:
        return (r * z - self.log_partition) / g + self.log_base

    def tilted(self, a: int | Fraction | str) -> Family:
        """The same rewards with natural parameter shifted, z -> z - a: the domain moves right by a.

        A family that lives on z < 0 can so be used on [-S, S] for every S < a.
        """
        shift = number(stated("a", a))
        moved = sp.Interval(
            self.domain.inf + shift, self.domain.sup + shift, self.domain.left_open, self.domain.right_open
        )
        return replace(
            self,
            name=f"{self.name}(z - {shift})" if shift >= 0 else f"{self.name}(z + {-shift})",
            log_partition=self.log_partition.subs(z, z - shift),
            log_base=self.log_base - r * shift / g,
            domain=moved,
            sampler=lambda rng, at, disp: self.sampler(rng, at - float(shift), disp),
        )

    # --- floating point ------------------------------------------------------------------------

    @cached_property
    def table(self) -> Table:
        """Piecewise Taylor polynomials of m, mu, mu' and mu'', accurate to a few units in the last place."""
        from glbcheck.core.numeric import Table

        return Table(self.log_partition, self.domain)

    def m(self, at: ArrayLike) -> Floats:
        return self.table(0, at)

    def mu(self, at: ArrayLike) -> Floats:
        return self.table(1, at)

    def dmu(self, at: ArrayLike) -> Floats:
        return self.table(2, at)

    def ddmu(self, at: ArrayLike) -> Floats:
        return self.table(3, at)

    @cached_property
    def _log_base(self) -> LogDensity:
        from glbcheck.core.density import log_base_function

        return log_base_function(self.log_base, self.support)

    def log_base_density(self, reward: Floats, dispersion: float | Floats = 1.0) -> Floats:
        """log_base(r, g), g one number or one per reward; minus infinity outside the support."""
        return self._log_base(reward, dispersion)

    def log_density(self, reward: ArrayLike, at: ArrayLike, dispersion: float = 1.0) -> Floats:
        """log p(r | z, g); minus infinity outside the support."""
        self.check_dispersion(dispersion)
        at = np.asarray(at, dtype=float)
        reward = np.asarray(reward, dtype=float)
        return np.asarray((reward * at - self.m(at)) / dispersion + self._log_base(reward, dispersion))

    def sample(
        self,
        rng: np.random.Generator,
        at: ArrayLike,
        dispersion: float = 1.0,
        size: int | tuple[int, ...] | None = None,
    ) -> Floats:
        """Rewards at natural parameter `at`, broadcast to `size` if given."""
        self.check_dispersion(dispersion)
        points = self.check_natural(at)
        shape = points.shape if size is None else size
        return np.asarray(self.sampler(rng, np.broadcast_to(points, shape), float(dispersion)), dtype=float)

    # --- refusals ------------------------------------------------------------------------------

    def check_dispersion(self, dispersion: float, argument: str = "dispersion") -> float:
        try:
            allowed = bool(self.dispersions.allows(float(dispersion)))
        except (TypeError, ValueError, ZeroDivisionError):
            allowed = False
        if not allowed:
            raise BadInput(argument, dispersion, f"{self.name} needs {self.dispersions.words}")
        return float(dispersion)

    def check_natural(self, at: ArrayLike) -> Floats:
        """Natural parameters as floats, all of them finite and inside the domain."""
        points = np.asarray(at, dtype=float)
        low, high = float(self.domain.inf), float(self.domain.sup)
        inside = np.isfinite(points) & (points > low) & (points < high)
        if not inside.all():
            offender = points[~inside].flat[0] if points.ndim else float(points)
            raise BadInput("z", offender, f"{self.name} lives on {low:g} < z < {high:g}")
        return points

    def check_radius(self, S: object) -> Fraction:
        """The radius S as an exact number, with [-S, S] inside the domain."""
        exact = stated("S", S, "a finite number S > 0")
        if exact <= 0:
            raise BadInput("S", S, "a finite number S > 0")
        room = min(self.domain.sup, -self.domain.inf)
        if not number(exact) < room:
            words = f"S < {room}" if room > 0 else f"no S > 0: 0 is not inside ({self.domain.inf}, {self.domain.sup})"
            raise BadInput("S", S, f"{self.name} lives on {interval_text(self.domain)}, so {words}; try .tilted(a)")
        return exact


def from_log_partition(name: str, log_partition: sp.Expr, domain: sp.Interval = sp.S.Reals) -> Family:
    """A family of which m alone is known: constants can be computed, rewards cannot be drawn."""
    return Family(name, log_partition, Support(-sp.oo, sp.oo), sp.nan, _no_rewards, domain, ANY)


def _no_rewards(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    raise BadInput("log_base", None, "a base measure, without which rewards cannot be drawn")


def interval_text(domain: sp.Interval) -> str:
    left = "(" if domain.left_open else "["
    right = ")" if domain.right_open else "]"
    return f"{left}{domain.inf}, {domain.sup}{right}"
