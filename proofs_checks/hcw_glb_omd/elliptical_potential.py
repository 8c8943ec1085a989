"""lemma:epl: the elliptical potential, as printed and with the constant that it needs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import sympy as sp
from glbcheck.core.theory import constants
from glbcheck.verify.search import ladder, property, strategies, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, proves, text_of
from hypothesis import strategies as st
from numpy.typing import NDArray

Array = NDArray[np.float64]


@claim(
    "lemma:epl",
    "lemma:epl/eq1",
    math=r"\sum_{s \le t} \lVert x_s \rVert_{V_s^{-1}}^2 \le 2 d (1 + X^2) \log \left( 1 + \frac{t X^2}{d \lambda} "
    r"\right)",
    hypotheses=("lambda > 0", "|x_s| <= X"),
    expected="refuted",
    control=("the same instance with lambda = X^2", sp.S.One),
    coq="HCW.Refutations.printed_epl_false",
    severity="constant",
    consequence="elliptical sums with lambda below the squared norms need the factor 1 + X^2/(2 lambda)",
    carries=("potential_bound", "first_sum", "second_sum", "third_sum", "potential_of_independent_vectors"),
)
def elliptical_potential(lam: sp.Rational = sp.Rational(1, 100)) -> Evidence:
    """The sum of |x_s|^2 in V_s^-1 is at most 2d(1 + X^2) log(1 + tX^2/(d lambda)): false for small lambda.

    The left side grows like 1/lambda, the right side like log(1/lambda); d = t = 1 shows it.  The
    lemma also admits lambda = 0, where V_1 has no inverse.
    """
    # The printed bound for d = 1, t = 1 and a single vector x with x = X = 1.
    return fails(
        ("lam > 0", "x > 0", "x <= X"),
        f"x**2/lam <= {text_of(constants.elliptical_potential, '1', 'X**2', 'lam', '1')}",
        at={"lam": lam, "x": 1, "X": 1},
    )


def determinant_step() -> Evidence:
    """Growing det(I + y y^T) = 1 + |y|^2 by one coordinate s, from its Schur complement.

    With n = |y|^2, A = I + y y^T and y^T A^-1 y = n/(1 + n), the new determinant is
    (1 + n)(1 + s^2 - s^2 n/(1 + n)), and the new quadratic form is again (n + s^2)/(1 + n + s^2).
    """
    n, s = sp.symbols("n s", positive=True)
    schur = 1 + s**2 - s**2 * n / (1 + n)
    determinant = symbolic.identity((1 + n) * schur, 1 + n + s**2)
    # y'^T A'^-1 y' by block inversion: the old form plus the squared residual over the Schur complement.
    form = n / (1 + n) + (s - s * n / (1 + n)) ** 2 / schur
    return combine(determinant, symbolic.identity(form, (n + s**2) / (1 + n + s**2)))


def logarithm_below_its_tangent() -> Evidence:
    """log x <= x - 1, on both sides of 1."""
    return combine(
        ladder.inequality("log(1 + u) <= u", "u"),
        ladder.inequality("log(1 - u) <= -u", "u", 0, 1, closed=(True, False)),
    )


def potential_against_logarithm(share: sp.Rational) -> Evidence:
    """u <= (1 + share u) log(1 + u): one term of the sum against one step of the log-determinant."""
    return ladder.inequality(f"u <= (1 + ({share})*u)*log(1 + u)", "u")


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


@claim(
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
