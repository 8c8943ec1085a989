"""A GLM family states its log-partition function; everything else is derived.

The reward r at natural parameter z and dispersion g has density

    p(r | z, g)  =  exp( (r z - m(z)) / g  +  log_base(r, g) )

with respect to Lebesgue measure on an interval or counting measure on a lattice.  A family is the
five facts m, domain, support, log_base, dispersions, and a sampler.  Mean mu = m', variance
g m'', derivatives, densities and constants follow.

The formulas of the catalogue are stated when they are first asked for: numbers that a learner needs of them are kept
(`kept`), so that a process which asks for nothing else does without SymPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from glbcheck.core import support
from glbcheck.core.arrays import Floats as Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number, stated
from glbcheck.core.kept import kept
from glbcheck.core.support import Formulas as Formulas
from glbcheck.core.support import Stating, reals, stated_now
from glbcheck.core.support import Support as Support
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import sympy as sp
    from glbcheck.core.density import LogDensity
    from glbcheck.core.numeric import Table
    from glbcheck.core.support import g as g
    from glbcheck.core.support import r as r
    from glbcheck.core.support import z as z
else:

    def __getattr__(name: str) -> object:
        return getattr(support, name)  # the letters


T = TypeVar("T")
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


@dataclass(frozen=True, repr=False)
class Family:
    """One GLM family; see the module's docstring for the meaning of the fields."""

    name: str
    log_partition: sp.Expr
    support: Support
    log_base: sp.Expr
    sampler: Sampler
    domain: sp.Interval = field(default_factory=reals)
    dispersions: Dispersions = ONE

    def __post_init__(self) -> None:
        from glbcheck.core.letters import z

        stray = self.log_partition.free_symbols - {z}
        if stray:
            raise BadInput("log_partition", self.log_partition, f"an expression in z alone, without {stray}")

    def __repr__(self) -> str:
        rewards = f"rewards in {self.support}" if self.has_base else "rewards not stated"
        return f"Family({self.name!r}: m = {self.log_partition} on {interval_text(self.domain)}, {rewards})"

    def __hash__(self) -> int:  # equal families have equal names; their formulas need not be stated for it
        return hash((self.name, self.sampler))

    # --- formulas stated later -----------------------------------------------------------------

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """A formula that is not stated yet."""
            if name not in _SYMBOLIC or "_formulas" not in self.__dict__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self.__dict__.update(vars(stated_now(self.__dict__["_formulas"])))
            self.__post_init__()
            return self.__dict__[name]

    @property
    def _named(self) -> bool:
        """Does the name say which formulas these are?  Of those in `core`, whose fingerprint is taken, it does."""
        return "_formulas" in self.__dict__ and self.__dict__["_formulas"].__module__.startswith("glbcheck.core.")

    def kept(self, question: str, find: Callable[[], T]) -> T:
        """The answer to a question about the formulas: plain data, kept under the name if that says which they are."""
        return kept((self.name, question), find) if self._named else find()

    @property
    def has_base(self) -> bool:
        """Is the base measure known, or m alone?"""
        import sympy as sp

        return self.log_base is not sp.nan

    # --- exact ---------------------------------------------------------------------------------

    @cached_property
    def mu_expr(self) -> sp.Expr:
        """The mean, or inverse link."""
        return self._derivative(self.log_partition)

    @cached_property
    def dmu_expr(self) -> sp.Expr:
        """The slope of the mean; the variance is g times this."""
        return self._derivative(self.mu_expr)

    @cached_property
    def ddmu_expr(self) -> sp.Expr:
        return self._derivative(self.dmu_expr)

    @staticmethod
    def _derivative(expr: sp.Expr) -> sp.Expr:
        from glbcheck.core.letters import z

        return expr.diff(z)

    @property
    def log_density_expr(self) -> sp.Expr:
        from glbcheck.core.letters import g, r, z

        return (r * z - self.log_partition) / g + self.log_base

    def tilted(self, a: int | Fraction | str) -> Family:
        """The same rewards with natural parameter shifted, z -> z - a: the domain moves right by a.

        A family that lives on z < 0 can so be used on [-S, S] for every S < a.
        """
        exact = stated("a", a)

        def formulas(sp: Any, z: Any, r: Any, g: Any) -> Formulas:
            old, shift = self.domain, number(exact)
            return Formulas(
                log_partition=self.log_partition.subs(z, z - shift),
                support=self.support,
                log_base=self.log_base - r * shift / g,
                domain=sp.Interval(old.inf + shift, old.sup + shift, old.left_open, old.right_open),
            )

        moved = later(
            name=f"{self.name}(z - {exact})" if exact >= 0 else f"{self.name}(z + {-exact})",
            formulas=formulas,
            sampler=lambda rng, at, disp: self.sampler(rng, at - float(exact), disp),
            dispersions=self.dispersions,
        )
        return moved if self._named else replace(moved)

    # --- floating point ------------------------------------------------------------------------

    @cached_property
    def table(self) -> Table:
        """Piecewise Taylor polynomials of m, mu, mu' and mu'', accurate to a few units in the last place."""
        from glbcheck.core.numeric import Table

        return Table(self)

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
        reward = np.asarray(reward, dtype=float)
        return np.asarray((np.multiply(reward, at) - self.m(at)) / dispersion + self._log_base(reward, dispersion))

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
            allowed = not isinstance(dispersion, str | bool) and bool(self.dispersions.allows(float(dispersion)))
        except (TypeError, ValueError, ArithmeticError):
            allowed = False
        if not allowed:
            raise BadInput(argument, dispersion, f"{self.name} needs {self.dispersions.words}")
        return float(dispersion)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The ends of the domain, to the nearest float."""
        low, high = self.kept("ends", lambda: [float(self.domain.inf), float(self.domain.sup)])
        return low, high

    def check_natural(self, at: ArrayLike) -> Floats:
        """Natural parameters as floats, all of them finite and inside the domain."""
        points = np.asarray(at, dtype=float)
        low, high = self.ends
        inside = np.isfinite(points) & (points > low) & (points < high)
        if not inside.all():
            raise BadInput("z", float(points[~inside][0]), f"{self.name} lives on {low:g} < z < {high:g}")
        return points

    def check_radius(self, S: object) -> Fraction:
        """The radius S as an exact number, with [-S, S] inside the domain."""
        exact = stated("S", S, "a finite number S > 0")
        if exact <= 0:
            raise BadInput("S", S, "a finite number S > 0")
        if exact < math.nextafter(min(self.ends[1], -self.ends[0]), 0.0):  # a float below the true end
            return exact
        room = min(self.domain.sup, -self.domain.inf)
        if not number(exact) < room:
            words = f"S < {room}" if room > 0 else f"no S > 0: 0 is not inside ({self.domain.inf}, {self.domain.sup})"
            raise BadInput("S", S, f"{self.name} lives on {interval_text(self.domain)}, so {words}; try .tilted(a)")
        return exact


_SYMBOLIC = {one.name for one in fields(Formulas)}


def later(name: str, formulas: Stating, sampler: Sampler, dispersions: Dispersions = ONE) -> Family:
    """A family whose formulas are stated when they are asked for, from SymPy and the letters z, r, g."""
    family = object.__new__(Family)
    family.__dict__.update(name=name, sampler=sampler, dispersions=dispersions, _formulas=formulas)
    return family


def from_log_partition(name: str, log_partition: sp.Expr, domain: sp.Interval | None = None) -> Family:
    """A family of which m alone is known: constants can be computed, rewards cannot be drawn."""
    import sympy as sp

    whole = Support(-sp.oo, sp.oo)
    return Family(name, log_partition, whole, sp.nan, _no_rewards, reals() if domain is None else domain, ANY)


def _no_rewards(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    raise BadInput("log_base", None, "a base measure, without which rewards cannot be drawn")


def interval_text(domain: sp.Interval) -> str:
    left = "(" if domain.left_open else "["
    right = ")" if domain.right_open else "]"
    return f"{left}{domain.inf}, {domain.sup}{right}"
