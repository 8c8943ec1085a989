"""The algorithm: its weights and its steps.

Symbols: eta the step size, lam the regularisation, alpha the trust threshold of the weights, n = |x_t| in
the norm of H_t^-1, q = n^2.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from glbcheck.core.algorithm.reference import omd_step
from glbcheck.core.theory import constants
from glbcheck.verify.search import property, strategies, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, structural, text_of
from hypothesis import strategies as st
from numpy.typing import NDArray

from .quantities import ALPHA, lam

Array = NDArray[np.float64]

structural(
    "sec:algorithm",
    reason="describes the algorithm in words; its weights and steps are decided at the pseudocode.  That a "
    "round costs the same at every t is read off it: theta_t, H_t and the sum of 1/g are updated from "
    "one round to the next, and the cost of the arm choice depends on the arm set, not on t.  The list of "
    "inputs leaves out S, L_mu and C, which C_t needs, and the maximiser is a pair of which x_t is the arm",
    uses=("omd_step_in_closed_form",),
)


# --- eq:corrupted-loss: the loss and its weight --------------------------------------------------------

t1, t2, x1, x2, w, rewarded = sp.symbols("t1 t2 x1 x2 w rewarded", real=True)
g, eta, q, a, alpha = sp.symbols("g eta q a alpha", positive=True)


@claim(
    "eq:corrupted-loss",
    hypotheses=("m is twice differentiable", "g > 0"),
    control=("the reward with the other sign", -1),
    facts=("convex-tangent",),
)
def derivatives_of_the_loss(sign: int = 1) -> Evidence:
    """The weighted loss has gradient (w/g)(mu(<x, theta>) - r) x and Hessian (w/g) mu'(<x, theta>) x x^T.

    By the chain rule, coordinate by coordinate; two coordinates show every kind of entry.  The Hessian is
    positive semidefinite, so the loss is convex and H_t never shrinks.
    """
    # Gradient (w/g)(mu - sign r) x and Hessian (w/g) mu' x x^T of the weighted loss, in two dimensions.
    at = x1 * t1 + x2 * t2
    loss = w * (symbolic.smooth("m")(at) - rewarded * at) / g
    pull = w / g * (symbolic.smooth("m", 1)(at) - sign * rewarded)
    bend = w / g * symbolic.smooth("m", 2)(at)
    arm, theta = sp.Matrix([x1, x2]), [t1, t2]
    gradient = sp.Matrix([sp.Derivative(loss, t) for t in theta])
    hessian = sp.Matrix(2, 2, [sp.Derivative(f, t) for t in theta for f in gradient])
    return combine(
        symbolic.matrix_identity(gradient, pull * arm), symbolic.matrix_identity(hessian, bend * arm * arm.T)
    )


@claim(
    "eq:corrupted-loss",
    "algorithm:CW-GLB-OMD",
    hypotheses=("alpha, g > 0", "n = |x| in the norm of H^-1"),
    control=("n + alpha g in place of the maximum", "(n + b)"),
)
def weight_without_division_by_zero(upper: str = "max(n, b)") -> Evidence:
    """The weight is alpha g/max(n, alpha g): in (0, 1], 1 exactly when n <= alpha g, and w n <= alpha g.

    The printed quotient alpha g/n is undefined for the arm x = 0, which the setting allows; the limit w = 1
    is the only choice that is continuous, and any choice leaves the update unchanged.
    """
    # v = alpha g/max(n, alpha g), put against min(1, alpha g/n), with b = alpha g.
    known = ["b > 0", "n >= 0", f"v == b/{upper}"]
    return combine(
        implies([*known, "n > 0"], "v == min(1, b/n)"),
        implies([*known, "n == 0"], "v == 1"),
        implies(known, "v > 0"),
        implies(known, "v <= 1"),
        implies(known, "v*n <= b"),
        implies([*known, "n <= b"], "v == 1"),
        implies([*known, "n > b"], "v < 1"),
    )


@claim(
    "overview-of-the-algorithm/s4",
    math=r"w_t = 1 \Longrightarrow x_t^\top (H_t - \lambda I) x_t > 0",
    hypotheses=("logistic rewards", "alpha = sqrt(d)/max(C, 1), eta and lambda as printed", "an arm of length 1"),
    expected="refuted",
    control=("a direction with information", 1),
    severity="slip",
    consequence="w_t = 1 says that n is at most alpha g and nothing of the past: where alpha g sqrt(lambda) >= 1, as "
    "for logistic and Poisson rewards with C <= 1, every observation has full weight from the first round on",
)
def full_weight_means_explored(information: int = 0) -> Evidence:
    """A weight of 1 means that the direction of the arm has been explored: no, the first arm may have it.

    H_1 = lambda I holds no observation.  Logistic rewards with d = 1, S = 2, g = 1 and C = 0 have lambda = 81 and
    alpha = 1, so that the first arm of length 1 has n = 1/9, below alpha g = 1, and the weight 1.
    """
    # x^T H x is lambda plus the information in the direction of x; R_s = 1 and L = 1/4.
    first_round = fails(
        ("d >= 1", "S > 0", "g > 0", "C >= 0", "information >= 0", "min(1, alpha*g*sqrt(lam + information)) == 1"),
        "information > 0",
        {"alpha": ALPHA, "eta": text_of(constants.eta, "1", "S"), "lam": lam(R_s="1", L_mu="(1/4)")},
        at={"d": 1, "S": 2, "g": 1, "C": 0, "information": information},
    )
    every = implies(["alpha > 0", "g > 0", "lam > 0", "alpha**2*g**2*lam >= 1"], "alpha*g*sqrt(lam) >= 1")
    return refuted(first_round, every)


@claim(
    "sec:algorithm",
    "algorithm:CW-GLB-OMD",
    math=r"w_t = \min \left( 1, \frac{\alpha'}{\lVert x_t \rVert_{V_t^{-1}}} \right), \; V_t = \lambda' I + "
    r"\sum_{s < t} w_s x_s x_s^\top \text{ for } \mu(z) = z \impliedby g_t = g \text{ for all } t",
    hypotheses=("mu(z) = z", "alpha' and lambda' are the same in all rounds"),
    expected="gap",
    control=("equal dispersions", Fraction(1, 2)),
    severity="hypothesis",
    consequence="with one dispersion g the weight is the known one for alpha' = alpha sqrt(g) and lambda' = lambda g; "
    "with varying dispersions it scales with g_t, as the known one does not, and is new",
)
def linear_weights_are_known(second: Fraction = Fraction(1, 4)) -> Evidence:
    """For mu(z) = z the weight is that of linear bandits, min(1, alpha'/|x| in V^-1): if g is constant.

    V = lam' I + sum of w x x^T.  With constant g let alpha' = alpha sqrt(g) and lam' = lam g: by induction H_t = V_t/g,
    so n^2 = g |x|^2 in V^-1.  At g = 1 nothing changes.  With two dispersions no alpha' and lam' will do: of two
    orthogonal arms of length 1 each has the norm 1/sqrt(lam') in V^-1 when it comes, whatever the other weighs, and so
    the same known weight; ours are min(1, alpha g_1 sqrt(lam)) and min(1, alpha g_2 sqrt(lam)).  For d = 2, S = 1 and
    C = 0 that is g_1 and g_2, at most 1.
    """
    # The second weight against the first, which the known weight equals; lambda = d/(4 S^2), as R_s = 0.
    orthogonal_arms = fails(
        ("d >= 2", "S > 0", "C >= 0", "g_1 > 0", "g_2 > 0", "known == min(1, alpha*g_1*sqrt(lam))"),
        "known == min(1, alpha*g_2*sqrt(lam))",
        {"alpha": ALPHA, "lam": lam(eta="1", R_s="0", L_mu="1"), "known": "min(1, alpha*g_1*sqrt(lam))"},
        at={"d": 2, "S": 1, "C": 0, "g_1": Fraction(1, 2), "g_2": second},
    )
    every = implies(["g_1 > 0", "b > 0", "g_2 > g_1", "b*g_2 <= 1"], "min(1, b*g_2) > min(1, b*g_1)")
    return gap(known_for_constant_dispersion(), refuted(orthogonal_arms, every))


def known_for_constant_dispersion() -> Evidence:
    """alpha g/n for H = V/g is alpha sqrt(g)/|x|_V, where n^2 = g |x|_V^2; and (V/g)^-1 = g V^-1."""
    # The inverse of V is its adjugate, of columns (v22, -v12) and (-v12, v11), over its determinant.
    rows, columns = [("v11", "v12"), ("v12", "v22")], [("v22", "-v12"), ("-v12", "v11")]
    det, names = "(v11*v22 - v12**2)", ["g", "v11", "v12", "v22"]
    products = [
        symbolic.identity(f"{a}/g*(g*({c})/{det}) + {b}/g*(g*({d})/{det})", f"{int(i == j)}", variables=names)
        for i, (a, b) in enumerate(rows)
        for j, (c, d) in enumerate(columns)
    ]
    weight = implies(["g > 0", "norm > 0"], "alpha*g/(sqrt(g)*norm) == alpha*sqrt(g)/norm")
    return combine(*products, weight)


# --- eq:OMD-estimator: the step ------------------------------------------------------------------------


@claim(
    "eq:OMD-estimator",
    hypotheses=("H is positive definite", "a >= 0", "eta > 0", "the step stays in the ball"),
    control=("the quadratic term of the loss left out", 0),
    uses=("derivatives_of_the_loss",),
    facts=("convex-minimum",),
)
def omd_step_in_closed_form(curvature: int = 1) -> Evidence:
    """Inside the ball, theta_{t+1} = theta_t - s eta/(1 + eta a q) H^-1 x.

    s x is the gradient and a x x^T the Hessian of the loss at theta_t.  The objective is strictly convex,
    as H/eta is positive definite, so its one stationary point is the minimiser; H^-1 x gives it without
    inverting M = H/eta + a x x^T.
    """
    # The step -s eta/(1 + curvature eta a q) H^-1 x makes the gradient of the printed objective zero.
    # In any dimension M H^-1 x = (1/eta + a q) x for M = H/eta + a x x^T; in two it is written out.
    s, h11, h12, h22 = sp.symbols("s h11 h12 h22", real=True)
    H, arm = sp.Matrix([[h11, h12], [h12, h22]]), sp.Matrix([x1, x2])
    length = (arm.T * H.inv() * arm)[0]
    step = -s * eta / (1 + curvature * eta * a * length) * H.inv() * arm
    d1, d2 = sp.symbols("d1 d2", real=True)
    move = sp.Matrix([d1, d2])
    objective = (s * arm.T * move + move.T * (a * arm * arm.T + H / eta) * move / 2)[0]
    gradient = s * arm + (a * arm * arm.T + H / eta) * move
    return combine(
        symbolic.matrix_identity(sp.Matrix([sp.Derivative(objective, d) for d in move]), gradient),
        symbolic.identity((1 / eta + a * q) * eta / (1 + curvature * eta * a * q), sp.S.One),
        symbolic.matrix_identity(gradient.subs({d1: step[0], d2: step[1]}), sp.zeros(2, 1)),
    )


def optimality(example: tuple[Array, Array, float, float], clipped: bool) -> float:
    """How well <gradient, u - theta_{t+1}> >= 0 for all u in the unit ball, relative to the gradient's size.

    The least value over u is -|gradient| - <gradient, theta_{t+1}>.
    """
    H, direction, s, a = example
    d = H.shape[0]
    x = np.resize(direction, d) / np.sqrt(d)
    theta = np.full(d, 0.9 / np.sqrt(d))
    eta, lam = 2.0, float(np.linalg.eigvalsh(H)[0])
    free = omd_step(theta, H, x, np.linalg.solve(H, x), s, a, eta, lam, 1e300).theta
    step = omd_step(theta, H, x, np.linalg.solve(H, x), s, a, eta, lam, 1.0).theta
    if clipped:
        step = free / max(1.0, float(np.linalg.norm(free)))
    M = H / eta + a * np.outer(x, x)
    gradient = s * x + M @ (step - theta)
    scale = float(np.linalg.norm(s * x) + np.linalg.norm(M @ step) + np.linalg.norm(M @ theta))
    return -float(np.linalg.norm(gradient) + gradient @ step) / scale + 1e-7


@claim(
    "eq:OMD-estimator",
    hypotheses=("H is positive definite", "a > 0", "theta_t in the ball"),
    expected="stress-tested",
    control=("the free step scaled back to the ball", True),
    uses=("omd_step_in_closed_form",),
    facts=("convex-minimum",),
)
def projected_step_is_optimal(clipped: bool = False) -> Evidence:
    """The computed theta_{t+1} satisfies the variational inequality of the minimum over Theta.

    (M + nu I) theta = M theta_t - s x with nu >= 0 and |theta| = S are the conditions of a minimum of a
    convex function over a ball; this looks for a slip in solving them.
    """
    examples = st.tuples(
        strategies.spd_matrices(spread=1),
        st.lists(st.floats(-1, 1), min_size=1, max_size=5).map(np.array),
        st.floats(-50, 50),
        strategies.decades(-2, 1),
    )
    return property.stress(
        lambda example: optimality(example, clipped),
        examples,
        120,
        seed=2,
        runs=2,
        alternatives={"the free step scaled back to the ball": lambda example: optimality(example, True)},
    )
