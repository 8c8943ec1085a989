"""lemma:update-rule: what one step of mirror descent over a convex set guarantees.

Vectors enter only through inner products.  With v = theta_{t+1} - theta_t and w = u - theta_{t+1}, these
are three numbers vv, vw, ww, taken in A, and |theta_t - u|^2 = vv + 2 vw + ww; an inequality in the three
numbers holds in every dimension.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.writing import Evidence, claim, fails, gap, implies


def mirror_step(share: sp.Rational) -> Evidence:
    """The bound with `share` of |theta_t - theta_{t+1}|^2 subtracted, from first-order optimality."""
    return implies(
        ["eta > 0", "vv >= 0", "ww >= 0", "grad + vw/eta >= 0"], f"ww <= 2*eta*grad + (vv + 2*vw + ww) - ({share})*vv"
    )


@claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - \theta_{t+1} \rangle + "
    r"\lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t \rVert_A^2 \impliedby u \in \Theta",
    hypotheses=("f convex and differentiable", "A positive definite", "theta_{t+1} minimises over Theta"),
    expected="gap",
    control=("the same step compared with u = 1/2", Fraction(1, 2)),
    severity="hypothesis",
    consequence="u must lie in Theta; the only use takes u = theta_*, which does",
    carries=("regret_of_one_round",),
)
def mirror_descent_step(u: Fraction = Fraction(2)) -> Evidence:
    """The one-step bound of mirror descent, stated for a u that is not said to lie in Theta.

    If the minimum lies on the border of Theta, a u beyond the border violates the bound: the gradient
    there does not vanish.  With u in Theta see `mirror_descent_step_inside`.
    """
    # d = 1, Theta = [-1, 1], f = -4 theta, A = eta = 1, theta_t = 0: the step ends at the border, at 1.
    mirror_step_at = fails(
        ("eta > 0", "step == min(1, 4*eta)"),
        "(step - u)**2 <= 2*eta*(-4)*(u - step) + u**2 - step**2",
        at={"eta": 1, "step": 1, "u": u},
    )
    return gap(mirror_step(sp.S(1)), mirror_step_at)


@claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - \theta_{t+1} \rangle + "
    r"\lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t \rVert_A^2 \text{ for all } u \in \Theta",
    reading="repaired",
    hypotheses=("f convex and differentiable", "A positive definite", "eta > 0", "u in Theta"),
    control=("1 + 10^-6 times |theta_t - theta_{t+1}|^2", lambda: mirror_step(1 + sp.Rational(1, 10**6))),
    facts=("convex-minimum",),
)
def mirror_descent_step_inside() -> Evidence:
    """The one-step bound of mirror descent for every u in Theta.

    A minimum over a convex set satisfies <grad f + A(theta_{t+1} - theta_t)/eta, u - theta_{t+1}> >= 0
    for u in the set, which is grad + vw/eta >= 0; the three squared norms do the rest.  theta_t may lie
    anywhere.
    """
    return mirror_step(sp.S.One)
