"""The letters of a family (natural parameter z, reward r, dispersion g) and where its rewards lie."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

z, r = sp.symbols("z r", real=True)
g = sp.Symbol("g", positive=True)


@dataclass(frozen=True)
class Support:
    """Where rewards lie: the interval [lower, upper], or the lattice lower, lower + step, ... upper.

    `step` is None for an interval; for a lattice it may depend on the dispersion g.
    """

    lower: sp.Expr
    upper: sp.Expr
    step: sp.Expr | None = None

    def __str__(self) -> str:
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
