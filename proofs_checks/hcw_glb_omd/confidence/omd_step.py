"""lemma:update-rule: what one step of mirror descent over a convex set guarantees.

Vectors enter only through inner products, so what holds of these numbers holds in every dimension.
"""

from __future__ import annotations

from glbcheck.verify.claims.declare import claim
from glbcheck.verify.writing import proves

STEP = """
    vv: the squared move from theta_t to theta_{t+1} in A; ww: the squared distance of theta_{t+1} and u
    vw: the product in A of the move and the way from theta_{t+1} to u; eta: the rate; u: the point compared with
    grad: the product of the gradient at theta_{t+1} and that way
    eta > 0, vv >= 0, ww >= 0      [assumed: eta > 0; assumed: A positive definite]
    grad + vw/eta >= 0             [convex-minimum; assumed: f convex and differentiable; assumed: u in Theta]
    => ww <= 2*eta*grad + (vv + 2*vw + ww) - vv
"""

claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    id="mirror_descent_step",
    says="The one-step bound for a u that is not said to lie in Theta: false beyond the border.",
    steps=f"""{STEP}
    step: theta_{{t+1}}, the minimiser over numbers up to one of a loss of constant slope, from nothing
    eta > 0, step == min(1, 4*eta)      [assumed: theta_{{t+1}} minimises over Theta]
    => (step - u)**2 <= 2*eta*(-4)*(u - step) + u**2 - step**2
    fails at eta = 1, step = 1, u = 2
    """,
    why="If the minimum lies on the border of Theta, the gradient there need not vanish.",
    expected="gap",
    coq="HCW.Refutations.printed_update_rule_false",
    severity="hypothesis",
    consequence="u must lie in Theta; the only use takes u = theta_*, which does",
    carries=("regret_of_one_round",),
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - \theta_{t+1} \rangle + "
    r"\lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t \rVert_A^2 \impliedby u \in \Theta",
)

claim(
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    id="mirror_descent_step_inside",
    says="The one-step bound at every `u` of Theta, in the three products that make up the squared distance before it.",
    steps=STEP,
    reading="repaired",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - \theta_{t+1} \rangle + "
    r"\lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t \rVert_A^2 \text{ for all } u \in \Theta",
)

proves(
    "Glbcheck.MirrorDescent.mirror_step",
    "lemma:update-rule",
    "lemma:update-rule/eq1",
    id="mirror_descent_step_of_the_algorithm",
    title="The one-step bound for u in a convex set, when f is the quadratic loss of one round, in every dimension.",
    math=r"\lVert \theta_{t+1} - u \rVert_A^2 \le 2 \eta \langle \nabla f(\theta_{t+1}), u - \theta_{t+1} \rangle + "
    r"\lVert \theta_t - u \rVert_A^2 - \lVert \theta_{t+1} - \theta_t \rVert_A^2, \; f(\theta) = a \langle x, \theta - "
    r"\theta_t \rangle + \tfrac{h}{2} \langle x, \theta - \theta_t \rangle^2",
    reading="repaired",
    hypotheses=("Theta convex and u in Theta", "A symmetric", "eta > 0", "theta_{t+1} minimises over Theta"),
    control=("u not said to lie in Theta", "HCW.Refutations.printed_update_rule_false"),
    why="The lemma is stated for every convex f; this is the f that the algorithm minimises.  A minimum along the "
    "segment to u has a nonnegative slope there.",
)
