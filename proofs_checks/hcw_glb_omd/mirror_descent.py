"""lemma:update-rule: what one step of mirror descent over a convex set guarantees.

Vectors enter only through inner products.  With v = theta_{t+1} - theta_t and w = u - theta_{t+1}, these
are three numbers vv, vw, ww, taken in A, and |theta_t - u|^2 = vv + 2 vw + ww; an inequality in the three
numbers holds in every dimension.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.claim import Evidence, Reading, Severity, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import gap
from glbcheck.verify.registry import claim
from glbcheck.verify.search import algebra


def mirror_step(share: sp.Rational) -> Evidence:
    """The bound with `share` of |theta_t - theta_{t+1}|^2 subtracted, from first-order optimality."""
    return algebra.decide(
        ["eta > 0", "vv >= 0", "ww >= 0", "grad + vw/eta >= 0"],
        f"ww <= 2*eta*grad + (vv + 2*vw + ww) - ({share})*vv",
        ["eta", "vv", "vw", "ww", "grad"],
    )


def mirror_step_at(u: Fraction) -> Evidence:
    """d = 1, Theta = [-1, 1], f = -4 theta, A = eta = 1, theta_t = 0: the step ends at the border, at 1."""
    statement = Statement(
        hypotheses=("eta > 0", "step == min(1, 4*eta)"),
        conclusion="(step - u)**2 <= 2*eta*(-4)*(u - step) + u**2 - step**2",
    )
    return refute(statement, {"eta": 1, "step": 1, "u": u}, "counterexample")


@claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - "
    r"\theta_{t+1} \rangle + \lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t "
    r"\rVert_A^2 \impliedby u \in \Theta",
    hypotheses=("f convex and differentiable", "A positive definite", "theta_{t+1} minimises over Theta"),
    expected=Verdict.GAP,
    control=("the same step compared with u = 1/2", lambda: gap(mirror_step(sp.S(1)), mirror_step_at(Fraction(1, 2)))),
    severity=Severity.HYPOTHESIS,
    consequence="u must lie in Theta; the only use takes u = theta_*, which does",
)
def mirror_descent_step() -> Evidence:
    """The one-step bound of mirror descent, stated for a u that is not said to lie in Theta.

    If the minimum lies on the border of Theta, a u beyond the border violates the bound: the gradient
    there does not vanish.  With u in Theta see `mirror_descent_step_inside`.
    """
    return gap(mirror_step(sp.S(1)), mirror_step_at(Fraction(2)))


@claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - "
    r"\theta_{t+1} \rangle + \lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t "
    r"\rVert_A^2 \text{ for all } u \in \Theta",
    reading=Reading.REPAIRED,
    hypotheses=("f convex and differentiable", "A positive definite", "eta > 0", "u in Theta"),
    expected=Verdict.PROVED,
    control=("1 + 10^-6 times |theta_t - theta_{t+1}|^2", lambda: mirror_step(1 + sp.Rational(1, 10**6))),
)
def mirror_descent_step_inside() -> Evidence:
    """The one-step bound of mirror descent for every u in Theta.

    A minimum over a convex set satisfies <grad f + A(theta_{t+1} - theta_t)/eta, u - theta_{t+1}> >= 0
    for u in the set, which is grad + vw/eta >= 0; the three squared norms do the rest.  theta_t may lie
    anywhere.
    """
    return mirror_step(sp.S.One)
