"""lemma:epl and lemma:decomposition/eq5: the elliptical potential, and that of the weighted rounds.

Two observations repair everything.  The printed lemma:epl holds for lambda >= 1/8 and fails below 1/9; and the weights
cap every term of the potential, so the smallest dispersion enters through logarithms alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from glbcheck.core.theory import constants
from glbcheck.verify.claims.declare import claim, refuted
from glbcheck.verify.search import property, strategies
from glbcheck.verify.writing import Evidence, proves, text_of
from glbcheck.verify.writing import claim as program
from hypothesis import strategies as st
from numpy.typing import NDArray

from ..quantities import ONE_ROUND

Array = NDArray[np.float64]

# --- lemma:epl ----------------------------------------------------------------------------------------------

refuted(
    "lemma:epl",
    "lemma:epl/eq1",
    id="elliptical_potential",
    says=f"The sum of a single term is at most `{text_of(constants.elliptical_potential, '1', 'X**2', 'lam', '1')}`: "
    "false where lam is small.",
    steps=f"""
    lam: the regularisation; x: the norm of the one arm, in one dimension; X: the bound of the norms
    lam > 0      [assumed: lambda > 0]
    x > 0, x <= X      [assumed: |x_s| <= X]
    => x**2/lam <= {text_of(constants.elliptical_potential, "1", "X**2", "lam", "1")}
    fails at lam = 1/100, x = 1, X = 1
    """,
    why="The left side grows like the inverse of lam, the right side like its logarithm.  The lemma also admits no "
    "regularisation, where the first matrix has no inverse.",
    severity="constant",
    consequence="elliptical sums with lambda below the squared norms need the factor 1 + X^2/(2 lambda)",
    carries=("potential_bound", "first_sum", "second_sum", "third_sum", "potential_of_independent_vectors"),
    coq="HCW.Refutations.printed_epl_false",
    math=r"\sum_{s \le t} \lVert x_s \rVert_{V_s^{-1}}^2 \le 2 d (1 + X^2) \log \left( 1 + \frac{t X^2}{d \lambda} "
    r"\right)",
)

proves(
    "Glbcheck.EllipticalPotential.elliptical_potential",
    "lemma:epl",
    "lemma:epl/eq1",
    id="elliptical_potential_repaired",
    title="The sum of |x_s|^2 in V_s^-1 is at most d (1 + X^2/(2 lambda)) log(1 + tX^2/(d lambda)).",
    math=r"\sum_{s \le t} \lVert x_s \rVert_{V_s^{-1}}^2 \le d \left( 1 + \frac{X^2}{2 \lambda} \right) \log \left( 1 "
    r"+ \frac{t X^2}{d \lambda} \right)",
    reading="repaired",
    hypotheses=("d >= 1", "lambda > 0", "V_1 = lambda I and V_{s+1} = V_s + x_s x_s^T", "|x_s| <= X"),
    control=("X^2/(3 lambda) in place of X^2/(2 lambda)", "HCW.Controls.potential_third_false"),
    why="det V_{s+1} = det V_s (1 + u_s) for the s-th term u_s, which is at most X^2/lambda, and u <= (1 + u/2) "
    "log(1 + u); the trace bounds the determinant.",
)


def matrix_form(share: float) -> Callable[[tuple[Array, float]], float]:
    """Bound minus sum, relative to the bound, for a sequence of vectors in the unit ball and lambda."""

    def slack(example: tuple[Array, float]) -> float:
        arms, lam = example
        t, d = arms.shape
        V = lam * np.eye(d)
        total = 0.0
        for arm in arms:
            total += float(arm @ np.linalg.solve(V, arm))
            V += np.outer(arm, arm)
        bound = d * (1 + share / lam) * math.log1p(t / (d * lam))
        return float((bound - total) / bound + 1e-9)

    return slack


@program(
    "lemma:epl",
    reading="repaired",
    hypotheses=("lambda > 0", "|x_s| <= 1"),
    expected="stress-tested",
    control=("factor 1 + X^2/(4 lambda)", 0.25),
    uses=("elliptical_potential_repaired",),
)
def elliptical_potential_in_matrices(share: float = 0.5) -> Evidence:
    """The repaired bound on sequences of vectors in up to five dimensions, as computed with matrices.

    The proof above rests on textbook facts about determinants; this looks for a slip in using them.
    """
    examples = st.tuples(strategies.arm_sequences(), strategies.decades(-3, 3))
    return property.stress(
        matrix_form(share), examples, 300, seed=1, alternatives={"factor 1 + X^2/(4 lambda)": matrix_form(0.25)}
    )


# --- the weighted rounds ------------------------------------------------------------------------------------

refuted(
    "lemma:decomposition/eq5",
    id="potential_bound",
    says=f"After one round `u <= {text_of(constants.elliptical_potential, 'd', 'L/g', 'lam', '1')}`: false where lam "
    "is small.",
    steps=f"""{ONE_ROUND}
    d >= 1, S > 0, g > 0, L > 0      [assumed: H_1 = lambda I]
    alpha*g > n                      [assumed: w_t = min(1, alpha g_t/n_t)]
    [named_families_are_members]
    => u <= {text_of(constants.elliptical_potential, "d", "L/g", "lam", "1")}
    fails at d = 1, L = 1, S = 3, g = 7
    """,
    why="The rewards are normal and the weight is one.",
    severity="constant",
    consequence="only for lambda < 1/8, that is nearly linear links with S^2 > 2d; see the repaired bound",
    carries=("explicit_inequality",),
    math=r"\sum_t \frac{w_t}{g_t} \mu'(\langle x_t, \theta_{t+1} \rangle) \lVert x_t \rVert_{H_t^{-1}}^2 \le 2 d "
    r"\left( 1 + \frac{L_\mu}{g_{\min}} \right) \log \left( 1 + \frac{L_\mu T}{d g_{\min} \lambda} \right)",
)

claim(
    "lemma:decomposition/eq5",
    "lemma:epl",
    id="printed_potential_for_large_lambda",
    says="Where `lam >= 1/8` the printed lemma holds as it stands, and with it its uses, but for the largest "
    "dispersion in its first sum: a term of the potential is at most `2*(1 + X2)*step`.",
    steps="""
    u: a term of the potential; v: the term read backwards
    u >= 0, u <= 3       [meaning]
    => log(1 + u) >= u/(2 + u/4)

    v >= 0, v <= 10      [meaning]
    => log(14 - v) >= (13 - v)/(2 + (13 - v)/4)

    case: large terms
    u >= 13              [meaning]
    => log(1 + u) >= u/(2 + u/4)

    lam: the regularisation; X2: the squared bound of the norms; step: the logarithm of one more than u
    u >= 0                           [meaning]
    step >= u/(2 + u/4)              [above with step = log(1 + u)]
    lam >= 1/8                       [assumed: lambda >= 1/8]
    lam*u <= X2                      [loewner-order]
    [elliptical_potential_repaired]
    => u <= 2*(1 + X2)*step
    """,
    why="The condition is met where either part of the regularisation, that of self-concordance or that of the bound "
    "on the parameter, is large.",
    reading="repaired",
    math=r"\sum_s \lVert x_s \rVert_{V_s^{-1}}^2 \le 2 d (1 + X^2) \log \left( 1 + \frac{t X^2}{d \lambda} \right) "
    r"\text{ for } \lambda \ge \tfrac{1}{8}",
)

claim(
    "lemma:decomposition/eq5",
    id="weights_cap_the_terms",
    steps="""
    n: the norm of x in the inverse of H, which is at least lam times the unit matrix; w: the weight of the round
    p: a slope of the link; L: the largest one; g: the dispersion; alpha: the scale of the weights
    n > 0, g > 0, alpha > 0, p >= 0, p <= L, lam > 0, n**2 <= 1/lam, w > 0, w <= 1, w <= alpha*g/n
    => w/g*p*n**2 <= alpha*p*n, alpha*p*n <= alpha*L/sqrt(lam)
    """,
    reading="repaired",
)

claim(
    "lemma:decomposition/eq5",
    id="potential_bound_repaired",
    says=f"The sum of all terms u is at most `{text_of(constants.potential_repaired, 'd', 'alpha', 'lam', 'L_mu', 's')}"
    "`: the smallest dispersion is no factor.",
    steps=f"""
    u: a term of the potential; cap: its largest value; step: the logarithm of one more than u
    u >= 0      [meaning]
    => u <= (1 + u/2)*log(1 + u)

    u >= 0, step >= 0          [meaning]
    u <= (1 + u/2)*step        [above with step = log(1 + u)]
    u <= cap                   [lemma:decomposition/eq5]
    => u <= (1 + cap/2)*step

    d: the dimension; lam: the regularisation; alpha: the scale of the weights; L_mu: the largest slope
    s: the sum of the weights over the dispersions; logdet: the logarithm of the ratio of the determinants
    l: d-th part of the bound of logdet; total: the sum of all terms
    d >= 1, alpha > 0, s >= 0, L_mu > 0        [assumed: p_t <= L]
    lam > 0, l == log(1 + L_mu*s/(d*lam))      [assumed: H_1 = lambda I]
    logdet <= d*l                              [spectrum]
    total <= (1 + cap/2)*logdet                [determinant-lemma]
    cap == alpha*L_mu/sqrt(lam)                [assumed: w_t = min(1, alpha g_t/n_t)]
    => cap > 0                                 [in cap, alpha, L_mu, lam]
    => total <= (1 + cap/2)*d*l                [in total, cap, logdet, d, l]
    [weights_cap_the_terms; elliptical_potential_repaired]
    => total <= {text_of(constants.potential_repaired, "d", "alpha", "lam", "L_mu", "s")}
    """,
    why="Each round multiplies the determinant by the sum of one and its term.",
    reading="repaired",
    math=r"\sum_t \frac{w_t}{g_t} \mu'(\langle x_t, \theta_{t+1} \rangle) \lVert x_t \rVert_{H_t^{-1}}^2 \le \left( 1 "
    r"+ \frac{\alpha L_\mu}{2 \sqrt{\lambda}} \right) d \log \left( 1 + \frac{L_\mu}{d \lambda} \sum_t "
    r"\frac{w_t}{g_t} \right)",
)
