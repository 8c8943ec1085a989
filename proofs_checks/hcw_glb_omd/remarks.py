"""The remark on online estimators."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, gap, implies

from .confidence_proof import corrupted_difference
from .quantities import WEIGHT
from .technical_lemmas import slope_times_exponential

# --- rmk:online ----------------------------------------------------------------------------------------


@claim(
    "rmk:online",
    hypotheses=("the printed log-likelihood, minus the sum of the losses",),
    control=("the opposite sign", lambda: corrupted_difference(-1)),
    uses=("corruption_decomposition",),
)
def batch_cross_term() -> Evidence:
    """In a batch analysis the corruption enters as -(w_s/g_s) c_s <x_s, hat theta_t - theta_*>.

    The difference of log-likelihoods, at theta_* minus at hat theta_t, is the loss at hat theta_t minus that
    at theta_*.  The remark leaves out 1/g and the sign, neither of which matters to it.
    """
    return corrupted_difference(1)


def later_norm() -> Evidence:
    """If H_s <= H_t, then |x_s| in H_t^-1 is at most |x_s| in H_s^-1; round s adds at most alpha |c_s| X_t.

    d = 1 shows the norm; in any dimension inversion reverses the order of positive definite matrices.
    """
    return combine(
        implies(["Hs > 0", "Ht >= Hs"], "x**2/Ht <= x**2/Hs"),
        implies(
            ["late >= 0", "late <= n", "v*n <= alpha*g", "v >= 0", "g > 0", "k >= 0", "X >= 0"],
            "v/g*k*late*X <= alpha*k*X",
        ),
    )


@claim(
    "rmk:online",
    math=r"H_t < H_s \text{ is possible for } s < t \impliedby \text{Hessians are evaluated anew and } \mu'' \ne 0",
    hypotheses=("weights min(1, alpha g/|x_s| in H_s^-1)", "a batch estimator in Theta"),
    expected="gap",
    control=("the estimate of an exponential mean falls by 1/2", Fraction(1, 2)),
    severity="hypothesis",
    consequence="no theorem rests on it: the cross-term does not call for an online estimator where Hessians are "
    "ordered, as in the linear model, and elsewhere costs at most a factor e^{RS}",
    uses=("batch_term_with_ordered_hessians", "batch_hessians_are_comparable"),
)
def batch_estimators_cannot_use_the_hessian(move: Fraction = Fraction(1)) -> Evidence:
    """A batch estimator cannot exploit growing Hessians: so if they are evaluated anew and mu bends.

    Evaluated at each new estimate, H_t may fall below H_s.  For mu(z) = z they do not depend on the
    estimate and are ordered; batch regression is then as robust as the online estimator.
    """
    # H_t < H_s: for mu = e^z when the estimate falls by u >= `move`, and for mu = z, where H_t = H_s + h.
    # For e^z and x = 1, one round at estimate z and two at z - u leave e^z and 2 e^(z - u) beside lambda.
    return gap(ladder.inequality("exp(u) > 2", "u", move), implies(["Hs > 0", "h >= 0", "Ht == Hs + h"], "Ht < Hs"))


@claim(
    "rmk:online",
    hypotheses=("H_s <= H_t for s <= t", "w_s = min(1, alpha g_s/|x_s| in H_s^-1)", "sum |c_s| <= C"),
    control=("no weights", "1"),
    uses=("batch_cross_term", "corruption_chain"),
    facts=("cauchy-schwarz", "loewner-order"),
)
def batch_term_with_ordered_hessians(weight: str = WEIGHT) -> Evidence:
    """Where Hessians are ordered, the batch cross-terms add up to at most alpha C |hat theta_t - theta_*|.

    The norm is that of H_t.  Cauchy-Schwarz leaves |x_s| in H_t^-1, which is at most |x_s| in H_s^-1, so
    the weight of round s does its work although the estimate is a later one.
    """
    return combine(later_norm(), implies(["alpha > 0", "g > 0", "n > 0", f"v == {weight}"], "v*n <= alpha*g"))


@claim(
    "rmk:online",
    hypotheses=("|mu''| <= R mu' on [-S, S]", "all estimates in Theta"),
    control=("factor e^{-RS}", sp.S.Half),
    facts=("monotone",),
)
def batch_hessians_are_comparable(rate: sp.Rational = sp.S.One) -> Evidence:
    """Re-evaluated Hessians satisfy H_t >= e^{-2RS} H_s, so a batch cross-term pays at most a factor e^{RS}.

    mu' changes by at most e^{R|z - z'|} between two points of [-S, S], at most 2S apart, and regularisation
    and later rounds only add.  The online estimator avoids this factor: a better constant, as far as this
    term goes.
    """
    # mu'(z') >= e^{-rate R |z - z'|} mu'(z), put to the extremal mu' = e^{Rz} with u = R |z - z'|.
    R = sp.Symbol("R", positive=True)
    return combine(
        slope_times_exponential(R), slope_times_exponential(-R), ladder.inequality(f"exp(-u)*exp(({rate})*u) >= 1", "u")
    )
