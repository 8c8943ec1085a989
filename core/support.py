"""The formulas of a family, where its rewards lie, and its letters z, r, g: SymPy is loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import sympy as sp
    from glbcheck.core.letters import g as g
    from glbcheck.core.letters import r as r
    from glbcheck.core.letters import z as z
else:

    def __getattr__(name: str) -> object:
        if name not in ("z", "r", "g"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from glbcheck.core import letters

        return getattr(letters, name)


@dataclass(frozen=True)
class Support:
    """Where rewards lie: the interval [lower, upper], or the lattice lower, lower + step, ... upper.

    `step` is None for an interval; for a lattice it may depend on the dispersion g.
    """

    lower: sp.Expr
    upper: sp.Expr
    step: sp.Expr | None = None

    def __str__(self) -> str:
        import sympy as sp

        if self.step is None:
            left = "(" if self.lower == -sp.oo else "["
            right = ")" if self.upper == sp.oo else "]"
            return f"{left}{self.lower}, {self.upper}{right}"
        second = sp.simplify(self.lower + self.step)
        if second == self.upper:
            return f"{{{self.lower}, {self.upper}}}"
        if self.lower == -sp.oo:
            return "Z" if self.step == 1 else f"{self.step} Z"
        tail = "...}" if self.upper == sp.oo else f"..., {self.upper}}}"
        return f"{{{self.lower}, {second}, {tail}"


def reals() -> sp.Interval:
    import sympy as sp

    return sp.S.Reals


@dataclass(frozen=True)
class Formulas:
    """The fields of a family that are formulas."""

    log_partition: sp.Expr
    support: Support
    log_base: sp.Expr
    domain: sp.Interval = field(default_factory=reals)


Stating: TypeAlias = Callable[[Any, Any, Any, Any], Formulas]  # from SymPy itself, z, r and g


def stated_now(stating: Stating) -> Formulas:
    import sympy as sp
    from glbcheck.core.letters import g, r, z

    return stating(sp, z, r, g)
