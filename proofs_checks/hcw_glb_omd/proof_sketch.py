"""The proof sketch of the confidence sequence.

Symbols: ell is the loss of the true reward r, ell~ of the corrupted reward r + c, both divided by g; w the
weight; X_s = |theta_s - theta_*| in the norm of H_s; K = 2 eta alpha C.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.algorithm.reference import ReferenceLearner
from glbcheck.core.theory.parameters import parameters
from glbcheck.verify.search import property, strategies, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, states, structural
from hypothesis import strategies as st

from .confidence_proof import CORRUPTED_LOSSES, corrupted_difference, corruption_step, corruption_sum
from .unprinted import NORMALISED

w, mix = sp.symbols("w mix", real=True)

structural(
    "sec:proof-sketch",
    reason="outlines the proof and what is new in it; its formulas are decided one by one, what it takes "
    "from appendix B is decided there, and which steps are novel is not a mathematical statement",
)


# --- step (i): isolating the corruption ----------------------------------------------------------------


states(
    CORRUPTED_LOSSES,
    "eq:corruption-decompose",
    id="corruption_decomposition",
    control=("c*(z2 - z1)", "c*(z1 - z2)"),
    why="z1 = <x, theta> and z2 = <x, theta'>; m cancels from the corruption.",
)


@claim(
    "eqn:OMD",
    hypotheses=("lam >= 36 (eta alpha R S L)^2",),
    control=("corruption along theta_* - theta_{s+1}, as in the appendix", -1),
    uses=("corruption_decomposition", "inverse_regret_as_used"),
)
def omd_error_bound(sign: int = 1) -> Evidence:
    """X_{t+1}^2 <= 2 eta ((*) + (**)) + 4 lam S^2 - (2/3) sum |theta_s - theta_{s+1}|^2.

    The inverse regret lemma as app:proof-cs/eq1 quotes it, with its losses separated: theta = theta_*,
    theta' = theta_{s+1} in the decomposition turn the corruption of the s-th summand into
    (w/g) c <x, theta_{s+1} - theta_*>: the sign printed here is right, and so is the square on the left.
    """
    # One round of the losses; then the sums: G the corrupted inverse regret, A and K its parts, V moves.
    return combine(
        corrupted_difference(sign),
        implies(["eta >= 1", "X2 <= 2*eta*G + B - 2/3*V", "G == A + K"], "X2 <= 2*eta*A + B - 2/3*V + 2*eta*K"),
    )


# --- step (ii): the mix loss ---------------------------------------------------------------------------


@claim(
    "sec:proof-sketch/eq3",
    hypotheses=("the mix losses are finite",),
    control=("the second mix loss without its weight", "mix"),
)
def mix_loss_splits(second: str = "w*mix") -> Evidence:
    """(*) = Y_t + Z_t: the weighted mix loss is subtracted and added, summand by summand."""
    # w ell_* - w ell_new = (w ell_* - w mix) + (`second` - w ell_new), one summand.
    names = ["start", "new", "mix", "w"]
    return symbolic.identity("w*start - w*new", f"(w*start - w*mix) + ({second} - w*new)", variables=names)


@claim(
    "sec:proof-sketch/eq3",
    hypotheses=("0 <= w <= 1",),
    control=("weights up to 1 + 10^-6", "(1 + 1/10**6)"),
    facts=("convex-tangent",),
)
def power_is_concave(highest: str = "1") -> Evidence:
    """x -> x^w is concave on x >= 0, so x^w <= 1 + w(x - 1) and E X^w <= 1 when E X = 1.

    On x > 0 the second derivative is not positive; continuity adds x = 0 (for w = 0 the power is the
    constant 1).
    """
    # (x^v)'' = v(v - 1) x^(v - 2), which is <= 0 for 0 <= v <= highest: the sign is that of v(v - 1).
    x, v = sp.symbols("x v", positive=True)
    return combine(
        symbolic.identity(sp.Derivative(x**v, x, 2), v * (v - 1) * x ** (v - 2)),
        implies(["v >= 0", f"v <= {highest}"], "v*(v - 1) <= 0"),
    )


@claim(
    "sec:proof-sketch/eq3",
    reading="repaired",
    hypotheses=("w = 1", NORMALISED, "every density in the mixture lives where the true one does"),
    control=("weight 1/2", sp.S.Half),
    facts=("tonelli", "tower"),
)
def unweighted_ratio_is_a_martingale(exponent: sp.Rational = sp.S.One) -> Evidence:
    """At weight 1 the mixture likelihood ratio has conditional mean one; at a smaller weight it need not.

    E_r (p_mix/p_*) is the mass of p_mix, whatever p_* is: here for two outcomes, with the probabilities as
    squares.  Mass one needs m finite on all of R^d, where the mixture lives: for a family with a bounded
    domain the ratio is only a supermartingale, which is all that is used.
    """
    # E_p (q/p)^exponent = the mass of q, for two outcomes with p = (a1^2, a0^2) and q = (b1^2, b0^2).
    power = 2 * exponent  # squares, so that exponent 1/2 is a rational function too
    mean = f"a1**2*(b1/a1)**{power} + a0**2*(b0/a0)**{power}"
    return symbolic.identity(mean, "b1**2 + b0**2", variables=["a1", "a0", "b1", "b0"])


# --- step (iii): the corruption term -------------------------------------------------------------------


@claim(
    "sec:proof-sketch/eq4",
    hypotheses=("w = min(1, alpha g/|x| in H_s^-1)", "H_{s+1} = H_s + h x x^T, h >= 0", "sum |c_s| <= C"),
    control=("alpha multiplied by 1 - 10^-6", 1 - sp.Rational(1, 10**6)),
    uses=("omd_error_bound", "estimation_error", "weight_without_division_by_zero"),
    facts=("cauchy-schwarz", "loewner-order"),
)
def corruption_chain(share: sp.Rational = sp.S.One) -> Evidence:
    """(**) <= alpha C max X_s over s <= t + 1, by Cauchy-Schwarz, the weight, H_s <= H_{s+1}, and the budget.

    Only sum |c_s| <= C is used.  The maximum may include s = 1, which makes it no smaller; w n <= alpha g
    holds for the arm x = 0 too.  The passage from (*) to beta^2 in the first line is that of
    `estimation_error`.
    """
    # Cauchy-Schwarz, the growing norm, the weight, and the sum over rounds against `share` alpha C max X.
    # Cauchy-Schwarz for p = <x, y>, |x|^2 = n2 in H^-1 and |y|^2 = y2 in H comes from |x - u H y|^2 >= 0 in
    # H^-1; H' = H + h x x^T adds h p^2 to |y|^2.
    return combine(
        implies(["y2 > 0", "n2 - 2*p*u + y2*u**2 >= 0", "u == p/y2"], "p**2 <= n2*y2"),
        implies(["y2 >= 0", "h >= 0"], "y2 <= y2 + h*p**2"),
        corruption_step(share),
        corruption_sum(),
        implies(["K <= A*M", "A <= alpha*C", "M >= 0"], "K <= alpha*C*M"),
    )


def chain_slack(example: dict[str, Any], share: float) -> float:
    """Right minus left of the chain along a run, relative to the right side; C is what was spent."""
    arms, alpha = example["arms"], example["alpha"]
    d = arms.shape[1]
    p = parameters(catalog.get(example["family"]), d, 1.0, 0.05, 0.0, alpha, lam=example["lam"])
    learner = ReferenceLearner.starting(p)
    truth = np.full(d, 0.9 / np.sqrt(d))
    spent = term = largest = 0.0
    for arm, c in zip(arms, example["corruption"] * len(arms), strict=False):
        weight = learner.observe(arm, 0.5 + c, 1.0)[0]
        off = learner.theta - truth
        spent, term = spent + abs(c), term + weight * c * float(arm @ off)
        largest = max(largest, float(np.sqrt(off @ learner.H @ off)))
    bound = alpha * spent * largest
    return (share * bound - term) / bound + 1e-9 if bound else 0.0


@claim(
    "sec:proof-sketch/eq4",
    hypotheses=("any arms, corruption, alpha and lambda", "g = 1"),
    expected="stress-tested",
    control=("nine tenths of the bound", 0.9),
    uses=("corruption_chain",),
)
def corruption_chain_on_runs(share: float = 1.0) -> Evidence:
    """The corruption term against alpha C max X_s along runs of the algorithm, projections included.

    The chain is pathwise, so it must hold for every run; this looks for a slip in its indices.
    """
    examples = st.fixed_dictionaries(
        {
            "family": st.sampled_from(["gaussian", "bernoulli", "poisson"]),
            "arms": strategies.arm_sequences(rounds=5),
            "alpha": strategies.decades(-3, 0),
            "lam": strategies.decades(-1, 2),
            "corruption": st.lists(st.floats(-20, 20), min_size=1, max_size=5),
        }
    )
    weaker = {"nine tenths of the bound": lambda example: chain_slack(example, 0.9)}
    return property.stress(
        lambda example: chain_slack(example, share), examples, 300, seed=3, alternatives=weaker, runs=2
    )
